# frozen_string_literal: true

require_relative "../bars"
require_relative "../documents"
require_relative "../group"
require_relative "../peers"
require_relative "../table"

module Bench
  module Suites
    # Measures structs in MessagePack: its forms against compact, and against the same data as a Hash in the msgpack gem and
    # in MessagePack without a schema.
    class StructMessagePack
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

      attr_reader :groups

      # @param peers [Array<Class>] the peers that are installed
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window
      # @param rounds [Integer]
      def initialize(peers, parts: PARTS, time: 0.02, rounds: 20)
        @peers = peers
        @parts = parts
        @options = { time:, rounds: }
        @groups = []
      end

      # @yieldparam table [String] each table as soon as it is measured
      # @return [self]
      def run
        document = Documents.listing
        by_operation = @peers.map { |peer| peer.new(document).contestants }
        %i[encode decode].each do |operation|
          @groups << Group.race(document.name, operation, by_operation.flat_map { |by| by[operation] }, **@options)
          yield "#{Table.group(@groups.last)}\n"
        end
        yield Table.bars(bars, "bars")
        self
      end

      # There are no documents of several sizes.
      def growth = []

      # @return [Array<Bars::Bar>]
      def bars
        @groups.each_with_index.flat_map do |group, index|
          against = DEMANDS.map { |(form, peer), factors| at_least(group, form, peer, factors[index]) }
          [*against, over_compact(group)]
        end
      end

      private

      # @return [Float, nil] the time of a peer without options, as a multiple of a form's
      def ratio(group, form, peer, variant)
        other = group.of(peer, variant:).first
        other&.ratio(group.of(Group::OURS, variant: form).first)
      end

      def at_least(group, form, peer, factor)
        measured = ratio(group, form, peer, nil)
        Bars::Bar.new("#{group.operation} by #{form} against #{peer}", "at least #{factor}", measured,
                      measured && measured >= factor)
      end

      def over_compact(group)
        measured = 1 / ratio(group, "array", Group::OURS, "compact")
        Bars::Bar.new("#{group.operation} by array, over compact", "at most #{OVER_COMPACT}", measured,
                      measured <= OVER_COMPACT)
      end
    end
  end
end
