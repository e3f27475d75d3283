# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures structs over Thrift's JSON protocol against the thrift gem's.
    class ThriftJson < StructSuite
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

      # @return [Array<Bars::Bar>]
      def bars
        @groups.map do |group|
          ours, theirs = [Group::OURS, Theirs.title].map { |peer| group.of(peer, wire: :thrift_json).first }
          measured = theirs&.ratio(ours)
          at_least("#{group.operation} against thrift", DEMANDS.fetch(group.operation), measured)
        end
      end
    end
  end
end
