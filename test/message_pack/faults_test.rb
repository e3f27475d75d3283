# frozen_string_literal: true

# bin/test: alone, for it measures time

require "test_helper"
require "support/child"
require "set"
require "stringio"

# Faults that MessagePack libraries have had, including the msgpack gem: unbounded growth, memory for lengths that nobody
# checked, reads of memory that was freed or belongs to others. Whatever might crash runs in a process of its own.
class MessagePackFaultsTest < Minitest::Test
  include Child

  MP = Sparpack::MessagePack
  Node = Struct.new(:value)
  PACKED = ->(node, packer) { packer.write(node.value) }

  # --- Time: sixteen times as much does not take 256 times as long ------------------------------------------------------

  # The slack is for memory: data that fits into a cache is several times as fast as memory that is new from the system.
  FACTOR = 16
  SLACK = 8

  def test_packing_many_pieces_is_linear
    small = Array.new(2_500 * FACTOR) { |i| "#{i} #{"x" * 300}" }
    assert_linear(2_500) { |count| MP.pack(small.first(count)) }
    large = "y" * 600_000
    assert_linear(3) { |count| MP.pack([large] * count) }
  end

  def test_writing_many_values_is_linear
    assert_linear(5_000) do |count|
      packer = MP::Packer.new
      count.times { |i| packer.write("some text of value #{i}") }
      packer.to_s
    end
  end

  # The io keeps what it gets. Otherwise each measurement would take new memory from the system, which costs more than
  # packing.
  def test_writing_to_an_io_is_linear
    text = "z" * 5_000
    kept = []
    io = Object.new
    io.define_singleton_method(:write) { |*strings| kept.concat(strings).then { strings.sum(&:bytesize) } }
    assert_linear(400) do |count|
      packer = MP::Packer.new(io)
      count.times { packer.write(text) }
      packer.flush
    end
  end

  def test_feeding_one_value_in_many_pieces_is_linear
    bytes = [0xdb, 4_000_000].pack("CL>") + ("a" * 4_000_000)
    assert_linear(250) do |count|
      unpacker = MP::Unpacker.new
      count.times { |i| unpacker.feed_each(bytes.byteslice(i * 1_000, 1_000)) { flunk } }
    end
    elements = [0xdd, 4_000_000].pack("CL>") + ("\x01".b * 4_000_000)
    assert_linear(250) do |count|
      unpacker = MP::Unpacker.new
      count.times { |i| unpacker.feed_each(elements.byteslice(i * 1_000, 1_000)) { flunk } }
    end
  end

  def test_reading_many_values_from_what_was_fed_is_linear
    assert_linear(10_000) do |count|
      unpacker = MP::Unpacker.new.feed(MP.pack("some text") * count)
      count.times { unpacker.read }
    end
  end

  def test_a_buffer_that_is_read_and_written_in_turns_is_linear
    assert_linear(2_500) do |count|
      buffer = MP::Buffer.new
      count.times { buffer << ("b" * 200) }
      count.times { buffer.read(150) && (buffer << "c") }
    end
  end

  # --- Lengths that nobody checked --------------------------------------------------------------------------------------

  # Each of these claims up to 4 GB and has almost no bytes.
  HEADS = %w[c6ffffffff c67fffffff c9ffffffff05 c97fffffff05 dbffffffff db80000000 ddffffffff dd7fffffff dd80000000
             dd10000000 dfffffffff df80000000 df7fffffff df40000000 c5ffff daffff dcffff deffff c8ffff05].freeze
  CLAIMS = HEADS.flat_map { |hex| [hex, "#{hex}a16101"] }.freeze

  # The same, nested as deep as possible.
  NESTED = ["ddffffffff" * 127, "dfffffffff01" * 127, "df7fffffff01dd80000000" * 60, "dcffff" * 127].freeze

  READERS = {
    unpack: ->(bytes) { MP.unpack(bytes) },
    unpack_frozen: ->(bytes) { MP.unpack(bytes, freeze: true, symbolize_keys: true) },
    read: ->(bytes) { MP::Unpacker.new.feed(bytes).read },
    skip: ->(bytes) { MP::Unpacker.new.feed(bytes).skip },
    io: ->(bytes) { MP.unpack(StringIO.new(bytes)) },
    each_in_pieces: lambda do |bytes|
      unpacker = MP::Unpacker.new
      bytes.scan(/.{1,100}/mn) { |piece| unpacker.feed_each(piece) { raise "a value" } }
      unpacker.read
    end,
    factory: ->(bytes) { REGISTERED.load(bytes) },
    pool: ->(bytes) { REGISTERED.pool.load(bytes) },
    dig: ->(bytes) { MP.dig("\x92".b + bytes, 1) }
  }.freeze

  REGISTERED = MP::Factory.new.tap do |factory|
    factory.register_type(5, Node, packer: PACKED,
                                   unpacker: ->(unpacker) { Node.new(unpacker.read) }, recursive: true)
    factory.register_type(6, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
  end

  READERS.each do |name, reader|
    define_method("test_a_claimed_length_takes_no_memory_in_#{name}") do
      (CLAIMS + NESTED).each do |hex|
        bytes = [hex].pack("H*")
        allocated = allocated { assert_raises(EOFError, hex[0, 30]) { reader.call(bytes) } }

        assert_operator allocated, :<, 300_000, "#{hex[0, 30]} took #{allocated} bytes"
      end
    end
  end

  # Adding an offset to a length, or doubling it, must not overflow.
  def test_lengths_do_not_overflow
    %w[c6 db dd df c9].product(%w[ffffffff fffffffe fffffffb 80000000 7fffffff 40000000]) do |head, length|
      bytes = [head + length + ("01" * 40)].pack("H*")

      assert_raises(EOFError) { MP.unpack(bytes) }
      assert_raises(EOFError) { MP::Unpacker.new.feed(bytes).skip }
      assert_raises(EOFError) { MP.unpack("\x92".b + bytes) }
      assert_raises(EOFError) { MP.dig("\x92".b + bytes, 1) }
    end
    assert_equal((2**32) - 1, MP::Unpacker.new.feed("\xDD\xFF\xFF\xFF\xFF".b).read_array_header)
    assert_equal((2**32) - 1, MP::Unpacker.new.feed("\xDF\xFF\xFF\xFF\xFF".b).read_map_header)
  end

  # --- Extension types inside extension types ---------------------------------------------------------------------------

  # Such bytes have crashed whole processes.
  def test_two_hundred_recursive_extensions_are_an_error
    levels = in_child do
      [120, 126, 127, 128, 129, 200, 1_000].to_h do |count|
        value = count.times.reduce(nil) { |inner, _| Node.new(inner) }
        [count, [raised { REGISTERED.dump(value) }, raised { REGISTERED.load(nested(count)) }]]
      end
    end

    assert_equal [nil, nil], levels[120]
    [129, 200, 1_000].each { |count| assert_equal [MP::StackError.name] * 2, levels[count], count }
  end

  # Here the levels are in arrays, and each one is skipped.
  def test_recursive_extensions_that_skip
    factory = MP::Factory.new
    factory.register_type(5, Node, packer: ->(node, packer) { packer.write([node.value]) },
                                   unpacker: ->(unpacker) { Node.new(unpacker.skip) }, recursive: true)
    bytes = factory.dump(Array.new(3) { Node.new([1, 2]) })

    assert_equal [[Node.new(nil)] * 3], [factory.load(bytes)]
    assert_equal [Node.new(nil)] * 3, factory.unpacker.feed(bytes).read
  end

  # Reads more than there is: the end of the payload is the end.
  def test_recursive_extensions_that_skip_or_read_too_much
    bytes = "\x93\x07".b + REGISTERED.dump(Node.new([1, 2])) + "\x08".b
    { skip: EOFError, read: EOFError, full_unpack: EOFError, read_map_header: MP::UnexpectedTypeError, skip_nil: nil,
      read_array_header: MP::UnexpectedTypeError }.each do |name, error|
      outcome = in_child do
        factory = MP::Factory.new
        many = ->(unpacker) { Array.new(200) { unpacker.public_send(name) } }
        factory.register_type(5, Node, unpacker: many, recursive: true)
        raised { factory.load(bytes) }
      end

      assert_equal [error&.name], [outcome], name
    end
  end

  # Whatever a callback does with its unpacker, nothing is freed under the unpacker that calls it.
  def test_callbacks_that_rescue_reset_and_feed
    {
      rescues: ->(unpacker) { 3.times { unpacker.read } rescue :rescued }, # rubocop:disable Style/RescueModifier
      resets: ->(unpacker) { unpacker.reset || :reset },
      feeds: ->(unpacker) { unpacker.feed("\x91\x05" * 2_000) && 900.times { unpacker.read } && :fed },
      clears: ->(unpacker) { unpacker.buffer.clear || :cleared },
      collects: ->(unpacker) { [unpacker.read, GC.start, unpacker.feed("\xA1x").read, GC.start] },
      skips_and_raises: ->(unpacker) { unpacker.skip || raise(IOError) }
    }.each do |name, callback|
      outcome = in_child do
        factory = MP::Factory.new
        factory.register_type(5, Node, packer: PACKED, unpacker: callback, recursive: true)
        bytes = factory.dump([1, Node.new("a" * 40), { "k" => Node.new([1, 2]) }, "end"])
        20.times { raised { factory.load(bytes) } }
        GC.start
        raised { factory.load(bytes) }
      end

      assert_includes [nil, IOError.name, EOFError.name, MP::MalformedFormatError.name], outcome, name
    end
  end

  # --- Options that were forgotten --------------------------------------------------------------------------------------

  def test_a_copy_of_a_factory_and_its_pool_keep_what_is_registered
    factory = MP::Factory.new
    big = MP::Bigint
    factory.register_type(1, Integer, packer: big.method(:to_msgpack_ext), unpacker: big.method(:from_msgpack_ext),
                                      oversized_integer_extension: true)
    factory.register_type(2, Symbol, packer: :name, unpacker: :to_sym.to_proc, optimized_symbols_parsing: true)
    factory.register_type(5, Node, packer: PACKED,
                                   unpacker: ->(unpacker) { Node.new(unpacker.read) }, recursive: true)
    value = [2**70, -(2**70), :a, { b: Node.new(Node.new(:c)) }]
    bytes = factory.dump(value)

    [factory.dup, factory.dup.dup, factory.dup.freeze, factory.freeze, factory.freeze.dup].each do |copy|
      assert_equal [bytes, value], [copy.dump(value), copy.load(bytes)]
      assert_equal [bytes, value], [copy.pool.dump(value), copy.pool(3, symbolize_keys: false).load(bytes)]
    end
  end

  # --- Values that change while they are packed -------------------------------------------------------------------------

  # Packing raises, or packs what was there, but a header never has a wrong count.
  def test_containers_that_change_while_they_are_packed
    array = ->(odd) { [1, odd, 3, 4] }
    hashes = [->(odd) { { 1 => 2, 2 => odd, 3 => 4, 4 => 5 } }, ->(odd) { { odd => 1, 3 => 4, 4 => 5 } }]
    { array => [:pop, :clear, ->(list) { list.push(9) }, ->(list) { list.replace([1] * 1_000) }],
      hashes[0] => [:clear, :shift, ->(hash) { hash.delete(4) }, ->(hash) { hash[3] = nil }],
      hashes[1] => [:clear, :shift, ->(hash) { hash.delete(4) }, ->(hash) { hash[3] = nil }] }.each do |make, changes|
      changes.each do |change|
        rest = in_child { packed_while_it_changes(make, change.to_proc) }

        assert_equal "before", rest[0]
        assert_operator rest.size, :<=, 2
      end
    end
  end

  # --- Bytes from others ------------------------------------------------------------------------------------------------

  def test_what_was_read_stays_as_it_was
    source = MP.pack(["text of forty bytes " * 2, "b".b * 400, { "key" => "value " * 20 }])
    unpacker = MP::Unpacker.new
    20.times do
      given = source.dup
      found = unpacker.feed(given).read
      given.replace("\xC1" * given.bytesize)
      found[0] << "more"
      unpacker.feed(MP.pack(["X" * 500] * 9)).read
      unpacker.reset

      assert_equal ["#{"text of forty bytes " * 2}more", "b".b * 400, { "key" => "value " * 20 }], found
    end
  end

  def test_what_was_packed_stays_as_it_was
    packer = MP::Packer.new
    first = packer.write("a" * 1_000).to_s
    packer.write("b" * 1_000)
    second = packer.full_pack
    packer.write("c" * 3_000).reset
    third = packer.write("d").to_s
    first << "mine"
    second.replace("")

    assert_equal ["#{MP.pack("a" * 1_000)}mine".b, "", MP.pack("d")], [first, second, third]
    assert_equal MP.pack("d"), packer.to_s
  end

  def test_buffers_do_not_share_what_they_hold
    buffers = Array.new(20) { MP::Buffer.new }
    500.times do |round|
      buffers.each_with_index do |buffer, index|
        buffer.clear if (round % 7).zero?
        buffer << (index.chr * 300)
        found = buffer.read(150)

        assert_equal [index.chr.b], found.chars.uniq
        found.replace("?" * 150)
      end
    end
    buffers.each_with_index { |buffer, index| assert_equal [index.chr.b], buffer.to_s.chars.uniq }
  end

  # After an error in the middle, the next caller finds nothing of it.
  def test_pools_leave_nothing_behind
    pool = REGISTERED.pool(2)
    secret = "secret" * 100
    200.times do
      assert_raises(NoMethodError) { pool.dump([secret, Object.new]) }
      assert_raises(EOFError) { pool.load(REGISTERED.dump([secret, [secret]]).byteslice(0, 700)) }
      assert_raises(IOError) { pool.packer { |packer| packer.write(secret) && raise(IOError) } }
      assert_raises(IOError) { pool.unpacker { |unpacker| unpacker.feed("\x92#{secret}") && raise(IOError) } }

      assert_equal "\x91\x01".b, pool.dump([1])
      assert_equal [1], pool.load("\x91\x01".b)
      pool.packer { |packer| assert_predicate packer, :empty? }
      pool.unpacker { |unpacker| assert_equal 0, unpacker.buffer.size }
    end
  end

  private

  # Returns all values that the packer has then.
  def packed_while_it_changes(make, change)
    odd = Object.new
    container = make.call(odd)
    odd.define_singleton_method(:to_msgpack) do |packer|
      change.call(container)
      GC.start
      packer.write("odd")
    end
    packer = MP::Packer.new.write("before")
    raised { packer.write(container) }
    MP.each(packer.to_s).to_a
  end

  def assert_linear(count, &work)
    yield(count / 10)
    ratio = 0
    4.times do
      ratio = cost(count * FACTOR, &work) / cost(count, &work)
      return pass if ratio < FACTOR * SLACK
    end
    flunk "#{FACTOR} times as much takes #{ratio.round(1)} times as long"
  end

  # Takes the fastest of three runs, in CPU seconds. Leaves out garbage collection, which belongs to the whole process.
  def cost(count)
    Array.new(3) do
      GC.start
      GC.disable
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      yield count
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start
    ensure
      GC.enable
    end.min
  end

  # Bytes that were allocated in addition to the objects themselves.
  def allocated
    GC.start
    GC.disable
    before = GC.stat(:malloc_increase_bytes)
    yield
    GC.stat(:malloc_increase_bytes) - before
  ensure
    GC.enable
  end

  def raised
    yield
    nil
  rescue StandardError => e
    e.class.name
  end

  def nested(count)
    count.times.reduce("\xC0".b) do |inner, _|
      size = inner.bytesize
      (size < 256 ? [0xc7, size, 5].pack("CCC") : [0xc8, size, 5].pack("CS>C")) + inner
    end
  end
end
