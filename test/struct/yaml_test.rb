# frozen_string_literal: true

require "test_helper"
require "support/random_schema"
require "support/seeded"
require "yaml"

# YAML keeps what Marshal keeps.
class YamlTest < Minitest::Test
  include Seeded

  class Note < Sparpack::Struct
    field 1, :id, :i64
    field 2, :text, :string
  end

  class Account < Sparpack::Struct
    field 1, :id, :i64
    field 2, :nights, :i32, default: 7
    field 3, :notes, list(Note)
    field 4, :tags, set(:string)
    field 5, :by_note, map(Note, :binary)
    field 6, :other, "Account"
  end

  class Older < Sparpack::Struct
    field 1, :id, :i64
  end

  class Choice < Sparpack::Union
    field 1, :id, :i64
    field 2, :note, Note
  end

  class OlderChoice < Sparpack::Union
    field 1, :id, :i64
  end

  class Gone < Sparpack::Exception
    field 1, :id, :i64
  end

  class Told < Sparpack::Exception
    field 1, :message, :string
  end

  PERMITTED = [Note, Account, Older, Choice, OlderChoice, Gone, Told, Set].freeze

  def test_nil_over_a_default
    assert_copies Account.new(nights: nil)
    assert_nil copy(Account.new(nights: nil)).nights
    assert_equal 7, copy(Account.new).nights
    assert_equal 7, YAML.unsafe_load("--- !ruby/object:YamlTest::Account\nid: 1\n").nights
  end

  def test_unknown_fields
    note = Note.new(id: 1, text: "kept ü")
    kept = Older.decode(note.encode, unknown: :keep)

    assert_equal note, Note.decode(copy(kept).encode)
    assert_copies kept
    refute_equal kept, Older.new(id: 1)
    refute_includes YAML.dump(note), "("
  end

  def test_a_unions_unknown_variant
    bytes = Choice.note(Note.new(text: "x")).encode
    lost, kept = %i[skip keep].map { |unknown| OlderChoice.decode(bytes, unknown:) }

    assert_copies lost
    assert_copies kept
    assert_equal([[true, nil], [true, nil]], [lost, kept].map { |choice| copy(choice).then { [_1.unknown?, _1.field] } })
    assert_equal bytes, copy(kept).encode
    assert_copies Choice.new
    refute_predicate copy(Choice.new), :unknown?
  end

  def test_exceptions
    gone = assert_raises(Gone) { raise Gone.new("sold", id: 7) }
    told = assert_raises(Told) { raise Told, "sold" }

    [gone, told].each do |error|
      again = copy(error)

      assert_equal [error, "sold", error.backtrace], [again, again.message, again.backtrace]
    end
    assert_nil copy(Gone.new("sold")).backtrace
    assert_equal "YamlTest::Gone", copy(Gone.new).message
  end

  def test_aliases_and_cycles
    note = Note.new(id: 1)
    account = Account.new(notes: [note, note], by_note: { note => "\xFF".b })
    again = copy(account)

    assert_equal account, again
    assert_same again.notes[0], again.notes[1]
    assert_same again.notes[0], again.by_note.keys[0]
    account.other = account

    assert_same(*copy(account).then { [_1, _1.other] })
  end

  def test_frozen
    account = Account.new(id: 1, notes: [Note.new(text: "x")], nights: nil, tags: Set["a"]).freeze(deep: true)

    refute_predicate copy(account), :frozen?
    frozen = YAML.load(YAML.dump(account), permitted_classes: PERMITTED, freeze: true)

    assert_equal account, frozen
    assert frozen.frozen? && frozen.notes[0].frozen? && frozen.notes[0].text.frozen?
  end

  def test_classes_that_are_not_permitted
    error = assert_raises(Psych::DisallowedClass) { YAML.safe_load(YAML.dump(Account.new)) }

    assert_includes error.message, "YamlTest::Account"
  end

  def test_classes_without_a_name
    error = assert_raises(TypeError) { YAML.dump(Class.new(Note).new) }

    assert_match(/can't dump anonymous class #<Class:/, error.message)
  end

  def test_what_cannot_have_been_kept
    ["(unknown): text", "(unknown): 5", "(unknown): true", "(unknown): !binary AAAA"].each do |line|
      error = assert_raises(ArgumentError, TypeError) { YAML.unsafe_load("--- !ruby/object:YamlTest::Older\n#{line}\n") }

      assert_match(/kept fields/, error.message)
    end
  end

  # Each field of a random struct is unknown to a class that has only the others.
  def test_random_unknown_fields
    20.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      next unless struct_class < Sparpack::Struct

      less = RandomSchema::Made.const_set("Less#{RandomSchema::Made.constants.size}", less_than(struct_class))
      5.times do
        kept = less.decode(schema.object(struct_class).encode, unknown: :keep)

        again = YAML.unsafe_load(YAML.dump(kept))

        assert_equal [kept, kept.encode], [again, again.encode]
      end
    end
  end

  private

  def less_than(struct_class)
    Class.new(Sparpack::Struct) { field struct_class.schema.fields[0].id, :kept, struct_class.schema.fields[0].type }
  end

  def assert_copies(object)
    assert_equal object, copy(object)
    assert_equal object, YAML.unsafe_load(YAML.dump(object))
    assert_equal Marshal.load(Marshal.dump(object)), copy(object)
  end

  def copy(object) = YAML.safe_load(YAML.dump(object), permitted_classes: PERMITTED, aliases: true)
end
