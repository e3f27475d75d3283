# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/cost"
require "support/fresh_ruby"
require "support/message_pack_chaos"
require "stringio"

# Ruby code in the middle of a value that uses its packer or unpacker, or changes the objects that it can find.
class MessagePackReentryTest < Minitest::Test
  include Child
  include FreshRuby

  MP = Sparpack::MessagePack

  # Runs the block when it is packed.
  def packing(&block) = Object.new.tap { |object| object.define_singleton_method(:to_msgpack, &block) }

  # Runs the block when it is hashed as an element or a key.
  def hashing(&block) = Object.new.tap { |object| object.define_singleton_method(:hash, &block) }

  def sets(factory = MP::Factory.new) = factory.tap { |made| made.register_builtin(:set, 5) }

  # --- packing ---------------------------------------------------------------------------------------------------------

  # Keys are packed for sorting, and the output may move meanwhile.
  def test_sorted_keys_that_write_by_a_packer_of_before
    { Hash => ->(key) { { key => 1 } }, Set => ->(key) { Set[key] } }.each_value do |container|
      outer = packing do |packer|
        key = Object.new
        key.define_singleton_method(:to_msgpack) { |_| packer.write("x" * 100_000) }
        packer.write(container[key])
      end
      bytes = sets.packer(sort_keys: true).write([outer, "tail"]).to_s

      assert_equal [container["x" * 100_000], "tail"], sets.load(bytes)
    end
  end

  # A key is packed once, not once for sorting and once for writing, which would double the work with each level.
  def test_sorted_keys_are_packed_once
    calls = 0
    leaf = packing { |packer| packer.write((calls += 1) && nil) }
    hash = 60.times.reduce({ leaf => 1 }) { |inner, _| { inner => 1, 7 => 2 } }
    set = sets.packer(sort_keys: true).write(Set[hash]).to_s
    plain = 60.times.reduce({ nil => 1 }) { |inner, _| { 7 => 2, inner => 1 } }

    assert_equal [1, sets.dump(Set[plain])], [calls, set]
  end

  def test_what_is_wrong_with_sorted_keys
    cycle = {}.compare_by_identity
    cycle[cycle] = 1
    sorted = ->(value) { sets.packer(sort_keys: true).write(value) }

    assert_match(/128 levels/, assert_raises(MP::StackError) { sorted[cycle] }.message)
    wrong = assert_raises(RangeError) { sorted[{ "a" => { 1 => 2, [2**70] => 3 } }] }

    assert_match(/ at \["a"\]\.keys\[1\]\[0\]/, wrong.message)
    assert_raises(RangeError) { sorted[Set[[2**70]]] }
    old = sets.packer(sort_keys: true, compatibility_mode: true).write({ ["x" * 40] => 1 }).to_s

    assert_equal({ ["x" * 40] => 1 }, MP.unpack(old.b))
    refute_includes old, "\xD9".b
  end

  # Code that is only asked something must not write.
  def test_writing_where_an_answer_is_asked_for
    nosy = Object.new
    outer = packing do |packer|
      nosy.define_singleton_method(:respond_to?) { |*| packer.write("y" * 100_000) && true }
      nosy.define_singleton_method(:to_msgpack) { |inner| inner.write(1) }
      packer.write(Set["a" * 1_000, nosy])
    rescue ArgumentError
      packer.write("else")
    end

    assert_equal %w[else tail], sets.load(sets.dump([outer, "tail"]))
    nosy.define_singleton_method(:respond_to?) { |*| true }

    assert_raises(NoMethodError) { sets.dump([Set[nosy, BasicObject.new], 1]) }
    io = StringIO.new("".b)
    packer = sets.packer(io, io_buffer_size: 1_024)
    outer = packing do |inner|
      nosy.define_singleton_method(:respond_to?) { |*| 2.times { inner.write("y" * 100_000) } || true }
      inner.write(["a" * 1_000, nosy])
    end

    assert_raises(ArgumentError, IOError) { packer.write([outer, "tail"]) }
    assert_raises(IOError) { packer.write(1) }
  end

  # A Time may hold a Rational, whose methods are called.
  def test_times_whose_numbers_run_code
    script = <<~RUBY
      require "sparpack/message_pack"
      factory = Sparpack::MessagePack::Factory.new
      factory.register_builtin(:time)
      list = Array.new(40) { |i| Time.at(i + 1/3r) }
      Rational.prepend(Module.new do
        define_method(:divmod) do |other|
          list.clear
          GC.start
          100.times { Array.new(40, 77) }
          super(other)
        end
      end)
      begin
        print factory.load(factory.dump(list)).grep_v(Time)
      rescue RuntimeError
        print "changed"
      end
    RUBY

    assert_includes ["changed", "[]"], fresh_ruby(script)
  end

  # Nobody else can find what is on its way to an io.
  def test_ios_that_look_for_arrays
    buffer = MP::Buffer.new(nil, write_reference_threshold: 1)
    1_000.times { buffer << "QQ" }
    got = "".b
    io = Object.new
    io.define_singleton_method(:write) do |string|
      ObjectSpace.each_object(Array) { |array| array.clear if array.size == 1_000 && array.first == "QQ" } if got.empty?
      GC.start if got.empty?
      got << string
    end
    buffer.write_to(io)

    assert_equal ["QQ" * 1_000, 0], [got, buffer.size]
  end

  # --- reading ---------------------------------------------------------------------------------------------------------

  # Elements that change the Array which they come from.
  def test_elements_that_look_for_their_array
    element = hashing do
      ObjectSpace.each_object(Array) { |array| array.clear if array.size == 1_000 && array.all?(element) && !array.frozen? }
      GC.start
      5
    end
    element.define_singleton_method(:===) { |other| equal?(other) }
    factory = sets
    factory.register_type(1, Object, unpacker: ->(_) { element })
    bytes = "\xDC\x03\xE8".b + ("\xD4\x01\x00".b * 1_000)

    assert_equal Set[element], factory.load([0xc9, bytes.bytesize, 5].pack("CNC") + bytes)
  end

  # Bytes that are skipped are read if they are not a value. Extension types may then feed so much that the buffer moves.
  def test_feeding_while_something_bad_is_skipped
    calls = 0
    unpacker = nil
    factory = MP::Factory.new
    factory.register_type(1, Object, unpacker: ->(_) { unpacker.feed("\x01" * 400_000) && (calls += 1) })
    unpacker = factory.unpacker.feed("\x94\xD4\x01\x00\xD4\x01\x00\xA1a".b).feed("\xC1".b)

    assert_match(/byte 9, at \[3\]/, assert_raises(MP::MalformedFormatError) { unpacker.skip }.message)
    assert_equal 2, calls
  end

  # An io registers an extension type when it is asked for bytes.
  def test_registering_while_an_io_is_read
    unpacker = nil
    pieces = ["\x93\xD4\x01\x00\xD4\x01\x00\xDA\x01\xF4".b + ("s" * 500)]
    io = Object.new
    io.define_singleton_method(:read) do |*|
      unpacker.register_type(1, Object) { |_| unpacker.feed("\x01" * 200_000) && 5 }
      pieces.shift
    end
    unpacker = MP::Unpacker.new(io)

    assert_equal [5, 5, "s" * 500], unpacker.read
    assert_equal 1, unpacker.read
  end

  # A key's `hash` feeds the unpacker. Without extension types the bytes are read where they are, and the buffer may move
  # them.
  FEEDING = <<~'RUBY'
    require "sparpack/message_pack"
    feeds = nil
    unpacker = Sparpack::MessagePack::Unpacker.new
    Array.prepend(Module.new do
      define_method(:hash) do
        fed, feeds = feeds, nil
        fed&.each { |bytes| unpacker.feed(bytes) }
        unpacker.buffer.to_s if fed
        super()
      end
    end)
    value = [{ [nil] => 1, "w" => 2 }, "x" * 1_800]
    bytes = Sparpack::MessagePack.pack(value)
    3.times do |round|
      20.times { unpacker.feed(bytes) }
      17.times { unpacker.read == value or raise "before" }
      feeds = [["\x05" * 200], ["\x05" * 100] * 320, ["\x05" * 100_000, "\x05"]][round]
      begin
        print unpacker.read == value ? "right " : "wrong "
      rescue ArgumentError, Sparpack::MessagePack::MalformedFormatError
        print "refused "
        unpacker.read == value or raise "again"
      end
      2.times { unpacker.read == value or raise "behind" }
      print unpacker.read, " "
      unpacker.reset
    end
  RUBY

  def test_keys_that_feed
    assert_match(/\A((right|refused) 5 ){3}\z/, fresh_ruby(FEEDING))
  end

  # The same with an object of an extension type, for which the bytes are kept in place.
  def test_keys_of_extension_types_that_feed_read_and_reset
    unpacker = nil
    use = nil
    key = hashing { use&.call.then { 5 } }
    factory = MP::Factory.new
    factory.register_type(1, Object, unpacker: ->(_) { key })
    bytes = "\x82\xD4\x01\x00\x01\xA1b".b + MP.pack("x" * 5_000)
    { -> { unpacker.feed("\x01".b * 100_000) } => { key => 1, "b" => "x" * 5_000 }, -> { unpacker.reset } => nil,
      -> { unpacker.buffer.skip(1) } => nil, -> { unpacker.reset && unpacker.feed(bytes.tr("x", "y")) } => nil }
      .each do |action, value|
      unpacker = factory.unpacker
      3.times { unpacker.feed(bytes) }
      use = -> { (use = nil) || action.call }
      next assert_equal(value, unpacker.read) if value

      assert_raises(ArgumentError) { unpacker.read }
    end
  end

  # Ruby also calls a key's `eql?` between the pairs, when it searches for its place in the Hash.
  def test_keys_that_write_when_they_are_compared
    factory = MP::Factory.new
    factory.register_builtin(:set, 1)
    packer = compare = nil
    keys = Array.new(6) do
      hashing { 5 }.tap do |key|
        key.define_singleton_method(:eql?) { |other| compare&.call || equal?(other) }
        key.define_singleton_method(:to_msgpack) { |into| (packer = into).write(1) }
      end
    end
    [Set.new(keys), keys.to_h { |key| [key, [1]] }].each do |value|
      [-> { packer.write("x" * 40_000) }, -> { packer.write([Object.new, "x" * 40_000]) }].each do |action|
        compare = -> { packer && action.call && false rescue false } # rubocop:disable Style/RescueModifier
        [factory.packer, factory.packer(sort_keys: true)].each do |outer|
          outer.write([value]).to_s
        rescue ArgumentError => e
          assert_match(/used while it packed|changed/, e.message)
        end
      ensure
        packer = compare = nil
      end
    end
  end

  # Taking bytes from the buffer itself also takes them from a value that was already looked at.
  def test_bytes_that_are_taken_between_two_looks
    unpacker = MP::Unpacker.new.feed("\x93\x01\x02".b)

    assert_raises(EOFError) { unpacker.read }
    unpacker.buffer.skip(1)

    assert_equal [1, 2], [unpacker.read, unpacker.read]
    unpacker.feed("\x93\x01\x02".b)

    assert_raises(EOFError) { unpacker.skip }
    unpacker.buffer.clear

    assert_equal([5, 6, 7, 8], unpacker.feed("\x05\x06\x07\x08".b).each.to_a)
  end

  # No fault ends the process.
  def test_faults_that_nobody_raises
    script = <<~'RUBY'
      require "sparpack/message_pack"
      module Sparpack::MessagePack
        def self.pack_failed(*) = nil
        def self.unpack_failed(*) = nil
      end
      [-> { Sparpack::MessagePack.unpack("\xC1".b) }, -> { Sparpack::MessagePack.pack(2**70) }].each do |action|
        action.call
      rescue RuntimeError
        print "raised "
      end
    RUBY

    assert_equal "raised raised ", fresh_ruby(script)
  end

  def test_chaos
    seed = Integer(ENV.fetch("SEED", 7))
    raised = in_child { MessagePackChaos.new(seed).tap { |chaos| chaos.run(2_000) }.raised.size }

    assert_operator raised, :>, 5
  end

  # --- cost ------------------------------------------------------------------------------------------------------------

  # Returns how many times as much four times the input takes.
  def growth(size, cost)
    [size, 4 * size].map { |count| Array.new(3) { Cost.of { yield count }[cost] }.min }.then { |one, four| four.fdiv(one) }
  end

  # Each byte is looked at once, however many chunks there are.
  def test_values_in_very_many_chunks
    factor = growth(8_000, :seconds) do |count|
      unpacker = MP::Unpacker.new(write_reference_threshold: 1)
      MP.pack("x" * count).each_char do |byte|
        unpacker.feed(byte).read
      rescue EOFError
        nil
      end
    end

    assert_operator factor, :<, 9 # 4; it was 12 and more
  end

  # Reading the first values does not copy everything else that was fed.
  def test_feeding_behind_much_that_waits
    factory = MP::Factory.new.tap { |made| made.register_builtin(:time) }
    pieces = MP.pack("x" * 70_000).scan(/.{1,10000}/mn)
    factor = growth(50, :bytes) do |count|
      unpacker = factory.unpacker
      count.times { pieces.each { |piece| unpacker.feed(piece) } }
      count.times { unpacker.feed("\x01") if unpacker.read }
    end

    assert_operator factor, :<, 9 # 4; it was 15
  end
end
