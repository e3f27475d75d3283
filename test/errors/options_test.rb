# frozen_string_literal: true

require "test_helper"
require "faraday"
require "sparpack/faraday"
require "sparpack/rack"
require "support/fresh_ruby"
require "support/public_names"
require "sparpack/rails"
require "support/opentelemetry_stub"
require "support/waterdrop"
require "sparpack/karafka"
require "sparpack/opentelemetry"
require "stringio"
require "tmpdir"

# Calls refuse options that they do not have, and the error hints at those that they have.
class OptionsTest < Minitest::Test
  include FreshRuby

  MP = Sparpack::MessagePack

  class Point < Sparpack::Struct
    field 1, :x, :i32
  end

  # A controller of Rails, which has a request.
  class Controller
    include Sparpack::Rails::Requests

    def request = ::Struct.new(:env).new({ "CONTENT_TYPE" => "application/json", "rack.input" => StringIO.new("{}") })
  end

  # The calls that take options: a wrong option, the right one that is close to it, and lambdas that pass options.
  CALLS = {
    "MessagePack.pack" => [:compatibility_mod, :compatibility_mode, ->(o) { MP.pack(1, o) }, ->(o) { MP.pack(1, nil, o) },
                           ->(o) { MP.pack(1, StringIO.new, o) }, ->(o) { MP.dump(1, **o) }],
    "MessagePack.unpack" => [:untrustd, :untrusted, ->(o) { MP.unpack("\x01", o) }, ->(o) { MP.load("\x01", **o) },
                             ->(o) { MP.unpack(StringIO.new("\x01"), o) }],
    "MessagePack.each" => [:io_buffer_siz, :io_buffer_size, ->(o) { MP.each("\x01", o) },
                           ->(o) { MP.each("", **o) { nil } }],
    "MessagePack.dig" => [:limit, :limits, ->(o) { MP.dig("\x01", **o) }],
    "MessagePack::Factory#dig" => [:frieze, :freeze, ->(o) { MP::Factory.new.dig("\x01", **o) }],
    "MessagePack::CoreExt#to_msgpack" => [:sort_key, :sort_keys, ->(o) { MP::ExtensionValue.new(1, "").to_msgpack(o) }],
    "MessagePack::Factory#dump" => [:sortkeys, :sort_keys, ->(o) { MP::Factory.new.dump(1, o) },
                                    ->(o) { MP::Factory.new.pack(1, nil, o) }, ->(o) { MP::DefaultFactory.dump(1, **o) }],
    "MessagePack::Factory#load" => [:keycache, :key_cache, ->(o) { MP::Factory.new.load("\x01", o) }],
    "MessagePack::Factory#unpack" => [:limit, :limits, ->(o) { MP::Factory.new.unpack(StringIO.new("\x01"), **o) }],
    "MessagePack::Factory#packer" => [:sort_kyes, :sort_keys, ->(o) { MP::Factory.new.packer(o) },
                                      ->(o) { MP::Factory.new.packer(nil, **o) }],
    "MessagePack::Factory#unpacker" => [:strict_utf, :strict_utf8, ->(o) { MP::Factory.new.unpacker(o) },
                                        ->(o) { MP::Factory.new.unpacker(StringIO.new, **o) }],
    "MessagePack::Factory#pool" => [:symbolise_keys, :symbolize_keys, ->(o) { MP::Factory.new.pool(2, **o) }],
    "MessagePack::Factory::Pool#initialize" => [:sort_key, :sort_keys, lambda { |o|
      MP::Factory::Pool.new(MP::Factory.new.freeze, 1, o)
    }],
    "MessagePack::Factory#register_type" => [:unpaker, :unpacker, ->(o) { MP::Factory.new.register_type(1, Point, o) },
                                             ->(o) { MP::Factory.new.register_type(1, Point, packer: :x, **o) }],
    "MessagePack::Packer#initialize" => [:write_reference_treshold, :write_reference_threshold, ->(o) { MP::Packer.new(o) },
                                         ->(o) { MP::Packer.new(StringIO.new, **o) }],
    "MessagePack::Unpacker#initialize" => [:allow_unknown_exts, :allow_unknown_ext, ->(o) { MP::Unpacker.new(o) },
                                           ->(o) { MP::Unpacker.new(StringIO.new, **o) }],
    "MessagePack::Buffer#initialize" => [:read_reference_treshold, :read_reference_threshold, ->(o) { MP::Buffer.new(o) },
                                         ->(o) { MP::Buffer.new(StringIO.new, o) }],
    "Codec#initialize" => [:frieze, :freeze, ->(o) { Sparpack::Codec.new(Point, :binary, **o) }],
    "Codec#initialize: observe" => [:obsrve, :observe, ->(o) { Sparpack::Codec.new(Point, **o) }],
    "Codec#encode_to" => [:fram, :frame, ->(o) { Point.codec.encode_to(StringIO.new, Point.new, **o) }],
    "Codec#decode_from" => [:fram, :frame, ->(o) { Point.codec.decode_from(StringIO.new, **o) }],
    "Codec#decode_each" => [:fram, :frame, ->(o) { Point.codec.decode_each("", **o) }],
    "Codec#columns" => [:shaer, :share, ->(o) { Point.codec.columns("", "x", **o) }],
    "Declaration#columns" => [:limit, :limits, ->(o) { Point.columns("", "x", **o) }],
    "Codec#count" => [:fram, :frame, ->(o) { Point.codec.count("", **o) }],
    "Codec#each_range" => [:fram, :frame, ->(o) { Point.codec.each_range("", **o) { nil } }],
    "Declaration#check" => [:limit, :limits, ->(o) { Point.check("\0", **o) },
                            ->(o) { Point.check("\0", wire: :binary, **o) }],
    "Declaration#count" => [:fram, :frame, ->(o) { Point.count("", **o) }],
    "Declaration#each_range" => [:fram, :frame, ->(o) { Point.each_range("", **o) { nil } }],
    "Declaration#dig" => [:unknwn, :unknown, ->(o) { Point.dig("\0", :x, **o) }],
    "Declaration#patch" => [:utf, :utf8, ->(o) { Point.patch("\0", { [:x] => 1 }, **o) }],
    "Declaration#codec" => [:validat, :validate, ->(o) { Point.codec(**o) }],
    "Declaration#decode" => [:unknwn, :unknown, ->(o) { Point.decode("\0", **o) },
                             ->(o) { Point.decode("\0", :binary, **o) }],
    "Declaration#decode_from" => [:frme, :frame, ->(o) { Point.decode_from(StringIO.new("\0"), **o) }],
    "Declaration#decode_each" => [:limit, :limits, ->(o) { Point.decode_each("\0", **o) }],
    "Declaration#from_h" => [:unknwn, :unknown, ->(o) { Point.from_h({}, **o) }],
    "Declaration#convert" => [:unknwn, :unknown, ->(o) { Point.convert("\0", from: :compact, to: :json, **o) }],
    "Converter#initialize" => [:unknwn, :unknown, ->(o) { Sparpack::Converter.new(Point, from: :compact, to: :json, **o) }],
    "Converter#copy_stream" => [:fram, :frame, lambda { |o|
      Sparpack::Converter.new(Point, from: :compact, to: :json).copy_stream("", StringIO.new, **o)
    }],
    "Mapping#initialize" => [:biuld, :build, ->(o) { Sparpack::Mapping.new(Class.new { attr_accessor :x }, %i[x], **o) }],
    "Inspector#initialize" => [:frm, :from, ->(o) { Sparpack::Inspector.new("\0", Point, **o) }],
    "Inspector#tree" => [:colr, :color, ->(o) { Sparpack::Inspector.new("\0", Point, from: :compact).tree(**o) }],
    "Inspector#json" => [:limt, :limit, ->(o) { Sparpack::Inspector.new("\0", Point, from: :compact).json(**o) }],
    "Inspector#html" => [:titel, :title, ->(o) { Sparpack::Inspector.new("\0", Point, from: :compact).html(**o) }],
    "Inspector#write" => [:pth, :path, ->(o) { Sparpack::Inspector.new("\0", Point, from: :compact).write(+"", **o) }],
    "from_h" => [:unknwn, :unknown, ->(o) { Sparpack.from_h(Point, {}, **o) }],
    "Value#to_h" => [:depe, :deep, ->(o) { Point.new.to_h(**o) }],
    "Value#to_json" => [:onyl, :only, ->(o) { Point.new.to_json(**o) }, ->(o) { Point.new.to_json(o) }],
    "Value#dup" => [:dep, :deep, ->(o) { Point.new.dup(**o) }],
    "Value#freeze" => [:dep, :deep, ->(o) { Point.new.freeze(**o) }],
    "Value#encode" => [:utf, :utf8, ->(o) { Point.new.encode(**o) }],
    "Value#encode_to" => [:fram, :frame, ->(o) { Point.new.encode_to(StringIO.new, **o) }],
    "encode_to" => [:validat, :validate, ->(o) { Sparpack.encode_to(Point.new, StringIO.new, **o) }],
    "Declaration#field" => [:requird, :required, ->(o) { Class.new(Sparpack::Struct) { field 1, :x, :i8, **o } },
                            ->(o) { Class.new(Sparpack::Union) { field 1, :x, :i8, **o } }],
    "Service.function" => [:onway, :oneway, ->(o) { Class.new(Sparpack::Service) { function :x, **o } }],
    "Service::Signature#argument" => [:optionl, :optional, lambda { |o|
      Class.new(Sparpack::Service) { function(:x) { argument 1, :y, :i8, **o } }
    }],
    "Declaration#from_json" => [:unknwn, :unknown, ->(o) { Point.from_json("{}", **o) }],
    "Limits#initialize" => [:dept, :depth, ->(o) { Sparpack::Limits.new(**o) }],
    "Limits#with" => [:messag, :message, ->(o) { Sparpack::Limits.new.with(**o) }],
    "Type.typedef" => [:anotations, :annotations, ->(o) { Sparpack::Type.typedef("T", :i8, **o) }],
    "Rails::Requests#body_as" => [:limit, :limits, ->(o) { Controller.new.body_as(Point, **o) }],
    "Rails::CacheSerializer#initialize" => [:read, :reads, ->(o) { Sparpack::Rails::CacheSerializer.new(**o) }],
    "Rails::CacheCompressor#initialize" => [:write, :writes, ->(o) { Sparpack::Rails::CacheCompressor.new(**o) }],
    "IDL.load" => [:nmaes, :names, ->(o) { Sparpack::IDL.load("none.thrift", **o) }],
    "IDL.unload" => [:int, :into, ->(o) { Sparpack::IDL.unload("none.thrift", **o) }],
    "IDL.dump" => [:nmes, :names, ->(o) { Sparpack::IDL.dump(Point, **o) }],
    "to_idl" => [:nmes, :names, ->(o) { Sparpack.to_idl(Point, **o) }],
    "Schema#to_idl" => [:nmes, :names, ->(o) { Point.schema.to_idl(**o) }],
    "Enum#to_idl" => [:nmes, :names, ->(o) { Module.new { extend Sparpack::Enum }.to_idl(**o) }],
    "Service.to_idl" => [:nmes, :names, ->(o) { Class.new(Sparpack::Service).to_idl(**o) }],
    "IDL.link" => [:inclde, :include, ->(o) { Sparpack::IDL.link("none.thrift", **o) }],
    "IDL::Breaking#initialize" => [:lvel, :level, ->(o) { Sparpack::IDL::Breaking.new(nil, nil, **o) }],
    "IDL::Breaking::Version.at" => [:includes, :include, ->(o) { Sparpack::IDL::Breaking::Version.at("none", **o) }],
    "Generate.files" => [:layuot, :layout, ->(o) { Sparpack::Generate.files("none.thrift", **o) }],
    "Generate.leftovers" => [:share, :shared, ->(o) { Sparpack::Generate.leftovers({}, "x", **o) }],
    "LZ4.inflate" => [:limt, :limit, ->(o) { Sparpack::LZ4.inflate(Sparpack::LZ4.deflate(""), **o) }],
    "LZ4.decompress" => [:limt, :limit, ->(o) { Sparpack::LZ4.decompress(Sparpack::LZ4.compress(""), **o) }],
    "Rack.body" => [:limit, :limits, lambda { |o|
      Sparpack::Rack.body({ "CONTENT_TYPE" => "application/json", "rack.input" => StringIO.new("{}") }, Point, **o)
    }],
    "Rack.read" => [:maxx, :max, ->(o) { Sparpack::Rack.read({}, **o) }],
    "Rack.response" => [:utf, :utf8, ->(o) { Sparpack::Rack.response(Point.new, {}, **o) },
                        ->(o) { Sparpack::Rack.response(Point.new, {}, wire: :compact, **o) }],
    "Rack.body with its own" => [:maxx, :max, lambda { |o|
      Sparpack::Rack.body({ "CONTENT_TYPE" => "application/json", "rack.input" => StringIO.new("{}") }, Point, **o)
    }],
    "Rack.response with its own" => [:stauts, :status, ->(o) { Sparpack::Rack.response(Point.new, {}, **o) }],
    "Karafka.payload with its own" => [:medai, :media, ->(o) { Sparpack::Karafka.payload(Point, **o) },
                                       ->(o) { Sparpack::Karafka.payload({ "a" => "Point" }, **o) }],
    "Karafka.key with its own" => [:byte, :bytes, ->(o) { Sparpack::Karafka.key(Point, **o) }],
    "Karafka.encoder with its own" => [:typs, :types, ->(o) { Sparpack::Karafka.encoder(**o) }],
    "Faraday::Request with its own" => [:maping, :mapping, ->(o) { Sparpack::Faraday::Request.new(nil, **o) }],
    "Faraday::Response with its own" => [:preserve, :preserve_raw,
                                         ->(o) { Sparpack::Faraday::Response.new(nil, Point, **o) }],
    "Karafka.payload" => [:limit, :limits, ->(o) { Sparpack::Karafka.payload(Point, **o) },
                          ->(o) { Sparpack::Karafka.payload("Point", :json, **o) }],
    "Karafka.key" => [:limit, :limits, ->(o) { Sparpack::Karafka.key(Point, **o) }],
    "Karafka.headers" => [:byts, :bytes, ->(o) { Sparpack::Karafka.headers({ "a" => :i32 }, **o) }],
    "OpenTelemetry.observer" => [:span_from, :spans_from, ->(o) { Sparpack::OpenTelemetry.observer(**o) }],
    "Karafka.encoder" => [:limit, :limits, ->(o) { Sparpack::Karafka.encoder(**o) }],
    "Rails.permit" => [:ony, :only, ->(o) { Sparpack::Rails.permit(Point, **o) }],
    "Rails::Type#initialize" => [:limit, :limits, ->(o) { Sparpack::Rails::Type.new(of: Point, **o) },
                                 ->(o) { Sparpack::Rails::Type.new(of: "Point", wire: :json, **o) }],
    "Faraday::Request#initialize" => [:limit, :limits, ->(o) { Sparpack::Faraday::Request.new(nil, **o) }],
    "Faraday::Response#initialize" => [:freze, :freeze, ->(o) { Sparpack::Faraday::Response.new(nil, "Point", **o) },
                                       ->(o) { Sparpack::Faraday::Response.new(nil, Point, **o) }],
    "Generate.clean" => [:share, :shared, ->(o) { Sparpack::Generate.clean({}, "x", **o) }]
  }.freeze

  CALLS.each do |name, (wrong, right, *calls)|
    define_method("test_#{name}") do
      calls.each do |call|
        assert_unknown(wrong, " (did you mean :#{right}?)") { call.call({ wrong => true }) }
        assert_unknown(:zzzzzzzz, "") { call.call({ zzzzzzzz: nil }) }
      end
    end
  end

  def test_a_misspelt_handler_of_a_stream
    error = assert_raises(ArgumentError) { Point.decode_each("\0", frame: :varint, on_eror: nil) }

    assert_equal "unknown option :on_eror (did you mean :on_error?)", error.message
  end

  def test_methods_with_a_keyword_for_the_wire
    calls = [->(**o) { Point.check("", **o) }, ->(**o) { Point.count("", **o) }, ->(**o) { Point.dig("", :x, **o) },
             ->(**o) { Point.each_range("", **o) { nil } }, ->(**o) { Point.columns("", "x", **o) },
             ->(**o) { Point.patch("", { [:x] => 1 }, **o) }]
    calls.each do |call|
      assert_unknown(:format, " (use wire: :compact)") { call.call(format: :compact) }
      assert_unknown(:protocol, " (use wire: :binary)") { call.call(protocol: 1) }
      assert_unknown(:wires, " (did you mean :wire?)") { call.call(wires: :compact) }
    end
    assert_unknown(:thread, " (did you mean :threads?)") { Point.count("", thread: 2) }
  end

  # These need no hint: they refuse keywords in Ruby's own way, or pass them on.
  PLAIN = %w[with Exception#initialize Value#with Value#as_json Union.field
             Service::Signature#throws Service::Function#initialize Schema#initialize Field#initialize Type#initialize
             Type::Name#initialize Error::Details#initialize DecodeError#initialize MessagePack::UnpackError#initialize
             IDL::Breaking::Version#initialize].freeze

  KEYWORDS = %i[key keyreq keyrest].freeze

  # Every call that has keywords, or a Hash of options, is in the lists above.
  def test_the_list_has_all_calls
    others = modules(Sparpack).flat_map { |mod| PublicNames.methods(mod).to_a }.reject do |path, method|
      kinds = method.parameters
      listed?(path) || kinds.none? { |kind, name| KEYWORDS.include?(kind) || name == :options }
    end
    hidden = PublicNames.hidden(*others.flat_map { |path, method| files(path, method) }.uniq)

    assert_operator others.size, :>, 50
    assert_empty(others.map(&:first).reject { |path| namespaces(path).any? { |owner| hidden.include?(owner) } })
  end

  # Known options are accepted.
  def test_known_options
    limits = Sparpack::Limits.new(depth: 5)
    buffer = { io_buffer_size: 2000, read_reference_threshold: 300, write_reference_threshold: 3000 }
    packing = { compatibility_mode: false, sort_keys: true, compression: nil, limits:, **buffer }
    unpacking = { symbolize_keys: true, freeze: true, allow_unknown_ext: true, strict_utf8: true, limits:, untrusted: true,
                  key_cache: true, **buffer }

    assert_equal "\x01".b, MP.pack(1, packing)
    assert_equal "\x01".b, MP::Packer.new(**packing).write(1).to_s
    assert_equal [1] * 4, [MP.unpack("\x01", unpacking), MP::Unpacker.new(**unpacking).feed("\x01").read,
                           MP.each("\x01", unpacking).first, MP.dig("\x01", **unpacking.except(*buffer.keys))]
    pool = MP::Factory.new.pool(1, **packing, **unpacking)

    assert_equal([1, "\x01".b] * 2, [pool.load("\x01"), pool.dump(1), pool.unpacker { |one| one.feed("\x01").read },
                                     pool.packer { |one| one.write(1).to_s }])
    assert_equal 0, MP::Buffer.new(buffer).size
  end

  # A call does not accept the options of another call.
  def test_options_of_other_calls_that_people_expect
    shop = Class.new(Sparpack::Struct) { field 1, :id, :i64 }
    { -> { shop.from_json("{}", coerce: true) } =>
        "unknown option :coerce (from_h takes it, as in from_h(JSON.parse(text), coerce: true))",
      -> { shop.new.encode(:json, pretty: true) } =>
        "unknown option :pretty (to indent JSON, use JSON.pretty_generate(object))",
      -> { shop.new.to_json(pretty: true) } =>
        "unknown option :pretty (to indent JSON, use JSON.pretty_generate(object))" }.each do |call, message|
      assert_equal message, assert_raises(ArgumentError, &call).message
    end
  end

  def test_options_of_another_call
    known = ":compatibility_mode, :sort_keys, :compression, :limits, :io_buffer_size, :read_reference_threshold, " \
            ":write_reference_threshold"
    assert_unknown(:untrusted, " (known: #{known})") { MP.pack(1, untrusted: true) }
    assert_unknown(:sort_keys, " (known: ") { MP.unpack("\x01", sort_keys: true) }
    assert_unknown(:io_buffer_size, " (known: ") { MP.dig("\x01", io_buffer_size: 5000) }
    assert_unknown("freeze", " (did you mean :freeze?)") { MP.unpack("\x01", { "freeze" => true }) }
  end

  def test_options_that_are_no_hash
    [->(o) { MP.unpack("\x01", o) }, ->(o) { MP::Unpacker.new(nil, o) }, ->(o) { MP::Buffer.new(nil, o) },
     ->(o) { MP::Factory.new.register_type(1, Point, o) }].each do |call|
      [5, "freeze", [:freeze]].each do |given|
        assert_equal "expected Hash but found #{given.class}.", assert_raises(ArgumentError) { call.call(given) }.message
      end
    end
  end

  # Like the msgpack gem, the drop-in accepts unknown options. Calls that the gem does not have stay strict.
  DROP_IN = <<~'RUBY'
    require "sparpack/drop_in/msgpack"
    require "stringio"
    o = { untrustd: true, zzz: 1, "freeze" => 1 }
    factory = MessagePack::Factory.new
    factory.register_type(1, Struct.new(:a), packer: ->(_) { "" }, unpacker: ->(_) { 5 }, **o)
    found = [MessagePack.pack(1, o), MessagePack.pack(1, nil, o), MessagePack.unpack("\x01", o), MessagePack.load("\x01", **o),
             MessagePack::Packer.new(nil, o).write(1).to_s, MessagePack::Unpacker.new(o).feed("\x01").read, 1.to_msgpack(o),
             MessagePack::Buffer.new(StringIO.new("ab"), o).read, factory.pool(1, untrustd: true).load("\x01"),
             factory.load("\x01", o), factory.dump(1, o), factory.packer(o).write(1).to_s, factory.unpacker(o).feed("\x01").read]
    refused = [-> { MessagePack.dig("\x01", untrustd: true) }, -> { MessagePack.each("\x01", { untrustd: true }) },
               -> { MessagePack::Buffer.new(nil, 5) }].map do |call|
      call.call
    rescue ArgumentError => e
      e.message
    end
    File.binwrite(ARGV.last, Marshal.dump([found, refused]))
  RUBY

  def test_the_drop_in_takes_any
    expected = [["\x01", "\x01", 1, 1, "\x01", 1, "\x01", "ab", 1, 1, "\x01", "\x01", 1],
                [*["unknown option :untrustd (did you mean :untrusted?)"] * 2, "expected Hash but found Integer."]]

    assert_equal expected, fresh_result(DROP_IN)
  end

  private

  def assert_unknown(name, hint, &)
    message = assert_raises(ArgumentError, &).message

    assert_operator message, :start_with?, "unknown option #{name.inspect}#{hint}"
  end

  def listed?(path)
    name = path.sub(/\ASparpack(::|\.)/, "")
    CALLS.key?(name) || PLAIN.include?(name)
  end

  # Where a method and the modules around it are defined: YARD is slow, and only these files can say that it is private.
  def files(path, method)
    owners = namespaces(path).grep_v(/[#.]/)
    [method.source_location, *owners.map { |owner| Object.const_source_location(owner) }].filter_map { |file, _| file }
  end

  # @return [Array<String>] the path itself, and those of the modules around it
  def namespaces(path)
    names = path.split(/(?=::|[#.])/)
    names.size.downto(1).map { |size| names.first(size).join }
  end

  def modules(mod, found = [])
    found << mod
    mod.constants(false).each do |name|
      value = mod.const_get(name)
      modules(value, found) if value.is_a?(Module) && value.name == "#{mod}::#{name}"
    end
    found
  end
end
