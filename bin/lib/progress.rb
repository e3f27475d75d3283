# frozen_string_literal: true

# A bar that shows how far a build is, on a terminal. It reads what make prints: "[12/76] compiling codec/decode".
#
#     [##########                              ] 19/76 codec/decode
class Progress
  WIDTH = 40
  STEP  = %r{\A\[\d+/(?<all>\d+)\] compiling (?<name>\S+)}

  # Clears the bar at the end.
  def self.show(io = $stderr)
    progress = new(io)
    yield progress
  ensure
    progress.clear
  end

  def initialize(io)
    @io = io
    @shown = io.tty?
    @begun = 0
  end

  # @param text [String] what make printed
  def line(text)
    return unless @shown && (step = text.match(STEP))

    @begun += 1
    done = (@begun - 1) * WIDTH / step[:all].to_i
    @io.print("\r\e[K[#{("#" * done).ljust(WIDTH)}] #{@begun}/#{step[:all]} #{step[:name]}")
    @io.flush
  end

  def clear
    @io.print("\r\e[K") if @shown && @begun.positive?
  end
end
