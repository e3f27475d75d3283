# frozen_string_literal: true

require_relative "targets"
require_relative "choices"

name = ARGV.shift
target = Fuzzing::TARGETS.fetch(name) { abort "No target is called #{name}." }.call
input = lambda do |bytes|
  target.run(Fuzzing::Choices.new(bytes))
  0
rescue Exception => e # rubocop:disable Lint/RescueException -- none may jump over libFuzzer
  warn e.full_message(highlight: false)
  Process.kill(:ABRT, Process.pid) # libFuzzer writes the input to a file
end
exit Ruzzy.c_fuzz(input, [$PROGRAM_NAME, *ARGV])
