# frozen_string_literal: true

require "sparpack/message_pack"
require "stringio"
require_relative "message_pack_values"

# Runs everything that MessagePack does for a long time, including errors and callbacks. Nothing may leak. Prints the size
# after a warm-up and at the end:
#
#     SOAK=600 bin/test --patience 900 test/message_pack/soak_test.rb
class MessagePackSoak
  MP = Sparpack::MessagePack
  Node = Struct.new(:value)
  PAGE = 4096

  # Settings for the environment: the allocator returns freed memory at once.
  ALLOCATOR = { "MALLOC_ARENA_MAX" => "1", "MALLOC_MMAP_THRESHOLD_" => "65536", "MALLOC_TRIM_THRESHOLD_" => "65536" }.freeze

  # The lowest of several measurements counts, because one may fall just before the allocator gives memory back.
  MOMENTS = 4

  # At least this many rounds between two of them.
  ROUNDS = 3

  # At least this many to warm up, because every tenth round does more than the others.
  WARMING = 20

  class << self
    # @param seconds [Numeric]
    # @param moments [Integer] how often to measure
    # @yieldparam seconds [Float] how long to work until the next measurement
    # @return [Array<Numeric>] megabytes and objects
    def lightest(seconds, moments: MOMENTS)
      weights = Array.new(moments) do
        yield seconds / moments.to_f
        weight
      end
      weights.transpose.map(&:min)
    end

    def failed
      yield
    rescue StandardError
      nil
    end

    private

    def weight
      2.times { GC.start }
      [File.read("/proc/self/statm").split[1].to_i * PAGE / 1_000_000.0, GC.stat(:heap_live_slots)]
    end
  end

  def initialize
    random = Random.new(11)
    @values = Array.new(60) { MessagePackValues.random_value(random, 4, keys: :any) }
    @bytes = @values.map { |value| MP.pack(value) }
    @factory = registered
    @pool = @factory.pool(2)
    @packer = MP::Packer.new
    @unpacker = MP::Unpacker.new(symbolize_keys: true)
    @buffer = MP::Buffer.new
    @round = 0
  end

  # @param seconds [Float] the first half of them warms up
  # @return [Array<Numeric>] megabytes and objects at the end of the first half and of the second, and rounds
  def run(seconds)
    halves = Array.new(2) do
      spend(seconds / 4, WARMING)
      MessagePackSoak.lightest(seconds / 4) { |part| spend(part) }
    end
    [*halves.flatten, @round]
  end

  # Does everything once.
  def round
    @round += 1
    @values.each_with_index { |value, index| MP.unpack(MP.pack(value)) && stream(@bytes[index]) }
    long_lived
    extensions
    ios
    faults
    keys
  end

  private

  # A machine that is slow or busy takes as long as it needs.
  def spend(seconds, rounds = ROUNDS)
    finish = now + seconds
    enough = @round + rounds
    round until now > finish && @round >= enough
  end

  def stream(bytes)
    unpacker = MP::Unpacker.new
    bytes.scan(/.{1,900}/mn) { |piece| unpacker.feed_each(piece) { |value| value } }
  end

  # Uses one packer, unpacker and buffer for all rounds.
  def long_lived
    @bytes.first(20).each do |bytes|
      @unpacker.feed(bytes).read
      @packer.write(bytes).write_array_header(2)
      @buffer << bytes
      @buffer.read(bytes.bytesize / 2)
    end
    @packer.full_pack
    @unpacker.feed(@bytes[0].byteslice(0, 1)).reset
    @buffer.clear if (@round % 10).zero?
  end

  def extensions
    value = [Node.new([1, Node.new("x" * 500)]), 1r / 3]
    @factory.load(@factory.dump(value))
    @pool.load(@pool.dump(value))
    @factory.dup.freeze.pool.dump(value)
  end

  def ios
    out = StringIO.new("".b)
    packer = MP::Packer.new(out)
    @values.first(20).each { |value| packer.write(value) }
    packer.write("large" * 200_000) if (@round % 10).zero?
    packer.flush
    MP::Unpacker.new(StringIO.new(out.string)).each { |value| value }
  end

  def faults
    @bytes.first(30).each do |bytes|
      failed { MP.unpack(bytes.byteslice(0, bytes.bytesize / 2)) }
      failed { MP.unpack("#{bytes}\xC1".b) }
      failed { @pool.load("\x92".b + bytes) }
    end
    failed { MP.pack([@values, Object.new]) }
    failed { @pool.dump([Node.new(Object.new)]) }
    failed { @packer.write([1, "x" * 1_000, 2**64]) }
    failed { MP.unpack("\xDD\xFF\xFF\xFF\xFF".b) }
    failed { MP.unpack("\x91".b * 500) }
  end

  # Uses new keys all the time. What remembers keys must forget them.
  def keys
    hash = (0...50).to_h { |i| ["key #{@round} #{i}", :"value#{i}"] }
    MP.unpack(MP.pack(hash), freeze: true)
    @unpacker.feed(MP.pack((0...5).to_h { |i| ["known #{i}", i] })).read
  end

  def failed(&) = MessagePackSoak.failed(&)

  def registered
    factory = MP::Factory.new
    factory.register_type(1, Node, packer: ->(node, packer) { packer.write(node.value) },
                                   unpacker: ->(unpacker) { Node.new(unpacker.read) }, recursive: true)
    factory.register_type(2, Rational, packer: :to_s, unpacker: ->(text) { Rational(text) })
    factory
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

puts MessagePackSoak.new.run(Float(ARGV.fetch(0))).join(" ") if $PROGRAM_NAME == __FILE__
