# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures converting without objects against decoding and encoding, against encoding alone, and against JSON.parse.
    class Convert < StructSuite
      OPERATIONS = %i[compact_to_json compact_to_message_pack json_to_compact].freeze

      # A converter, and the codecs that do the same with objects.
      class Converters < Peers::Sparpack
        self.title = Group::OURS

        def contestants = OPERATIONS.to_h { |operation| [operation, ways(*operation.to_s.split("_to_").map(&:to_sym))] }

        private

        def ways(from, to)
          input = object.encode(from)
          output = object.encode(to)
          reader, writer = [from, to].map { |wire| codec(wire) }
          options = { bytes: input.bytesize, check: ->(result) { result == output } }
          [contestant("converter.convert(input)", converter: ::Sparpack::Converter.new(root, from:, to:), input:, **options),
           contestant("writer.encode(reader.decode(input))", variant: "with objects", reader:, writer:, input:, **options),
           contestant("writer.encode(object)", variant: "encode alone", writer:, object:, **options)]
        end
      end

      # JSON.parse, of the text that a converter reads.
      class Parse < HashPeer
        self.title = "json"

        def contestants
          input = ::JSON.generate(@document.value)
          none = OPERATIONS.to_h { |operation| [operation, []] }
          { **none, json_to_compact: [contestant("::JSON.parse(input)", input:, bytes: input.bytesize,
                                                                        check: method(:document?))] }
        end
      end

      PEERS = [Converters, Parse].freeze
      PARTS = %w[listing].freeze

      # @return [Array<Bars::Bar>]
      def bars
        [at_least("compact to JSON against decode and encode", 2, slower(:compact_to_json, "with objects")),
         at_most("compact to JSON against encode alone", 1.25,
                 slower(:compact_to_json, "encode alone")&.then { |factor| 1 / factor }),
         at_least("compact to MessagePack against decode and encode", 2.8, slower(:compact_to_message_pack, "with objects")),
         at_least("JSON to compact against JSON.parse", 4.5, slower(:json_to_compact, nil, peer: Parse.title))]
      end

      private

      # @return [Float, nil] the time of another way as a multiple of a converter's
      def slower(operation, variant, peer: Group::OURS)
        other = group(operation)&.of(peer, variant:)&.first
        other && group(operation).ratio(other)
      end
    end
  end
end
