# frozen_string_literal: true

require "sparpack"

unless defined?(WaterDrop) || defined?(Karafka::App) || Sparpack::Loading.gem?("waterdrop")
  raise LoadError, "sparpack/karafka needs Karafka 2.4 or newer, or WaterDrop alone to produce: write `gem \"karafka\"` " \
                   "or `gem \"waterdrop\"` into the Gemfile"
end

module Sparpack
  # Reads and writes the records of Kafka topics: deserializers for Karafka, and middleware for WaterDrop, its producer.
  # docs/karafka.md shows them at work.
  #
  # It is loaded by `require "sparpack/karafka"`. Neither Karafka nor WaterDrop is loaded by that.
  #
  # @example
  #   require "sparpack/karafka"
  #
  #   Sparpack::Karafka.payload("Shop::Order") # a deserializer
  #   Sparpack::Karafka.encoder                # middleware
  module Karafka
    autoload :Encoder, "sparpack/karafka/encoder"
    autoload :Headers, "sparpack/karafka/headers"
    autoload :Key, "sparpack/karafka/key"
    autoload :Payload, "sparpack/karafka/payload"
    autoload :Raw, "sparpack/karafka/raw"
    autoload :Record, "sparpack/karafka/record"
    autoload :Scalar, "sparpack/karafka/scalar"
    autoload :Target, "sparpack/karafka/target"

    class << self
      # Makes a deserializer of payloads. A payload is decoded when the consumer first asks for it, and a tombstone is nil.
      #
      # @param target [Class, Mapping, Codec, String, Hash{String => Object}] the class of the objects, a mapping, a codec,
      #   whose options count, or the name of a class, which is looked up for each record; if a topic has several classes, a
      #   Hash of what the header says to one of these
      # @param wire [Symbol]
      # @param header [String, nil] which header says the class, if there are several
      # @param media [Boolean] whether the header `content-type` says the wire. Records without it have the wire `wire`
      # @param frame [Symbol, nil] the frame in which a payload stands, as {Codec#decode_each} takes it
      # @param strip [Integer] how many bytes stand before a payload: 5 for what Confluent's serializers write
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @return [#call]
      # @raise [ArgumentError] for an unknown option, wire or frame, or if `target` is no class
      # @example
      #   Sparpack::Karafka.payload("Shop::Order")
      #   Sparpack::Karafka.payload(Shop::Order, :binary, lazy: true)
      #   Sparpack::Karafka.payload({ "order" => "Shop::Order", "line" => "Shop::Line" }, header: "type")
      def payload(target, wire = :compact, header: nil, media: false, frame: nil, strip: 0, **options)
        Options.beside(options, %i[header media frame strip]) do
          Payload.new(target, wire, header:, media:, frame:, strip:, **options)
        end
      end

      # Makes a deserializer of keys. A record without a key has the key nil.
      #
      # @param type [Symbol, Class, String] `:i32`, `:i64`, `:string`, `:uuid`; or a struct class or its name
      # @param bytes [Boolean] whether integers are big-endian and a UUID has 16 bytes, as Java's serializers write them;
      #   otherwise they are text
      # @param wire [Symbol] of a struct
      # @param options [Hash] of a struct, as {Codec#initialize} takes them
      # @return [#call]
      # @raise [ArgumentError] for another type or an unknown option
      # @example
      #   Sparpack::Karafka.key(:i64)
      def key(type, bytes: false, wire: :compact, **options)
        Options.beside(options, %i[bytes wire]) { Key.new(type, bytes:, wire:, **options) }
      end

      # Makes a deserializer of headers. Those that are not named stay Strings.
      #
      # @param types [Hash{String => Symbol, Class, String}] types, as {key} takes them, by the names of headers
      # @param bytes [Boolean] as for {key}
      # @return [#call]
      # @raise [ArgumentError] for another type
      # @example
      #   Sparpack::Karafka.headers({ "attempt" => :i32, "trace" => :uuid })
      def headers(types = nil, bytes: false, **unknown)
        raise ArgumentError, "expected a Hash in braces: headers({ \"attempt\" => :i32 })" if types.nil?

        Options.refuse(unknown, method(:headers)) unless unknown.empty?
        Headers.new(types, bytes:)
      end

      # Returns a deserializer that gives the bytes of a payload, for a dead letter topic.
      #
      # @return [#call]
      # @example
      #   Sparpack::Karafka.raw
      def raw = Raw

      # Makes middleware for WaterDrop. It encodes payloads that are structs, unions or exceptions, and says so in the header
      # `content-type`. Integers and structs become keys, too. All else passes as it is.
      #
      # @param wire [Symbol]
      # @param types [Hash{String => Class, String}] what a header says of some classes, as for {payload}
      # @param header [String] the name of that header
      # @param frame [Symbol, nil] as for {payload}
      # @param bytes [Boolean] whether an Integer becomes a key of 8 bytes, as Java's serializers write it; otherwise it is
      #   text
      # @param mapping [Mapping, nil] how payloads of a plain class are written
      # @param options [Hash] as {Codec#initialize} takes them
      # @return [#call]
      # @raise [ArgumentError] for an unknown option, wire or frame
      # @example
      #   Karafka.producer.middleware.append(Sparpack::Karafka.encoder)
      def encoder(wire = :compact, types: {}, header: "type", frame: nil, bytes: false, mapping: nil, **options)
        Options.beside(options, %i[types header frame bytes mapping]) do
          Encoder.new(wire, types:, header:, frame:, bytes:, mapping:, **options)
        end
      end
    end
  end
end
