# frozen_string_literal: true

require_relative "../documents"
require_relative "../peers"
require_relative "../step_suite"

module Bench
  module Suites
    # Measures how much of a large payload `sparpack inspect` shows in a second. The payload is a list of listings.
    class Inspect < StepSuite
      PEERS = [Bench::Peers::Sparpack].freeze
      BYTES = 10_000_000
      PARTS = %w[colors tree text json].freeze

      # A terminal gets colours, and a pipe a tree without.
      DEMAND = ["colors", "a tree with colours: MB of the payload per second", 50].freeze

      private

      def with_input
        bytes, type = payload
        inspector = ::Sparpack::Inspector.new(bytes, type, from: :compact)
        formats = { "colors" => [:tree, { color: true }], "tree" => [:tree, {}], "text" => [:text, {}],
                    "json" => [:json, {}] }
        File.open(File::NULL, "w") do |file|
          turns = formats.transform_values { |format, options| -> { inspector.write(file, format, **options) } }
          yield "inspect of #{bytes.bytesize} bytes, compact", bytes.bytesize, turns
        end
      end

      # @return [Array(String, Class)]
      def payload
        listing = Bench::Peers::Sparpack.new(Documents.listing).object
        type = Class.new(::Sparpack::Struct) { field 1, :listings, list(listing.class) }
        [type.new(listings: [listing] * (BYTES / listing.encode.bytesize)).encode, type]
      end
    end
  end
end
