# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures the drop-in for Sparsam against the thrift gem, and against building the same objects without reading
    # anything.
    class Sparsam < StructSuite
      # Makes classes like those that sparsam-gen generates.
      module Generated
        TYPES = { list: "LIST", record: "STRUCT" }.freeze
        private_constant :TYPES

        # @param records [Hash{Symbol => Array<Field>}] each after those that it holds
        # @return [Hash{Symbol => Class}]
        def self.classes(records)
          records.each_with_object({}) do |(name, fields), classes|
            classes[name] = Class.new(::Sparsam::Struct) do
              definitions = fields.to_h { |field| [field.id, Generated.field(field, classes)] }
              const_set(:FIELDS, definitions)
              init_thrift_struct(self)
            end
          end
        end

        def self.field(field, classes)
          { name: field.name.to_s, optional: !field.required, annotations: {}, **type(field.type, classes) }
        end

        def self.type(type, classes)
          case type
          in [:list, element] then { type: ::Sparsam::Types::LIST, element: type(element, classes) }
          in [:record, name] then { type: ::Sparsam::Types::STRUCT, class: classes.fetch(name) }
          else { type: ::Sparsam::Types.const_get(type.upcase) }
          end
        end
      end

      # The drop-in.
      class Structs < RecordPeer
        self.title = Group::OURS

        PROTOCOLS = { compact: 0, binary: 1 }.freeze

        class << self
          def install = "bundle exec rake compile"
          def version = ::Sparpack::VERSION

          private

          def load = require("sparpack/drop_in/sparsam")
        end

        def contestants
          { encode: PROTOCOLS.map { |wire, protocol| writer(wire, protocol) },
            decode: PROTOCOLS.map { |wire, protocol| reader(wire, protocol) } }
        end

        private

        def define(records) = Generated.classes(records)

        def writer(wire, protocol)
          check = ->(output) { same?(::Sparsam::Deserializer.deserialize(root, output, protocol)) }
          contestant("object.serialize(#{protocol unless protocol.zero?})", wire:, object:, check:)
        end

        def reader(wire, protocol)
          input = object.serialize(protocol)
          contestant("::Sparsam::Deserializer.deserialize(type, input#{", #{protocol}" unless protocol.zero?})",
                     wire:, type: root, input:, bytes: input.bytesize, check: method(:same?))
        end
      end

      # Builds the same objects with Ruby's public functions, and reads nothing.
      class Objects < Structs
        self.title = "floor"

        extend Peers::Floor::Dependent

        def contestants
          objects = Bench::Floor::Objects.new(object)
          { encode: [], decode: [contestant("objects.build", objects:, check: method(:same?))] }
        end
      end

      PEERS = [Structs, Objects, Peers::Thrift].freeze
      PARTS = %w[listing].freeze

      # The required multiples of the thrift gem's speed.
      DEMANDS = { encode: 50, decode: 20 }.freeze

      # @return [Array<Bars::Bar>]
      def bars
        against = @groups.map do |group|
          at_least("#{group.operation} against thrift", DEMANDS.fetch(group.operation), faster(group, "thrift"))
        end
        floor = faster(group(:decode), Objects.title)
        [*against, at_most("decode against its floor", 1.25, floor && (1 / floor)),
         at_most("require, ms", 20, milliseconds_of_require("sparpack/drop_in/sparsam")),
         at_most("two classes at their first use, ms", 1.0, milliseconds_of_use)]
      end

      private

      # @return [Float, nil] the peer's time as a multiple of ours
      def faster(group, peer)
        theirs = group.of(peer, wire: peer == Objects.title ? nil : :compact).first
        theirs && group.ratio(theirs)
      end

      # The listing's classes, made anew.
      def milliseconds_of_use
        least_milliseconds do
          listing = Generated.classes(Documents::LISTING_RECORDS).fetch(:ListingLocationUpdate)
          -> { ::Sparsam::Deserializer.deserialize(listing, "\0") }
        end
      end
    end
  end
end
