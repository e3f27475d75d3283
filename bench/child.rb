# frozen_string_literal: true

module Bench
  # Work in a process of its own, which begins with this one's objects, and takes its garbage and its scattered heap
  # along when it ends.
  module Child
    module_function

    # @return [Object] what the block answers
    def run
      reader, writer = IO.pipe(binmode: true)
      child = fork do
        reader.close
        writer.write(Marshal.dump(yield))
        writer.close
        exit!
      end
      writer.close
      answer = reader.read
      Process.wait(child)
      answer.empty? ? raise("a measuring process failed: #{$?}") : Marshal.load(answer) # rubocop:disable Security/MarshalLoad -- our own child wrote it
    ensure
      reader.close
    end

    # How much resident memory the block needs on top of what is there, at its worst moment, in bytes. A forked process
    # starts with its high-water mark at what is resident then; before, free memory goes back to the system, or it would
    # be used again unseen. Pages that are reserved and never touched cost nothing and do not count.
    # @return [Integer, nil] nil where the system does not tell
    def peak
      return unless File.exist?("/proc/self/status") && trim

      run do
        before = resident("VmRSS")
        kept = yield
        kept && (resident("VmHWM") - before)
      end
    end

    # Gives free memory back to the system. Ruby does so itself since 3.3; Fiddle is a gem of its own since 4.0.
    # @return [Boolean] whether that was done
    def trim
      return Process.warmup if Process.respond_to?(:warmup)

      require "fiddle"
      GC.start
      Fiddle::Function.new(Fiddle::Handle::DEFAULT["malloc_trim"], [Fiddle::TYPE_LONG], Fiddle::TYPE_INT).call(0)
      true
    rescue Fiddle::DLError
      false
    end

    def resident(row)
      File.read("/proc/self/status")[/^#{row}:\s+(\d+) kB/, 1].to_i * 1024
    end

    private_class_method :trim, :resident
  end
end
