# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/fresh_ruby"
require "support/seeded"
require "tmpdir"

# Outputs of many megabytes. Their pages are made present some at a time (ext/sparpack/glue/output.cpp), which nobody should
# see.
class LargeOutputTest < Minitest::Test
  include FreshRuby
  include Seeded

  M = Sparpack::MessagePack

  class Texts < Sparpack::Struct
    field 1, :texts, list(:string), required: true
  end

  MEGABYTE = 1 << 20
  TEXT = Random.new(1).bytes(9 * MEGABYTE).tr("\x80-\xFF".b, "\0-\x7F".b).force_encoding("UTF-8").freeze

  # Texts of all sizes: steps over many windows, single texts that take several, and ends on both sides of a window's.
  def texts
    @texts ||= [Array.new(40_000) { |i| TEXT[i, random.rand(300)] },
                Array.new(20) { TEXT[0, random.rand(3 * MEGABYTE)] },
                TEXT, "",
                Array.new(30) { |i| TEXT[0, (2 * MEGABYTE) - 15 + i] },
                Array.new(40_000) { |i| TEXT[i, 100] }].flatten.freeze
  end

  def test_structs
    %i[binary compact message_pack].each do |wire|
      bytes = Texts.new(texts:).encode(wire)

      assert_operator bytes.bytesize, :>, 70 * MEGABYTE
      assert_equal texts, Texts.decode(bytes, wire).texts
    end
  end

  def test_packed
    expected = "\xDD".b + [texts.size].pack("N") + texts.map { |text| M.pack(text) }.join

    assert_equal expected, M.pack(texts)
    io = StringIO.new("".b)
    M::Packer.new(io).write(texts).flush

    assert_equal expected, io.string
  end

  # One text that is larger than all windows before it.
  def test_one_text
    [(4 * MEGABYTE) - 8, 4 * MEGABYTE, (8 * MEGABYTE) - 1, 9 * MEGABYTE].each do |size|
      text = TEXT[0, size]

      assert_equal ["\xDB".b, [size].pack("N"), text.b], M.pack(text).unpack("aa4a*")
      assert_equal text, Texts.decode(Texts.new(texts: [text]).encode).texts.first
    end
  end

  SCRIPT = <<~RUBY
    require "sparpack"
    peak = -> { File.read("/proc/self/status")[/^VmHWM:\\s+(\\d+)/, 1].to_i }
    numbers = Array.new(1000) { 1.5 } * 7900
    before = peak.call
    size = Sparpack::MessagePack.pack(numbers).bytesize
    File.binwrite(ARGV[0], Marshal.dump([size, (peak.call - before) << 10]))
  RUBY

  # The buffer has doubled to 128 MB. Its second half is never written to, so it takes no memory.
  def test_memory
    skip "a sanitizer takes memory of its own" if ENV["SPARPACK_MODE"] == "sanitize"
    skip "only Linux tells how much memory was present" unless File.readable?("/proc/self/status")
    size, taken = fresh_result(SCRIPT)

    assert_operator size, :>, 67 * MEGABYTE
    assert_operator taken, :<, 1.2 * size
  end
end
