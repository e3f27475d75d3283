# frozen_string_literal: true

# Sparpack::Karafka looks for one of its frameworks, which are not in the bundle. What needs no record works without.
module WaterDrop; end
