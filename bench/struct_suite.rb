# frozen_string_literal: true

require_relative "bars"
require_relative "documents"
require_relative "group"
require_relative "peers"
require_relative "table"

module Bench
  # A suite that encodes and decodes structs over one wire, against other libraries. A subclass has PEERS, PARTS and bars.
  class StructSuite
    include Bars::Demands

    OPERATIONS = %i[encode decode].freeze

    attr_reader :groups

    # @param peers [Array<Class>] the peers that are installed
    # @param parts [Array<String>] some of PARTS
    # @param time [Float] seconds per window
    # @param rounds [Integer]
    def initialize(peers, parts: self.class::PARTS, time: 0.02, rounds: 20)
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
        OPERATIONS.each do |operation|
          @groups << Group.race(document.name, operation, by_operation.flat_map { |by| by[operation] }, **@options)
          yield "#{Table.group(@groups.last)}\n"
        end
      end
      yield Table.bars(bars, "bars")
      self
    end

    # There are no documents of several sizes.
    def growth = []

    private

    # @return [Hash{String => Document}] by part
    def documents = { "listing" => Documents.listing }
  end
end
