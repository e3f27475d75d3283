# frozen_string_literal: true

# Makes random IDLs and random changes to them. The same seed gives the same ones. Structs come after those that they hold.
class IDLMutation
  SCALARS = %w[bool i8 i16 i32 i64 double string binary uuid].freeze
  NAMES = %w[a b c d e f g h].freeze

  Record = Struct.new(:kind, :name, :fields)
  Field = Struct.new(:id, :name, :type, :requiredness, :default)
  Enum = Struct.new(:name, :numbers)

  def initialize(random)
    @random = random
    @named = 0
  end

  # @return [Array<Record, Enum>]
  def definitions
    found = []
    number(1..2).times { found << Enum.new(name("E"), NAMES.first(number(1..4)).map.with_index { |name, i| [name, i] }) }
    number(1..4).times { found << record(found) }
    found
  end

  # @param kinds [Boolean] whether structs may become unions, and strings binaries
  # @return [Array<Record, Enum>] with one or two changes
  def changed(definitions, kinds: true)
    copy = Marshal.load(Marshal.dump(definitions))
    number(1..2).times { change(copy, kinds) }
    copy
  end

  # @return [String]
  def text(definitions)
    definitions.map do |definition|
      if definition.is_a?(Enum)
        parts = definition.numbers.map { |name, number| "#{name} = #{number}" }
        "enum #{definition.name} { #{parts.join(", ")} }"
      else
        parts = definition.fields.map { |field| field_text(definition, field) }
        "#{definition.kind} #{definition.name} { #{parts.join(", ")} }"
      end
    end.join("\n")
  end

  def number(range) = @random.rand(range)
  def pick(list) = list[@random.rand(list.size)]
  def chance(share) = @random.rand < share

  private

  def name(prefix) = "#{prefix}#{@named += 1}"

  def record(known)
    kind = pick(%w[struct struct struct union exception])
    ids = (1..9).to_a.shuffle(random: @random)
    Record.new(kind, name("S"), NAMES.first(number(1..4)).map { |name| field(ids.pop, name, known) })
  end

  def field(id, name, known)
    type = type(known)
    Field.new(id, name, type, pick(["", "", "optional", "required"]), default(type))
  end

  def default(type) = chance(0.2) ? { "i32" => "5", "string" => "'x'", "list<i32>" => "[1]", "bool" => "true" }[type] : nil

  def type(known, depth = 2)
    case number(0..(depth.zero? ? 5 : 8))
    when 0..3 then pick(SCALARS)
    when 4, 5 then known.empty? ? "i32" : pick(known).name
    when 6 then "list<#{type(known, depth - 1)}>"
    when 7 then "set<#{type(known, depth - 1)}>"
    else "map<#{pick(%w[i32 string i8])}, #{type(known, depth - 1)}>"
    end
  end

  def change(definitions, kinds)
    definition = pick(definitions)
    known = definitions.first(definitions.index(definition))
    return rename(definitions, definition) if chance(0.15)
    return values(definition.numbers) if definition.is_a?(Enum)
    return definition.kind = pick(%w[struct union exception]) if kinds && chance(0.1)

    fields(definition.fields, known)
  end

  # Also renames it wherever it is used.
  def rename(definitions, definition)
    was = definition.name
    definition.name = name("N")
    definitions.grep(Record).each do |record|
      record.fields.each { |field| field.type = field.type.gsub(/\b#{was}\b/, definition.name) }
    end
  end

  def values(values)
    case number(0..3)
    when 0 then values << [name("v"), values.map(&:last).max.to_i + 1]
    when 1 then values.delete_at(number(0...values.size)) if values.size > 1
    when 2 then pick(values)[0] = name("v")
    else pick(values)[1] = number(10..20)
    end
  end

  def fields(fields, known)
    used = fields.map(&:id)
    return fields << field(pick((1..12).to_a - used), name("n"), known) if fields.empty? || chance(0.2)

    chosen = pick(fields)
    case number(0..6)
    when 0 then fields.delete(chosen)
    when 1 then chosen.id = pick((1..12).to_a - used)
    when 2 then chosen.name = name("n")
    when 3 then chosen.requiredness = pick(["", "optional", "required"])
    when 4 then chosen.default = default(chosen.type)
    when 5 then fields.reverse!
    else
      chosen.type = type(known)
      chosen.default = nil
    end
  end

  def field_text(record, field)
    union = record.kind == "union"
    "#{field.id}: #{field.requiredness unless union} #{field.type} #{field.name}" \
      "#{" = #{field.default}" if field.default && !union}"
  end
end
