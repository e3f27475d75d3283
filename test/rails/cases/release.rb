# frozen_string_literal: true

require "json"
require "open3"
require "rbconfig"
require_relative "../../support/deadline"

# A release of an application, which runs in a process of its own and evaluates what it is told.
class Release
  include Deadline

  SECONDS = 60

  PROGRAM = <<~'RUBY'
    require "json"
    $stdout.sync = true
    while (line = $stdin.gets)
      begin
        puts JSON.generate([eval(JSON.parse(line).first, TOPLEVEL_BINDING), nil])
      rescue StandardError, ScriptError => error
        puts JSON.generate([nil, "#{error.class}: #{error.message.inspect}"])
      end
    end
  RUBY

  Failed = Class.new(StandardError)

  # Runs a block with releases, and ends their processes.
  #
  # @param sources [Array<String>] what each of them begins with
  def self.run(*sources)
    releases = sources.map { |source| new.tap { |release| release.tell("#{source}\nnil") } }
    releases.each(&:answer)
    yield(*releases)
  ensure
    releases&.each(&:stop)
  end

  def initialize
    @input, @output, @process = Open3.popen2(RbConfig.ruby, "-W0", "-e", PROGRAM)
  end

  # @param source [String] of Ruby
  # @return [Object] its value, as JSON has it
  # @raise [Failed] with the class of an error and its message
  def call(source)
    tell(source)
    answer
  end

  # @param source [String]
  # @return [void]
  def tell(source) = @input.puts(JSON.generate([source]))

  # @return [Object] as {call} returns it
  # @raise [Failed]
  def answer
    value, error = JSON.parse(within("a release", seconds: SECONDS) { @output.gets } || "[null, \"it has ended\"]")
    raise Failed, error if error

    value
  end

  def stop
    @input.close
    Process.kill(:KILL, @process.pid) unless @process.join(SECONDS)
    @output.close
  end
end
