# frozen_string_literal: true

require "etc"

# The rooms are in bin/lib/mutation/rooms.rb. With [json,2,again], only those run that survived the last time.
desc "Mutate the sources of a room, and show what no test notices: rake 'mutants[json]'"
task :mutants, [:room, :jobs, :again] do |_, arguments|
  require_relative "../bin/lib/mutation/rooms"
  rooms = Mutation::ROOMS.keys.join(", ")
  room, jobs, again = arguments.to_h.values_at(:room, :jobs, :again)
  abort "Name a room, as in rake 'mutants[json]': #{rooms}" unless room
  abort "There is no room #{room}. There are #{rooms}" unless Mutation::ROOMS.key?(room.to_sym)
  abort "#{jobs} is no number of jobs" unless jobs.nil? || jobs.match?(/\A[1-9]\d*\z/)
  abort "After the number of jobs comes again, or nothing" unless [nil, "again"].include?(again)

  ruby "bin/lib/mutation/start.rb", room, (jobs || Etc.nprocessors).to_s, *again
end
