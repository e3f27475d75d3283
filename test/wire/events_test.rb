# frozen_string_literal: true

# bin/test: not sanitized, for native_unit_test.rb runs the same grammars under the sanitizers

require "test_helper"
require "support/command"
require "support/message_pack_formats"
require "support/native_program"
require "tmpdir"

# Payloads of other writers: both forms of a wire's grammar see the same events, in pieces of any size and cut anywhere, and
# the events' bytes follow one another without a gap (native_unit/events.cpp).
class EventsTest < Minitest::Test
  VECTORS = File.expand_path("../vectors", __dir__)
  FILES = { "compact" => "{python,ruby}/*.compact", "binary" => "{python,ruby}/*.binary",
            "message_pack" => "message_pack/{python,ruby}/*", "json" => "{.,message_pack}/*.json" }.freeze

  FILES.each do |wire, pattern|
    define_method("test_the_files_in_#{wire}") do
      files = Dir[pattern, base: VECTORS].map { |file| File.join(VECTORS, file) }

      assert_operator files.size, :>=, 2
      check(files.to_h { |file| [file, wire] })
    end
  end

  def test_every_format_of_message_pack
    Dir.mktmpdir do |folder|
      files = MessagePackFormats.all.each_with_index.map do |vector, index|
        File.join(folder, "#{index}.msgpack").tap { |file| File.binwrite(file, vector.bytes) }
      end

      check(files.to_h { |file| [file, "message_pack"] })
    end
  end

  def test_a_payload_that_is_wrong_is_found
    Dir.mktmpdir do |folder|
      { "compact" => "\x19\x2c", "binary" => "\x08\0", "message_pack" => "\xc1", "json" => "[1,]" }.each do |wire, bytes|
        file = File.join(folder, wire)
        File.binwrite(file, bytes)
        output, status = events.run(wire, file)

        refute_predicate status, :success?
        assert_includes output, "#{file}: status"
      end
    end
  end

  private

  def check(files)
    output, status = events.run(*files.flat_map { |file, wire| [wire, file] })

    assert_predicate status, :success?, output
  end

  def events = NativeProgram.of("wire/native_unit/events.cpp")
end
