# frozen_string_literal: true

require "minitest/autorun"
require_relative "small_application"

Minitest.after_run { FileUtils.rm_rf(SmallApplication::FOLDER) }
