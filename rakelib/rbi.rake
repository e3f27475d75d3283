# frozen_string_literal: true

desc "Write rbi/, the signatures for Sorbet, from sig/"
task(:rbi) { ruby "bin/lib/rbi_files/start.rb" }
