# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures structs in JSON against the json gem and Oj with the same data as a Hash.
    class StructJson < StructSuite
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

      # @return [Array<Bars::Bar>]
      def bars
        @groups.map do |group|
          required = DEMANDS.fetch(group.operation)
          json = group.of("json", variant: nil).first
          measured = json && group.ratio(json)
          at_least("#{group.document}: #{group.operation} against json", required, measured)
        end
      end

      private

      # The listing, and the same with doubles of 17 digits.
      def documents
        value = Documents.listing_value(0)
        digits = value.merge("offsetLat" => 52.520006600000003, "offsetLng" => 13.404954000000001)
        { **super, "digits" => Document.new("digits", Documents::LISTING_RECORDS, digits) }
      end
    end
  end
end
