# frozen_string_literal: true

require_relative "allocator"

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
      return unless File.exist?("/proc/self/status") && Allocator.trim

      run do
        before = resident("VmRSS")
        kept = yield
        kept && (resident("VmHWM") - before)
      end
    end

    def resident(row)
      File.read("/proc/self/status")[/^#{row}:\s+(\d+) kB/, 1].to_i * 1024
    end

    private_class_method :resident
  end
end
