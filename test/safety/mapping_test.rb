# frozen_string_literal: true

require "test_helper"

# Readers and constructors of plain classes run in the middle of an encode or a decode, and may do anything.
class SafetyMappingTest < Minitest::Test
  Mapping = Sparpack::Mapping

  # Runs `during` when an object is made or read.
  class Busy
    class << self
      attr_accessor :during
    end

    def self.run(object) = during&.call(object)

    def initialize(id:, parts:)
      @id = id
      @parts = parts
      Busy.run(self)
    end

    def id
      Busy.run(self)
      @id
    end

    attr_reader :parts
    attr_writer :id

    def ==(other) = other.is_a?(Busy) && [plain_id, parts] == [other.plain_id, other.parts]
    alias eql? ==
    def hash = [plain_id, parts].hash
    def plain_id = @id
  end

  # The same by position.
  class Placed < Busy
    def initialize(id, parts) = super(id:, parts:)
  end

  # Has no plain readers, so the objects of a list are read together.
  class Computed < Busy
    def parts = super.itself
  end

  TYPES    = { id: :i64, parts: Sparpack::Type.list { TYPED } }.freeze
  TYPED    = Mapping.new(Busy, { 0 => :id, 1 => :parts }, types: TYPES)
  UNTYPED  = Mapping.new(Busy, { 0 => :id, 1 => :parts })
  BY_PLACE = Mapping.new(Placed, { 0 => :id, 1 => :parts }, types: { parts: Sparpack::Type.list { BY_PLACE } })
  BY_NAME  = Mapping.new(Busy, %i[id parts], types: { parts: Sparpack::Type.list { BY_NAME } })
  TOGETHER = Mapping.new(Computed, { 0 => :id, 1 => :parts }, types: { parts: Sparpack::Type.list { TOGETHER } })
  MAPPINGS = [TYPED, BY_PLACE, BY_NAME, TOGETHER].freeze

  class Shelf < Sparpack::Struct
    field 1, :first, TYPED
    field 2, :all, list(TYPED)
    field 3, :by_busy, map(TYPED, :i32)
    field 4, :set, set(TYPED)
    field 5, :note, :string
  end

  class Rack < Sparpack::Struct
    field 1, :all, list(TOGETHER)
  end

  def teardown = Busy.during = nil

  # --- decoding -----------------------------------------------------------------------------------------------------------

  def test_the_source_may_be_changed_while_it_is_decoded
    each_codec do |codec, tree|
      [:clear, ->(bytes) { bytes.replace("\xC1" * bytes.bytesize) }, ->(bytes) { bytes << ("x" * 100_000) }].each do |change|
        bytes = codec.encode(tree)
        Busy.during = ->(_) { change.to_proc.call(bytes) }

        assert_equal tree, codec.decode(bytes)
        Busy.during = nil
      end
    end
  end

  def test_a_constructor_may_decode
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      inner = codec.encode(leaf(codec, 77))
      depth = 0
      Busy.during = lambda do |_|
        next if depth > 2

        depth += 1
        assert_equal 77, codec.decode(inner).plain_id
        depth -= 1
      end

      assert_equal tree, codec.decode(bytes)
      Busy.during = nil
    end
  end

  def test_a_constructor_may_raise_and_throw
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      Busy.during = ->(object) { raise "no #{object.plain_id}" if object.plain_id == 3 }
      3.times { assert_equal "no 3", assert_raises(RuntimeError) { codec.decode(bytes) }.message }
      Busy.during = ->(_) { throw :out, 5 }
      assert_equal 5, catch(:out) { codec.decode(bytes) }
      Busy.during = nil

      assert_equal tree, codec.decode(bytes)
    end
  end

  def test_fibers_take_turns_while_they_decode
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      Busy.during = ->(_) { Fiber.yield }
      fibers = Array.new(4) { Fiber.new { [codec.decode(bytes)] } }
      results = {}
      1000.times do
        break if results.size == fibers.size

        (fibers - results.keys).each do |fiber|
          GC.start if rand(20).zero?
          result = fiber.resume
          results[fiber] = result.first if result
        end
      end
      Busy.during = nil

      assert_equal [tree] * 4, results.values
    end
  end

  # An abandoned fiber never comes back to its decode.
  def test_a_decode_may_never_end
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      Busy.during = ->(_) { Fiber.yield }
      50.times { Fiber.new { codec.decode(bytes) }.resume }
      Busy.during = nil
      GC.start

      assert_equal tree, codec.decode(bytes)
    end
  end

  def test_threads_take_turns
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      Busy.during = ->(_) { Thread.pass }
      threads = Array.new(4) { Thread.new { Array.new(10) { codec.decode(codec.encode(codec.decode(bytes))) } } }
      results = threads.flat_map(&:value)
      Busy.during = nil

      assert_equal [tree], results.uniq
    end
  end

  def test_garbage_is_collected_while_objects_are_made_and_read
    each_codec do |codec, tree|
      bytes = codec.encode(tree)
      collect = GC.respond_to?(:compact) ? [-> { GC.start }, -> { GC.compact }] : [-> { GC.start }]
      collect.each do |way|
        Busy.during = ->(_) { way.call }

        assert_equal tree, codec.decode(bytes)
        assert_equal bytes, codec.encode(tree)
        Busy.during = nil
      end
    end
  rescue NotImplementedError
    skip "this Ruby cannot compact"
  end

  def test_garbage_is_collected_at_every_allocation
    small = Busy.new(id: 1, parts: [Busy.new(id: 2, parts: [])])
    [TYPED, UNTYPED, BY_NAME, TOGETHER].each do |mapping|
      codec = codec(mapping)
      small = build(Computed, 1, [build(Computed, 2, []), build(Computed, 3, [])]) if mapping == TOGETHER
      value = mapping == UNTYPED ? Busy.new(id: "x" * 30, parts: [{ "a" => [1.5, "y"] }]) : small
      bytes = codec.encode(value)
      read  = stressed { [codec.decode(bytes), codec.encode(value)] }

      assert_equal [value, bytes], read
    end
  end

  # More objects wait than the stack has room for.
  def test_many_objects
    wide  = Busy.new(id: 0, parts: Array.new(3000) { |i| Busy.new(id: i, parts: []) })
    codec = codec(TYPED)
    bytes = codec.encode(wide)
    count = 0
    Busy.during = ->(_) { GC.start if ((count += 1) % 1000).zero? }

    assert_equal wide, codec.decode(bytes)
    assert_equal bytes, codec.encode(wide)
  end

  def test_limits_hold_while_constructors_run
    deep = (1..70).reduce(Busy.new(id: 0, parts: [])) { |inner, id| Busy.new(id:, parts: [inner]) }

    assert_raises(Sparpack::EncodeError::LimitExceeded) { codec(TYPED).encode(deep) }
    bytes = codec(TYPED, limits: Sparpack::Limits.new(depth: 200)).encode(deep)
    assert_raises(Sparpack::DecodeError::LimitExceeded) { codec(TYPED).decode(bytes) }
    assert_equal deep, codec(TYPED, limits: Sparpack::Limits.new(depth: 200)).decode(bytes)
    wide = codec(TYPED).encode(Busy.new(id: 0, parts: Array.new(1000) { Busy.new(id: 1, parts: []) }))
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      codec(TYPED, limits: Sparpack::Limits.new(memory: 50_000)).decode(wide)
    end
  end

  # Keys are frozen, and their `hash` runs when they are put into a Hash.
  def test_keys_of_maps_and_elements_of_sets
    shelf = Shelf.new(by_busy: { Busy.new(id: 1, parts: []) => 1 }, set: Set[Busy.new(id: 2, parts: [])])
    Sparpack::WIRES.grep_v(/json/).each do |wire|
      bytes = shelf.encode(wire)
      Busy.during = ->(_) { bytes.clear }
      read = Shelf.decode(bytes, wire)
      Busy.during = nil

      assert_equal shelf, read
      assert(read.by_busy.keys.all?(&:frozen?))
    end
  end

  # --- encoding -----------------------------------------------------------------------------------------------------------

  def test_a_reader_may_change_what_is_being_encoded
    spare = Array.new(2) { leaf(nil, 9) }
    changes = {
      shrink: ->(shelf) { shelf.all.clear }, grow: ->(shelf) { shelf.all << spare[0] },
      replace: ->(shelf) { shelf.all.map! { spare[1] } }, drop: ->(shelf) { shelf.all = nil },
      hash: ->(shelf) { shelf.by_busy.replace({}) }, set: ->(shelf) { shelf.set.replace([]) },
      note: ->(shelf) { shelf.note = "y" * 10_000 }, unset: ->(shelf) { shelf.note = shelf.first = nil },
      mutate: ->(shelf) { shelf.note.replace("z" * 50) }
    }
    changes.each_value do |change|
      Sparpack::WIRES.grep_v(/json/).each do |wire|
        shelf = Shelf.new(first: leaf(nil, 1), all: Array.new(20) { |i| leaf(nil, i) }, note: +"short",
                          by_busy: { leaf(nil, 1) => 1, leaf(nil, 2) => 2 }, set: Set[leaf(nil, 3), leaf(nil, 4)])
        Busy.during = lambda { |_|
          begin
            change.call(shelf)
          rescue RuntimeError # Ruby refuses to add keys during iteration
            nil
          end
          GC.start if rand(50).zero?
        }
        bytes = begin
          shelf.encode(wire)
        rescue Sparpack::EncodeError
          nil
        end
        Busy.during = nil

        Shelf.decode(bytes, wire) if bytes # what was written can be read
      end
    end
  end

  def test_a_reader_may_change_the_list_that_is_read
    spare   = build(Computed, -9, [])
    changes = [->(rack) { rack.all.clear }, ->(rack) { rack.all.shift }, ->(rack) { rack.all << spare },
               ->(rack) { rack.all = nil }, ->(rack) { rack.all.map! { spare } },
               ->(rack) { rack.all.map! { 5 } }, ->(rack) { rack.all.each { |object| def object.id = super.succ } }]
    changes.product([1, 3, 10, 11, 25], [0, 9, 10]) do |change, size, id|
      rack = Rack.new(all: Array.new(size) { |i| build(Computed, i, Array.new(i % 3) { build(Computed, -1, []) }) })
      Busy.during = lambda { |object|
        change.call(rack) if object.plain_id == id
        GC.start if id.zero? && object.plain_id == 2
      }
      bytes = begin
        rack.encode(:message_pack)
      rescue Sparpack::EncodeError
        nil
      end
      Busy.during = nil

      Rack.decode(bytes, :message_pack) if bytes # what was written can be read
    end
  end

  # What reads several objects returns an Array to the native core.
  def test_a_trace_may_change_what_was_read
    rack  = Rack.new(all: Array.new(5) { |i| build(Computed, i, []) })
    bytes = rack.encode(:message_pack)
    [:clear, :pop, ->(read) { read.concat([1] * 1000) }].each do |change|
      trace = TracePoint.new(:b_return) { |point| change.to_proc.call(point.return_value) if of_mapping?(point) }
      error = assert_raises(TypeError) { trace.enable { rack.encode(:message_pack) } }
      assert_equal "the members of SafetyMappingTest::Computed changed while they were read", error.message
    end
    trace = TracePoint.new(:b_return) { |point| point.return_value.map! { 5 } if of_mapping?(point) }
    assert_raises(Sparpack::EncodeError) { trace.enable { rack.encode(:message_pack) } }
    assert_equal bytes, rack.encode(:message_pack)
  end

  def test_a_reader_may_encode_raise_and_yield
    each_codec do |codec, tree|
      expected = codec.encode(tree)
      depth = 0
      Busy.during = lambda do |_|
        next if depth.positive?

        depth += 1
        codec.encode(leaf(codec, 5))
        depth -= 1
      end
      assert_equal expected, codec.encode(tree)

      Busy.during = ->(object) { raise "no" if object.plain_id == 3 }
      3.times { assert_raises(RuntimeError) { codec.encode(tree) } }
      Busy.during = ->(_) { Fiber.yield }
      fibers = Array.new(3) { Fiber.new { codec.encode(tree) } }
      results = nil
      1000.times { break if (results = fibers.map { |fiber| fiber.alive? ? fiber.resume : expected }).all? }
      Busy.during = nil

      assert_equal [expected] * 3, results
    end
  end

  def test_validation_calls_readers
    shelf = Shelf.new(all: Array.new(10) { |i| leaf(nil, i) })
    Busy.during = ->(_) { shelf.all.clear }

    assert_kind_of Array, shelf.errors(:recursive)
  end

  def test_ractors
    skip "this Ruby has no Ractor" unless defined?(Ractor)

    [TYPED, TOGETHER].each do |mapping|
      codec  = codec(mapping)
      bytes  = codec.encode(tree(mapping.mapped_class))
      result = Ractor.new(codec, bytes) { |inner, copy| inner.encode(inner.decode(copy)) }

      assert_equal bytes, result.respond_to?(:value) ? result.value : result.take
    end
  end

  private

  def of_mapping?(point) = point.path.include?("sparpack/mapping/")

  def codec(mapping, **options) = Sparpack::Codec.new(mapping, :message_pack, **options)

  # Each codec with a tree of its class.
  def each_codec
    MAPPINGS.each { |mapping| yield codec(mapping), tree(mapping.mapped_class) }
  end

  def tree(klass)
    leaves = Array.new(5) { |i| build(klass, i, []) }
    build(klass, 100, [build(klass, 200, leaves), build(klass, 300, [])])
  end

  def leaf(codec, id) = build(codec ? codec.struct_class.mapped_class : Busy, id, [])
  def build(klass, id, parts) = klass == Placed ? Placed.new(id, parts) : klass.new(id:, parts:)

  def stressed
    GC.stress = true
    yield
  ensure
    GC.stress = false
  end
end
