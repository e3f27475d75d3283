# frozen_string_literal: true

module Sparpack
  # The methods of a codec with the option `observe:`. They measure each encode and decode, and call the observer with an
  # {Event}. Codecs without an observer have none of them. docs/telemetry.md shows how to use it.
  #
  # @example
  #   observer = ->(event) { puts "#{event.operation} #{event.struct_class} #{event.bytes} #{event.seconds}" }
  #   Sparpack::Codec.new(Listing, observe: observer).decode(bytes)
  module Observed
    # One encode or decode. It holds no value of the object and none of its bytes.
    class Event
      # @return [Symbol] `:encode` or `:decode`
      attr_reader :operation

      # @return [Integer, nil] how many bytes the payload has, without a frame; nil if nobody knows, because the object could
      #   not be encoded, or because the payload could not be decoded and nothing tells where it ends
      attr_reader :bytes

      # @return [Float] how many seconds it took
      attr_reader :seconds

      # @api private
      def initialize(codec, operation, bytes, seconds)
        @codec = codec
        @operation = operation
        @bytes = bytes
        @seconds = seconds
      end

      # @return [StandardError, nil] the error that the caller gets. Its message may show a value
      def error = nil

      # @return [Class, Mapping] that of the codec
      def struct_class = @codec.struct_class

      # @return [Symbol] such as `:compact`
      def wire = @codec.wire

      # @return [String] one line
      def inspect
        "#<#{Event} #{operation} #{struct_class} #{wire} bytes: #{bytes.inspect} seconds: #{seconds} error: #{error.class}>"
      end
      alias to_s inspect
    end

    # The event of a call that raises. Ruby 3.1 makes objects with five instance variables more slowly than those with four.
    #
    # @api private
    class Failure < Event
      attr_reader :error

      def initialize(codec, operation, bytes, seconds, error)
        super(codec, operation, bytes, seconds)
        @error = error
      end
    end
    private_constant :Failure

    # Reads payloads in place of {Native}, for the codec's streams.
    #
    # @api private
    class Reader
      def initialize(codec)
        @codec = codec
      end

      def decode_prefix(codec, bytes, offset, base, partial)
        @codec.observe_prefix(offset, partial) { Native.decode_prefix(codec, bytes, offset, base, partial) }
      end

      def decode_payload(codec, bytes, base)
        @codec.observe(:decode, size(bytes)) { Native.decode_payload(codec, bytes, base) }
      end

      private

      # The frame of a line is its end.
      def size(bytes)
        bytes.bytesize - (@codec.wire == :json && bytes.end_with?("\n") ? 1 : 0)
      end
    end
    private_constant :Reader

    CLOCK = Process::CLOCK_MONOTONIC
    private_constant :CLOCK

    class << self
      # Gives a codec its observer, before it is frozen.
      #
      # @param codec [Codec]
      # @param observer [#call]
      # @return [void]
      # @raise [ArgumentError] unless it has the method
      # @api private
      def extend_to(codec, observer)
        unless observer.respond_to?(:call)
          hint = " (nil is off)" if observer == false
          hint = " (pass #{Quote.plain(observer)}.observer)" if observer.respond_to?(:observer)
          raise ArgumentError, "observe: expected an object with the method call, got #{Quote.value(observer)}#{hint}"
        end

        codec.extend(self)
      end

      # Says once what an observer has raised.
      #
      # @api private
      def warn_of(observer, error)
        known = ::Ractor.current[:sparpack_failed_observers] ||= ObjectSpace::WeakMap.new
        return if known.key?(observer)

        known[observer] = true
        warn("sparpack: an observer raised #{Quote.plain(error.class)}: #{Quote.plain(error.message)} " \
             "(#{error.backtrace&.first}). The codec is not affected, and this is said once")
      end
    end

    # As {Codec#encode}. Like {#decode}, it does without {#observe}, whose block would take another 80 ns.
    #
    # @api private
    def encode(object)
      start = Process.clock_gettime(CLOCK)
      bytes = super
      tell(Event.new(self, :encode, bytes.bytesize, Process.clock_gettime(CLOCK) - start))
      bytes
    rescue StandardError => e
      tell_failure(:encode, nil, start, e)
      raise
    end

    # As {Codec#decode}.
    #
    # @api private
    def decode(bytes)
      start = Process.clock_gettime(CLOCK)
      object = super
      tell(Event.new(self, :decode, bytes.bytesize, Process.clock_gettime(CLOCK) - start))
      object
    rescue StandardError => e
      tell_failure(:decode, (bytes.bytesize if bytes.is_a?(String)), start, e)
      raise
    end

    # As {Codec#decode_prefix}.
    #
    # @api private
    def decode_prefix(bytes, offset = 0) = observe_prefix(offset, false) { super }

    # Returns what the block does, and tells the observer of it.
    #
    # @api private
    def observe(operation, size)
      start = Process.clock_gettime(CLOCK)
      result = yield
      tell(Event.new(self, operation, size, Process.clock_gettime(CLOCK) - start))
      result
    rescue StandardError => e
      tell_failure(operation, size, start, e)
      raise
    end

    # The same for a payload whose end is found by decoding it. If it is only the first part of one, more will be read, and
    # there is nothing to tell yet.
    #
    # @api private
    def observe_prefix(offset, partial)
      start = Process.clock_gettime(CLOCK)
      result = yield
      tell(Event.new(self, :decode, result.last - offset, Process.clock_gettime(CLOCK) - start))
      result
    rescue StandardError => e
      tell_failure(:decode, nil, start, e) unless partial && e.is_a?(DecodeError::Truncated)
      raise
    end

    # @api private
    def reading(reader) = reader.equal?(Native) ? Reader.new(self) : reader

    # @api private
    def each_payload(source, frame, reader, on_error = nil, &block) = super(source, frame, reading(reader), on_error, &block)

    private

    # Ractors copy what they cannot share, and a codec has no copy.
    def initialize_copy(_)
      raise TypeError, "a codec cannot be copied. To give it to a Ractor, its observer must be shareable, such as a " \
                       "module that has the method call"
    end

    def decode_framed(frame, buffer, payload, start, reader) = super(frame, buffer, payload, start, reading(reader))

    def tell(event)
      @options[:observe].call(event)
    rescue StandardError => e
      Observed.warn_of(@options[:observe], e)
    end

    def tell_failure(operation, bytes, start, error)
      tell(Failure.new(self, operation, bytes, Process.clock_gettime(CLOCK) - start, error))
    end
  end
end
