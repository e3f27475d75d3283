# frozen_string_literal: true

require "test_helper"
require "vectors/difference"
require "random/formatter"

begin
  require "thrift"
rescue LoadError
  nil # every test says so
end

# Random schemas and random values, in both directions between the thrift gem and Sparpack: both write the same bytes, and
# each reads those of the other. LIVE_SEED=n repeats a run, and LIVE_SCHEMAS=n makes more schemas.
class LiveThriftTest < Minitest::Test
  SEED = Integer(ENV.fetch("LIVE_SEED", 20_241_121))
  SCHEMAS = Integer(ENV.fetch("LIVE_SCHEMAS", 60))
  VALUES = 4

  # A schema has definitions by name, in the order in which they were made.
  Definition = Struct.new(:name, :kind, :fields, keyword_init: true)
  Field = Struct.new(:id, :name, :type, :required, :default, keyword_init: true)
  # A random struct, union or exception, before either library makes an object of it.
  Value = Struct.new(:definition, :fields)

  SCALARS = %i[bool i8 i16 i32 i64 double string binary uuid enum].freeze
  EDGES = [0, 1, 31, 32, 63, 64, 127, 128, 8191, 8192, 32_767, 2**20, 2**27, 2**31, 2**34, 2**53, 2**62, 2**63].freeze
  REALS = [0.0, 1.0, -1.5, 0.1, 1e300, -5e-324, Float::INFINITY, -Float::INFINITY, Float::MAX, Float::MIN].freeze
  TEXTS = ["", "a", "ü", "€", "🚲", "\0", "Straße", "x" * 127, "ß" * 64, "e\u0301"].freeze

  module Status
    extend Sparpack::Enum

    LOWEST = -2_147_483_648
    NONE = 0
    ONE = 1
    HIGHEST = 2_147_483_647
  end

  # Makes definitions and values. The same seed always gives the same ones.
  class Dice
    # @param scalar_keys [Boolean] whether the keys of maps are scalars
    def initialize(seed, scalar_keys: false)
      @random = Random.new(seed)
      @key_depth = scalar_keys ? 0 : nil
    end

    def chance(share) = @random.rand < share

    def pick(list) = list[@random.rand(list.size)]

    def number(range) = @random.rand(range)

    def schema
      @definitions = []
      count = number(2..6)
      @names = Array.new(count) { |index| "S#{index}" }
      @names.each do |name|
        kind = pick(%i[struct struct struct union exception])
        @definitions << Definition.new(name:, kind:, fields: [])
        @definitions.last.fields = fields(kind)
      end
      @definitions
    end

    def value(definition)
      @budget = 60
      @depth = 0
      struct(definition)
    end

    private

    def fields(kind)
      ids = Array.new(number(kind == :union ? 1..6 : 0..9)) { number(pick([0..6, 0..40, 0..32_767])) }
      made = ids.uniq.sort.each_with_index.map { |id, index| field(id, index, kind) }
      # So that a recursive union can end.
      made.first.type = pick(SCALARS) if kind == :union
      made
    end

    def field(id, index, kind)
      required = kind == :union ? nil : pick([nil, nil, :optional, :required])
      type = type(2, required == :required)
      default = simple(type) if kind != :union && SCALARS.include?(type) && chance(0.15)
      Field.new(id:, name: "f#{index}", type:, required:, default:)
    end

    # `earlier` keeps a required field from needing its own struct.
    def type(depth, earlier)
      return pick(SCALARS) if depth.zero? || chance(0.45)

      case pick(%i[list set map named named])
      when :list then [:list, type(depth - 1, false)]
      when :set then [:set, type(depth - 1, false)]
      when :map then [:map, type(@key_depth || (depth - 1), false), type(depth - 1, false)]
      else named(earlier)
      end
    end

    def named(earlier)
      names = earlier ? @definitions[0...-1].map(&:name) : @names
      names.empty? ? pick(SCALARS) : [:named, pick(names)]
    end

    # False when recursive values must end.
    def more? = @budget.positive? && @depth < 10

    def struct(definition)
      @budget -= 1
      @depth += 1
      fields = definition.kind == :union ? one(definition) : some(definition)
      Value.new(definition, fields.to_h { [_1.name, any(_1.type)] })
    ensure
      @depth -= 1
    end

    def one(definition) = [more? ? pick(definition.fields) : definition.fields.first]

    def some(definition)
      definition.fields.select do |field|
        (field.required == :required && field.default.nil?) || chance(more? ? 0.75 : 0.05)
      end
    end

    def any(type, key: false)
      return simple(type, key:) unless type.is_a?(Array)

      case type.first
      when :list then Array.new(size) { any(type[1], key:) }
      when :set then Set.new(Array.new(size) { any(type[1], key: true) })
      when :map then Array.new(size) { [any(type[1], key: true), any(type[2], key:)] }.to_h
      else keyed(@definitions.find { _1.name == type[1] }, key)
      end
    end

    # Values in a key have no NaN, because a NaN never equals itself.
    def keyed(definition, key)
      before = @key
      @key ||= key
      struct(definition)
    ensure
      @key = before
    end

    def size
      return 0 unless more?

      chosen = pick([0, 1, 2, 3, chance(0.1) ? number(14..17) : 4, chance(0.02) ? number(126..130) : 1])
      @budget -= chosen
      chosen
    end

    def simple(type, key: false)
      case type
      when :bool then chance(0.5)
      when :i8 then integer(8)
      when :i16 then integer(16)
      when :i32 then integer(32)
      when :i64 then integer(64)
      when :double then real(key || @key)
      when :string then text
      when :binary then @random.bytes(number(0..40))
      when :uuid then @random.uuid.encode("UTF-8")
      when :enum then pick([Status::LOWEST, 0, 1, 77, Status::HIGHEST])
      end
    end

    def integer(bits)
      number = chance(0.5) ? pick(EDGES) + number(-1..1) : @random.rand(2**@random.rand(1..bits))
      number = -number if chance(0.5)
      number.clamp(-(2**(bits - 1)), (2**(bits - 1)) - 1)
    end

    def real(key)
      number = chance(0.5) ? pick(REALS) : @random.rand - 0.5
      key || chance(0.9) ? number : pick([Float::NAN, -0.0])
    end

    def text
      return pick(TEXTS) if chance(0.6)

      Array.new(number(0..30)) { pick([0x20..0x7e, 0xa0..0x7ff, 0x800..0xd7ff, 0xe000..0xffff, 0x10000..0x10ffff]) }
           .map { number(_1) }.pack("U*")
    end
  end

  # The schema and its values as classes and objects of the thrift gem.
  class Theirs
    TYPES = { bool: 2, i8: 3, double: 4, i16: 6, i32: 8, enum: 8, i64: 10, string: 11, binary: 11, uuid: 16,
              list: 15, set: 14, map: 13, named: 12 }.freeze

    def initialize(definitions, space)
      @classes = definitions.to_h { [_1.name, space.const_set(_1.name, empty(_1))] }
      definitions.each { fill(_1) }
    end

    def class_of(definition) = @classes.fetch(definition.name)

    def object(value)
      return value.transform_values { object(_1) }.transform_keys { object(_1) } if value.is_a?(Hash)
      return value.class.new(value.map { object(_1) }) if value.is_a?(Array) || value.is_a?(Set)
      return value.is_a?(String) ? value.dup : value unless value.is_a?(Value)

      object = class_of(value.definition).new
      value.fields.each { |name, each| object.public_send("#{name}=", object(each)) }
      object
    end

    def encode(object, protocol)
      transport = Thrift::MemoryBufferTransport.new
      object.write(protocol.new(transport))
      transport.read(transport.available).b
    end

    def decode(definition, bytes, protocol)
      transport = Thrift::MemoryBufferTransport.new(bytes.dup)
      object = class_of(definition).new
      object.read(protocol.new(transport))
      raise "the thrift gem left #{transport.available} bytes" unless transport.available.zero?

      object
    end

    private

    def empty(definition)
      parent = { struct: Object, union: Thrift::Union, exception: Thrift::Exception }.fetch(definition.kind)
      Class.new(parent) do
        include Thrift::Struct unless definition.kind == :union
        include Thrift::Struct_Union

        const_set(:FIELDS, {})
        define_method(:struct_fields) { self.class::FIELDS }
        define_method(:validate) { nil }
      end
    end

    def fill(definition)
      type = class_of(definition)
      definition.fields.each { type::FIELDS[_1.id] = shape(_1.type).merge(name: _1.name, default: _1.default).compact }
      (definition.kind == :union ? Thrift::Union : Thrift::Struct).generate_accessors(type)
    end

    def shape(type)
      kind, *rest = type
      case kind
      when :list, :set then { type: TYPES[kind], element: shape(rest[0]) }
      when :map then { type: TYPES[kind], key: shape(rest[0]), value: shape(rest[1]) }
      when :named then { type: TYPES[kind], class: @classes.fetch(rest[0]) }
      when :binary then { type: TYPES[kind], binary: true }
      else { type: TYPES.fetch(kind) }
      end
    end
  end

  # The schema and its values as classes and objects of Sparpack.
  class Ours
    PARENTS = { struct: Sparpack::Struct, union: Sparpack::Union, exception: Sparpack::Exception }.freeze

    def initialize(definitions, space)
      @classes = definitions.to_h { [_1.name, space.const_set(_1.name, Class.new(PARENTS.fetch(_1.kind)))] }
      @filled = []
      definitions.each { fill(_1) }
    end

    def class_of(definition) = @classes.fetch(definition.name)

    def object(value)
      return value.to_h { |key, each| [object(key), object(each)] } if value.is_a?(Hash)
      return value.class.new(value.map { object(_1) }) if value.is_a?(Array) || value.is_a?(Set)
      return value unless value.is_a?(Value)

      class_of(value.definition).new(**value.fields.to_h { |name, each| [name.to_sym, object(each)] })
    end

    private

    def fill(definition)
      type = class_of(definition)
      definition.fields.each do |field|
        options = field.required ? { field.required => true } : {}
        options[:default] = field.default unless field.default.nil?
        type.field(field.id, field.name.to_sym, shape(type, field.type), **options)
      end
      @filled << definition.name
    end

    # Names a struct by its class if that is defined already, otherwise by its name, as users would.
    def shape(type, shape)
      kind, *rest = shape
      case kind
      when :list, :set then type.send(kind, shape(type, rest[0]))
      when :map then type.send(kind, shape(type, rest[0]), shape(type, rest[1]))
      when :named then @filled.include?(rest[0]) ? @classes.fetch(rest[0]) : rest[0]
      when :enum then Status
      else kind
      end
    end
  end

  def setup
    skip "the thrift gem is not installed: gem install thrift" unless defined?(Thrift::CompactProtocol)
    skip "this thrift gem does not know uuid: gem install thrift -v 0.25.0" unless defined?(Thrift::Types::UUID)
  end

  def test_compact_both_ways
    both_ways(:compact, [Thrift::CompactProtocol])
  end

  def test_binary_both_ways
    accelerated = [Thrift::BinaryProtocolAccelerated] if defined?(Thrift::BinaryProtocolAccelerated)
    both_ways(:binary, [Thrift::BinaryProtocol, *accelerated])
  end

  # Apache's library writes structs and containers as keys, which is no JSON.
  def test_json_both_ways
    both_ways(:thrift_json, [Thrift::JsonProtocol], scalar_keys: true)
  end

  # Writers and readers have different versions: both libraries skip the unknown fields.
  def test_narrower_readers_of_compact
    narrower(:compact, Thrift::CompactProtocol)
  end

  def test_narrower_readers_of_binary
    narrower(:binary, Thrift::BinaryProtocol)
  end

  def test_narrower_readers_of_json
    narrower(:thrift_json, Thrift::JsonProtocol, scalar_keys: true)
  end

  private

  def each_schema(**options)
    SCHEMAS.times do |number|
      @number = number
      dice = Dice.new(SEED + number, **options)
      yield dice, dice.schema
    rescue StandardError => e
      raise e.class, "schema #{number} of seed #{SEED}: #{e.message}", e.backtrace
    end
  end

  def both_ways(wire, protocols, **options)
    each_schema(**options) do |dice, definitions|
      theirs = Theirs.new(definitions, Module.new)
      ours = Ours.new(definitions, space)
      definitions.product([*1..VALUES]) do |definition, _|
        value = dice.value(definition)
        protocols.each { one_value(value, theirs, ours, wire, _1) }
      end
    end
  end

  def one_value(value, theirs, ours, wire, protocol)
    bytes = theirs.encode(theirs.object(value), protocol)
    object = ours.object(value)

    assert_equal bytes, object.encode(wire).b, -> { about(value) }
    decoded = ours.class_of(value.definition).decode(bytes, wire)

    assert_nil Difference.between(object, decoded), -> { about(value) }
    assert_equal bytes, decoded.encode(wire).b, -> { about(value) }
    again = theirs.decode(value.definition, object.encode(wire), protocol)

    assert_equal bytes, theirs.encode(again, protocol), -> { about(value) }
  end

  def narrower(wire, protocol, **options)
    each_schema(**options) do |dice, definitions|
      wide = Theirs.new(definitions, Module.new)
      fewer = definitions.map { narrow(_1, dice) }
      theirs = Theirs.new(fewer, Module.new)
      ours = Ours.new(fewer, space)
      definitions.zip(fewer).product([*1..VALUES]) do |(definition, narrow), _|
        value = dice.value(definition)
        bytes = wide.encode(wide.object(value), protocol)
        theirs_read = theirs.encode(theirs.decode(narrow, bytes, protocol), protocol)

        assert_equal theirs_read, ours.class_of(narrow).decode(bytes, wire).encode(wire).b, -> { about(value) }
      end
    end
  end

  # Leaves out some of the fields. A union must keep the variant that is written.
  def narrow(definition, dice)
    return definition if definition.kind == :union

    Definition.new(name: definition.name, kind: definition.kind, fields: definition.fields.reject { dice.chance(0.4) })
  end

  def space
    @spaces = (@spaces || 0) + 1
    Spaces.const_set("#{name}_#{@spaces}".capitalize, Module.new)
  end

  # Gives our classes their names.
  module Spaces
  end

  def about(value) = "schema #{@number} of LIVE_SEED=#{SEED}: #{value.inspect[0, 5000]}"
end
