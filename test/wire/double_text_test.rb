# frozen_string_literal: true

require "test_helper"
require "support/native_program"
require "support/seeded"
require "tmpdir"

# Doubles as text, compared with Ruby's own: Float#to_s and Float(). (native_unit/doubles.cpp checks the hard cases.)
class DoubleTextTest < Minitest::Test
  include Seeded

  COUNT = ENV["SPARPACK_MODE"] == "sanitize" ? 100_000 : 1_000_000

  def test_writes_as_float_to_s_does
    floats = doubles.unpack("E*").reject { |float| float.nan? || float.infinite? }
    texts = printed("write", floats.pack("E*"))

    assert_operator floats.size, :>, COUNT
    assert_equal floats.size, texts.size
    floats.zip(texts) { |float, text| float.to_s == text || flunk("#{float} was written as #{text}") }
  end

  def test_reads_as_ruby_does
    numbers = Array.new(COUNT / 2) { number }
    bits = printed("read", numbers.map { |text| "#{text}\n" }.join)

    assert_equal numbers.size, bits.size
    numbers.zip(bits) do |text, found|
      expected = [quietly { Float(text) }].pack("G").unpack1("H*")
      expected == found || flunk("#{text} was read as #{[found].pack("H*").unpack1("G")}, not #{Float(text)}")
    end
  end

  # The table holds 128 bits of each power, from the first that is set.
  def test_the_powers_of_ten
    powers = printed("powers").to_h { |line| line.split.then { |exponent, power| [exponent.to_i, power.hex] } }

    assert_equal (-342..324).to_a, powers.keys
    powers.each do |exponent, power|
      exact = 10r**exponent
      shift = 127 - ((exact.numerator.bit_length - exact.denominator.bit_length)..).then do |from|
        from.begin - (exact < 2r**from.begin ? 1 : 0)
      end
      scaled = exact * (2r**shift)
      rounded = (-27..-1).cover?(exponent) ? scaled.ceil : scaled.floor

      assert_equal [128, rounded], [power.bit_length, power], "10**#{exponent}"
    end
  end

  private

  # Doubles of all bits, of few bits, of few digits, and integers.
  def doubles
    quarter = COUNT / 4
    [random.bytes(8 * (quarter + (COUNT / 1000))),
     Array.new(quarter) { random.rand }.pack("E*"),
     Array.new(quarter) { random.rand(10**random.rand(1..17)).fdiv(10**random.rand(0..20)) }.pack("E*"),
     Array.new(quarter) { random.rand(1 << random.rand(1..64)) * (random.rand(2) - 0.5) }.pack("E*"),
     Array.new(quarter / 10) { 2.0**random.rand(-1074..1023) }.pack("E*")].join
  end

  # A number of 1 to 45 digits with or without a point and an exponent.
  def number
    digits = random.rand(10**random.rand(1..(random.rand(8).zero? ? 45 : 20))).to_s
    digits = "#{digits}.#{random.rand(10**random.rand(1..20))}" if random.rand(2).zero?
    digits = "#{digits}e#{random.rand(-330..300)}" if random.rand(2).zero?
    random.rand(2).zero? ? digits : "-#{digits}"
  end

  def printed(what, input = "")
    Dir.mktmpdir do |folder|
      path = File.join(folder, "input")
      File.binwrite(path, input)
      output, status = NativeProgram.of("wire/native_unit/doubles.cpp").run(what, path)

      assert_predicate status, :success?, output
      output.lines(chomp: true)
    end
  end

  # Ruby warns of numbers that are out of range.
  def quietly
    verbose = $VERBOSE
    $VERBOSE = nil
    yield
  ensure
    $VERBOSE = verbose
  end
end
