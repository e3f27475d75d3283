# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "thrift"
require "support/child"
require "support/thrift_patching"

# Patched methods of the gem run with the drop-in as they do without it, whether they were patched before it was loaded or
# after a class was used. The report says so. What is not patched stays native.
class DropInThriftPatchingTest < Minitest::Test
  include Child

  COMPACT = %w[CompactProtocol].freeze
  BINARY = %w[BinaryProtocol].freeze
  ALL = ThriftPatching::WIRES

  # The protocols that are left to the gem, and what the report says: a part, a name and the method.
  EXPECTED = {
    "nothing" => [[], nil],
    "Struct#write" => [ALL, [:others, "Thrift::Struct", "write"]],
    "Struct#read" => [ALL, [:others, "Thrift::Struct", "read"]],
    "Union#write" => [ALL, [:others, "Thrift::Union", "write"]],
    "CompactProtocol#write_string" => [COMPACT, [:protocols, "Thrift::CompactProtocol", "write_string"]],
    "CompactProtocol#read_i32" => [[], nil], # the protocol's own method stands before the module's
    "BinaryProtocol#write_i32" => [BINARY, [:protocols, "Thrift::BinaryProtocol", "write_i32"]],
    "BaseProtocol#write_field" => [ALL, [:protocols, "Thrift::CompactProtocol", "write_field"]],
    "BaseProtocol#skip" => [ALL, [:protocols, "Thrift::CompactProtocol", "skip"]],
    "MemoryBufferTransport#write" => [ALL, [:transports, "Thrift::MemoryBufferTransport", "write"]],
    "MemoryBufferTransport#read_byte" => [ALL, [:transports, "Thrift::MemoryBufferTransport", "read_byte"]],
    "MemoryBufferTransport#flush" => [ALL, [:transports, "Thrift::MemoryBufferTransport", "flush"]],
    "FramedTransport#flush" => [nil, [:transports, "Thrift::FramedTransport", "flush"]],
    "Serializer#serialize" => [nil, [:others, "Thrift::Serializer", "serialize"]],
    "Deserializer#deserialize" => [nil, [:others, "Thrift::Deserializer", "deserialize"]],
    "Point#validate" => [nil, nil],
    "Point#initialize" => [nil, nil],
    "Struct#initialize" => [nil, [:others, "Thrift::Struct", "initialize"]],
    "a protocol" => [ALL, nil],
    "a transport" => [ALL, nil],
    "messages" => [[], nil]
  }.freeze

  # How often the gem's own methods run where nothing is patched: once for bytes without a required field.
  USUAL = 1

  EXPECTED.each do |patch, (left, told)|
    %w[before after].each do |time|
      define_method("test_#{patch} #{time}") do
        without, with = %w[off on].map { |state| run_patch(patch, time, state) }

        without[:results].each do |wire, expected|
          result = with[:results].fetch(wire)

          assert_equal [expected[:values], expected[:log]], [result[:values], result[:log]], wire
        end
        check_native(with, left) if left
        check_report(with, *told) if told
        assert_equal [false, true], [without[:report][:on], with[:report][:on]]
      end
    end
  end

  def test_the_report_names_what_is_native
    report = run_patch("nothing", "after", "on")[:report]
    changed = run_patch("Point#validate", "after", "on")[:report]

    assert_equal [true, nil], [report[:classes].key?("Market::Everything"), report[:classes]["Market::Everything"]]
    assert_nil report[:protocols].fetch("Thrift::CompactProtocol")
    assert_match(/changed/, changed[:classes].fetch("Market::Everything"))
  end

  def test_all_patches_are_tried
    assert_equal ThriftPatching::PATCHES.keys, EXPECTED.keys
  end

  private

  def run_patch(patch, time, state)
    in_child do
      ENV["SPARPACK_THRIFT"] = state
      ThriftPatching.run(patch, time)
    end
  end

  def check_native(with, left)
    counts = with[:results].transform_values { |result| result[:gems] }
    native = counts.select { |_, count| count == USUAL }.keys

    assert_equal ThriftPatching::WIRES - left, native, counts
  end

  def check_report(with, part, name, method)
    reason = with[:report][part].fetch(name)

    assert_match(/\b#{method} \(.*thrift_patching\.rb:\d+\)/, reason)
    assert_includes with[:text], "  #{name}: the gem's own methods (#{reason})\n"
  end
end
