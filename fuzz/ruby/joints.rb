# frozen_string_literal: true

module Fuzzing
  # No message may show this.
  SECRET = "hunter2-secret"

  # Changes a payload where its values are joined: elements, pairs and fields are repeated, left out, exchanged, moved
  # elsewhere, put into others, or get another type, and containers claim another size. Lists grow beyond the sizes at which
  # the native code goes another way.
  class Joints
    SIZES = [2, 3, 14, 15, 16, 24, 25, 31, 32, 44, 63, 64, 65, 127, 128, 255, 256, 257, 300, 1023, 1024, 1025].freeze
    CLAIMS = [0, 1, 2, 15, 16, 127, 128, 255, 65_535, 65_536, (1 << 31) - 1].freeze
    IDS = [0, 1, 2, 3, 5, 15, 16, 17, 40, 300, 32_767].freeze

    # How many values a payload may have. 64 bytes of a string count as one.
    MOST = 4_000

    # Values of other types than most fields have.
    STRANGE = [[:bool, true], [:i8, 5], [:i32, 1 << 20], [:i64, -1], [:double, 1.5], [:string, "x"],
               [:string, SECRET], [[:list, :i32], []],
               [[:map, :i32, :i32], []], [:struct, []], [:uuid, "00112233-4455-6677-8899-aabbccddeeff"]].freeze

    # @param choices [Choices]
    # @param root [Payload::Node]
    def initialize(choices, root)
      @choices = choices
      @root = root
      @containers = []
      @weights = {}.compare_by_identity
      weigh(root)
    end

    # Makes one change, if there is something to change.
    def change
      node = @choices.pick(@containers.reject { |container| container.value.empty? } + [@root])
      return if node.value.empty?

      at = @choices.rand(node.value.size)
      case @choices.rand(12)
      when 0, 1 then repeat(node, at)
      when 2, 3 then end_badly(node, at)
      when 10, 11 then repeat_bad(node, at)
      when 4 then node.value.delete_at(at)
      when 5 then node.value.rotate!(at)
      when 6 then replace(node, at) { |value| inside(value) }
      when 7 then replace(node, at) { strange }
      when 8 then graft(node, at)
      else lie(node, at)
      end
    end

    # Repeats an element or a field somewhere in an entry.
    #
    # @return [Payload::Node, nil] in which container
    def grow(entry)
      @choices.pick(inside_of(entry) + [nil])&.tap { |node| repeat(node, @choices.rand(node.value.size)) }
    end

    # Puts a small value of another type into a container.
    def spoil(node)
      replace(node, @choices.rand(2).zero? ? -1 : @choices.rand(node.value.size)) { Payload::Node.new(*@choices.pick(STRANGE)) }
    end

    private

    # What is in several places counts each time.
    def weigh(node)
      return node.value.is_a?(String) ? 1 + (node.value.bytesize / 64) : 1 unless node.container?

      @weights[node] ||= begin
        @containers << node
        node.value.sum(1) { |entry| weigh_entry(entry) }
      end
    end

    # An element, the two of a pair, or a field with its id.
    def weigh_entry(entry)
      return weigh(entry) unless entry.is_a?(Array)

      entry[0].is_a?(Integer) ? weigh(entry[1]) : weigh(entry[0]) + weigh(entry[1])
    end

    # How much more there may be in a node.
    def room(node) = (MOST - weigh(@root)) / times(node, @root, {}.compare_by_identity)

    # In how many places of another node a node is.
    def times(node, outer, known)
      return 1 if outer.equal?(node)
      return 0 unless outer.container?

      known[outer] ||= outer.value.sum { |entry| parts(entry).sum { |part| times(node, part, known) } }
    end

    # @return [Array<Payload::Node>] an element, the two of a pair, or the value of a field
    def parts(entry) = entry.is_a?(Array) ? entry.grep(Payload::Node) : [entry]

    def repeat(node, at)
      entry = node.value[at]
      more = [@choices.pick(SIZES) - node.value.size, room(node) / weigh_entry(entry)].min
      node.value.insert(at, *([entry] * more)) if more.positive?
    end

    # Many that are as they should be, and then one that is not, whose own elements may begin well.
    def end_badly(node, at)
      repeat(node, at)
      last = @choices.rand(2).zero? ? -1 : @choices.rand(node.value.size)
      inside = @choices.rand(2).zero?
      replace(node, last) { |value| inside && value.container? && !value.value.empty? ? spoiled(value) : strange }
    end

    # Many that are alike, and in each of which the same ends badly.
    def repeat_bad(node, at)
      inner = inside_of(node.value[at])
      unless inner.empty?
        bad = @choices.pick(inner)
        end_badly(bad, @choices.rand(bad.value.size))
        @weights.clear
      end
      repeat(node, at)
    end

    # @return [Array<Payload::Node>] the containers in an entry that are not empty
    def inside_of(entry)
      full = parts(entry).select { |part| part.container? && !part.value.empty? }
      full + full.flat_map { |part| part.value.flat_map { |each| inside_of(each) } }
    end

    def spoiled(node)
      copy = node.dup
      copy.value = node.value.dup
      at = @choices.rand(copy.value.size)
      @choices.rand(3).zero? ? copy.value.delete_at(at) : replace(copy, at) { strange }
      copy
    end

    # Replaces a value: the one of a field, the key or the value of a pair, or an element.
    def replace(node, at)
      entry = node.value[at]
      unless entry.is_a?(Array)
        node.value[at] = yield(entry)
        return
      end

      place = entry[0].is_a?(Integer) ? 1 : @choices.rand(2)
      node.value[at] = entry.dup.tap { |copy| copy[place] = yield(entry[place]) }
    end

    # A value of another type, or a list of it.
    def strange
      type, value = @choices.pick(STRANGE)
      node = Payload::Node.new(type, value.is_a?(Array) ? value.dup : value)
      @choices.rand(3).zero? ? Payload::Node.new([:list, type], [node]) : node
    end

    def inside(value)
      case @choices.rand(4)
      when 0 then Payload::Node.new([:list, value.type], [value])
      when 1 then Payload::Node.new([:map, :i32, value.type], [[Payload::Node.new(:i32, 1), value]])
      when 2 then Payload::Node.new(:struct, [[1, value]])
      else (1 + @choices.rand(70)).times.reduce(value) { |inner, _| Payload::Node.new([:list, inner.type], [inner]) }
      end
    end

    # Not one that contains the place, which would have no end.
    def graft(node, at)
      found = @choices.pick(@containers)
      return if weigh(found) > room(node) || contains?(found, node)

      replace(node, at) { found }
    end

    def contains?(outer, inner)
      return true if outer.equal?(inner)
      return false unless outer.container?

      outer.value.any? { |entry| parts(entry).any? { |part| contains?(part, inner) } }
    end

    def lie(node, at)
      if node.kind == :struct
        node.value[at] = [@choices.pick(IDS), node.value[at][1]]
      else
        node.claim = @choices.rand(2).zero? ? node.value.size + 1 : @choices.pick(CLAIMS)
      end
    end
  end
end
