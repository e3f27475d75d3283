# frozen_string_literal: true

require "minitest/autorun"
require "open3"
require "rbconfig"
require_relative "../../support/patience"

# What `require "sparpack/rails"` loads.
class LoadingTest < Minitest::Test
  # After Rails, the core and these files. The others are loaded when they are first used.
  FILES = %w[rails.rb rails/railtie.rb].freeze

  # The core alone takes about 15 ms (test/house/loading_test.rb holds what it loads). This limits what comes on top.
  MILLISECONDS = 5

  RAILS = 'require "rails"; require "active_record/railtie"; require "action_controller/railtie"; '

  def test_files_after_rails
    loaded = ruby("#{RAILS} require 'sparpack'; before = $LOADED_FEATURES.dup; require 'sparpack/rails'
                   puts(($LOADED_FEATURES - before).map { |path| path[%r{.*/lib/(?:sparpack/)?(.*)}, 1] })")

    assert_equal FILES, loaded.lines(chomp: true).sort
  end

  # A garbage collection in between would take 6 ms alone, because Rails has many objects.
  def test_time
    took = Array.new(5) do
      Float(ruby("#{RAILS} require 'sparpack'; GC.disable; start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
                  require 'sparpack/rails'; puts (Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start) * 1000"))
    end

    assert_operator took.min, :<, Patience.of(MILLISECONDS)
  end

  # Neither Active Record nor Active Model's types are loaded before they are used.
  def test_what_of_rails_is_not_loaded
    script = "#{RAILS} require 'sparpack/rails'; p ActiveRecord.autoload?(:Base).nil?, ActiveModel.autoload?(:Type).nil?"

    assert_equal %w[false false], ruby(script).lines(chomp: true)
  end

  # In whatever order they are required.
  def test_orders
    define = "class Line < Sparpack::Struct; field 1, :cents, :i64; end
              class Quote; include ActiveModel::Model; include ActiveModel::Attributes
                attribute :line, :sparpack, of: 'Line'; validates :line, sparpack: true; end
              quote = Quote.new(line: { cents: 'x' }); quote.valid?; puts quote.errors.full_messages"
    said = "Line cents: expected i64, found String\n"

    assert_equal said, ruby("require 'active_model'; require 'sparpack/rails'; #{define}")
    assert_equal said, ruby("require 'sparpack/rails'; require 'active_model'; #{define}")
    assert_equal said, ruby("require 'sparpack/rails'; require 'active_record'; ActiveRecord::Base; #{define}")
  end

  def ruby(script)
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-e", script)

    assert_predicate status, :success?, output
    output
  end
end
