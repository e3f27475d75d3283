# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/deadline"
require "support/message_pack_values"
require "set"
require "stringio"

# Collects garbage at every allocation, compacts memory, and runs Ractors and threads at the same time. Each test has a
# process of its own.
class MessagePackGCTest < Minitest::Test
  include Child
  include MessagePackValues
  include Deadline

  MP = Sparpack::MessagePack
  Pair = Struct.new(:left, :right)

  # These are loaded at their first use. Some Rubies can do that only in the main Ractor.
  USED = [MP::Packer, MP::Unpacker, MP::Buffer, MP::Timestamp, MP::Factory::Pool].freeze

  VALUE = { "text" => "of some length, so that it is not embedded " * 3, "bytes" => "\xFF".b * 60,
            5 => [1, -2, 2**63, 2.5, nil], [1, "key"] => true,
            "nested" => { "list" => [[], [{}], ["a" * 30, { "k" => "v" * 30 }]] } }.freeze

  COLLECT = lambda do
    GC.start
    Array.new(200) { |i| "fresh garbage #{i}" }
  end

  def setup
    @experimental = Warning[:experimental]
    Warning[:experimental] = false
  end

  def teardown
    GC.stress = false
    Warning[:experimental] = @experimental
  end

  # --- GC.stress --------------------------------------------------------------------------------------------------------

  def test_round_trips_under_stress
    found = in_child do
      bytes = stress { MP.pack(VALUE) }
      options = [{}, { freeze: true }, { symbolize_keys: true }, { key_cache: true }]
      [bytes, stress { MP.unpack(bytes) }, *options.map { |one| stress { MP::Unpacker.new(one).feed(bytes).full_unpack } }]
    end

    assert_equal [MP.pack(VALUE), VALUE, VALUE, VALUE], found.first(4)
    assert_equal VALUE.transform_keys { |key| key.is_a?(String) ? key.to_sym : key }.keys, found[4].keys
    assert_equal VALUE, found[5]
  end

  def test_more_than_a_stack_of_pending_values_under_stress
    value = Array.new(400) { |i| { "key #{i % 50}" => [i, "text #{i}"] } }
    found = in_child { stress { MP.unpack(MP.pack([value, { "all" => value }])) } }

    assert_equal [value, { "all" => value }], found
  end

  def test_streams_under_stress
    bytes = MP.pack(VALUE) + MP.pack([1]) + MP.pack("x" * 3_000)
    found = in_child do
      stress do
        unpacker = MP::Unpacker.new
        pieces = bytes.scan(/.{1,61}/mn).flat_map { |piece| unpacker.feed_each(piece).to_a }
        io = MP::Unpacker.new(StringIO.new(bytes), io_buffer_size: 1_024).each.to_a
        [pieces, io]
      end
    end

    assert_equal [[VALUE, [1], "x" * 3_000]] * 2, found
  end

  def test_packers_under_stress
    found = in_child do
      stress do
        io = StringIO.new("".b)
        packer = MP::Packer.new(io)
        packer.write_array_header(2).write(VALUE).write_map_header(1).write_symbol(:k).write_bin("b" * 300).flush
        memory = MP::Packer.new.write(VALUE).write_ext(7, "payload").write([VALUE])
        [io.string, memory.to_a.join, memory.full_pack]
      end
    end

    assert_equal [[VALUE, { "k" => "b" * 300 }]], MP.each(found[0]).to_a
    assert_equal [VALUE, MP::ExtensionValue.new(7, "payload"), [VALUE]], MP.each(found[1], allow_unknown_ext: true).to_a
    assert_equal found[1], found[2]
  end

  def test_registered_types_under_stress
    value = [Pair.new("a" * 40, [1.5]), { "k" => Pair.new(2**70, Pair.new(nil, Set["b"])) }, Time.at(1, 5, :nsec)]
    found = in_child do
      factory = factory()
      stress { factory.pool.load(factory.pool.dump(factory.load(factory.dump(value)))) }
    end

    assert_equal value, found
  end

  def test_errors_under_stress
    messages = in_child do
      [-> { MP.unpack("\x92\x81\xA1k".b) }, -> { MP.unpack("\x91\xC1".b) }, -> { MP.pack([{ "k" => 2**64 }]) },
       -> { MP.pack([Object]) }, -> { MP::Unpacker.new.feed("\x01").read_map_header }].map { |call| stress { said(&call) } }
    end

    assert_equal 5, messages.grep(/\A[A-Z]\w+/).size
  end

  # --- Collections and compaction in callbacks --------------------------------------------------------------------------

  def test_collections_in_callbacks
    value = Array.new(8) { |i| { "pair #{i}" => Pair.new("left #{i} " * 9, [Pair.new(i, "right")]) } }
    found = in_child do
      factory = factory(COLLECT)
      factory.load(factory.dump(value))
    end

    assert_equal value, found
  end

  def test_compaction
    skip "no compaction on this platform" unless compactable?
    value = Array.new(4) { |i| { "pair #{i}" => Pair.new("left #{i} " * 9, [Pair.new(i, "right")]) } }
    found = in_child do
      factory = factory(-> { GC.compact })
      pool = factory.pool(2)
      packer = factory.packer.write(value)
      unpacker = factory.unpacker
      unpacker.feed_each(pool.dump(value).byteslice(0, 300)).to_a
      GC.compact
      rest = unpacker.feed_each(pool.dump(value).byteslice(300..)).to_a
      [pool.load(packer.full_pack), *rest, MP.unpack(MP.pack(VALUE))]
    end

    assert_equal [value, value, VALUE], found
  end

  def test_automatic_compaction
    skip "no compaction on this platform" unless compactable? && GC.respond_to?(:auto_compact=)
    found = in_child do
      GC.auto_compact = true
      factory = factory(-> { GC.start })
      Array.new(20) { |i| factory.load(factory.dump({ "some key #{i}" => Pair.new("x" * 100, { "some key" => i }) })) }
    end

    assert_equal 20, found.size
    found.each_with_index { |one, i| assert_equal({ "some key #{i}" => Pair.new("x" * 100, { "some key" => i }) }, one) }
  end

  # --- Ractors ----------------------------------------------------------------------------------------------------------

  def test_each_ractor_packs_and_unpacks
    found = in_child do
      random = Random.new(4)
      values = Ractor.make_shareable(Array.new(200) { random_value(random, 4, keys: :any) })
      in_ractors(4, values) do |_, shared|
        mp = Sparpack::MessagePack
        shared.all? do |value|
          mp.unpack(mp.pack(value)) == value && mp::Unpacker.new(freeze: true).feed(mp.pack([value])).full_unpack == [value]
        end
      end
    end

    assert_equal [true] * 4, found
  end

  def test_each_ractor_has_factories_streams_and_buffers_of_its_own
    found = in_child do
      in_ractors(3) do |seed|
        mp = Sparpack::MessagePack
        factory = mp::Factory.new
        factory.register_type(1, Rational, packer: :to_s, unpacker: :to_r.to_proc)
        bytes = factory.dump([seed.to_r / 3, "x" * 500]) * 20
        pieces = factory.unpacker
        # Uses byteslice, because Ractors of Ruby 3.1 free the compiled program of a regular expression that others use.
        streamed = (0...bytes.bytesize).step(37).flat_map { |from| pieces.feed_each(bytes.byteslice(from, 37)).to_a }
        buffer = mp::Buffer.new << bytes
        [streamed.uniq, factory.pool(2).load(factory.pool.dump(seed)), buffer.read(3).bytesize]
      end
    end

    assert_equal((0...3).map { |seed| [[[seed.to_r / 3, "x" * 500]], seed, 3] }, found)
  end

  # Keys are shared only inside a Ractor. They are frozen, and equal to those of another one.
  def test_what_was_unpacked_frozen_is_shared_between_ractors
    found = in_child do
      value = MP::Unpacker.new(freeze: true).feed(MP.pack([VALUE] * 3)).full_unpack
      [Ractor.shareable?(value), in_ractors(2, value) { |_, shared| [shared, Sparpack::MessagePack.pack(shared)] }]
    end

    assert_equal [true, [[[VALUE] * 3, MP.pack([VALUE] * 3)]] * 2], found
  end

  def test_a_factory_that_was_made_shareable
    found = in_child do
      factory = MP::Factory.new
      factory.register_type(1, Rational, packer: :to_s, unpacker: :to_r.to_proc)
      factory = Ractor.make_shareable(factory.freeze)
      in_ractors(3, factory) { |seed, shared| Array.new(50) { |i| shared.load(shared.dump([seed, Rational(i, 3)])) } }
    end

    assert_equal(Array.new(3) { |seed| Array.new(50) { |i| [seed, Rational(i, 3)] } }, found)
  end

  # --- Threads ----------------------------------------------------------------------------------------------------------

  def test_threads_share_a_pool
    wrong = in_child do
      factory = factory(-> { Thread.pass })
      pool = factory.pool(3)
      in_threads(8) do |seed|
        random = Random.new(seed)
        Array.new(150) do |i|
          pair = Pair.new(random.rand, "text #{seed} " * random.rand(40))
          value = [seed, i, pair, MessagePackValues.random_value(random, 2)]
          mixed(pool, i)
          value unless pool.load(pool.dump(value)) == value
        end.compact
      end
    end

    assert_empty wrong.flatten(1)
  end

  def test_threads_share_a_factory_and_the_default
    wrong = in_child do
      factory = factory(-> { Thread.pass })
      in_threads(8) do |seed|
        Array.new(200) do |i|
          value = { "key #{i % 70}" => [seed, Pair.new(i, nil)] }
          plain = { "key #{i % 70}" => [seed, "t" * i] }
          [value, plain] unless [factory.load(factory.dump(value)), MP.unpack(MP.pack(plain))] == [value, plain]
        end.compact
      end
    end

    assert_empty wrong.flatten(1)
  end

  # Another thread is killed in the middle, and the pool still works.
  def test_threads_that_are_killed
    found = in_child do
      pool = factory(-> { sleep(0.0005) }).pool(2)
      value = Array.new(5) { Pair.new("x", [1]) }
      20.times do
        victim = Thread.new { loop { pool.load(pool.dump(value)) } }
        sleep(0.002)
        finish([victim.kill])
      end
      pool.load(pool.dump(value)) == value
    end

    assert found
  end

  private

  # Registers pairs, Sets, Times and large Integers. Pairs call `call` in both directions.
  def factory(call = -> {})
    factory = MP::Factory.new
    packs = lambda do |pair, packer|
      call.call
      packer.write(pair.left)
      call.call
      packer.write(pair.right)
    end
    unpacks = lambda do |unpacker|
      call.call
      Pair.new(unpacker.read, unpacker.read).tap { call.call }
    end
    factory.register_type(1, Pair, packer: packs, unpacker: unpacks, recursive: true)
    factory.register_type(2, Set, packer: ->(set, packer) { packer.write(set.to_a) },
                                  unpacker: ->(unpacker) { unpacker.read.to_set }, recursive: true)
    factory.register_type(3, Integer, packer: MP::Bigint.method(:to_msgpack_ext), oversized_integer_extension: true,
                                      unpacker: MP::Bigint.method(:from_msgpack_ext))
    factory.register_type(MP::Timestamp::TYPE, Time, packer: MP::Time::Packer, unpacker: MP::Time::Unpacker)
    factory
  end

  # Raises an error now and then, whose traces the next caller could find.
  def mixed(pool, number)
    pool.load("\x92\x01".b) if (number % 5).zero?
    pool.dump([1, Object.new]) if (number % 7).zero?
  rescue EOFError, NoMethodError
    nil
  end

  def stress
    GC.stress = 1
    yield
  ensure
    GC.stress = false
  end

  def said
    yield
  rescue StandardError => e
    "#{e.class.name[/\w+\z/]}: #{e.message}"
  end

  def compactable?
    GC.compact
    true
  rescue NotImplementedError, NoMethodError
    false
  end

  def in_ractors(count, *shared, &block)
    ractors = Array.new(count) { |seed| Ractor.new(seed, *shared, &block) }
    within("Ractors") { ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take } }
  end
end
