# frozen_string_literal: true

require "minitest/autorun"
require "sidekiq"
require "sidekiq/api"
require "sidekiq/embedded"
require "sparpack"
require_relative "../../support/redis_server"

# The job of docs/recipes.md, run by Sidekiq itself.
class SidekiqTest < Minitest::Test
  include Deadline

  BLOCKS = File.read(File.expand_path("../../../docs/recipes.md", __dir__)).scan(/^```ruby (\w+)\.rb\n(.*?)^```$/m).to_h
  %w[order job].each { |name| TOPLEVEL_BINDING.eval(BLOCKS.fetch(name), "docs/recipes.md #{name}") }
  CHARGED = Thread::Queue.new
  ChargeJob.define_method(:charge) { |order| CHARGED << order }

  # One for all, because Sidekiq keeps its connections.
  SERVER = RedisServer.new
  SERVER.start
  Minitest.after_run { SERVER.remove }
  Sidekiq.configure_client { |config| config.redis = { url: SERVER.url } }
  Sidekiq.default_configuration.logger = Logger.new(IO::NULL)

  def test_a_job
    TOPLEVEL_BINDING.eval(BLOCKS.fetch("enqueue"))
    order = Shop::Order.new(id: 1 << 40, note: "Grüße\0")
    ChargeJob.perform_async([order.encode].pack("m0"))
    ChargeJob.perform_async([order.encode[0..-2]].pack("m0"))
    running do
      assert_equal [7, order], within("two jobs", seconds: 30) { [CHARGED.pop.id, CHARGED.pop] }
      within("the dead set", seconds: 30) { sleep(0.05) until Sidekiq::DeadSet.new.size == 1 }
    end

    assert_match(/\ASparpack::DecodeError/, Sidekiq::DeadSet.new.first["error_class"])
    assert_equal 0, Sidekiq::RetrySet.new.size
  end

  # JSON has no bytes.
  def test_bytes_themselves_are_no_argument
    assert_raises(JSON::GeneratorError) { ChargeJob.perform_async(Shop::Order.new(id: -100).encode) }
  end

  private

  def running
    sidekiq = Sidekiq.configure_embed do |config|
      config.redis = { url: SERVER.url }
      config.concurrency = 1
      config.logger = Logger.new(IO::NULL)
    end
    sidekiq.run
    yield
  ensure
    sidekiq&.stop
  end
end
