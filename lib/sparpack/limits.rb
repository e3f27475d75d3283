# frozen_string_literal: true

module Sparpack
  # What a message may cost. All limits are checked before anything is allocated.
  #
  # @example A strict reader of small messages
  #   Listing.decode(bytes, limits: Sparpack::Limits.new(memory: 1 << 20, depth: 8))
  class Limits
    # What is fixed by {#initialize}, in this order.
    NAMES = %i[memory message string container depth extension].freeze

    # The most levels that {#depth} may allow.
    DEPTH_MAX = 1000

    # Counts what `ObjectSpace.memsize_of` says of each object that decoding makes, including those that are garbage when it
    # ends. Objects take at most 1.3 times this limit.
    #
    # @return [Integer, nil] bytes that the objects of one message may take; nil: 16 MiB and 64 times the message
    attr_reader :memory

    # @return [Integer, nil] bytes of one message that is read from an io; a String is in memory already
    attr_reader :message

    # @return [Integer, nil] bytes of one string, both ways
    attr_reader :string

    # @return [Integer, nil] elements of one container, both ways
    attr_reader :container

    # @return [Integer] levels of structs and containers, both ways
    attr_reader :depth

    # @return [Integer, nil] bytes of one extension type's payload, in MessagePack without a schema
    attr_reader :extension

    # @param memory [Integer, nil] bytes; nil: 16 MiB and 64 times the message
    # @param message [Integer, nil] bytes; nil: no limit
    # @param string [Integer, nil] bytes; nil: no limit
    # @param container [Integer, nil] elements; nil: no limit
    # @param depth [Integer] 1 to 1000; MessagePack without a schema has at most 128
    # @param extension [Integer, nil] bytes; nil: no limit
    # @raise [ArgumentError] if a limit is not of its range, or for an unknown option
    # @example
    #   Sparpack::Limits.new(depth: 32)
    def initialize(memory: nil, message: 100_000_000, string: nil, container: nil, depth: 64, extension: nil,
                   **unknown)
      Options.refuse(unknown, method(:initialize)) unless unknown.empty?
      @memory = size(:memory, memory)
      @message = size(:message, message)
      @string = size(:string, string)
      @container = size(:container, container)
      unless depth.is_a?(Integer) && depth.between?(1, DEPTH_MAX)
        raise ArgumentError, "depth: expected 1 to #{DEPTH_MAX}, got #{Quote.value(depth)}"
      end

      @depth = depth
      @extension = size(:extension, extension)
      freeze
    end

    # @return [Hash{Symbol => Integer, nil}]
    def to_h = NAMES.to_h { |name| [name, public_send(name)] }

    # @param changes [Hash] limits to change
    # @return [Limits] a copy with changes
    # @raise [ArgumentError] as {#initialize}
    def with(**changes) = self.class.new(**to_h, **changes)

    # @param other [Object]
    # @return [Boolean]
    def ==(other) = other.is_a?(Limits) && to_h == other.to_h
    alias eql? ==

    # @return [Integer]
    def hash = to_h.hash

    # @return [String]
    def inspect = "#<#{self.class} #{to_h.map { |name, value| "#{name}=#{value.inspect}" }.join(", ")}>"

    private

    def size(name, value)
      return value if value.nil? || (value.is_a?(Integer) && value.between?(0, (1 << 62) - 1))

      raise ArgumentError, "#{name}: expected nil or a number of at least 0, got #{Quote.value(value)}"
    end
  end
end
