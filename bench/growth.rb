# frozen_string_literal: true

require_relative "child"
require_relative "documents"
require_relative "window"

module Bench
  # From 1 KB to 100 MB of listings in one message: does a byte cost the same, and how much memory goes on top of it?
  # Each round walks all sizes, so that what disturbs the machine disturbs them all; the best window of each counts.
  class Growth
    SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].freeze

    # Decoding 100 MB of listings makes gigabytes of objects, which is more than the default limit allows.
    MEMORY = 8 << 30

    # The counters of resident memory are coarse: small outputs are kept until there is this much to see.
    ENOUGH = 16_000_000

    # Windows are longer than elsewhere, or luck would decide whether a message of 1 MB meets the collector or not.
    LONGER = 5

    # A process measures as many windows as this many bytes make: more of small messages, of 100 MB the least. It has
    # found the number of turns before, and touched the memory: nobody pays for fresh pages.
    BYTES = 100_000_000
    TIMES = (4..8)

    # Windows: ours encodes distinct objects, and four again and again, which stay in the machine's cache; the floor
    # encodes distinct ones by hand. Ours decodes; the floor allocates the same, by xmalloc and by malloc.
    WINDOWS = %i[encode repeated by_hand decode xmalloc malloc].freeze

    # memory: its peak while encoding in relation to the output.
    Row = ::Struct.new(:bytes, *WINDOWS, :memory) do
      def per_byte(window) = self[window].seconds / bytes
      def ratio(window, floor) = self[window].seconds / self[floor].seconds
      def to_json(*state) = to_h.merge(WINDOWS.to_h { |name| [name, self[name].to_h] }).to_json(*state)
    end

    # @param time [Float] seconds per window
    def initialize(time:, rounds:, sizes: SIZES, times: TIMES)
      @time = time * LONGER
      @rounds = rounds
      @sizes = sizes
      @times = times
      @document = Documents.listings(4)
      @peer = Peers::Sparpack.new(@document)
    end

    # @return [Array<Row>] one per size
    def run
      objects = @sizes.map { |size| object(size) }
      rounds = Array.new(@rounds) { |round| objects.map { |object, count| row(object, count, memory: round.zero?) } }
      rounds.transpose.map { |rows| best(rows) }
    end

    private

    # @return [(Sparpack::Struct, Integer)] a message of about `size` bytes, and how many listings are in it
    def object(size)
      times = (size / @peer.repeated(1).encode(:compact).bytesize).clamp(1, nil)
      [@peer.repeated(times), times * 4]
    end

    # Each contestant has a process of its own: what the others leave on the heap decides when the collector runs.
    def row(object, count, memory:)
      input = object.encode(:compact)
      times = (BYTES / input.bytesize).clamp(@times)
      windows = contestants(object, input, count).values_at(*WINDOWS).map do |contestant|
        Child.run { best_window(contestant.call, times) }
      end
      Row.new(input.bytesize, *windows, memory ? memory(input) : nil)
    end

    def best(rows)
      windows = WINDOWS.map { |name| rows.map(&name).min_by(&:seconds) }
      Row.new(rows[0].bytes, *windows, rows[0].memory)
    end

    def best_window(contestant, times)
      turns = Window.turns(contestant, @time)
      Array.new(times) { Window.measure(contestant, turns) }.min_by(&:seconds)
    end

    # They are made where they are measured. Decoding makes the distinct objects.
    def contestants(object, input, count)
      floor = Peers::Floor.new(@document)
      { encode:   -> { @peer.writer(codec.decode(input), :compact) },
        repeated: -> { @peer.writer(object, :compact) },
        by_hand:  -> { floor.encode("encode_listings", cycle: count) },
        decode:   -> { @peer.reader(input, :compact, codec) },
        xmalloc:  -> { floor.allocate("xmalloc", cycle: count) },
        malloc:   -> { floor.allocate("malloc", cycle: count) } }
    end

    # @return [Float, nil]
    def memory(input)
      Child.run do
        object = codec.decode(input)
        copies = [ENOUGH / input.bytesize, 1].max
        peak = Child.peak { Array.new(copies) { object.encode(:compact) } }
        peak&.fdiv(copies * input.bytesize)
      end
    end

    def codec = @codec ||= @peer.codec(:compact, limits: ::Sparpack::Limits.new(memory: MEMORY))
  end
end
