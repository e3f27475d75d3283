# frozen_string_literal: true

# Runs a target under libFuzzer. bin/fuzz knows what must be loaded before Ruby:
#
#     ruby fuzz/ruby/harness.rb TARGET [libFuzzer's arguments …]

require_relative "targets"
require_relative "choices"

# The gem's own file slows all Integers down, to show their comparisons to libFuzzer.
module Ruzzy; end
require "cruzzy/cruzzy"

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
