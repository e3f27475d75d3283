# frozen_string_literal: true

require "set"
require "sparpack/message_pack"
require "stringio"

# Random Ruby code in the middle of packing and unpacking. Packed objects, ios, extension types and keys use any packer,
# unpacker and buffer at any moment, even the one that called them. They change what they find, raise, throw, and leave a
# fiber. The worst outcome must be a Ruby exception. The results are not looked at.
class MessagePackChaos
  MP = Sparpack::MessagePack
  Pair = Struct.new(:left, :right)
  Text = Class.new(String)

  # An object that calls back wherever it can.
  class Caller
    def initialize(chaos) = @chaos = chaos

    def respond_to?(*) = @chaos.maybe && super

    def respond_to_missing?(*) = @chaos.maybe && super

    def to_msgpack(packer)
      3.times { @chaos.maybe && packer.write(@chaos.value(3)) }
      packer.buffer << ("r" * @chaos.dice(2_000)) if @chaos.dice(3).zero?
      packer.write(@chaos.value(2))
    end

    def hash = @chaos.maybe && 5

    def eql?(other) = @chaos.maybe && equal?(other)

    def to_str = @chaos.maybe && "text"
  end

  # An io to write to, or to read pieces of bytes from.
  class Channel
    def initialize(chaos, bytes = "")
      @chaos = chaos
      @bytes = bytes
    end

    def write(*strings)
      2.times { @chaos.maybe }
      strings.each { |string| string.replace("") unless string.frozen? }
      1
    end

    def readpartial(size, into = nil)
      @chaos.maybe
      raise EOFError if @chaos.dice(9).zero?

      piece = @bytes.byteslice(@chaos.dice(@bytes.bytesize + 1), @chaos.dice(size))
      @chaos.dice(2).zero? && into ? into.replace(piece) : piece
    end
  end

  # @return [Hash{Class => Integer}] how often each class was raised
  attr_reader :raised

  def initialize(seed)
    @random = Random.new(seed)
    @factory = factory
    @bytes = ["\x93\xD4\x01\x00\xD4\x03\x00\xA1a".b]
    @lists = []
    @raised = Hash.new(0)
    @level = 0
    renew
  end

  def run(rounds)
    rounds.times do |round|
      renew if (round % 40).zero?
      catch(:out) { step }
    rescue StandardError, SystemStackError => e
      @raised[e.class] += 1
    end
    GC.start
  end

  def dice(sides) = @random.rand(sides)

  def one(list) = list.sample(random: @random)

  # Does something in a third of all cases, and lets a quarter of the exceptions through.
  def maybe
    act if dice(3).zero?
    true
  rescue StandardError
    raise if dice(4).zero?

    true
  end

  SCALARS = [nil, 1, -1, 2**63, 1.5, 1e300, Float::NAN, "text", "l" * 9_000, "h" * 20_000, "\xFF".b, :symbol,
             "é".encode("UTF-16LE") * 30, Time.at(5), Time.at(1/3r), Text.new("x" * 100), 3r].freeze

  def value(depth = 0)
    return one(SCALARS) if depth > 4 || dice(3).zero?

    elements = Array.new(dice(5)) { value(depth + 1) }
    case dice(8)
    when 0, 7 then Caller.new(self)
    when 1 then elements.to_h { |element| [element, value(depth + 1)] }
    when 2 then Set.new(elements)
    when 3 then Pair.new(*elements.first(2))
    when 4 then MP::ExtensionValue.new(dice(20).zero? ? 9 : 1, one([Caller.new(self), "x" * 2_000]))
    when 5 then one(@lists) || []
    else elements.tap { |list| @lists << list }
    end
  end

  private

  def factory
    MP::Factory.new.tap do |made|
      made.register_builtin(:set, 5)
      made.register_builtin(:time)
      made.register_builtin(:struct, 6, Pair)
      made.register_type(1, Rational, packer: ->(_) { maybe && ("x" * dice(20)) }, unpacker: ->(_) { maybe && 1r })
      made.register_type(3, Text, recursive: true, packer: ->(_, packer) { maybe && packer.write(value(3)) && maybe },
                                  unpacker: ->(unpacker) { maybe && (dice(4).zero? ? Caller.new(self) : unpacker.read) })
    end
  end

  def renew
    io = { io_buffer_size: 1024 }
    @fibers = []
    @packers = [@factory.packer, @factory.packer(sort_keys: true), @factory.packer(Channel.new(self), io), MP::Packer.new,
                @factory.packer(StringIO.new("".b), sort_keys: true, write_reference_threshold: 300, **io)]
    @unpackers = [@factory.unpacker, @factory.unpacker(Channel.new(self, @bytes.last(5).join)),
                  @factory.unpacker(allow_unknown_ext: true, freeze: true), @factory.unpacker(untrusted: true),
                  MP::Unpacker.new(write_reference_threshold: 1)]
    @buffers = [*@packers, *@unpackers].map(&:buffer)
    @buffers << MP::Buffer.new(Channel.new(self, "zzz"), write_reference_threshold: 1)
  end

  def step
    case dice(7)
    when 0 then @bytes << @factory.dump(value)
    when 1, 2 then one(@packers).write(value)
    when 3 then @factory.load(one(@bytes))
    when 4 then one(@unpackers).feed(one(@bytes)).read
    when 5 then one(@bytes).scan(/.{1,50}/mn) { |piece| one(@unpackers).feed_each(piece) { act } }
    else begin_fiber
    end
  end

  def begin_fiber
    fiber = Fiber.new { catch(:out) { one(@packers).write(value) } }
    @fibers << fiber
    fiber.resume
  end

  def act
    return if @level > 3

    @level += 1
    send(one(%i[pack pack pack unpack unpack unpack use_buffer change collect leave look]))
  ensure
    @level -= 1
  end

  def pack
    packer = one(@packers)
    case dice(7)
    when 0 then packer.flush
    when 1 then packer.full_pack
    when 2 then packer.write_array_header(dice(3))
    when 3 then dice(4).zero? && packer.reset
    else packer.write(value(3))
    end
  end

  def unpack
    unpacker = one(@unpackers)
    case dice(7)
    when 0 then unpacker.skip
    when 1 then dice(4).zero? && unpacker.reset
    when 2 then unpacker.register_type(10 + dice(10), Object) { maybe }
    when 3, 4 then unpacker.feed(one(@bytes) * dice(20))
    else unpacker.read
    end
  end

  def use_buffer
    buffer = one(@buffers)
    case dice(4)
    when 0 then buffer << ("b" * dice(5_000))
    when 1 then buffer.read(dice(3_000))
    when 2 then buffer.to_s
    else dice(5).zero? && buffer.clear
    end
  end

  def change
    list = one(@lists) or return
    dice(2).zero? ? list.clear : list.concat([1] * 300)
  end

  def collect
    GC.start if dice(20).zero?
    GC.compact if dice(50).zero? && GC.respond_to?(:compact)
  end

  def leave
    raise one([IOError, ArgumentError, RangeError]), "chaos" if dice(3).zero?

    throw :out if dice(10).zero?
    fiber = one(@fibers)
    (dice(2).zero? && fiber&.alive? ? fiber.resume : Fiber.yield) if @fibers.any?
  end

  # Finds Arrays that are being built.
  def look
    return if dice(30).positive?

    ObjectSpace.each_object(Array) { |list| list.clear if list.size > 2 && list.first.is_a?(Caller) && !list.frozen? }
  end
end
