# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require "support/command"
require "support/message_pack_soak"

# A process that packs, unpacks, streams and fails for a while does not grow. SOAK=600 makes that ten minutes, and then
# bin/test needs --patience 900.
class MessagePackSoakTest < Minitest::Test
  SECONDS = Float(ENV.fetch("SOAK", 4))
  SCRIPT = File.expand_path("../support/message_pack_soak.rb", __dir__)

  # Growth that may be chance, in megabytes and objects.
  GROWTH = 8
  OBJECTS = 400

  def test_memory_is_flat
    skip "a sanitizer keeps what was freed" if ENV["SPARPACK_MODE"] == "sanitize"
    skip "there is no /proc" unless File.exist?("/proc/self/statm")

    output, status = Command.capture2e(MessagePackSoak::ALLOCATOR, RbConfig.ruby, SCRIPT, SECONDS.to_s,
                                       within: SECONDS + 120)

    assert_predicate status, :success?, output
    megabytes, objects, later_megabytes, later_objects, rounds = output.split.map(&:to_f)

    assert_operator rounds, :>, 10
    assert_operator later_megabytes - megabytes, :<, GROWTH, "#{output.chomp}: megabytes, objects, the same later, rounds"
    assert_operator later_objects - objects, :<, OBJECTS, "#{output.chomp}: megabytes, objects, the same later, rounds"
  end
end
