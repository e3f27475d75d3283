# frozen_string_literal: true

# bin/test: not sanitized, for test/message_pack runs the same native code

require "test_helper"
require "support/fresh_ruby"
require "tmpdir"

# `require "sparpack/drop_in/msgpack"` takes the place of the msgpack gem, whatever the order of requires is.
class DropInMsgpackTest < Minitest::Test
  include FreshRuby

  GEM = Gem::Specification.find_by_name("msgpack").full_gem_path

  # Everything that can be required from the gem.
  FILES = Dir["**/*.{rb,so,bundle}", base: "#{GEM}/lib"].flat_map { |file| [file, file.sub(/\.\w+\z/, "")] }.freeze

  # Where RubyGems is not the one that came with Ruby, Bundler defines some of its constants again.
  OTHERS_WARNINGS = %r{^/\S*/(?:bundler|rubygems)/\S+: warning: .*\n}

  STEPS = {
    drop_in: 'require "sparpack/drop_in/msgpack"', bundler: 'require "bundler/setup"', bootsnap: 'require "bootsnap/setup"',
    activation: 'gem "msgpack"', gem: 'require "msgpack"', require: "Bundler.require"
  }.freeze

  # Requires each of the gem's files, and at the end with the gem first in the load path.
  CHECK = <<~RUBY.freeze
    2.times do
      #{FILES}.each { |file| require file }
      $LOAD_PATH.unshift("#{GEM}/lib")
    end
    abort "not ours" unless MessagePack.equal?(Sparpack::MessagePack)
    loaded = $LOADED_FEATURES.grep(%r{/msgpack-\\d}) # its native library may be elsewhere
    abort "the gem is loaded: \#{loaded}" unless loaded.empty?
    print MessagePack.unpack([1, "a"].to_msgpack)
  RUBY

  # The same with the gem first in the load path from the start.
  AHEAD = <<~RUBY.freeze
    $LOAD_PATH.unshift("#{GEM}/lib")
    #{CHECK}
  RUBY

  def setup
    @folder = File.realpath(Dir.mktmpdir)
    File.write("#{@folder}/Gemfile", <<~RUBY)
      source "https://rubygems.org"
      gem "bootsnap", require: false
      gem "msgpack"
    RUBY
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_orders
    orders = [[:drop_in], %i[drop_in bundler], %i[drop_in activation]].flat_map { |steps| steps.permutation.to_a }
    orders += [%i[drop_in bundler require], %i[bundler drop_in require], %i[drop_in gem drop_in]]
    orders.product([CHECK, AHEAD]) { |order, script| assert_equal '[1, "a"]', run_steps(order, script), order.inspect }
  end

  # Runs twice, because the second time Bootsnap finds what it cached the first time.
  def test_orders_with_bootsnap
    orders = [%i[drop_in bootsnap], %i[drop_in bundler bootsnap]].flat_map { |steps| steps.permutation.to_a }
    right, wrong = orders.partition { |order| order.index(:drop_in) < order.index(:bootsnap) }
    right.each do |order|
      [CHECK, CHECK, AHEAD].each { |script| assert_equal '[1, "a"]', run_steps(order, script), order.inspect }
      FileUtils.rm_r("#{@folder}/cache")
    end
    wrong.each do |order|
      assert_equal "MessagePack is already loaded from #{GEM}/lib/msgpack/version.rb (Bootsnap loads it): require " \
                   '"sparpack/drop_in/msgpack" in config/boot.rb before "bootsnap/setup"', failure(order)
    end
  end

  # The cache may come from a time before the drop-in was used.
  def test_bootsnap_that_knew_the_gem
    assert_equal "Constant", run_steps(%i[bundler bootsnap], "print defined?(MessagePack).capitalize")
    assert_equal '[1, "a"]', run_steps(%i[drop_in bundler bootsnap], CHECK)
    assert_equal "MessagePack", run_steps(%i[bundler bootsnap], "print MessagePack.name")
  end

  def test_the_gem_came_first
    [%i[gem drop_in], %i[bundler gem drop_in]].each do |order|
      assert_equal "MessagePack is already loaded from #{GEM}/lib/msgpack/version.rb: require " \
                   '"sparpack/drop_in/msgpack" before anything that loads it', failure(order)
    end
    assert_equal "MessagePack true", run_steps([:gem], <<~RUBY)
      begin
        require "sparpack/drop_in/msgpack"
      rescue Sparpack::Error
        print MessagePack, " ", $LOAD_PATH.grep(/drop_in/).empty? # nothing has changed
      end
    RUBY
  end

  def test_nothing_is_warned_of
    assert_equal "", fresh_ruby("$VERBOSE = true\n#{STEPS[:drop_in]}")
  end

  def test_what_was_to_be_loaded_by_its_name
    assert_equal '[1, "a"]', run_steps([], "autoload :MessagePack, 'msgpack'\n#{STEPS[:drop_in]}\n#{CHECK}")
  end

  def test_side_by_side_without_the_drop_in
    assert_equal "MessagePack Sparpack::MessagePack true", run_steps(%i[bundler gem], <<~RUBY)
      require "sparpack/message_pack"
      print MessagePack, " ", Sparpack::MessagePack, " ", MessagePack.pack([1, "a"]) == Sparpack::MessagePack.pack([1, "a"])
    RUBY
  end

  def test_no_core_class_changes_without_the_drop_in
    assert_equal "[]", fresh_ruby(<<~RUBY)
      state = lambda do
        [BasicObject, Object, Kernel, Comparable, NilClass, TrueClass, FalseClass, Numeric, Integer, Float, String, Symbol, Array,
         Hash, Struct, Time, Exception, Enumerable, Module, Class].flat_map do |mod|
          [mod, mod.singleton_class].flat_map do |owner|
            names = owner.instance_methods(false) + owner.private_instance_methods(false)
            names.map { |name| [owner, owner.instance_method(name)] } + owner.included_modules.map { |found| [owner, found] }
          end
        end
      end
      require "set"
      before = state.call
      require "sparpack/message_pack"
      Sparpack::MessagePack.constants.each { |name| Sparpack::MessagePack.const_get(name) }
      print state.call - before
    RUBY
  end

  private

  def run_steps(order, script)
    fresh_ruby([*STEPS.values_at(*order), script].join("\n"), chdir: @folder, environment: {
                 "BOOTSNAP_CACHE_DIR" => "#{@folder}/cache", "BUNDLE_GEMFILE" => "#{@folder}/Gemfile"
               }).gsub(OTHERS_WARNINGS, "")
  end

  # @return [String] the message of the error that the drop-in raises
  def failure(order)
    run_steps(order.take_while { |step| step != :drop_in }, <<~RUBY)
      begin
        require "sparpack/drop_in/msgpack"
      rescue Sparpack::Error => e
        print e.message
      end
    RUBY
  end
end
