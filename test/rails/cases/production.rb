# frozen_string_literal: true

require_relative "support"
require "sparpack/drop_in/msgpack" if ENV["DROP_IN"]

# An application that loads all classes at boot: `.thrift` files, jobs, and what of Sparpack is loaded.
class ProductionTest < Minitest::Test
  SmallApplication.write("contracts/shop.thrift", "namespace rb Shop\nstruct order_line { 1: required i64 in_cents }")
  SmallApplication.write("app/models/cart.rb", "class Cart; LINE = Shop::OrderLine.new(in_cents: 5); end")
  SmallApplication.write("app/jobs/count_job.rb", <<~RUBY)
    class CountJob < ActiveJob::Base
      cattr_accessor :lines
      def perform(*lines) = self.lines = lines
    end
  RUBY
  LOADED = $LOADED_FEATURES.grep(%r{/sparpack/rails/}).map { |path| File.basename(path, ".rb") }.freeze
  SmallApplication.boot("production") do
    config.sparpack.idl = [File.join(SmallApplication::FOLDER, "contracts")]
    config.sparpack.idl_options = { names: :ruby }
    config.active_job.queue_adapter = :inline
    config.cache_store = :memory_store, { serializer: Sparpack::Rails::CacheSerializer }
  end

  def test_what_is_loaded_with_rails
    assert_equal ["railtie"], LOADED
  end

  def test_classes
    assert_equal 5, Cart::LINE.in_cents
    refute_predicate Rails.application.config, :reloading_enabled?
  end

  def test_a_job
    CountJob.perform_later(Cart::LINE, [Cart::LINE])

    assert_equal [Cart::LINE, [Cart::LINE]], CountJob.lines
  end

  def test_the_cache
    Rails.cache.write("line", [Cart::LINE])

    assert_equal [Cart::LINE], Rails.cache.read("line")
  end

  def test_a_folder_that_is_missing
    files = Sparpack::Rails::IdlFiles.new(["none"], root: SmallApplication::FOLDER, options: {})
    error = assert_raises(ArgumentError) { files.prepare }

    assert_match(%r{config\.sparpack\.idl: there is no folder .*/none}, error.message)
  end
end
