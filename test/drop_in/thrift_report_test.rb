# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "thrift"
require "support/child"
require "sparpack/drop_in/thrift/report"

# What an operator is told. Patches are made in processes of their own.
class DropInThriftReportTest < Minitest::Test
  include Child

  REPORT = Sparpack::DropIn::Thrift::Report
  VERSION = Gem.loaded_specs["thrift"].version.to_s

  # Set by the file that loads all parts.
  Sparpack::DropIn::Thrift.const_set(:SWITCH, "SPARPACK_THRIFT") unless Sparpack::DropIn::Thrift.const_defined?(:SWITCH)

  PLACES = %w[CompactProtocol BinaryProtocol BinaryProtocolAccelerated MemoryBufferTransport FramedTransport].freeze

  Classes = Struct.new(:known, :refused, :places, :reasons) do
    def calls(klass) = (reasons || {}).fetch(klass, [])
  end

  class Listing
    include ::Thrift::Struct
  end

  class Money
    def self.name = raise("no name")
    def self.to_s = raise("no text")
  end

  def test_what_is_native
    hash = report([Listing]).to_h

    assert_equal [true, VERSION], hash.values_at(:on, :gem)
    assert_equal({ "DropInThriftReportTest::Listing" => nil }, hash[:classes])
    assert_equal ["Thrift::CompactProtocol", nil], hash[:protocols].first
    assert_equal ["Thrift::MemoryBufferTransport", nil], hash[:transports].first
    assert_equal [nil], hash[:others].values.uniq
  end

  def test_the_text
    text = report([Listing], { Money => "Money#write is overridden (app/money.rb:3)" }).to_s

    assert_equal "Thrift #{VERSION} runs on Sparpack #{Sparpack::VERSION}.", text.lines.first.chomp
    assert_includes text, "\nProtocols:\n  Thrift::CompactProtocol: native\n"
    assert_includes text, "\nClasses:\n  DropInThriftReportTest::Listing: native\n  DropInThriftReportTest::Money: " \
                          "the gem's own methods (Money#write is overridden (app/money.rb:3))\n"
  end

  def test_what_is_called
    reasons = ["Listing#initialize is overridden", "Listing#validate is not a generated one"]
    report = REPORT.new(Classes.new([Listing], {}, PLACES, { Listing => reasons }))

    assert_equal({ "DropInThriftReportTest::Listing" => reasons.join(", ") }, report.to_h[:calls])
    assert_nil report.to_h[:classes].fetch("DropInThriftReportTest::Listing")
    assert_includes report.to_s,
                    "  DropInThriftReportTest::Listing: native, but its methods are called (#{reasons.join(", ")})\n"
  end

  def test_what_native_code_does_not_know
    hash = report([]).to_h

    assert_equal({ "Thrift::MultiplexedProtocol" => "it is not accelerated",
                   "Thrift::HeaderProtocol" => "it is not accelerated" }, hash[:protocols].compact)
    assert_includes report([]).to_s, "  Thrift::BufferedTransport: the gem's own methods (it is not accelerated)\n"
  end

  def test_no_class_in_use
    assert_includes report([]).to_s, "Classes:\n  none in use\n"
  end

  def test_off
    off = REPORT.new(nil)

    assert_equal "Thrift is the gem #{VERSION}: SPARPACK_THRIFT is off.\n", off.to_s
    assert_equal({ on: false, gem: VERSION, protocols: {}, transports: {}, others: {}, classes: {}, calls: {} },
                 off.to_h)
  end

  def test_patches_are_named_with_their_places
    hash, text = in_child do
      Sparpack::DropIn::Thrift::Watch.install
      ::Thrift::BaseProtocol.class_eval { def write_field(*) = super }
      ::Thrift::MemoryBufferTransport.prepend(Module.new { def write(*) = super })
      ::Thrift::Serializer.class_eval { def serialize(*) = nil }
      [report([]).to_h, report([]).to_s]
    end
    place = "#{__FILE__}:"

    assert_match(/\Apatched: write_field \(#{place}\d+\)\z/, hash[:protocols]["Thrift::BinaryProtocol"])
    assert_match(/\Apatched: write \(#{place}\d+\)\z/, hash[:transports]["Thrift::MemoryBufferTransport"])
    assert_match(/\Apatched: serialize \(#{place}\d+\)\z/, hash[:others]["Thrift::Serializer"])
    assert_nil hash[:transports]["Thrift::FramedTransport"]
    assert_match(/  Thrift::MemoryBufferTransport: the gem's own methods \(patched: write \(/, text)
  end

  def test_names_of_anonymous_classes_and_of_classes_defined_anew
    anonymous = Class.new
    anew = Class.new.tap { |klass| klass.define_singleton_method(:name) { "not this" } }
    old = self.class.const_get(:Listing)
    self.class.send(:remove_const, :Listing)
    self.class.const_set(:Listing, anew)

    classes = report([anonymous, anew, old]).to_h[:classes]

    names = classes.keys.map { |name| name[/\A#<Class:|.*/] }

    assert_equal ["#<Class:", "DropInThriftReportTest::Listing", "DropInThriftReportTest::Listing (2)"], names
  ensure
    self.class.send(:remove_const, :Listing)
    self.class.const_set(:Listing, old)
  end

  def test_it_does_not_change_afterwards
    classes = Classes.new([Listing], {}, PLACES)
    made = REPORT.new(classes)
    before = [made.to_h, made.to_s]
    classes.known = []

    assert_equal before, [made.to_h, made.to_s]
    assert made.to_h.values.grep(Hash).all?(&:frozen?)
  end

  def test_it_never_raises
    broken = Class.new { def known = raise("broken") }.new
    texts = [report([Money]), report([Listing], { Listing => "two\nlines \xFF" }), REPORT.new(broken)].map(&:to_s)
    without = in_child do
      Gem.loaded_specs.delete("thrift")
      ::Thrift.send(:remove_const, :CompactProtocol)
      report([Listing]).to_s
    end

    assert_includes texts[0], "DropInThriftReportTest::Money: native\n"
    assert_includes texts[1], "(two lines \uFFFD)\n"
    assert_includes texts[2], "Classes:\n  none in use\n"
    assert_match(%r{\AThrift of /.* runs on Sparpack}, without)
  end

  private

  def report(known, refused = {}) = REPORT.new(Classes.new(known, refused, PLACES))
end
