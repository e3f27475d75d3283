# frozen_string_literal: true

require "etc"
require "optparse"
require "rbconfig"
require "tmpdir"
require_relative "pages"
require_relative "suites/ablation"
require_relative "suites/convert"
require_relative "suites/core"
require_relative "suites/idl"
require_relative "suites/inspect"
require_relative "suites/lazy"
require_relative "suites/lz4"
require_relative "suites/mapping"
require_relative "suites/message_pack"
require_relative "suites/sparsam"
require_relative "suites/struct_json"
require_relative "suites/struct_message_pack"
require_relative "suites/thrift"
require_relative "suites/thrift_json"
require_relative "table"

module Bench
  # The command line.
  class CLI
    SUITES = { "core" => Suites::Core, "convert" => Suites::Convert, "idl" => Suites::IDL, "inspect" => Suites::Inspect,
               "lazy" => Suites::Lazy, "lz4" => Suites::LZ4, "mapping" => Suites::Mapping,
               "message_pack" => Suites::MessagePack, "sparsam" => Suites::Sparsam, "struct_json" => Suites::StructJson,
               "struct_message_pack" => Suites::StructMessagePack, "thrift" => Suites::Thrift,
               "thrift_json" => Suites::ThriftJson, "ablation" => Suites::Ablation }.freeze

    def initialize(arguments, output: $stdout)
      @output = output
      @options = { suite: "core", time: 0.02, rounds: 20, only: nil, json: nil, picture: nil }
      parser.parse(arguments, into: @options)
      return if @options[:pages] || @options[:redraw]

      abort "The suite #{@options[:suite]} has no picture." if @options[:picture] && !suite.method_defined?(:picture)
    rescue OptionParser::ParseError => e
      abort "#{e.message}, see bin/bench --help"
    end

    def run
      return draw if @options[:pages] || @options[:redraw]

      missing = suite::PEERS.to_h { |peer| [peer, peer.missing] }.compact
      @output.puts(*missing.values, "") unless missing.empty?
      run = suite.new(suite::PEERS - missing.keys, parts: parts(suite), **@options.slice(:time, :rounds))
      run.run { |table| @output.puts(table) && @output.flush }
      write(run, suite::PEERS - missing.keys, missing.values) if @options[:json]
      File.write(@options[:picture], run.picture) if @options[:picture]
    end

    # @return [Hash] options for Setup: the build mode, if the suite needs a special one
    def setup = suite.const_defined?(:MODE) ? { mode: suite::MODE } : {}

    private

    def suite = SUITES.fetch(@options[:suite])

    def parser
      OptionParser.new do |parser|
        parser.banner = "Usage: bin/bench [options]"
        parser.on("--suite NAME", SUITES.keys, "#{SUITES.keys.join(", ")} (default: core)")
        parser.on("--only NAMES", Array, "only these parts of the suite; the start of a name is enough",
                  *SUITES.map { |name, suite| "#{name}: #{suite::PARTS.join(", ")}" })
        parser.on("--time SECONDS", Float, "CPU time per window (default and minimum: 0.02)")
        parser.on("--rounds N", Integer, "rounds of windows (default: 20)")
        parser.on("--json FILE", "also write all numbers to this file")
        parser.on("--picture FILE", "also write an SVG to this file (ablation)")
        parser.on("--pages", "measure what README.md and docs/performance.md show, and write",
                  "their tables, docs/images/speed.svg and bench/figures.json")
        parser.on("--redraw", "write the tables and the picture again, from bench/figures.json")
      end
    end

    # Writes the tables and the picture of the pages.
    def draw
      require "json"
      if @options[:pages]
        reports = Figures::SUITES.to_h { |suite, parts| [suite, report(suite, parts)] }
        File.write(Figures::FILE, "#{JSON.pretty_generate(Figures.measured(reports).to_h)}\n")
      end
      Pages.new(Figures.load).write
    end

    # Each suite runs in a process of its own, because a drop-in changes a gem that another suite measures, and so does each
    # of the parts that are named, because what one leaves on the heap scatters the objects of the next.
    # @return [Hash] what the processes have written
    def report(suite, parts)
      return report_of(suite) unless parts

      parts.map { |part| report_of(suite, part) }.reduce do |all, report|
        all.merge(report.slice("results", "memory")) { |_, list, more| list + more }
      end
    end

    def report_of(suite, part = nil)
      Dir.mktmpdir do |folder|
        file = File.join(folder, "report.json")
        only = ["--only", part] if part
        pace = @options.slice(:time, :rounds).flat_map { |name, number| ["--#{name}", number.to_s] }
        system(RbConfig.ruby, File.join(Pages::ROOT, "bin/bench"), "--suite", suite, *only, "--json", file, *pace,
               exception: true)
        JSON.parse(File.read(file))
      end
    end

    def parts(suite)
      return suite::PARTS unless @options[:only]

      @options[:only].flat_map do |name|
        found = suite::PARTS.select { |part| part.start_with?(name) }
        found.empty? ? abort("The suite has no part #{name} (known: #{suite::PARTS.join(", ")})") : found
      end.uniq
    end

    def write(run, peers, missing)
      require "json" # not earlier, because it is a peer whose version the setup chooses
      report = { suite: @options[:suite], **machine, versions: peers.to_h { |peer| [peer.title, peer.version] }.compact,
                 missing:, results: run.groups.flat_map(&:rows), growth: run.growth, bars: run.bars.map(&:to_h) }
      report[:memory] = run.memory.map(&:to_h) if run.respond_to?(:memory)
      File.write(@options[:json], JSON.pretty_generate(report))
    end

    def machine
      cpu = File.exist?("/proc/cpuinfo") ? File.read("/proc/cpuinfo")[/^model name\s*: (.*)/, 1] : nil
      { ruby: RUBY_DESCRIPTION, cpu:, processors: Etc.nprocessors, **@options.slice(:time, :rounds) }
    end
  end
end
