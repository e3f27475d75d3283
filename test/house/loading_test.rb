# frozen_string_literal: true

# bin/test: not sanitized, for it is about Ruby files

require "test_helper"
require "support/fresh_ruby"

# What `require "sparpack"` loads, and what it leaves for later: compiling the Ruby files takes most of the time.
class LoadingTest < Minitest::Test
  include FreshRuby

  # What every program needs that encodes and decodes objects, and what the native core looks up while it is loaded.
  AT_ONCE = %w[
    codec converter declare/accessors declare/declaration declare/declared declare/default_codec declare/draft
    declare/exception declare/field declare/field_chain declare/names declare/schema declare/type errors io/payloads limits
    native/calls native/loading objects/conveniences objects/ractor_copy render/native_text struct union value version
    words/options words/quote
  ].freeze

  # What the first class and the first mapping load.
  PARTS = %w[
    declare/adopted declare/default declare/enum declare/reach guess io/ahead io/column io/columns io/compression
    io/exact_buffer io/exact_input io/forks io/frame io/input io/json_elements io/observed io/output io/peek io/processes
    io/ranges io/read_buffer mapping
    mapping/construction mapping/reader mapping/reading objects/canonical objects/coercion objects/copy objects/dumps
    objects/exception_text objects/key_text objects/levels render/active_support_text render/rendering
    render/rendering_options render/selection words/advice words/path words/steps
  ].freeze

  FIRST = {
    "Class.new(Sparpack::Struct)" => PARTS,
    "Class.new(Sparpack::Exception)" => PARTS,
    "Sparpack::Mapping.new(Struct.new(:x), [:x])" => PARTS,
    "Sparpack::MessagePack.pack(1)" => %w[guess io/compression io/input io/output words/advice],
    "Sparpack::LZ4.deflate('')" => %w[guess io/compression]
  }.freeze

  LOADED = <<~'RUBY'
    require "sparpack"
    eval(ARGV.first)
    files = $LOADED_FEATURES.grep(%r{/lib/sparpack/.*\.rb\z}).map { |path| path[%r{.*/lib/sparpack/(.*)\.rb\z}, 1] }
    File.binwrite(ARGV.last, Marshal.dump(files))
  RUBY

  # What a Ractor may be the first to do with a class that the main Ractor has only declared.
  WITH_A_CLASS = <<~'RUBY'
    Place.new(y: 1)
    Place.new(x: Time.now).encode
    Place.new(x: Object.new).validate(:strict)
    Place.new.encode(:message_pack, compression: :lzo)
    Place.decode("", :compat)
    Place.decode("\x15")
    Place.decode("{}")
    Place.decode("\0", valid: 1)
    Place.decode_from(StringIO.new("\x03\x15\x02\x00"), frame: :varint)
    Place.decode_from(StringIO.new("\x15\x02\x00")).x
    Place.decode_each(StringIO.new("[{}]"), :json).to_a.size
    Place.new.encode_to(StringIO.new)
    Place.new.encode_to("places")
    Place.codec(:json, frame: :none)
    Place.convert("\0", from: :compact, to: :json)
    Place.from_h({ x: "1" }, coerce: true).x
    Place.from_h({ x: "one" }, coerce: true)
    Place.from_h({ tags: { "1" => :a } }).tags
    Place.from_h("{}")
    Place.new(x: 1).as_json(only: [:x])
    Place.new(x: 1).to_json(except: [:tags])
    Place.new(x: 1).to_json
    Place.new(x: 1).dup(deep: true).with(x: 2).merge(Place.new).x
    Place.new(x: 1).with({ x: 2 })
    Place.new(x: 1).to_h(deep: true)
    Marshal.load(Marshal.dump(Place.new(x: 1))).x
    Place.list(5).message
    Place.schema.inspect
    Place.columns("\0", "x", "tags[]")
    Place.columns("\0", "x", as: :packed)
    Place.columns("\0", "why")
    Place.columns("\0", "tags[3]")
    Sparpack.guess("{}", Place).to_s
    Sparpack::Limits.new(messages: 1)
    Sparpack::Codec.new(:binary)
    Sparpack::Mapping.new(Pair, [:left]).members
    Class.new(Sparpack::Union).members
  RUBY

  # The same with what the main Ractor has only loaded.
  WITH_MESSAGE_PACK = <<~'RUBY'
    Sparpack::MessagePack.pack([1, Object.new])
    Sparpack::MessagePack.pack(1, nil, compat: true)
    Sparpack::MessagePack.pack(1, nil, compression: :lzo)
    Sparpack::MessagePack.pack(1, 5)
    Sparpack::MessagePack.unpack("{}")
    Sparpack::MessagePack.unpack("\xc1")
    Sparpack::MessagePack.unpack("\x92\x01")
    Sparpack::MessagePack.unpack("\xc4\x02ab", limits: { memory: 1 })
    Sparpack::MessagePack.unpack("\xd6\x05abcd")
    Sparpack::MessagePack.unpack(StringIO.new("\x01"))
    Sparpack::MessagePack.unpack(5)
    Sparpack::MessagePack.each(StringIO.new("\x01\x02")).to_a
    Sparpack::MessagePack.dig("\x81\xa1a\x01", "a")
    Sparpack::MessagePack::Factory.new.register_type(1, Pair, packer: 1)
    Sparpack::MessagePack::Factory.new.register_type(1, Pair, codec: Object.new)
    Sparpack::MessagePack::Factory.new.register_type(200, Pair)
    Sparpack::MessagePack::Factory.new.registered_types.size
    Sparpack::MessagePack::Timestamp.from_msgpack_ext("abc")
  RUBY

  WITH_LZ4 = <<~'RUBY'
    Sparpack::LZ4.inflate("<html>")
    Sparpack::LZ4.inflate("\x1f\x8b\x08\0\0")
    Sparpack::LZ4.inflate(Sparpack::LZ4.deflate("abc"))
    Sparpack::LZ4.inflate("", limit: Object.new)
    Sparpack::LZ4.inflate("", limits: 1)
    Sparpack::LZ4.deflate(5)
  RUBY

  IN_RACTOR = <<~'RUBY'
    Warning[:experimental] = false
    %w[json stringio sparpack].each { |name| require name }
    first, calls, = ARGV
    Pair = Struct.new(:left, :right)
    eval(first)

    def outcomes(calls)
      calls.lines.map do |call|
        eval(call).to_s
      rescue StandardError => e
        "#{e.class}: #{e.message}".gsub(/0x\h+/, "0x")
      end
    end

    ractor = Ractor.new(calls) { |copy| outcomes(copy) }
    there = ractor.respond_to?(:value) ? ractor.value : ractor.take
    File.binwrite(ARGV.last, Marshal.dump([there, outcomes(calls)]))
  RUBY

  PLACE = <<~RUBY
    class Place < Sparpack::Struct
      field 1, :x, :i32
      field 2, :tags, map(:i32, :string)
    end
  RUBY

  def test_what_is_loaded_at_once
    assert_equal AT_ONCE, fresh_result(LOADED, "").sort
  end

  def test_what_the_first_use_loads
    FIRST.each do |first, parts|
      loaded = fresh_result(LOADED, first) - AT_ONCE

      assert_equal parts, loaded.reject { |file| file.start_with?("message_pack", "lz4") }.sort, first
    end
  end

  # Before Ruby 3.4, other Ractors cannot autoload.
  def test_a_ractor_may_be_the_first_to_use_something
    calls_after = { PLACE => WITH_A_CLASS, "Sparpack::MessagePack" => WITH_MESSAGE_PACK, "Sparpack::LZ4" => WITH_LZ4 }
    calls_after.each do |first, calls|
      there, here = fresh_result(IN_RACTOR, first, calls)

      assert_equal here, there
      assert_equal calls.lines.size, here.size
      assert_empty there.grep(/Ractor::|NameError|SyntaxError/)
    end
  end
end
