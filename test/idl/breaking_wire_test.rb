# frozen_string_literal: true

require "test_helper"
require "support/idl_classes"
require "support/idl_mutation"
require "support/idl_versions"
require "support/seeded"

# One version writes and the other one reads: exactly those changes break that are reported as breaking.
class IDLBreakingWireTest < Minitest::Test
  include IDLVersions
  include Seeded

  # What a message is written with at each level: a wire and its options. The wires of `names` carry names in place of ids.
  WIRES = {
    wire: { compact: {}, binary: {} }.freeze,
    names: { json: { enums: :names }, message_pack: { keys: :names, enums: :names } }.freeze
  }.freeze

  # What readers find fields by.
  BY = { wire: :id, names: :name }.freeze

  # Warnings of what makes a reader refuse a message. The others do not count.
  REFUSED = %i[union_field_added enum_value_added].freeze

  # [old text, new text, whether the wire breaks] for a struct S and what it needs.
  CASES = {
    same: ["struct S { 1: i32 a }", "struct S { 1: i32 a }", false],
    removed: ["struct S { 1: i32 a 2: i32 b }", "struct S { 1: i32 a }", true],
    removed_required: ["struct S { 1: required i32 a }", "struct S { }", true],
    added: ["struct S { 1: i32 a }", "struct S { 1: i32 a 2: string b }", false],
    added_with_default: ["struct S { 1: i32 a }", "struct S { 1: i32 a 2: required string b = 'x' }", false],
    added_required: ["struct S { 1: i32 a }", "struct S { 1: i32 a 2: required string b }", true],
    id_changed: ["struct S { 1: i32 a }", "struct S { 2: i32 a }", true],
    ids_swapped: ["struct S { 1: i32 a 2: i32 b }", "struct S { 2: i32 a 1: i32 b }", true],
    id_reused: ["struct S { 1: i32 a }", "struct S { 1: string b }", true],
    renamed: ["struct S { 1: i32 a }", "struct S { 1: i32 b }", false],
    required: ["struct S { 1: i32 a }", "struct S { 1: required i32 a }", true],
    required_without_default: ["struct S { 1: i32 a = 5 }", "struct S { 1: required i32 a }", true],
    required_with_default: ["struct S { 1: i32 a }", "struct S { 1: required i32 a = 1 }", false],
    optional: ["struct S { 1: required i32 a }", "struct S { 1: optional i32 a }", true],
    optional_before: ["struct S { 1: optional i32 a }", "struct S { 1: i32 a }", false],
    wider: ["struct S { 1: i32 a }", "struct S { 1: i64 a }", true],
    narrower: ["struct S { 1: i16 a }", "struct S { 1: i8 a }", true],
    list_to_set: ["struct S { 1: list<i32> a }", "struct S { 1: set<i32> a }", true],
    element: ["struct S { 1: list<i32> a }", "struct S { 1: list<double> a }", true],
    key: ["struct S { 1: map<i32, bool> a }", "struct S { 1: map<string, bool> a }", true],
    deep_element: ["struct S { 1: map<i32, list<bool>> a }", "struct S { 1: map<i32, list<i8>> a }", true],
    string_to_binary: ["struct S { 1: string a }", "struct S { 1: binary a }", false],
    uuid_to_string: ["struct S { 1: uuid a }", "struct S { 1: string a }", true],
    enum_to_i32: ["enum E { A } struct S { 1: list<E> a }", "struct S { 1: list<i32> a }", false],
    enum_to_i64: ["enum E { A } struct S { 1: E a }", "struct S { 1: i64 a }", true],
    enum_renumbered: ["enum E { A, B } struct S { 1: E a }", "enum E { B, A } struct S { 1: E a }", true],
    enum_renamed: ["enum E { A, B } struct S { 1: E a }", "enum E { A, C } struct S { 1: E a }", false],
    enum_alias: ["enum E { A = 1 } struct S { 1: E a }", "enum E { B = 1, A = 1 } struct S { 1: E a }", false],
    enum_longer_of_another_name: ["enum E { A } struct S { 1: E a }", "enum F { A, C } struct S { 1: F a }", false],
    enum_longer_inside: ["enum E { A } struct P { 1: E e } struct S { 1: list<P> a }",
                         "enum E { A, C } struct Q { 1: E e } struct S { 1: list<Q> a }", false],
    enum_longer: ["enum E { A } struct S { 1: E a }", "enum E { A, C } struct S { 1: E a }", false],
    typedef: ["typedef i32 T struct S { 1: T a }", "struct S { 1: i32 a }", false],
    alike: ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i32 y 2: bool z } struct S { 1: B a }", false],
    unlike: ["struct A { 1: i32 x } struct S { 1: A a }", "struct B { 1: i64 x } struct S { 1: B a }", true],
    unlike_inside: ["struct P { 1: i32 x } struct A { 1: list<P> p } struct S { 1: A a }",
                    "struct Q { 1: i64 x } struct B { 1: list<Q> p } struct S { 1: B a }", true],
    struct_to_union: ["struct S { 1: i32 a 2: i32 b }", "union S { 1: i32 a 2: i32 b }", true],
    union_to_struct: ["union S { 1: i32 a 2: i32 b }", "struct S { 1: i32 a 2: i32 b }", true],
    struct_to_exception: ["struct S { 1: i32 a }", "exception S { 1: i32 a }", false],
    union_longer: ["union S { 1: i32 a }", "union S { 1: i32 a 2: i32 b }", false],
    union_shorter: ["union S { 1: i32 a 2: i32 b }", "union S { 1: i32 a }", true]
  }.freeze

  CASES.each do |name, (old, new, breaks)|
    define_method(:"test_#{name}") do
      assert_equal breaks, breaking(old, new, level: :wire).errors?
      assert_equal breaks, !broken(old, new, 30, :wire).nil?
    end
  end

  # The cases in which it matters that a wire carries names.
  NAMED = {
    renamed: :error, string_to_binary: :error, enum_to_i32: :error, enum_renamed: :error, alike: :error,
    enum_longer: :warning, enum_longer_of_another_name: :warning, enum_longer_inside: :warning, enum_alias: :warning
  }.freeze

  CASES.each do |name, (old, new, breaks)|
    define_method(:"test_#{name}_by_name") do
      found = breaking(old, new)
      breaks ||= NAMED.key?(name)

      assert_equal NAMED.fetch(name, :error) == :error && breaks, found.errors?
      assert refused?(found) if breaks
      assert_equal breaks, !broken(old, new, 30, *WIRES.keys).nil?
    end
  end

  # Changes that are not reported do not break anything.
  def test_nothing_else_breaks
    each_change(300) do |old, new|
      next if breaking(old, new, level: :wire).errors?

      assert_nil broken(old, new, 9, :wire), "#{old}\n\nbecame\n\n#{new}"
    end
  end

  def test_nothing_else_breaks_by_name
    each_change(300) do |old, new|
      next if refused?(breaking(old, new))

      assert_nil broken(old, new, 9, :names), "#{old}\n\nbecame\n\n#{new}"
    end
  end

  # Reported changes break some message of some struct. Changes of enums are left out, because no struct may use them.
  def test_what_breaks_does
    each_change(300, kinds: false) do |old, new|
      found = breaking(old, new, level: :wire)
      next unless found.findings.any? { |finding| finding.error? && finding.rule != :enum_number_changed }

      assert broken(old, new, 400, :wire), "#{old}\n\nbecame\n\n#{new}\n\n#{found.findings.join("\n")}"
    end
  end

  def test_what_breaks_by_name_does
    each_change(300, kinds: false) do |old, new|
      found = breaking(old, new).findings.select { |finding| finding.error? && !finding.rule.start_with?("enum_") }
      next unless found.any? { |finding| finding.level == :names }

      assert broken(old, new, 400, :names), "#{old}\n\nbecame\n\n#{new}\n\n#{found.join("\n")}"
    end
  end

  # Compares a version with itself, and any two: nothing crashes, and each level includes the one before.
  def test_anything_can_be_compared
    each_change(100) do |old, new|
      assert_empty findings(old, old, level: :source)
      other = mutation.text(mutation.definitions)
      counts = Sparpack::IDL::Breaking::Rule::LEVELS.map { |level| breaking(new, other, level:).findings.count(&:error?) }

      assert_equal counts.sort, counts
    end
  end

  private

  def mutation = @mutation ||= IDLMutation.new(random)

  def each_change(count, **options)
    count.times do
      old = mutation.definitions
      yield mutation.text(old), mutation.text(mutation.changed(old, **options))
    end
  end

  def refused?(breaking) = breaking.findings.any? { |finding| finding.error? || REFUSED.include?(finding.rule) }

  # @return [Object, nil] a message of one version that the other one does not read, or reads as something else
  def broken(old, new, count, *levels)
    versions = [old, new].map { |text| version(text).programs.last }
    versions = versions.map { |program| [program, IDLClasses.new(program, random)] }
    versions.permutation(2) do |(program, classes), (other, others)|
      program.records.each do |record|
        twin = other.records.find { |one| one.name == record.name } or next
        wrong = classes.objects(record, count).find do |object|
          levels.any? do |level|
            how = { by: BY[level], strict: program.equal?(versions[0][0]) }
            WIRES[level].any? { |wire| !read?(object, record, wire, twin, others, how) }
          end
        end
        return wrong if wrong
      end
    end
    nil
  end

  def read?(object, record, (wire, options), twin, classes, how)
    again = classes.class_of(twin).decode(object.encode(wire, **options), wire)
    alike?(object, record, again, twin, how)
  rescue Sparpack::EncodeError # a union without values, somewhere inside
    true
  rescue Sparpack::DecodeError
    false
  end

  # What the writer set is there, with the same meaning. Only fields that the new version added may be lost in the old one. A
  # union then knows that it holds something unknown.
  def alike?(object, record, again, twin, how)
    record.fields.all? do |field|
      value = object[field.name.to_sym]
      next true if value.nil?

      other = twin.fields.find { |one| one[how[:by]] == field[how[:by]] }
      next !how[:strict] unless other
      next false if other.name != field.name && (twin.fields + record.fields).count { |one| one.name == field.name } > 1

      same?(value, field.type, again[other.name.to_sym], other.type, how)
    end
  end

  def same?(value, type, other, other_type, how)
    case type.kind
    when :list, :set
      value.size == other.size &&
        value.zip(other.to_a).all? { |pair| same?(pair[0], type.element, pair[1], other_type.element, how) }
    when :map
      pairs = value.to_a.zip(other.to_a)
      pairs.all? do |(key, one), (other_key, two)|
        same?(key, type.key, other_key, other_type.key, how) && same?(one, type.element, two, other_type.element, how)
      end
    when :struct, :union then alike?(value, type.target, other, other_type.target, how)
    when :enum then value == other && meaning?(value, type.target, other_type.target)
    when :string, :binary then value.b == other.b
    else value == other
    end
  end

  # A name that both versions have must stand for the same number.
  def meaning?(number, enum, other)
    return true unless other

    names = enum.enum_values.select { |value| value.number == number }.map(&:name)
    other.enum_values.select { |value| names.include?(value.name) }.all? { |value| value.number == number }
  end
end
