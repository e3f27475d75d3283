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
    declare/field_chain declare/names errors exception field limits native/calls native/loading objects/conveniences
    objects/ractor_copy render/native_text schema struct type union value version words/options words/quote
  ].freeze

  # What the first class and the first mapping load.
  PARTS = %w[
    declare/adopted declare/default declare/reach enum guess io/compression io/exact_buffer io/exact_input io/frame io/input
    io/json_elements io/output io/peek io/read_buffer mapping mapping/construction mapping/reader mapping/reading
    objects/canonical objects/coercion objects/copy objects/dumps objects/exception_text objects/key_text objects/levels
    render/active_support_text render/rendering render/rendering_options render/selection words/advice
  ].freeze

  FIRST = ["Class.new(Sparpack::Struct)", "Class.new(Sparpack::Exception)", "Sparpack::Mapping.new(Struct.new(:x), [:x])",
           "Sparpack::MessagePack.pack(1)", "Sparpack::LZ4.deflate('')"].freeze

  LOADED = <<~'RUBY'
    require "sparpack"
    eval(ARGV.first)
    files = $LOADED_FEATURES.grep(%r{/lib/sparpack/.*\.rb\z}).map { |path| path[%r{.*/lib/sparpack/(.*)\.rb\z}, 1] }
    File.binwrite(ARGV.last, Marshal.dump(files))
  RUBY

  # What a Ractor may be the first to do with a class that the main Ractor has only declared.
  CALLS = <<~'RUBY'
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
    Sparpack.guess("{}", Place).to_s
    Sparpack::Limits.new(messages: 1)
    Sparpack::Codec.new(:binary)
    Sparpack::Mapping.new(Pair, [:left]).members
    Class.new(Sparpack::Union).members
  RUBY

  IN_RACTOR = <<~'RUBY'
    Warning[:experimental] = false
    %w[json stringio sparpack].each { |name| require name }
    Pair = Struct.new(:left, :right)
    class Place < Sparpack::Struct
      field 1, :x, :i32
      field 2, :tags, map(:i32, :string)
    end

    def outcomes(calls)
      calls.lines.map do |call|
        eval(call).to_s
      rescue StandardError => e
        "#{e.class}: #{e.message}"
      end
    end

    ractor = Ractor.new(ARGV.first) { |calls| outcomes(calls) }
    there = ractor.respond_to?(:value) ? ractor.value : ractor.take
    File.binwrite(ARGV.last, Marshal.dump([there, outcomes(ARGV.first)]))
  RUBY

  def test_what_is_loaded_at_once
    assert_equal AT_ONCE, fresh_result(LOADED, "").sort
  end

  def test_what_the_first_class_loads
    FIRST.each do |first|
      loaded = fresh_result(LOADED, first) - AT_ONCE

      assert_equal PARTS, loaded.reject { |file| file.start_with?("message_pack", "lz4") }.sort, first
    end
  end

  # Before Ruby 3.4, other Ractors cannot autoload.
  def test_a_ractor_may_be_the_first_to_use_a_class
    there, here = fresh_result(IN_RACTOR, CALLS)

    assert_equal here, there
    assert_empty there.grep(/Ractor::|NameError|SyntaxError/)
  end
end
