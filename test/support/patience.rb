# frozen_string_literal: true

# How much longer than usual tests wait: an emulated machine is many times as slow (bin/test --machine).
module Patience
  FACTOR = Float(ENV.fetch("SPARPACK_PATIENCE", 1))

  # @param seconds [Numeric] how long a wait may take on a usual machine
  # @return [Numeric] how long it may take here
  def self.of(seconds) = FACTOR == 1 ? seconds : seconds * FACTOR
end
