# frozen_string_literal: true

require "test_helper"
require "zlib"

# Formats that are told by their first bytes, and bytes that only begin like them.
class GuessSignsTest < Minitest::Test
  def format_of(bytes) = Sparpack.guess(bytes.b).format

  # --- zlib: its header has two bytes, so the bits behind it are read --------------------------------------------------

  ZLIB = {
    "few bytes" => "a",
    "copies" => "abcabcabcabc",
    "copies from far away" => "#{"hello world, " * 60}|#{"hello there, " * 3}",
    "a long copy and one from behind it" => "#{[*"a".."z"].join * 20}hello world" * 3,
    "copies of each length" => (3..258).map { |size| "#{"x" * size}#{size}" }.join,
    "codes of 9 bits" => "äöüÄÖÜß" * 3,
    "a block with codes of its own" => Array.new(3000) { |i| (i * i % 91).chr }.join,
    "random bytes" => Random.new(7).bytes(3000)
  }.freeze

  def test_zlib
    ZLIB.each do |name, text|
      [Zlib::DEFAULT_STRATEGY, Zlib::FIXED, Zlib::HUFFMAN_ONLY, Zlib::RLE, Zlib::FILTERED].each do |strategy|
        stream = Zlib::Deflate.new(Zlib::DEFAULT_COMPRESSION, Zlib::MAX_WBITS, Zlib::DEF_MEM_LEVEL, strategy)

        assert_equal :zlib, format_of(stream.deflate(text, Zlib::FINISH)), "#{name}, strategy #{strategy}"
      end
    end
  end

  def test_zlib_in_several_blocks
    stream = Zlib::Deflate.new

    assert_equal :zlib, format_of(stream.deflate("abc", Zlib::SYNC_FLUSH) + stream.finish)
  end
end
