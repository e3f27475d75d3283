# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Holds the bytes that a packer has written or that an unpacker has not read yet. There may be an io behind it.
    #
    # @example
    #   buffer = Sparpack::MessagePack::Buffer.new
    #   buffer << "abc"
    #   buffer.read(2) # => "ab"
    class Buffer
      # Makes a buffer.
      #
      # @param io [IO, Hash, nil] the io to read from (with `readpartial` or `read`) or to write to (with `write` or `<<`);
      #   or the options
      # @param options [Hash, nil]
      # @option options [Integer] :io_buffer_size (32_768) how many bytes to read or write at a time, at least 1024
      # @option options [Integer] :read_reference_threshold (256) from how many bytes on a String is not copied if the buffer
      #   is empty
      # @option options [Integer] :write_reference_threshold (524_288) from how many bytes on a String is not copied if the
      #   buffer holds others already
      # @raise [ArgumentError] if the options are not a Hash, or for an unknown option
      # @raise [TypeError] for a Pathname, which has to be opened first
      # @example
      #   Sparpack::MessagePack::Buffer.new(io, io_buffer_size: 64 * 1024)
      def initialize(io = nil, options = nil)
        if io.is_a?(Hash) && options.nil?
          options = io
          io = nil
        end
        raise ::TypeError, "expected an io, got #{Input.found(io)}" if Input.path?(io)

        Arguments.check_options(:buffer, options)
        options ||= {}
        setup(io, [options[:io_buffer_size] || 32_768, 1024].max, options[:read_reference_threshold] || 256,
              options[:write_reference_threshold] || 524_288)
      end

      undef_method :dup, :clone

      # @!method io
      #   @return [IO, nil] the io behind the buffer

      # @!method size
      #   Returns the number of bytes in the buffer. The io is not read.
      #
      #   @return [Integer]

      # @!method empty?
      #   Tells whether the buffer holds no bytes. The io is not read.
      #
      #   @return [Boolean]

      # @!method <<(string)
      #   Adds bytes.
      #
      #   @param string [String]
      #   @return [self]
      #   @example
      #     (buffer << "ab" << "c").to_s # => "abc"

      # @!method write(string)
      #   Adds bytes.
      #
      #   @param string [String]
      #   @return [Integer] how many bytes were added
      #   @example
      #     buffer.write("abc") # => 3

      # @!method clear
      #   Removes all bytes.
      #
      #   @return [nil]

      # @!method to_s
      #   Returns all bytes, and keeps them.
      #
      #   @return [String]

      # @!method to_a
      #   Returns all bytes in the pieces in which the buffer holds them, and keeps them.
      #
      #   @return [Array<String>]

      # Takes bytes from the buffer, and reads the io if it holds too few.
      #
      # @param count [Integer, nil] how many bytes; nil for all
      # @param into [String, nil] a String that receives the bytes
      # @return [String, nil] fewer bytes if there are no more; nil if there are none and `count` is positive
      # @raise [ArgumentError] if the count is negative
      # @raise [TypeError] if the count is not an Integer
      # @example
      #   buffer << "abc"
      #   buffer.read(2) # => "ab"
      #   buffer.read(2) # => "c"
      #   buffer.read(2) # => nil
      def read(count = nil, into = nil)
        check(count)
        raise ::TypeError, "instance of String needed" unless into.nil? || into.is_a?(String)

        gather(count)
        bytes = take(count || size)
        into&.replace(bytes)
        return if bytes.empty? && count&.positive?

        into || bytes
      end

      # Takes bytes as {#read} does, but raises if there are too few.
      #
      # @param count [Integer, nil] how many bytes; nil for all
      # @param into [String, nil] a String that receives the bytes
      # @return [String]
      # @raise [EOFError] if there are fewer bytes
      # @raise [ArgumentError, TypeError] as {#read}
      # @example
      #   buffer << "abc"
      #   buffer.read_all(4)
      #   # raises EOFError: end of buffer reached
      def read_all(count = nil, into = nil)
        check(count)
        need(count) if count
        read(count, into) || +""
      end

      # Skips bytes, and reads the io if the buffer holds too few.
      #
      # @param count [Integer] how many bytes
      # @return [Integer] how many bytes were skipped
      # @raise [ArgumentError, TypeError] as {#read}
      # @example
      #   buffer << "abc"
      #   buffer.skip(5) # => 3
      def skip(count)
        check(count, needed: true)
        gather(count)
        [count, size].min.tap { |most| advance(most) }
      end

      # Skips bytes as {#skip} does, but raises if there are too few.
      #
      # @param count [Integer] how many bytes
      # @return [self]
      # @raise [EOFError] if there are fewer bytes
      # @raise [ArgumentError, TypeError] as {#read}
      # @example
      #   buffer << "abc"
      #   buffer.skip_all(2).read # => "c"
      def skip_all(count)
        check(count, needed: true)
        need(count)
        advance(count)
        self
      end

      # Writes all bytes to an io, and removes them.
      #
      # @param io [#write, #<<]
      # @return [Integer] how many bytes were written
      # @raise [TypeError] if `io` is not an io
      # @example
      #   buffer << "abc"
      #   buffer.write_to(io) # => 3
      def write_to(io)
        Arguments.check_output(io)
        pour(io)
      end

      # @!method flush
      #   Writes all bytes to the io behind the buffer, and removes them.
      #
      #   @return [self]

      # Closes the io behind the buffer, if there is one.
      #
      # @return [nil]
      def close = io&.close

      # @!method to_str
      #   Returns the same as {#to_s}.
      #
      #   @return [String]

      # Reads more bytes from the io.
      #
      # @return [Boolean] whether there were more bytes
      # @api private
      def fill
        return false unless io

        @input ||= Arguments.input(io)
        piece = @input.read(io_buffer_size)
        self << piece if piece
        !piece.nil?
      end

      private

      def check(count, needed: false)
        return if (count.nil? && !needed) || (count.is_a?(Integer) && !count.negative?)
        raise ::TypeError, "expected a number of bytes, got #{count.class}" unless count.is_a?(Integer)

        raise ::ArgumentError, "expected a number of bytes that is not negative, got #{Quote.integer(count)}"
      end

      # Reads until the buffer holds that many bytes, or the io ends.
      def gather(count)
        nil until (count && size >= count) || !fill
      end

      def need(count)
        gather(count)
        raise EOFError, "end of buffer reached" if size < count
      end
    end
  end
end
