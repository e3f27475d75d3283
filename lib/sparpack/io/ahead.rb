# frozen_string_literal: true

module Sparpack
  # A reader for {Codec#each_payload} that looks at many payloads at once, on native threads. What it finds out of those
  # ahead it keeps until they are asked for. Payloads that the threads leave are read one by one by another reader, so
  # everything that is wrong is found in its order.
  #
  # @api private
  class Ahead
    # The most threads.
    THREADS = 64

    # How many bytes are read at a time for each thread, and how many are looked at for each.
    SHARE = 1 << 20

    # After so many looks for nothing, no more are taken.
    PATIENCE = 3
    private_constant :SHARE, :PATIENCE

    class << self
      # @param threads [Object] the option `threads:`
      # @return [void]
      # @raise [ArgumentError] if it is not an Integer from 1 to {THREADS}
      def check(threads)
        return if threads.is_a?(Integer) && threads.between?(1, THREADS)

        raise ArgumentError, "threads: expected an Integer from 1 to #{THREADS}, got #{Quote.value(threads)}"
      end

      # @param threads [Integer]
      # @param frame [Symbol, nil]
      # @return [void]
      # @raise [ArgumentError] if there are several threads and no frame
      def check_frame(threads, frame)
        return if threads == 1 || frame

        raise ArgumentError, "threads: needs a frame, because without one finding the ends is all of the work"
      end
    end

    # @param reader [#decode_prefix, #decode_payload] reads one payload
    # @param threads [Integer]
    # @yieldparam bytes [String]
    # @yieldparam offset [Integer] where a payload begins
    # @yieldparam size [Integer] how many bytes to look at
    # @yieldparam most [Integer] how many bytes a payload may have, and those together that make one pair
    # @yieldreturn [Array] pairs: what was made of payloads that follow one another, or nil for one that was left, and where
    #   they end
    def initialize(reader, threads, &look)
      @reader = reader
      @threads = threads
      @look = look
      @found = []
      @position = nil # in the input, of the first payload in @found
      @patience = PATIENCE
    end

    # Other threads may run in the middle of a call, so a String is kept as it is.
    #
    # @param source [Object]
    # @return [Object] the same, or a copy that nobody changes
    def fixed(source) = source.is_a?(String) ? String.new(source).freeze : source

    # @return [Integer] how many bytes to read at a time
    def chunk = @threads * SHARE

    # (see Native.decode_prefix)
    def decode_prefix(codec, bytes, offset, base, partial)
      found, finish = take(bytes, offset, base, Native.codec_payload_limit(codec))
      found ? [found, finish - base] : @reader.decode_prefix(codec, bytes, offset, base, partial)
    end

    # (see Native.decode_payload)
    def decode_payload(...) = @reader.decode_payload(...)

    # Takes payloads in frames.
    #
    # @param buffer [ReadBuffer]
    # @param limit [Integer, nil] how many bytes a payload may have
    # @return [Object, nil] what was made of them; nil if the next one has to be read alone
    def take_framed(buffer, limit)
      found, finish = buffer.look { |bytes, offset, base| take(bytes, offset, base, limit || bytes.bytesize) }
      buffer.pass(finish) if found
      found
    end

    private

    # Returns what was made of the payloads at an offset, and where in the input they end; nil if the first one has to be
    # read alone.
    def take(bytes, offset, base, most)
      look(bytes, offset, base, most) unless @position == base + offset && @found.any?
      made, @position = @found.shift
      made && [made, @position]
    end

    def look(bytes, offset, base, most)
      @found = []
      return if @patience.zero?

      @found = @look.call(bytes, offset, chunk, most).each_slice(2).map { |made, finish| [made, base + finish] }
      @patience = @found.any?(&:first) ? PATIENCE : @patience - 1 if bytes.bytesize - offset >= SHARE
    end
  end
end
