# frozen_string_literal: true

require "test_helper"
require "support/lazy_reading"
require "support/random_schema"
require "support/seeded"

# Lazy objects of any class are what ordinary ones are, whatever is read first, and whatever is changed.
class LazyRandomTest < Minitest::Test
  include Seeded

  SCHEMAS = Integer(ENV.fetch("SCHEMAS", 20))
  FORMS = [[:compact, {}], [:binary, {}], [:message_pack, { keys: :ids }], [:message_pack, { keys: :names }]].freeze

  # Does the same, at random, to two objects that should be equal: reads fields, changes what is in them, or sets them.
  class Twins
    def initialize(random, schema)
      @random = random
      @schema = schema
    end

    def play(eager, lazy, depth = 4)
      fields = eager.class.schema.fields
      fields = [fields.find { |field| field.name == eager.field }] if eager.is_a?(Sparpack::Union)
      fields.compact.shuffle(random: @random).each do |field|
        case @random.rand(6)
        when 0, 1 then play_in(eager.public_send(field.name), lazy.public_send(field.name), depth)
        when 2 then [eager, lazy].each { |object| object[field.name] = value(field) }
        end
      end
    end

    private

    # The same for both, because each gets an object of its own.
    def value(field)
      seed = @seed ||= @random.rand(1 << 30)
      made = RandomSchema.new(Random.new(seed)).value(field.type, 1)
      @seed = @seed == seed && @half ? nil : seed
      @half = !@half
      made
    end

    def play_in(eager, lazy, depth)
      return if depth.zero?

      case eager
      when Sparpack::Value then play(eager, lazy, depth - 1)
      when Array then eager.zip(lazy).each { |pair| play_in(*pair, depth - 1) if @random.rand(2).zero? }
      when Hash then eager.each_key { |key| play_in(eager[key], lazy[key], depth - 1) }
      when String then [eager, lazy].each { |string| string << "!" unless string.frozen? || string.encoding == Encoding::BINARY }
      end
    end
  end

  def test_reading_in_any_order_and_changing_at_random
    slept = 0
    objects do |schema, object, codec, sleepy|
      bytes = codec.encode(object)
      eager, lazy = [codec, sleepy].map { |each| each.decode(bytes) }
      slept += 1 if Sparpack::Native.lazy?(lazy)
      Twins.new(random, schema).play(eager, lazy)

      (%i[compact binary] - [codec.wire]).each do |wire|
        assert_equal LazyReading.encoded(eager, wire), LazyReading.encoded(lazy, wire)
      end
      assert_equal encoded(codec, eager), encoded(sleepy, lazy)
      assert_equal LazyReading.fields(eager), LazyReading.fields(lazy)
      assert_equal [eager, eager.hash, eager.inspect], [lazy, lazy.hash, lazy.inspect]
    end

    assert_operator slept, :>, SCHEMAS / 2
  end

  def test_an_untouched_object_goes_out_as_it_came
    objects do |_, object, codec, sleepy|
      bytes = codec.encode(object)

      assert_equal bytes, sleepy.encode(sleepy.decode(bytes))
      assert_equal bytes * 2, sleepy.decode_each(bytes * 2).map { |each| sleepy.encode(each) }.join
    end
  end

  # The bytes are checked once, and nothing that is read later raises.
  def test_damaged_bytes
    read = 0
    objects do |_, object, codec, sleepy|
      bytes = codec.encode(object)
      next if bytes.empty?

      10.times do
        damaged = damage(bytes)
        eager, lazy = [codec, sleepy].map { |each| answer { each.decode(damaged) } }

        assert_equal eager.class, lazy.class
        next assert_equal(eager, lazy) unless eager.is_a?(Sparpack::Value)

        read += 1
        assert_equal LazyReading.fields(eager), LazyReading.fields(lazy)
        assert codec.check(damaged)
      end
    end

    assert_operator read, :>, 20
  end

  def test_the_garbage_collector
    objects(schemas: 2) do |_, object, codec, sleepy|
      bytes = codec.encode(object)
      expected = LazyReading.fields(codec.decode(bytes))
      begin
        GC.stress = true
        lazy = sleepy.decode(bytes)
        found = LazyReading.fields(lazy)
        woken = sleepy.decode(bytes).to_h.size
        again = sleepy.encode(lazy)
      ensure
        GC.stress = false
      end

      assert_equal [expected, object.to_h.size, codec.encode(codec.decode(bytes))], [found, woken, again]
    end
  end

  def test_compaction
    skip "this Ruby cannot compact" unless GC.respond_to?(:compact)

    twins = []
    objects(schemas: 10) do |_, object, codec, sleepy|
      twins << [codec, sleepy].map { |each| each.decode(codec.encode(object)) }
    end
    twins.each { |eager, lazy| eager.is_a?(Sparpack::Struct) && eager.class.members.first(2).each { |name| lazy[name] } }
    GC.compact

    twins.each { |eager, lazy| assert_equal LazyReading.fields(eager), LazyReading.fields(lazy) }
  end

  private

  def objects(schemas: SCHEMAS)
    schemas.times do
      schema = RandomSchema.new(random)
      struct_class = schema.struct_class
      FORMS.each do |wire, options|
        codec, sleepy = [false, true].map { |lazy| Sparpack::Codec.new(struct_class, wire, lazy:, **options) }
        object = schema.object(struct_class)
        yield schema, object, codec, sleepy
      end
    end
  end

  def encoded(codec, object)
    codec.encode(object)
  rescue Sparpack::EncodeError => e
    [e.class, e.message]
  end

  def damage(bytes)
    bytes = bytes.dup
    place = random.rand(bytes.bytesize)
    case random.rand(3)
    when 0 then bytes.setbyte(place, random.rand(256))
    when 1 then bytes = bytes.byteslice(0, place)
    when 2 then bytes = bytes.byteslice(0, place) + bytes.byteslice(random.rand(bytes.bytesize)..)
    end
    bytes
  end

  def answer
    yield
  rescue Sparpack::DecodeError => e
    [e.class, e.message, e.offset]
  end
end
