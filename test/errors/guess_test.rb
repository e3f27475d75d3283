# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "yaml"
require "zlib"
require "support/cost"
require "support/random_schema"
require "support/seeded"

# What bytes are named that are not what should be decoded: at the end of the error's message, and by Sparpack.guess. The
# advice is run, and has to lead to the object.
class GuessTest < Minitest::Test
  include Seeded

  CANARY = "canary"

  # Long enough for a payload that is worth compressing.
  SONG = "a #{CANARY} that sings".freeze

  class Hood < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string, required: true
  end

  class Listing < Sparpack::Struct
    field 1, :listing_id, :i64, required: true
    field 2, :lat, :double
    field 3, :title, :string
    field 7, :hoods, list(Hood)
    field 8, :labels, map(:string, list(:i32))
  end

  class Loose < Sparpack::Struct
    field 1, :number, :i64
    field 2, :text, :string
  end

  # A key whose hash is Ruby code.
  class Key < Sparpack::Struct
    field 1, :id, :i64

    class << self
      attr_accessor :calls
    end

    def hash = Key.count { super() }

    def self.count
      self.calls += 1
      yield
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :keys, map(Key, :i64)
  end

  LISTING = Ractor.make_shareable(Listing.new(listing_id: 5, lat: 1.5, title: SONG, labels: { SONG => [1, -2] },
                                              hoods: [Hood.new(id: 7, name: "Mitte"), Hood.new(id: 8, name: SONG)]))
  JSON_TEXT = LISTING.to_json.freeze
  HASH = JSON.parse(JSON_TEXT).freeze
  COMPACT = LISTING.encode.freeze
  BINARY  = LISTING.encode(:binary).freeze
  WIRES = Sparpack::WIRES

  # What the advice is before and after there is such a wire.
  def self.read(wire, otherwise) = WIRES.include?(wire) ? ": decode(bytes, :#{wire})" : otherwise

  class << self
    def packed(compression) = Sparpack::Codec.new(Listing, :message_pack, compression:).encode(LISTING)
    def frame(bytes) = [bytes.bytesize, bytes].pack("Na*")
    def varint(bytes) = [(bytes.bytesize % 128) | 128, bytes.bytesize / 128, bytes].pack("CCa*")
    def strict(bytes) = [0x80010001, 7, "getThem", 3, bytes].pack("NNa*Na*")
    def old(bytes) = [7, "getThem", 2, 3, bytes].pack("Na*CNa*")
    def json(text) = "[1,\"getThem\",1,-7,#{text}]"
    def compact(bytes) = [0x82, 0x41, 3, 7, "getThem", bytes].pack("CCCCa*a*")
  end

  # Bytes, the format, and what else the reason says. The advice reads the listing.
  WRAPPED = {
    "gzip" => [Zlib.gzip(COMPACT), :gzip, "gzip data"],
    "zlib" => [Zlib.deflate(COMPACT), :zlib, "zlib data"],
    "zlib that stores" => [Zlib.deflate(COMPACT, 0), :zlib, "zlib data"],
    "base64" => [[COMPACT].pack("m0"), :base64, "compact in base64"],
    "base64 in lines" => [[BINARY].pack("m"), :base64, "binary in base64"],
    "base64 of URLs" => [[COMPACT].pack("m0").tr("+/", "-_").delete("="), :base64, "compact in base64"],
    "base64 of gzip" => [[Zlib.gzip(COMPACT)].pack("m0"), :base64, "gzip data in base64"],
    "hexadecimal" => [COMPACT.unpack1("H*"), :hex, "compact in hexadecimal digits"],
    "hexadecimal with a line feed" => ["#{COMPACT.unpack1("H*")}\n", :hex, "compact in hexadecimal digits"],
    "hexadecimal in words" => [COMPACT.unpack1("H*").scan(/.{1,4}/).join(" "), :hex, "compact in hexadecimal digits"],
    "JSON" => [JSON_TEXT, :json, "JSON"],
    "JSON with indentation" => ["\n#{JSON.pretty_generate(HASH)}\n", :json, "JSON"],
    "JSON with a mark" => ["\uFEFF#{JSON_TEXT}", :utf8, "JSON in UTF-8 with a byte order mark"],
    "JSON in UTF-16" => [JSON_TEXT.encode("UTF-16"), :utf16, "JSON in UTF-16"],
    "JSON in UTF-16LE" => [JSON_TEXT.encode("UTF-16LE"), :utf16, "JSON in UTF-16"],
    "JSON in UTF-16BE" => [JSON_TEXT.encode("UTF-16BE"), :utf16, "JSON in UTF-16"],
    "JSON in UTF-32" => [JSON_TEXT.encode("UTF-32"), :utf32, "JSON in UTF-32"],
    "a frame" => [frame(COMPACT), :framed, "compact in a frame with its size in 4 bytes"],
    "several frames" => [frame(BINARY) * 3, :framed, "binary in a frame with its size in 4 bytes"],
    "a varint" => [varint(COMPACT), :varint, "compact in a frame with its size as a varint"],
    "several varints" => [varint(BINARY) * 3, :varint, "binary in a frame with its size as a varint"],
    "a message of binary" => [strict(BINARY), :envelope, "binary in a message of Thrift's RPC"],
    "an old message of binary" => [old(BINARY), :envelope, "binary in a message of Thrift's RPC"],
    "a message of compact" => [compact(COMPACT), :envelope, "compact in a message of Thrift's RPC"],
    "a message of JSON" => [json(LISTING.encode(:thrift_json)), :envelope, "Thrift's JSON in a message of Thrift's RPC"],
    "a message of JSON and a line feed" => ["#{json(LISTING.encode(:thrift_json))} \n", :envelope,
                                            "Thrift's JSON in a message of Thrift's RPC"],
    "a framed message" => [frame(strict(BINARY)), :framed, "binary in a message of Thrift's RPC in a frame"],
    "LZ4 blocks" => [packed(:lz4), :message_pack, "MessagePack that is compressed with LZ4"],
    "one LZ4 block" => [packed(:lz4_block), :message_pack, "MessagePack that is compressed with LZ4"],
    "framed LZ4 blocks" => [frame(packed(:lz4)), :framed, "MessagePack that is compressed with LZ4 in a frame"],
    "LZ4 blocks in base64" => [[packed(:lz4)].pack("m0"), :base64, "MessagePack that is compressed with LZ4 in base64"],
    "Marshal" => [Marshal.dump(LISTING), :marshal, "a dump of Marshal"],
    "YAML" => [YAML.dump(HASH), :yaml, "YAML"]
  }.freeze

  UNPACK = "these bytes read as MessagePack#{read(:message_pack, ": Sparpack::MessagePack.unpack(bytes)")}".freeze

  # Bytes, the format, and the whole text.
  NAMED = {
    "nothing" => ["", :empty, "the String is empty"],
    "zstd" => ["\x28\xB5\x2F\xFD\x20\x05", :zstd, "these bytes are Zstandard data: decompress them first"],
    "LZ4" => ["\x04\x22\x4D\x18\x64\x40", :lz4, "these bytes are LZ4 data: decompress them first"],
    "snappy" => ["\xFF\x06\x00\x00sNaPpY\x01", :snappy, "these bytes are Snappy data: decompress them first"],
    "xz" => ["\xFD7zXZ\x00\x00", :xz, "these bytes are xz data: decompress them first"],
    "bzip2" => ["BZh91AY&SY\x01", :bzip2, "these bytes are bzip2 data: decompress them first"],
    "zip" => ["PK\x03\x04\x14\x00", :zip, "these bytes are a zip archive: take the file out of it first"],
    "a page" => ["\n<!DOCTYPE html>\n<html>…", :html, "these bytes are an HTML page: look at the status of the response"],
    "XML" => ["<?xml version=\"1.0\"?><a/>", :xml, "these bytes are XML"],
    "XML without a head" => ["<Error><Code>1</Code></Error>", :xml, "these bytes are XML"],
    "a response" => ["HTTP/1.1 200 OK\r\n\r\n", :http, "these bytes are an HTTP message: decode only the body"],
    "a request" => ["POST /listings HTTP/1.1\r\n\r\n", :http, "these bytes are an HTTP message: decode only the body"],
    "Thrift's JSON" => ['{"1":{"i64":5},"3":{"str":"x"}}', :thrift_json,
                        "these bytes read as Thrift's JSON#{read(:thrift_json, "")}"],
    "an array" => [JSON.generate([HASH]), :json, "these bytes read as JSON: decode_each(bytes, :json)"],
    "lines" => ["#{JSON_TEXT}\n#{JSON_TEXT}\n", :json, "these bytes read as JSON: decode_each(bytes, :json)"],
    "JSON that is cut off" => [JSON_TEXT[0..-20], :json,
                               "these bytes read as JSON#{read(:json, ": from_h(JSON.parse(bytes))")}"],
    "another message" => [strict("\x0B\x00\x05\x00\x00\x00\x01a\x00".b), :envelope,
                          "these bytes are a message of Thrift's RPC: the struct of its arguments is bytes.byteslice(19..)"],
    "another message of JSON" => [json('{"5":{"str":"x"}}'), :envelope,
                                  "these bytes are a message of Thrift's RPC: the struct of its arguments is " \
                                  "bytes.byteslice(18, 17)"],
    "MessagePack" => [Sparpack::MessagePack.pack(HASH), :message_pack, UNPACK],
    "MessagePack of an array" => [Sparpack::MessagePack.pack([nil, 5, 1.5, "t"]), :message_pack,
                                  UNPACK]
  }.freeze

  # --- messages -----------------------------------------------------------------------------------------------------------

  CALLED = { message_pack: "MessagePack", json: "JSON", thrift_json: "Thrift's JSON" }.freeze

  WIRES.permutation(2).each do |wire, other|
    define_method("test_#{wire}_given_to_#{other}") do
      error = refused(LISTING.encode(wire), other)

      assert_operator error.message, :end_with?, " (these bytes read as #{called(wire)}: decode(bytes, :#{wire}))"
      assert_equal LISTING, follow("decode(bytes, :#{wire})", LISTING.encode(wire))
    end
  end

  WIRES.each do |wire|
    WRAPPED.each do |name, (bytes, format, reason)|
      next if WIRES.include?(format) && format == wire
      next if format == :utf8 && wire == :json # which reads a mark
      next if name.include?("message of JSON") && wire == :json # which says how arrays are read

      define_method("test_#{name.tr(" '", "__")}_given_to_#{wire}") do
        bytes = bytes.b
        message = refused(bytes, wire).message
        advice = message[/ \(these bytes (?:are|read as) #{Regexp.escape(reason)}[^:]*: (.+)\)\z/, 1]

        assert advice, message
        assert_equal LISTING, follow(advice, bytes)
        refute_includes message, CANARY
      end
    end

    NAMED.each do |name, (bytes, format, text)|
      next if format == wire || (name.include?("message of JSON") && wire == :json)

      define_method("test_#{name.tr(" '", "__")}_given_to_#{wire}") do
        message = refused(bytes.b, wire).message

        assert_operator message, :end_with?, " (#{text})"
        refute_includes message, CANARY
      end
    end
  end

  def test_a_large_payload_of_another_wire
    large = Listing.new(listing_id: 1, hoods: [Hood.new(id: 1, name: "x" * 20)] * 20_000)
    WIRES.permutation(2) do |wire, other|
      assert_includes refused(large.encode(wire), other).message, "read as #{called(wire)}: decode(bytes, :#{wire})"
    end
  end

  # A field that is newer than the class.
  def test_a_payload_with_an_unknown_field_of_another_wire
    newer = Class.new(Sparpack::Struct) do
      field 1, :listing_id, :i64
      field 9, :more, :string
    end
    bytes = newer.new(listing_id: 1, more: "x").encode(:binary)

    assert_includes refused(bytes, :compact).message, "read as binary"
  end

  def test_another_class_in_another_wire
    other = Class.new(Sparpack::Struct) { (1..5).each { |id| field id, :"f#{id}", :string } }
    bytes = other.new(**(1..5).to_h { |id| [:"f#{id}", "text"] }).encode(:binary)

    assert_includes refused(bytes, :compact).message, "read as binary"
  end

  def test_a_union
    union = Class.new(Sparpack::Union) { field 1, :hood, Hood }
    WIRES.permutation(2) do |wire, other|
      next if [wire, other] == %i[thrift_json json] # a member "1" may come from a later version

      bytes = union.new(hood: Hood.new(id: 1, name: "x")).encode(wire)
      error = assert_raises(Sparpack::DecodeError) { union.decode(bytes, other) }

      assert_operator error.message, :end_with?, "(these bytes read as #{called(wire)}: decode(bytes, :#{wire}))"
    end
  end

  def test_a_mapping
    spot = ::Struct.new(:x, :name)
    mapping = Sparpack::Mapping.new(spot, { 1 => :x, 2 => :name }, types: { x: :i32, name: :string })
    untyped = Sparpack::Mapping.new(spot, %i[x name])
    WIRES.each do |wire|
      guess = Sparpack.guess(Sparpack::Codec.new(mapping, wire).encode(spot.new(1, "Mitte")), mapping)

      assert_equal [wire, "decode(bytes, :#{wire})"], [guess.format, guess.advice]
    end
    bytes = Sparpack::Codec.new(untyped, :message_pack).encode(spot.new(1, [nil]))

    assert_equal :message_pack, Sparpack.guess(bytes, untyped).format
  end

  # An extension type of somebody else may have the same number.
  def test_what_only_begins_like_compressed_bytes
    packed = GuessTest.packed(:lz4_block)
    packed.setbyte(3, 0xc0) # where the size should be

    assert_nil Sparpack.guess(packed).format
    assert_equal "these bytes read as MessagePack that is compressed with LZ4: Sparpack::MessagePack.unpack(bytes)",
                 Sparpack.guess(GuessTest.packed(:lz4)).to_s
    (0...packed.bytesize).each do |size|
      refute_match(/these bytes/, refused(packed.byteslice(0, size), :message_pack).message)
    end
  end

  # --- the ways to decode -------------------------------------------------------------------------------------------------

  def test_codecs_prefixes_and_streams
    codec = Sparpack::Codec.new(Listing)
    [-> { codec.decode(BINARY) }, -> { codec.load(BINARY) }, -> { codec.decode_prefix(BINARY) },
     -> { codec.decode_prefix(BINARY + BINARY) }, -> { codec.decode_prefix("....#{BINARY}".b, 4) },
     -> { codec.decode_each(BINARY * 3).to_a }, -> { codec.decode_each(StringIO.new(BINARY * 3)).to_a },
     -> { Listing.decode_each(StringIO.new(BINARY * 2000)).to_a }].each do |call|
      assert_includes assert_raises(Sparpack::DecodeError, &call).message, "(these bytes read as binary: "
    end
    error = assert_raises(Sparpack::DecodeError) { codec.decode_each(StringIO.new(Zlib.gzip(COMPACT * 3))).to_a }

    assert_includes error.message, "(these bytes are gzip data: "
  end

  # The format was right up to there.
  def test_what_follows_payloads_in_order_is_damaged
    ["{\"a\":1,\"b\":2}", Zlib.gzip("x"), "<html><body></body></html>", "---\na: 1\n"].each do |rest|
      [-> { Listing.decode_each(COMPACT + rest.b).to_a },
       -> { Listing.decode_each(StringIO.new(COMPACT + rest.b)).to_a }].each do |call|
        assert_match(/byte \d+\)\z/, assert_raises(Sparpack::DecodeError, &call).message)
      end
    end
  end

  def test_the_name_of_a_file_is_told_apart
    Dir.chdir(__dir__) do
      error = assert_raises(Sparpack::DecodeError) { Listing.decode_each("guess_test.rb").to_a }

      assert_operator error.message, :end_with?, "(this String is the name of a file: to read it, pass Pathname(name))"
    end
  end

  # --- when nothing is said -----------------------------------------------------------------------------------------------

  def test_a_payload_that_is_cut_off_stays_as_it_is
    WIRES.each do |wire|
      bytes = LISTING.encode(wire)
      (1...bytes.bytesize).each do |size|
        assert_match(place(wire), refused(bytes.byteslice(0, size), wire).message)
      end
    end
  end

  # The end of a message without a guess.
  def place(wire) = /\(#{wire}, #{"line 1, column \\d+, " if wire.end_with?("json")}byte \d+\)\z/

  # JSON says besides what to call for several objects.
  def said(&call)
    assert_raises(Sparpack::DecodeError, &call).message.delete_suffix(" (to read several objects, use decode_each)")
  end

  # The wire is right, and something else is wrong.
  def test_the_right_wire
    WIRES.each do |wire|
      bytes = LISTING.encode(wire)
      [-> { Listing.decode(bytes, wire, limits: Sparpack::Limits.new(memory: 100)) }, -> { Listing.decode(bytes * 2, wire) },
       -> { Loose.decode(bytes, wire, unknown: :reject) }, -> { Listing.decode(Loose.new(text: "x").encode(wire), wire) }]
        .each { |call| assert_match(place(wire), said(&call)) }
    end
  end

  # A field of type struct is 0c in both wires, and zeros mean something in both.
  def test_few_bytes_of_which_most_are_zeros
    outer = Class.new(Sparpack::Struct) do
      field 0, :inner, Class.new(Sparpack::Struct) { field 1, :x, :i32 }, required: true
    end

    assert_match(/\(binary, byte 4\)\z/, refused("\f\0\0\0".b, :binary, outer).message)
    bytes = outer.from_h(inner: { x: 1 }).encode(:compact)

    assert_match(/these bytes read as compact/, refused(bytes, :binary, outer).message)
  end

  # One of the names is damaged. The bytes happen to be a struct in compact, with fields that nobody knows.
  def test_a_known_name_says_that_the_format_is_right
    named = Class.new(Sparpack::Struct) do
      field 1, :f11127, :i16, required: true
      field 2, :f27332, :i64, required: true
    end
    bytes = named.new(f11127: 11_851, f27332: 64).encode(:message_pack, keys: :names)

    [bytes.sub("f27", "f/7"), bytes.sub("f11127", "f\xB31127".b)].each do |damaged|
      assert_match(/\(message_pack, byte \d+\)\z/, refused(damaged, :message_pack, named).message)
    end
  end

  # Read as compact, the text of the elements is one field after another, at least as far as a guess looks.
  def test_one_field_with_many_elements_says_that_the_format_is_right
    union = Class.new(Sparpack::Union) { field 3, :ids, list(:uuid) }
    ids = %w[d7331b81-7e84-8fd3-821b-dcb4fc8372b9 8da83731-0e98-d803-6e13-1ae4ee54e67b cb7241ae-9e0c-0b14-f93f-f65700b33024
             c3ffe7db-f37e-b7b8-b95c-370ba9cadd1c 3e1a4fb8-1594-2740-eb74-6236018cba51 4b95e282-6a39-f9f5-10cf-92a51097740e
             ab67b7a6-b40d-9e0a-602d-52f128887d29 fddf512c-ff87-4259-0b1b-6a9f728bc8f0 c1bba71e-7d42-58cc-811d-1f4481fb3e5c]
    cut = "\x81\x03\xDC\x00\x12".b << ids.map { |id| "\xD9$".b << id }.join

    assert_match(/\(message_pack, byte 347\)\z/, refused(cut, :message_pack, union).message)
  end

  # Payloads of random classes that are cut off or damaged: at most one in 500 may be named.
  WIRES.each do |wire|
    define_method("test_random_payloads_of_#{wire}_that_are_damaged") do
      failed = named = 0
      damaged(wire) do |struct_class, bytes|
        struct_class.decode(bytes, wire)
      rescue Sparpack::DecodeError => e
        failed += 1
        named += 1 if e.message.match?(/\(these bytes .*\z/)
      end

      assert_operator failed, :>, 2000
      assert_operator named, :<=, failed / 500
    end

    define_method("test_random_payloads_of_#{wire}_in_the_other_wires") do
      failed = named = 0
      60.times do
        struct_class, bytes = payload(wire)
        next if bytes.bytesize < 8

        (WIRES - [wire]).each do |other|
          struct_class.decode(bytes, other)
        rescue Sparpack::DecodeError => e
          failed += 1
          named += 1 if e.message.end_with?("(these bytes read as #{called(wire)}: decode(bytes, :#{wire}))")
        end
      end

      assert_operator named, :>=, failed * 9 / 10
    end
  end

  # --- what a failed decode costs and leaves behind -----------------------------------------------------------------------

  def test_no_ruby_code_of_keys_runs
    Key.calls = 0
    bytes = Keyed.new(id: 1, keys: { Key.new(id: 1) => 2 }).encode(:binary)
    Key.calls = 0
    error = assert_raises(Sparpack::DecodeError) { Keyed.decode(bytes) }

    assert_includes error.message, "read as binary"
    assert_equal 0, Key.calls
  end

  # What is read to its end takes a hundred times as long if it is a thousand times as large.
  def test_few_bytes_are_looked_at
    ["{\"a\":", "[0,", "\"", "{\"a\":\"x\"}", "QUJD", "ab", "\x15\x02", "\x08\x00\x01\x00\x00\x00\x01", "\x93",
     "\xDD\xFF\xFF\xFF\xFF", "<a>", "<a b c", " ", "\n", "\x00\x00\x00\x02ab", "\x02\x15\x02", "{\x00",
     "---\n"].each do |part|
      small, large = [64 << 10, 64 << 20].map { |size| (part.b * (size / part.bytesize)).freeze }
      # The least of several times is hardly longer because of what else the machine does.
      costs = Array.new(5) { [small, large].map { |bytes| Cost.of { 10.times { Sparpack.guess(bytes, Listing) } }.seconds } }
      least, most = costs.transpose.map(&:min)

      assert_operator most, :<, 20 * least, part.inspect
    end
  end

  # Each of these bytes is the header of a field in compact, but for 93 and 95, whose fields have a value.
  def test_nested_message_pack
    { "\x91" => 3000, "\x93" => 3000, "\x95" => 100, "\x81\xA1a" => 1000 }.each do |part, times|
      bytes = part.b * times

      assert_equal :message_pack, Sparpack.guess(bytes).format, part.inspect
      assert_equal :message_pack, Sparpack.guess("#{bytes}\x01".b).format, part.inspect
      assert_equal :message_pack, Sparpack::Inspector.new(bytes).wire, part.inspect
    end
    flags = Class.new(Sparpack::Struct) { (1..20).each { |id| field id, :"f#{id}", :bool } }
    bytes = flags.from_h((1..20).to_h { |id| ["f#{id}", true] }).encode

    assert_equal [:compact, :compact], [Sparpack.guess(bytes), Sparpack.guess(bytes, flags)].map(&:format)
  end

  def test_errors_can_be_dumped_shared_and_hold_no_bytes
    error = refused(BINARY, :compact)
    copy = Marshal.load(Marshal.dump(error))

    assert_equal [error.class, error.message, error.offset], [copy.class, copy.message, copy.offset]
    assert(Ractor.make_shareable(copy).then { |shared| Ractor.shareable?(shared) })
    refute_includes Marshal.dump(error), CANARY
  end

  def test_ractors
    message = Ractor.new(BINARY) do |bytes|
      Listing.decode(bytes)
    rescue Sparpack::DecodeError => e
      e.message
    end

    assert_includes message.respond_to?(:value) ? message.value : message.take, "read as binary: decode(bytes, :binary)"
  end

  # --- Sparpack.guess -----------------------------------------------------------------------------------------------------

  def test_a_guess
    WRAPPED.merge(NAMED).each do |name, (bytes, format, reason)|
      [Sparpack.guess(bytes.b), Sparpack.guess(bytes.b, Listing)].each do |guess|
        assert_equal format, guess.format, name
        refute_includes guess.inspect, CANARY
      end
      assert_includes Sparpack.guess(bytes.b, Listing).to_s.sub(/, \d+ payloads one after the other/, ""), reason
    end
    WIRES.each do |wire|
      [Sparpack.guess(LISTING.encode(wire)), Sparpack.guess(LISTING.encode(wire), Listing)].each do |guess|
        next if wire == :message_pack && guess.advice.include?("unpack") # without a class

        assert_equal [wire, "these bytes read as #{called(wire)}", "decode(bytes, :#{wire})"],
                     [guess.format, guess.reason, guess.advice]
      end
    end
  end

  def test_a_guess_is_a_value
    guess = Sparpack.guess(BINARY)

    assert_predicate guess, :frozen?
    assert Ractor.shareable?(guess)
    assert_equal guess, Sparpack.guess(BINARY)
    assert_equal 1, [guess, Sparpack.guess(BINARY)].uniq.size
    refute_equal guess, Sparpack.guess(COMPACT)
    assert_equal "#<Sparpack::Guess :binary: these bytes read as binary: decode(bytes, :binary)>", guess.inspect
  end

  def test_no_guess
    ["\x00", "\xFF\xFF\xFF", "Internal Server Error", "listings.bin", "0", "a" * 100, "a" * 1000, "ab" * 50,
     "QUJD" * 20].each do |bytes|
      [Sparpack.guess(bytes.b), Sparpack.guess(bytes.b, Listing)].each do |guess|
        assert_nil guess.format, bytes
        assert_nil guess.advice
        assert_equal "these bytes look like no format that Sparpack knows", guess.to_s
      end
    end
  end

  def test_wrong_arguments
    { -> { Sparpack.guess(nil) } => "expected a String of bytes, got NilClass",
      -> { Sparpack.guess("", String) } => "expected a subclass of Sparpack::Struct, Union or Exception, got String",
      -> { Sparpack.guess("", Sparpack::Struct) } =>
        "expected a subclass of Sparpack::Struct, Union or Exception, got Sparpack::Struct" }.each do |call, message|
      assert_equal message, assert_raises(TypeError, &call).message
    end
  end

  # --- bytes of another format that decode without an error ---------------------------------------------------------------

  SCALARS = { bool: true, i8: -3, i16: 5, i32: 70, i64: 1 << 40, double: 0.5, string: "ab", binary: "",
              uuid: "00112233-4455-6677-8899-aabbccddeeff" }.freeze

  # Without the option, many of these come out empty.
  def test_unknown_reject_guards_classes_whose_fields_are_all_optional
    silent = Hash.new(0)
    2000.times do
      struct_class, formats = flat_payloads
      formats.each do |format, bytes|
        (WIRES - [format]).each do |wire|
          next if struct_class.decode(bytes, wire) != struct_class.new

          silent[[format, wire]] += 1
          assert_raises(Sparpack::DecodeError, bytes.inspect) { struct_class.decode(bytes, wire, unknown: :reject) }
        rescue Sparpack::DecodeError
          next
        end
      end
    end

    [%i[compact binary], %i[binary compact], %i[message_pack compact]].each { |pair| assert_operator silent[pair], :>, 10 }
  end

  # Only the beginning of base64 and of hexadecimal digits is decoded. It may look like the first part of a frame.
  def test_long_text_of_random_bytes
    200.times do
      bytes = [random.rand(2..9)].pack(%w[C N].sample(random:)) + random.bytes(1000)
      [[bytes].pack("m"), [bytes].pack("m0"), bytes.unpack1("H*")].each do |text|
        WIRES.each { |wire| refused(text, wire) }

        assert_kind_of Sparpack::Guess, Sparpack.guess(text)
        assert_raises(Sparpack::MessagePack::MalformedFormatError) { Sparpack::MessagePack.unpack(text) }
      end
    end
  end

  def test_frames_that_are_cut_off
    framed = GuessTest.frame(BINARY)
    bytes = framed * (1000 / framed.bytesize)
    [bytes + framed, bytes + "\0".b, bytes].each do |all|
      guess = Sparpack::Guess.beginning(all.byteslice(0..-2), whole: false)

      assert_equal :framed, guess.format, guess.inspect
    end
    guess = Sparpack.guess([bytes].pack("m0"), Listing)

    assert_equal :base64, guess.format
    assert_includes guess.reason, "binary in a frame with its size in 4 bytes in base64"
  end

  # Each byte 0 is an empty object, so only a required field helps.
  def test_frames_in_a_stream
    bytes = GuessTest.frame(COMPACT)

    assert_equal [Loose.new, 1], Sparpack::Codec.new(Loose, unknown: :reject).decode_prefix(bytes)
    assert_includes assert_raises(Sparpack::DecodeError) { Listing.decode_each(bytes).to_a }.message, "in a frame"
  end

  private

  def called(wire) = CALLED.fetch(wire, wire)

  def refused(bytes, wire, struct_class = Listing)
    assert_raises(Sparpack::DecodeError) { struct_class.decode(bytes, wire) }
  end

  # Does what the advice says. What was compressed here is compact.
  def follow(advice, bytes)
    advice = advice.delete_suffix(", if you trust their source")
    advice = advice.sub(/:\w+\)\z/, ":compact)") if advice.include?("Zlib")
    found = Listing.class_exec(bytes) { |bytes| eval(advice, binding) } # rubocop:disable Security/Eval -- our own words
    found.is_a?(Enumerator) ? found.first : found
  end

  # A class of one to four scalars, and an object of it in several formats.
  def flat_payloads
    types = Array.new(random.rand(1..4)) { SCALARS.keys.sample(random:) }
    ids = (0..130).to_a.sample(types.size, random:)
    struct_class = Class.new(Sparpack::Struct) do
      types.each_with_index { |type, index| field ids[index], :"f#{index}", type }
    end
    object = struct_class.new(**types.each_with_index.to_h { |type, index| [:"f#{index}", SCALARS[type]] })
    [struct_class, { compact: object.encode, binary: object.encode(:binary), json: object.to_json,
                     message_pack: Sparpack::MessagePack.pack(object.to_h.transform_keys(&:name)) }]
  end

  def payload(wire)
    schema = RandomSchema.new(random)
    struct_class = schema.struct_class
    form = wire == :message_pack ? { keys: %i[array names ids].sample(random:) } : {}
    [struct_class, schema.object(struct_class).encode(wire, **form)]
  rescue Sparpack::EncodeError, Sparpack::SchemaError # some wires have no containers as keys, or no ids that are far apart
    retry
  end

  def damaged(wire)
    160.times do
      struct_class, bytes = payload(wire)
      next if bytes.bytesize < 2

      12.times { yield struct_class, bytes.byteslice(0, random.rand(1...bytes.bytesize)) }
      12.times { yield struct_class, bytes.dup.tap { |copy| copy.setbyte(random.rand(copy.bytesize), random.rand(256)) } }
      3.times { yield struct_class, random.bytes(random.rand(1..60)) }
    end
  end
end
