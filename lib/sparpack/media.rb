# frozen_string_literal: true

module Sparpack
  # Knows which content type stands for which wire. What comes by HTTP or with a message of a queue says so in a header.
  #
  # Headers come from strangers. So they are read in time that is proportional to their size, and one of more than {LONGEST}
  # bytes names no wire.
  #
  # @example
  #   Sparpack::Media.type(:compact)                  # => "application/vnd.apache.thrift.compact"
  #   Sparpack::Media.wire("application/x-msgpack")   # => :message_pack
  #   Sparpack::Media.choose("text/html, */*; q=0.1") # => :json
  module Media
    autoload :Accept, "sparpack/media/accept"
    autoload :Bodies, "sparpack/media/bodies"
    autoload :Lists, "sparpack/media/lists"

    # The content types of each wire. The first one is written, and all are read. For `:json`, any type is read that ends in
    # `+json`, too.
    TYPES = {
      compact: ["application/vnd.apache.thrift.compact"],
      binary: ["application/vnd.apache.thrift.binary", "application/x-thrift"],
      thrift_json: ["application/vnd.apache.thrift.json"],
      message_pack: ["application/vnd.msgpack", "application/msgpack", "application/x-msgpack"],
      json: ["application/json"]
    }.each_value { |types| types.each(&:freeze).freeze }.freeze

    # The most bytes of a header that are read.
    LONGEST = 8192

    WIRES = TYPES.flat_map { |wire, types| types.map { |type| [type, wire] } }.to_h.freeze
    TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]++"
    TYPE  = %r{\A[ \t]*+(#{TOKEN}/#{TOKEN})[ \t]*+(?:;|\z)}n
    private_constant :WIRES, :TOKEN, :TYPE

    # A content type stands for no wire, or a body is compressed.
    class Unsupported < Error
      # @return [Hash{String => String}] the header that tells the client what it may send
      # @api private
      def wanted = @wanted || { "accept" => Media.accept }

      # @api private
      attr_writer :wanted

      # Makes the error for a header.
      #
      # @param header [String, nil] the content type; nil if there was none
      # @return [Unsupported]
      # @api private
      def self.of(header)
        expected = "one of #{TYPES.values.map(&:first).join(", ")}"
        found = header ? Quote.value(header) : "none"
        new("content type: expected #{expected}, found #{found}", expected:, found:)
      end

      # Makes the error for a body that could not be decoded, because nobody has decompressed it.
      #
      # @param header [String] the content encoding
      # @return [Unsupported]
      # @api private
      def self.compressed(header)
        expected = "no content encoding"
        found = Quote.value(header)
        advice = "a middleware has to decompress the body before"
        error = new("body: expected #{expected}, found #{found} (#{advice})", expected:, found:)
        error.wanted = { "accept-encoding" => "identity" }
        error
      end
    end

    class << self
      # Returns the content type that is written for a wire.
      #
      # @param wire [Symbol]
      # @return [String] frozen, without parameters
      # @raise [ArgumentError] for an unknown wire
      # @example
      #   Sparpack::Media.type(:json) # => "application/json"
      def type(wire)
        types = TYPES.fetch(wire) do
          known = TYPES.keys
          raise ArgumentError, "unknown wire #{Quote.value(wire)} (known: #{known.map(&:inspect).join(", ")})"
        end
        types.first
      end

      # Returns the wire that a content type stands for. Its parameters and its case do not matter.
      #
      # @param content_type [String, nil] the value of the header
      # @return [Symbol, nil] nil if it stands for no wire, and for nil
      # @raise [TypeError] if it is neither a String nor nil
      # @example
      #   Sparpack::Media.wire("application/problem+json; charset=utf-8") # => :json
      def wire(content_type)
        plain = WIRES[content_type]
        return plain if plain

        type = header(content_type)&.slice(TYPE, 1) or return
        type.downcase!
        WIRES[type] || (:json if type.end_with?("+json"))
      end

      # Returns all content types that {wire} knows by name, as the header Accept lists them.
      #
      # @param first [Symbol, nil] the wire that the answer should have if the server can choose
      # @return [String]
      # @raise [ArgumentError] for an unknown wire
      # @example
      #   Sparpack::Media.accept(:message_pack)[0, 48] # => "application/vnd.msgpack, application/msgpack, ap"
      def accept(first = nil)
        type(first) if first
        [*TYPES[first], *TYPES.except(first).values.flatten].join(", ")
      end

      # Returns the wire that a client prefers, by its header Accept. The highest `q` wins. Among equal ones, a type that is
      # named wins over a range such as `*/*`, and then the one that the client names first. If only a range fits, it is
      # `:json`, unless the client refuses that.
      #
      # A type that ends in `+json` counts only in {wire}: whoever accepts `application/problem+json` need not accept
      # `application/json`.
      #
      # @param accept_header [String, nil] the value of the header
      # @return [Symbol, nil] nil if the client accepts no content type of a wire, and for nil
      # @raise [TypeError] if it is neither a String nor nil
      # @example
      #   Sparpack::Media.choose("application/json; q=0.5, application/vnd.msgpack") # => :message_pack
      def choose(accept_header)
        plain = WIRES[accept_header]
        return plain if plain

        bytes = header(accept_header) or return
        Accept.new(bytes).wire
      end

      private

      # @return [String, nil] a copy in ASCII-8BIT; nil if it is too long
      def header(value)
        return if value.nil?
        raise TypeError, "expected the String of a header, got #{Quote.plain(value.class)}" unless value.is_a?(String)

        value.b if value.bytesize <= LONGEST
      end
    end
  end
end
