# frozen_string_literal: true

require_relative "../clang"
require_relative "../setup"
require_relative "corpus"
require_relative "native"
require_relative "ruby"

module Fuzzing
  # Runs fuzzers of both kinds, several at once, and says what to do with what they find.
  class Run
    # Targets take turns that are at least this long, because each has to start anew and read its corpus.
    TURN = 60

    # The exit status after Ctrl+C, as shells have it.
    INTERRUPTED = 130

    # @param names [Array<String>] of targets, or what these begin with; none for all
    # @param time [Integer] seconds in all
    # @param jobs [Integer]
    # @param keep [Boolean] whether inputs are added to the corpora that are checked in
    # @param file [String, nil] the only input
    def initialize(names, time:, jobs:, keep:, file: nil, list: false)
      @names = names
      @time  = time
      @jobs  = jobs
      @keep  = keep
      @file  = file
      @list  = list
      @totals = Hash.new(0)
      @finds = []
    end

    # @return [Integer] the exit status: 1 if anything was found
    def run
      return list if @list

      targets = targets()
      Clang.command("clang") # before several ask for it at once
      targets.map(&:class).uniq.each(&:prepare)
      at_once(targets, &:prepare)
      return targets.sum { |target| target.once(@file) ? 0 : 1 }.clamp(0, 1) if @file

      take_turns(targets)
      at_once(targets, &:keep) if @keep
      report
    rescue Interrupt
      puts "", "Interrupted."
      report
      INTERRUPTED
    end

    private

    def list
      puts all.map(&:name)
      0
    end

    def all = @all ||= Native.all + Ruby.all

    # @return [Array<Runner>] each once, also if several names stand for it
    def targets
      return all if @names.empty?

      @names.flat_map do |name|
        found = all.select { |target| target.name == name }
        found = all.select { |target| target.name.start_with?(name.chomp("*")) } if found.empty?
        found.empty? ? abort("No target or file is called #{name}#{similar(name)}. See bin/fuzz --list.") : found
      end.uniq
    end

    # @return [String, nil] a hint at a target, if one has a similar name
    def similar(name)
      meant = DidYouMean::SpellChecker.new(dictionary: all.map(&:name)).correct(name).first
      " (did you mean #{meant}?)" if meant
    end

    def at_once(targets)
      queue = Queue.new
      targets.each { |target| queue << target }
      queue.close
      in_threads { while (target = queue.pop) do yield target end }
    end

    # The threads end with this method, and with them the programs that they wait for.
    def in_threads(&)
      threads = Array.new(@jobs) { Thread.new(&) }
      threads.each(&:join)
    ensure
      threads&.each(&:kill)&.each(&:join)
    end

    # Each target has its turn until the time is over. What a target finds ends only its own turns.
    def take_turns(targets)
      turn = [TURN, @time * @jobs / targets.size].max
      queue = Queue.new
      stop = now + @time
      rounds = (@time * @jobs / (turn * targets.size.to_f)).ceil
      rounds.times { targets.shuffle.each { |target| queue << target } }
      in_threads { turns(queue, turn, stop) }
    end

    def turns(queue, turn, stop)
      while (seconds = [turn, stop - now].min.ceil).positive?
        target = queue.pop(true)
        next if @finds.any? { |found, _| found == target }

        result = target.fuzz(seconds)
        @totals[target.name] += result.payloads
        puts result
        @finds << [target, result.found] if result.found
      end
    rescue ThreadError
      nil # the queue is empty
    end

    def report
      puts format("%<count>d payloads, %<ran>d of %<targets>d targets, %<finds>d finds",
                  count: @totals.values.sum, ran: @totals.size, targets: targets.size, finds: @finds.size)
      @finds.each { |target, file| puts advice(target, file) }
      @finds.empty? ? 0 : 1
    end

    def advice(target, file)
      return "\n#{target.name} ended without a word about it: #{file}" if file.end_with?("/log")

      <<~TEXT

        #{target.name} found #{file}.
          See it again:  bin/fuzz #{target.name} #{file}
          Its output:    #{target.folder}/log
          Mend it, write a test that names what went wrong, and add the input to fuzz/corpus/#{target.name}.txt:
            #{File.binread(file).unpack1("H*")}
      TEXT
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
