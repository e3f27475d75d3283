# frozen_string_literal: true

require "test_helper"

# Doubles of every kind, bit for bit. Ruby keeps most as immediates, depending on the exponent.
class FloatTest < Minitest::Test
  class Numbers < Sparpack::Struct
    field 1, :one, :double
    field 2, :list, list(:double)
  end

  EDGES = [0.0, -0.0, 2.0**-255, -2.0**-255, 2.0**-254, 1.5 * (2.0**-255), 2.0**256, -2.0**256, (2.0**256).prev_float,
           (2.0**-255).prev_float, (2.0**-255).next_float, Float::MIN, Float::MAX, Float::EPSILON, 5e-324, Float::INFINITY,
           -Float::INFINITY, 1.0, -1.0, 0.1].freeze

  def test_all_exponents_and_signs
    random = Random.new(7)
    numbers = (0..4095).flat_map { |high| [high << 52, (high << 52) | random.rand(1 << 52)] }
                       .map { |bits| [bits].pack("Q").unpack1("d") }.reject(&:nan?)

    same(numbers + EDGES)
  end

  def test_nan_keeps_its_bits
    nans = ["\x01\0\0\0\0\0\xf8\x7f", "\x01\0\0\0\0\0\xf0\xff"].map(&:b)
    nans.each do |bits|
      bytes = "\x17".b + bits + "\0".b

      assert_equal bytes, Numbers.decode(bytes).encode
    end
  end

  private

  def same(numbers)
    bytes = numbers.pack("E*")
    [:compact, :binary].each do |wire|
      object = Numbers.decode(Numbers.new(list: numbers).encode(wire), wire)

      assert_equal bytes, object.list.pack("E*")
      assert_equal immediates(numbers), immediates(object.list)
    end
    numbers.each do |number|
      assert_equal [number].pack("E"), [Numbers.decode(Numbers.new(one: number).encode).one].pack("E")
    end
  end

  # Returns the numbers that are one object wherever they come from, and so are immediates.
  def immediates(numbers)
    numbers.select { |number| [number].pack("E").unpack1("E").equal?(number) }.map(&:object_id)
  end
end
