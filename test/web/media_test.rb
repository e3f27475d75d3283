# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/cost"
require "support/seeded"

# Content types and wires, and bodies that are objects or lists of objects.
class MediaTest < Minitest::Test
  include Seeded

  Media = Sparpack::Media

  class Order < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :lines, list("Order")
  end

  # What each wire's content types are, in the words of the people who named them.
  TABLE = {
    compact: %w[application/vnd.apache.thrift.compact],
    binary: %w[application/vnd.apache.thrift.binary application/x-thrift],
    thrift_json: %w[application/vnd.apache.thrift.json],
    message_pack: %w[application/vnd.msgpack application/msgpack application/x-msgpack],
    json: %w[application/json]
  }.freeze

  # --- content types -----------------------------------------------------------------------------------------------------

  def test_each_wire_has_its_types
    assert_equal TABLE, Media::TYPES
    assert_equal Sparpack::WIRES.sort, Media::TYPES.keys.sort
    TABLE.each do |wire, types|
      assert_equal types.first, Media.type(wire)
      types.each { |type| assert_equal wire, Media.wire(type) }
    end
    assert Ractor.shareable?(Media::TYPES)
  end

  def test_parameters_case_and_spaces
    ["application/x-msgpack; q=1", "APPLICATION/X-MsgPack", " \tapplication/x-msgpack\t ;", "application/x-msgpack;charset",
     "application/x-msgpack; a=\"b;c\"", "application/x-msgpack; \xFF", "application/x-msgpack;".b].each do |header|
      assert_equal :message_pack, Media.wire(header), header
    end
  end

  def test_json_of_any_kind
    ["application/problem+json", "application/vnd.api+JSON; charset=utf-8", "image/x+json"].each do |header|
      assert_equal :json, Media.wire(header)
    end
  end

  def test_types_of_no_wire
    ["", " ", ";", "json", "/json", "application/", "application /json", "application/json x", "application/jsonp",
     "application/json, application/json", "text/json", "application/json+xml", "+json", "application/json\n",
     "application/json\0", "applicatiön/json", "application/json".encode("UTF-16LE"), "application/x-thrift\xFF",
     "application/json;#{"a" * Media::LONGEST}", nil].each do |header|
      assert_nil Media.wire(header), header.inspect
    end
  end

  def test_a_header_that_is_no_string
    [:"application/json", 5, ["application/json"]].each do |header|
      [:wire, :choose].each do |call|
        assert_equal "expected the String of a header, got #{header.class}",
                     assert_raises(TypeError) { Media.public_send(call, header) }.message
      end
    end
  end

  def test_an_unknown_wire
    known = "(known: :compact, :binary, :thrift_json, :message_pack, :json)"
    [-> { Media.type(:json5) }, -> { Media.accept(:json5) }].each do |call|
      assert_equal "unknown wire :json5 #{known}", assert_raises(ArgumentError, &call).message
    end
  end

  def test_the_error_shows_what_it_found
    error = Media::Unsupported.of("text/\e[31m#{"x" * 300}")

    assert_kind_of Sparpack::Error, error
    assert_operator error.message.size, :<, 500
    assert_match(%r{\Acontent type: expected one of application/vnd\.apache\..*json, found "text/\\e\[31mxx}, error.message)
    assert_equal(["none", '"a/b"'], [nil, "a/b"].map { |header| Media::Unsupported.of(header).found })
  end

  # --- Accept ------------------------------------------------------------------------------------------------------------

  def test_all_types_are_accepted
    assert_equal TABLE.values.flatten.join(", "), Media.accept
    TABLE.each do |wire, types|
      assert_equal types, Media.accept(wire).split(", ").first(types.size)
      assert_equal Media.accept.split(", ").sort, Media.accept(wire).split(", ").sort
      assert_equal wire, Media.choose(Media.accept(wire))
    end
  end

  COMPACT = "application/vnd.apache.thrift.compact"
  BINARY = "application/x-thrift"
  MP = "application/msgpack"

  CHOICES = {
    "#{MP}, #{COMPACT}" => :message_pack, "#{COMPACT}, #{MP}" => :compact, # the first of equal ones
    "#{MP};q=0.5, #{COMPACT};q=0.6" => :compact, "#{MP};q=0.501 , #{COMPACT} ; q=0.5" => :message_pack,
    "#{MP};q=1.000,#{COMPACT}" => :message_pack, "#{MP};Q=0.1, #{COMPACT};q=0.2" => :compact,
    "application/json;q=0.5, #{BINARY};q=0.4" => :json,
    "*/*" => :json, "application/*" => :json, "text/html, */*;q=0.1" => :json, # anything is JSON
    "*/*, application/json;q=0" => :compact, "#{COMPACT};q=0, application/json;q=0.0, */*;q=0.1" => :binary,
    "*/*, #{MP}" => :message_pack, "*/*;q=0.9, #{MP};q=0.8" => :json, # what is named, if the client likes it as much
    "application/*;q=0, */*" => nil, "application/*;q=0.1, */*;q=0" => :json, # the narrow range counts
    "application/*;q=0, #{MP};q=0.1" => :message_pack, "#{MP};q=0, application/x-msgpack;q=0.3" => :message_pack,
    "#{MP};q=0" => nil, "text/html" => nil, "text/*" => nil, "" => nil, "," => nil, "application/problem+json" => nil,
    "application/problem+json, #{MP};q=0.1" => :message_pack,
    "text/html;a=\"x,#{MP},\", #{BINARY}" => :binary, "text/html;a=\"\\\",#{MP},\", #{BINARY}" => :binary,
    "#{MP};a=\"b;q=0\";q=0.3, #{COMPACT};q=0.2" => :message_pack,
    "#{MP};level=1;q=0.3;x=y, #{COMPACT};q=0.2" => :message_pack,
    "#{MP};q=2, #{COMPACT};q=0.1" => :compact, "#{MP};q=, #{COMPACT};q=0.1" => :compact, # no numbers
    "#{MP};q=-1, #{MP};q=1e3, #{MP};q=0.1234, #{MP};q=x" => nil,
    "#{MP} #{COMPACT}, #{BINARY}" => :binary, "(#{MP}), #{BINARY}" => :binary, "#{MP}\", #{BINARY}" => nil, # broken ones
    ";;;, ,#{BINARY},," => :binary, "\xFF\0, #{BINARY}" => :binary, "*, #{BINARY}" => :binary
  }.freeze

  CHOICES.each_with_index do |(header, wire), index|
    define_method(:"test_choice_#{index}") do
      wire ? assert_equal(wire, Media.choose(header), header) : assert_nil(Media.choose(header), header)
    end
  end

  def test_a_client_that_says_nothing = assert_nil(Media.choose(nil))

  def test_a_long_header
    padding = "a/b, " * ((Media::LONGEST - 20) / 5)

    assert_equal :json, Media.choose("#{padding}application/json")
    assert_nil Media.choose("#{padding}#{" " * 20}application/json")
  end

  # The work is in proportion to the size of a header.
  def test_hostile_headers
    [",", ";", "a/b,", "a/b;", '"', ';a="', '\\"', '"\\', " ", "a", "/", ";q=0.1", '";"', "a/b;a=\"\\", "*/*,",
     "\t,;"].each do |part|
      small, large = [512, 8192].map { |size| part * (size / part.size) }
      few, many = [small, large].map { |header| seconds { Media.choose(header) || Media.wire(header) } }

      assert_operator many, :<, (40 * few) + 0.005, part.inspect
    end
  end

  def test_any_bytes
    parts = [*TABLE.values.flatten, "*/*", "application/*", ",", ";", "q=0.5", "=", '"', "\\", " ", "\xFF", "\0", "+json"]
    2_000.times do
      header = Array.new(random.rand(12)) { parts.sample(random:) }.join

      assert_includes [nil, *Sparpack::WIRES], Media.choose(header)
      assert_includes [nil, *Sparpack::WIRES], Media.wire(header)
    end
  end

  private

  def seconds(&) = Array.new(5) { Cost.of(&).seconds }.min
end
