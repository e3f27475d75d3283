# frozen_string_literal: true

require_relative "bars"
require_relative "cycling"
require_relative "group"

module Bench
  # A piece of work that Sparpack does in two ways, or that another library does, too, and what it must reach. There is one
  # table for each of its inputs.
  #
  # - part: the part of the suite to which it belongs
  # - operation: its name in the tables, by default that of the part
  # - input: a method of Inputs, which says what local variables there are
  # - ours, other: sources. Without the other one, only rates are measured
  # - against: who the other one is, by default the eager way
  # - result: the source of the right result, by default the other one
  # - demands: the least multiple of the other's speed (faster), the greatest multiple of its time (slower), and the least
  #   MB per second (rate), each by wire: one number for all inputs, or an Array of one for each
  Work = ::Struct.new(:part, :operation, :input, :ours, :other, :against, :result, :demands, keyword_init: true) do
    include Bars::Demands

    def initialize(against: Work::EAGER, **members)
      super(operation: members[:part], against:, **members)
    end

    # @param input [Inputs::Structs, Inputs::Generic, Inputs::Extensions]
    # @param peers [Array<String>] the titles of those that can take part
    # @return [Group]
    def race(input, peers, **options)
      Group.race(input.document, operation, contestants(input, peers), **options)
    end

    # @return [Array<Cycling>]
    def contestants(input, peers) = demands.values.flat_map(&:keys).uniq.flat_map { |wire| ways(input, wire, peers) }

    # @param index [Integer] which of the inputs the group measured
    # @return [Array<Bars::Bar>]
    def bars(group, index)
      demands.flat_map do |kind, by_wire|
        by_wire.map do |wire, numbers|
          number = numbers.is_a?(Array) ? numbers.fetch(index) : numbers
          send(kind, "#{group.document}: #{operation}, #{wire}", number, group, wire)
        end
      end
    end

    private

    def ways(input, wire, peers)
      locals = { wire:, **input.locals(wire) }
      peer   = against[:peer]
      theirs = Cycling.new(peer, other, **against.slice(:variant), **locals) if other && peers.include?(peer)
      right  = result ? Cycling.new(nil, result, **locals) : theirs
      [Cycling.new(Group::OURS, ours, expected: right, **locals), *theirs]
    end

    def faster(title, number, group, wire)
      at_least("#{title} against #{against.values.last}", number, ratio(group, wire))
    end

    def slower(title, number, group, wire)
      at_most("#{title} over #{against.values.last}", number, ratio(group, wire)&.then { |ratio| 1 / ratio })
    end

    def rate(title, number, group, wire)
      ours = group.ours(wire)
      at_least("#{title}, MB/s", number, ours.contestant.bytes / ours.seconds / 1e6)
    end

    # @return [Float, nil] the other's time as a multiple of ours
    def ratio(group, wire)
      group.of(against[:peer], wire:, **against.slice(:variant)).first&.then { |result| group.ratio(result) }
    end
  end

  Work::EAGER = { peer: Group::OURS, variant: "eager" }.freeze
  Work::GEM   = { peer: "msgpack" }.freeze
end
