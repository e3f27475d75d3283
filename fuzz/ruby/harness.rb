# frozen_string_literal: true

# Runs a target under libFuzzer. bin/fuzz knows what must be loaded before Ruby:
#
#     ruby fuzz/ruby/harness.rb TARGET [libFuzzer's arguments …]

# The gem's own file slows all Integers down, to show their comparisons to libFuzzer.
module Ruzzy; end
require "cruzzy/cruzzy"
require_relative "targets"

body = File.join(__dir__, "loop.rb")
# The branches of Ruby code are watched where there is no native code. This is slow.
Fuzzing::IN_RUBY.include?(ARGV.first) ? Ruzzy.c_trace(body) : require(body)
