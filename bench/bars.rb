# frozen_string_literal: true

module Bench
  # The factors that the core must reach, and what was measured. All of them are for the listing over compact.
  class Bars
    # required: the least (or greatest) number that is allowed. met: nil if it was not measured.
    Bar = ::Struct.new(:title, :required, :measured, :met)

    # Makes bars.
    module Demands
      private

      def at_least(title, factor, measured)
        Bar.new(title, "at least #{factor}", measured, measured && measured >= factor)
      end

      def at_most(title, factor, measured)
        Bar.new(title, "at most #{factor}", measured, measured && measured <= factor)
      end
    end

    include Demands

    # @param groups [Array<Group>]
    # @param growth [Array<Growth::Row>]
    # @param parts [Array<String>] the parts of the suite that run. Their bars are shown even if a peer is missing
    def initialize(groups, growth, parts)
      @groups = groups.select { |group| group.document == "listing" }.to_h { |group| [group.operation, group] }
      @growth = growth
      @parts = parts
    end

    # @return [Array<Bar>] the bars of these parts
    def all
      all = { listing: [*speed, *floor, *allocations, *hashes], values: made, growth: grown }
      all.slice(*@parts.map(&:to_sym)).values.flatten(1)
    end

    private

    def speed
      [at_least("encode against thrift", 75, faster(:encode, "thrift", wire: :compact)),
       at_least("decode against thrift", 25, faster(:decode, "thrift", wire: :compact)),
       at_least("encode against msgpack and json, the faster one", 3.5, faster(:encode, "msgpack", "json")),
       at_least("decode against msgpack and json, the faster one", 2.3, faster(:decode, "msgpack", "json")),
       at_least("encode against google-protobuf", 2.2, faster(:encode, "google-protobuf")),
       at_least("decode against google-protobuf", 1.7, faster(:decode, "google-protobuf")),
       at_least("decode and read every field against google-protobuf", 7, faster(:read, "google-protobuf"))]
    end

    def floor
      [at_most("encode against the hand-written, unchecked encoder", 1.6, slower(:encode, "floor")),
       at_most("decode against allocation alone", 1.3, slower(:decode, "floor", variant: "xmalloc")),
       at_most("decode against allocation alone, unknown to the garbage collector", 1.3,
               slower(:decode, "floor", variant: "malloc"))]
    end

    def made = [at_most("new(**fields) against a Struct with keyword_init", 1, slower(:new, "Struct"))]

    def allocations
      [exactly("objects that encoding allocates", 1, objects(:encode, Group::OURS)),
       exactly("objects that decoding allocates", objects(:decode, "floor"), objects(:decode, Group::OURS))]
    end

    def hashes
      [at_most("to_h(deep: true) against decode", 1.2, faster(:hashes, Group::OURS, variant: "to_h(deep: true)")),
       at_most("from_h with Symbols against decode", 1.8, faster(:hashes, Group::OURS, variant: "from_h, Symbols")),
       at_most("from_h with Strings against decode", 1.8, faster(:hashes, Group::OURS, variant: "from_h, Strings"))]
    end

    # Most of them come in two versions: as required, and without the effect of the CPU's caches or the garbage collector.
    def grown
      [at_most("growth: encode, time per byte, largest over smallest", 1.2, spread { |row| row.per_byte(:encode) }),
       at_most("growth: the same with four records repeated", 1.2, spread { |row| row.per_byte(:repeated) }),
       at_most("growth: encode, peak of memory over the output", 1.6, @growth.filter_map(&:memory).max),
       at_most("growth: decode over allocation alone, largest over smallest", 1.2,
               spread { |row| row.ratio(:decode, :xmalloc) }),
       at_most("growth: the same, unknown to the garbage collector", 1.2,
               spread { |row| row.ratio(:decode, :malloc) })]
    end

    # @return [Float, nil] the time of the fastest of the peers' ways, as a multiple of ours
    def faster(operation, *peers, **way)
      group = @groups[operation]
      group && peers.flat_map { |peer| group.of(peer, **way) }.filter_map { |result| group.ratio(result) }.min
    end

    # @return [Float, nil] our time as a multiple of the peer's
    def slower(operation, peer, **way)
      ratio = faster(operation, peer, **way)
      ratio && (1 / ratio)
    end

    def objects(operation, peer)
      group = @groups[operation]
      group && group.of(peer).first&.objects
    end

    def spread(&)
      numbers = @growth.map(&)
      numbers.max / numbers.min unless numbers.empty?
    end

    def exactly(title, number, measured)
      Bar.new(title, number.to_s, measured, number && measured && measured == number)
    end
  end
end
