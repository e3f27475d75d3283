# frozen_string_literal: true

require_relative "child"
require_relative "documents"
require_relative "window"

module Bench
  # Measures messages from 1 KB to 100 MB of listings: whether the time per byte stays the same, and how much memory encoding
  # needs beyond the output. Each round goes through all sizes, so disturbances affect all of them. The best window counts.
  class Growth
    SIZES = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000].freeze

    # Decoding 100 MB of listings makes gigabytes of objects, which is more than the default limit allows.
    MEMORY = 8 << 30

    # The counters of resident memory are coarse, so small outputs are kept until they have this size together.
    ENOUGH = 16_000_000

    # Windows are longer than elsewhere. Otherwise chance would decide whether garbage is collected during 1 MB.
    LONGER = 5

    # The number of windows per process depends on how many messages make up this many bytes, within TIMES. Before, the
    # process has found out the number of turns and touched the memory, so no window pays for fresh pages.
    BYTES = 100_000_000
    TIMES = (4..8)

    # Sparpack encodes distinct objects (encode), and the same four repeatedly, which stay in the CPU's cache (repeated).
    # The floor encodes distinct ones by hand (by_hand). Sparpack decodes (decode). The floor allocates the same objects
    # with xmalloc and with malloc.
    WINDOWS = %i[encode repeated by_hand decode xmalloc malloc].freeze

    # memory: the peak of memory while encoding, divided by the size of the output.
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

    # Each contestant has a process of its own, because what others leave on the heap decides when garbage is collected.
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

    # Contestants are made in the process that measures them. Distinct objects are made by decoding.
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
