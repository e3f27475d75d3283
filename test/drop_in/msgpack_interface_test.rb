# frozen_string_literal: true

# bin/test: not sanitized, for test/message_pack runs the same native code

require "test_helper"
require "support/fresh_ruby"
require "tmpdir"

# The drop-in has what the msgpack gem has: its constants and methods, their parameters, and their behaviour.
class DropInMsgpackInterfaceTest < Minitest::Test
  include FreshRuby

  GEM = 'require "msgpack"; require "msgpack/bigint"'
  DROP_IN = 'require "sparpack/drop_in/msgpack"'

  # Names that only the gem's own files use.
  INNER = ["MessagePack::Packer#register_type_internal", "MessagePack::HeldBuffer", "MessagePack::Factory::Pool::MemberPool"]
          .freeze

  # Written in C in Sparpack, and in Ruby in the gem.
  IN_C = %w[MessagePack.pack MessagePack.dump MessagePack.unpack MessagePack.load].freeze

  # Paths, each with the fewest and the most arguments of a method, or with the value of a constant.
  INTERFACE = <<~'RUBY'
    found = {}
    inherited = Object.new
    take = lambda do |method|
      kinds = method.parameters.map(&:first)
      next [0, 0] if kinds == [:rest] && method.source_location.nil? # C methods do not show their parameters

      [kinds.count(:req), kinds.include?(:rest) ? Float::INFINITY : kinds.count { |kind| %i[req opt].include?(kind) }]
    end
    walk = lambda do |mod, path|
      found[path] = mod.class
      found["#{path} is"] = mod.ancestors.map { |other| other.name&.delete_prefix("Sparpack::") }
      (mod.public_instance_methods - Object.public_instance_methods).each do |name|
        found["#{path}##{name}"] = take.call(mod.instance_method(name))
      end
      found["#{path} lacks"] = %i[dup clone].reject { |name| mod.method_defined?(name) } if mod.is_a?(Class)
      mod.singleton_methods(false).each { |name| found["#{path}.#{name}"] = take.call(mod.method(name)) }
      mod.constants(false).each do |name|
        value = mod.const_get(name)
        inner = value.is_a?(Module) && value.name.end_with?("MessagePack#{path.delete_prefix("MessagePack")}::#{name}")
        inner ? walk.call(value, "#{path}::#{name}") : found["#{path}::#{name}"] = value
      end
    end
    walk.call(MessagePack, "MessagePack")
    [NilClass, TrueClass, FalseClass, Integer, Float, String, Symbol, Array, Hash, MessagePack::ExtensionValue].each do |klass|
      path = klass.name.delete_prefix("Sparpack::")
      found["#{path}#to_msgpack_with_packer"] = klass.private_instance_methods(false).include?(:to_msgpack_with_packer)
      found["#{path}#to_msgpack"] = klass.instance_method(:to_msgpack).owner.name.delete_prefix("Sparpack::")
    end
    found["Symbol"] = [take.call(Symbol.method(:from_msgpack_ext)), take.call(Symbol.instance_method(:to_msgpack_ext))]
    found["Functions"] = MessagePack.private_instance_methods(false).sort & %i[dump load pack unpack]
    found.transform_values! { |value| [Array, Hash, Class, Module, String, Integer, TrueClass].include?(value.class) ? value : value.class.name.delete_prefix("Sparpack::") }
    File.binwrite(ARGV.last, Marshal.dump(found.transform_values { |value| value.is_a?(Module) ? value.name : value }))
  RUBY

  def test_interface
    gem, ours = [GEM, DROP_IN].map { |load| fresh_result("#{load}\n#{INTERFACE}") }
    gem.reject! { |path, _| path.start_with?(*INNER) }
    IN_C.each { |path| ours[path] &&= gem[path] }
    wrong = gem.reject { |path, value| same?(path, value, ours[path]) }

    assert_operator gem.size, :>, 150
    assert_empty(wrong.to_h { |path, value| [path, { gem: value, ours: ours[path] }] })
  end

  # Classes that define to_msgpack, with a packer and without; core classes and their subclasses.
  USE = <<~'RUBY'
    require "stringio"
    Point = Struct.new(:x, :y) do
      def to_msgpack(packer = nil)
        return MessagePack.pack(self, packer) unless packer.is_a?(MessagePack::Packer)

        packer.write_map_header(2).write(:x).write(x)
        "y".to_msgpack(packer)
        y.to_msgpack(packer)
      end
    end
    Pair = Struct.new(:a, :b) do
      include MessagePack::CoreExt

      private def to_msgpack_with_packer(packer) = [a, b].to_msgpack(packer)
    end
    class Words < Array; end
    class Names < Hash; end
    class Text < String; end
    values = [nil, true, false, 1.5, "text", "\xFF".b, [1, [2]], { "a" => { b: nil } }, :symbol, 7, -2**40, 2**63, Words[1, 2],
              Names.new.merge("a" => 1), Text.new("text"), MessagePack::ExtensionValue.new(5, "payload"), Point.new(1, "a"),
              [Point.new([Point.new(nil, 2)], {})], Pair.new(1, [Pair.new(2, 3)])]
    results = values.map do |value|
      io = StringIO.new
      packer = MessagePack::Packer.new
      answer = value.to_msgpack(packer).equal?(packer)
      [value.to_msgpack, value.to_msgpack(io), io.string.b, answer, packer.to_s, [value].to_msgpack]
    rescue StandardError => e
      [value.class, e.class.name]
    end
    results << [:a.to_msgpack_ext, Symbol.from_msgpack_ext("ab"), Symbol.from_msgpack_ext("\xC3\xA4".b),
                Symbol.from_msgpack_ext("\xFF".b)]
    factory = MessagePack::Factory.new
    factory.register_type(0, Symbol)
    factory.register_type(1, Time, packer: MessagePack::Time::Packer, unpacker: MessagePack::Time::Unpacker)
    factory.register_type(2, Integer, packer: MessagePack::Bigint.method(:to_msgpack_ext),
                          unpacker: MessagePack::Bigint.method(:from_msgpack_ext), oversized_integer_extension: true)
    value = [:a, "a", 1, 2**64, -2**200, Time.at(1, 5, :nanosecond), { b: :"ä" }, "\xFF".b.to_sym]
    results << factory.dump(value) << (factory.load(factory.dump(value)) == value)
    packer = MessagePack::Packer.new
    packer.register_type(0x00, Symbol, :to_msgpack_ext)
    results << packer.write(value.first).to_s
    unpacker = MessagePack::Unpacker.new
    unpacker.register_type(0x00, Symbol, :from_msgpack_ext)
    results << unpacker.feed(packer.to_s).read
    include MessagePack
    results << [pack(1), dump([1]), unpack("\x01")]
    begin
      MessagePack::Unpacker.new.feed("\x01").read_array_header
    rescue MessagePack::TypeError => e
      results << e.class.name[/\w+\z/]
    end
    File.binwrite(ARGV.last, Marshal.dump(results))
  RUBY

  def test_use
    gem, ours = [GEM, DROP_IN].map { |load| fresh_result("#{load}\n#{USE}") }

    gem.zip(ours) { |expected, found| assert_equal expected, found }
  end

  # The names of classes, wherever Ruby shows them.
  NAMES = <<~'RUBY'
    require "stringio"
    factory = MessagePack::Factory.new
    objects = [factory, factory.packer, factory.unpacker, factory.packer.buffer, factory.pool, MessagePack::Timestamp.new(1, 2),
               MessagePack::ExtensionValue.new(1, "x"), MessagePack::MalformedFormatError.new("x"), MessagePack::StackError.new,
               MessagePack::UnexpectedTypeError.new, MessagePack::UnknownExtTypeError.new]
    found = objects.flat_map do |object|
      no_method = begin
        object.nope
      rescue NoMethodError => e
        e.message[/MessagePack::[\w:]+/]
      end
      frozen = begin
        object.dup.freeze.instance_variable_set(:@x, 1)
      rescue FrozenError, NoMethodError => e
        e.message[/\S*MessagePack::[\w:]+/]
      end
      [object.class.name, object.class.to_s, object.class.inspect, object.inspect[/\S*MessagePack::[\w:]+/], no_method, frozen]
    end
    found.concat(ObjectSpace.each_object(Module).filter_map { |mod| mod.name if mod.name&.include?("Sparpack::MessagePack") })
    found << Marshal.dump(MessagePack::Timestamp.new(1, 2)) << Marshal.dump(MessagePack::ExtensionValue.new(1, "x"))
    begin
      MessagePack.unpack("\xC1".b)
    rescue StandardError => e
      found << e.full_message(highlight: false)[/\(([A-Z]\S+)\)/, 1] << e.inspect[/\A#<[\w:]+/] # not the details of Ruby 3.2
    end
    found << MessagePack.name << MessagePack.inspect << MessagePack::Factory.method(:new).unbind.inspect[/MessagePack::Factory/]
    File.binwrite(ARGV.last, Marshal.dump(found.map { |text| text&.sub(/0x\h+/, "0x") }))
  RUBY

  def test_names
    loads = [GEM, DROP_IN, "require 'sparpack/message_pack'; #{DROP_IN}"]
    gem, *ours = loads.map { |load| fresh_result("#{load}\n#{NAMES}") }

    ours.each { |found| assert_empty(gem.zip(found).reject { |expected, got| expected == got }) }
    assert_equal [gem.size], ours.map(&:size).uniq
    assert_equal "Sparpack::MessagePack::Factory Sparpack::MessagePack",
                 fresh_ruby('require "sparpack"; print Sparpack::MessagePack::Factory, " ", Sparpack::MessagePack')
  end

  private

  # Ours may accept more, be more, and have other values for its constants.
  def same?(path, value, ours)
    return value == ours unless ours.is_a?(Array) && value.is_a?(Array)
    return (value - ours).empty? if path.end_with?(" is")

    path.match?(/[#.]/) ? ours.first <= value.first && ours.last >= value.last : value == ours
  end
end
