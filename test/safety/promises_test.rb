# frozen_string_literal: true

# bin/test: alone, for it measures time

require "test_helper"
require "sparpack/message_pack"
require "faraday"
require "objspace"
require "rbconfig"
require "active_model"
require "sparpack/faraday"
require "sparpack/rack"
require "sparpack/rails"
require "stringio"
require "support/child"
require "support/command"
require "support/cost"
require "support/seeded"
require "timeout"
require "tmpdir"
require "yaml"
require_relative "../../fuzz/ruby/targets"

# Each promise of SECURITY.md has a test that bears its sentence, and each sentence of that page that promises something is
# here. The tests are short. Where a promise has tests of its own, the comment names them.
class PromisesTest < Minitest::Test
  include Child
  include Seeded

  SANITIZED = ENV["SPARPACK_MODE"] == "sanitize" # what is freed stays for a while

  PAGE = File.read(File.expand_path("../../SECURITY.md", __dir__), encoding: Encoding::UTF_8)
  ROOT = File.expand_path("../..", __dir__)
  M = Sparpack::MessagePack
  COLUMNS = [:structs, :message_pack].freeze
  KEPT = {} # rubocop:disable Style/MutableConstant

  class << self
    # A sentence of the page.
    def promise(sentence, &test)
      raise "two tests for #{sentence}" if KEPT[sentence]

      KEPT[sentence] = true
      define_method("test_#{KEPT.size}_#{sentence.downcase.gsub(/\W+/, "_")[0, 60]}", &test)
    end

    # A cell of the table.
    def cell(row, column, text, &) = promise("#{row} | #{column} | #{text}", &)
  end

  # Sentences that only say what a reader has to know or to do.
  ADVICE = [
    "It does not hold for `Sparpack::IDL.load` if thousands of services extend one another, because Ruby itself takes " \
    "long to define such classes.",
    "With `mismatch: :skip`, what does not fit may be read once for each level around it.",
    "A container in keys of maps is hashed once for each level of keys around it.",
    "MessagePack's type `:rational` takes as long as Ruby takes to reduce two large Integers.",
    "The bytes may be anything.", "The schema, the options and the program are yours.",
    "Set limits that fit your messages.",
    "If your messages are small, set small limits, as in the example below.", "Limit what you read.",
    "A String that you pass to `decode` is in memory already.", "Limit its size where you read it from the network.",
    "Pass `untrusted: true` when you unpack MessagePack without a schema from strangers.",
    "Never load Marshal or YAML from strangers, neither with structs nor without.",
    "Both can build any object of your program.", "For strangers, use `encode` and `decode`.", "Validate the meaning.",
    "Your program has to check whether a number makes sense and whether an id belongs to the user.",
    "Keep your own code safe.", "Do not load .thrift files from strangers.", "Do not rely on Timeout.",
    "Leave secrets out of JSON, and [test that they are](#secrets-in-json).", "Prefer `only:`.",
    "Either way, test what your application renders:"
  ].freeze

  def test_each_promise_has_a_test
    assert_equal [], sentences - KEPT.keys - ADVICE, "sentences of SECURITY.md without a test"
    assert_equal [], KEPT.keys - sentences, "tests of promises that SECURITY.md does not make"
    assert_equal [], ADVICE - sentences, "advice that SECURITY.md does not give"
    assert_equal sentences.uniq, sentences
  end

  # --- classes -----------------------------------------------------------------------------------------------------------

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
  end

  class Item < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :items, list("Item")
    field 4, :labels, map(:string, :string)
    field 5, :reals, map(:double, :i32)
    field 6, :status, Status
    field 7, :text, :string, default: "x" * 10_000
  end

  # Its payloads are those of Item, without the default.
  class Thin < Sparpack::Struct
    field 1, :id, :i32
    field 3, :items, list("Thin")
  end

  class Empty < Sparpack::Struct
    (1..60).each { |id| field id, :"f#{id}", :i32 }
  end

  class Empties < Sparpack::Struct
    field 1, :all, list(Empty)
  end

  # Has a field of any value.
  class Plain
    attr_accessor :any
  end

  PLAIN = Sparpack::Codec.new(Sparpack::Mapping.new(Plain, { 0 => :any }), :message_pack)
  ITEM = Ractor.make_shareable(Item.new(id: 1, name: "Ada", items: [Item.new(id: 2, labels: { "a" => "b" })], status: 1,
                                        reals: { 1.5 => 2 }))

  # --- errors ------------------------------------------------------------------------------------------------------------

  # More: test/codec/mutation_test.rb, test/contract/
  cell "errors", :structs, "only `Sparpack::DecodeError` and its subclasses" do
    faults = Sparpack::WIRES.flat_map do |wire|
      bytes = ITEM.encode(wire)
      Array.new(200) do
        [Item.decode(changed(bytes), wire, validate: :recursive), nil].last
      rescue StandardError, ScriptError => e
        e
      end
    end

    assert_operator faults.compact.size, :>, 200
    assert_equal [], faults.compact.grep_v(Sparpack::DecodeError)
  end

  # More: test/message_pack/faults_test.rb
  cell "errors", :message_pack, "only `UnpackError`, EOFError, and EncodingError for a key that becomes a Symbol" do
    bytes = M.pack(ITEM.to_h(deep: true))
    { {} => [], { untrusted: true } => [], { symbolize_keys: true } => [EncodingError] }.each do |options, more|
      faults = Array.new(300) do
        [M.unpack(changed(bytes), **options), nil].last
      rescue StandardError, ScriptError => e
        e
      end

      assert_operator faults.compact.size, :>, 30
      assert_equal([], faults.compact.reject { |e| [M::UnpackError, EOFError, *more].any? { |known| e.is_a?(known) } })
    end
    assert_raises(EncodingError) { M.unpack("\x81\xA1\xFF\x01".b, symbolize_keys: true) }
  end

  # --- memory ------------------------------------------------------------------------------------------------------------

  # More: test/codec/memory_test.rb, test/codec/bombs_test.rb
  cell "memory", :structs, "by default at most 16 MiB plus 64 times the size of the message; `Limits#memory` sets another " \
                           "limit. Objects may take up to 1.3 times the limit. An eighth of it may be taken once more " \
                           "where the size of a message is not known: by `decode_each` from an io and, without a limit of " \
                           "your own, by `decode_each` of a String and `decode_prefix`" do
    bomb = empties(100_000)
    usual = "at most #{(16 << 20) + (64 * bomb.bytesize)} bytes"
    limits = Sparpack::Limits.new(memory: 1 << 20)
    { usual => [{}, 1], "at most 1048576 bytes" => [{ limits: }, 1] }.each do |words, (options, _)|
      codec = Sparpack::Codec.new(Empties, **options)
      limit = Integer(words[/\d+/])
      { 1.0 => -> { codec.decode(bomb) }, 1.125 => -> { codec.decode_each(StringIO.new(bomb)).to_a } }.each do |share, work|
        cost = Cost.of(&work)

        assert_kind_of Sparpack::DecodeError::LimitExceeded, cost.result
        assert_match words, cost.result.message
        assert_operator cost.bytes, :<, (1.3 * share * limit) + (1 << 20)
      end
    end
  end

  # More: test/message_pack/limits_test.rb
  cell "memory", :message_pack, "in proportion to the bytes; at most 16 MiB plus 64 times the size of what is compressed, " \
                                "unless you pass `compression:`; `limits:` or `untrusted: true` set a limit" do
    bomb = "\x90".b * 99_999
    bytes = ["dd", 99_999].pack("H*N") << bomb

    assert_operator Cost.of { M.unpack(bytes) }.bytes, :<, 100 * bytes.bytesize
    assert_raises(M::LimitExceeded) { M.unpack(M.pack([[]] * 500_000, compression: :lz4)) }
    assert_raises(M::LimitExceeded) { M.unpack(bytes, limits: Sparpack::Limits.new(memory: 1 << 20)) }
    assert_raises(M::LimitExceeded) { M.unpack(["dd", 1_000_001].pack("H*N") << ("\xC0".b * 1_000_001), untrusted: true) }
  end

  # --- sizes -------------------------------------------------------------------------------------------------------------

  # More: test/codec/bombs_test.rb
  cell "claimed sizes", :structs, "never trusted: a size that exceeds the bytes left is refused before anything is " \
                                  "allocated" do
    ["\x28\xff\xff\xff\xff\x07", "\x15\x02\x29\xfc\xff\xff\xff\xff\x07",
     "\x15\x02\x3b\xff\xff\xff\xff\x07\x88"].each do |bytes|
      cost = Cost.of { Item.decode(bytes.b) }

      assert_kind_of Sparpack::DecodeError::Truncated, cost.result
      assert_operator cost.bytes, :<, 100_000
    end
  end

  cell "claimed sizes", :message_pack, "the same" do
    %w[dbffffffff c6ffffffff ddffffffff dfffffffff].each do |hex|
      cost = Cost.of { M.unpack([hex].pack("H*")) }

      assert_kind_of EOFError, cost.result
      assert_operator cost.bytes, :<, 100_000
    end
  end

  cell "depth", :structs, "64 levels of structs and containers, at most 1,000" do
    deep = ->(levels) { (1..levels).reduce(Item.new(id: 0)) { |inner, _| Item.new(id: 0, items: [inner]) } }
    wide = Sparpack::Limits.new(depth: 1000)

    assert_equal 63, depth_of(Item.decode(deep.call(31).encode))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Item.decode(deep.call(32).encode(limits: wide)) }
    assert_equal 999, depth_of(Item.decode(deep.call(499).encode(limits: wide), limits: wide))
    assert_raises(ArgumentError) { Sparpack::Limits.new(depth: 1001) }
  end

  cell "depth", :message_pack, "128 levels" do
    assert M.unpack(("\x91".b * 127) + "\x90".b)
    assert_raises(M::StackError) { M.unpack(("\x91".b * 128) + "\x90".b) }
  end

  # More: test/codec/limits_test.rb
  cell "size of a message from an io", :structs, "100,000,000 bytes" do
    assert_equal 100_000_000, Sparpack::Limits.new.message
    error = assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Item.decode_from(StringIO.new([100_000_001].pack("N")), frame: :framed)
    end

    assert_match "at most 100000000 bytes", error.message
    small = Item.codec(limits: Sparpack::Limits.new(message: 1000))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { small.decode_each(StringIO.new(Item.new(id: 1, name: "x" * 1001).encode)).to_a }
  end

  # More: test/message_pack/limits_test.rb
  cell "size of a message from an io", :message_pack, "no limit by default; 16 MiB with `untrusted: true`" do
    large = M.pack(Array.new(3) { "x" * (7 << 20) })

    assert_equal 3, M.unpack(StringIO.new(large)).size
    assert_raises(M::LimitExceeded) { M.unpack(StringIO.new(large), untrusted: true) }
  end

  # --- text --------------------------------------------------------------------------------------------------------------

  # More: test/errors/contents_test.rb
  cell "text", :structs, "must be valid UTF-8, also inside members without a type, unless you pass `utf8: :keep`, which " \
                         "in JSON and Thrift's JSON is for known fields only" do
    Sparpack::WIRES.each do |wire|
      [Item.new(id: 1, name: "n\xFF"), Item.new(id: 1, labels: { "k\xFF" => "a" }),
       Item.new(id: 1, labels: { "a" => "v\xFF" })].each do |item|
        bytes = item.encode(wire, utf8: :keep)
        assert_raises(Sparpack::DecodeError::Malformed, wire) { Item.decode(bytes, wire) }
        assert_equal item, Item.decode(bytes, wire, utf8: :keep)
      end
    end
    unknown = Class.new(Sparpack::Struct) { field 9, :later, :string }.new(later: "v\xFF")
    read = Sparpack::WIRES.select do |wire|
      Class.new(Sparpack::Struct).decode(unknown.encode(wire, utf8: :keep), wire, utf8: :keep)
    rescue Sparpack::DecodeError::Malformed
      false
    end
    assert_equal %i[json thrift_json], Sparpack::WIRES - read
    keep = Sparpack::Codec.new(PLAIN.struct_class, :message_pack, utf8: :keep)
    ["\xFF", ["\xFF"], { "a" => ["\xFF"] }, { "\xFF" => 1 }].each do |value|
      bytes = M.pack([value])
      assert_raises(Sparpack::DecodeError::Malformed) { PLAIN.decode(bytes) }
      assert_equal value, keep.decode(bytes).any
      assert_raises(Sparpack::EncodeError::InvalidString) { PLAIN.encode(keep.decode(bytes)) }
      assert_equal bytes, keep.encode(keep.decode(bytes))
    end
  end

  cell "text", :message_pack, "read as UTF-8; refused if invalid with `untrusted: true` or `strict_utf8: true`" do
    ["\xA1\xFF".b, "\x91\xA1\xFF".b, "\x81\xA1\xFF\x01".b].each do |bytes|
      text = [M.unpack(bytes)].flatten.map { |each| each.is_a?(Hash) ? each.keys.first : each }.first

      assert_equal Encoding::UTF_8, text.encoding
      [{ untrusted: true }, { strict_utf8: true }].each do |options|
        assert_raises(M::MalformedFormatError) { M.unpack(bytes, **options) }
      end
    end
  end

  # --- hash flooding -----------------------------------------------------------------------------------------------------

  cell "hash flooding", :structs, "map keys are hashed by Ruby, with a seed of the process; at most 256 keys of a message " \
                                  "may be NaN" do
    assert_operator hashes.size, :>, 1, "hashes are the same in each process"
    assert_kind_of Hash, Item.decode(ITEM.encode).items[0].labels
    nan = ->(count) { Item.new(id: 1, reals: (1..count).to_h { [0.0 / 0, _1] }).encode }

    assert_equal 256, Item.decode(nan.call(256)).reals.size
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Item.decode(nan.call(257)) }
  end

  cell "hash flooding", :message_pack, "the same; at most 16 keys of one Hash may be NaN" do
    nan = ->(count) { ["de", count].pack("H*n") << ("\xCB\x7F\xF8\0\0\0\0\0\0\1".b * count) }

    assert_instance_of Hash, M.unpack(nan.call(16))
    assert_equal 16, M.unpack(nan.call(16)).size
    assert_raises(M::UnpackError) { M.unpack(nan.call(17)) }
  end

  # --- classes -----------------------------------------------------------------------------------------------------------

  NAMES = %w[Kernel PromisesTest::Never NeverSeenBefore__ system json_class ^o !ruby/object:Object].freeze

  cell "classes and code", :structs, "only classes of your schema are built; no constant is looked up, no Symbol is made, " \
                                     "nothing is evaluated" do
    texts = NAMES.flat_map do |name|
      [%({"id":1,"#{name}":{"#{name}":"#{name}"},"name":"#{name}"}), %({"id":1,"status":"#{name}"}),
       %({"id":1,"labels":{"#{name}":"#{name}"}})]
    end
    payloads = texts.map { |text| [text, :json] } + Sparpack::WIRES.map { |wire| [ITEM.encode(wire), wire] }
    read = lambda do
      payloads.product([{}, { unknown: :keep }, { unknown: :reject }]).map do |(bytes, wire), options|
        Item.decode(bytes, wire, **options)
      rescue Sparpack::DecodeError
        nil
      end
    end
    read.call # loads what is loaded on demand
    symbols = Symbol.all_symbols.size
    objects = nil

    assert_equal [], called(%i[const_get const_missing eval instance_eval class_eval to_sym intern load require]) {
      objects = read.call
    }
    assert_operator Symbol.all_symbols.size, :<=, symbols
    built = reach(objects).map(&:class).uniq

    assert_equal [], built - [Item, Array, Hash, String, Integer, Float, NilClass, Symbol]
  end

  cell "classes and code", :message_pack, "only extension types that you registered; Symbols only with `symbolize_keys: " \
                                          "true` or if you register them" do
    assert_raises(M::UnknownExtTypeError) { M.unpack("\xD4\x05a".b) }
    factory = M::Factory.new
    factory.register_type(5, Plain, packer: ->(_) { "" }, unpacker: ->(_) { :read })

    assert_equal :read, factory.load("\xD4\x05a".b)
    name = "never_#{rand(1 << 60)}"
    bytes = M.pack({ name => name })
    M.unpack(bytes)

    refute_includes Symbol.all_symbols.map(&:name), name
    assert_equal [name.to_sym], M.unpack(bytes, symbolize_keys: true).keys
    factory.register_type(0, Symbol)

    assert_equal :a, factory.load(factory.dump(:a))
  end

  # --- converting --------------------------------------------------------------------------------------------------------

  # More: test/transcode/output_limit_test.rb
  # test/struct/coercion_test.rb has all limits.
  cell "parameters of a form (`from_h` with `coerce: true`)", :structs,
       "only `ConversionError`; at most 1,000 levels, 100 faults, and 1,000 bytes of text for a number; the index of an " \
       "element is only compared; messages show the beginning of an unknown name of a field, and a wrong enum value if it " \
       "looks like a name" do
    deep = (1..1_001).inject({}) { |inner, _| { "items" => { "0" => inner } } }
    many = { "items" => Array.new(101) { { "id" => "x" } } }
    digits = { "id" => "1".rjust(1_001, "0") }
    errors = [deep, many, digits].map do |given|
      assert_raises(Sparpack::ConversionError) { Item.from_h(given, coerce: true) }
    end

    assert_equal([1, 100, 1], errors.map { |error| error.errors.size })
    assert_equal 1, Item.from_h({ "id" => "1".rjust(1_000, "0") }, coerce: true).id
    assert_equal [5], Item.from_h({ "items" => { "9" * 19 => { "id" => "5" } } }, coerce: true).items.map(&:id)

    shown = [{ "x" * 10_000 => 1 }, { "status" => "gone" }, { "status" => "a secret" }, { "id" => "hunter2" }].map do |given|
      assert_raises(Sparpack::ConversionError) { Item.from_h(given, coerce: true) }.message
    end

    assert_operator shown[0].size, :<, 400
    assert_includes shown[1], '"gone"'
    shown[2..].each { |message| refute_match(/secret|hunter2/, message) }
  end

  cell "converting", :structs, "what `Converter` and `convert` write for a message is limited as memory is: by default to " \
                               "16 MiB plus 64 times the size of the message; meanwhile a `Converter` takes at most four " \
                               "times that limit besides; with `threads: n`, n threads take at most 48 MiB each besides; " \
                               "a payload that can be read but not written, such as a union with an unknown field, " \
                               "raises EncodeError" do
    bomb = Thin.new(id: 1, items: [Thin.new(id: 1)] * 4000).encode

    assert_equal 4000, Item.decode(bomb).items.size
    [-> { Item.convert(bomb, from: :compact, to: :json) },
     lambda {
       Sparpack::Converter.new(Item, from: :compact, to: :json).copy_stream(StringIO.new(bomb), StringIO.new)
     }].each do |work|
      error = assert_raises(Sparpack::DecodeError::LimitExceeded, &work)

      assert_match "at most #{(16 << 20) + (64 * bomb.bytesize)} bytes", error.message
    end
    union = Class.new(Sparpack::Union) { field 1, :a, :i32 }
    holder = Class.new(Sparpack::Struct) { field 1, :union, union }
    assert_raises(Sparpack::EncodeError) { holder.convert('{"union":{"b":1}}', from: :json, to: :compact) }
    return if SANITIZED || !File.exist?("/proc/self/clear_refs")

    assert_operator peak_of_converting, :<, 4 * (64 << 10)
    assert_operator peak_of_threads(2), :<, 2 * (48 << 10)
  end

  # More: test/transcode/convert_test.rb
  cell "converting", :message_pack, "`sparpack convert` writes at most 16 MiB plus 64 times what it has read" do
    deep = ("\x91".b * 998) << ["dc", 20_000].pack("H*n") << ("\xC0".b * 20_000)
    output = StringIO.new("".b)
    assert_raises(Sparpack::Convert::Fault) { convert(deep, output, pretty: true) }

    assert_operator output.string.bytesize, :<=, (16 << 20) + (64 * deep.bytesize)
  end

  # --- messages ----------------------------------------------------------------------------------------------------------

  # More: test/errors/contents_test.rb
  cell "errors in logs", :structs, "messages show numbers, types, places and the length of a string, never what is in it" do
    ['{"id":1,"hunter2":1}', '{"id":"hunter2"}', '{"id":1,"status":"hunter2"}', '{"id":1,"labels":{"hunter2":1}}',
     '{"id":1,"name":hunter2}'].each do |text|
      error = assert_raises(Sparpack::DecodeError) { Item.from_json(text, unknown: :reject) }

      refute_match(/unter/, [error.message, error.path, error.found, error.expected].join)
      assert_match(/\d/, error.message)
    end
  end

  cell "errors in logs", :message_pack, "the same, but places (`path`) include map keys" do
    error = assert_raises(M::MalformedFormatError) { M.unpack(M.pack({ "key" => ["hunter2\xFF"] }), untrusted: true) }

    assert_equal '["key"][0]', error.path
    refute_match(/unter/, error.message)
  end

  # --- work --------------------------------------------------------------------------------------------------------------

  # More: test/codec/bombs_test.rb, test/safety/levels_test.rb
  promise "With `lazy: true`, all of this is checked before `decode` returns, and reading a field raises nothing." do
    bytes = Item.new(**ITEM.to_h, text: "a", items: [Item.new(id: 2, text: "b", labels: { "a" => "b" })]).encode
    (0...bytes.bytesize).each do |place|
      damaged = bytes.dup.tap { |copy| copy.setbyte(place, random.rand(256)) }
      object = begin
        Item.decode(damaged, lazy: true)
      rescue Sparpack::DecodeError
        next
      end

      assert_equal Item.decode(damaged).inspect, object.inspect # NaN differs from itself
    end
    assert_raises(Sparpack::DecodeError) { Item.decode(bytes, lazy: true, limits: Sparpack::Limits.new(memory: 10)) }
  end

  promise "`check`, `count`, `each_range` and `skip` check the same and make no objects." do
    bytes = ITEM.encode
    codec = Item.codec(limits: Sparpack::Limits.new(memory: 10))
    %i[check count skip].each { |name| assert_raises(Sparpack::DecodeError, name.to_s) { codec.public_send(name, bytes) } }
    assert_raises(Sparpack::DecodeError) { codec.each_range(bytes).to_a }
    codec = Item.codec
    made = Sparpack::Native.scan(codec, bytes) && [GC.stat(:total_allocated_objects)]
    50.times { [codec.check(bytes), codec.skip(bytes)] }

    assert_operator GC.stat(:total_allocated_objects) - made.first, :<, 60 # the Arrays
  end

  class Pair < Sparpack::Struct
    field 1, :first, :string
    field 2, :second, :string
  end

  PAIR = Pair.new(first: "one", second: "two").encode.freeze

  class Grid < Sparpack::Struct
    field 1, :rows, list(list(:i32))
  end

  promise "`columns` checks the same, too." do
    assert_raises(Sparpack::DecodeError) { Pair.columns("#{PAIR.chop}\xff", "first") }
    assert_raises(Sparpack::DecodeError) { Pair.columns("\x18\x03one\x18\x03\xff\xff\xff\x00".b, "first") }
    assert_equal({ "first" => ["one"] }, Pair.columns(PAIR, "first"))
  end

  # An empty list takes 40 bytes in an object, and 8 in each of these columns.
  promise "What a message adds to the columns is limited as its objects are, and counted by itself." do
    bytes = Grid.new(rows: [[]] * 1000).encode
    codec = Grid.codec(:compact, limits: Sparpack::Limits.new(memory: 100_000))
    columns = ->(count) { codec.columns(bytes * 3, *Array.new(count) { |index| [:rows, :[], index] }) }

    assert_equal 3000, columns.call(10).values.last.size
    assert_raises(Sparpack::DecodeError::LimitExceeded) { columns.call(20) }
  end

  promise "`dig` and `patch` check what stands in front of the value, and the value itself." do
    ["\x18\x03\xff\xff\xff\x18\x03two\x00".b, "\x18\x03one\x18\x03\xff\xff\xff\x00".b].each do |bytes|
      assert_raises(Sparpack::DecodeError) { Pair.dig(bytes, :second) }
    end
    assert_raises(Sparpack::DecodeError) { Pair.patch("\x18\x03\xff\xff\xff\x18\x03two\x00".b, [:second] => "x") }
  end

  promise "What stands behind it is not looked at." do
    assert_equal "one", Pair.dig(PAIR.byteslice(0, 5), :first)
  end

  promise "So a message that is wrong there is not refused, and of a field or key that comes twice the first one counts." do
    twice = "\x18\x03one\x08\x02\x03two\x00".b

    assert_equal "two", Pair.decode(twice).first
    assert_equal "one", Pair.dig(twice, :first)
    assert_equal "one", Pair.dig("#{PAIR.chop}\xff", :first)
  end

  promise "Where bytes from strangers must be valid as a whole, call `check` first." do
    assert_raises(Sparpack::DecodeError) { Pair.check(PAIR.chop) }
  end

  promise "`patch` changes each repetition of a field." do
    bytes = Pair.patch("\x18\x03one\x08\x02\x03one\x18\x03two\x00".b, [:first] => "new", [:second] => "two")

    assert_equal [0, 2], [bytes.scan("one").size, bytes.scan("new").size]
  end

  promise "What it writes is limited as memory is, beside the new values themselves." do
    many = "\x18\x03one#{"\x08\x02\x00" * 5000}\x18\x03two\x00".b

    assert_operator Pair.patch(many, [:first] => "x" * 1000, [:second] => "y").size, :>, 5_000_000
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Pair.patch(many, [:first] => "x" * 5000, [:second] => "y") }
  end

  # test/message_pack/codec_types_test.rb
  promise "If an extension type has a `codec:`, its payload is read as a struct is, with the limits of the codec." do
    limits = Sparpack::Limits.new(string: 10)
    factory = M::Factory.new
    factory.register_type(5, Item, codec: Sparpack::Codec.new(Item, :compact, limits:))
    ["", "\0", "\x15\x02", "\x15\x02\x18\x0B#{"x" * 11}\0", "\x15\x02\x18\x01\xFF\0", "\x18\xFF\xFF\xFF\xFF\x07",
     "\x15\x02\0\0"].each do |payload|
      alone  = assert_raises(Sparpack::DecodeError, payload) { Item.decode(payload.b, limits:) }
      inside = assert_raises(alone.class) { factory.load(M::Packer.new.write_ext(5, payload.b).to_s) }

      assert_equal [alone.message, alone.offset], [inside.message, inside.offset]
    end
  end

  promise "Its objects count for the memory of the value around it, too." do
    factory = M::Factory.new
    factory.register_type(5, Thin, codec: Sparpack::Codec.new(Thin, :compact))
    bytes = factory.dump(Array.new(1000) { |id| Thin.new(id:) })

    assert_raises(M::LimitExceeded) { factory.load(bytes, limits: Sparpack::Limits.new(memory: 50_000)) }
    assert_equal 1000, factory.load(bytes, limits: Sparpack::Limits.new(memory: 500_000)).size
  end

  promise "The work is in proportion to the size of the input." do
    text = ->(count) { %({"id":1,"labels":{#{Array.new(count) { |i| %("key #{i}":"v") }.join(",")}}}) }
    unknown = ->(count) { %({"id":1,#{Array.new(count) { |i| %("u#{i}":[1]) }.join(",")}}) }

    assert_proportional(text) { |input| Item.from_json(input) }
    assert_proportional(unknown) { |input| Item.from_json(input, unknown: :keep) }
    assert_proportional(->(count) { M.pack(Array.new(count) { |i| { i => "v" } }) }) { |input| M.unpack(input) }
    assert_proportional(text) { |input| Item.convert(input, from: :json, to: :compact) }
  end

  # More: test/idl/growth_test.rb, test/transcode/convert_test.rb
  # test/idl/growth_test.rb has the commands.
  promise "The same holds for `Sparpack::IDL.parse`, for the commands that read .thrift files, and for `sparpack " \
          "convert`." do
    thrift = ->(count) { Array.new(count / 10) { |i| "struct S#{i} { 1: i32 a, 2: list<string> b = [] }\n" }.join }

    assert_proportional(thrift) { |input| Sparpack::IDL.parse(input) }
    assert_proportional(->(count) { M.pack(Array.new(count) { |i| { "a#{i}" => [nil] } }) }) do |input|
      convert(input, StringIO.new("".b))
    end
  end

  # --- HTTP --------------------------------------------------------------------------------------------------------------

  # More: test/web/rack_test.rb, test/web/puma_test.rb
  promise "`Sparpack::Rack.body` takes at most `max:` bytes of a body, whatever Content-Length says, and decodes nothing " \
          "before the body is complete." do
    [nil, "5", "x", (1 << 62).to_s].each do |length|
      input = StringIO.new(ITEM.encode * 10)
      env = { "CONTENT_TYPE" => "application/x-thrift", "CONTENT_LENGTH" => length, "rack.input" => input }.compact
      input.define_singleton_method(:rewind) { 0 }
      decoded = called(%i[decode count]) do
        error = assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env, [Item], max: 10_000) }

        assert_equal "body: expected at most 10000 bytes, found more", error.message
      end

      assert_empty decoded
      assert_operator input.pos, :<=, 10_001 # one more shows that there are more
    end
    input = StringIO.new(ITEM.encode)
    cut = { "CONTENT_TYPE" => "application/x-thrift", "CONTENT_LENGTH" => "30000", "rack.input" => input }
    decoded = called(%i[decode]) { assert_raises(Sparpack::DecodeError::Truncated) { Sparpack::Rack.body(cut, Item) } }

    assert_empty decoded
  end

  # More: test/web/bodies_test.rb
  promise "A list in a body has the limits of one message." do
    body = "\0" * 200_000
    env = { "CONTENT_TYPE" => Sparpack::Media.type(:compact), "rack.input" => StringIO.new(body) }
    cost = Cost.of { Sparpack::Rack.body(env, [Empty]) }

    assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result
    assert_operator cost.bytes, :<, 2.5 * ((16 << 20) + (64 * body.bytesize))
  end

  # More: test/web/rack_test.rb
  promise "What `Sparpack::Rack::Faults` answers shows nothing of what a string of the body holds." do
    app = Sparpack::Rack::Faults.new(->(env) { Sparpack::Rack.body(env, Item, unknown: :reject) && [200, {}, []] })
    secret = Item.new(id: 1, name: "hunter2-secret", labels: { "hunter2-secret" => "hunter2-secret" })
    statuses = Sparpack::Media::TYPES.flat_map do |wire, (type)|
      Array.new(100) do
        status, _, body = app.call({ "CONTENT_TYPE" => type, "rack.input" => StringIO.new(changed(secret.encode(wire))) })

        refute_match(/unter|2-s|ecre/, body.join)
        status
      end
    end

    assert_includes statuses, 400
  end

  # More, against a real server: test/web/faraday_test.rb
  promise "With `max:`, the middleware for Faraday ends an answer that is longer." do
    middleware = Sparpack::Faraday::Response.new(nil, Item, max: 1_000)
    env = Faraday::Env.from(method: :get, request: Faraday::RequestOptions.new)
    middleware.on_request(env)
    env.response = Faraday::Response.new
    pieces = 0
    error = assert_raises(Faraday::ParsingError) do
      env.stream_response { |&on_data| 10_000.times { (pieces += 1) && on_data.call("x" * 100) } }
    end

    assert_instance_of Sparpack::DecodeError::LimitExceeded, error.wrapped_exception
    assert_equal 11, pieces
  end

  # More: test/web/media_test.rb
  promise "A header that names content types is read in time that is in proportion to its size." do
    [",", "a/b,", '"', ';a="', '\\"', ";q=0.1"].each do |part|
      assert_proportional(->(count) { part * (count / part.size) }) do |header|
        [Sparpack::Media.choose(header), Sparpack::Media.wire(header)]
      end
    end
  end

  # --- Rails -------------------------------------------------------------------------------------------------------------

  # Hostile values, for any field.
  ODD = ["hunter2-secret", "", nil, -1, 1.5, Float::NAN, 1 << 70, true, :hunter2, [], {}, [[nil]], { "0" => "hunter2" },
         { "id" => "hunter2" }, "\xFF", "9" * 2_000, Time.at(0), [{ "id" => [] }]].freeze

  # More: test/rails/cases/assignment.rb
  promise "For what a stranger may assign, an attribute of Rails raises only ConversionError, DecodeError and " \
          "ForbiddenAttributesError." do
    type = Sparpack::Rails::Type.new(of: Item)
    unpermitted = Struct.new(:permitted?).new(false)
    given = ODD + [unpermitted] + odd_forms + Array.new(300) { changed(ITEM.to_json) }
    faults = given.filter_map do |value|
      type.assert_valid_value(value)
      type.cast(value)
      nil
    rescue StandardError, ScriptError => e
      e
    end

    assert_equal [ActiveModel::ForbiddenAttributesError, Sparpack::ConversionError, Sparpack::DecodeError],
                 faults.map { |e| e.is_a?(Sparpack::DecodeError) ? Sparpack::DecodeError : e.class }.uniq.sort_by(&:name)
  end

  # More: test/struct/keeping_test.rb
  promise "What does not fit is kept for the form, but it cannot be stored." do
    type = Sparpack::Rails::Type.new(of: Item)
    stored = odd_forms.filter_map do |form|
      object = type.cast(form)
      begin
        type.deserialize(type.serialize(object)) && object
      rescue Sparpack::EncodeError
        refute object.valid?(:recursive), form.inspect
        nil
      end
    rescue Sparpack::ConversionError
      nil
    end

    # Enums are open: a number without a name can be stored.
    assert_operator stored.size, :>, 20
    assert_equal %w[PromisesTest::Status], stored.flat_map { |object| object.errors(:recursive).map(&:expected) }.uniq
    assert_equal "hunter2", type.cast({ "id" => "hunter2" }).id
  end

  # More: test/rails/cases/assignment.rb
  promise "The errors that `validates` adds to a record show nothing of what a string holds." do
    model = Class.new do
      include ActiveModel::Model
      include ActiveModel::Attributes

      def self.name = "Record"
      attribute :item, :sparpack, of: Item
      validates :item, sparpack: true
    end
    messages = odd_forms.flat_map do |form|
      record = model.new(item: form)
      record.valid?
      record.errors.full_messages + record.errors.map { |error| error.options.inspect }
    rescue Sparpack::ConversionError
      []
    end

    assert_operator messages.size, :>, 50
    assert_empty messages.grep(/secret|hunter2.secret/)
  end

  # More: test/rails/cases/rows.rb
  promise "A row may be any bytes: reading it raises only DecodeError." do
    type = Sparpack::Rails::Type.new(of: Item, reads: Sparpack::WIRES.to_a)
    rows = Sparpack::WIRES.flat_map { |wire| Array.new(100) { changed(ITEM.encode(wire)) } }
    faults = [*rows, "\\x", "\\xzz", "{", ""].filter_map do |row|
      type.deserialize(row)
      nil
    rescue StandardError, ScriptError => e
      e
    end

    assert_operator faults.size, :>, 100
    assert_empty faults.grep_v(Sparpack::DecodeError)
  end

  # --- what you have to do -----------------------------------------------------------------------------------------------

  promise "The defaults are generous: a message of 10 MB may become 650 MB of objects." do
    assert_in_delta 650_000_000, (16 << 20) + (64 * 10_000_000), 10_000_000
    assert_match "at most #{(16 << 20) + (64 * 200_010)} bytes",
                 assert_raises(Sparpack::DecodeError::LimitExceeded) { Empties.decode(empties(200_004)) }.message
  end

  promise "Sparpack supports them for your own caches and files." do
    assert_equal ITEM, Marshal.load(Marshal.dump(ITEM))
    assert_equal ITEM, YAML.unsafe_load(YAML.dump(ITEM))
  end

  promise "`decode` checks types and required fields." do
    assert_raises(Sparpack::DecodeError::TypeMismatch) { Item.from_json('{"id":"1"}') }
    assert_raises(Sparpack::DecodeError::MissingField) { Item.from_json('{"id":1,"items":[{}]}') }
  end

  promise "`validate: :recursive` also checks that each enum number has a name." do
    text = '{"id":1,"items":[{"id":2,"status":9}]}'

    assert_equal 9, Item.from_json(text).items[0].status
    assert_raises(Sparpack::DecodeError::TypeMismatch) { Item.from_json(text, validate: :recursive) }
  end

  # A key that runs Ruby code.
  class Key < Sparpack::Struct
    field 1, :id, :i32

    def hash = raise("from hash")
  end

  class Keyed < Sparpack::Struct
    field 1, :by_key, map(Key, :i32)
  end

  class Angry
    def to_msgpack(_packer) = raise("from to_msgpack")
  end

  promise "Procs of extension types, `hash` and `eql?` of your classes, and `to_msgpack` run while Sparpack reads or " \
          "writes." do
    factory = M::Factory.new
    ran = []
    factory.register_type(5, Plain, packer: ->(_) { (ran << :packer) && "x" }, unpacker: ->(_) { (ran << :unpacker) && 1 })
    factory.load(factory.dump(Plain.new))

    assert_equal [:packer, :unpacker], ran
  end

  promise "If they raise, the caller gets their exception." do
    assert_equal "from to_msgpack", assert_raises(RuntimeError) { M.pack([Angry.new]) }.message
    assert_equal "from hash", assert_raises(RuntimeError) { Keyed.decode("\x1b\x01\xc5\x15\x02\x00\x02\x00".b) }.message
    factory = M::Factory.new
    factory.register_type(5, Plain, packer: ->(_) { "" }, unpacker: ->(_) { raise "from a proc" })

    assert_equal "from a proc", assert_raises(RuntimeError) { factory.load("\xD4\x05a".b) }.message
  end

  promise "`include` reads files of your disk, and `Sparpack::IDL.load` defines constants." do
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "a.thrift"), "struct PromisedA { 1: i32 a }")
      File.write(File.join(folder, "b.thrift"),
                 "include \"a.thrift\"\nnamespace rb PromisedHere\nstruct B { 1: a.PromisedA a }")
      Sparpack::IDL.load(File.join(folder, "b.thrift"))

      assert Object.const_defined?("PromisedHere::B")
    end
  end

  promise "`Sparpack::IDL.parse` reads one text and does neither." do
    Sparpack::IDL.parse("include \"/etc/passwd\"\nnamespace rb PromisedNever\nstruct Never { 1: i32 a }")

    refute Object.const_defined?(:PromisedNever)
  end

  promise "`decode` does not stop in the middle of a message " \
          "([docs/concurrency.md](docs/concurrency.md#timeouts-and-interrupts))." do
    assert_path_exists File.join(ROOT, "docs/concurrency.md")
    assert_match(/^## Timeouts and interrupts$/i, File.read(File.join(ROOT, "docs/concurrency.md"), encoding: "UTF-8"))
    bytes = Thin.new(id: 1, items: Array.new(500_000) { |i| Thin.new(id: i) }).encode
    patience = seconds { Thin.decode(bytes) } / 3
    made = Array.new(6) do # on a busy machine, the time may be over before decoding begins
      before = GC.stat(:total_allocated_objects)
      assert_raises(Timeout::Error) do
        Timeout.timeout(patience) do
          Thin.decode(bytes) # Ruby may raise before it would assign the object to a variable
          sleep
        end
      end
      GC.stat(:total_allocated_objects) - before
    end

    assert_operator made.max, :>=, 500_000
    assert_empty(made.grep(10_000..500_000))
  end

  promise "Limits bound the time." do
    bomb = empties(1_000_000)
    limits = Sparpack::Limits.new(memory: 1 << 16)

    assert_operator seconds {
      assert_raises(Sparpack::DecodeError::LimitExceeded) {
        Empties.decode(bomb, limits:)
      }
    }, :<, 0.1
  end

  promise "`inspect` shows all fields, so mind your logs." do
    assert_match "Ada", ITEM.inspect
  end

  # --- secrets in JSON ---------------------------------------------------------------------------------------------------

  class Account < Sparpack::Struct
    field 1, :id, :i64
    field 2, :token, :string
    field 3, :inner, "Account"
  end

  ACCOUNT = Ractor.make_shareable(Account.new(id: 1, token: "s3cret", inner: Account.new(id: 2, token: "s3cret")))

  promise "`to_json(except: [:token])` leaves a field out at every depth." do
    assert_equal '{"id":1,"inner":{"id":2}}', ACCOUNT.to_json(except: [:token])
  end

  promise "The names in `only:` and `except:` are not checked: one call may render objects of several classes, so a name " \
          "need not fit all of them, and Active Model ignores unknown names, too." do
    assert_equal '{"id":1}', ACCOUNT.to_json(only: %i[id nothing])
    assert_equal ACCOUNT.to_json, ACCOUNT.to_json(except: [:nothing])
  end

  promise "If you misspell a name in `except:`, the secret is rendered." do
    assert_match "s3cret", ACCOUNT.to_json(except: [:tokne])
  end

  promise "A misspelt name there leaves out a field too many, and a field that you add to the class later is not rendered " \
          "until you list it." do
    assert_equal "{}", ACCOUNT.to_json(only: [:idd])
    assert_equal '{"id":1}', ACCOUNT.to_json(only: [:id])
  end

  # --- how it is tested --------------------------------------------------------------------------------------------------

  promise "All of these tests are in the repository." do
    section("How it is tested").scan(%r{`((?:test|fuzz|bin)/[^`\s]*)}) { |path,| assert_path_exists File.join(ROOT, path) }
    refute_empty section("How it is tested").scan(%r{`test/})
  end

  # The suite is what CI runs, and only the fuzzers are said to be run by hand.
  promise "Each sentence of this section and the following ones that promises something, and each cell of this table, has " \
          "a test of the same words in `test/safety/promises_test.rb`." do
    test_each_promise_has_a_test
    PAGE.scan(%r{`(test/\S+\.rb)`}) { |path,| assert_path_exists File.join(ROOT, path) }
    fuzzed = PAGE.scan(%r{`bin/fuzz ([a-z_ 0-9]+)`}).flatten.flat_map(&:split)

    assert_equal([], fuzzed.reject { |name| Fuzzing::TARGETS.keys.any? { |target| target.start_with?(name) } })
    assert_operator fuzzed.size, :>, 10
  end

  promise "They run in CI, unless the table says otherwise." do
    rows = section("How it is tested").lines.grep(/^\| [^|]/)

    assert_equal(["libFuzzer"], rows.grep(/by hand/).map { |row| row[/\w+/] })
    rows.grep_v(/by hand|\| where/).each { |row| assert_match(%r{`(?:test/|bin/test)}, row) }
  end

  private

  # @return [Integer] by how many KiB the memory of a process grows while it converts structs of 1,000 absent fields, which
  #   take least in a payload, with a limit of 64 MiB
  def peak_of_converting
    in_child do
      wide = Class.new(Sparpack::Struct) { 1000.times { |index| field index + 1, :"f#{index}", :bool } }
      list = Class.new(Sparpack::Struct) { field 1, :wides, list(wide) }
      limits = Sparpack::Limits.new(memory: 64 << 20)
      converter = Sparpack::Converter.new(list, from: Sparpack::Codec.new(list, :compact, limits:), to: :binary)
      bytes = list.new(wides: [wide.new] * 8000).encode
      converter.convert(list.new(wides: [wide.new]).encode)
      before = memory("VmRSS")
      File.write("/proc/self/clear_refs", "5")
      raise "objects were made" unless Sparpack::Native.convert_payload(converter, bytes, 0)

      memory("VmHWM") - before
    end
  end

  # @return [Integer] by how many KiB the memory of a process grows while threads convert structs of one byte, each to 11,000
  def peak_of_threads(threads)
    in_child do
      wide = Class.new(Sparpack::Struct) { 1000.times { |index| field index + 1, :"f#{index}", :bool, default: true } }
      converter = Sparpack::Converter.new(wide, from: :compact, to: :json)
      bytes = wide.new(**wide.schema.fields.to_h { |field| [field.name, nil] }).encode * 20_000
      File.open(File::NULL, "wb") do |file|
        converter.copy_stream(bytes.byteslice(0, 10), file)
        before = memory("VmRSS")
        File.write("/proc/self/clear_refs", "5")
        size = converter.copy_stream(bytes, file, threads:)
        raise "expected more than #{size} bytes" if size < 200_000_000

        memory("VmHWM") - before
      end
    end
  end

  # @return [Integer] KiB of this process
  def memory(name) = Integer(File.read("/proc/self/status")[/^#{name}:\s*(\d+)/, 1])

  # --- the page ----------------------------------------------------------------------------------------------------------

  def section(title) = PAGE[/^## #{Regexp.escape(title)}\n(.*?)(?=^## |\z)/m, 1] || flunk("no section #{title}")

  def sentences
    promises = section("What Sparpack promises for bytes from strangers")
    prose = [promises, section("What you have to do"), section("Secrets in JSON"),
             section("How it is tested")].flat_map do |text|
      text.gsub(/^```.*?^```$/m, "").gsub(/^\|.*$/, "").split(/\n(?=\n|- )/).flat_map do |paragraph|
        paragraph.delete_prefix("- ").gsub("**", "").split.join(" ").split(/(?<=[.:])\s+(?=[A-Z`])/)
      end
    end
    prose.reject(&:empty?) + cells(promises)
  end

  def cells(text)
    rows = text.lines.grep(/^\|/).drop(2).map { |line| line.strip.delete_prefix("| ").delete_suffix(" |").split(" | ") }
    cells = rows.flat_map { |name, *texts, _tests| texts.zip(COLUMNS).map { |text, column| [name, column, text] } }
    cells.reject { |_, _, text| text == "–" }.map { |cell| cell.join(" | ") }
  end

  # --- tools -------------------------------------------------------------------------------------------------------------

  # A list of empty structs, each of one byte.
  def empties(count)
    size = count
    varint = +"".b
    while size > 127
      varint << ((size & 127) | 128)
      size >>= 7
    end
    "\x19\xFC".b << varint << size << ("\0".b * (count + 1))
  end

  def depth_of(item)
    levels = 1
    levels += 2 while (item = item.items&.first)
    levels
  end

  def changed(bytes)
    bytes.b.tap do |copy|
      rand(1..3).times { copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
      copy.slice!(random.rand(copy.bytesize)..) if random.rand(4).zero?
    end
  end

  # Forms with a hostile value in each field.
  def odd_forms
    Item.members.flat_map do |name|
      ODD.flat_map { |value| [{ "id" => "1", name.name => value }, { "items" => { "0" => { name.name => value } } }] }
    end
  end

  # The methods of these names that run in the block.
  def called(names, &)
    met = []
    TracePoint.new(:call, :c_call) do |point|
      met << point.method_id if names.include?(point.method_id)
    end.enable(target_thread: Thread.current, &)
    met.uniq
  end

  def reach(value)
    case value
    when Array then [value, *value.flat_map { |each| reach(each) }]
    when Hash then [value, *value.to_a.flatten(1).flat_map { |each| reach(each) }]
    when Sparpack::Value then [value, *value.to_h.values.flat_map { |each| reach(each) }]
    else [value]
    end
  end

  def hashes
    text = "p [1, 'a', 1.5, 2**70].map(&:hash)"
    Array.new(2) { Command.capture2e(RbConfig.ruby, "--disable-gems", "-e", text).first }.uniq
  end

  def convert(bytes, output, **options)
    source = Sparpack::Convert::Source.new(StringIO.new(bytes), "(test)")
    Sparpack::Convert.run(source, Sparpack::Convert::StreamTarget.new(output), to: :json, **options)
  end

  def seconds
    started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
    yield
    Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
  end

  # Eight times the input may take twenty times as long. Quadratic work takes 64 times.
  def assert_proportional(make)
    small, large = [1000, 8000].map { |count| make.call(count) }
    yield small
    few, many = [small, large].map { |input| Array.new(5) { seconds { yield input } }.min }

    assert_operator many, :<, (24 * few) + 0.005
  end
end
