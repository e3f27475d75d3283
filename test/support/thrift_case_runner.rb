# frozen_string_literal: true

require "json"
require "timeout"
require_relative "thrift_mode"

# Runs the cases of test/drop_in/thrift/cases in a process of its own, and prints their results as JSON:
#
#     ruby thrift_case_runner.rb gem|drop_in VERSION SHAPE FILE …
#
# VERSION may be empty. SHAPE is a folder with generated classes.
module ThriftCaseRunner
  SECONDS = 60

  Case = Struct.new(:name, :alone, :since, :block)

  @cases = []

  class << self
    attr_reader :cases

    # @return [String, nil] what names begin with, if the cases of several files run together
    attr_writer :file

    # @param alone [Boolean] whether it changes the process, and therefore runs in a child
    # @param since [String] the first version of the gem that the case is about
    def check(name, alone: false, since: nil, &block)
      name = "#{@file} #{name}" if @file
      raise ArgumentError, "two cases are named #{name}" if @cases.any? { |other| other.name == name }

      @cases << Case.new(name, alone, since, block)
    end

    def each_wire(name, wires = %i[compact binary accelerated], **options, &block)
      wires.each { |wire| check("#{name} (#{wire})", **options) { instance_exec(wire, &block) } }
    end

    # @return [Hash{String => Array<String>}] lines
    def results(version)
      @cases.select { |one| one.since.nil? || Gem::Version.new(one.since) <= version }.to_h do |one|
        [one.name, one.alone ? apart(one) : lines(one)]
      end
    end

    private

    def lines(one)
      result = Timeout.timeout(SECONDS) { Object.new.extend(ThriftTools).instance_exec(&one.block) }
      Array(result).map do |line|
        (line.is_a?(String) ? line : ThriftTools.show(line)).b.gsub(/0x\h{8,}/, "0x").force_encoding("UTF-8").scrub
      end
    rescue StandardError, NotImplementedError => e
      [ThriftTools.failure(e)]
    end

    # A crash is the result of one case, not of all.
    def apart(one)
      reader, writer = IO.pipe
      pid = fork do
        reader.close
        writer.write(JSON.generate(lines(one)))
        writer.close
        exit!(0)
      end
      writer.close
      text = Timeout.timeout(SECONDS) { reader.read }
      status = Process.wait2(pid).last
      status.success? ? JSON.parse(text) : ["The process ended by #{status.to_s.sub(/\Apid \d+ /, "")}"]
    rescue Timeout::Error
      Process.kill(:KILL, pid)
      Process.wait(pid)
      ["did not end"]
    end
  end
end

if $PROGRAM_NAME == __FILE__
  mode, version, shape, *files = ARGV
  ThriftMode.load(mode, version)
  ThriftMode.load_shop(shape)
  files.each do |file|
    ThriftCaseRunner.file = "#{File.basename(file, ".rb")}:" if files.size > 1
    ThriftCaseRunner.instance_eval(File.read(file), file)
  end
  print JSON.generate(ThriftCaseRunner.results(Gem.loaded_specs.fetch("thrift").version))
end
