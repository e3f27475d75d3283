# frozen_string_literal: true

require "bundler"
require "rbconfig"
require_relative "command"

# Runs Ruby in a new process that has loaded nothing and has no Bundler. It can require Sparpack and all installed gems.
module FreshRuby
  ROOT = File.expand_path("../..", __dir__)

  # A sanitizer prints this once for each Ractor, whose stack Ruby allocates since 3.3. None of our stacks is concerned.
  UNKNOWN_STACK = %r{^==\d+==WARNING: ASan is ignoring requested __asan_handle_no_return.*?/issues/189\n}m

  # @param script [String]
  # @return [String] what it printed
  def fresh_ruby(script, *arguments, environment: {}, **options)
    output, status = Command.capture2e(FreshRuby.environment.merge(environment), RbConfig.ruby, "-W1", "-e", script, "--",
                                       *arguments, **options)
    assert_predicate status, :success?, output
    output.sub(UNKNOWN_STACK, "")
  end

  # @return [Object] what the script wrote to the file that its last argument names
  def fresh_result(script, *arguments, **options)
    Dir.mktmpdir do |folder|
      output = fresh_ruby(script, *arguments, "#{folder}/result", **options)
      assert_empty output
      Marshal.load(File.binread("#{folder}/result")) # rubocop:disable Security/MarshalLoad -- our own
    end
  end

  # @return [Hash{String => String, nil}]
  def self.environment
    library = $LOADED_FEATURES.grep(%r{/sparpack/native\.}).map { |path| File.expand_path("../..", path) }
    { **ENV.keys.grep(/\A(BUNDLE|GEM_|RUBYOPT)/).to_h { |name| [name, nil] },
      "RUBYLIB" => [*library, File.join(ROOT, "lib")].uniq.join(File::PATH_SEPARATOR),
      "GEM_HOME" => Bundler.bundle_path.to_s, "GEM_PATH" => Gem.path.join(File::PATH_SEPARATOR) }
  end
end
