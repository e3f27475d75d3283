# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Bytes, with an io behind them or without: what a packer has written, or an unpacker not yet read.
    class Buffer
      # @param io [IO, nil] to read from, by `readpartial` or `read`, or to write to, by `write` or `<<`
      # @param options [Hash] `io_buffer_size:` bytes that are read and written at a time, at least 1024;
      #   `read_reference_threshold:` and `write_reference_threshold:` bytes from which on a String is not copied, when it
      #   comes alone and when it comes behind others
      # @raise [ArgumentError] if the options are no Hash, or for an unknown option
      # @raise [TypeError] for a Pathname, which has to be opened
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
      #   @return [IO, nil]

      # @!method size
      #   @return [Integer] bytes that are there

      # @!method empty?
      #   @return [Boolean] whether nothing is there; the io is not asked

      # @!method <<(string)
      #   @param string [String]
      #   @return [self]

      # @!method write(string)
      #   @param string [String]
      #   @return [Integer] bytes that were written

      # @!method clear
      #   @return [nil]

      # @!method to_s
      #   @return [String] all bytes, which stay

      # @!method to_a
      #   @return [Array<String>] all bytes, which stay, in the pieces that they lie in

      # @param count [Integer, nil] bytes; all if nil
      # @param into [String, nil] to put them into
      # @return [String, nil] nil where none are left and some were asked for
      # @raise [ArgumentError] for less than none
      def read(count = nil, into = nil)
        check(count)
        raise ::TypeError, "instance of String needed" unless into.nil? || into.is_a?(String)

        gather(count)
        bytes = take(count || size)
        into&.replace(bytes)
        return if bytes.empty? && count&.positive?

        into || bytes
      end

      # @param count [Integer, nil] bytes; all if nil
      # @param into [String, nil] to put them into
      # @return [String]
      # @raise [EOFError] if there are fewer
      # @raise [ArgumentError] for less than none
      def read_all(count = nil, into = nil)
        check(count)
        need(count) if count
        read(count, into) || +""
      end

      # @param count [Integer] bytes
      # @return [Integer] how many were skipped
      # @raise [ArgumentError] for less than none
      def skip(count)
        check(count, needed: true)
        gather(count)
        [count, size].min.tap { |most| advance(most) }
      end

      # @param count [Integer] bytes
      # @return [self]
      # @raise [EOFError] if there are fewer
      # @raise [ArgumentError] for less than none
      def skip_all(count)
        check(count, needed: true)
        need(count)
        advance(count)
        self
      end

      # Writes all bytes, and forgets them once they are written.
      #
      # @param io [#write, #<<]
      # @return [Integer] bytes that were written
      # @raise [TypeError] if nothing can be written to it
      def write_to(io)
        Arguments.check_output(io)
        pour(io)
      end

      # @!method flush
      #   Writes all to the io.
      #   @return [self]

      # @return [nil]
      def close = io&.close

      # @!method to_str
      #   @return [String] as {#to_s}

      # Reads on from the io.
      #
      # @return [Boolean] whether bytes came
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
        raise ::ArgumentError, "a number of bytes is not negative" if count.is_a?(Integer)

        raise ::TypeError, "expected a number of bytes, got #{count.class}"
      end

      # Reads on until so many bytes are there, or the io has no more.
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
