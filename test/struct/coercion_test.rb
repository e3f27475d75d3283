# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/fresh_ruby"
require "support/patience"
require "support/seeded"
require "tmpdir"

# What from_h makes of the parameters of a form: what it takes, what it refuses, and that it finds all faults at once.
class CoercionTest < Minitest::Test
  include FreshRuby
  include Seeded

  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2

    idl values: { PAID: "paid" }
  end

  class Line < Sparpack::Struct
    field 1, :count, :i32, required: true, idl_name: "lineCount"
    field 2, :note, :string
    field 3, :lines, list("Line")
  end

  class Choice < Sparpack::Union
    field 1, :cents, :i32
    field 2, :text, :string
    field 3, :line, Line
    field 4, :photo, :binary
  end

  Point = ::Struct.new(:x)

  class All < Sparpack::Struct
    field 1, :bool, :bool
    field 2, :i8, :i8
    field 3, :i16, :i16
    field 4, :i32, :i32
    field 5, :i64, :i64
    field 6, :double, :double
    field 7, :string, :string
    field 8, :binary, :binary
    field 9, :uuid, :uuid
    field 10, :status, Status
    field 11, :line, Line
    field 12, :lines, list(Line)
    field 13, :numbers, list(:i8)
    field 14, :bools, list(:bool)
    field 15, :tags, set(:string)
    field 16, :flags, map(:i32, :bool)
    field 17, :labels, map(:string, list(:double))
    field 18, :choice, Choice
    field 19, :table, list(list(:i32))
    field 20, :by_line, map(Line, Status)
    field 21, :point, Sparpack::Mapping.new(Point, %i[x])
    field 22, :statuses, set(Status)
  end

  ALL = "CoercionTest::All"
  LOWER = "00112233-4455-6677-8899-aabbccddeeff"
  NO_BOOL = /expected bool, found text that is not a boolean\z/
  NO_I64 = /expected i64, found text that is not an integer\z/
  NO_DOUBLE = /expected double, found text that is not a number\z/

  def self.lines(*counts) = counts.map { |count| Line.new(count:) }

  # What each value becomes. A Regexp is a part of the message of the fault.
  CASES = {
    bool: { "1" => true, "t" => true, "T" => true, "true" => true, "TRUE" => true, "on" => true, "ON" => true,
            "0" => false, "f" => false, "F" => false, "false" => false, "FALSE" => false, "off" => false, "OFF" => false,
            :off => false, 0 => false, 1 => true, true => true, false => false, "" => nil, " \t\u00A0" => nil, nil => nil,
            "True" => NO_BOOL, "no" => NO_BOOL, "yes" => NO_BOOL, " 1" => NO_BOOL, "\xFF" => NO_BOOL,
            2 => /expected bool, found 2/, 1.0 => /found Float/, [] => /found Array/ },
    i8: { "127" => 127, "-128" => -128, "+5" => 5, "007" => 7, " \n12\t" => 12, :"3" => 3, 5 => 5, 5.0 => 5, "" => nil,
          "\u3000 " => nil, "128" => /expected i8, found 128\z/, 300 => /found 300/, 5.5 => /found Float/,
          Float::NAN => /found Float/, Float::INFINITY => /found Float/, "#{"0" * 900}9" => 9,
          "9" * 999 => /found an Integer of 3319 bits/, "9" * 1_001 => /found a String of 1001 bytes/,
          " " * 1_001 => /found a String of 1001 bytes/, true => /found true/, 1r => /found Rational/, {} => /found Hash/ },
    i64: { "9223372036854775807" => (2**63) - 1, "-9223372036854775808" => -(2**63), "12".encode("utf-16le") => 12,
           "9223372036854775808" => /found 9223372036854775808/ }
      .merge(["abc", "12abc", "1_000", "1,000", "1.0", "1e3", "0x1A", "0b1", "1 2", "--1", "+", "1\0", "\u00A01", "\u0661",
              "\uFF11", "1e3".encode("utf-16le"), "\xFF1", "1\n2"].to_h { |text| [text, NO_I64] }),
    double: { "1.5" => 1.5, "-1" => -1.0, "+.5" => 0.5, "5." => 5.0, "1e3" => 1000.0, ".5E-1" => 0.05, " 2 " => 2.0,
              7 => 7.0, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY, 1.5 => 1.5, "" => nil, "  " => nil,
              "1e999" => /found a number that is too large/, 1 << 2000 => /found an Integer of 2001 bits/ }
      .merge(["abc", "1,5", "1_0.0", "0x1A", "5.e3", ".", "e5", "1e", "inf", "nan", "1.5.2", "1.5 kg", "\u0661"]
               .to_h { |text| [text, NO_DOUBLE] }),
    string: { "" => "", " a " => " a ", :name => "name", 5 => "5", 1.5 => "1.5", "ü".encode("iso-8859-1") => "ü",
              "ü".b => "ü", nil => nil, "\xFF" => /expected text that is valid UTF-8, found a String of 1 byte in UTF-8/,
              true => /expected string, found true/, [] => /found Array/, 1 << 200 => /found an Integer of 201 bits/ },
    binary: { "" => "".b, "\xFF" => "\xFF".b, "ü" => "ü".b, 5 => /expected binary, found 5/ },
    uuid: { LOWER => LOWER, LOWER.upcase => LOWER, "" => nil, " " => nil, "x" => /expected uuid, found a String of 1 byte/,
            LOWER.delete("-") => /uuid/, " #{LOWER}" => /uuid/, "#{LOWER}\n" => /uuid/, 5 => /expected uuid, found 5/ },
    status: { "PAID" => 2, "paid" => 2, :OPEN => 1, "2" => 2, 2 => 2, "9" => 9, "" => nil, " " => nil,
              "PAYD" => /Status has no value "PAYD" \(did you mean :PAID\? known: :OPEN, :PAID\)/,
              "a secret" => /no value named by a String of 8 bytes/, "2147483648" => /found 2147483648/, [] => /Array/ },
    line: { { "count" => "1" } => Line.new(count: 1), { count: "" } => Line.new, "" => nil,
            { "lineCount" => "3" } => Line.new(count: 3), Line.new(count: 5) => Line.new(count: 5),
            "x" => /expected CoercionTest::Line, found a String of 1 byte/, [] => /found Array/,
            Choice.text("x") => /expected CoercionTest::Line, found CoercionTest::Choice/ },
    lines: { { "10" => { "count" => 3 }, "9" => { "count" => "2" }, :"01" => { "count" => 1 } } => lines(1, 2, 3),
             [{ "count" => "1" }, "", nil, { "count" => "2" }] => lines(1, 2), {} => [], "" => nil,
             { "9" * 19 => { "count" => 2 }, 0 => { "count" => 1 } } => lines(1, 2),
             { "count" => "1" } => /expected list, found a Hash whose keys are not numbers/, { "-1" => {} } => /not numbers/,
             { -1 => {} } => /not numbers/, { "9" * 20 => {} } => /not numbers/, { "\xFF" => {} } => /not numbers/,
             { "1_0" => {} } => /not numbers/, { nil => {} } => /not numbers/, "1" => /expected list/,
             Set[{}] => /found Set/ },
    numbers: { ["", "1", nil, " 2"] => [1, 2], { "1" => "2", "0" => "1" } => [1, 2],
               ["1", "x"] => /\.numbers\[1\]: expected i8/, { "7" => "x" } => /\.numbers\[7\]: expected i8/ },
    bools: { ["0", "", "1"] => [false, true] },
    table: { { "1" => { "0" => "3" }, "0" => %w[1 2] } => [[1, 2], [3]], [["x"]] => /\.table\[0\]\[0\]: expected i32/ },
    tags: { ["", "a", "a"] => Set["", "a"], Set[:a] => Set["a"], { "0" => "a" } => Set["a"], "a" => /expected set/ },
    statuses: { ["", "PAID", "1"] => Set[2, 1] },
    flags: { { "1" => "on", "2" => "", :"3" => "off", " 4 " => 1 } => { 1 => true, 3 => false, 4 => true },
             { "x" => "on" } => /\.flags\.keys\[0\]: expected i32, found text that is not/, { "" => "" } => {},
             [] => /expected map, found Array/,
             { "1" => "x" } => /\.flags\.values\[0\]: expected bool/,
             { "" => "on" } => /\.keys\[0\]: expected i32, found a String of 0/ },
    labels: { { "a" => { "0" => "1.5" } } => { "a" => [1.5] }, "" => nil },
    choice: { { "cents" => "5", "text" => "" } => Choice.cents(5), { "cents" => "", "text" => "" } => Choice.new,
              { "cents" => "", "text" => "x", "photo" => "" } => Choice.text("x"), {} => Choice.new,
              { "text" => "" } => Choice.text(""), { "text" => "", "photo" => "" } => Choice.new,
              { "cents" => "5", "text" => "x" } => /a union holds one field/ },
    by_line: { { Line.new(count: 1) => "PAID" } => { Line.new(count: 1) => 2 } },
    point: { Point.new(1) => Point.new(1), { x: 1 } => /expected CoercionTest::Point, found Hash/, "" => nil }
  }.freeze

  CASES.each do |name, cases|
    define_method(:"test_#{name}") do
      cases.each do |given, wanted|
        found = converted(name, given)
        wanted.is_a?(Regexp) ? assert_match(wanted, found.to_s, given.inspect) : assert_same_value(wanted, found, given)
      end
    end
  end

  def test_all_faults_at_once
    given = { "i32" => "x", "lines" => { "0" => { "count" => "2" }, "1" => { "count" => "y", "note" => 1..2 } },
              "bool" => "1", "status" => "OPN", "colour" => "red", "choice" => { "cents" => "1", "text" => "x" } }
    error = assert_raises(Sparpack::ConversionError) { All.from_h(given, coerce: true) }

    assert_equal %w[i32 lines[1].count lines[1].note status colour choice].map { |path| "#{ALL}.#{path}" },
                 error.errors.map(&:path)
    assert_equal ["i32", "i32", "string", "CoercionTest::Status", "a field of #{ALL}", "one field of a union"],
                 error.errors.map(&:expected)
    assert_equal [*["text that is not an integer"] * 2, "Range", '"OPN"', '"colour"', "cents and text"],
                 error.errors.map(&:found)
    assert_equal error.errors.first(1).map { |first| [first.path, first.expected, first.found] },
                 [[error.path, error.expected, error.found]]
    assert_match(/\A#{ALL}: 6 faults: #{ALL}\.i32: expected i32, found .*; and 1 more\z/o, error.message)
    assert_nil error.cause
    assert(error.errors.all? { |each| each.instance_of?(Sparpack::ConversionError) && each.errors == [each] })
  end

  def test_one_fault_is_the_error_itself
    error = assert_raises(Sparpack::ConversionError) { All.from_h({ line: { count: "x" } }, coerce: true) }

    assert_equal "#{ALL}.line.count: expected i32, found text that is not an integer", error.message
    assert_same error, error.errors.first
  end

  def test_options
    assert_equal All.new(i8: 1), All.from_h({ "i8" => "1", "x" => "2", "line" => "" }, coerce: true, unknown: :skip)
    assert_equal Line.new(count: 1), Sparpack.from_h(Line, { count: "1" }, coerce: true)
    assert_equal "1", Line.from_h({ count: "1" }, coerce: false).count
    assert_equal "1", Line.from_h(count: "1").count
    [nil, 1, "yes", :true].each do |wrong| # rubocop:disable Lint/BooleanSymbol
      error = assert_raises(ArgumentError) { Line.from_h({}, coerce: wrong) }
      assert_equal "coerce: expected true or false, got #{wrong.inspect}", error.message
    end
    error = assert_raises(Sparpack::ConversionError) { Line.from_h(count: 1, coerce: true) }
    assert_includes error.message, "(for the option coerce:, put braces around the Hash)"
    assert_raises(TypeError) { Line.from_h([], coerce: true) }
    assert_raises(ArgumentError) { Line.from_h({}, coerse: true) }
  end

  # As ActionController::Parameters, which is no Hash.
  class Parameters
    Unfiltered = Class.new(ArgumentError)

    def initialize(hash, permitted)
      @hash = hash
      @permitted = permitted
    end

    def permitted? = @permitted
    def to_h = @permitted ? @hash : raise(Unfiltered)
  end

  def test_parameters_of_rails
    line = Parameters.new({ "count" => "1" }, true)
    permitted = Parameters.new({ "lines" => Parameters.new({ "0" => line }, true) }, true)

    assert_equal All.new(lines: [Line.new(count: 1)]), All.from_h(permitted, coerce: true)
    assert_raises(Parameters::Unfiltered) { All.from_h(Parameters.new({}, false), coerce: true) }
    assert_raises(Parameters::Unfiltered) { All.from_h({ line: Parameters.new({}, false) }, coerce: true) }
    assert_raises(TypeError) { All.from_h(permitted) }
    assert_match(/found BasicObject/, converted(:i8, BasicObject.new))
  end

  ACTIVE_MODEL = <<~RUBY
    require "active_model"
    types = { bool: ActiveModel::Type::Boolean.new, i64: ActiveModel::Type::Integer.new(limit: 8),
              double: ActiveModel::Type::Float.new, string: ActiveModel::Type::String.new }
    kind_and_values, target = ARGV
    found = Marshal.load(kind_and_values.unpack1("m")).map { |kind, values| [kind, values.map { |each| types[kind].cast(each) }] }
    File.binwrite(target, Marshal.dump(found.to_h))
  RUBY

  # What we take, we take for what Active Model takes it for. Only a boolean of spaces is nil here and true there.
  def test_values_are_those_of_active_model
    texts = CASES.values_at(:bool, :i8, :i64, :double, :string).flat_map(&:keys).grep(::String).uniq
    texts.select! { |text| text.encoding == Encoding::UTF_8 } # as all that Rails passes
    taken = %i[bool i64 double string].to_h do |name|
      spaces = name == :bool ? [" \t\u00A0", "  ", "\u3000 "] : []
      [name, (texts - spaces).reject { |text| converted(name, text).to_s.start_with?(ALL) }]
    end
    found = Dir.mktmpdir { fresh_result(ACTIVE_MODEL, [Marshal.dump(taken)].pack("m0")) }

    taken.each do |name, texts|
      texts.zip(found[name]) { |text, theirs| assert_same_value(theirs, converted(name, text), [name, text]) }
    end
    assert_operator taken.sum { |_, texts| texts.size }, :>, 100
  end

  # --- strangers --------------------------------------------------------------------------------------------------------

  # Reading an integer takes quadratic time, so only short text is read.
  def test_huge_texts
    digits = "9" * 10_000_000
    texts = [digits, " " * 10_000_000, "0.#{digits}"]
    %i[bool i64 double status lines].each do |name|
      texts.each do |text|
        cost = Cost.of { All.from_h({ name => text }, coerce: true) }

        assert_match(/found a String of \d+ bytes/, cost.result.message)
        assert_operator cost.seconds, :<, Patience.of(0.5)
        assert_operator cost.bytes, :<, 1_000_000, name.to_s
      end
    end
  end

  # An index is only compared.
  def test_huge_indexes
    given = { "4000000000" => { "count" => "2" }, "9999999999999999999" => { "count" => "3" }, "7" => { "count" => "1" } }
    cost = Cost.of { All.from_h({ "lines" => given }, coerce: true) }

    assert_equal [1, 2, 3], cost.result.lines.map(&:count)
    assert_operator cost.bytes, :<, 100_000
    error = assert_raises(Sparpack::ConversionError) { All.from_h({ "lines" => { "9" * 10_000_000 => {} } }, coerce: true) }
    assert_match(/keys are not numbers/, error.message)
  end

  def test_depth
    deep = (1..5_000).inject({}) { |inner, _| { "lines" => { "0" => inner } } }
    looped = {}.tap { |hash| hash["lines"] = [hash] }
    [deep, looped].each do |given|
      error = assert_raises(Sparpack::ConversionError) { Line.from_h(given, coerce: true) }
      assert_equal "more levels", error.found
      assert_operator error.message.size, :<, 500
    end
    deep = (1..499).inject({}) { |inner, _| { "lines" => { "0" => inner } } }
    assert_instance_of Line, Line.from_h(deep, coerce: true)
    Fiber.new { assert_raises(Sparpack::ConversionError) { 20.times { Line.from_h(looped, coerce: true) } } }.resume
  end

  # Each fault costs an error, and each hint costs milliseconds.
  def test_many_faults
    names = (0...200).map { |number| "field_with_a_long_name_#{number}_#{"x" * 90}" }
    wide = Class.new(Sparpack::Struct) { names.each_with_index { |name, id| field id, name.to_sym, :i32 } }
    [names.to_h { |name| [name, "x"] }, (0...100_000).to_h { |number| ["#{names[0]}#{number}", 1] }].each do |given|
      cost = Cost.of { wide.from_h(given, coerce: true) }

      assert_equal Sparpack::Coercion::FAULTS_MAX, cost.result.errors.size
      assert_match(/: at least 100 faults: .*; and 95 more\z/, cost.result.message)
      assert_operator cost.result.message.size, :<, 3_000
      assert_operator cost.seconds, :<, Patience.of(2)
    end
  end

  # --- anything ---------------------------------------------------------------------------------------------------------

  TEXTS = ["", " ", "0", "1", "-1", "off", "true", "OPEN", "9", "300", "1.5", "NaN", "x", LOWER, "\xFF", "\u3164",
           "1e400"].freeze

  # Whatever is taken has the right type, at every depth.
  def test_random_parameters
    taken = 0
    400.times do
      given = random_hash(All, 3)
      object = All.from_h(given, coerce: true, unknown: :skip)
      taken += 1
      wrong = object.errors(:recursive).reject do |error|
        ["a required field", "one field in a union"].include?(error.expected)
      end
      wrong.reject! { |error| error.expected.end_with?("Status") && error.found.match?(/\A-?\d+\z/) } # enums are open

      assert_empty wrong, given.inspect
    rescue Sparpack::ConversionError => e
      assert_operator e.errors.size, :>=, 1
    end
    assert_operator taken, :>, 5
  end

  private

  def converted(name, value)
    All.from_h({ name => value }, coerce: true)[name]
  rescue Sparpack::ConversionError => e
    e.message
  end

  # NaN is never equal, 1 equals 1.0, and "ü" in two encodings does not.
  def assert_same_value(wanted, found, given)
    return assert_nil(found, given.inspect) if wanted.nil?
    return assert_predicate(found, :nan?) if wanted.is_a?(Float) && wanted.nan?

    assert_equal [wanted, wanted.class], [found, found.class], given.inspect
    assert_equal wanted.encoding, found.encoding if wanted.is_a?(::String) && !given.is_a?(Array)
  end

  def random_hash(struct_class, depth)
    fields = struct_class.schema.fields.sample(random.rand(4), random:)
    fields.to_h { |field| [[field.name, field.name.name].sample(random:), random_value(field.type, depth)] }
  end

  def random_value(type, depth)
    return TEXTS.sample(random:) if depth.zero? || random.rand(8).zero?

    case type.kind
    when :struct, :union then type.target.is_a?(Class) ? random_hash(type.target, depth - 1) : Point.new(1)
    when :list, :set
      elements = Array.new(random.rand(3)) { random_value(type.element, depth - 1) }
      random.rand(2).zero? ? elements : elements.each_with_index.to_h { |element, index| [index.to_s, element] }
    when :map
      Array.new(random.rand(3)).to_h { [random_value(type.key, depth - 1), random_value(type.element, depth - 1)] }
    else [*TEXTS, 1, 0, 2.0, true, nil].sample(random:)
    end
  end
end
