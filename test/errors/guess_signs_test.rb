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

  # Bits, the lowest of each byte first. Huffman codes begin with their highest bit, so they are told as text.
  def bits(*parts)
    text = parts.map { |part| part.is_a?(Array) ? format("%0*b", part[1], part[0]).reverse : part.delete(" ") }.join
    ("x\x9C".b + [text].pack("b*")).ljust(16, "\xA5".b)
  end

  LAST  = "1"
  FIXED = "10"
  CODED = "01"
  A     = "10010001" # the letter a
  COPY  = "0000001" # of 3 bytes

  def test_bits_that_are_not_zlib
    {
      "a symbol that does not exist" => bits(LAST, FIXED, A, "11000110"),
      "a distance that does not exist" => bits(LAST, FIXED, A, COPY, "11110"),
      "a copy of what comes later" => bits(LAST, FIXED, A, COPY, "00001"),
      "an end too early" => bits(LAST, FIXED, A, "0000000"),
      "nothing" => "x\x9C\x03\x00\x00\x00\x00\x01".b,
      "nothing, and more bytes" => bits(LAST, FIXED, "0000000"),
      "too many codes" => bits(LAST, CODED, [30, 5], [0, 5], [0, 4]),
      "too many codes of distances" => bits(LAST, CODED, [0, 5], [30, 5], [0, 4]),
      "codes that are not complete" => bits(LAST, CODED, [0, 5], [0, 5], [0, 4], [1, 3], [2, 3], [0, 3], [0, 3]),
      "a sort of block that does not exist" => bits(LAST, "11"),
      "a copy that is cut off" => "x\x9C".b + ["#{LAST}#{FIXED}#{A * 5}#{COPY}11101"].pack("b*"),
      "letters that are cut off" => bits(LAST, FIXED, A * 8).byteslice(0, 10),
      "a distance that is cut off" => bits(LAST, FIXED, A * 12, COPY, "00110").byteslice(0, 16),
      "a table that is cut off" => bits(LAST, CODED, [0, 5], [0, 5], [15, 4], "100 010 110 110 #{"000" * 9}").byteslice(0, 9)
    }.each { |name, bytes| refute_equal :zlib, format_of(bytes), name }
    assert_equal :zlib, format_of(bits(LAST, FIXED, A * 100))
    assert_equal :zlib, format_of(bits(LAST, CODED, [0, 5], [0, 5], [0, 4], [1, 3], [2, 3], [3, 3], [3, 3]))
  end

  # --- other formats ---------------------------------------------------------------------------------------------------

  def test_formats_with_a_number
    assert_equal :bzip2, format_of("BZh91AY&SY\x01")
    ["BZh9", "BZh91AY", "BZh91AY&SZ\x01\x02", "\x04\b", "\x04\bX", "\x04\b\x00"].each do |bytes|
      assert_nil format_of(bytes), bytes.inspect
    end
  end

  def test_text
    { "GET /a HTTP/1.1\r\n" => :http, "HTTP/2 200" => :http, "--- 5" => :yaml, "<!-- a -->" => :xml, " <BODY>" => :html,
      "<a b='c'/>" => :xml }.each { |bytes, format| assert_equal format, format_of(bytes), bytes }
    ["GET /\x01 HTTP/1.1", "---\n", "---x: 5", "--- \x01\x02", "<5 >", "<a b", "<a>\x01<b/>", "<a>"].each do |bytes|
      assert_nil format_of(bytes), bytes.inspect
    end
  end

  def test_wide_text
    { "UTF-16LE" => :utf16, "UTF-16BE" => :utf16, "UTF-32LE" => :utf32, "UTF-32BE" => :utf32 }.each do |encoding, format|
      assert_equal format, format_of("\uFEFFtext".encode(encoding)), encoding
    end
    ["\xFF\xFE\x00\x00a\x00\x00", "\xFF\xFE\x00\x00a\x00\x00\x01", "\xFF\xFE\x01\x00b\x00c\x00"].each do |bytes|
      assert_nil format_of(bytes), bytes.inspect
    end
  end

  # --- messages of Thrift's RPC ----------------------------------------------------------------------------------------

  STRUCT = "\x0B\x00\x05\x00\x00\x00\x01a\x00".b

  def strict(name, type) = [0x80010000 | type, name.bytesize, name, 3, STRUCT].pack("NNa*Na*")
  def old(name, type) = [name.bytesize, name, type, 3, STRUCT].pack("Na*CNa*")

  def test_messages
    ["_private", "a", "v2", "Service:method", "a.b-c/d"].each do |name|
      assert_equal :envelope, format_of(strict(name, 1)), name
    end
    (1..4).each { |type| assert_equal :envelope, format_of(old("call", type)), type }
    [strict("", 1), strict("1st", 1), strict("a b", 1), strict("a" * 129, 1), strict("call", 0), strict("call", 5),
     old("ab", 1), old("call", 0), old("call", 5), "\x82\x21\xFF\xFF\xFF\xFF\xFF\xFF\xFF".b,
     "\x82\x21\x01\xFF\xFF\xFF\xFF\xFF\xFF".b, "\x82\x21\x01\x7Fabcdef",
     "\x82\x21\x01\x03a b\x00".b].each do |bytes|
      refute_equal :envelope, format_of(bytes), bytes.inspect
    end
  end

  def test_messages_in_json
    assert_equal :envelope, format_of('[1,"call",4,0,{}]')
    assert_equal :envelope, format_of('[1,"call",1,0,{"1":{"str":"cut')
    ['[1,"call",0,0,{}]', '[1,"call",2,0;{}]', '[1,"call",5,0,{}]', '[1,"",1,0,{}]', '[1,"a b",1,0,{}]', '[1,"call",1,-,{}]',
     '[1,"call",1,0,[]]', '[1,"call",1,12', '[1,"call",1]',
     '[1,"call"]', '[1,"call', '[1,"call" ,1,0,{}]', '[1,"call",1 ,0,{}]', '[1,"call",1,0,'].each do |text|
      refute_equal :envelope, format_of(text), text
    end
  end
end
