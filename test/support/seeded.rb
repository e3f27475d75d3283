# frozen_string_literal: true

# Random tests. SEED=n repeats a run, and a failure prints its n.
module Seeded
  SEED = Integer(ENV.fetch("SEED") { Random.new_seed % 0xffff })

  def random = @random ||= Random.new(SEED)

  def teardown
    warn "\n#{self.class}##{name} failed with SEED=#{SEED}" if @random && !passed? && !skipped?
    super
  end
end
