# frozen_string_literal: true

require "test_helper"

# Objects that are made without their constructor. Of a class with many members, Ruby code sets the variables.
class MappingAllocateTest < Minitest::Test
  Mapping = Sparpack::Mapping
  Codec   = Sparpack::Codec
  SIZES   = [1, 2, 4, 5, 6, 12, 255, 256, 257].freeze

  def self.wide(count) = Class.new { attr_reader(*Array.new(count) { |i| :"m#{i}" }) }

  def self.mapping(klass)
    names = klass.public_instance_methods(false).grep(/\Am\d+\z/).sort_by { |name| name[1..].to_i }
    Mapping.new(klass, names.each_with_index.to_h { |name, id| [id, name] }, build: :allocate)
  end

  class Eight
    attr_reader :m0, :m1, :m2, :m3, :m4, :m5, :m6, :m7

    def initialize = raise("the constructor was called")
  end

  EIGHT = mapping(Eight)

  class Shelf < Sparpack::Struct
    field 0, :all, list(EIGHT)
  end

  def test_members_of_all_numbers
    SIZES.each do |count|
      klass = MappingAllocateTest.wide(count)
      codec = Codec.new(MappingAllocateTest.mapping(klass), :message_pack)
      [count, count - 1, count / 2, 0].uniq.each do |given|
        object = codec.decode(Sparpack::MessagePack.pack([*0...given]))

        assert_instance_of klass, object
        assert_equal([*0...given, *[nil] * (count - given)], Array.new(count) { |i| object.public_send(:"m#{i}") })
        assert_equal count, object.instance_variables.size
      end
    end
  end

  def test_odd_names
    names = %i[größe if self end Big _ _1x a0 __id]
    klass = Class.new { attr_reader(*names) }
    codec = Codec.new(Mapping.new(klass, names, build: :allocate), :message_pack)
    bytes = Sparpack::MessagePack.pack(names.to_h { |name| [name.name, "the #{name}"] })

    assert_equal(names.map { |name| "the #{name}" }, names.map { |name| codec.decode(bytes).public_send(name) })
  end

  def test_methods_of_the_class_are_not_called
    klass = MappingAllocateTest.wide(8)
    klass.class_eval do
      %i[instance_exec instance_variable_set method_missing initialize].each do |name|
        define_method(name) { |*| raise "#{name} was called" }
      end
    end
    object = Codec.new(MappingAllocateTest.mapping(klass), :message_pack).decode(Sparpack::MessagePack.pack([*1..8]))

    assert_equal([*1..8], (0...8).map { |i| object.public_send(:"m#{i}") })
  end

  def test_classes_without_instance_exec
    [proc { undef_method :instance_exec }, proc { private :instance_exec }].each do |change|
      %i[keywords allocate].each do |build|
        names = Array.new(8) { |i| :"m#{i}" }
        klass = MappingAllocateTest.wide(8)
        klass.define_method(:initialize) { |**all| all.each { |name, value| instance_variable_set("@#{name}", value) } }
        klass.class_eval(&change)
        codec = Codec.new(Mapping.new(klass, names, build:), :message_pack)
        object = codec.decode(Sparpack::MessagePack.pack(names.to_h { |name| [name, 1] }))

        assert_equal([1] * 8, names.map { |name| object.public_send(name) })
      end
    end
  end

  # Between two objects another thread may run.
  def test_the_source_may_be_changed_meanwhile
    expected = Array.new(20) { |i| Array.new(8) { |j| "text #{i} #{j}" } }
    [:clear, ->(bytes) { bytes.replace("\xC1" * bytes.bytesize) }, ->(bytes) { bytes << ("x" * 100_000) }].each do |change|
      bytes = Sparpack::MessagePack.pack([expected])
      trace = TracePoint.new(:b_return) { |point| change.to_proc.call(bytes) if point.self.is_a?(Eight) }
      shelf = trace.enable { Shelf.decode(bytes, :message_pack) }

      assert_equal(expected, shelf.all.map { |each| values(each) })
      refute_equal Sparpack::MessagePack.pack([expected]), bytes, "nothing ran while the objects were made"
    end
  end

  def test_an_exception_ends_the_decode
    bytes = Sparpack::MessagePack.pack([[[*1..8]] * 3])
    trace = TracePoint.new(:b_return) { |point| raise IOError, "stop" if point.self.is_a?(Eight) }

    assert_raises(IOError) { trace.enable { Shelf.decode(bytes, :message_pack) } }
    assert_equal 3, Shelf.decode(bytes, :message_pack).all.size
  end

  def test_garbage_is_collected_meanwhile
    bytes = Sparpack::MessagePack.pack([Array.new(3) { |i| Array.new(8) { |j| "a longer text of #{i} and #{j}" } }])
    GC.stress = true
    shelf = Shelf.decode(bytes, :message_pack)
    GC.stress = false

    assert_equal bytes, Sparpack::MessagePack.pack([shelf.all.map { |each| values(each) }])
  ensure
    GC.stress = false
  end

  def test_ractors
    skip "this Ruby has no Ractor" unless defined?(Ractor)

    bytes  = Sparpack::MessagePack.pack([*1..8])
    ractor = Ractor.new(Codec.new(EIGHT, :message_pack), bytes) { |codec, copy| codec.decode(copy).m7 }

    assert_equal 8, ractor.respond_to?(:value) ? ractor.value : ractor.take
  end

  private

  def values(object) = Array.new(8) { |i| object.public_send(:"m#{i}") }
end
