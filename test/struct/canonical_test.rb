# frozen_string_literal: true

require "test_helper"
require "support/spelling"
require "support/random_forms"
require "support/seeded"
require "yaml"
require "support/wire_forms"

using WireForms

# The forms of values: what assignment converts, what from_h converts, and that validation and encoding agree about the rest.
class CanonicalTest < Minitest::Test
  include Seeded

  module Currency
    extend Sparpack::Enum

    EURO = 1
    DOLLAR = 2
    RAND = 3

    idl "currency_t", values: { EURO: "eur", DOLLAR: "RAND" } # this is also the Ruby name of another value
  end

  module Many
    extend Sparpack::Enum

    (1..40).each { |number| const_set("VALUE_#{number}", number) }
  end

  class Line < Sparpack::Struct
    field 1, :cents, :i32, idl_name: "centAmount"
    field 2, :currency, Currency
    field 3, :tags, set(:string)
  end

  class Choice < Sparpack::Union
    field 1, :currency, Currency
    field 2, :title, :string
    field 3, :id, :uuid
    field 4, :line, Line
  end

  class All < Sparpack::Struct
    field 1, :currency, Currency
    field 2, :name, :string
    field 3, :id, :uuid
    field 4, :rate, :double
    field 5, :photo, :binary
    field 6, :lines, list(Line), idl_name: "orderLines"
    field 7, :by_currency, map(Currency, list(Currency))
    field 8, :ids, set(:uuid)
    field 9, :choice, Choice
    field 10, :names, map(:string, set(:string))
    field 11, :rates, list(:double)
    field 12, :by_line, map(Line, :binary)
    field 13, :ahead, "Ahead"
    field 14, :ahead_too, "All"
    field(15, :ahead_id) { :uuid }
    field(16, :ahead_name) { :string }
    field 17, :many, Many
  end

  module Ahead
    extend Sparpack::Enum

    ONE = 1
  end

  class Wide < Sparpack::Struct
    (0...300).each { |id| field id, :"f#{id}", Currency }
  end

  class Refused < Sparpack::Exception
    field 1, :message, :string
    field 2, :currency, Currency
  end

  LOWER = "00112233-4455-6677-8899-aabbccddeeff"

  # --- assignment -------------------------------------------------------------------------------------------------------

  # [assigned value, stored value] for each field.
  ASSIGNED = {
    currency: [[:EURO, 1], ["EURO", 1], ["eur", 1], [:eur, 1], ["RAND", 3], ["EURO".b, 1],
               [2, 2], [99, 99], [nil, nil], [1.5, 1.5], [1 << 70, 1 << 70]],
    name: [[:text, "text"], [:ü, "ü"], ["text", "text"], [5, 5], [nil, nil], ["\xff", "\xff"]],
    id: [[LOWER.upcase, LOWER], [LOWER, LOWER], ["00112233-4455-6677-8899-AaBbCcDdEeFf", LOWER], ["no uuid", "no uuid"],
         ["#{LOWER.upcase}\n", "#{LOWER.upcase}\n"], ["\xff" * 36, "\xff" * 36], [:symbol, :symbol], [5, 5], [nil, nil],
         [LOWER.upcase.tr("-", "+"), LOWER.upcase.tr("-", "+")], [LOWER.tr("a", "g"), LOWER.tr("a", "g")]],
    rate: [[1, 1], [1.5, 1.5]],
    photo: [["ü", "ü"], [:symbol, :symbol]],
    ahead: [["ONE", 1], [:ONE, 1], [1, 1]],
    ahead_too: [["text", "text"], [:symbol, :symbol]],
    ahead_id: [[LOWER.upcase, LOWER]],
    ahead_name: [[:text, "text"], ["text", "text"]]
  }.freeze

  def test_each_way_to_assign
    ASSIGNED.each do |name, cases|
      cases.each do |given, held|
        ways = { new: All.new(name => given), writer: All.new.tap { _1.public_send(:"#{name}=", given) },
                 index: All.new.tap { |all| all[name.name] = given }, with: All.new.with(name => given),
                 from_h: All.from_h(name => 5).tap { |all| all[name] = given } }
        ways.each { |way, all| assert_equal [held, held.class], [all[name], all[name].class], [way, name, given].inspect }
      end
    end
  end

  def test_unions_exceptions_and_wide_structs
    { currency: :currency, title: :name, id: :id }.each do |name, cases|
      ASSIGNED[cases].each do |given, held|
        next if given.nil?

        [Choice.new(name => given), Choice.public_send(name, given), Choice.new.tap { |choice| choice[name] = given },
         Choice.currency(2).with(name => given)].each { |choice| assert_equal [name, held], [choice.field, choice.value] }
      end
    end
    refused = Refused.new(:sold, currency: "eur")
    wide = Wide.new(f299: :EURO, f5: "RAND")

    assert_equal [1, "sold", 1, 3], [refused.currency, refused[:message], wide.f299, wide.f5]
    assert_equal 1, Wide.new.tap { _1.f299 = "eur" }.f299
  end

  def test_what_is_canonical_stays_the_same_object
    { name: "text", id: LOWER.dup, photo: "x", rate: 1.5 }.each do |name, value|
      assert_same value, All.new(name => value)[name]
      assert_same value, All.new.tap { |all| all[name] = value }[name]
    end
    upper = LOWER.upcase.freeze
    held = All.new(id: upper).id

    assert_equal [LOWER.upcase, false, Encoding::UTF_8], [upper, held.frozen?, held.encoding]
    text = All.new(name: :text).name

    assert_equal [false, Encoding::UTF_8], [text.frozen?, text.encoding]
  end

  def test_containers_are_the_callers
    { by_currency: { EURO: ["RAND"] }, ids: [LOWER.upcase], rates: [1], lines: [] }.each do |name, container|
      before = Marshal.load(Marshal.dump(container))
      all = All.new(name => container)

      assert_same container, all[name]
      assert_equal before, container
    end
  end

  def test_names_that_do_not_exist
    known = "known: :EURO, :DOLLAR, :RAND"
    close = "(did you mean :EURO? #{known})"
    seen = { "EURO\0" => "named by a String of 5 bytes", "\xff" => "named by a String of 1 byte" } # they cannot be names
    [["EURP", close], [:EURP, close], ["EURO\0", close], ["5", "(#{known})"], ["", "(#{known})"],
     ["\xff", "(#{known})"]].each do |name, hint|
      message = "CanonicalTest::All.currency: CanonicalTest::Currency has no value #{seen.fetch(name, name.inspect)} #{hint}"
      [-> { All.new(currency: name) }, -> { All.new.currency = name }, -> { All.new[:currency] = name },
       -> { All.new.with(currency: name) }, -> { All.from_h("currency" => name) }].each do |call|
        assert_equal message, assert_raises(ArgumentError, &call).message
      end
    end
    listed = (1..12).map { |number| ":VALUE_#{number}" }.join(", ")

    assert_equal "CanonicalTest::All.many: CanonicalTest::Many has no value :X (known: #{listed} and 28 more)",
                 assert_raises(ArgumentError) { All.new(many: :X) }.message
    assert_match(/Ahead has no value "TWO" \(known: :ONE\)/, assert_raises(ArgumentError) { All.new(ahead: "TWO") }.message)
  end

  def test_frozen_objects_do_not_change
    [[:currency, :EURO], [:name, :text], [:id, LOWER.upcase]].each do |name, value|
      assert_raises(FrozenError) { All.new.freeze[name] = value }
    end
  end

  # A dump may come from a time when the class stored other forms.
  def test_marshal_and_yaml
    all = All.new(currency: "eur", id: LOWER.upcase, name: :text)

    assert_equal all, Marshal.load(Marshal.dump(all))
    assert_equal all, YAML.unsafe_load("--- !ruby/object:CanonicalTest::All\ncurrency: eur\nid: #{LOWER.upcase}\n" \
                                       "name: !ruby/symbol text\n")
  end

  def test_defaults
    made = Class.new(Sparpack::Struct) do
      field 1, :currency, Currency, default: "eur"
      field 2, :id, :uuid, default: LOWER.upcase
      field 3, :rate, :double, default: 1
      field 4, :name, :string, default: "ü".encode("UTF-16LE")
      field 5, :photo, :binary, default: "ü"
      field 6, :tags, set(Currency), default: ["eur", :RAND]
      field 7, :line, Line, default: Line.new(tags: %i[a b])
    end

    assert_equal [1, LOWER, 1.0, "ü", "ü".b, Set[1, 3], Line.new(tags: Set["a", "b"])], made.new.to_h.values
    assert_equal made.new, made.decode(made.new.encode)
    assert_instance_of Float, made.new.rate
    error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :x, list(Currency), default: [1, "X"] } }

    assert_match(/\.x\[1\]: the default does not fit: CanonicalTest::Currency has no value "X" \(known: /, error.message)
  end

  # --- from_h -----------------------------------------------------------------------------------------------------------

  def test_from_h
    hash = { "currency" => "eur", name: :text, "id" => LOWER.upcase, rate: 2, photo: "ü",
             "orderLines" => [{ "centAmount" => 5, "currency" => :RAND, tags: %i[a b a] }, Line.new(tags: ["x"])],
             by_currency: { "EURO" => ["RAND", :eur, 2] }, ids: [LOWER.upcase, LOWER], choice: { "currency" => "RAND" },
             names: { key: %w[a b] }, rates: [1, 2.5], by_line: { { cents: 1, tags: [:t] } => "ü" }, ahead: "ONE" }
    expected = All.new(currency: 1, name: "text", id: LOWER, rate: 2.0, photo: "ü".b,
                       lines: [Line.new(cents: 5, currency: 3, tags: Set["a", "b"]), Line.new(tags: Set["x"])],
                       by_currency: { 1 => [3, 1, 2] }, ids: Set[LOWER], choice: Choice.currency(3),
                       names: { "key" => Set["a", "b"] }, rates: [1.0, 2.5],
                       by_line: { Line.new(cents: 1, tags: Set["t"]) => "ü".b }, ahead: 1)
    made = All.from_h(hash)

    assert_operator made, :eql?, expected
    Spelling.wires(made).each { |wire| assert_operator made, :eql?, All.decode(made.encode(wire), wire) }
    assert_operator Sparpack.from_h(All, hash), :eql?, expected
    assert made.valid?(:recursive)
    assert_equal [2, "ü", %i[a b a], ["x"]], [hash[:rate], hash[:photo], *hash["orderLines"].map { _1[:tags] }] # unchanged
  end

  def test_texts_in_other_encodings
    made = All.from_h(name: "ü".encode("ISO-8859-1"), names: { "ü".b => ["ü".encode("UTF-16LE")] },
                      lines: [{ tags: ["a".encode("US-ASCII")] }])

    assert_equal made, All.decode(made.encode)
    assert_equal [Encoding::UTF_8] * 4,
                 [made.name, *made.names.first.flat_map { |part| [*part] }, *made.lines[0].tags].map(&:encoding)
    ["\xff", "\xff".b, "\xE9".b.force_encoding("US-ASCII"), "\xD8".b.force_encoding("UTF-16LE")].each do |broken|
      assert_same broken, All.from_h(name: broken).name
    end
  end

  def test_what_is_not_of_its_type_stays
    wrong = { lines: 5, by_currency: [1], ids: { 1 => 2 }, choice: [], rate: "1", id: "x", photo: 5, names: nil }
    made = All.from_h(wrong)

    wrong.each { |name, value| value.nil? ? assert_nil(made[name]) : assert_equal(value, made[name]) }
    assert_equal %w[by_currency choice id ids lines photo rate], made.errors(:strict).map { |e| e.path[/\w+\z/] }.sort
  end

  def test_paths_of_names_that_do_not_exist
    { { lines: [{}, { currency: "X" }] } => "lines[1].currency",
      { by_currency: { 1 => [1, :X] } } => "by_currency.values[0][1]",
      { by_currency: { 1 => [], "X" => [] } } => "by_currency.keys[1]",
      { choice: { line: { currency: "X" } } } => "choice.line.currency",
      { by_line: { { currency: :X } => "" } } => "by_line.keys[0].currency", { currency: "X" } => "currency",
      { ahead_too: All.new(by_currency: { X: [] }) } => "ahead_too.by_currency.keys[0]" }.each do |hash, path|
      error = assert_raises(ArgumentError) { All.from_h(hash) }

      assert_match(/\ACanonicalTest::All\.#{Regexp.escape(path)}: CanonicalTest::Currency has no value :?"?X"? \(known: /,
                   error.message)
      assert_nil error.cause
    end
  end

  def test_objects_that_are_canonical_stay_the_same
    line = Line.new(cents: 1, tags: Set["a"])
    loose = Line.new(cents: 1, tags: ["a"])
    made = All.from_h(lines: [line, loose, loose])

    assert_same line, made.lines[0]
    assert_same made.lines[1], made.lines[2]
    refute_same loose, made.lines[1]
    assert_equal [["a"], Set["a"]], [loose.tags, made.lines[1].tags]
    subclass = Class.new(Line)

    assert_instance_of subclass, All.from_h(lines: [subclass.new(tags: ["a"])]).lines[0]
  end

  def test_cycles
    all = All.new(names: { a: [] })
    all.ahead_too = all
    made = All.from_h(ahead_too: all)

    assert_equal({ "a" => Set[] }, made.ahead_too.names)
    assert_same all, made.ahead_too.ahead_too
  end

  def test_unknown_fields_of_nested_objects_stay
    older = Class.new(Sparpack::Struct) { field 3, :tags, list(:string) }
    newer = Class.new(Sparpack::Struct) { field 1, :old, older }
    kept = older.decode(Class.new(Sparpack::Struct) { field 9, :x, :i8 }.new(x: 1).encode, unknown: :keep)
    kept.tags = [:a]

    assert_equal older.decode(kept.encode, unknown: :keep), newer.from_h(old: kept).old
  end

  def test_names_of_the_idl_give_way_to_rubys
    made = Class.new(Sparpack::Struct) do
      field 1, :a, :i8, idl_name: "b"
      field 2, :b, :i8, idl_name: "c"
    end

    assert_equal [nil, 1], made.from_h("b" => 1).to_h.values
    assert_equal [1, 2], made.from_h(a: 1, c: 2).to_h.values
    assert_equal made.new(a: 1, b: 2), made.from_h(made.new(a: 1, b: 2).to_h)
    assert_raises(ArgumentError) { made.new(c: 1) }
  end

  # --- random values ----------------------------------------------------------------------------------------------------

  def test_right_forms
    200.times do
      object = random_object
      hash = RandomForms.new(random, hashes: true).hash(object)
      made = object.class.from_h(hash)

      assert_operator made, :eql?, object, hash.inspect
      assert_operator object.class.from_h(made.to_h), :eql?, object
      assert_empty faults(made)
      Spelling.wires(made).each { |wire| assert_equal made, object.class.decode(made.encode(wire), wire) }
      loose = object.class.new(**RandomForms.new(random, hashes: false).hash(object).transform_keys(&:to_sym))

      assert_empty faults(loose)
      Spelling.wires(object).each { |wire| assert_equal object, object.class.decode(loose.encode(wire), wire) }
      assert_operator object.class.from_h(loose.to_h), :eql?, object
      assert_operator object.class.from_h(loose.to_h(deep: true)), :eql?, object
    end
  end

  def test_wrong_forms
    found = Hash.new(0)
    400.times do
      object = RandomForms.new(random, hashes: false).wrong_object(random_object) rescue next # rubocop:disable Style/RescueModifier
      found[assert_agreement(object)] += 1
    end

    assert_operator found.values.min, :>, 20, found.inspect
    assert_equal 2, found.size
  end

  private

  def random_object
    schema = RandomSchema.new(random)
    schema.object(schema.struct_class)
  end

  # @return [Boolean] whether the object is valid
  def assert_agreement(object)
    faults = faults(object)
    Spelling.wires(object).each do |wire|
      bytes = object.encode(wire)

      assert_empty faults, object.inspect
      decoded = object.class.decode(bytes, wire)
      assert_equal decoded, object.class.from_h(object.to_h(deep: true)), object.inspect
      assert_equal decoded, object.class.from_h(object.to_h)
    rescue Sparpack::EncodeError => e
      refute_empty faults, "#{object.inspect}\n#{e.message}"
      assert_includes faults.map(&:path), e.path
      assert_equal e.message.sub(/ \(#{WireForms.wire(wire)}\)(?=\z| \()/, ""), faults.find { |fault|
        fault.path == e.path
      }.message
    end
    faults.empty?
  end

  # Ignores numbers that an enum does not name, because they are encoded.
  def faults(object)
    object.errors(:recursive).reject do |fault|
      fault.expected == RandomSchema::Made::Level.name && fault.found.match?(/\A-?\d+\z/) &&
        Sparpack::Type::RANGES[:enum].cover?(fault.found.to_i)
    end
  end
end
