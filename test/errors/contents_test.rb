# frozen_string_literal: true

require "test_helper"
require "sparpack/message_pack"
require "stringio"
require "support/seeded"
require "zlib"

# Messages show numbers, types and places, and never what a string of a payload holds: neither values, nor keys of maps, nor
# names that the class does not have.
class ContentsTest < Minitest::Test
  include Seeded

  SECRET = "hunter2-secret"

  # Any part of it is too much.
  PART = /unter|2-s|ecre/

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
    CLOSED = 2
  end

  class Account < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :picture, :binary
    field 4, :labels, map(:string, :string)
    field 5, :counts, map(:string, list(:i32))
    field 6, :status, Status
    field 7, :tags, set(:string)
    field 8, :others, list("Account")
    field 9, :big, :i64
    field 10, :uuid, :uuid
    field 11, :by_account, map(:string, "Account")
  end

  # Knows other fields, and fewer.
  class Stranger < Sparpack::Struct
    field 1, :id, :string
    field 2, :name, :i32
    field 4, :labels, map(:i32, :i32)
    field 5, :counts, map(:string, list(:bool))
    field 8, :others, list("Stranger")
    field 11, :by_account, map(:string, "Stranger")
  end

  class Few < Sparpack::Struct
    field 1, :id, :i32
    field 8, :others, list("Few")
  end

  class Plain
    attr_accessor :id, :anything
  end

  PLAIN = Sparpack::Mapping.new(Plain, { 0 => :id, 1 => :anything })
  NAMED = Sparpack::Mapping.new(Plain, %i[id anything])

  FORMS = [[:compact, {}], [:binary, {}], [:json, {}], [:thrift_json, {}], [:message_pack, { keys: :array }],
           [:message_pack, { keys: :names, enums: :names }], [:message_pack, { keys: :ids }]].freeze
  OPTIONS = [{}, { unknown: :reject }, { validate: :recursive }, { mismatch: :skip, validate: :strict },
             { limits: Sparpack::Limits.new(string: 4) }, { limits: Sparpack::Limits.new(memory: 200) },
             { limits: Sparpack::Limits.new(container: 0, depth: 2) }].freeze

  # Every payload is read as every class, with every option, cut and with other bytes.
  def test_structs
    messages = 0
    FORMS.product([Account, Stranger, Few], OPTIONS) do |(wire, form), klass, options|
      bytes = account.encode(wire, **form).b
      texts = [bytes] + Array.new(6) { bytes.byteslice(0, random.rand(bytes.bytesize)) } + Array.new(20) { changed(bytes) }
      texts.each { |text| messages += 1 if silent { klass.decode(text, wire, **options) } }
    end

    assert_operator messages, :>, 2_000
  end

  # Every payload is read on every wire, so that there are hints at what it is.
  def test_guesses
    payloads = FORMS.map { |wire, form| account.encode(wire, **form) }
    payloads += [SECRET, %("#{SECRET}"), "{\"#{SECRET}\":", "--- #{SECRET}\n", Marshal.dump(SECRET), [SECRET].pack("m"),
                 Zlib.gzip(SECRET), SECRET.encode("UTF-16LE"), SECRET.unpack1("H*"), "/tmp/#{SECRET}.bin", "#{SECRET}.json"]
    payloads.product(FORMS, [{}, { unknown: :reject }]) do |bytes, (wire, form), options|
      codec = Sparpack::Codec.new(Account, wire, **form, **options)
      silent { codec.decode(bytes) }
      silent { codec.decode_each(bytes).to_a }
      silent { codec.decode_each(StringIO.new(bytes)).to_a }
      silent { Sparpack::Converter.new(Account, from: codec, to: :binary).convert(bytes) }
      refute_match PART, Sparpack.guess(bytes, Account).to_s
    end
  end

  JSON_TEXTS = [%({"id":1,"#{SECRET}":2}), %({"id":1,"name":"#{SECRET}"x}), %({"id":"#{SECRET}"}), %({"status":"#{SECRET}"}),
                %({"labels":{"#{SECRET}":5}}), %({"counts":{"#{SECRET}":["#{SECRET}"]}}), %({"picture":"#{SECRET}!"}),
                %({"uuid":"#{SECRET}"}), %({"big":"#{SECRET}"}), %({"#{SECRET}" 1}), %({#{SECRET}:1}), %({'#{SECRET}':1}),
                %({"name":"#{SECRET}\n"}), %({"name":"#{SECRET}\\q"}), %({"name":"#{SECRET}\xFF"}), %({"name":#{SECRET}}),
                %({"by_account":{"#{SECRET}":{"id":"#{SECRET}"}}}), %({"#{SECRET}":1,"#{SECRET}":2}),
                %("#{SECRET}"), %(["#{SECRET}"]), %({"id":1}#{SECRET}), SECRET].freeze

  def test_json
    JSON_TEXTS.product(OPTIONS) do |text, options|
      silent { Account.from_json(text, **options) }
      silent { Stranger.from_json(text, **options) }
    end
  end

  # The size tells a name from others, and the hint names fields of the class.
  def test_names_that_a_class_does_not_have
    error = assert_raises(Sparpack::DecodeError::Malformed) { Account.from_json(JSON_TEXTS[0], unknown: :reject) }

    assert_equal "#{Account}: expected a known field, found a name of 14 bytes (known: \"id\", \"name\", \"picture\", " \
                 "\"labels\", \"counts\", \"status\", \"tags\", \"others\", \"big\", \"uuid\", \"by_account\") " \
                 "(json, line 1, column 8, byte 7)",
                 error.message
    assert_equal "a name of 14 bytes", error.found
    error = assert_raises(Sparpack::DecodeError) { Account.from_json('{"namee":1}', unknown: :reject) }

    assert_match 'found a name of 5 bytes (did you mean "name"?)', error.message
    error = assert_raises(Sparpack::DecodeError) { Account.from_json('{"status":"ACTVE"}') }

    assert_match "expected #{Status}, found a String of 5 bytes in UTF-8 (did you mean :ACTIVE? known: :ACTIVE, :CLOSED)",
                 error.message
  end

  # --- members without a type --------------------------------------------------------------------------------------------

  BROKEN = "#{SECRET}\xFF".freeze

  def test_members_without_a_type
    [{ SECRET => BROKEN }, { SECRET => [1, BROKEN] }, { BROKEN => SECRET }, [SECRET, { SECRET => { SECRET => BROKEN } }],
     { SECRET => (1..40).reduce(1) { |inner, _| [inner] } }].each do |value|
      bytes = Sparpack::MessagePack.pack([1, value])
      [PLAIN, NAMED].product([*OPTIONS, { limits: Sparpack::Limits.new(depth: 20) }]) do |mapping, options|
        codec = Sparpack::Codec.new(mapping, :message_pack, **options)
        silent { codec.decode(bytes) }
        30.times { silent { codec.decode(changed(bytes)) } }
        silent { codec.encode(plain(value)) }
      end
    end
    { [{ "a" => { "b" => [1, "\xFF"] } }] => "[0].values[0].values[0][1]", { 1 => 2, "\xFF" => 1 } => ".keys[1]",
      { "k" => "\xFF" } => ".values[0]", ["\xFF"] => "[0]", "\xFF" => "" }.each do |value, path|
      bytes = Sparpack::MessagePack.pack([1, value])
      error = assert_raises(Sparpack::DecodeError::Malformed) { Sparpack::Codec.new(PLAIN, :message_pack).decode(bytes) }

      assert_equal "#{Plain}.anything#{path}", error.path
      assert_equal "bytes that are not UTF-8", error.found
      error = assert_raises(Sparpack::EncodeError::InvalidString) do
        Sparpack::Codec.new(PLAIN, :message_pack).encode(plain(value))
      end

      assert_equal ["#{Plain}.anything#{path}", "a String of 1 byte in UTF-8"], [error.path, error.found]
    end
  end

  # --- objects -----------------------------------------------------------------------------------------------------------

  def test_encoding_and_validating
    objects = [Account.new(id: SECRET), Account.new(id: 1, name: 5, labels: { SECRET => 5 }), Account.new(name: BROKEN),
               Account.new(id: 1, counts: { SECRET => [SECRET] }), Account.new(id: 1, uuid: SECRET),
               Account.new(id: 1, others: [SECRET]), Account.new(id: 1, by_account: { SECRET => Account.new(id: SECRET) })]
    objects.each do |object|
      FORMS.each { |wire, form| silent { object.encode(wire, **form) } }
      %i[strict recursive].each do |mode|
        object.errors(mode).each { |error| assert_reveals_nothing(error) }
      end
    end
  end

  # Without a schema, paths show keys, but no message shows a value.
  def test_message_pack_without_a_schema
    bytes = Sparpack::MessagePack.pack([1, { "key" => [SECRET, { "other" => BROKEN }] }])
    (0..bytes.bytesize).each do |size|
      Sparpack::MessagePack.unpack(bytes.byteslice(0, size), untrusted: true)
    rescue Sparpack::MessagePack::UnpackError, EOFError => e
      assert_reveals_nothing(e)
    end
  end

  private

  def account
    Account.new(id: 1, name: SECRET, picture: SECRET.b, labels: { SECRET => SECRET }, counts: { SECRET => [1] }, status: 2,
                tags: Set[SECRET], others: [Account.new(id: 2, name: SECRET)], big: 1 << 60,
                uuid: "00112233-4455-6677-8899-aabbccddeeff",
                by_account: { SECRET => Account.new(id: 3, tags: Set[SECRET]) })
  end

  def plain(value) = Plain.new.tap { |object| object.anything = value }

  def changed(bytes)
    bytes.b.tap do |copy|
      place = random.rand(copy.bytesize)
      case random.rand(3)
      when 0 then copy.setbyte(place, random.rand(256))
      when 1 then copy[place, 1] = ""
      else copy.insert(place, [random.rand(256)].pack("C"))
      end
    end
  end

  # @return [Boolean] whether there was an error
  def silent
    yield
    false
  rescue Sparpack::Error => e
    assert_reveals_nothing(e)
    true
  end

  def assert_reveals_nothing(error)
    shown = [error.message, error.inspect, error.full_message(highlight: false, order: :top)]
    shown += %i[path expected found].map { |name| error.public_send(name) if error.respond_to?(name) }

    refute_match PART, shown.join("\n").b
  end
end
