# frozen_string_literal: true

# bin/test: not sanitized, for it starts other processes

require "test_helper"
require "tmpdir"
require "support/command"
require "support/lz4_blocks"
require "support/seeded"

# What the command `lz4` compresses is read, and what Sparpack compresses is read by the command.
class LZ4InteropTest < Minitest::Test
  include Seeded

  # The legacy frame of LZ4: a magic number, then each block with its size. It has no checksums.
  MAGIC = "\x02\x21\x4C\x18".b

  def setup
    skip "the command lz4 is missing: apt-get install lz4" unless Command.success?("lz4", "--version")
  end

  def test_the_command_reads_our_blocks
    samples.each do |bytes|
      packed = Sparpack::LZ4.deflate(bytes)
      block = packed.byteslice(({ 0xc7 => 3, 0xc8 => 4, 0xc9 => 6 }.fetch(packed.getbyte(0), 2) + 5)..)

      assert_equal bytes, lz4("-d", frame(block))
    end
  end

  def test_we_read_the_blocks_of_the_command
    samples.each do |bytes|
      %w[-1 -9].each do |level|
        block = blocks(lz4("-l", level, bytes)).first

        assert_equal bytes, LZ4Blocks.read_block(block) if bytes.bytesize < 100_000
        assert_equal bytes, Sparpack::LZ4.inflate(LZ4Blocks.block_payload(bytes, block))
      end
    end
  end

  def test_values_that_the_command_compressed
    value = { "text" => "Berlin " * 5000, "numbers" => (1..5000).to_a }
    payload = Sparpack::MessagePack.pack(value)
    parts = payload.scan(/.{1,32768}/mn)
    compressed = parts.map { |part| blocks(lz4("-l", "-9", part)).first }
    bytes = LZ4Blocks.array(parts.size + 1) + LZ4Blocks.ext(98, parts.map { |part| LZ4Blocks.integer(part.bytesize) }.join) +
            compressed.map { |block| LZ4Blocks.bin(block) }.join

    assert_equal value, Sparpack::MessagePack.unpack(bytes)
  end

  private

  def samples
    noise = random.bytes(40_000)
    ["a", "Berlin " * 1000, noise, noise + ("b" * 70_000) + noise, [1, 2, 3].pack("N*") * 30_000]
  end

  # @return [String] a legacy frame with one block
  def frame(block) = MAGIC + [block.bytesize].pack("V") + block

  # @return [Array<String>] the blocks of a legacy frame
  def blocks(bytes)
    assert_equal MAGIC, bytes.byteslice(0, 4)
    at = 4
    found = []
    while at < bytes.bytesize
      size = bytes.byteslice(at, 4).unpack1("V")
      found << bytes.byteslice(at + 4, size)
      at += 4 + size
    end
    found
  end

  # @return [String] what the command writes
  def lz4(*options, input)
    Dir.mktmpdir do |folder|
      File.binwrite("#{folder}/in", input)
      said, status = Command.capture2e("lz4", "-q", "-f", *options, "#{folder}/in", "#{folder}/out")

      assert_predicate status, :success?, said
      File.binread("#{folder}/out")
    end
  end
end
