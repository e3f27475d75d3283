# frozen_string_literal: true

require_relative "../bin/lib/setup"

# The rooms are in bin/lib/mutation/rooms.rb. With [json,2,again], only those run that survived the last time.
desc "Mutate the sources of a room, and show what no test notices: rake 'mutants[json]'"
task :mutants, [:room, :jobs, :again] do |_, arguments|
  Setup.run(groups: %i[development test])
  require_relative "../bin/lib/mutation/run"
  room = arguments[:room]&.to_sym
  abort "Name a room: #{Mutation::ROOMS.keys.join(", ")}" unless Mutation::ROOMS.key?(room)

  Mutation::Run.new(room, jobs: (arguments[:jobs] || Etc.nprocessors).to_i, again: arguments[:again] == "again").run
end
