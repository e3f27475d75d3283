# frozen_string_literal: true

module Sparpack
  module CLI
    class Terminal
      # Shows how far a job has come, in one terminal line that is repainted and removed at the end.
      class Progress
        # Seconds between two updates, and before the first one. A job that ends sooner shows nothing.
        PAUSE = 0.1
        PATIENCE = 0.3

        UNITS = %w[bytes KB MB GB TB].freeze
        private_constant :PAUSE, :PATIENCE, :UNITS

        # @param terminal [Terminal]
        # @param name [String] the name of the job
        # @param total [Integer, nil] the size in bytes; nil if unknown
        # @param clock [#call] returns seconds
        def initialize(terminal, name, total, clock: -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) })
          @terminal = terminal
          @name = Quote.path(name)
          @total = total
          @clock = clock
          @start = clock.call
          @next = @start + PATIENCE
        end

        # @param done [Integer] how many bytes are done
        # @return [void]
        def show(done)
          now = @clock.call
          return if now < @next

          @next = now + PAUSE
          @painted = true
          @terminal.print("\r#{line(done, now - @start, @terminal.width - 1)}\e[K")
        end

        # @return [void]
        def clear
          @terminal.print("\r\e[K") if @painted
          @painted = false
        end

        # @param done [Integer] how many bytes are done
        # @param seconds [Float]
        # @param width [Integer] columns
        # @return [String]
        def line(done, seconds, width)
          speed = done / seconds
          text = "#{@total ? "#{size(done)} of #{size(@total)}" : size(done)}, #{size(speed)}/s"
          text << ", #{time((@total - done) / speed)} left" if @total && speed.positive? && @total >= done
          text = "#{bar(done, width - @name.size - text.size - 10)} #{text}" if @total&.positive?
          "#{@name} #{text}"[0, [width, 0].max]
        end

        private

        def bar(done, width)
          part = [done.fdiv(@total), 1].min
          percent = format("%3d%%", (part * 100).floor)
          return percent if width < 10

          width = [width, 40].min
          full = (part * width).floor
          "#{percent} [#{"=" * full}#{" " * (width - full)}]"
        end

        def size(bytes)
          power = 0
          power += 1 while power < UNITS.size - 1 && bytes >= 1000**(power + 1)
          power.zero? ? "#{bytes.round} bytes" : format("%.1f %s", bytes.fdiv(1000**power), UNITS[power])
        end

        def time(seconds)
          minutes, seconds = seconds.ceil.divmod(60)
          hours, minutes = minutes.divmod(60)
          hours.positive? ? format("%d:%02d:%02d", hours, minutes, seconds) : format("%d:%02d", minutes, seconds)
        end
      end
    end
  end
end
