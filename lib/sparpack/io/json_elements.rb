# frozen_string_literal: true

module Sparpack
  # Passes over what stands between the objects of a stream of JSON. The stream is either objects, one after the other, or
  # one array whose elements are the objects.
  #
  # @api private
  class JsonElements
    # What was read last: numbers that the native core knows.
    NOTHING = 0
    NO_BRACKET = 1
    READY = 4
    ELEMENT = 5
    SPACES = [0x20, 0x09, 0x0a, 0x0d].freeze
    BRACE = 0x7d
    private_constant :NOTHING, :NO_BRACKET, :READY, :ELEMENT, :SPACES, :BRACE

    # Tells whether an object ends in front of an offset where another one begins. In an array, there is a comma.
    #
    # @param bytes [String]
    # @param offset [Integer]
    # @return [Boolean] false also if the bytes that would tell it are gone
    def self.behind_object?(bytes, offset)
      offset -= 1
      offset -= 1 while offset.positive? && SPACES.include?(bytes.getbyte(offset))
      offset.positive? && bytes.getbyte(offset) == BRACE
    end

    # @param codec [Codec]
    def initialize(codec)
      @codec = codec
      @passed = NOTHING
    end

    # Goes on to where the next object begins.
    #
    # @param bytes [String]
    # @param offset [Integer] where the object before has ended
    # @param base [Integer] how many bytes came before these
    # @param last [Boolean] whether no more bytes follow
    # @return [Array(Integer, Boolean)] the offset of what was not passed yet, and whether it is an object
    # @raise [DecodeError] for what must not stand there, and if the array is not closed
    def pass(bytes, offset, base, last: false)
      unless @passed == READY
        offset, @passed = Native.json_elements(@codec, bytes, offset, base, @passed, last)
      end
      [offset, [NO_BRACKET, READY].include?(@passed)]
    end

    # @return [Boolean] whether the stream is an array, so that more calls are needed
    def array? = @passed != NO_BRACKET

    # Takes note that an object was read.
    #
    # @return [void]
    def read = @passed == READY && @passed = ELEMENT
  end
end
