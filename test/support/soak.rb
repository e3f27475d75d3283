# frozen_string_literal: true

require "sparpack"
require "sparpack/lz4"
require "support/message_pack_soak"
require "support/random_schema"
require "support/sparsam_shop"
require "support/spelling"
require "support/thrift_market"

# Does everything that native code is for, in threads and Ractors and for a long time, and measures the memory of the
# process. Nothing may leak: once warm, the process stays as large as it is.
#
#     bin/test --soak --time 10m
class Soak
  # The run has so many parts, and each a size. The first one warms up.
  PARTS = 10

  # How often a part is measured. The smallest size counts: in the larger ones, more objects happened to be in use.
  MOMENTS = 20

  # The last part may be larger than the second one by this share.
  GROWTH = 0.02

  # After so many rounds the same values and faults come again. Otherwise larger and larger ones would come up.
  CYCLE = 10

  THREADS = 2
  RACTORS = 2

  # What is done with the classes of Sparpack itself. Ractors do it, too.
  module Structs
    random = Random.new(5)
    schema = RandomSchema.new(random)
    OBJECTS = Ractor.make_shareable(Array.new(20) { schema.object(schema.struct_class) })
    FORMS = Ractor.make_shareable(OBJECTS.map { |object| Spelling.wires(object) - %i[message_pack_names message_pack_ids] })

    # All fields are unknown.
    class Empty < Sparpack::Struct; end

    module_function

    # @param random [Random]
    # @param name [String] that was never used before, for what remembers names and texts
    def round(random, name)
      Empty.decode(%({"#{name}":["#{name}"]}), :json, unknown: :keep)
      OBJECTS.zip(FORMS) do |object, wires|
        wires.each { |wire| payload(object, wire, object.encode(wire), wires.sample(random:), random) }
      end
    end

    def payload(object, wire, bytes, other, random)
      type = object.class
      [{}, { unknown: :keep }, { freeze: true }].each { |options| type.decode(bytes, wire, **options) }
      convert(type, bytes, wire, other)
      inspector = Sparpack::Inspector.new(bytes, type, from: wire)
      [inspector.tree, inspector.json]
      [bytes.byteslice(0, random.rand(bytes.bytesize)), MessagePackValues.mutated(bytes, random)].each do |broken|
        MessagePackSoak.failed { type.decode(broken, wire, unknown: :keep) }
        MessagePackSoak.failed { convert(type, broken, wire, other) }
      end
    end

    def convert(type, bytes, from, to) = Sparpack::Converter.new(type, from:, to:).convert(bytes)

    def lz4(random)
      [random.bytes(2_000), random.bytes(20) * 200].each do |bytes|
        packed = Sparpack::LZ4.deflate(bytes)
        Sparpack::LZ4.inflate(packed)
        MessagePackSoak.failed { Sparpack::LZ4.inflate(packed.byteslice(0, packed.bytesize / 2)) }
      end
    end
  end

  # The objects of other gems, which only the main Ractor reads and writes.
  class DropIns
    include ThriftMarket

    def initialize
      @market = everything
      @shop = SparsamShop.everything
    end

    def round(random)
      ThriftTools.wires.each do |wire|
        bytes = ThriftTools.encode(@market, wire)
        ThriftTools.decode(Market::Everything, bytes, wire)
        MessagePackSoak.failed { ThriftTools.decode(Market::Everything, MessagePackValues.mutated(bytes, random), wire) }
      end
      [Sparsam::CompactProtocol, Sparsam::BinaryProtocol].each do |protocol|
        bytes = @shop.serialize(protocol)
        Sparsam::Deserializer.deserialize(SparsamShop::Everything, bytes, protocol)
        bytes = MessagePackValues.mutated(bytes, random)
        MessagePackSoak.failed { Sparsam::Deserializer.deserialize(SparsamShop::Everything, bytes, protocol) }
      end
    end
  end

  class << self
    # @param sizes [Array<Numeric>] of the process, in the order of time
    def flat?(sizes) = sizes.last <= sizes[1] * (1 + GROWTH)

    # @param finish [Float] when it ends, by {now}
    # @return [Integer] rounds
    def work(seed, finish, *others)
      message_pack = MessagePackSoak.new
      rounds = 0
      while now < finish
        random = Random.new((rounds += 1) % CYCLE)
        message_pack.round
        Structs.round(random, "worker #{seed} round #{rounds}")
        Structs.lz4(random)
        others.each { |other| other.round(random) }
      end
      rounds
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # @param seconds [Numeric]
  def initialize(seconds)
    @seconds = seconds
  end

  # @return [Boolean] whether the memory was flat
  def run(io = $stdout)
    work = workers(Soak.now + @seconds)
    sizes = Array.new(PARTS) { MessagePackSoak.lightest(@seconds / PARTS, moments: MOMENTS) { |part| sleep(part) }.first }
    rounds = work.map { |worker| worker.is_a?(Thread) || worker.respond_to?(:value) ? worker.value : worker.take }
    io.puts "#{rounds.sum} rounds in #{THREADS} threads and #{RACTORS} Ractors",
            "megabytes after each of #{PARTS} parts of the time: #{sizes.map { |size| size.round(1) }.join(" ")}"
    flat = Soak.flat?(sizes)
    io.puts "The last part is more than #{(GROWTH * 100).to_i}% larger than the second" unless flat
    flat
  end

  private

  def workers(finish)
    Ractor.make_shareable(Random::Formatter::ALPHANUMERIC) # Ruby's own table, which MessagePackValues uses
    Structs.round(Random.new(0), "warm-up") # autoload works only in the main Ractor
    threads = Array.new(THREADS) { |seed| Thread.new { Soak.work(seed, finish, DropIns.new) } }
    threads + Array.new(RACTORS) { |index| Ractor.new(THREADS + index, finish) { |*settings| Soak.work(*settings) } }
  end
end

if $PROGRAM_NAME == __FILE__
  exit Soak.new(Float(ARGV.fetch(0))).run
end
