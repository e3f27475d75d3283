# frozen_string_literal: true

# What something takes: memory that was allocated for it (not: kept), time of this process, and objects.
Cost = Struct.new(:bytes, :seconds, :objects, :result) do
  # Bytes of an object, beside what it takes from malloc. Rubies name it differently.
  self::SLOT = GC::INTERNAL_CONSTANTS.values_at(:RVALUE_SIZE, :BASE_SLOT_SIZE).compact.first || 40

  # @yieldreturn [Object] an exception that is raised is the result, too
  def self.of
    GC.start(full_mark: false) # nothing is left to be swept, and freed, meanwhile
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
