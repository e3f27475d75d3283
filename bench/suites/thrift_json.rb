# frozen_string_literal: true

require_relative "../bars"
require_relative "../documents"
require_relative "../group"
require_relative "../peers"
require_relative "../table"

module Bench
  module Suites
    # Measures structs over Thrift's JSON protocol against the thrift gem's.
    class ThriftJson
      # Structs, over Thrift's JSON and over compact.
      class Structs < Peers::Sparpack
        self.title = Group::OURS

        WIRES = %i[thrift_json compact].freeze

        def contestants
          { encode: WIRES.map { |wire| writer(object, wire, codec(wire)) },
            decode: WIRES.map { |wire| reader(object.encode(wire), wire, codec(wire)) } }
        end
      end

      # The thrift gem, whose JSON protocol is written in Ruby.
      class Theirs < Peers::Thrift
        self.title = "thrift"

        def contestants
          encode, decode, = three(:thrift_json, -> { ::Thrift::JsonProtocolFactory.new })
          { encode: [encode], decode: [decode] }
        end
      end

      PEERS = [Structs, Theirs].freeze
      PARTS = %w[listing].freeze

      # The required multiples of the thrift gem's speed.
      DEMANDS = { encode: 350, decode: 300 }.freeze

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
        DEMANDS.each_key do |operation|
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
        @groups.map do |group|
          ours, theirs = [Group::OURS, Theirs.title].map { |peer| group.of(peer, wire: :thrift_json).first }
          measured = theirs&.ratio(ours)
          factor = DEMANDS.fetch(group.operation)
          Bars::Bar.new("#{group.operation} against thrift", "at least #{factor}", measured, measured && measured >= factor)
        end
      end
    end
  end
end
