# frozen_string_literal: true

module Sparpack
  # Limits what one payload may cost. All limits are checked before memory is allocated. A Limits object is frozen.
  #
  # @example A strict reader of small payloads
  #   Listing.decode(bytes, limits: Sparpack::Limits.new(memory: 1 << 20, depth: 8))
  class Limits
    # The names of all limits.
    NAMES = %i[memory message string container depth extension decompressed].freeze

    # @!parse
    #   # The largest {#depth}. The native core defines it.
    #   DEPTH_MAX = 1000

    # What nil means: a limit that depends on the payload, no limit, or the limit of strings.
    UNSET = { memory: "default", message: "none", string: "none", container: "none", extension: "string",
              decompressed: "none" }.freeze
    private_constant :UNSET

    # Limits the memory of the objects that one payload becomes. It counts what `ObjectSpace.memsize_of` says of each object,
    # including those that are garbage when decoding ends. The objects take at most 1.3 times this limit.
    #
    # {Codec#decode_each} and {Codec#decode_prefix} do not know the size of a payload in advance. If it turns out to take
    # more than an eighth of the limit, it is decoded again, and the first eighth is garbage. This concerns payloads from
    # an io and, if the limit is nil, payloads in a String. Bytes that follow a payload do not raise its limit.
    #
    # A {Converter} writes at most as many bytes for one payload, whether it makes objects or not. This is the limit of the
    # codec that reads.
    #
    # @return [Integer, nil] bytes; nil means 16 MiB plus 64 times the size of the payload
    attr_reader :memory

    # @return [Integer, nil] how many bytes one payload from an io may have; nil means no limit. A String is in memory
    #   already, so this limit does not apply to it
    attr_reader :message

    # @return [Integer, nil] how many bytes one string may have, when encoding and decoding; nil means no limit. It
    #   holds for unknown fields, too
    attr_reader :string

    # @return [Integer, nil] how many elements one container may have, when encoding and decoding; nil means no
    #   limit. It holds for unknown fields, too
    attr_reader :container

    # @return [Integer] how many levels of structs and containers there may be, when encoding and decoding
    attr_reader :depth

    # @return [Integer, nil] how many bytes the payload of one MessagePack extension type may have; nil means as many as
    #   {#string} allows
    attr_reader :extension

    # Limits what a payload that was compressed with LZ4 becomes. A {Codec} without `compression:` also allows no more than
    # its {#memory}, and nil then means 16 MiB plus 64 times the size of the compressed payload.
    #
    # @return [Integer, nil] bytes; nil means no limit
    attr_reader :decompressed

    # Makes limits. The parameters have the same meaning as the readers.
    #
    # @param memory [Integer, nil] bytes
    # @param message [Integer, nil] bytes
    # @param string [Integer, nil] bytes
    # @param container [Integer, nil] elements
    # @param depth [Integer] levels, 1 to 1000; MessagePack without a schema allows at most 128
    # @param extension [Integer, nil] bytes
    # @param decompressed [Integer, nil] bytes
    # @raise [ArgumentError] if a limit is out of range, or for an unknown option
    # @example
    #   Sparpack::Limits.new(depth: 32)
    def initialize(memory: nil, message: 100_000_000, string: nil, container: nil, depth: 64, extension: nil,
                   decompressed: 64 << 20, **unknown)
      Options.refuse(unknown, method(:initialize)) unless unknown.empty?
      @memory = size(:memory, memory)
      @message = size(:message, message)
      @string = size(:string, string)
      @container = size(:container, container)
      unless depth.is_a?(Integer) && depth.between?(1, DEPTH_MAX)
        raise ArgumentError, "depth: expected an Integer from 1 to #{DEPTH_MAX}, got #{Quote.value(depth)}"
      end

      @depth = depth
      @extension = size(:extension, extension)
      @decompressed = size(:decompressed, decompressed)
      freeze
    end

    # Returns all limits by name.
    #
    # @return [Hash{Symbol => Integer, nil}]
    # @example
    #   Sparpack::Limits.new(depth: 32).to_h[:depth] # => 32
    def to_h = NAMES.to_h { |name| [name, public_send(name)] }

    # Returns a copy with changes.
    #
    # @param changes [Hash{Symbol => Integer, nil}] new limits by name
    # @return [Limits]
    # @raise [ArgumentError] as {#initialize}
    # @example
    #   limits.with(string: 1 << 20)
    def with(**changes) = self.class.new(**to_h, **changes)

    # @param other [Object]
    # @return [Boolean] whether all limits are equal
    def ==(other) = other.is_a?(Limits) && to_h == other.to_h
    alias eql? ==

    # @return [Integer]
    def hash = to_h.hash

    # @return [String] all limits. Instead of nil, it says what nil means
    # @example
    #   Sparpack::Limits.new(string: 9).inspect[/string.*depth/] # => "string=9, container=none, depth"
    def inspect
      "#<#{self.class} #{to_h.map { |name, value| "#{name}=#{value || UNSET.fetch(name)}" }.join(", ")}>"
    end
    alias to_s inspect

    private

    def size(name, value)
      return value if value.nil? || (value.is_a?(Integer) && value.between?(0, (1 << 62) - 1))

      raise ArgumentError, "#{name}: expected nil or an Integer of at least 0, got #{Quote.value(value)}"
    end
  end
end
