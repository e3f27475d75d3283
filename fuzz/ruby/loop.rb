# frozen_string_literal: true

require_relative "targets"
require_relative "choices"

# libFuzzer ends the process itself, so this is said after every so many inputs.
REPORT = 100

name = ARGV.shift
target = Fuzzing::TARGETS.fetch(name) { abort "No target is called #{name}." }.call
runs = 0
current = ENV["FUZZED_INPUT"]&.then { |path| File.open(path, "wb") } # the only trace of an input that never ends
current&.sync = true
input = lambda do |bytes|
  current&.truncate(0)
  current&.pwrite(bytes, 0)
  target.run(Fuzzing::Choices.new(bytes))
  runs += 1
  warn "stat::payloads: #{target.payloads}" if (runs % REPORT).zero?
  0
rescue Exception => e # rubocop:disable Lint/RescueException -- none may jump over libFuzzer
  warn e.full_message(highlight: false)
  Process.kill(:ABRT, Process.pid) # libFuzzer writes the input to a file
end
# To merge inputs and to make one smaller, libFuzzer starts this program again, by a shell.
exit Ruzzy.c_fuzz(input, [ENV.fetch("FUZZED_BY", $PROGRAM_NAME), *ARGV])
