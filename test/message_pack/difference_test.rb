# frozen_string_literal: true

require "test_helper"
require "support/message_pack_values"
require "support/seeded"
require "set"

# Random values and random bytes, with the msgpack gem and with Sparpack, under each option and with registered types: the
# same value or an error of the same class, and the same bytes.
class MessagePackDifferenceTest < Minitest::Test
  include Seeded
  include MessagePackValues

  MP = Sparpack::MessagePack
  RUNS = Integer(ENV.fetch("RUNS", 700))

  # Extension types that may be compressed values, which the gem does not know.
  COMPRESSED = /(?:[\xd4-\xd8]|\xc7.|\xc8..|\xc9....)[bc]/mn

  OPTIONS = [{}, { symbolize_keys: true }, { freeze: true }, { allow_unknown_ext: true }, { key_cache: true },
             { symbolize_keys: true, freeze: true, allow_unknown_ext: true }].freeze

  # Classes for the types of `factory`.
  Money = Struct.new(:amount, :unit) do
    def to_msgpack_ext = [amount, unit].pack("q>a*")
    def self.from_msgpack_ext(data) = new(*data.unpack("q>a*"))
  end
  Node = Struct.new(:value, :children)

  def setup
    require "msgpack"
    require "msgpack/bigint"
  rescue LoadError
    skip "the msgpack gem is missing: bundle install"
  end

  def test_random_values_are_read_alike_under_each_option
    RUNS.times do
      bytes = MP.pack(random_value(random, 4, keys: :any))
      options = OPTIONS.sample(random:)

      assert_same_reading(bytes) { |library| library.unpack(bytes, options) }
    end
  end

  def test_random_and_mutated_bytes_under_each_option
    RUNS.times do
      bytes = noise
      options = OPTIONS.sample(random:)

      assert_same_reading(bytes) { |library| library.unpack(bytes, options) }
      assert_same_reading(bytes) { |library| library::Unpacker.new(options).feed(bytes).full_unpack }
    end
  end

  # Reads the values of a stream until one is invalid.
  def test_random_and_mutated_streams
    RUNS.times do
      bytes = Array.new(1 + random.rand(4)) { noise }.join
      options = OPTIONS.sample(random:)

      assert_same_reading(bytes) do |library|
        found = []
        error = told { library::Unpacker.new(options).feed_each(bytes) { |value| found << value } }
        [found, error]
      end
    end
  end

  def test_registered_types
    factories = factories(recursive: true)
    RUNS.times do
      value = typed_value(random, 4)
      gem, ours = factories.map { |factory| factory.dump(value) }

      assert_equal gem, ours
      OPTIONS.sample(2, random:).each do |options|
        found = factories.map { |factory| factory.load(gem, options) }

        assert_equal(*found.map { |one| [tell(one)] })
      end
    end
  end

  # Without recursive types, because the gem's unpacker reads past the end of a payload that is too short.
  def test_registered_types_and_mutated_bytes
    factories = factories(recursive: false)
    RUNS.times do
      bytes = mutated(factories[0].dump(typed_value(random, 3, nodes: false)), random)
      options = { allow_unknown_ext: true, key_cache: random.rand < 0.5 }

      assert_same_reading(bytes) { |library| factories[library == MP ? 1 : 0].load(bytes, options) }
    end
  end

  def test_pools
    pools = factories(recursive: true).map { |factory| factory.pool(2) }
    RUNS.times do
      value = typed_value(random, 3)
      gem, ours = pools.map { |pool| pool.dump(value) }

      assert_equal gem, ours
      assert_equal(*pools.map { |pool| [tell(pool.load(gem))] })
    end
  end

  private

  def factories(recursive:)
    [::MessagePack, MP].map do |library|
      factory = library::Factory.new
      types(library).each do |type, klass, packer, unpacker, options|
        unpacker = tolerant(unpacker) unless recursive
        factory.register_type(type, klass, packer:, unpacker:, **options) if recursive || !options[:recursive]
      end
      factory
    end
  end

  # Makes an unpacker that never raises. If the message is also cut short, the gem and Sparpack raise different errors:
  # Sparpack calls (or misses) a registered type only when the whole value is there.
  def tolerant(unpacker)
    lambda do |data|
      unpacker.to_proc.call(data)
    rescue StandardError => e
      "#{e.class.name[/\w+\z/]} of #{data.inspect}"
    end
  end

  def types(library)
    big = library::Bigint
    [[library::Timestamp::TYPE, Time, library::Time::Packer, library::Time::Unpacker, {}],
     [1, Money, :to_msgpack_ext, Money.method(:from_msgpack_ext), {}],
     [2, Symbol, :name, ->(data) { data.force_encoding("UTF-8").to_sym }, {}],
     [3, Integer, big.method(:to_msgpack_ext), big.method(:from_msgpack_ext), { oversized_integer_extension: true }],
     [4, Comparable, :to_s, ->(data) { "any #{data}" }, {}],
     [5, Node, ->(node, packer) { packer.write(node.value).write(node.children) },
      ->(unpacker) { Node.new(unpacker.read, unpacker.read) }, { recursive: true }],
     [6, Set, ->(set, packer) { set.each_with_object(packer.write_array_header(set.size)) { |each, out| out.write(each) } },
      ->(unpacker) { Array.new(unpacker.read_array_header) { unpacker.read }.to_set }, { recursive: true }]]
  end

  def typed_value(random, depth, nodes: true)
    case random.rand(depth.positive? ? 11 : 6)
    when 0 then Time.at(random.rand(2**36) - (2**20), random.rand(10**9), :nsec)
    when 1 then Money.new(random.rand(2**60), %w[EUR ¥].sample(random:))
    when 2 then [:short, :"ä ö", :""].sample(random:)
    when 3 then (random.rand(2**90) + (2**64)) * [1, -1].sample(random:)
    when 4, 5 then random_value(random, 0)
    when 6 then nodes ? Node.new(typed_value(random, depth - 1), typed_values(random, depth, nodes)) : nil
    when 7 then nodes ? Set.new(Array.new(random.rand(4)) { random_value(random, 0) }) : []
    when 8 then typed_values(random, depth, nodes)
    else typed_values(random, depth, nodes).each_with_index.to_h { |each, i| [[:"k#{i}", "k#{i}", i].sample(random:), each] }
    end
  end

  def typed_values(random, depth, nodes) = Array.new(random.rand(8)) { typed_value(random, depth - 1, nodes:) }

  def noise
    return random.bytes(1 + random.rand(30)) if random.rand < 0.4

    mutated(MP.pack(random_value(random, 4, keys: :any)), random)
  end

  def assert_same_reading(bytes)
    return if bytes.b.match?(COMPRESSED)

    gem, ours = [::MessagePack, MP].map { |library| told { yield library } }

    assert_equal [gem], [ours], bytes.inspect[0, 600]
  end

  def told
    tell(yield)
  rescue StandardError => e
    e.class.name[/\w+\z/].to_sym
  end

  # Describes a value with its classes, encodings and signs, and says what is frozen.
  def tell(found)
    case found
    when Array then [:array, found.frozen?, found.map { |element| tell(element) }]
    when Hash then [:hash, found.frozen?, found.map { |key, value| [tell(key), tell(value)] }]
    when Set then [:set, found.map { |element| tell(element) }]
    when Node then [:node, tell(found.value), tell(found.children)]
    when ::MessagePack::ExtensionValue, MP::ExtensionValue then [:extension, found.type, tell(found.payload)]
    when Float then [:float, found.nan? ? :nan : [found].pack("G")]
    when String then [found, found.encoding, found.frozen?]
    when Symbol then [found, found.encoding]
    else found
    end
  end
end
