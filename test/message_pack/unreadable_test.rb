# frozen_string_literal: true

require "test_helper"
require "stringio"

# An unpacker after a value that it could not read. Programs that rescue the error, log it and continue must make progress.
# The msgpack gem, too, never raises twice for the same bytes.
class MessagePackUnreadableTest < Minitest::Test
  MP = Sparpack::MessagePack

  UNKNOWN = "\x92\xD4\x05\xC1\x07".b # an unregistered extension type, whose payload is not a value
  WRONG = "\xC1".b

  FACTORY = MP::Factory.new
  FACTORY.register_type(1, Rational, packer: :to_s, unpacker: ->(_) { raise IOError, "no" })
  FACTORY.register_type(2, Range, packer: :to_s, unpacker: :read.to_proc, recursive: true)

  FAULTS = {
    UNKNOWN => MP::UnknownExtTypeError,
    "\x91\xD4\x01a".b => IOError,
    "\x91\xD4\x02\xC1".b => MP::MalformedFormatError,
    "\x91\xD4\x02\x92".b => EOFError, # the payload ends early
    "\x81\xA1\xFF\x01".b => EncodingError
  }.freeze

  def test_reading_goes_on_behind_it
    FAULTS.each do |bytes, error|
      assert_equal [1, error, 2, EOFError, EOFError], results(fed("\x01#{bytes}\x02".b), 5), bytes.inspect
      assert_equal [1, error, 2, EOFError], results(on(StringIO.new("\x01#{bytes}\x02".b)), 4)
      assert_equal [error, error, EOFError], results(fed(bytes * 2), 3)
    end
  end

  # In pieces, the unpacker waits for the end of the value.
  def test_its_end_comes_later
    FAULTS.each do |bytes, error|
      unpacker = fed("")
      found = "#{bytes}\x02#{bytes}\x03".b.each_char.flat_map do |byte|
        unpacker.feed(byte)
        results(unpacker, 2) - [EOFError]
      end

      assert_equal [error, 2, error, 3] - [EOFError], found, bytes.inspect
    end
  end

  def test_each_goes_on_behind_it
    FAULTS.each do |bytes, error|
      unpacker = fed("\x01#{bytes}\x02".b)
      found = []

      assert_raises(error) { unpacker.each { |value| found << value } }
      unpacker.feed_each("\x03") { |value| found << value }

      assert_equal [1, 2, 3], found
    end
  end

  # Nothing is kept of a value that is skipped, however long it claims to be.
  def test_it_takes_no_memory
    unpacker = MP::Unpacker.new.feed("\xDD\xFF\xFF\xFF\xFF\xD4\x05\xC1".b)
    found = Array.new(100) { [results(unpacker, 1), unpacker.feed("\xC4\xFF#{"x" * 255}" * 10).buffer.size] }

    assert_equal [[MP::UnknownExtTypeError], *[[EOFError]] * 99], found.map(&:first)
    assert_operator found.map(&:last).max, :<, 3_000
  end

  LONG = "\xDB\x00\x00\x03\xE8#{"z" * 1_000}".b

  def test_reading_goes_on_behind_a_value_that_is_too_long
    [MP::Factory.new, FACTORY].product([1, 7, 2_000]) do |factory, size|
      unpacker = factory.unpacker(limits: Sparpack::Limits.new(message: 10))
      found = "\x01#{LONG}\x02#{LONG}\x03".b.scan(/.{1,#{size}}/mn).flat_map do |piece|
        results(unpacker.feed(piece), 6) - [EOFError]
      end

      assert_equal [1, MP::LimitExceeded, 2, MP::LimitExceeded, 3], found
      io = factory.unpacker(StringIO.new("#{LONG}\x02#{LONG}\x03".b), limits: Sparpack::Limits.new(message: 10))

      assert_equal [MP::LimitExceeded, 2], results(io, 2)
      assert_raises(MP::LimitExceeded) { io.skip }
      assert_nil io.skip
      assert_equal 3, io.read
    end
  end

  def test_a_value_that_is_too_long_takes_no_memory
    unpacker = MP::Unpacker.new(limits: Sparpack::Limits.new(message: 1_000)).feed("\xDB\xFF\xFF\xFF\xFF".b)
    found = Array.new(100) { [results(unpacker, 1), unpacker.feed("z" * 2_000).buffer.size] }

    assert_equal [[MP::LimitExceeded], *[[EOFError]] * 99], found.map(&:first)
    assert_operator found.map(&:last).max, :<, 3_000
  end

  # Without registered types a value is read before its end is known.
  def test_without_types
    unpacker = MP::Unpacker.new.feed(UNKNOWN[0, 4])

    assert_equal [MP::UnknownExtTypeError, EOFError, EOFError], results(unpacker, 3)
    assert_equal [2], results(unpacker.feed("\x07\x02"), 1)
  end

  # The unpacker of an extension type's proc does the same.
  def test_reading_goes_on_behind_it_in_a_payload
    faults = FAULTS.merge("\x92\x01\xC1".b => MP::MalformedFormatError, WRONG => MP::MalformedFormatError)
    faults.each do |bytes, error|
      payload = "\x01#{bytes}\x02#{bytes}".b

      assert_equal [1, error, 2, error, EOFError, EOFError], in_payload(payload) { |unpacker| results(unpacker, 6) }
      [:buffer, ->(unpacker) { unpacker.feed("") }].each do |use| # now it needs a buffer
        found = in_payload(payload) { |unpacker| [*results(unpacker, 2), use.to_proc.call(unpacker), *results(unpacker, 3)] }

        assert_equal [1, error, 2, error, EOFError], found.values_at(0, 1, 3, 4, 5)
      end
    end
    values = in_payload("\x01\xC1\x02".b) do |unpacker|
      Array.new(2) { [].tap { |found| unpacker.each { |value| found << value } rescue found << $!.class } } # rubocop:disable Style
    end

    assert_equal [[1, MP::MalformedFormatError], [2]], values
  end

  def test_a_payload_that_ends_early
    assert_equal [1, EOFError, EOFError], in_payload("\x01\x92\x01".b) { |unpacker| results(unpacker, 3) }
  end

  # Bytes that are not a value have no end, so skipping stops behind the first wrong one.
  def test_no_value
    assert_equal [MP::MalformedFormatError, 5, MP::MalformedFormatError, 6, EOFError],
                 results(fed("\x92\x01\xC1\x05\xC1\x06".b), 5)
    assert_equal [MP::MalformedFormatError, EOFError], results(fed(WRONG), 2)
    deep = fed(("\x91" * 1_000).b)

    assert_equal [MP::StackError], results(deep, 1_000).uniq - [EOFError]
  end

  def test_skip_leaves_out_that_value_alone
    FAULTS.each do |bytes, error|
      unpacker = fed("#{bytes}\x02\x03".b)

      assert_equal [error, nil, 2, 3], [*results(unpacker, 1), unpacker.skip, *results(unpacker, 2)]
    end
  end

  def test_a_value_may_be_read_in_parts_after_all
    unpacker = fed("#{UNKNOWN}\x02".b)

    assert_equal [MP::UnknownExtTypeError, 2], [*results(unpacker, 1), unpacker.read_array_header]
    unpacker.skip

    assert_equal [7, 2], results(unpacker, 2)
  end

  def test_bytes_that_were_taken_away
    [:reset, ->(unpacker) { unpacker.buffer.clear }, ->(unpacker) { unpacker.buffer.read }].each do |empty|
      unpacker = fed("#{UNKNOWN}\x02".b)

      assert_equal [MP::UnknownExtTypeError], results(unpacker, 1)
      empty.to_proc.call(unpacker)

      assert_equal [5], results(unpacker.feed("\x05"), 1)
    end
  end

  def test_bytes_that_were_taken_away_before_a_value_was_complete
    takes = [:reset, ->(unpacker) { unpacker.buffer.clear }, ->(unpacker) { unpacker.buffer.read }]
    [-> { fed("\x93\x01") }, -> { MP::Unpacker.new.feed("\x93\x01") }].product(takes) do |make, take|
      unpacker = make.call

      assert_equal [EOFError, EOFError], results(unpacker, 2)
      take.to_proc.call(unpacker)

      assert_equal [EOFError, 5, 6, [7], 8, EOFError],
                   [*results(unpacker, 1), *results(unpacker.feed("\x05\x06\x91\x07\x08"), 5)]
    end
  end

  private

  # Returns what a block returns for the unpacker of a payload.
  def in_payload(payload, &read)
    found = nil
    factory = FACTORY.dup
    factory.register_type(3, Set, packer: :to_s, recursive: true,
                                  unpacker: ->(unpacker) { (found = read[unpacker]) && Set[] })
    factory.load(MP::Factory.new.dump(MP::ExtensionValue.new(3, payload)), symbolize_keys: true)
    found
  end

  def fed(bytes) = FACTORY.unpacker(symbolize_keys: true).feed(bytes)

  def on(io) = FACTORY.unpacker(io, symbolize_keys: true)

  # Returns what so many calls of `read` return or raise.
  def results(unpacker, count)
    Array.new(count) do
      unpacker.read
    rescue StandardError => e
      e.class
    end
  end
end
