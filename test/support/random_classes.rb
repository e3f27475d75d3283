# frozen_string_literal: true

require_relative "random_schema"

# Random classes as people write them in the DSL: in modules and in one another, with defaults, annotations, typedefs, names
# in the IDL, negative ids, enums with aliases, and services. The same seed gives the same classes.
class RandomClasses
  BASES = ([Sparpack::Struct] * 3) + [Sparpack::Union, Sparpack::Exception]
  NAMES = %w[id name Name userId user_id URL value x y_2 class end list message ok hash __private].freeze
  TEXTS = ["", "1", "a b", "quote \" and '", "back\\slash", "tab\tline\nreturn\r", "ü€🚲", "1",
           "// no /* comment */"].freeze

  # Names that Apache's compiler 0.17 refuses.
  NEW = %w[class end list].freeze

  # @param random [Random]
  # @param old [Boolean] whether Apache's compiler 0.17 has to understand the classes
  def initialize(random, old: false)
    @random = random
    @scalars = RandomSchema::SCALARS - (old ? [:uuid] : [])
    @names = NAMES - (old ? NEW : [])
    @old = old
    @values = RandomSchema.new(random)
    @types = []
    @typedefs = []
    @count = 0
  end

  # @return [Module] a nameless one that holds the modules of the classes
  def run
    root = Module.new
    @homes = %w[Shop Billing Deep].map { |name| root.const_set(name, Module.new) }
    @homes << @homes.last.const_set(:Er, Module.new)
    number(2..3).times { enum }
    classes = Array.new(number(5..9)) { struct_class }
    classes.each_with_index { |made, index| fields(made, classes, classes.first(index)) }
    @structs = classes
    number(1..3).times { service(classes.select { |made| made < Sparpack::Exception }) }
    root
  end

  # @return [Array<Class>] structs, unions and exceptions
  attr_reader :structs

  private

  def name(prefix) = "#{prefix}#{@count += 1}"

  def enum
    annotations = method(:annotations)
    values = { A: 0, B: 1, Bee: 1, Low: -(1 << 31), High: (1 << 31) - 1, (@old ? :EMD : :END) => 7 }
    values = values.to_a.sample(number(1..6), random: @random).to_h
    idl_names = values.to_h { |name, _| [name, chance(0.3) ? name.name.downcase : name.name] }
    names = idl_names.values.uniq == idl_names.values ? idl_names : {}
    made = Module.new do
      extend Sparpack::Enum

      values.each { |name, value| const_set(name, value) }
      idl(nil, values: names, annotations: annotations.call, value_annotations: { values.keys[0] => annotations.call })
    end
    pick(@homes).const_set(name("Kind"), made)
    @types << made
  end

  # Some classes are inside others.
  def struct_class
    outer = chance(0.3) && @made&.any? ? pick(@made) : pick(@homes)
    made = outer.const_set(name(pick(%w[Item HTTP_Thing Some_thing])), Class.new(pick(BASES)))
    (@made ||= []) << made
    annotations = annotations()
    idl_name = name("thing_") if chance(0.2)
    made.class_eval { idl(idl_name, annotations:) } if annotations.any? || idl_name
    made
  end

  # Defaults are complete values, of classes that are complete.
  def fields(made, classes, complete)
    counted = -1
    ids = Array.new(number((made < Sparpack::Union ? 1 : 0)..7)) { number(0..40) }.uniq
    classes = complete if made < Sparpack::Union
    @names.sample(ids.size, random: @random).zip(ids).each do |name, id|
      break if id.nil?

      id = (counted -= 1) + 1 if chance(0.15)
      type = name == "message" ? Sparpack::Type.of(:string) : type(2, classes)
      made.field(id, name.to_sym, type, **options(made, type, name, complete), implicit: id.negative?)
    end
  end

  def options(made, type, name, complete)
    options = chance(0.3) ? { annotations: annotations } : {}
    options[:idl_name] = name("#{name}X") if chance(0.2)
    return options.merge(chance(0.2) ? { optional: true } : {}) if made < Sparpack::Union

    options = options.merge(pick([{}, {}, { required: true }, { optional: true }]))
    options.delete(:required) if type.structs.any? # its objects would have no end
    options[:default] = default(type) if chance(0.5) && within?(type, complete)
    options.compact
  end

  # A class that has objects gets no more fields, and objects of classes that lead to themselves might not end.
  def within?(type, complete, above = [])
    type.structs.all? do |made|
      complete.include?(made) && !above.include?(made) && !empty_union?(made) &&
        Sparpack::Declared.fields(made).all? { |field| within?(field.type, complete, [*above, made]) }
    end
  end

  def empty_union?(made) = made < Sparpack::Union && Sparpack::Declared.fields(made).empty?

  def default(type)
    value = @values.value(type, 2)
    said?(value, type) ? value : nil
  end

  # IDL cannot say all values.
  def said?(value, type)
    case type.kind
    when :enum then type.target.name_of(value)
    when :double then value.to_f.finite?
    when :list, :set then value.all? { |element| said?(element, type.element) }
    when :map then value.all? { |key, element| said?(key, type.key) && said?(element, type.element) }
    when :struct, :union
      Sparpack::Declared.schema(type.target).fields.all? do |field|
        value[field.name].nil? ? field.default.nil? : said?(value[field.name], field.type)
      end
    when :string, :binary then !value.include?("\0")
    else true
    end
  end

  def type(depth, classes)
    found = case number(0..(depth.positive? ? 11 : 7))
            when 0..4 then Sparpack::Type.of(pick(@scalars))
            when 5 then Sparpack::Type.of(pick(@types))
            when 6, 7 then Sparpack::Type.of(classes.empty? ? :bool : pick(classes))
            when 8, 9 then Sparpack::Type.list(type(depth - 1, classes))
            when 10 then Sparpack::Type.set(type(depth - 1, classes))
            else Sparpack::Type.map(type(depth - 1, classes), type(depth - 1, classes))
            end
    return found.annotate(annotations) if chance(0.1) && !found.target

    chance(0.1) ? typedef(found) : found
  end

  def typedef(type)
    return pick(@typedefs) if @typedefs.any? && chance(0.4)

    (@typedefs << type.named(name("Alias"), annotations)).last
  end

  def service(exceptions)
    base = chance(0.4) && @service ? @service : Sparpack::Service
    made = pick(@homes).const_set(name("Api"), Class.new(base))
    number(0..3).times { function(made, exceptions) }
    @service = made
  end

  def function(made, exceptions)
    type = type(1, @made) if chance(0.6)
    fields = Array.new(number(0..3)) do |index|
      [index + 1, :"a#{index}", type(1, @made), pick([{}, { required: true }, { optional: true }])]
    end
    thrown = type || chance(0.5) ? exceptions.first(number(0..2)) : []
    name = name("call").to_sym
    oneway = type.nil? && thrown.empty? && chance(0.5)
    made.send(:function, name, type, oneway:, annotations: chance(0.3) ? annotations : {}) do
      fields.each { |id, field, kind, options| argument(id, field, kind, **options) }
      thrown.each_with_index { |exception, index| throws(index + 1, :"e#{index}", exception) }
    end
  end

  def annotations
    Array.new(number(0..2)) { [pick(%w[a b.c deprecated]), chance(0.2) ? %w[1 2] : pick(TEXTS)] }.to_h
  end

  def pick(list) = list[@random.rand(list.size)]
  def number(range) = @random.rand(range)
  def chance(share) = @random.rand < share
end
