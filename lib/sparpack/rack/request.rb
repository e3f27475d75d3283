# frozen_string_literal: true

module Sparpack
  module Rack
    # A request whose body is to be read.
    #
    # @api private
    class Request
      # How many bytes are asked for at a time.
      CHUNK = 16 * 1024
      private_constant :CHUNK

      # @param env [Hash]
      def initialize(env)
        @env = env
      end

      # @return [Symbol]
      # @raise [Media::Unsupported]
      def wire
        type = @env["CONTENT_TYPE"]
        Media.wire(type) || raise(Media::Unsupported.of(type))
      end

      # @return [String, nil] how the body is compressed, if nobody has taken the header away together with that
      def encoding
        header = @env["HTTP_CONTENT_ENCODING"].to_s
        header unless header.empty? || header.casecmp?("identity")
      end

      # @param max [Integer]
      # @return [String] in ASCII-8BIT
      # @raise [DecodeError::LimitExceeded, DecodeError::Truncated, ArgumentError]
      def read(max)
        unless max.is_a?(Integer) && !max.negative?
          raise ArgumentError, "max: expected a number of bytes, got #{Quote.value(max)}"
        end
        raise too_long(max) if announced > max

        input = @env["rack.input"] or return "".b # Rack 3 allows that there is none
        rewind(input)
        bytes = take(input, max)
        rewind(input)
        raise too_short(bytes.bytesize, input) if bytes.bytesize < announced

        bytes
      end

      private

      # Content-Length may be false. It saves reading what is too long anyway, and shows that a body was cut.
      def announced
        length = @env["CONTENT_LENGTH"].to_s
        length.match?(/\A\d{1,18}\z/) ? length.to_i : 0
      end

      # An EOFError of the input is no end of the body: some servers raise it when the client has gone.
      def take(input, max)
        bytes = "".b
        while (piece = input.read([CHUNK, max + 1 - bytes.bytesize].min))
          raise TypeError, "rack.input returned #{Quote.plain(piece.class)}, not a String" unless piece.is_a?(String)
          return bytes if piece.empty?
          raise too_long(max) if bytes.bytesize + piece.bytesize > max

          bytes << piece.b
        end
        bytes
      end

      # Others may have read the body before, or may read it later.
      def rewind(input)
        input.rewind if input.respond_to?(:rewind)
      rescue Errno::ESPIPE # a pipe or a socket
        nil
      end

      def too_long(max) = fault(DecodeError::LimitExceeded, "at most #{max} bytes", "more")

      def too_short(size, input)
        is_read = size.zero? && !input.respond_to?(:rewind)
        hint = " (something has read it before, and this rack.input cannot be rewound)" if is_read
        fault(DecodeError::Truncated, "#{announced} bytes, as Content-Length says", size.to_s, hint)
      end

      def fault(kind, expected, found, hint = nil)
        kind.new("body: expected #{expected}, found #{found}#{hint}", path: "body", expected:, found:)
      end
    end
  end
end
