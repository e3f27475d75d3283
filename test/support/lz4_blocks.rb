# frozen_string_literal: true

# Reads and writes compressed payloads by the specifications of LZ4's block format and of MessagePack-CSharp, in Ruby and
# without Sparpack.
module LZ4Blocks
  module_function

  # @return [String] what an LZ4 block decompresses to
  def read_block(block)
    out = "".b
    at = 0
    number = lambda do |nibble|
      next nibble if nibble < 15

      loop do
        byte = block.getbyte(at)
        at += 1
        nibble += byte
        break nibble if byte < 255
      end
    end
    while at < block.bytesize
      token = block.getbyte(at)
      at += 1
      literals = number.call(token >> 4)
      out << block.byteslice(at, literals)
      at += literals
      break if at == block.bytesize

      back = block.byteslice(at, 2).unpack1("v")
      at += 2
      length = number.call(token & 15) + 4
      length.times { out << out.getbyte(out.bytesize - back) }
    end
    out
  end

  # @return [String] an LZ4 block that holds bytes as they are
  def literal_block(bytes)
    return [bytes.bytesize << 4, bytes].pack("Ca*") if bytes.bytesize < 15

    rest = bytes.bytesize - 15
    [0xf0, "\xff".b * (rest / 255), rest % 255, bytes].pack("Ca*Ca*")
  end

  # @return [String] an LZ4 block that repeats a byte; at least 18 times
  def run_block(byte, size)
    rest = size - 6 - 4 - 15 # a literal, the match, and five literals at the end
    [0x1f, byte, 1, "\xff".b * (rest / 255), rest % 255, 0x50, byte.chr.b * 5].pack("CCva*CCa*")
  end

  # @param width [Integer, nil] how many bytes the integer takes; nil for as few as possible
  # @return [String] a positive integer in MessagePack
  def integer(number, width = nil)
    case width
    when nil then integer(number, { 0 => 7, 1 => 8, 2 => 16, 4 => 32 }.find { |_, bits| number < 1 << bits }.first)
    when 0 then [number].pack("C")
    when 1 then [0xcc, number].pack("CC")
    when 2 then [0xcd, number].pack("Cn")
    when 4 then [0xce, number].pack("CN")
    when 8 then [0xcf, number].pack("CQ>")
    end
  end

  # @return [String] a signed integer of 1, 2, 4 or 8 bytes
  def signed(number, width)
    { 1 => [0xd0, "c"], 2 => [0xd1, "s>"], 4 => [0xd2, "l>"], 8 => [0xd3, "q>"] }.fetch(width).then do |byte, format|
      [byte, number].pack("C#{format}")
    end
  end

  # @return [String] an extension type, with the shortest header
  def ext(type, data)
    fixed = [1, 2, 4, 8, 16].index(data.bytesize)
    return [0xd4 + fixed, type, data].pack("Cca*") if fixed
    return [0xc7, data.bytesize, type, data].pack("CCca*") if data.bytesize < 1 << 8
    return [0xc8, data.bytesize, type, data].pack("Cnca*") if data.bytesize < 1 << 16

    [0xc9, data.bytesize, type, data].pack("CNca*")
  end

  # @return [String] bytes with the header of a bin
  def bin(bytes, width = 4)
    byte, format = { 1 => [0xc4, "C"], 2 => [0xc5, "n"], 4 => [0xc6, "N"] }.fetch(width)
    [byte, bytes.bytesize, bytes].pack("C#{format}a*")
  end

  # @return [String] the head of an array
  def array(count)
    return [0x90 | count].pack("C") if count < 16

    count < 1 << 16 ? [0xdc, count].pack("Cn") : [0xdd, count].pack("CN")
  end

  # @return [String] a payload as ext 99
  def block_payload(payload, block = literal_block(payload)) = ext(99, signed(payload.bytesize, 4) + block)

  # @param segments [Array<String>] the parts of a payload
  # @return [String] a payload as a block array
  def array_payload(segments)
    array(segments.size + 1) + ext(98, segments.map { |part| integer(part.bytesize) }.join) +
      segments.map { |part| bin(literal_block(part)) }.join
  end

  # Reads what is compressed, without a check.
  #
  # @return [Array] the form, the lengths of the blocks as they were written, and the payload
  def read(bytes)
    head = bytes.getbyte(0)
    if head.between?(0xc7, 0xc9)
      width = 1 << (head - 0xc7)
      data = bytes.byteslice((2 + width)..)
      return [:lz4_block, data.byteslice(0, 5), read_block(data.byteslice(5..))]
    end

    at, count = head >= 0xdc ? [3, bytes.byteslice(1, 2).unpack1("n")] : [1, head & 15]
    fixed = bytes.getbyte(at)
    size, at = fixed >= 0xd4 ? [1 << (fixed - 0xd4), at + 2] : [bytes.getbyte(at + 1), at + 3]
    lengths = bytes.byteslice(at, size)
    at += size
    payload = Array.new(count - 1) do
      length = bytes.byteslice(at + 1, 4).unpack1("N")
      read_block(bytes.byteslice(at + 5, length)).tap { at += 5 + length }
    end
    [:lz4, lengths, payload.join]
  end
end
