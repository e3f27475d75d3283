# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/child"

verbose = $VERBOSE
$VERBOSE = nil # callcc is obsolete, and yet it is there
require "continuation"
$VERBOSE = verbose

# A continuation returns into Ruby code that was called in the middle of an encode or a decode, after that has ended. What it
# wrote to is somebody's String by then, and what it read from may be gone. Each test has a process of its own, because it
# would crash.
class ContinuationsTest < Minitest::Test
  include Child

  LONG = ("x" * 20_000).freeze
  TEXTS = (["y" * 1_000] * 200).freeze

  # Where the continuation is kept, once.
  module Kept
    class << self
      attr_accessor :continuation, :armed

      # @return [true] each time
      def here
        callcc { |continuation| Kept.continuation ||= continuation if Kept.armed }
        true
      end

      def arm
        Kept.continuation = nil
        Kept.armed = true
      end
    end
  end

  # An object that packs itself.
  class Packing
    def initialize(&block) = @block = block
    def to_msgpack(packer) = @block.call(packer)
  end

  # A plain class whose reader is called in the middle of a patch.
  class Read
    attr_reader :x

    def initialize(x) = @x = x
    def y = Kept.here && 7
  end

  READ = Sparpack::Mapping.new(Read, { 1 => :x, 2 => :y }, types: { x: :i32, y: :i32 }, build: :allocate)

  class Patched < Sparpack::Struct
    field 1, :text, :string
    field 2, :read, READ
    3.upto(30) { |id| field id, :"f#{id}", :string }
  end

  # A key whose `eql?` is called between the pairs, because all have the same hash.
  class Key < Sparpack::Struct
    field 1, :id, :i32

    def hash = 1

    def eql?(other)
      Kept.here
      id == other.id
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :text, :string
    field 2, :keyed, map(Key, :string)
    field 3, :set, set(Key)
    field 4, :texts, list(:string)
  end

  class Text < Sparpack::Struct
    field 1, :text, :string
    field 2, :nested, list(map(:string, :string))
  end

  Untyped = Struct.new(:text, :any, :texts)
  UNTYPED = Sparpack::Codec.new(Sparpack::Mapping.new(Untyped, { 0 => :text, 1 => :any, 2 => :texts }), :message_pack)

  REFUSED = [:same, Sparpack::EncodeError].freeze

  # Since 3.4, Ruby itself refuses that a continuation returns into a walk of a Hash: "iteration level underflow".
  IN_HASH = RUBY_VERSION >= "3.4" ? [:same, RuntimeError].freeze : nil

  def test_a_member_without_a_type_packs_itself
    object = Untyped.new(LONG, [Packing.new { |packer| packer.write(1) && Kept.here }], TEXTS)

    assert_equal(REFUSED, returns { UNTYPED.encode(object) })
  end

  def test_eql_between_the_pairs_of_a_map
    pairs = Array.new(3) { |id| [Key.new(id:), "z" * 5_000] }.to_h
    %i[compact binary].each do |wire|
      object = Keyed.new(text: LONG, keyed: pairs, texts: TEXTS)

      assert_equal(IN_HASH || REFUSED, returns { object.encode(wire) })
    end
  end

  def test_eql_between_the_elements_of_a_set
    object = Keyed.new(text: LONG, set: Set.new(Array.new(3) { |id| Key.new(id:) }), texts: TEXTS)

    assert_equal(IN_HASH || REFUSED, returns { object.encode })
  end

  # A key that empties a list when it is compared, and is written without Ruby code.
  class Eraser < Array
    class << self
      attr_accessor :list
    end

    def hash = 1

    def eql?(other)
      Eraser.list&.clear && GC.start
      equal?(other)
    end
  end

  class Part < Sparpack::Struct
    field 1, :map, map(list(:i32), :i32)
  end

  class Whole < Sparpack::Struct
    field 1, :parts, list(Part)
  end

  # What was read of the list around a Hash may be stale after `eql?`, too.
  def test_eql_that_empties_the_list_around_it
    maps = Array.new(50) { { Eraser[1] => 1, Eraser[2] => 2 } }
    parts = maps.map { |map| Part.new(map:) }
    whole = Whole.new(parts:)
    { maps => [-> { PACKED.pack(maps) }, RuntimeError], parts => [-> { whole.encode }, Sparpack::EncodeError] }
      .each do |list, (work, error)|
        seen = in_child do
          Eraser.list = list
          work.call && :encoded
        rescue StandardError => e
          e.class
        end

        assert_equal error, seen
      end
  end

  # Ruby asks an io, an extension type's proc and a Rational's methods, too.
  PACKED = Sparpack::MessagePack
  AROUND = ->(value) { [LONG, value, TEXTS] }
  ENDED = [:same, ArgumentError].freeze

  def test_values_that_pack_themselves
    inner = Packing.new { |packer| packer.write(2) && Kept.here }
    { "to_msgpack" => Packing.new { |packer| Kept.here && packer.write(1) },
      "nested" => Packing.new { |packer| packer.write([1, inner, "z" * 9_000]) },
      "respond_to?" => Class.new(Packing) { def respond_to?(*) = Kept.here && super }.new { |packer| packer.write(1) } }
      .each do |name, value|
        assert_equal ENDED, returns { PACKED.pack(AROUND[value]) }, name
      end
  end

  def test_extension_types
    [{ packer: ->(value) { Kept.here && value.to_s } },
     { packer: ->(value, packer) { Kept.here && packer.write(value.to_s) }, recursive: true }].each do |options|
      factory = PACKED::Factory.new
      factory.register_type(1, Rational, unpacker: nil, **options)

      assert_equal ENDED, returns { factory.dump(AROUND[1r]) }, options
    end
  end

  def test_keys_of_a_hash_without_a_schema
    key = Class.new(Packing) do
      def hash = 1
      def eql?(other) = Kept.here && equal?(other)
    end
    pairs = Array.new(3) { [key.new { |packer| packer.write(1) }, "z" * 5_000] }.to_h

    assert_equal(IN_HASH || ENDED, returns { PACKED.pack(AROUND[pairs]) })
  end

  # Keeps what it gets, and a continuation of its second `write`.
  class Port
    attr_reader :got

    def initialize = @got = []

    def write(*strings)
      @got.concat(strings.map(&:dup))
      Kept.here if @got.size > 1
      strings.sum(&:bytesize)
    end
  end

  def test_an_io_that_takes_parts_of_a_value
    value = [*["a" * 1_000] * 300, "b" * 600_000, *["c" * 1_000] * 300, "d" * 600_000, ["e"] * 9_000]

    assert_equal([:same, ArgumentError], returns { PACKED::Packer.new(Port.new).write(value) && 1 })
  end

  # A packer with a buffer: the buffer gets the String, which stays hidden.
  def test_a_packer_with_a_buffer
    packer = nil
    value = AROUND[Packing.new { |given| given.write(1) && Kept.here }]

    assert_equal(ENDED, returns { (packer ||= PACKED::Packer.new).tap(&:reset).write(value).to_s })
  end

  # The packing goes on, but the memory of the packing moves after the continuation was made.
  # Where it happens to stay in place, the continuation may be called for ever. So that is tried with more text then.
  def test_a_packing_that_goes_on
    calls = []
    first = Packing.new { |packer| packer.write(1) && packer.to_s && Kept.here }
    last = Packing.new { |packer| calls.size < 20 ? calls.push(1) && Kept.continuation.call : packer.write(2) }
    outcome = in_child do
      [1, 10, 100].filter_map { |times| calls.clear && ended { PACKED.pack([LONG, first, TEXTS * times, last]) } }.first
    end

    assert_equal "this packing has already ended: a continuation cannot return into it", outcome
  end

  # @return [String, nil] the message of the ArgumentError that the block raises
  def ended
    Kept.arm
    yield
    nil
  rescue ArgumentError => e
    e.message
  end

  # --- reading ------------------------------------------------------------------------------------------------------------

  # More values wait than the stack has room for.
  DEEP = ->(value) { Array.new(4) { Array.new(600, 1) }.reduce([value]) { |inner, outer| [*outer, inner] } }

  def test_extension_types_that_are_read
    [{ unpacker: ->(data) { Kept.here && data } },
     { unpacker: ->(unpacker) { Kept.here && unpacker.read }, recursive: true }].each do |options|
      factory = PACKED::Factory.new
      factory.register_type(1, Rational, packer: ->(value) { value.to_s.to_msgpack }, **options)
      bytes = PACKED.pack(DEEP[PACKED::ExtensionValue.new(1, "\x01".b)])
      [-> { factory.load(bytes) }, -> { factory.unpacker.tap { |each| each.feed(bytes) }.read },
       -> { factory.unpacker(StringIO.new(bytes)).read }].each do |work|
        assert_read(returns { work.call.flatten.size })
      end
    end
  end

  def test_keys_that_are_read
    bytes = PACKED.pack(DEEP[{ [1] => "a", [2] => "b" }])
    outcome = in_child do
      Array.prepend(Module.new { def hash = Kept.here && super })
      outcomes { PACKED.unpack(bytes).flatten.size }
    end

    assert_read(outcome)
  end

  # Arrays as keys wait in memory that is taken beyond the stack, and so do fields.
  class Wide < Sparpack::Struct
    1.upto(1_030) { |id| field id, :"f#{id}", :string, default: "" }
    field 1_031, :keyed, map(Key, :string), default: { Key.new(id: 1) => "a", Key.new(id: 2) => "b" }
  end

  def test_hashes_of_objects_and_back
    object = Wide.new(keyed: { Key.new(id: 1) => "a", Key.new(id: 2) => "b" })
    hash = object.to_h(deep: true)
    bytes = object.encode
    { to_h: -> { object.to_h(deep: true).size }, from_h: -> { Wide.from_h(hash) == object }, new: -> { Wide.new.f1 },
      decode: -> { Wide.decode(bytes).f1030 } }.each do |name, work|
      outcome = in_child do
        Key.class_eval { def hash = Kept.here && 1 }
        outcomes(&work)
      end

      assert_equal (IN_HASH if name == :to_h) || %i[same same same], outcome, name
    end
  end

  # An io that gives one byte at a time, and may keep the continuation.
  Pieces = Struct.new(:text, :at) do
    def readpartial(_size)
      Kept.here if at == :io
      text.slice!(0)
    end
  end

  # The stream has ended, so the end is found again, or what is there does not fit what was read.
  def test_streams_of_json
    texts = ['{"text":"a"}{"text":"b"}', '[{"text":"a"},{"text":"b"}]']
    texts.product(%i[string string_io pieces io]).each do |text, from|
      outcome = returns do
        source = { string: text, string_io: StringIO.new(text) }.fetch(from) { Pieces.new(text.dup, from) }
        Text.decode_each(source, :json) { Kept.here unless from == :io }
        :ended
      end

      assert_equal :same, outcome.first, [text, from]
      assert_empty outcome - [:same, Sparpack::DecodeError::Truncated, Sparpack::DecodeError::Malformed], [text, from]
      assert_operator outcome.size, :>, 1, "no continuation was kept"
    end
  end

  def test_patch
    [2, 25].each do |count|
      sizes = in_child do
        codec = Sparpack::Codec.new(Patched)
        bytes = codec.encode(Patched.new(text: LONG))
        changes = { [:read] => Read.new(1), **(3..(count + 2)).to_h { |id| [[:"f#{id}"], "n#{id}"] } }
        Kept.arm
        found = []
        begin
          patched = codec.patch(bytes, changes)
          found << codec.decode(patched).f3
        rescue ArgumentError # the paths were there already
          found << "n3"
        end
        Array.new(500) { |i| "x" * (1000 + i) }
        found.size < 4 ? Kept.continuation.call : found
      end

      assert_equal ["n3"] * 4, sizes
    end
  end

  # Equal to all others, and asks for that in Ruby.
  class Step
    def eql?(_other) = Kept.here
    def hash = 1
  end

  def test_columns
    keyed = Keyed.new(set: Set.new(Array.new(3) { |id| Key.new(id:) }), texts: TEXTS).encode * 3
    untyped = UNTYPED.encode(Untyped.new("a", nil, TEXTS))
    { decode: -> { Keyed.columns(keyed, "set[].id", "texts[]") },
      reader: -> { Patched.columns("\x2C\x15\x02\x00\x00".b * 3, "read.y", "text") },
      step: -> { UNTYPED.columns(untyped, *Array.new(99) { |id| [:texts, id] }, [:any, Step.new], [:any, Step.new]) } }
      .each { |name, work| assert_equal ENDED, returns(&work), name }
  end

  private

  # What was read before stays read, so an Array may be longer the second time, and an unpacker at its end.
  def assert_read(outcome)
    assert_equal :same, outcome.first
    assert_operator outcome.size, :>, 1, "no continuation was kept"
  end

  # @return [Array<Symbol, Class>] what the block did in a process of its own: `:same` if it returned what it returned at
  #   first, otherwise the class of the error. A kept continuation returns into it up to two times
  def returns(&) = in_child { outcomes(&) }

  def outcomes
    outcomes = []
    results = []
    Kept.arm
    begin
      results << yield
      outcomes << (results.last == results.first ? :same : :different)
      Kept.armed = false
      20.times { "z" * 40_000 }
      Kept.continuation.call if outcomes.size < 3
    rescue StandardError => e
      outcomes << e.class
    end
    outcomes
  end
end
