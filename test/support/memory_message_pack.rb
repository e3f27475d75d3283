# frozen_string_literal: true

require "sparpack"
require "stringio"
require_relative "memory_search"

# MessagePack payloads for {MemorySearch}: an Array of values of one shape.
class MemoryMessagePack
  KINDS = {
    bool: [0, 0], small: [0, 0], big: [0, 0], huge: [0, 0], real: [0, 0], heap_real: [0, 0], float32: [0, 0],
    text: [1, 0], bytes: [1, 0], extension: [1, 0], symbol: [1, 0], time: [2, 0], bignum: [1, 0], rational: [2, 0],
    decimal: [1, 0], list: [1, 1], map: [1, 2], names: [2, 1], set: [1, 1], struct: [2, 1], nested: [1, 1], chain: [2, 1],
    coded: [2, 0]
  }.freeze

  MP = Sparpack::MessagePack

  # Options of a reader, without limits.
  OPTIONS = [{}, {}, { freeze: true }, { symbolize_keys: true }, { symbolize_keys: true, freeze: true }].freeze

  LEVELS = 60

  # Array subclasses, and Structs of some widths, each with an extension type.
  class Nested < Array
  end

  Raw = ::Struct.new(:bytes)
  WIDTHS = [1, 2, 3, 4, 8, 9, 16, 40, 79, 130].freeze
  RECORDS = WIDTHS.to_h { |width| [width, ::Struct.new(*(1..width).map { |i| :"m#{i}" })] }.freeze

  # Codecs for extension types: they read a payload in place, inflate it first, or keep it in a lazy object.
  CODECS = [{}, { lazy: true }, { compression: :lz4 }, { compression: :lz4, lazy: true }].map do |options|
    coded = Class.new(Sparpack::Struct) do
      field 1, :numbers, list(:double)
      field 2, :text, :string
    end
    Sparpack::Codec.new(coded, :message_pack, **options)
  end.freeze

  CODED = 60 # the type of the first one

  def initialize
    @factory = factory
    @ways = ways
    @salt = 0
  end

  def kinds = KINDS

  def plain = [Shape.of(:bool), Shape.of(:big), Shape.of(:heap_real), Shape.of(:text, 3)]

  # Payloads that once took more than their limit, each for another reason.
  # @return [Array<Shape>]
  def known
    [Shape.of(:list, 100, :big), Shape.of(:list, 100, :huge), Shape.of(:list, 100, :heap_real), Shape.of(:bool),
     Shape.of(:map, 1, :small, :bool), Shape.of(:map, 17, :big, :heap_real), Shape.of(:set, 1, :small),
     Shape.of(:set, 9, :real), Shape.of(:set, 9, Shape.of(:text, 50)), Shape.of(:nested, 1, :bool),
     Shape.of(:nested, 615, :bool), Shape.of(:struct, 130, 0, :bool), Shape.of(:names, 100, 8, :small),
     Shape.of(:list, 100, Shape.of(:symbol, 8)), Shape.of(:chain, 60, 300, :small), Shape.of(:extension, 0),
     Shape.of(:time, 2, 5), Shape.of(:time, 60, 999_999_999), Shape.of(:bignum, 1), Shape.of(:rational, 9, 9),
     Shape.of(:rational, 600, 600), Shape.of(:decimal, 2), Shape.of(:bytes, 8),
     Shape.of(:coded, 0, 1), Shape.of(:coded, 640, 2), Shape.of(:coded, 32, 2), Shape.of(:coded, 8, 3)]
  end

  # @return [Proc] takes a number of elements and returns the payload
  def payloads(shape, random)
    way = @ways.keys.sample(random:)
    options = OPTIONS.sample(random:)
    salted = shape.nodes.any? { |node| %i[names symbol].include?(node.kind) }
    unit = @factory.dump(value(shape, 0)) unless salted
    lambda do |count|
      unit = salted_unit(shape) if salted
      bytes = "\xDD".b + [count].pack("N") + (unit * count)
      input = way == :pieces ? bytes.bytesize : 0
      Payload.new("#{count} times #{shape} by #{way} with #{options}", input, reader(@ways[way], bytes, options))
    end
  end

  private

  # Uses new names, because Ruby keeps one String and one Symbol of each name that it has met.
  def salted_unit(shape)
    @salt += 1
    @factory.dump(value(shape, 0))
  end

  Payload = MemorySearch::Payload
  private_constant :Payload

  def reader(way, bytes, options)
    lambda do |memory|
      limits = Sparpack::Limits.new(memory:, depth: 128, message: nil)
      work, buffer = way.call(bytes, { **options, limits:, allow_unknown_ext: true })
      read = lambda do
        work.call
      rescue MP::LimitExceeded => e
        e
      end
      [read, buffer]
    end
  end

  # Each takes bytes and options, and returns a lambda that reads them.
  def ways
    { load:   ->(bytes, options) { -> { @factory.load(bytes, options) } },
      dig:    ->(bytes, options) { "\x91".b.concat(bytes).then { |outer| -> { @factory.dig(outer, 0, **options) } } },
      fed:    ->(bytes, options) { fed(options, bytes) },
      pieces: ->(bytes, options) { fed(options, bytes.byteslice(0, half = bytes.bytesize / 2), bytes.byteslice(half..)) } }
  end

  def fed(options, *pieces)
    unpacker = @factory.unpacker(options)
    pieces.each { |piece| unpacker.feed(piece) }
    [unpacker.method(:read), unpacker.buffer]
  end

  def factory
    factory = MP::Factory.new
    factory.register_builtin(:time)
    %i[symbol set bigint bigdecimal rational].each_with_index { |name, type| factory.register_builtin(name, type) }
    factory.register_type(9, Nested, recursive: true, packer: ->(list, packer) { list.each { |item| packer.write(item) } },
                                     unpacker: ->(unpacker) { unpacker.each { |item| item } })
    RECORDS.each_value.with_index { |record, i| factory.register_builtin(:struct, 20 + i, record) }
    CODECS.each_with_index { |codec, i| factory.register_type(CODED + i, codec.struct_class, codec:) }
    factory.freeze
  end

  def name(size, number) = Scalars.text(size, (@salt * 20_000) + number)

  def value(shape, number)
    size, second = shape.numbers
    inside = ->(i) { value(shape.parts[0], i) }
    case shape.kind
    when :list      then Array.new(size) { |i| inside[i] }
    when :nested    then Nested.new(size) { |i| inside[i] }
    when :set       then Array.new(size) { |i| inside[i + number] }.to_set
    when :map       then Array.new(size) { |i| [inside[i + number], value(shape.parts[1], i)] }.to_h
    when :names     then Array.new(size) { |i| [name(second, i), inside[i]] }.to_h
    when :struct    then record(shape, number)
    when :chain     then (1..size.clamp(1, LEVELS)).reduce([]) { |inner, _| [inner] + Array.new(second) { |i| inside[i] } }
    else scalar(shape.kind, size, second, number)
    end
  end

  def scalar(kind, size, second, number)
    case kind
    when :float32   then number + 0.5
    when :extension then MP::ExtensionValue.new(99, Scalars.text(size, number))
    when :symbol    then MP::ExtensionValue.new(0, name(size, number))
    when :time      then Time.at((2**size.clamp(0, 60)) + number, second, :nsec)
    when :bignum    then (2**((8 * size) + 64)) + number
    when :rational  then Rational((2**(8 * size)) + number, (3**(4 * second)) + (2 * number))
    when :coded     then coded(CODECS[second % CODECS.size], size, number)
    when :decimal   then BigDecimal("#{"7" * size}.#{number}5")
    else Scalars.value(kind, size, number)
    end
  end

  def coded(codec, size, number)
    numbers = Array.new(size) { Scalars.value(:heap_real, 0, number) }
    codec.struct_class.new(numbers:, text: Scalars.text(size, number))
  end

  def record(shape, number)
    size, filled = shape.numbers
    width = WIDTHS.find { |some| some >= size } || WIDTHS.last
    RECORDS[width].new(*Array.new([filled, width].min) { |i| value(shape.parts[0], i + number) })
  end
end
