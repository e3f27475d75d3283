# frozen_string_literal: true

module Bench
  # The memory of this process. Works with glibc; elsewhere nothing happens.
  module Allocator
    # Parameters of glibc's mallopt.
    TRIM_THRESHOLD = -1
    MMAP_THRESHOLD = -3

    class << self
      # Keeps memory that is freed from now on. Otherwise glibc gives it back to the system after each `GC.start`, and the
      # next window starts with thousands of page faults. A virtual machine may need 15 us for one, as long as 60 encodes
      # of a listing take. Large Strings come from the same memory, as they do in any process after a few of them are freed.
      def keep
        set(TRIM_THRESHOLD, -1)
        set(MMAP_THRESHOLD, 32 << 20)
      end

      # Gives free memory back to the system. Since 3.3, Ruby can do so itself.
      # @return [Boolean] whether that was done
      def trim
        return Process.warmup if Process.respond_to?(:warmup)

        GC.start
        !call("malloc_trim", 0).nil?
      end

      private

      def set(parameter, value) = call("mallopt", parameter, value)

      # @return [Integer, nil] nil if there is no such function, or no Fiddle
      def call(name, *numbers)
        return unless fiddle?

        Fiddle::Function.new(Fiddle::Handle::DEFAULT[name], [Fiddle::TYPE_INT] * numbers.size, Fiddle::TYPE_INT).call(*numbers)
      rescue Fiddle::DLError
        nil
      end

      def fiddle?
        require "fiddle" # a separate gem since Ruby 4.0
        true
      rescue LoadError
        false
      end
    end
  end
end
