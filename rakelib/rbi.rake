# frozen_string_literal: true

desc "Write rbi/, the signatures for Sorbet, from sig/"
task :rbi do
  require_relative "../bin/lib/rbi_files"
  RBIFiles.write
end
