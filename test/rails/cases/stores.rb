# frozen_string_literal: true

require_relative "support"
require_relative "../../support/redis_server"
require_relative "release"
require "active_support/cache"

# Caches in Redis and Memcached, which the test starts and stops.
class StoresTest < Minitest::Test
  class MemcachedServer < LocalServer
    private

    def command = ["memcached", "-p", port.to_s, "-l", "127.0.0.1", "-U", "0", "-u", "nobody"]
  end

  REDIS = RedisServer.new.start
  MEMCACHED = MemcachedServer.new.start
  Minitest.after_run { [REDIS, MEMCACHED].each(&:remove) }

  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
  end

  SERIALIZER = Sparpack::Rails::CacheSerializer
  LINE = Line.new(cents: 5)
  OPTIONS = { serializer: SERIALIZER, compressor: Sparpack::Rails::CacheCompressor, compress_threshold: 500 }.freeze

  def redis(**options)
    ActiveSupport::Cache::RedisCacheStore.new(url: REDIS.url, reconnect_attempts: 0, **options)
  end

  def memcached(**options) = ActiveSupport::Cache::MemCacheStore.new("127.0.0.1:#{MEMCACHED.port}", **options)

  def stores(**options)
    yield redis(**options)
    yield memcached(**options)
  end

  def test_values
    stores(**OPTIONS) do |store|
      { "line" => LINE, "list" => [LINE] * 500, "text" => "ü" * 500, "hash" => { line: LINE, at: Time.at(1).utc },
        "nil" => nil, "binary" => "\xFF\x00".b }.each do |key, value|
        store.write(key, value)

        assert_equal [value], [store.read(key)]
        assert store.exist?(key)
      end
      assert_equal({ "line" => LINE, "new" => [1, LINE] }, store.fetch_multi("line", "new") { [1, LINE] })
      assert_equal({ "line" => LINE }, store.read_multi("line", "missing"))
      store.write("count", 1, raw: true)

      assert_equal 2, store.increment("count")
    end
  end

  # Two processes share the cache, and one does not have the gem.
  def test_a_rolling_deploy
    stores(**OPTIONS) do |store|
      old = store.is_a?(ActiveSupport::Cache::RedisCacheStore) ? redis : memcached
      store.write("line", LINE)
      store.write("lines", [LINE] * 500)
      old.write("old", [1, :a])

      assert_nil old.read("line")
      assert_equal 5, old.fetch("line") { 5 }
      assert_equal [5, [1, :a]], [store.read("line"), store.read("old")]
    end
    options = { serializer: SERIALIZER, compressor: Sparpack::Rails::CacheCompressor.new(writes: :zlib), compress_threshold: 500 }
    store = redis(**options)
    store.write("lines", [LINE] * 500)

    assert_nil redis.read("lines") # it is compressed in a way that both know, and a miss then
  end

  # As above, but the processes are real. Each misses what it cannot read, and writes it anew.
  def test_processes_with_and_without_the_gem
    cache = "require \"active_support\"\nrequire \"active_support/cache\"\n%s
             STORE = ActiveSupport::Cache::RedisCacheStore.new(url: #{REDIS.url.inspect}, compress_threshold: 500, %s)"
    newer = format(cache, 'require "sparpack/rails"; class Line < Sparpack::Struct; field 1, :cents, :i64; end; SHARED = Sparpack::Rails',
                   "serializer: SHARED::CacheSerializer, compressor: SHARED::CacheCompressor.new(writes: :zlib)")
    Release.run(format(cache, "", ""), newer) do |without, with|
      assert_nil without.call("defined?(Sparpack)")
      2.times do # to and fro
        with.call('%w[line lines].each { |name| STORE.delete(name) }; STORE.write("lines", [Line.new(cents: 5)] * 500)')

        assert_equal 5, with.call('STORE.fetch("line") { Line.new(cents: 5) }.cents')
        assert_equal [nil, nil], without.call("%w[line lines].map { |name| STORE.read(name) }")
        assert_equal({ "cents" => 6 }, without.call('STORE.fetch("line") { { "cents" => 6 } }'))
        assert_equal [7] * 500, without.call('STORE.fetch("lines") { [7] * 500 }')
        assert_equal [{ "cents" => 6 }, [7] * 500], with.call('STORE.read_multi("line", "lines").values_at("line", "lines")')
      end
    end
  end

  def test_damaged_entries
    store = redis(**OPTIONS, serializer: SERIALIZER.new(reads: []))
    store.write("line", LINE)
    bytes = store.redis.with { |redis| redis.get("line") }.b
    marshal = "\0\x11\x01".b + ("\0" * 12) + Marshal.dump([1])
    [bytes.chop, bytes.sub("Line", "Lime"), bytes[0, 40], "garbage", marshal].each do |damaged|
      store.redis.with { |redis| redis.set("line", damaged) }

      assert_equal 7, store.fetch("line") { 7 }
    end
  end

  def test_a_server_that_is_down_and_back
    store = redis(**OPTIONS)
    store.write("line", LINE)
    REDIS.stop

    assert_nil store.read("line")
    assert_equal LINE, store.fetch("line") { LINE }
    REDIS.start
    store.write("line", LINE)

    assert_equal LINE, store.read("line")
  end
end
