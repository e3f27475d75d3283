# frozen_string_literal: true

require "fileutils"
require "shellwords"
require_relative "corpus"

module Fuzzing
  ROOT = File.expand_path("../../..", __dir__)

  # A turn of a target: what libFuzzer says in the end, and the file that it wrote if it found something.
  Result = ::Struct.new(:name, :seconds, :inputs, :payloads, :features, :kept, :found) do
    def to_s
      format("%<name>-32s %<inputs>9d inputs, %<payloads>9d payloads, %<rate>6d a second, %<features>6d features, " \
             "%<kept>5d kept%<end>s",
             name:, inputs:, payloads:, rate: payloads / [seconds, 1].max, features: features.to_i, kept: kept.to_i,
             end: (" FOUND #{found}" if found))
    end
  end

  # A program of libFuzzer.
  class Runner
    # An input that takes longer than this is a find.
    PATIENCE = 60

    MEMORY = 3000 # MB

    # libFuzzer prefers inputs with rare features. To count these takes a third of the time of our targets. Without it they
    # reach more in the same time.
    SCHEDULE = %w[-entropic=0].freeze

    # What libFuzzer says at the end of a merge.
    MERGED = /^MERGE-OUTER: \d+ new files/

    attr_reader :name

    def initialize(name)
      @name = name
    end

    # @return [String] what is found is written to it
    def folder = File.join(ROOT, "tmp/fuzz", name)

    def inputs = File.join(folder, "inputs")

    # Makes what the target needs.
    def prepare
      FileUtils.mkdir_p(inputs)
      Corpus.new(name).unpack(inputs)
      seed if Dir.empty?(inputs)
    end

    # @param seconds [Integer]
    # @return [Result]
    def fuzz(seconds)
      before = finds
      started = now
      said = call([inputs, "-max_total_time=#{seconds}", "-max_len=#{most}", "-artifact_prefix=#{folder}/",
                   "-print_final_stats=1", "-rss_limit_mb=#{MEMORY}", "-detect_leaks=0", "-timeout=#{alarm}", *SCHEDULE],
                  seconds + PATIENCE)
      find = (finds - before).first
      find ||= hang unless said.include?("stat::number_of_executed_units")
      took = (now - started).to_i
      tried, payloads = %w[number_of_executed_units payloads].map do |name|
        said.scan(/stat::#{name}: +(\d+)/).last&.first.to_i
      end
      Result.new(name, took, tried, [tried, payloads].max, said.scan(/ft: (\d+)/).last&.first,
                 said.scan(%r{corp: (\d+)/}).last&.first, find && smallest(find))
    end

    # @param file [String]
    # @return [Boolean] whether nothing is wrong with it
    def once(file)
      system(environment, *command, file, chdir: ROOT)
    end

    # Keeps the inputs that reach more than the others. The next run begins with these, so that its turns do not read more
    # and more inputs.
    def keep
      merged = File.join(folder, "merged")
      FileUtils.rm_rf(merged)
      FileUtils.mkdir_p(merged)
      said = call(["-merge=1", "-max_len=#{most}", merged, inputs], 600)
      return if Dir.empty?(merged)

      Corpus.new(name).pack(merged)
      return unless said.match?(MERGED) # the time is over

      FileUtils.rm_rf(inputs)
      FileUtils.mv(merged, inputs)
    end

    private

    # Without a file, libFuzzer begins with an input of no bytes. It gives up if that reaches no native code.
    def seed
      random = Random.new(1)
      8.times { |number| File.binwrite("#{inputs}/seed-#{number}", random.bytes(most)) }
    end

    # @return [Integer] bytes of an input
    def most = 512

    # @return [Integer] the seconds after which libFuzzer itself gives an input up; 0 for never
    def alarm = PATIENCE

    # @return [String] the input that never ended, if the target has kept it; otherwise what it printed
    def hang
      return "#{folder}/log" unless File.exist?(current)

      "#{folder}/hang-#{Process.clock_gettime(Process::CLOCK_REALTIME, :second)}".tap { |path| FileUtils.cp(current, path) }
    end

    # Where a target in Ruby keeps its input while it runs.
    def current = File.join(folder, "current")

    def finds = Dir["#{folder}/{crash,leak,oom,timeout}-*"]

    # libFuzzer makes a smaller input that fails in the same way, or not.
    def smallest(find)
      return find unless finds.include?(find)

      small = "#{find}.small"
      call([find, "-minimize_crash=1", "-exact_artifact_path=#{small}", "-max_total_time=30"], 60, "minimize")
      File.exist?(small) ? small : find
    end

    # @return [String] what the program printed, which is kept in a file
    def call(arguments, seconds, log = "log")
      path = File.join(folder, log)
      pid = Process.spawn(environment, *command, *arguments, chdir: ROOT, out: path, err: %i[child out], in: File::NULL,
                                                             pgroup: true)
      wait(pid, seconds)
      File.binread(path).scrub("?")
    end

    # Ctrl+C does not reach the program, because its process group is not ours. So it is ended with the thread that waits.
    def wait(pid, seconds)
      ended = nil
      stop = now + seconds
      sleep(0.2) until (ended = Process.wait(pid, Process::WNOHANG)) || now > stop
    ensure
      unless ended
        Process.kill(:KILL, -pid)
        Process.wait(pid)
      end
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
