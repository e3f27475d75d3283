# frozen_string_literal: true

require "test_helper"
require "support/message_pack_programs"
require "support/seeded"

# Sequences of calls of the msgpack gem and of Sparpack: the same results, and errors of the same classes.
class MessagePackApiTest < Minitest::Test
  include Seeded
  include MessagePackValues

  MP = Sparpack::MessagePack
  RUNS = Integer(ENV.fetch("RUNS", 400))

  def setup
    require "msgpack"
  rescue LoadError
    skip "the msgpack gem is missing: bundle install"
  end

  def test_packers
    RUNS.times do
      program = MessagePackPrograms.packer(random)
      options = [{}, nil, { write_reference_threshold: 1 }].sample(random:)

      assert_same_transcript(program) { |library| MessagePackPrograms.run_packer(library, program, options) }
    end
  end

  # The format without bin and str 8. A lone header of bin is left out, because the gem writes the newer one.
  def test_packers_in_compatibility_mode
    options = { compatibility_mode: true }
    RUNS.times do
      program = MessagePackPrograms.packer(random).reject { |name,| name == :write_bin_header }

      assert_same_transcript(program) { |library| MessagePackPrograms.run_packer(library, program, options) }
    end
  end

  def test_packers_of_ios
    RUNS.times do
      values = Array.new(random.rand(20)) { random_value(random, 3, keys: :any) }
      flushes = random.rand
      written = both do |library|
        io = StringIO.new("".b)
        packer = library::Packer.new(io)
        dice = Random.new(values.size)
        values.each { |value| dice.rand < flushes ? packer.write(value).flush : packer.write(value) }
        [packer.full_pack, packer.size, io.string]
      end

      assert_equal written[0], written[1]
    end
  end

  def test_unpackers
    RUNS.times do
      program = MessagePackPrograms.unpacker(random)
      options = MessagePackPrograms::OPTIONS.to_a.sample(random.rand(4), random:).to_h

      assert_same_transcript(program) { |library| MessagePackPrograms.run_unpacker(library, program, options) }
    end
  end

  def test_buffers
    RUNS.times do
      program = MessagePackPrograms.buffer(random, false)

      assert_same_transcript(program) { |library| MessagePackPrograms.run_buffer(library, program, nil) }
    end
  end

  def test_buffers_of_ios
    RUNS.times do
      program = MessagePackPrograms.buffer(random, true)
      source = random.bytes(random.rand(3_000))

      assert_same_transcript(program) { |library| MessagePackPrograms.run_buffer(library, program, source) }
    end
  end

  # A drop-in must have all of these names.
  def test_every_public_name_of_the_gem_is_there
    missing = %i[Packer Unpacker Buffer Factory ExtensionValue Timestamp].flat_map do |name|
      gem = ::MessagePack.const_get(name)
      methods = gem.instance_methods(false).grep_v(/_internal\z/) - MP.const_get(name).instance_methods
      methods + (gem.singleton_methods(false) - MP.const_get(name).singleton_methods)
    end
    missing += ::MessagePack::Factory::Pool.instance_methods(false) - MP::Factory::Pool.instance_methods

    assert_empty missing
    assert_empty ::MessagePack.singleton_methods - MP.singleton_methods
  end

  # --- Differences on purpose: each test shows what the gem does and what we do, and its name says why ------------------

  def test_a_read_that_met_the_end_goes_on_when_more_has_come
    differ(gem: [:EOFError, 2], ours: [:EOFError, [1, 2]]) do |library|
      unpacker = library::Unpacker.new
      ["\x92\x01", "\x02"].map { |piece| rescued { unpacker.feed(piece.b).read } }
    end
  end

  def test_a_write_that_failed_leaves_no_half_of_a_value
    differ(gem: "\x01\x93\x01\x02".b, ours: "\x01".b) do |library|
      packer = library::Packer.new.write(1)
      rescued { packer.write([1, 2, Object.new]) }
      packer.to_s
    end
  end

  def test_skip_gets_over_an_extension_that_nobody_registered
    differ(gem: :UnknownExtTypeError, ours: 5) do |library|
      unpacker = library::Unpacker.new.feed("\xD4\x01a\x05".b)
      rescued { unpacker.skip || unpacker.read }
    end
  end

  def test_an_eof_error_of_the_block_is_not_the_end_of_the_io
    differ(gem: nil, ours: :EOFError) do |library|
      angry = proc { raise EOFError, "of the block" }
      rescued { library::Unpacker.new(StringIO.new("\x01")).each(&angry) }
    end
  end

  def test_bytes_of_text_may_be_written_as_binary
    differ(gem: :UndefinedConversionError, ours: "\xC4\x02\xC3\xA4".b) do |library|
      rescued { library::Packer.new.write_bin("ä").to_s }
    end
  end

  def test_a_payload_that_a_recursive_type_left_in_part_is_not_the_next_value
    differ(gem: :MalformedFormatError, ours: [1, 5]) do |library|
      factory = library::Factory.new
      factory.register_type(1, Range, packer: ->(range, packer) { packer.write(range.begin).write(range.end) },
                                      unpacker: :read.to_proc, recursive: true)
      rescued { factory.load(factory.dump([1..2, 5])) }
    end
  end

  def test_the_smallest_integer_needs_no_extension
    differ(gem: "\xC7\x14\x01-9223372036854775808".b, ours: MP.pack(-(2**63))) do |library|
      factory = library::Factory.new
      factory.register_type(1, Integer, packer: :to_s, oversized_integer_extension: true)
      factory.dump(-(2**63))
    end
  end

  def test_equal_timestamps_are_one_key
    differ(gem: 2, ours: 1) { |library| Array.new(2) { library::Timestamp.new(1, 2) }.to_h { |stamp| [stamp, 1] }.size }
  end

  private

  def differ(gem:, ours:, &run) = assert_equal([gem, ours], both(&run))

  # Returns the class of the exception, without its modules.
  def rescued
    yield
  rescue StandardError => e
    e.class.name[/\w+\z/].to_sym
  end

  def both(&run) = [::MessagePack, MP].map(&run)

  def assert_same_transcript(program, &run)
    gem, ours = both(&run)
    at = gem.zip(ours).index { |one, other| one != other }
    return pass unless at

    calls = program[0..at].map { |call| call.inspect[0, 120] }.last(12)

    assert_equal gem[at], ours[at], "call #{at} of\n#{calls.join("\n")}"
  end
end
