# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "stringio"

# Everything around packers and unpackers: constants, modules to include, and extension types for Ruby's own classes.
class MessagePackInterfaceTest < Minitest::Test
  include FreshRuby

  MP = Sparpack::MessagePack

  Point = ::Struct.new(:x, :y) do
    include MP::CoreExt

    private

    def to_msgpack_with_packer(packer) = packer.write_array_header(2).write(x).write(y)
  end

  # A class that claims foreign objects as its own, and its own objects as foreign.
  class Proxy
    def self.===(_other) = true

    def class = Point
  end

  class Naked < BasicObject; end

  def test_to_msgpack
    point = Point.new(1, Point.new("a", nil))
    io = StringIO.new
    packer = MP::Packer.new

    assert_equal "\x92\x01\x92\xA1a\xC0".b, point.to_msgpack
    assert_equal [nil, point.to_msgpack], [point.to_msgpack(io), io.string.b]
    assert_same packer, point.to_msgpack(packer)
    assert_equal [point.to_msgpack, MP.pack([point])], [packer.to_s, "\x91".b + point.to_msgpack]
  end

  def test_values_of_extension_types
    value = MP::ExtensionValue.new(5, "payload")

    assert_equal "\xC7\x07\x05payload".b, value.to_msgpack
    assert_equal [[value]], [MP.unpack(MP.pack([value]), allow_unknown_ext: true)]
    assert_raises(RangeError) { MP.pack(MP::ExtensionValue.new(128, "")) }
  end

  # Symbol has the methods that its extension type needs only if somebody asked for them.
  SYMBOLS = <<~'RUBY'
    require "sparpack/message_pack"
    factory = Sparpack::MessagePack::Factory.new
    factory.register_type(0, Symbol)
    other = Sparpack::MessagePack::Factory.new
    other.register_type(0, Symbol, packer: "to_msgpack_ext", unpacker: :from_msgpack_ext)
    values = [:a, "a", :"ä", "\xFF".b.to_sym, { b: [:c] }]
    print Symbol.method_defined?(:to_msgpack_ext), [factory, other].map { |found| found.load(found.dump(values)) == values }
    packer = Sparpack::MessagePack::Packer.new
    packer.register_type(0, Symbol, :to_msgpack_ext)
    unpacker = Sparpack::MessagePack::Unpacker.new
    unpacker.register_type(0, Symbol, :from_msgpack_ext)
    print unpacker.feed(packer.write([:a]).to_s).read
    begin
      factory.register_type(1, Symbol, unpacker: :no_method)
    rescue NameError => e
      print e.name
    end
  RUBY

  def test_symbols_without_methods_of_their_own
    assert_equal "false[true, true][:a]no_method", fresh_ruby(SYMBOLS)
  end

  def test_symbols
    symbols = MP::Symbols

    assert_equal(["a", "ä"], [:a, :ä].map { |symbol| symbols.to_msgpack_ext(symbol) })
    assert_equal([:ä, "\xFF".b.to_sym], ["ä".b.freeze, "\xFF"].map { |data| symbols.from_msgpack_ext(data) })
  end

  # What a class or an object says about its class does not matter.
  def test_types_go_by_what_objects_are
    factory = MP::Factory.new
    factory.register_type(1, Proxy, packer: ->(_) { "proxy" }, unpacker: :itself)
    factory.register_type(2, Naked, packer: ->(_) { "naked" }, unpacker: :itself)
    factory.register_type(3, Rational, packer: :to_s, unpacker: :itself)
    found = MP.unpack(factory.dump([Proxy.new, Naked.new, Class.new(Naked).new, 1r]), allow_unknown_ext: true)

    assert_equal([[1, "proxy"], [2, "naked"], [2, "naked"], [3, "1/1"]], found.map(&:to_a))
  end

  def test_constants
    assert_equal "1.8.7", MP::VERSION
    assert_raises(MP::TypeError) { MP::Unpacker.new.feed("\x01").read_array_header }
  end

  def test_functions_for_who_includes_it
    user = Class.new { include MP }.new

    assert_equal ["\x01".b, "\x91\x01".b, [1]], [user.send(:pack, 1), user.send(:dump, [1]), user.send(:unpack, "\x91\x01")]
    assert_raises(NoMethodError) { user.pack(1) }
  end
end
