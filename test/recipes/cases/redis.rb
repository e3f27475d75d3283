# frozen_string_literal: true

require "minitest/autorun"
require "redis-client"
require "sparpack"
require_relative "../../support/redis_server"

# Values and streams of docs/recipes.md, and a Redis that goes down and comes back.
class RedisTest < Minitest::Test
  BLOCKS = File.read(File.expand_path("../../../docs/recipes.md", __dir__)).scan(/^```ruby (\w+)\.rb\n(.*?)^```$/m).to_h
  TOPLEVEL_BINDING.eval(BLOCKS.fetch("order"))

  def setup
    @server = RedisServer.new
    @server.start
    @redis = client
  end

  def teardown
    @redis&.close
    @server&.remove
  end

  def test_the_page
    ENV["REDIS_URL"] = @server.url
    scope = TOPLEVEL_BINDING.dup
    %w[redis streams].each do |name|
      block = BLOCKS.fetch(name)
      scope.eval(block.sub(/^(.*) # => (.*)$/, 'found = \1; wanted = \2'), "docs/recipes.md #{name}")

      assert_equal scope.local_variable_get(:wanted), scope.local_variable_get(:found)
    end
  end

  # Replies are UTF-8 if they are valid, and binary otherwise.
  def test_encodings_of_replies
    orders = [Shop::Order.new(id: 1, note: "lamp"), Shop::Order.new(id: -100, note: "Grüße"), Shop::Order.new(id: 1 << 40)]
    encodings = orders.flat_map do |order|
      Sparpack::WIRES.map do |wire|
        @redis.call("SET", "o", order.encode(wire))
        reply = @redis.call("GET", "o")

        assert_equal order, Shop::Order.decode(reply, wire)
        reply.encoding
      end
    end

    assert_equal [Encoding::BINARY, Encoding::UTF_8], encodings.uniq.sort_by(&:name)
  end

  def test_many_values
    orders = Array.new(500) { |id| Shop::Order.new(id: id * 7919, note: "note #{id}") }
    @redis.pipelined { |pipe| orders.each { |order| pipe.call("HSET", "orders", order.id, order.encode) } }
    found = @redis.call("HGETALL", "orders")

    assert_equal orders, found.values.map { |bytes| Shop::Order.decode(bytes) }.sort_by(&:id)
    @redis.call("SET", "o", "garbage")
    garbage = @redis.call("GET", "o")
    assert_raises(Sparpack::DecodeError) { Shop::Order.decode(garbage) }
  end

  # Each entry once, though Redis is killed in the middle.
  def test_down_and_back
    100.times { |id| add(id) }
    read, last = read_behind("0-0", 60)
    @server.stop

    assert_raises(RedisClient::ConnectionError) { client(reconnect_attempts: 0).call("GET", "o") }
    assert_raises(RedisClient::ConnectionError) { @redis.call("XREAD", "STREAMS", "orders", last) }
    back = Thread.new { sleep(0.3) && @server.start }
    patient = client(reconnect_attempts: Array.new(40, 0.1))
    wait_until_loaded(patient)
    patient.call("XADD", "orders", "*", "v", Shop::Order.new(id: 100).encode)
    back.join(30)
    more, = read_behind(last, 1000)

    assert_equal (0..100).to_a, read + more
  end

  private

  # For a moment, a server that has just started says that it reads its file.
  def wait_until_loaded(redis)
    tries ||= 0
    redis.call("PING")
  rescue RedisClient::CommandError
    raise if (tries += 1) > 100

    sleep(0.1)
    retry
  end

  def client(reconnect_attempts: 1) = RedisClient.config(url: @server.url, timeout: 5, reconnect_attempts:).new_client
  def add(id) = @redis.call("XADD", "orders", "*", "v", Shop::Order.new(id:).encode)

  def read_behind(last, count)
    _, entries = @redis.call("XREAD", "COUNT", count, "STREAMS", "orders", last).first
    [entries.map { |_id, (_v, bytes)| Shop::Order.decode(bytes).id }, entries.last.first]
  end
end
