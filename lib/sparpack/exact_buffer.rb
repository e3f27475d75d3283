# frozen_string_literal: true

module Sparpack
  # A buffer that reads only bytes that are asked for.
  #
  # @api private
  class ExactBuffer < ReadBuffer
    # Yields a buffer. If the io or an interrupt raises, the io gets back what was read.
    #
    # @param io [#readpartial, #read]
    # @yieldparam buffer [ExactBuffer]
    # @return [Object] the block's result
    def self.open(io)
      buffer = new(io)
      result = yield buffer
      used = true
      result
    rescue DecodeError
      used = true
      raise
    ensure
      buffer.put_back unless used
    end

    # @return [String] all bytes that were read
    attr_reader :bytes

    # @param io [#readpartial, #read]
    def initialize(io)
      super(ExactInput.new(io, bytes = "".b), bytes)
    end

    # Gives back all bytes to the io.
    #
    # @return [void]
    def put_back = @input.put_back

    private

    def more(missing) = !@input.read([missing, CHUNK].min).nil?
  end
end
