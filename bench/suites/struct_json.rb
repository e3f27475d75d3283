# frozen_string_literal: true

require_relative "../bars"
require_relative "../documents"
require_relative "../group"
require_relative "../peers"
require_relative "../table"

module Bench
  module Suites
    # Measures structs in JSON against the json gem and Oj with the same data as a Hash.
    class StructJson
      # Structs over the wire :json.
      class Structs < Peers::Sparpack
        self.title = Group::OURS

        def contestants
          ours = codec(:json)
          { encode: [writer(object, :json), writer(object, :json, ours)],
            decode: [reader(ours.encode(object), :json), reader(ours.encode(object), :json, ours)] }
        end
      end

      PEERS = [Structs, Peers::JSON, Peers::Oj].freeze
      PARTS = %w[listing digits].freeze

      # The required multiples of the speed of JSON.generate and JSON.parse.
      DEMANDS = { encode: 2.5, decode: 2.2 }.freeze

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
        documents.slice(*@parts).each_value do |document|
          by_operation = @peers.map { |peer| peer.new(document).contestants }
          DEMANDS.each_key do |operation|
            @groups << Group.race(document.name, operation, by_operation.flat_map { |by| by[operation] }, **@options)
            yield "#{Table.group(@groups.last)}\n"
          end
        end
        yield Table.bars(bars, "bars")
        self
      end

      # There are no documents of several sizes.
      def growth = []

      # @return [Array<Bars::Bar>]
      def bars
        @groups.map do |group|
          required = DEMANDS.fetch(group.operation)
          json = group.of("json", variant: nil).first
          measured = json && group.ratio(json)
          Bars::Bar.new("#{group.document}: #{group.operation} against json", "at least #{required}", measured,
                        measured && measured >= required)
        end
      end

      private

      # The listing, and the same with doubles of 17 digits.
      def documents
        value = Documents.listing_value(0)
        digits = value.merge("offsetLat" => 52.520006600000003, "offsetLng" => 13.404954000000001)
        { "listing" => Documents.listing, "digits" => Document.new("digits", Documents::LISTING_RECORDS, digits) }
      end
    end
  end
end
