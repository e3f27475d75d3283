# frozen_string_literal: true

# Where all threads stand is printed when the process gets SIGQUIT. bin/test sends it to a test that takes too long; at a
# terminal, Ctrl-\ does.
module Backtraces
  # @return [String]
  def self.text
    Thread.list.map { |thread| [thread.inspect, *thread.backtrace].join("\n    ") }.join("\n\n")
  end

  # Written at once: the process may be killed next.
  Signal.trap(:QUIT) { $stderr.write("\n#{text}\n").then { $stderr.flush } }
end
