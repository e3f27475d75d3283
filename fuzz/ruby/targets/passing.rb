# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/trickle"

module Fuzzing
  # `skip`, `count` and `each_range` find the ends that a decode finds, and refuse what it refuses, with the same error.
  class Passing < Target
    FRAMES = [nil, nil, :varint, :framed].freeze
    private_constant :FRAMES

    # @param form [Symbol]
    def initialize(form)
      super()
      @form = form
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      codec = codec(struct_class, @form, **options(choices)) or return :unfit
      before = "x" * choices.rand(3)
      each_payload(choices, struct_class, @form) { |bytes| one(codec, before.b + bytes, before.bytesize) }
      frame = choices.pick(FRAMES)
      bytes = Array.new(choices.rand(5)) { framed(payload(choices, struct_class, @form), frame) }.join
      several(codec, bytes, frame, 1 + choices.rand(40))
    end

    private

    def options(choices)
      options = { unknown: choices.pick(UNKNOWN), mismatch: choices.pick(%i[raise skip]), validate: choices.pick(VALIDATE) }
      options[:utf8] = :keep if choices.chance(0.2)
      options[:limits] = limits(choices) if choices.chance(0.2)
      options
    end

    def limits(choices) = Sparpack::Limits.new(memory: choices.rand(1..20_000), depth: choices.rand(1..10))

    def one(codec, bytes, offset)
      read = outcome { [codec.decode_prefix(bytes, offset).last] }
      passed = outcome { [codec.skip(bytes, offset)] }
      find("skip differs", codec, bytes, offset, read, passed) unless passed == read
      passed.size == 1 ? :read : :refused
    end

    def several(codec, bytes, frame, size)
      [-> { bytes }, -> { Trickle.new(bytes, size) }].map { |source| passed(codec, bytes, frame, &source) }.last
    end

    # @yieldreturn [String, Trickle] the bytes, or a new io that gives them
    def passed(codec, bytes, frame, &source)
      made = []
      read = outcome { codec.decode_each(yield, frame:) { |object| made << written(codec, object) } && [made.size] }
      counted = outcome { [codec.count(yield, frame:)] }
      find("count differs", codec, bytes, yield, frame, read, counted) unless counted == read
      on_threads(codec, bytes, frame, read, &source) if frame
      ranges(codec, bytes, frame, made, read, &source)
      read.size == 1 ? :read : :refused
    end

    def on_threads(codec, bytes, frame, read)
      counted = outcome { [codec.count(yield, frame:, threads: 2)] }
      find("count on threads differs", codec, bytes, yield, frame, read, counted) unless counted == read
    end

    def ranges(codec, bytes, frame, made, read)
      ranges = []
      passed = outcome { codec.each_range(yield, frame:) { |range| ranges << range } && [ranges.size] }
      find("each_range differs", codec, bytes, yield, frame, read, passed) unless passed == read
      found = ranges.map { |range| written(codec, codec.decode(bytes.byteslice(range))) }
      find("a range is another object", codec, bytes, frame, ranges) unless found == made
    end

    # An object that was read need not be one that can be written: an enum may lack a name.
    def written(codec, object) = outcome { codec.encode(object) }
  end
end
