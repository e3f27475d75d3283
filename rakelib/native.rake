# frozen_string_literal: true

require_relative "../bin/lib/build"
require_relative "../bin/lib/depend"

desc "Compile the native part into lib/"
task compile: :depend do
  Build.new.run
end

namespace :compile do
  (Build::MODES.keys - [:release]).each do |mode|
    desc "Compile the #{mode} build into #{Build.new(mode).folder.delete_prefix("#{Build::ROOT}/")}"
    task(mode => :depend) { Build.new(mode).run }
  end
end

desc "Write ext/*/depend, the lists of headers that each source needs"
task(:depend) { Depend.write }

desc "Remove all builds"
task :clean do
  rm_rf [File.join(Build::ROOT, "tmp/build"), *Build::PARTS.keys.map { |part| Build.new(part:).library }]
end
