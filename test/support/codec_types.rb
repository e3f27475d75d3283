# frozen_string_literal: true

# Extension types whose objects a codec writes and reads, and the same by Procs.
module CodecTypes
  MP = Sparpack::MessagePack
  Codec = Sparpack::Codec
  Mapping = Sparpack::Mapping

  # A plain class whose reader and constructor do what they are told.
  class Point
    class << self
      attr_accessor :reading, :making
    end

    attr_reader :x, :text

    def initialize(x: nil, y: nil, text: nil)
      @x = x
      @y = y
      @text = text
      Point.making&.call(self)
    end

    def y
      Point.reading&.call(self)
      @y
    end

    def plain_y = @y
    def to_a = [x, plain_y, text]
    def ==(other) = other.is_a?(Point) && to_a == other.to_a
    def hash = to_a.hash
    alias eql? ==
  end

  # Its variables can be read and set without a call.
  class Plain
    attr_reader :x, :y, :text

    def initialize(x, y, text)
      @x = x
      @y = y
      @text = text
    end

    def to_a = [x, y, text]
    def ==(other) = other.is_a?(Plain) && to_a == other.to_a
    def hash = to_a.hash
    alias eql? ==
  end

  class Place < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string
    field 3, :marks, map(:string, list(:i32))
    field 4, :inner, "Place"
  end

  class Choice < Sparpack::Union
    field 1, :number, :i32
    field 2, :place, Place
  end

  class Gone < Sparpack::Exception
    field 1, :message, :string
  end

  Bytes = Struct.new(:bytes)

  TYPES  = { x: :i64, text: :string }.freeze
  POINT  = Mapping.new(Point, { 0 => :x, 1 => :y, 2 => :text }, types: TYPES)
  NAMED  = Mapping.new(Point, %i[x y text], types: TYPES)
  PLAIN  = Mapping.new(Plain, { 0 => :x, 1 => :y, 2 => :text }, types: TYPES, build: :allocate)
  PLACED = Mapping.new(Plain, { 0 => :x, 1 => :y, 2 => :text }, types: TYPES, build: :positional)
  BYTES  = Mapping.new(Bytes, { 0 => :bytes }, types: { bytes: :binary })

  PLACE = Place.new(id: 1, name: "Mitte", marks: { "a" => [1, 2, -70_000] }, inner: Place.new(id: 2))

  # Each codec with objects of its class.
  CODECS = {
    **Sparpack::WIRES.reject { |wire| wire.to_s.start_with?("test") }.to_h do |wire|
      ["struct, #{wire}", [Codec.new(Place, wire), [PLACE, Place.new(id: 3)]]]
    end,
    "names" => [Codec.new(Place, :message_pack, keys: :names), [PLACE]],
    "kept" => [Codec.new(Place, :binary, unknown: :keep, freeze: true), [PLACE]],
    "lazy" => [Codec.new(Place, :compact, lazy: true), [PLACE]],
    "union" => [Codec.new(Choice, :compact), [Choice.new(number: 5), Choice.new(place: PLACE)]],
    "exception" => [Codec.new(Gone, :message_pack), [Gone.new("gone")]],
    "keywords" => [Codec.new(POINT, :message_pack), [Point.new(x: 1, y: [2.5, { "k" => nil }], text: "ä"), Point.new]],
    "by name" => [Codec.new(NAMED, :message_pack), [Point.new(x: 1 << 40, y: -1, text: "text")]],
    "allocate" => [Codec.new(PLAIN, :message_pack), [Plain.new(1, 2, "text")]],
    "positional" => [Codec.new(PLACED, :message_pack, freeze: true), [Plain.new(1, nil, "x" * 500)]]
  }.freeze

  def teardown
    GC.stress = false
    Point.reading = Point.making = nil
  end

  def class_of(codec) = codec.struct_class.then { |type| type.is_a?(Mapping) ? type.mapped_class : type }

  def factory(codec) = MP::Factory.new.tap { |made| made.register_type(5, class_of(codec), codec:) }

  def by_procs(codec)
    MP::Factory.new.tap do |made|
      made.register_type(5, class_of(codec), packer: ->(object) { codec.encode(object) },
                                             unpacker: ->(bytes) { codec.decode(bytes) })
    end
  end

  # @return [Object] what a block returned, or its error
  def outcome
    yield
  rescue Sparpack::Error, MP::UnpackError, EOFError, EncodingError => e
    [e.class, e.message, (e.offset if e.respond_to?(:offset)), (e.path if e.respond_to?(:path))]
  end

  def same(one, other, message = nil) = assert_equal(Marshal.dump(one), Marshal.dump(other), message)

  # Runs the block while a point is read, once.
  def reading
    Point.reading = lambda do |_|
      Point.reading = nil
      yield
    end
  end
end
