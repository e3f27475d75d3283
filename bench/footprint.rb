# frozen_string_literal: true

require_relative "child"

module Bench
  # Measures the peak of memory, including the result, while a library packs or unpacks a large value. Each measurement runs
  # in a process of its own, because memory that an earlier one left on the heap would be reused and not show.
  class Footprint
    # pack, unpack: bytes of memory for each byte that is written or read; nil if the system does not report it.
    Row = ::Struct.new(:document, :peer, :bytes, :pack, :unpack)

    # By the peer's title: how it packs a value, and how it unpacks bytes.
    WAYS = {
      "sparpack" => [->(value) { ::Sparpack::MessagePack.pack(value) }, ->(bytes) { ::Sparpack::MessagePack.unpack(bytes) }],
      "msgpack" => [->(value) { ::MessagePack.pack(value) }, ->(bytes) { ::MessagePack.unpack(bytes) }],
      "json" => [->(value) { ::JSON.generate(value) }, ->(bytes) { ::JSON.parse(bytes) }],
      "oj" => [->(value) { ::Oj.dump(value, Peers::Oj::OPTIONS) }, ->(bytes) { ::Oj.load(bytes, Peers::Oj::OPTIONS) }]
    }.freeze

    # The size of the value in bytes. It is large because the counters of resident memory are coarse.
    ENOUGH = 16_000_000

    # @param titles [Array<String>] the titles of peers; those that are in WAYS take part
    def initialize(titles)
      @ways = WAYS.slice(*titles)
    end

    # @param document [Values::Document]
    # @return [Array<Row>]
    def rows(document)
      times = [ENOUGH / @ways.values.first[0].call(document.value).bytesize, 1].max
      @ways.map do |peer, (pack, unpack)|
        bytes = Child.run { pack.call([document.value] * times) }
        Row.new(document.name, peer, bytes.bytesize, packing(bytes, pack, unpack), unpacking(bytes, unpack))
      end
    end

    private

    def packing(bytes, pack, unpack)
      Child.run do
        value = unpack.call(bytes)
        Child.peak { pack.call(value) }&.fdiv(bytes.bytesize)
      end
    end

    def unpacking(bytes, unpack) = Child.peak { unpack.call(bytes) }&.fdiv(bytes.bytesize)
  end
end
