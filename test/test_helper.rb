# frozen_string_literal: true

require "minitest/autorun"
require "sparpack"
require_relative "support/backtraces"

# On s390x, only the page of a fault is known, and not its address. Ruby's compaction needs the address, and crashes or hangs
# without it. Ruby's own tests do not compact there, either (https://github.com/ruby/ruby/pull/5077).
if RUBY_PLATFORM.start_with?("s390x")
  %i[compact auto_compact= verify_compaction_references].each do |name|
    GC.singleton_class.undef_method(name) if GC.respond_to?(name)
  end
end

# A run for the sanitizers must not pass with another build.
if (expected = ENV.fetch("SPARPACK_NATIVE", nil))
  loaded = $LOADED_FEATURES.grep(%r{/sparpack/native\.}).map { |path| File.realpath(path) }
  abort "#{loaded} is loaded, #{expected} was asked for" unless loaded == [File.realpath(expected)]

  mode      = ENV.fetch("SPARPACK_MODE")
  sanitized = File.binread(expected).include?("__asan_init")
  abort "#{expected} is no #{mode} build" unless sanitized == %w[sanitize wires].include?(mode)
end
