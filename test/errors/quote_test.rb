# frozen_string_literal: true

require "test_helper"
require "support/cost"
require "support/patience"
require "sparpack/message_pack"

# Strangers can write names of any size. Messages show only the beginning, and the rest takes no time.
class QuoteTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    CLOSED = 2
  end

  class Answer < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i64
  end

  class Listing < Sparpack::Struct
    field 1, :id, :i64
    field 2, :status, Status
    field 3, :numbers, list(:i8)
    field 4, :names, map(:string, Status)
  end

  LONG = "n" * 1_000_000
  NAME = LONG.to_sym
  FIELD = :"#{"n" * 10_000}"
  HUGE = 1 << 14_000_000 # of more than four million digits
  FACTORY = Sparpack::MessagePack::Factory.new

  # What a caller does, and how the message begins.
  CALLS = {
    -> { Listing.new(NAME => 1) } => "unknown field :nnn",
    -> { Listing.from_h(LONG => 1) } => "unknown field \"nnn",
    -> { Listing.from_h(NAME => 1) } => "unknown field :nnn",
    -> { Listing.from_h(HUGE => 1) } => "unknown field an Integer of 14000001 bits for QuoteTest::Listing",
    -> { Listing.new[LONG] } => "unknown field \"nnn",
    -> { Listing.new[NAME] = 1 } => "unknown field :nnn",
    -> { Listing.new.set?(LONG) } => "unknown field \"nnn",
    -> { Listing.new.with(NAME => 1) } => "unknown field :nnn",
    -> { Answer.new(NAME => 1) } => "unknown field :nnn",
    -> { Listing.new(status: NAME) } => "QuoteTest::Listing.status: QuoteTest::Status has no value :nnn",
    -> { Listing.new(status: LONG) } =>
      "QuoteTest::Listing.status: QuoteTest::Status has no value named by a String of 1000000 bytes",
    -> { Listing.from_h(names: { "a" => LONG }) } =>
      "QuoteTest::Listing.names.values[0]: QuoteTest::Status has no value named by a String of 1000000 bytes",
    -> { Listing.new(names: { "a" => NAME }).encode } =>
      "QuoteTest::Listing.names.values[0]: expected QuoteTest::Status, found :nnn",
    -> { Listing.new(id: HUGE).encode } => "Listing.id: expected i64, found an Integer of 14000001 bits (compact)",
    -> { Listing.new(id: -HUGE).validate(:strict) } => "Listing.id: expected i64, found an Integer of 14000000 bits",
    -> { Listing.new.encode(NAME) } => "unknown wire :nnn",
    -> { Listing.new.encode(LONG) } => "unknown wire \"nnn",
    -> { Listing.decode("\0", HUGE) } => "unknown wire an Integer of 14000001 bits (known: :compact",
    -> { Listing.decode("\0", [LONG]) } => "unknown wire an instance of Array (known: :compact",
    -> { Listing.decode("\0", NAME => true) } => "unknown option :nnn",
    -> { Listing.decode("\0", unknown: NAME) } => "unknown: expected one of :skip, :reject, :keep, got :nnn",
    -> { Listing.decode("\0", limits: { LONG => LONG }) } => "limits: expected a Sparpack::Limits, got an instance of Hash",
    -> { Listing.new.valid?(NAME) } => "a mode is one of :none, :normal, :strict, :recursive, got :nnn",
    -> { Sparpack::Limits.new(depth: HUGE) } => "depth: expected an Integer from 1 to 1000, got an Integer of 14000001 bits",
    -> { Sparpack::Limits.new(memory: LONG) } => "memory: expected nil or an Integer of at least 0, got \"nnn",
    -> { Sparpack::Codec.new(LONG) } => "expected a subclass of Sparpack::Struct, Union or Exception, got \"nnn",
    -> { declare { field HUGE, :a, :i8 } } => "an id is an Integer from 0 to 32767, not an Integer of 14000001 bits",
    -> { declare { field 1, LONG, :i8 } } => "a name is a Symbol of letters, digits and _, not \"nnn",
    -> { declare { field 1, LONG } } => "a type is missing",
    -> { declare { field 1, FIELD, :i8, required: true, optional: true } } => "a field is required or optional, not both",
    -> { declare { 2.times { |id| field id, FIELD, :i8 } } } => "another field, nnn",
    -> { declare { field 1, :a, NAME } } => ":nnn",
    -> { declare { field 1, :a, HUGE } } => "an Integer of 14000001 bits is not a type",
    -> { declare { field 1, :a, LONG }.schema } => "\"nnn",
    -> { declare { field 1, :a, "N#{LONG}" }.schema } => "Nnnn",
    -> { declare { field 1, :a, :i8, default: HUGE } } => "the default does not fit: expected i8, found an Integer of",
    -> { declare { field 1, :a, Status, default: NAME } } => "the default does not fit: QuoteTest::Status has no value :nnn",
    -> { declare { field 1, :a, :i8, idl_name: HUGE } } => "an idl_name is a String, not an Integer of 14000001 bits",
    -> { declare { field 1, :a, :i8, annotations: LONG } } => "annotations are a Hash, not \"nnn",
    -> { Class.new(Sparpack::Service) { function LONG } } => "a name is a Symbol of letters, digits and _, not \"nnn",
    -> { Sparpack::MessagePack.pack({ LONG => Object.new }) } => "undefined method `to_msgpack' for an instance of Object",
    -> { Sparpack::MessagePack.pack({ NAME => 1 << 70 }) } => "an Integer of more than 64 bits at [:nnn",
    -> { Sparpack::MessagePack.unpack("\x81\xDB\x00\x0F\x42\x40#{LONG}\xC1".b) } => "no value begins with this byte",
    -> { Sparpack::MessagePack.dig("\x80".b, "a", NAME => 1) } => "unknown option :nnn",
    -> { Sparpack::MessagePack.unpack("\x80".b, LONG => 1) } => "unknown option \"nnn",
    -> { Sparpack::Limits.new(NAME => 1) } => "unknown option :nnn",
    -> { FACTORY.register_type(HUGE, Status) } => "an extension type is a number from -128 to 127, not an Integer of",
    -> { FACTORY.register_type(1, Status, packer: HUGE) } => "expected :packer argument to be a callable object, got: an",
    -> { FACTORY.register_builtin(NAME) } => "no built-in type is named :nnn",
    -> { FACTORY.registered_types(NAME) } => "invalid selector :nnn",
    -> { Sparpack::MessagePack.pack(Sparpack::MessagePack::ExtensionValue.new(HUGE, "")) } => "bignum too big",
    -> { FACTORY.packer.register_type(1, LONG) { nil } } => "expected Module/Class got: \"nnn",
    -> { Sparpack::Generate.files(["a.thrift"], layout: NAME) } => "unknown layout :nnn",
    -> { Sparpack::Generate.files(["a.thrift"], names: LONG) } => "unknown style of names \"nnn",
    -> { Sparpack::IDL::Breaking::Version.at("#{LONG}:a") } => "\"nnn"
  }.freeze

  def self.declare(&block) = Class.new(Sparpack::Struct, &block)
  def declare(...) = self.class.declare(...)

  CALLS.each_with_index do |(call, words), number|
    define_method(:"test_message_#{number}_#{words[/\A[\w :]+/].to_s.strip.tr(" ", "_")}") do
      cost = Cost.of { instance_exec(&call) }

      assert_kind_of StandardError, cost.result
      assert_short cost.result
      assert_includes cost.result.message, words
      assert_operator cost.seconds, :<, Patience.of(1)
    end
  end

  def test_all_faults_of_a_validation_are_told_quickly
    listing = Listing.new(numbers: [HUGE] * 1000)
    cost = Cost.of { listing.errors(:strict) }

    assert_equal 1000, cost.result.size
    cost.result.each { |error| assert_short error }
    assert_operator cost.seconds, :<, Patience.of(1)
  end

  def test_names_of_classes_and_fields_are_cut_in_paths
    made = Class.new(Sparpack::Struct) { field 1, NAME, :i8, required: true }
    self.class.const_set("N#{LONG}", made)
    errors = [-> { made.new.encode }, -> { made.decode("\0") }, -> { made.new.validate }, -> { made.new(NAME => "").encode },
              -> { made.new(a: 1) }, -> { Listing.new(id: made.new).encode }, -> { made.from_h(1) },
              -> { made.decode_each(StringIO.new("\x18\x80\x80\x04"), limits: Sparpack::Limits.new(message: 2)).to_a }]
             .map { |call| Cost.of(&call) }

    errors.each do |cost|
      assert_short cost.result
      assert_match(/(N|\.n)n{100,}…/, cost.result.message)
      assert_operator cost.seconds, :<, Patience.of(1)
    end
  ensure
    self.class.send(:remove_const, "N#{LONG}")
  end

  def test_what_is_shown
    quote = Sparpack::Quote
    { :a => ":a", :"a b" => ":\"a b\"", "a\n" => "\"a\\n\"", nil => "nil", 1.5 => "1.5", 12 => "12", String => "String",
      -(1 << 127) => (-(1 << 127)).to_s, 1 << 128 => "an Integer of 129 bits", [1] => "[1]",
      [[1]] => "an instance of Array", [1] * 5 => "an instance of Array", { "a" => 1 } => { "a" => 1 }.inspect,
      "n" * 128 => "\"#{"n" * 128}\"", "n" * 129 => "\"#{"n" * 128}…\"", "ü" * 129 => "\"#{"ü" * 128}…\"",
      :"#{"n" * 129}" => ":#{"n" * 128}…", :"#{" " * 129}" => ":\"#{" " * 128}…\"", :"#{"=" * 129}" => ":\"#{"=" * 128}…\"",
      "\xFF" => "\"\\xFF\"", "\xFFn" * 99 => "\"#{"\\xFFn" * 25}…\"",
      "\0" * 128 => "\"#{"\\u0000" * 21}…\"" }.each do |value, text|
      assert_equal text, quote.value(value)
    end
    assert_equal "an instance of BasicObject", quote.value(BasicObject.new)
    assert_equal(["a", "ü?", "#{"n" * 128}…"], ["a", "ü\xFF", "n" * 129].map { |name| quote.plain(name) })
  end

  # Neither what moves the cursor of a terminal, nor what shows text in another order.
  def test_characters_that_nobody_sees_are_escaped
    quote = Sparpack::Quote
    text = "a\e]0;b\a\n\tc\u0085\u202Ed\u2066e\u200Bf\u2028g\u{E0001}h"
    shown = 'a\\e]0;b\\a\\n\\tc\\u0085\\u202Ed\\u2066e\\u200Bf\\u2028g\\u{E0001}h'

    assert_equal [shown, shown, "#{"x" * 4095}\\e…"], [quote.plain(text), quote.path(text), quote.path("#{"x" * 4095}\ex")]
    assert_equal "\"#{shown}\"", quote.value(text)
    symbols = ["a\u202Eb", "aüb", "a b\u202E"].map(&:to_sym)
    assert_equal([':"a\\u202Eb"', ":aüb", ':"a b\\u202E"', '["\\u202E"]'],
                 [*symbols, ["\u202E"]].map { |value| quote.value(value) })
    error = assert_raises(ArgumentError) { Listing.new(symbols[0] => 1) }
    assert_includes error.message, 'unknown field :"a\\u202Eb" for'
  end

  def test_names_of_classes_in_native_messages
    name = "N\u202Eü"
    made = Class.new(Sparpack::Struct) { field 1, :a, :i8, required: true }
    self.class.const_set(name, made)

    assert_includes assert_raises(Sparpack::EncodeError) { made.new.encode }.message, 'N\\u202Eü.a'
  ensure
    self.class.send(:remove_const, name)
  end

  # Messages are UTF-8, whatever they quote.
  def test_texts_in_other_encodings
    names = ["größe".encode("ISO-8859-1"), "größe".encode("UTF-16LE"), "größe".b, "\xFF", "\xFF".b, "größe".encode("UTF-16"),
             (+"g").force_encoding("UTF-7"), ("ä" * 200).encode("ISO-8859-1"), "\xFF" * 200,
             "\xD8\x00".b.force_encoding("UTF-16BE")]
    names.each do |name|
      texts = [Sparpack::Quote.value(name), Sparpack::Quote.plain(name),
               assert_raises(ArgumentError) { Listing.from_h(name => 1) }.message,
               assert_raises(ArgumentError) { Listing.new[name] }.message]
      texts << Sparpack::Quote.value(name.to_sym) if name.valid_encoding?

      texts.each { |text| assert_equal [Encoding::UTF_8, true], [text.encoding, text.valid_encoding?], text }
    end
  end

  def test_hints_among_many_names
    wide = Class.new(Sparpack::Struct)
    (1..20_000).each { |id| wide.field id, :"field_#{id}_of_many", :i8 }
    many = Module.new { extend Sparpack::Enum }
    (1..40_000).each { |number| many.const_set(:"VALUE_OF_NUMBER_#{number}", number) }
    coded = Class.new(Sparpack::Struct) { field 1, :status, many }
    coded.new(status: 1)
    wide.new
    { -> { wide.new(feld_12345_of_many: 1) } => /did you mean :field_12345_of_many\?/,
      -> { wide.new(field_12345_of_mani: 1) } => /did you mean :field_12345_of_many\?/,
      -> { wide.new(field_20001_of_many: 1) } => /did you mean :field_2\d+_of_many/,
      -> { coded.new(status: :VALUE_OF_NUMBER_34999X) } => /did you mean :VALUE_OF_NUMBER_34999\?/,
      -> { coded.new(status: :SOMETHING_ELSE_ENTIRELY) } => /:VALUE_OF_NUMBER_12 and 39988 more\)\z/ }.each do |call, hint|
      cost = Cost.of(&call)

      assert_kind_of ArgumentError, cost.result
      assert_match hint, cost.result.message
      assert_operator cost.seconds, :<, Patience.of(1)
    end
  end

  # Names from strangers do not stay in memory.
  def test_names_of_options_are_no_symbols_for_ever
    before = Symbol.all_symbols.size
    2000.times do |number|
      Listing.decode("\0", unknown: :"made_up_#{number}")
    rescue ArgumentError
      nil
    end
    GC.start

    assert_operator Symbol.all_symbols.size - before, :<, 1000
  end

  # What messages show of names, and paths and values of errors.
  def test_characters_that_nobody_sees
    ["\u034f", "\u115f", "\u3164", "\ufe0f", "\u202e", "\u2066", "\u2800", "\u200b", "\u{e0041}"].each do |hidden|
      errors = [-> { Listing.new("a#{hidden}" => 1) }, -> { Listing.from_h("a#{hidden}" => 1) },
                -> { Listing.new(status: :"A#{hidden}") }, -> { Answer.new("a#{hidden}": 1) },
                -> { Listing.from_h({ "status" => "A#{hidden}" }, coerce: true) }].map { |call| assert_raises(&call) }
      errors.each do |error|
        texts = [error.message, *(error.is_a?(Sparpack::ConversionError) ? [error.path, error.found] : [])]

        texts.each { |text| refute_includes text, hidden }
      end
    end
  end

  private

  def assert_short(error)
    texts = [error.message]
    texts += [error.path, error.expected, error.found].compact if error.is_a?(Sparpack::Error)
    texts.each do |text|
      assert_operator text.size, :<, 1500
      refute_match(/n{200}/, text)
    end
  end
end
