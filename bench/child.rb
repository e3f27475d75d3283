# frozen_string_literal: true

module Bench
  # Runs work in a forked process. It starts with the objects of this process, and its garbage and scattered heap are gone
  # when it ends.
  module Child
    module_function

    # @return [Object] what the block returns
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

    # Returns the most resident memory, in bytes, that the block needs on top of what is there already. Free memory is
    # given back to the system first, because reusing it would not show. The high-water mark of a forked process starts at
    # its resident memory. Pages that are reserved but never touched do not count.
    # @return [Integer, nil] nil if the system does not report it
    def peak
      return unless File.exist?("/proc/self/status") && trim

      run do
        before = resident("VmRSS")
        kept = yield
        kept && (resident("VmHWM") - before)
      end
    end

    # Gives free memory back to the system. Since 3.3, Ruby can do so itself. Since 4.0, Fiddle is a separate gem.
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
