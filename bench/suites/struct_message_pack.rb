# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures structs in MessagePack: its forms against compact, and against the same data as a Hash in the msgpack gem and
    # in MessagePack without a schema.
    class StructMessagePack < StructSuite
      # Structs, over compact and in each form of MessagePack.
      class Structs < Peers::Sparpack
        self.title = Group::OURS

        FORMS = { "compact" => [:compact, {}], "array" => [:message_pack, { keys: :array }],
                  "names" => [:message_pack, { keys: :names }], "ids" => [:message_pack, { keys: :ids }] }.freeze

        def contestants
          codecs = FORMS.transform_values { |wire, options| codec(wire, **options) }
          { encode: codecs.map { |name, codec| writing(name, codec) },
            decode: codecs.map { |name, codec| reading_of(name, codec) } }
        end

        private

        def writing(name, codec)
          check = ->(output) { same?(codec.decode(output)) }
          contestant("codec.encode(object)", variant: name, object:, codec:, check:)
        end

        def reading_of(name, codec)
          input = codec.encode(object)
          contestant("codec.decode(input)", variant: name, codec:, input:, bytes: input.bytesize, check: method(:same?))
        end
      end

      # Hashes, without a schema.
      class Hashes < HashPeer
        self.title = "sparpack, Hash"

        class << self
          def version = ::Sparpack::VERSION
          def missing = nil
        end

        private

        def ways = [Way.new(nil, "::Sparpack::MessagePack.pack(object)", "::Sparpack::MessagePack.unpack(input)", {})]
      end

      PEERS = [Structs, Hashes, Peers::MessagePack].freeze
      PARTS = %w[listing].freeze

      # The required multiples of the speed of a Hash, when encoding and decoding: the form, and the other library.
      DEMANDS = { ["array", "msgpack"] => [6, 3.5], ["names", "msgpack"] => [4.5, 2.8],
                  ["array", Hashes.title] => [3, 1.6] }.freeze

      # The most time of arrays as a multiple of compact's.
      OVER_COMPACT = 1.15

      # @return [Array<Bars::Bar>]
      def bars
        @groups.each_with_index.flat_map do |group, index|
          against = DEMANDS.map do |(form, peer), factors|
            at_least("#{group.operation} by #{form} against #{peer}", factors[index], ratio(group, form, peer, nil))
          end
          [*against, over_compact(group)]
        end
      end

      private

      # @return [Float, nil] the time of a peer without options, as a multiple of a form's
      def ratio(group, form, peer, variant)
        other = group.of(peer, variant:).first
        other&.ratio(group.of(Group::OURS, variant: form).first)
      end

      def over_compact(group)
        at_most("#{group.operation} by array, over compact", OVER_COMPACT, 1 / ratio(group, "array", Group::OURS, "compact"))
      end
    end
  end
end
