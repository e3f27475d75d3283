# frozen_string_literal: true

module Sparpack
  # Reads bytes from an io, piece by piece, whatever encodings the io and its Strings have.
  #
  # An io answers `readpartial` or `read`. It tells its end by nil or an EOFError. A "" only says that nothing is there right
  # now: it is asked again.
  #
  # @api private
  class Input
    # An io that answers "" so many times in a row is broken.
    PATIENCE = 100

    class << self
      # Opens the file that a Pathname names while the block runs. Anything else is yielded as it is.
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

      # @param source [Object]
      # @return [void]
      # @raise [TypeError] unless it is a String of bytes, a Pathname or an io
      def check(source)
        refuse("a String, a Pathname or an io", source) unless source.is_a?(String) || readable?(source)
      end

      # @param io [Object]
      # @return [void]
      # @raise [TypeError] unless it is an io. A Pathname is refused, too: nobody would close the file
      def check_io(io)
        refuse("an io", io) if path?(io) || !readable?(io)
      end

      # @param source [Object] what cannot be read
      # @return [String] its class, and what would do instead
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
        raise TypeError, "expected #{expected}, which answers readpartial or read, got #{found(source)}"
      end
    end

    # @param io [#readpartial, #read]
    # @param again [Boolean] whether an io that takes one is given a String to fill, from its second answer on
    # @param empty_ends [Boolean] whether "" is the end, for now, instead of being asked again
    def initialize(io, again: false, empty_ends: false)
      @io = io
      @name = io.respond_to?(:readpartial) ? :readpartial : :read
      @again = again && takes_buffer?
      @empty_ends = empty_ends
    end

    # @param size [Integer] bytes; an io that answers more is fine
    # @return [String, nil] ASCII-8BIT, and good until the next call; nil at the end
    # @raise [TypeError] if the io answers anything but Strings and nil
    # @raise [EOFError] if it answers "" too often; it may be asked again later
    def read(size)
      PATIENCE.times do
        piece = ask(size)
        return piece unless piece && piece.empty?
        return if @empty_ends
      end
      raise EOFError, "#{@io.class}##{@name} answered \"\" #{PATIENCE} times in a row: the end is told by nil or EOFError"
    end

    private

    # Who wrote a `read` may have thought of a size alone.
    def takes_buffer?
      kinds = Kernel.instance_method(:method).bind_call(@io, @name).parameters.map(&:first)
      kinds.include?(:rest) || kinds.tally.values_at(:req, :opt).sum(&:to_i) > 1
    rescue TypeError, NameError # a proxy
      false
    end

    def ask(size)
      answer = @buffer ? @io.public_send(@name, size, @buffer) : @io.public_send(@name, size)
      return if answer.nil?

      raise TypeError, "#{@io.class}##{@name} answered #{answer.class}, not a String or nil" unless answer.is_a?(String)

      @buffer ||= String.new(capacity: size) if @again
      binary(answer)
    rescue EOFError
      nil
    end

    # The io's String stays as it is. One of a subclass may have methods of its own.
    def binary(answer)
      return answer if answer.encoding == Encoding::BINARY && answer.instance_of?(String)

      String.new(answer, encoding: Encoding::BINARY)
    end
  end
end
