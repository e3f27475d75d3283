# frozen_string_literal: true

# Random classes and objects. The same seed gives the same ones. Each class has a name, for Marshal and YAML.
class RandomSchema
  # The module that names the classes.
  module Made
    module Level
      extend Sparpack::Enum

      LOW = -1
      NONE = 0
      HIGH = 2_147_483_647

      idl "level_t", values: { LOW: "low_one" }
    end
  end

  SCALARS = %i[bool i8 i16 i32 i64 double string binary uuid].freeze
  EDGES = [0, 1, -1, 2, 63, 64, -65, 127, 128, -128, 255, 8191, 8192, 32_767, -32_768, 1 << 20, (1 << 31) - 1, -(1 << 31),
           1 << 35, 1 << 53, (1 << 62) - 1, 1 << 62, -(1 << 62) - 1, (1 << 63) - 1, -(1 << 63)].freeze
  REALS = [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, -5e-324, Float::INFINITY, -Float::INFINITY, Float::MAX, Float::MIN].freeze
  LETTERS = ["a", "b", " ", "\n", "\0", "ü", "ß", "€", "中", "🚲", "\u0301", "\u{10ffff}", "'", "\"", "\\", ":", "1"].freeze

  def initialize(random)
    @random = random
    @classes = []
  end

  # @return [Class] a struct, union or exception with some fields, which may hold others
  def struct_class(depth = 3)
    base = pick(([Sparpack::Struct] * 3) + [Sparpack::Union, Sparpack::Exception])
    made = Made.const_set("S#{Made.constants.size}", Class.new(base))
    names = base == Sparpack::Exception && chance(0.5) ? ["message"] : []
    ids(number(1..8)).each_with_index do |id, index|
      name = (names[index] || "f#{id}").to_sym
      declare(made, id, name, name == :message ? :string : type(depth, made))
    end
    @classes << made
    made
  end

  # @return [Sparpack::Value] with every required field, and some of the others
  def object(struct_class, depth = 4)
    fields = struct_class.schema.fields
    fields = [pick(fields)] if struct_class < Sparpack::Union
    unless struct_class < Sparpack::Union
      fields = fields.select { |field| field.required? || (chance(0.7) && (depth.positive? || flat?(field.type))) }
    end
    struct_class.new(**fields.to_h { |field| [field.name, value(field.type, depth)] })
  end

  def value(type, depth)
    case type.kind
    when :list then many(depth) { value(type.element, depth - 1) }
    when :set then many(depth) { value(type.element, depth - 1) }.to_set
    when :map then many(depth) { [value(type.key, depth - 1), value(type.element, depth - 1)] }.to_h
    when :struct, :union then object(type.target, depth - 1)
    when :enum then pick([-1, 0, 2_147_483_647, 7])
    else scalar(type.kind)
    end
  end

  private

  def declare(made, id, name, type)
    options = {}
    options = pick([{}, {}, { required: true }, { optional: true }]) unless made < Sparpack::Union || type.is_a?(Proc)
    type.is_a?(Proc) ? made.field(id, name, &type) : made.field(id, name, type, **options)
  end

  def type(depth, made)
    case number(0..(depth.positive? ? 13 : 7))
    when 0..6 then pick(SCALARS)
    when 7 then Made::Level
    when 8, 9 then made.list(element(depth))
    when 10 then made.set(element(depth))
    when 11 then made.map(element(depth), element(depth))
    when 12 then struct(depth)
    else made < Sparpack::Union ? pick(SCALARS) : -> { made }
    end
  end

  def element(depth) = type(depth - 1, Element)

  def struct(depth) = @classes.any? && chance(0.4) ? pick(@classes) : struct_class(depth - 1)

  # Types of elements are made with this class: it makes containers and is never recursive itself.
  Element = Class.new(Sparpack::Union)

  # In half of the schemas, all ids can be positions in an array.
  def ids(count)
    @near = chance(0.5) if @near.nil?
    pool = chance(0.7) ? (0..40) : (0..32_767)
    pool = (0..16) if @near
    Array.new(count) { number(pool) }.uniq.shuffle(random: @random)
  end

  def flat?(type) = type.structs.empty?

  def many(depth, &)
    size = depth <= 0 ? 0 : pick([0, 1, 1, 2, 3, 4])
    size = number(15..20) if depth == 4 && chance(0.05)
    Array.new(size, &)
  end

  def scalar(kind)
    case kind
    when :bool then chance(0.5)
    when :double then pick(REALS + [@random.rand, @random.rand(-1e9..1e9)])
    when :string then +"" << Array.new(length) { pick(LETTERS) }.join
    when :binary then @random.bytes(length)
    when :uuid then @random.bytes(16).unpack("H8H4H4H4H12").join("-").encode(Encoding::UTF_8)
    else integer(kind.to_s.delete("i").to_i)
    end
  end

  def integer(bits)
    range = -(1 << (bits - 1))...(1 << (bits - 1))
    edge = pick(EDGES)
    chance(0.5) && range.cover?(edge) ? edge : number(range)
  end

  def length = chance(0.05) ? number(100..300) : number(0..12)
  def pick(list) = list[@random.rand(list.size)]
  def number(range) = @random.rand(range)
  def chance(share) = @random.rand < share
end
