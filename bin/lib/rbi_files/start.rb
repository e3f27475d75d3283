# frozen_string_literal: true

require_relative "../setup"

# What `rake rbi` runs, in a process that has not loaded another version of a gem than the Gemfile wants.
Setup.run(groups: %i[development test])
require_relative "../rbi_files"

RBIFiles.write
