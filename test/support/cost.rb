# frozen_string_literal: true

# What a block takes: memory that it allocates (even if it is freed), time of this process, and objects.
Cost = Struct.new(:bytes, :seconds, :objects, :result) do
  # The size of an object without malloc'ed memory. Ruby's versions name it differently.
  self::SLOT = GC::INTERNAL_CONSTANTS.values_at(:RVALUE_SIZE, :BASE_SLOT_SIZE).compact.first || 40

  # @yieldreturn [Object] the result; if the block raises, that is the exception
  def self.of
    GC.start(full_mark: false) # so that nothing is left to sweep and free meanwhile
    GC.disable
    objects, malloc, started = now
    result = begin
      yield
    rescue StandardError => e
      e
    end
    objects, malloc, seconds = now.zip([objects, malloc, started]).map { |after, before| after - before }
    new((objects * self::SLOT) + [malloc, 0].max, seconds, objects, result)
  ensure
    GC.enable
  end

  def self.now
    [GC.stat(:total_allocated_objects), GC.stat(:malloc_increase_bytes),
     Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)]
  end
  private_class_method :now
end
