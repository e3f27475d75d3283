# frozen_string_literal: true

require "objspace"
require_relative "memory_shapes"

# Searches for the payload whose objects take most in relation to the limit that accepts it, or that refuses it.
class MemorySearch
  # A payload: its name, how many of its bytes reading copies (`input`), and a lambda that takes a limit and returns [a
  # lambda that reads under that limit, a buffer that loses the bytes which were read, or nil].
  Payload = Struct.new(:name, :input, :reader)

  # used: what the objects took; limit: the smallest one that accepts the payload; stopped: the most that was taken under a
  # smaller limit, divided by that limit.
  Finding = Struct.new(:name, :used, :limit, :stopped, :shape) do
    def ratio = [used.fdiv(limit), stopped].max
    def charged = limit.fdiv(used)
  end

  # Limits are so large that the memory of an exception does not matter.
  LIMIT_MIN = 100_000

  # @param engine [#kinds, #plain, #payloads, nil] nil if only {#measure_payloads} is used
  def initialize(engine, random:)
    @engine = engine
    @random = random
    @counts = {}
    @shapes = Shapes.new(engine.kinds, random) if engine
    warm_up
  end

  # @param corners [Integer] how many plain payloads to try
  # @param steps [Integer] how many others to try, each a change of one of the worst so far
  # @return [Array<Finding>] the worst first
  def run(corners:, steps:, climbers: 8)
    starts = @shapes.corners(@engine.plain)
    found = starts.sample(corners, random: @random).filter_map { |shape| measure(shape) }
    best = found.max_by(climbers, &:ratio)
    steps.times do
      place = @random.rand(best.size)
      finding = measure(@shapes.mutate(best[place].shape))
      next unless finding

      found << finding
      best[place] = finding if finding.ratio >= best[place].ratio
    end
    found.sort_by { |finding| -finding.ratio }
  end

  # @param options [Hash] what the engine takes for this shape
  # @return [Finding, nil] nil for a shape that has no values
  def measure(shape, **options)
    return if shape.size > 20_000

    payloads = @engine.payloads(shape, @random, **options)
    one = payloads.call(1)
    return unless reads?(one, 1 << 40)

    count = (3.0 * LIMIT_MIN / least_limit(one)).ceil
    measure_payloads(shape) { payloads.call(count) }
  end

  # @yieldreturn [Payload] always the same, except for new names
  def measure_payloads(shape = nil, &)
    tidy
    payload = yield
    limit = least_limit(payload)
    Finding.new(payload.name, growth(yield, limit), limit, stopped(limit, &), shape)
  end

  private

  def stopped(limit)
    limits = [limit - 1, limit / 2, (limit * @random.rand).to_i].select { |smaller| smaller >= LIMIT_MIN }
    limits.map { |smaller| growth(yield, smaller).fdiv(smaller) }.max || 0
  end

  def least_limit(payload)
    high = 1 << 10
    high *= 2 until reads?(payload, high)
    (0..high).bsearch { |limit| reads?(payload, limit) }
  end

  def reads?(payload, limit) = !payload.reader.call(limit).first.call.is_a?(Exception)

  # Measures all objects of Ruby's collector, hidden ones included.
  def growth(payload, limit)
    read, buffer = payload.reader.call(limit)
    before = total(buffer)
    result = read.call
    total(buffer) - before - payload.input
  ensure
    result.class
  end

  def total(buffer) = ObjectSpace.count_objects_size(@counts)[:TOTAL] - (buffer ? ObjectSpace.memsize_of(buffer) : 0)

  # Does what happens only once: caches of calls, and room for more Symbols in Ruby's own table.
  def warm_up
    200_000.times { |i| :"a symbol #{i}" }
    2.times { growth(Payload.new("nothing", 0, ->(_) { [-> {}, nil] }), 0) }
  end

  def tidy
    GC.enable
    GC.start
    GC.disable
  end
end
