# frozen_string_literal: true

require "test_helper"
require "support/wire_writer"
require "stringio"

# The messages for typical mistakes, word for word.
class ErrorTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    CLOSED = 2
  end

  class Neighborhood < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string, required: true
  end

  class Price < Sparpack::Union
    field 1, :euros, :i32
    field 2, :text, :string
  end

  class Listing < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :latitude, :double
    field 3, :status, Status
    field 7, :neighborhoods, list(Neighborhood)
    field 8, :labels, map(:string, set(:i32))
    field 9, :price, Price
    field 10, :guid, :uuid
    field 11, :guests, :i8
    field 12, :similar, "Listing"
  end

  def listing(**fields) = Listing.new(id: 1, **fields)

  ENCODING = {
    "a required field is missing" =>
      [{ id: nil }, :MissingField, "ErrorTest::Listing.id: expected a required field, found none (compact)"],
    "a required field is missing in a nested struct" =>
      [{ neighborhoods: [Neighborhood.new(id: 1, name: "a"), Neighborhood.new(id: 2)] }, :MissingField,
       "ErrorTest::Listing.neighborhoods[1].name: expected a required field, found none (compact)"],
    "a String for a number" =>
      [{ id: "1" }, :TypeMismatch, "ErrorTest::Listing.id: expected i64, found String (compact)"],
    "a Float for an integer" =>
      [{ id: 1.0 }, :TypeMismatch, "ErrorTest::Listing.id: expected i64, found Float (compact)"],
    "a number that is too large" =>
      [{ guests: 128 }, :OutOfRange, "ErrorTest::Listing.guests: expected i8, found 128 (compact)"],
    "a number that is far too large" =>
      [{ id: 1 << 200 }, :OutOfRange, "ErrorTest::Listing.id: expected i64, found an Integer of 201 bits (compact)"],
    "a Hash for a struct" =>
      [{ neighborhoods: [{ id: 1, name: "a" }] }, :TypeMismatch,
       "ErrorTest::Listing.neighborhoods[0]: expected ErrorTest::Neighborhood, found Hash (compact) " \
       "(to make one of a Hash, use ErrorTest::Neighborhood.from_h)"],
    "a struct of another class" =>
      [{ similar: Neighborhood.new }, :TypeMismatch,
       "ErrorTest::Listing.similar: expected ErrorTest::Listing, found ErrorTest::Neighborhood (compact)"],
    "one element for a list" =>
      [{ neighborhoods: Neighborhood.new }, :TypeMismatch,
       "ErrorTest::Listing.neighborhoods: expected list, found ErrorTest::Neighborhood (compact)"],
    "nil in a list" =>
      [{ neighborhoods: [nil] }, :TypeMismatch,
       "ErrorTest::Listing.neighborhoods[0]: expected ErrorTest::Neighborhood, found nil (compact)"],
    "nil in a set in a map" =>
      [{ labels: { "a" => [1, nil] } }, :TypeMismatch,
       "ErrorTest::Listing.labels.values[0][1]: expected i32, found nil (compact)"],
    "nil as a key" =>
      [{ labels: { "a" => [], nil => [] } }, :TypeMismatch,
       "ErrorTest::Listing.labels.keys[1]: expected string, found nil (compact)"],
    "a text in another encoding than it says" =>
      [{ labels: { "secret\xe9" => [] } }, :InvalidString,
       "ErrorTest::Listing.labels.keys[0]: expected text that is valid UTF-8, " \
       "found a String of 7 bytes in UTF-8 (compact)"],
    "what is no uuid" =>
      [{ guid: "secret" }, :InvalidString,
       "ErrorTest::Listing.guid: expected a uuid such as 00112233-4455-6677-8899-aabbccddeeff, " \
       "found a String of 6 bytes in UTF-8 (compact)"],
    "an empty union" =>
      [{ price: Price.new }, :MissingField, "ErrorTest::Listing.price: expected one field in a union, found none (compact)"],
    "a class for an object" =>
      [{ similar: Listing }, :TypeMismatch,
       "ErrorTest::Listing.similar: expected ErrorTest::Listing, found Class (compact)"],
    "what is no enum's name" =>
      [{ status: 1.0 }, :TypeMismatch, "ErrorTest::Listing.status: expected ErrorTest::Status, found Float (compact)"]
  }.freeze

  ENCODING.each do |mistake, (fields, name, message)|
    define_method("test_encoding_#{mistake.tr(" ", "_")}") do
      error = assert_raises(Sparpack::EncodeError) { listing(**fields).encode }

      assert_instance_of Sparpack::EncodeError.const_get(name), error
      assert_equal message, error.message
      assert_nil error.offset
      assert_equal message.sub("compact", "binary"),
                   assert_raises(Sparpack::EncodeError) { listing(**fields).encode(:binary) }.message
    end
  end

  DECODING = {
    "the wrong wire" =>
      [-> { listing(latitude: 1.5).encode(:binary) }, :MissingField,
       "ErrorTest::Listing.id: expected a required field, found none (compact, byte 4) " \
       "(these bytes read as binary: decode(bytes, :binary))"],
    "a cut message" =>
      [-> { listing(latitude: 1.5).encode[0..5] }, :Truncated,
       "ErrorTest::Listing.latitude: expected more bytes, found the end of the input (compact, byte 3)"],
    "no message" =>
      [-> { "" }, :Truncated,
       "ErrorTest::Listing: expected more bytes, found the end of the input (compact, byte 0) (the String is empty)"],
    "two messages" =>
      [-> { listing.encode * 2 }, :Malformed,
       "ErrorTest::Listing: expected the end of the input, found trailing bytes (compact, byte 3)"],
    "a field of another type" =>
      [-> { compact([1, :string, "secret"]) }, :TypeMismatch,
       "ErrorTest::Listing.id: expected i64, found string (compact, byte 0)"],
    "elements of another type" =>
      [-> { compact([1, :i64, 1], [7, [:list, :i32], [1]]) }, :TypeMismatch,
       "ErrorTest::Listing.neighborhoods: expected ErrorTest::Neighborhood, found i32 (compact, byte 3)"],
    "a field of another type deep inside" =>
      [-> { compact([7, [:list, :struct], [[[1, :i64, 1], [2, :i32, 5]]]]) }, :TypeMismatch,
       "ErrorTest::Listing.neighborhoods[0].name: expected string, found i32 (compact, byte 4)"],
    "a required field that is missing" =>
      [-> { compact([1, :i64, 1], [7, [:list, :struct], [[[1, :i64, 1]]]]) }, :MissingField,
       "ErrorTest::Listing.neighborhoods[0].name: expected a required field, found none (compact, byte 7)"],
    "what is not UTF-8" =>
      [-> { compact([7, [:list, :struct], [[[2, :string, "secret\xff"]]]]) }, :Malformed,
       "ErrorTest::Listing.neighborhoods[0].name: expected UTF-8, found bytes that are not UTF-8 (compact, byte 3)"],
    "a union of two" =>
      [-> { compact([9, :struct, [[1, :i32, 1], [2, :string, "a"]]]) }, :Malformed,
       "ErrorTest::Listing.price: expected one field in a union, found two (compact, byte 3)"],
    "too many levels" =>
      [-> { compact([12, :struct, WireWriter.raw("\xcc" * 100)]) }, :LimitExceeded,
       "ErrorTest::Listing#{".similar" * 7}...(48 more)...#{".similar" * 9}: expected at most 64 levels, " \
       "found more levels (compact, byte 64)"]
  }.freeze

  DECODING.each do |mistake, (bytes, name, message)|
    define_method("test_decoding_#{mistake.tr(" ", "_")}") do
      error = assert_raises(Sparpack::DecodeError) { Listing.decode(instance_exec(&bytes)) }

      assert_instance_of Sparpack::DecodeError.const_get(name), error
      assert_equal message, error.message
      assert_equal message[/byte (\d+)/, 1].to_i, error.offset
    end
  end

  # The path of a whole payload is its class, so the message says what the bytes have to be instead of the class again.
  NO_STRUCT = {
    [Neighborhood, "7",
     :json] => "ErrorTest::Neighborhood: expected an object, found a number (json, line 1, column 1, byte 0)",
    [Price, "[7]", :json] => "ErrorTest::Price: expected an object, found an array (json, line 1, column 1, byte 0) " \
                             "(to read an array of objects, use from_json or decode_each)",
    [Neighborhood, "\x07", :message_pack] =>
      "ErrorTest::Neighborhood: expected an array or a map, found an integer (message_pack, byte 0)",
    [Price, "\x07", :message_pack] =>
      "ErrorTest::Price: expected an array or a map, found an integer (message_pack, byte 0)",
    [Listing, '{"price":7}', :json] =>
      "ErrorTest::Listing.price: expected ErrorTest::Price, found a number (json, line 1, column 10, byte 9)"
  }.freeze

  NO_STRUCT.each_with_index do |((struct_class, bytes, wire), message), index|
    define_method(:"test_a_payload_that_is_no_struct_#{index}") do
      error = assert_raises(Sparpack::DecodeError::TypeMismatch) { struct_class.decode(bytes, wire) }

      assert_equal message, error.message
      assert_equal message[/expected (.+), found/, 1], error.expected
    end
  end

  def test_a_name_with_a_typing_mistake
    { -> { Listing.new(nam: 1) } => "unknown field :nam for ErrorTest::Listing",
      -> { Listing.new(latitud: 1) } => "unknown field :latitud for ErrorTest::Listing (did you mean :latitude?)",
      -> { listing(status: :CLOSE) } => "ErrorTest::Listing.status: ErrorTest::Status has no value :CLOSE " \
                                        "(did you mean :CLOSED? known: ",
      -> { Listing.decode("\0", valdate: :none) } => "unknown option :valdate (did you mean :validate?)",
      -> { listing.encode(:compakt) } => "unknown wire :compakt (known: :compact, :binary, " }.each do |call, message|
      assert_operator assert_raises(ArgumentError, &call).message, :start_with?, message
    end
  end

  def test_every_error_is_of_one_family
    encode = %i[MissingField TypeMismatch OutOfRange InvalidString LimitExceeded]
    decode = %i[Truncated Malformed TypeMismatch MissingField LimitExceeded]

    encode.each { |name| assert_operator Sparpack::EncodeError.const_get(name), :<, Sparpack::EncodeError }
    decode.each { |name| assert_operator Sparpack::DecodeError.const_get(name), :<, Sparpack::DecodeError }
    [Sparpack::EncodeError, Sparpack::DecodeError, Sparpack::ValidationError, Sparpack::SchemaError].each do |error|
      assert_equal Sparpack::Error, error.superclass
    end
    assert_equal StandardError, Sparpack::Error.superclass
  end

  def test_texts_are_utf8
    made = Class.new(Sparpack::Struct) { field 1, :größe, :i32, required: true }
    errors = [assert_raises(Sparpack::EncodeError) { made.new.encode },
              assert_raises(Sparpack::DecodeError) { made.decode("\0") }, made.new.errors.first]

    errors.each do |error|
      [error.message, error.path, error.expected, error.found].each do |text|
        assert_equal [Encoding::UTF_8, true], [text.encoding, text.valid_encoding?]
      end
      assert_operator error.path, :end_with?, ".größe"
      assert_includes "Fehler: #{error.message} (ü)", "größe"
    end
    plain = [assert_raises(Sparpack::EncodeError) { Listing.new.encode }, Listing.new.errors.first]
    plain.each { |error| assert_equal [Encoding::UTF_8] * 2, [error.path.encoding, error.message.encoding] }
  end

  def test_an_error_can_be_made_and_dumped
    error = assert_raises(Sparpack::EncodeError) { Listing.new.encode }
    copy = Marshal.load(Marshal.dump(error))

    assert_equal [error.class, error.message, error.path], [copy.class, copy.message, copy.path]
    assert_equal [nil, "text"], [Sparpack::Error.new("text").path, Sparpack::Error.new("text").message]
  end

  def test_a_cycle_says_its_path_short
    cycle = listing
    cycle.similar = cycle
    error = assert_raises(Sparpack::EncodeError::LimitExceeded) { cycle.encode }

    assert_equal "ErrorTest::Listing#{".similar" * 7}...(48 more)...#{".similar" * 9}: expected at most 64 levels, " \
                 "found more levels (compact)", error.message
  end

  private

  def compact(*fields) = WireWriter.for(:compact).message(*fields)
end
