# frozen_string_literal: true

require "rbconfig"
require_relative "bars"
require_relative "documents"
require_relative "group"
require_relative "peers"
require_relative "table"

module Bench
  # A suite that encodes and decodes structs over one wire, against other libraries. A subclass has PEERS, PARTS and bars,
  # and may have other OPERATIONS.
  class StructSuite
    include Bars::Demands

    OPERATIONS = %i[encode decode].freeze

    LIBRARY = File.expand_path("../lib", __dir__)
    private_constant :LIBRARY

    attr_reader :groups

    # @param peers [Array<Class>] the peers that are installed
    # @param parts [Array<String>] some of PARTS
    # @param time [Float] seconds per window
    # @param rounds [Integer]
    def initialize(peers, parts: self.class::PARTS, time: 0.02, rounds: 20)
      @peers = peers
      @parts = parts
      @options = { time:, rounds: }
      @groups = []
    end

    # @yieldparam table [String] each table as soon as it is measured
    # @return [self]
    def run
      documents.slice(*@parts).each_value do |document|
        by_operation = @peers.map { |peer| peer.new(document).contestants }
        self.class::OPERATIONS.each do |operation|
          @groups << Group.race(document.name, operation, by_operation.flat_map { |by| by[operation] }, **@options)
          yield "#{Table.group(@groups.last)}\n"
        end
      end
      yield Table.bars(bars, "bars")
      self
    end

    # There are no documents of several sizes.
    def growth = []

    private

    # @return [Group, nil] of the first document
    def group(operation) = @groups.find { |group| group.operation == operation }

    # @return [Hash{String => Document}] by part
    def documents = { "listing" => Documents.listing }

    # @param before [Array<String>] what a program has loaded already
    # @return [Float] how long a new process takes to load a file
    def milliseconds_of_require(path, before: ["sparpack"])
      script = <<~RUBY
        #{before.map { |library| "require #{library.dump}" }.join("\n")}
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        require #{path.dump}
        print (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000
      RUBY
      Array.new(5) { Float(IO.popen([RbConfig.ruby, "-I", LIBRARY, "-e", script], &:read)) }.min
    end

    # @yieldreturn [Proc] what is timed, made anew each time
    # @return [Float] the shortest time
    def least_milliseconds(times: 20)
      Array.new(times) do
        timed = yield
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        timed.call
        (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000
      end.min
    end
  end
end
