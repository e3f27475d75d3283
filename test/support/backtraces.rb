# frozen_string_literal: true

# Prints where all threads are when the process gets SIGQUIT. bin/test sends it to a test that takes too long. In a terminal,
# Ctrl-\ sends it.
module Backtraces
  # @return [String]
  def self.text
    Thread.list.map { |thread| [thread.inspect, *thread.backtrace].join("\n    ") }.join("\n\n")
  end

  # Flushed at once, because the process may be killed next.
  Signal.trap(:QUIT) { $stderr.write("\n#{text}\n").then { $stderr.flush } }
end
