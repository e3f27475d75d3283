# frozen_string_literal: true

require "random/formatter"

# Random values of MessagePack's own types. The same seed gives the same values.
module MessagePackValues
  TEXT = "ä€🚲é"

  # How many of the sorts of keys below each option uses.
  KEYS = { text: 1, simple: 3, any: 6 }.freeze

  module_function

  # @param random [Random]
  # @param depth [Integer] levels of Arrays and Hashes
  # @param keys [Symbol] of Hashes: `:text`, `:simple` (text, bytes and integers), or `:any`
  # @return [Object]
  def random_value(random, depth, keys: :text)
    case random.rand(depth.positive? ? 10 : 8)
    when 0 then [nil, true, false].sample(random:)
    when 1 then random.rand(300) - 150
    when 2 then random_integer(random)
    when 3 then random_float(random)
    when 4 then random.alphanumeric(random.rand(80))
    when 5 then TEXT[0, random.rand(5)] * random.rand(30)
    when 6 then random.bytes(random.rand(300))
    when 7 then random.rand < 0.1 ? "x" * random.rand(70_000) : ""
    when 8 then Array.new(random.rand(20)) { random_value(random, depth - 1, keys:) }
    else Array.new(random.rand(20)) { [random_key(random, keys), random_value(random, depth - 1, keys:)] }.to_h
    end
  end

  # Numbers of any size up to 64 bits. Small ones are as frequent as large ones.
  def random_integer(random)
    number = random.rand(2**64) >> random.rand(64)
    random.rand < 0.4 ? -(number >> 1) - 1 : number
  end

  def random_float(random)
    [0.0, -0.0, Float::INFINITY, Float::MIN, Float::MAX, random.rand, random.rand * (10**random.rand(300))].sample(random:)
  end

  def random_key(random, keys)
    case random.rand(KEYS.fetch(keys))
    when 0 then random.alphanumeric(random.rand(40))
    when 1 then random.bytes(random.rand(10))
    when 2 then random_integer(random)
    when 3 then [nil, true, false].sample(random:)
    when 4 then random.rand
    else [random.rand(9), "k"]
    end
  end

  # Changes one byte, or cuts some off.
  def mutated(bytes, random)
    bytes = bytes.dup
    (1 + random.rand(3)).times { bytes.setbyte(random.rand(bytes.bytesize), random.rand(256)) } unless bytes.empty?
    random.rand < 0.5 ? bytes : bytes.byteslice(0, 1 + random.rand(bytes.bytesize))
  end
end
