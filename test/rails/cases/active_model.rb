# frozen_string_literal: true

require "minitest/autorun"
require "active_model"
require "sparpack/rails"

# Attributes of Active Model, without Active Record.
class ActiveModelTest < Minitest::Test
  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  class Quote
    include ActiveModel::Model
    include ActiveModel::Attributes
    include ActiveModel::Dirty

    attribute :line, :sparpack, of: "ActiveModelTest::Line"
    attribute :text, :sparpack, of: Line, wire: :json
    validates :line, sparpack: true
  end

  # It does not include ActiveModel::Model, whose hook registers the type.
  class Bare
    include ActiveModel::Attributes

    attribute :line, :sparpack, of: Line
  end

  def test_attributes
    quote = Quote.new(line: { "cents" => "500" }, text: '{"cents":1}')

    assert_equal [Line.new(cents: 500), Line.new(cents: 1)], [quote.line, quote.text]
    quote.changes_applied
    quote.line.cents = 600

    assert_equal ["line"], quote.changed
    assert_equal 5, Bare.new.tap { |bare| bare.line = { cents: 5 } }.line.cents
    assert_raises(Sparpack::ConversionError) { Quote.new(line: { cent: 1 }) }
  end

  # A Hash may change after it was assigned, and before anybody asks for the object.
  def test_a_hash_that_changes
    type = Quote.attribute_types["line"]
    given = { cents: 1 }
    Quote.new.line = given
    given[:cents] = 2

    assert_equal Line.new(cents: 2), type.cast(given)
    Quote.new.line = given
    given[:cents] = 3

    assert_equal Line.new(cents: 3).encode, type.serialize(given).to_s
  end

  def test_parameters_that_are_not_permitted
    error = assert_raises(StandardError) { Quote.new.line = Struct.new(:permitted?).new(false) }

    assert_instance_of ActiveModel::ForbiddenAttributesError, error
  end

  def test_validation
    quote = Quote.new(line: { "cents" => "x" })

    refute_predicate quote, :valid?
    assert_equal ["Line cents: expected i64, found String"], quote.errors.full_messages
    assert_same Sparpack::Rails::Validator, SparpackValidator
  end

  def test_the_type_alone
    type = ActiveModel::Type.lookup(:sparpack, of: Line)

    assert_equal Line.new(cents: 5).encode, type.serialize({ "cents" => 5 }).to_s
    assert_equal :sparpack, type.type
    assert_equal "#<Sparpack::Rails::Type ActiveModelTest::Line compact>", type.inspect
    assert_equal [true, false], [type.binary?, ActiveModel::Type.lookup(:sparpack, of: Line, wire: :json).binary?]
    assert_nil type.serialize(nil)
    assert_nil type.deserialize(nil)
    assert_equal Line.new(cents: 5), type.deserialize(type.serialize(Line.new(cents: 5)))
    type.freeze # it keeps nothing then

    assert_equal([false, true], [5, 6].map { |cents| type.changed_in_place?("\x16\x0A\x00".b, Line.new(cents:)) })
  end

  # Gems such as paper_trail keep what a column holds in YAML, and load it without permission for classes.
  def test_bytes_in_yaml
    type = Bare.attribute_types["line"]
    bytes = type.serialize(Line.new(cents: 500))
    loaded = YAML.safe_load(YAML.dump([bytes]))

    assert_equal [bytes.to_s], loaded
    assert_equal Line.new(cents: 500), type.deserialize(loaded.first)
  end

  MISTAKES = {
    { of: Line, wir: :json } => /unknown option :wir \(did you mean :wire\?\)/,
    { of: Line, corce: true } => /unknown option :corce \(did you mean :coerce\?\)/,
    { of: Line, limit: 1 } => /unknown option :limit \(did you mean :limits\?\)/,
    { of: Line, wire: :jsn } => /unknown wire :jsn/,
    { of: Line, reads: :jsn } => /unknown wire :jsn/,
    { of: Line, coerce: 1 } => /coerce: expected true or false, got 1/,
    { of: Line, frame: :varint } => /unknown option :frame/,
    { of: String } => /expected a subclass of Sparpack::Struct/,
    { of: "line; exit" } => /of: expected the name of a class, got "line; exit"/,
    {} => /missing keyword: :of/
  }.freeze

  def test_mistakes_in_a_declaration
    MISTAKES.each do |options, message|
      assert_match message, assert_raises(ArgumentError, options.inspect) { Sparpack::Rails::Type.new(**options) }.message
    end
    assert_raises(NameError) { Sparpack::Rails::Type.new(of: "NoSuchClass").cast({}) }
  end

  # A name is looked up when it is needed. What else has the name is refused whatever is assigned or read.
  def test_names_of_what_is_no_struct
    %w[String ActiveModelTest Comparable].product(["{}", {}, 1, Line.new]).each do |of, given|
      error = assert_raises(ArgumentError, of) { Sparpack::Rails::Type.new(of:).cast(given) }

      assert_match(/\Aexpected a subclass of Sparpack::Struct, Union or Exception, got #{of}/, error.message)
    end
    assert_raises(ArgumentError) { Sparpack::Rails::Type.new(of: "String").deserialize("\x00") }
  end

  def test_mistakes_in_a_validation
    error = assert_raises(ArgumentError) { Class.new(Quote) { validates :line, sparpack: { mod: :strict } } }
    assert_equal "unknown option :mod (did you mean :mode?)", error.message
    assert_kind_of Class, Class.new(Quote) { validates :line, sparpack: { message: "%{hint}", hint: "x" } }
    model = Class.new(Quote) do
      def self.name = "Noted"
      attr_accessor :note

      validates :note, sparpack: true
    end

    assert_predicate model.new(note: Line.new(cents: 1)), :valid?
    ["a secret", { "cents" => 1 }, [Line.new(cents: 1)]].each do |wrong| # a stranger may have sent it
      noted = model.new(note: wrong).tap(&:valid?)

      assert_equal ["Note expected a struct, found #{wrong.class}"], noted.errors.full_messages
    end
  end

  def test_validation_of_an_attribute_of_another_type
    model = Class.new(Quote) do
      attribute :note, :string
      validates :note, sparpack: true
    end
    error = assert_raises(ArgumentError) { model.new(note: "a secret").valid? }

    assert_equal "validates :note, sparpack: true: expected a struct or an attribute of the type :sparpack, found String",
                 error.message
  end

  def test_names_in_other_scripts
    Object.const_set(:Größe, Class.new(Sparpack::Struct) { field 1, :size, :i64 })

    assert_equal 5, Sparpack::Rails::Type.new(of: "Größe").cast({ size: "5" }).size
  end

  # A class is looked up again after it was loaded again.
  def test_reloading
    Object.const_set(:Parcel, Class.new(Sparpack::Struct) { field 1, :grams, :i64 })
    type = Sparpack::Rails::Type.new(of: "Parcel")
    old = type.cast({ grams: 5 })
    raw = type.serialize(old)
    Object.send(:remove_const, :Parcel)
    Object.const_set(:Parcel, Class.new(Sparpack::Struct) do
      field 1, :grams, :i64
      field 2, :to, :string
    end)

    assert_equal "Ada", type.cast({ grams: 5, to: "Ada" }).to
    assert_equal Parcel.new(grams: 5), type.deserialize(raw)
    assert_equal Parcel.new(grams: 5), type.cast(old)
    assert_equal raw.to_s, type.serialize(old).to_s
    refute type.changed_in_place?(raw, type.cast(old))
  end
end
