# frozen_string_literal: true

require "sparpack/drop_in/sparsam"
