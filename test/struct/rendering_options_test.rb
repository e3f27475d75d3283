# frozen_string_literal: true

require "test_helper"
require "json"
require "support/fresh_ruby"

# Options of to_json and as_json.
class RenderingOptionsTest < Minitest::Test
  include FreshRuby

  module Color
    extend Sparpack::Enum

    RED = 1
    DARK = 2

    idl values: { DARK: "dark" }
  end

  class Inner < Sparpack::Struct
    field 1, :id, :i64
    field 2, :color, Color
  end

  class Outer < Sparpack::Struct
    field 1, :id, :i64
    field 2, :color, Color
    field 3, :colors, map(Color, list(Color))
    field 4, :ids, map(:i64, set(:i64))
    field 5, :inner, Inner
    field 6, :by_inner, map(Inner, :i32)
  end

  class Own < Sparpack::Struct
    field 1, :id, :i64

    def as_json(options = nil) = { "own" => options }
  end

  class Holder < Sparpack::Struct
    field 1, :own, Own
    field 2, :id, :i64
  end

  OUTER = Outer.new(id: 7, color: 2, colors: { 1 => [2, 9] }, ids: { 1 => Set[2] }, inner: Inner.new(id: 1, color: 1),
                    by_inner: { Inner.new(id: 3, color: 2) => 4 })

  # The native core writes the first text, and Ruby the second, because the json gem indents it.
  def texts(options) = [OUTER.to_json(options), JSON.parse(OUTER.to_json({ **options, indent: " " })).to_json]

  def test_forms
    [{}, { enums: :names }, { i64: :string }, { enums: :names, i64: :string },
     { enums: :numbers, i64: :number }].each do |options|
      expected = OUTER.encode(:json, **options)

      assert_equal [expected, expected], texts(options)
      assert_equal expected, JSON.generate(OUTER.as_json(options))
      assert_equal expected, OUTER.to_json({ **options, status: 200, prefixes: ["orders"] })
    end
    assert_equal '{"id":"7","color":"dark"}', OUTER.to_json(only: %i[id color], enums: :names, i64: :string)
    assert_equal '{"outer":{"id":"7"}}', OUTER.to_json(only: :id, root: "outer", i64: :string)
  end

  def test_classes_with_their_own_rendering
    holder = Holder.new(own: Own.new, id: 1)

    assert_equal({ "own" => { "own" => nil }, "id" => 1 }, holder.as_json)
    assert_equal({ "own" => { "own" => { i64: :string } }, "id" => "1" }, holder.as_json(i64: :string))
    assert_equal({ "own" => { "own" => { except: [:id], i64: :string } } }, holder.as_json(except: [:id], i64: :string))
  end

  def test_other_values_of_an_option
    [:to_json, :as_json].each do |name|
      error = assert_raises(ArgumentError) { OUTER.public_send(name, enums: :name) }

      assert_equal "enums: expected one of :numbers, :names, got :name (did you mean :names?)", error.message
      assert_raises(ArgumentError) { OUTER.public_send(name, i64: "string") }
      assert_raises(ArgumentError) { OUTER.public_send(name, i64: :text, prefixes: []) }
    end
  end

  def test_unknown_options
    { onyl: /did you mean :only\?/, keys: /its idl_name:/, enum: /did you mean :enums\?/, foo: /known: :only, /,
      "only" => /did you mean :only\?/, 1 => /unknown option 1/ }.each do |name, hint|
      error = assert_raises(ArgumentError, name.inspect) { OUTER.to_json({ name => :names }) }

      assert_match(/\Aunknown option #{name.inspect}/, error.message)
      assert_match(hint, error.message)
    end
  end

  # Rails' render, the json gem and encoders pass options that are not for one object.
  def test_options_of_others
    plain = OUTER.to_json

    [{ status: 200 }, { "status" => 200, location: "/" }, { prefixes: [], serializer: 1, onyl: 2 }, { content_type: "x" },
     { max_nesting: 50 }, {}].each { |options| assert_equal plain, OUTER.to_json(options), options.inspect }
    assert_equal plain, JSON.generate(OUTER)
    assert_equal "[#{plain}]", JSON.generate([OUTER], indent: "")
    assert_equal OUTER.as_json, OUTER.as_json(currency: "EUR")
  end

  def test_options_with_active_support
    fresh_ruby(<<~RUBY)
      require "sparpack"
      require "active_support/all"

      class Inner < Sparpack::Struct
        field 1, :id, :i64
      end
      inner = Inner.new(id: 1)
      expect = ->(wanted, found) { wanted == found or raise "\#{found} instead of \#{wanted}" }
      expect['{"id":"1"}', inner.to_json(i64: :string)]
      expect['{"id":"1"}', inner.to_json({ "i64" => :string }.with_indifferent_access)]
      expect['{}', inner.to_json({ "except" => ["id"] }.with_indifferent_access)]
      expect['[{"id":"1"}]', [inner].to_json(i64: :string)]
      expect['[{"id":1}]', [inner].to_json(currency: "EUR")]
      expect['{"id":1}', inner.to_json(escape: false)]
      expect['{"id":1}', inner.to_json(prefixes: [], foo: 1)]
      begin
        inner.to_json(onyl: 1)
        raise "not refused"
      rescue ArgumentError
      end
    RUBY
  end

  def test_other_options_are_strict
    [:decode, :codec].each do |call|
      arguments = call == :decode ? ["\0"] : []
      ["yes", 1, :true].each do |value| # rubocop:disable Lint/BooleanSymbol
        error = assert_raises(ArgumentError) { Inner.public_send(call, *arguments, freeze: value) }

        assert_match(/\Afreeze: expected true or false, got /, error.message)
      end
    end
    { true => true, false => false, nil => false }.each do |freeze, frozen|
      assert_equal frozen, Inner.from_json("{}", freeze:).frozen?
    end
    { keys: /does not know the option :keys/, onyl: /unknown option :onyl/ }.each do |name, message|
      assert_match(message, assert_raises(ArgumentError) { Inner.from_json("{}", name => :camel) }.message)
    end
  end
end
