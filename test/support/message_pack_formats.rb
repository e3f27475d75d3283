# frozen_string_literal: true

# The formats of MessagePack's specification as vectors: at least one for each of the 256 first bytes, and for each format
# its smallest and its largest value. They were written by hand from the specification's table, without any codec.
module MessagePackFormats
  # Bytes in hexadecimal, the value, and whether this is its shortest format.
  Vector = ::Struct.new(:hex, :value, :shortest, keyword_init: true) do
    def bytes = [hex].pack("H*")
  end

  # An extension value: its type and its payload.
  Extension = ::Struct.new(:type, :payload)

  NEVER_USED = 0xc1

  # fixint, nil, bool, and the other integers.
  INTEGERS = {
    "c0" => nil, "c2" => false, "c3" => true,
    "cc80" => 128, "ccff" => 255,
    "cd0100" => 256, "cdffff" => 65_535,
    "ce00010000" => 65_536, "ceffffffff" => 4_294_967_295,
    "cf0000000100000000" => 4_294_967_296, "cf7fffffffffffffff" => 9_223_372_036_854_775_807,
    "cf8000000000000000" => 9_223_372_036_854_775_808, "cfffffffffffffffff" => 18_446_744_073_709_551_615,
    "d0df" => -33, "d080" => -128,
    "d1ff7f" => -129, "d18000" => -32_768,
    "d2ffff7fff" => -32_769, "d280000000" => -2_147_483_648,
    "d3ffffffff7fffffff" => -2_147_483_649, "d38000000000000000" => -9_223_372_036_854_775_808
  }.freeze

  LONGER_INTEGERS = {
    "cc00" => 0, "cc7f" => 127, "cd0000" => 0, "cd00ff" => 255, "ce00000000" => 0, "ce0000ffff" => 65_535,
    "cf0000000000000000" => 0, "cf00000000ffffffff" => 4_294_967_295,
    "d000" => 0, "d07f" => 127, "d0ff" => -1, "d0e0" => -32,
    "d10000" => 0, "d17fff" => 32_767, "d1ffff" => -1, "d1ff80" => -128,
    "d200000000" => 0, "d27fffffff" => 2_147_483_647, "d2ffffffff" => -1, "d2ffff8000" => -32_768,
    "d30000000000000000" => 0, "d37fffffffffffffff" => 9_223_372_036_854_775_807, "d3ffffffffffffffff" => -1,
    "d3ffffffff80000000" => -2_147_483_648
  }.freeze

  DOUBLES = {
    "cb0000000000000000" => 0.0, "cb8000000000000000" => -0.0, "cb3ff0000000000000" => 1.0, "cbbff8000000000000" => -1.5,
    "cb3fb999999999999a" => 0.1, "cb0000000000000001" => 5e-324, "cb0010000000000000" => 2.2250738585072014e-308,
    "cb7fefffffffffffff" => 1.7976931348623157e308, "cb7ff0000000000000" => Float::INFINITY,
    "cbfff0000000000000" => -Float::INFINITY, "cb7ff8000000000000" => Float::NAN
  }.freeze

  SINGLES = {
    "ca00000000" => 0.0, "ca80000000" => -0.0, "ca3f800000" => 1.0, "cabfc00000" => -1.5,
    "ca3dcccccd" => 0.10000000149011612, "ca00000001" => 1.401298464324817e-45, "ca00800000" => 1.1754943508222875e-38,
    "ca7f7fffff" => 3.4028234663852886e+38, "ca7f800000" => Float::INFINITY, "caff800000" => -Float::INFINITY,
    "ca7fc00000" => Float::NAN
  }.freeze

  # Headers and their sizes: first those for which the format is the shortest, then those that a shorter format could hold.
  STRINGS = { "d9" => [2, [32, 255], [0, 1, 31]], "da" => [4, [256, 65_535], [0, 31, 255]],
              "db" => [8, [65_536], [0, 255, 65_535]] }.freeze
  BINARIES = { "c4" => [2, [0, 1, 255], []], "c5" => [4, [256, 65_535], [0, 255]],
               "c6" => [8, [65_536], [0, 65_535]] }.freeze
  ARRAYS = { "dc" => [4, [16, 65_535], [0, 15]], "dd" => [8, [65_536], [0, 1, 65_535]] }.freeze
  EXTENSIONS = { "c7" => [2, [0, 3, 5, 7, 9, 15, 17, 255], [1, 2, 4, 8, 16]], "c8" => [4, [256, 65_535], [0, 1, 255]],
                 "c9" => [8, [65_536], [0, 16, 65_535]] }.freeze
  FIXED_EXTENSIONS = { "d4" => 1, "d5" => 2, "d6" => 4, "d7" => 8, "d8" => 16 }.freeze

  # Timestamps (extension type -1): the whole value, as seconds and nanoseconds.
  TIMESTAMPS = {
    "d6ff00000000" => [0, 0], "d6ff00000001" => [1, 0], "d6ffffffffff" => [4_294_967_295, 0],
    "d7ff0000000400000000" => [0, 1], "d7ff0000000100000000" => [4_294_967_296, 0],
    "d7ffee6b27fc00000000" => [0, 999_999_999], "d7ffee6b27ffffffffff" => [17_179_869_183, 999_999_999],
    "d7ff00000003ffffffff" => [17_179_869_183, 0],
    "c70cff000000000000000400000000" => [17_179_869_184, 0], "c70cff00000000ffffffffffffffff" => [-1, 0],
    "c70cff3b9ac9ff8000000000000000" => [-9_223_372_036_854_775_808, 999_999_999],
    "c70cff3b9ac9ff7fffffffffffffff" => [9_223_372_036_854_775_807, 999_999_999]
  }.freeze

  # The same in longer formats than needed.
  LONGER_TIMESTAMPS = { "d7ff0000000000000001" => [1, 0], "c70cff000000000000000000000001" => [1, 0],
                        "c70cff00000001000000000000ffff" => [65_535, 1] }.freeze

  module_function

  # @return [Array<Vector>]
  def all
    integers + floats + strings + containers + extensions
  end

  def integers
    fixed = (0x00..0x7f).to_h { |byte| [format("%02x", byte), byte] }
    negative = (0xe0..0xff).to_h { |byte| [format("%02x", byte), byte - 256] }
    vectors({ **fixed, **negative, **INTEGERS }, true) + vectors(LONGER_INTEGERS, false)
  end

  def floats = vectors(DOUBLES, true) + vectors(SINGLES, false)

  def strings
    fixed = (0..31).map { |size| vector(format("%02x", 0xa0 | size), size, true, -> { "61" * _1 }, -> { "a" * _1 }) }
    fixed + sized(STRINGS, -> { "7a" * _1 }, -> { "z" * _1 }) + sized(BINARIES, -> { "ff" * _1 }, -> { "\xFF".b * _1 })
  end

  def containers
    elements = ->(size) { Array.new(size) { |i| i % 128 } }
    fixed = (0..15).map { |size| vector(format("%02x", 0x90 | size), size, true, method(:hex_elements), elements) }
    fixed += (0..15).map { |size| vector(format("%02x", 0x80 | size), size, true, method(:hex_pairs), method(:pairs)) }
    maps = ARRAYS.transform_keys { |head| { "dc" => "de", "dd" => "df" }.fetch(head) }
    fixed + sized(ARRAYS, method(:hex_elements), elements) + sized(maps, method(:hex_pairs), method(:pairs))
  end

  def extensions
    fixed = FIXED_EXTENSIONS.flat_map do |head, size|
      { "80" => -128, "ff" => -1, "00" => 0, "7f" => 127 }.map do |type, number|
        Vector.new(hex: head + type + ("01" * size), value: Extension.new(number, "\1".b * size), shortest: true)
      end
    end
    fixed + sized(EXTENSIONS, -> { "05#{"02" * _1}" }, -> { Extension.new(5, "\2".b * _1) })
  end

  def vectors(table, shortest) = table.map { |hex, value| Vector.new(hex:, value:, shortest:) }

  def vector(head, size, shortest, hex, value) = Vector.new(hex: head + hex.call(size), value: value.call(size), shortest:)

  def sized(table, hex, value)
    table.flat_map do |head, (digits, shortest, longer)|
      (shortest + longer).map do |size|
        vector(head + format("%0#{digits}x", size), size, shortest.include?(size), hex, value)
      end
    end
  end

  def hex_elements(size) = (0...size).map { |i| format("%02x", i % 128) }.join

  # Each key is in its shortest format, as a packer writes it.
  def hex_pairs(size) = (0...size).map { |key| "#{hex_integer(key)}c0" }.join

  def hex_integer(number)
    case number
    when 0..0x7f then format("%02x", number)
    when 0x80..0xff then format("cc%02x", number)
    when 0x100..0xffff then format("cd%04x", number)
    else format("ce%08x", number)
    end
  end

  def pairs(size) = (0...size).to_h { |key| [key, nil] }
end
