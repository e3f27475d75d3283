# frozen_string_literal: true

require_relative "../setup"

# What `rake mutants` runs, in a process that has not loaded another version of a gem than the Gemfile wants.
Setup.run(groups: %i[development test])
require_relative "run"

room, jobs, again = ARGV
Mutation::Run.new(room.to_sym, jobs: jobs.to_i, again: again == "again").run
