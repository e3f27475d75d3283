# frozen_string_literal: true

require "etc"
require "fileutils"
require "json"
require_relative "../build"
require_relative "rooms"
require_relative "sources"

module Mutation
  # Mutates the sources of a room, all in one build, and runs for each mutant the tests that reach it. It writes down which
  # mutants no test has noticed.
  class Run
    # How long a test may take with a mutant, compared with how long it took without, and seconds in addition.
    PATIENCE = [5, 10].freeze

    # Seconds that all tests of a file may take without a mutant.
    SURVEY = 900

    # A test file that is loaded, and waits.
    Server = Struct.new(:file, :pipe) do
      def ask(**command)
        pipe.puts(JSON.generate(command))
        pipe.flush
        JSON.parse(pipe.gets || raise("#{file} has ended"))
      end
    end

    # @param room [Symbol] one of ROOMS
    # @param jobs [Integer] how many mutants run at once
    # @param again [Boolean] whether to run only those that survived the last time, and that nobody has judged
    def initialize(room, jobs: Etc.nprocessors, again: false, io: $stdout)
      @sources, @tests, @slow = ROOMS.fetch(room)
      @room = room
      @jobs = jobs
      @again = again
      @io = io
      @folder = File.join(Build::ROOT, "tmp/mutants/#{room}")
      @lock = Mutex.new
      @counts = {} # of tests in each file
      @started = 0 # servers
    end

    # @return [Array<Sources::Mutant>] those that survived, and that nobody has judged
    def run
      mutants = write_sources
      count = mutants.size
      mutants = survivors(mutants) if @again
      compile(count)
      crews = Array.new(@jobs) { start_servers }
      reaching = survey(crews.first)
      @io.puts("#{mutants.size} mutants, #{reaching.size} reached by tests")
      queue = Queue.new(mutants.sample(mutants.size, random: Random.new(42))).close
      @outcomes = {}
      crews.map { |crew| Thread.new { work(crew, queue, reaching) } }.each(&:join)
      report(mutants)
    ensure
      crews&.flatten&.each { |server| server.pipe.close }
    end

    private

    def survivors(mutants)
      last = File.readlines("#{@folder}/survived.txt", chomp: true).tally
      Mutation.judged(@room).without(mutants.select { |mutant| (last[mutant.to_s] || 0).positive? })
    end

    def write_sources
      FileUtils.rm_rf(["#{@folder}/ext", "#{@folder}/lib", "#{@folder}/reached"])
      FileUtils.mkdir_p(["#{@folder}/lib/sparpack", "#{@folder}/reached"])
      FileUtils.cp_r(File.join(Build::ROOT, "ext"), @folder)
      FileUtils.cp(File.join(Build::ROOT, "lib/sparpack/version.rb"), "#{@folder}/lib/sparpack")
      FileUtils.cp(File.join(__dir__, "mutant.hpp"), "#{@folder}/ext/sparpack")
      sources = Sources.new
      base = "#{@folder}/ext/sparpack"
      @sources.flat_map { |pattern| Dir[pattern, base:].sort }.each { |path| mutate(sources, base, path) }
      native = File.read("#{base}/native.cpp")
      File.write("#{base}/native.cpp", native.sub(/^.*Init_native\(.*\{\n/) do |line|
        "void mutation_init();\n#{line}    mutation_init();\n"
      end)
      sources.mutants
    end

    def mutate(sources, base, path)
      text = sources.mutate(File.read("#{base}/#{path}"), path)
      include_line = "#include \"#{"../" * path.count("/")}mutant.hpp\"\n"
      File.write("#{base}/#{path}", text.sub(/^#include|(?<=^#pragma once\n)/) { |place| include_line + place })
    end

    def compile(count)
      build = "#{@folder}/build"
      FileUtils.mkdir_p(build)
      File.write("#{@folder}/ext/sparpack/mutant.cpp",
                 "#define SPARPACK_MUTANTS #{count}\n#{File.read(File.join(__dir__, "mutant.cpp"))}")
      command([RbConfig.ruby, "../ext/sparpack/extconf.rb"], build)
      makefile = File.read("#{build}/Makefile")
      File.write("#{build}/Makefile", makefile.gsub("-O2", "-O1").sub(/^CXXFLAGS = .*/, "\\0 -g0 -w"))
      command(["make", "-j#{Etc.nprocessors}"], build)
      FileUtils.mkdir_p("#{@folder}/load/sparpack")
      FileUtils.cp("#{build}/native.so", library)
    end

    def command(line, folder)
      output = IO.popen(line, chdir: folder, err: %i[child out], &:read)
      abort("#{output}#{line.join(" ")} failed") unless $?.success?
    end

    def library = "#{@folder}/load/sparpack/native.so"

    def environment
      path = ["#{@folder}/load", File.join(Build::ROOT, "lib"), ENV.fetch("RUBYLIB", nil)].compact
      { "RUBYLIB" => path.join(File::PATH_SEPARATOR), "SPARPACK_MODE" => "release", "SPARPACK_NATIVE" => library,
        "MT_CPU" => "1" }
    end

    def start_servers = @tests.map { |name| start_server(name) }

    def start_server(name, mutant = 0)
      file = File.join(Build::ROOT, "test/#{name}.rb")
      reached = "#{@folder}/reached/#{@lock.synchronize { @started += 1 }}"
      variables = { **environment, "SPARPACK_MUTANT" => mutant.to_s, "SPARPACK_MUTANTS_REACHED" => reached }
      command = [variables, RbConfig.ruby, "-I#{File.join(Build::ROOT, "test")}", File.join(__dir__, "server.rb"), file]
      Server.new(name, IO.popen(command, "r+", chdir: Build::ROOT, err: "#{@folder}/log"))
    end

    # @return [Hash{Integer => Array}] which tests reach a mutant: [server's index, test's index, seconds]
    def survey(crew)
      reaching = Hash.new { |hash, key| hash[key] = [] }
      @loading = Hash.new { |hash, key| hash[key] = [] }
      crew.each_with_index do |server, index|
        loading, tests = server.ask(survey: SURVEY)
        loading.each { |number| @loading[number] << index }
        @counts[server.file] = tests.size
        tests.each_with_index do |(name, seconds, reached, passed), test|
          @io.puts("#{server.file}: #{name} fails without a mutant") unless passed
          next if !passed || @slow&.match?(name)

          reached.each { |number| reaching[number] << [index, test, seconds] }
        end
      end
      reaching.default = nil
      reaching
    end

    def work(crew, queue, reaching)
      while (mutant = queue.pop)
        outcome = judge(crew, mutant.number, reaching[mutant.number])
        @lock.synchronize do
          @outcomes[mutant.number] = outcome
          shown = outcome.first == "survived" || (@outcomes.size % 100).zero?
          @io.puts("#{@outcomes.size}: #{outcome.join(" ")} -- #{mutant}") if shown
        end
      end
    end

    # Quick tests come first, file by file.
    def judge(crew, number, tests)
      outcome = tests ? judge_loaded(crew, number, tests) : ["unreached"]
      return outcome if !@loading.key?(number) || %w[survived unreached].none?(outcome.first)

      @loading[number].each do |index|
        outcome = judge_while_loading(@tests[index], number)
        return outcome unless outcome.first == "survived"
      end
      ["survived"]
    end

    # Some code runs only once, while the tests are loaded.
    def judge_while_loading(name, number)
      server = start_server(name, number)
      count = @counts.fetch(name)
      server.ask(mutant: number, tests: (0...count).to_a, seconds: SURVEY)
    rescue RuntimeError # the file cannot be loaded with it
      ["killed", name]
    ensure
      server&.pipe&.close
    end

    def judge_loaded(crew, number, tests)
      by_file = tests.group_by(&:first).sort_by { |_, group| group.sum(&:last) / group.size }
      by_file.each do |index, group|
        group = group.sort_by(&:last)
        seconds = (group.sum(&:last) * PATIENCE[0]) + PATIENCE[1]
        outcome = crew[index].ask(mutant: number, tests: group.map { |_, test, _| test }, seconds:)
        return outcome unless outcome.first == "survived"
      end
      ["survived"]
    end

    def report(mutants)
      groups = mutants.group_by { |mutant| @outcomes.fetch(mutant.number).first }
      @io.puts(groups.map { |outcome, list| "#{list.size} #{outcome}" }.sort.join(", "))
      %w[survived unreached].each do |outcome|
        File.write("#{@folder}/#{outcome}.txt", groups.fetch(outcome, []).map { |mutant| "#{mutant}\n" }.join)
      end
      compare(Mutation.judged(@room), groups.fetch("survived", []))
    end

    def compare(judged, survivors)
      unknown = judged.without(survivors)
      @io.puts("", "Not in #{judged.path}:", *unknown) unless unknown.empty?
      return unknown if @again # none that is judged has run

      noticed = judged.missing(survivors)
      @io.puts("", "In #{judged.path}, but tests notice it by now:", *noticed) unless noticed.empty?
      unknown
    end
  end
end
