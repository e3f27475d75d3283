# frozen_string_literal: true

desc "Count instructions (callgrind), here and in other revisions: rake 'instructions[HEAD,v0.1.0]'"
task :instructions, [] => :compile do |_, arguments|
  require_relative "../bench/instructions/report"
  revisions = arguments.extras
  Bench::Instructions::Report.new(revisions.empty? ? Bench::Instructions::Report::REVISIONS : revisions).print
end
