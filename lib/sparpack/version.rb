# frozen_string_literal: true

module Sparpack
  # The gem's version: semantic versioning.
  VERSION = "0.1.0"
end
