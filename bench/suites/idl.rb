# frozen_string_literal: true

require_relative "../bars"
require_relative "../idl_text"
require_relative "../table"
require_relative "../window"
require_relative "../peers"
require "tmpdir"

module Bench
  module Suites
    # Measures how much of a .thrift file of 50,000 lines each step reads in a second.
    class IDL
      PEERS = [Bench::Peers::Sparpack].freeze
      LINES = 50_000
      PARTS = %w[tokens parse link load format generate].freeze

      # A step. `run(count)` runs it that many times.
      Step = ::Struct.new(:name, :turn) do
        def run(count) = count.times { turn.call }
      end
      Row = ::Struct.new(:step, :seconds, :bytes, :gc) do
        def rate = bytes / seconds / 1e6
      end

      # The results, in the form of the report.
      Rows = ::Struct.new(:all) do
        def rows = all.map(&:to_h)
      end

      attr_reader :growth

      # @param _peers [Array<Class>] ignored: there is only one
      # @param parts [Array<String>] some of PARTS
      # @param time [Float] seconds per window; one turn takes longer
      # @param rounds [Integer] the best of them counts; five are enough
      def initialize(_peers, parts: PARTS, time: 0.02, rounds: 20)
        @parts = parts
        @rounds = [rounds, 5].min
        @time = time
        @growth = []
        @rows = []
      end

      # @yieldparam table [String]
      # @return [self]
      def run
        text = IDLText.new(LINES).to_s
        Dir.mktmpdir do |folder|
          path = File.join(folder, "many_lines.thrift")
          File.write(path, text)
          @rows = steps(text, path).map { |step| measure(step, text.bytesize) }
        end
        yield "#{table(text)}\n\n"
        yield Table.bars(bars, "bars") unless bars.empty?
        self
      end

      def groups = [Rows.new(@rows)]

      def bars
        load = @rows.find { |row| row.step == "load" } or return []
        [Bars::Bar.new("text to classes (load): MB per second", "at least 1", load.rate, load.rate >= 1)]
      end

      private

      # Each step includes those that it needs: `load` parses, links and defines classes.
      def steps(text, path)
        all = {
          "tokens" => -> { Sparpack::IDL::Lexer.new(Sparpack::IDL::Source.new(text)).run },
          "parse" => -> { Sparpack::IDL.parse(text) },
          "link" => -> { Sparpack::IDL.link(path) },
          "load" => -> { Sparpack::IDL.load(path, into: Module.new) },
          "format" => -> { Sparpack::IDL.format(text) },
          "generate" => -> { Sparpack::Generate.files([path], rbs: true, rbi: true) }
        }
        all.slice(*@parts).map { |name, turn| Step.new(name, turn) }
      end

      def measure(step, bytes)
        count = Window.turns(step, @time)
        best = Array.new(@rounds) { Window.measure(step, count) }.min_by(&:seconds)
        Row.new(step.name, best.seconds, bytes, best.gc)
      end

      def table(text)
        head = ["IDL of #{text.count("\n")} lines, #{text.bytesize} bytes", "seconds", "MB/s", "in GC"]
        Table.table(head, @rows.map do |row|
          [row.step, format("%.3f", row.seconds), format("%.2f", row.rate), format("%d%%", row.gc * 100)]
        end)
      end
    end
  end
end
