# frozen_string_literal: true

module Sparpack
  # Reads bytes from an io, piece by piece. The encodings of the io and of its Strings do not matter.
  #
  # An io has a method `readpartial` or `read`. At its end it returns nil or raises EOFError. If it returns "", nothing is
  # there at the moment, and it is called again.
  #
  # @api private
  class Input
    # An io that returns "" this many times in a row is broken.
    PATIENCE = 100

    # How many bytes a reader asks for at a time.
    CHUNK = 64 * 1024

    class << self
      # Opens the file of a Pathname while the block runs. Anything else is yielded as it is.
      #
      # @param source [Pathname, Object]
      # @yieldparam io [Object]
      # @return [Object] the block's result
      def open(source, &)
        path?(source) ? File.open(source, "rb", &) : yield(source)
      end

      # @param source [Object]
      # @return [Boolean]
      def path?(source) = defined?(::Pathname) ? source.is_a?(::Pathname) : false

      # Tells whether bytes that could not be decoded are rather the name of a file. Bytes of strangers are usually BINARY,
      # and an error should not tell them which files exist.
      #
      # @param bytes [String]
      # @return [Boolean]
      def file_name?(bytes)
        bytes.encoding == Encoding::UTF_8 && bytes.bytesize <= Quote::PATH && bytes.match?(/\A[[:print:]]+\z/) &&
          File.file?(bytes)
      rescue ArgumentError # not valid UTF-8
        false
      end

      # Makes the error of the first payload say what to pass, if its bytes are rather the name of a file.
      #
      # @param error [DecodeError]
      # @param source [Object] what was read
      # @return [DecodeError]
      def named(error, source)
        return error unless source.is_a?(String) && file_name?(source)

        error.exception("#{error.message} (this String is the name of a file: to read it, pass Pathname(name))")
      end

      # @param source [Object]
      # @return [void]
      # @raise [TypeError] if the source is not a String of bytes, a Pathname or an io
      def check(source)
        refuse("a String, a Pathname or an io", source) unless source.is_a?(String) || readable?(source)
      end

      # @param io [Object]
      # @return [void]
      # @raise [TypeError] if it is not an io. A Pathname is refused because nobody would close the file
      def check_io(io)
        refuse("an io", io) if path?(io) || !readable?(io)
      end

      # @param source [Object] something that cannot be read
      # @return [String] its class, and what to pass instead
      def found(source)
        case source
        when String then "String (for bytes: StringIO.new(bytes))"
        when Integer then "Integer (for a file descriptor: IO.for_fd(#{source}, \"rb\"))"
        else "#{source.class}#{" (for a file: path.open(\"rb\"))" if path?(source)}"
        end
      end

      private

      def readable?(io) = io.respond_to?(:readpartial) || io.respond_to?(:read)

      def refuse(expected, source)
        raise TypeError, "expected #{expected} with readpartial or read, got #{found(source)}"
      end
    end

    # @param io [#readpartial, #read]
    # @param again [Boolean] whether to pass the same String to fill to each call after the first, if the method takes one
    # @param empty_ends [Boolean] whether "" counts as the end for now
    # @param chunk [Integer] how many bytes its reader should ask for at a time
    def initialize(io, again: false, empty_ends: false, chunk: CHUNK)
      @io = io
      @chunk = chunk
      @name = io.respond_to?(:readpartial) ? :readpartial : :read
      @again = again && takes_buffer?
      @empty_ends = empty_ends
    end

    # @return [Integer]
    attr_reader :chunk

    # Reads the next piece.
    #
    # @param size [Integer] how many bytes to ask for; the io may return more
    # @return [String, nil] a String in ASCII-8BIT, which the next call may change; nil at the end
    # @raise [TypeError] if the io returns anything but a String or nil
    # @raise [EOFError] if it returns "" {PATIENCE} times in a row; a later call tries again
    def read(size)
      PATIENCE.times do
        piece = ask(size)
        return piece unless piece && piece.empty?
        return if @empty_ends
      end
      raise EOFError, "#{@io.class}##{@name} returned \"\" #{PATIENCE} times in a row " \
                      "(at its end an io must return nil or raise EOFError)"
    end

    private

    # A `read` that somebody wrote may take nothing but a size.
    def takes_buffer?
      kinds = Kernel.instance_method(:method).bind_call(@io, @name).parameters.map(&:first)
      kinds.include?(:rest) || kinds.tally.values_at(:req, :opt).sum(&:to_i) > 1
    rescue TypeError, NameError # a proxy
      false
    end

    def ask(size)
      answer = @buffer ? @io.public_send(@name, size, @buffer) : @io.public_send(@name, size)
      return if answer.nil?

      raise TypeError, "#{@io.class}##{@name} returned #{answer.class}, not a String or nil" unless answer.is_a?(String)

      @buffer ||= String.new(capacity: size) if @again
      binary(answer)
    rescue EOFError
      nil
    end

    # Copies the String if needed, because the io's String must not change, and a subclass may override methods.
    def binary(answer)
      return answer if answer.encoding == Encoding::BINARY && answer.instance_of?(String)

      String.new(Native.unlocked(answer), encoding: Encoding::BINARY)
    end
  end
end
