# frozen_string_literal: true

# bin/test: not sanitized, for mapping_test runs the same native code
require "test_helper"
require "support/fresh_ruby"

# Classes of all kinds keep their members through an encode and a decode.
class MappingClassesTest < Minitest::Test
  include FreshRuby

  def test_structs_by_keywords_or_not
    { true => %i[keywords allocate], nil => %i[positional allocate], false => %i[positional allocate] }.each do |by, builds|
      klass  = Struct.new(:x, :y, keyword_init: by)
      object = by ? klass.new(x: 1, y: [2]) : klass.new(1, [2])

      [nil, *builds].each { |build| assert_equal object, again(object, %i[x y], build:), "#{by.inspect} #{build}" }
      wrong = (%i[keywords positional] - builds).first
      assert_raises(Sparpack::SchemaError) { Sparpack::Mapping.new(klass, %i[x y], build: wrong) }
    end
  end

  def test_variables_that_are_not_set
    klass = Class.new { attr_reader :x, :y }
    copy  = again(klass.new, %i[x y])

    assert_equal [nil, nil], [copy.x, copy.y]
  end

  def test_many_variables_and_any_keywords
    names = Array.new(40) { |i| :"v#{i}" }
    klass = Class.new do
      names.each { |name| attr_reader name }
      define_method(:initialize) { |**given| given.each { |name, value| instance_variable_set("@#{name}", value) } }
    end
    object = klass.new(**names.each_with_index.to_h)
    %i[keywords allocate].each do |build|
      assert_equal([*0...40], names.map { |name| again(object, names, build:).public_send(name) })
    end
  end

  def test_structs_with_other_methods_for_members
    [[], %i[y x]].each do |members|
      klass = Struct.new(:x, :y) { define_singleton_method(:members) { members } }

      assert_equal [1, 2], again(klass.new(1, 2), %i[x y]).to_a
    end
  end

  def test_frozen_objects
    object = Struct.new(:x, :y).new([1], nil).freeze

    assert_equal object, again(object, %i[x y])
    refute_predicate again(object, %i[x y]), :frozen?
  end

  DROP_IN = <<~RUBY
    require "sparpack/drop_in/msgpack"
    Spot = Struct.new(:x, :y)
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Spot, { 0 => :x, 1 => :y }), :message_pack)
    factory = MessagePack::Factory.new
    factory.register_type(5, Spot, codec: codec)
    MessagePack::DefaultFactory.register_type(6, Spot, codec: codec)
    value = [{ "at" => Spot.new(1, [2]) }]
    print [factory.dump(value[0]["at"]).unpack1("H*"), factory.load(factory.dump(value)) == value,
           MessagePack.unpack(MessagePack.pack(value)) == value, factory.registered_types.map { |type| type[:class] }]
  RUBY

  def test_the_drop_in_for_msgpack_packs_with_a_codec
    assert_equal '["d60592019102", true, true, [Spot]]', fresh_ruby(DROP_IN)
  end

  private

  def again(object, members, **options)
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(object.class, members, **options), :message_pack)
    codec.decode(codec.encode(object))
  end
end
