# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures Sparpack::LZ4 over the time that liblz4 itself takes, for 64 KB of packed records.
    class LZ4 < StructSuite
      OPERATIONS = %i[compress decompress].freeze
      SIZE = 1 << 16

      # The bytes, and a name for the tables.
      Records = ::Struct.new(:name, :bytes)

      # Sparpack's module and its format, which has a header before the block.
      class Ours < Peers::Sparpack
        class << self
          private

          def load
            super
            require "sparpack/lz4"
          end
        end

        self.title = Group::OURS

        def initialize(document) = @document = document # rubocop:disable Lint/MissingSuper -- there are no structs

        def contestants
          bytes = @document.bytes
          packed = ::Sparpack::LZ4.deflate(bytes)
          { compress:   [contestant("lz4.deflate(input)", input: bytes, bytes: SIZE, lz4: ::Sparpack::LZ4,
                                                          check: ->(result) { result == packed })],
            decompress: [contestant("lz4.inflate(packed)", packed:, bytes: SIZE, lz4: ::Sparpack::LZ4,
                                                           check: ->(result) { result == bytes })] }
        end
      end

      # The system's library, which writes into memory that is there already.
      class Library < Peers::Floor
        self.title = "liblz4"

        class << self
          def install = "apt-get install liblz4-dev, and delete #{Peers::Floor::FOLDER}"

          private

          def load
            super
            raise LoadError, "it was not found when the floor was compiled" unless Bench::Floor.respond_to?(:lz4_compress)
          end
        end

        def contestants
          bytes = @document.bytes
          room = "\0".b * (SIZE * 2)
          block = room.byteslice(0, Bench::Floor.lz4_compress(bytes, room))
          { compress:   [contestant("floor.lz4_compress(input, room)", input: bytes, bytes: SIZE, room:, floor: Bench::Floor,
                                                                       check: ->(size) { size == block.bytesize })],
            decompress: [contestant("floor.lz4_decompress(block, room)", block:, bytes: SIZE, room:, floor: Bench::Floor,
                                                                         check: ->(size) { size == SIZE })] }
        end
      end

      PEERS = [Ours, Library].freeze
      PARTS = %w[records].freeze

      # @return [Array<Bars::Bar>]
      def bars
        OPERATIONS.map do |operation|
          theirs = group(operation)&.of(Library.title)&.first
          at_most("#{operation} 64 KB over liblz4's own time", 1.3, theirs && (1 / group(operation).ratio(theirs)))
        end
      end

      private

      def documents
        random = Random.new(1)
        records = Array.new(2000) do |i|
          { "id" => i, "name" => "record #{random.rand(500)}", "price" => random.rand.round(2), "new" => random.rand < 0.5 }
        end
        { "records" => Records.new("records", ::Sparpack::MessagePack.pack(records).byteslice(0, SIZE)) }
      end
    end
  end
end
