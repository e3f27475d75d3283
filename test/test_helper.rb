# frozen_string_literal: true

require "minitest/autorun"
require "sparpack"
require_relative "support/backtraces"

# A run for the sanitizers must not pass with another build.
if (expected = ENV.fetch("SPARPACK_NATIVE", nil))
  loaded = $LOADED_FEATURES.grep(%r{/sparpack/native\.}).map { |path| File.realpath(path) }
  abort "#{loaded} is loaded, #{expected} was asked for" unless loaded == [File.realpath(expected)]

  mode      = ENV.fetch("SPARPACK_MODE")
  sanitized = File.binread(expected).include?("__asan_init")
  abort "#{expected} is no #{mode} build" unless sanitized == %w[sanitize wires].include?(mode)
end
