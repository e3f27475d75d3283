# frozen_string_literal: true

require "pty"

# Tests that need a terminal.
module PseudoTerminal
  private

  # @return [Array<IO>] as PTY.open
  def pseudo_terminal
    PTY.open
  rescue SystemCallError, RuntimeError => e
    skip "there is no pseudo terminal: #{e.message}"
  end
end
