# frozen_string_literal: true

require "test_helper"
require "active_support"
require "active_support/all"
require "sparpack/rails"
require "support/command"

# The compressor for Rails' caches, by itself and in a store.
class RailsCacheCompressorTest < Minitest::Test
  Compressor = Sparpack::Rails::CacheCompressor
  Miss = ActiveSupport::Cache::DeserializationError

  TEXT = ("All work and no play makes Jack a dull boy. " * 50).b.freeze

  def test_both_are_read
    [Compressor, Compressor.new, Compressor.new(writes: :zlib)].each do |compressor|
      [TEXT, "", "\0", Random.bytes(5000)].each do |bytes|
        assert_equal bytes, compressor.inflate(compressor.deflate(bytes))
        assert_equal bytes, compressor.inflate(Zlib.deflate(bytes))
        assert_equal bytes, compressor.inflate(Sparpack::LZ4.deflate(bytes))
      end
    end
    assert_equal TEXT, Zlib.inflate(Compressor.new(writes: :zlib).deflate(TEXT))
    assert_operator Compressor.deflate(TEXT).bytesize, :<, TEXT.bytesize / 10
  end

  def test_damage_is_a_miss
    random = Random.new(Minitest.seed)
    [Sparpack::LZ4.deflate(TEXT), Zlib.deflate(TEXT)].each do |bytes|
      (0...bytes.bytesize).each { |size| assert_raises(Miss) { Compressor.inflate(bytes.byteslice(0, size)) } }
      200.times do
        damaged = bytes.dup.tap { |copy| copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
        Compressor.inflate(damaged)
      rescue Miss
        nil
      end
    end
    ["garbage", "\x78", "\x1F\x8B".b].each { |bytes| assert_raises(Miss) { Compressor.inflate(bytes) } }
  end

  def test_bombs_are_misses
    bomb = "\0" * (Compressor::LIMIT + 1)
    [Zlib.deflate(bomb), Sparpack::LZ4.deflate(bomb)].each { |bytes| assert_raises(Miss) { Compressor.inflate(bytes) } }
  end

  def test_options
    assert_match(/writes: expected :lz4 or :zlib, got :gzip/,
                 assert_raises(ArgumentError) { Compressor.new(writes: :gzip) }.message)
  end

  def test_in_a_store
    store = ActiveSupport::Cache::MemoryStore.new(serializer: Sparpack::Rails::CacheSerializer, compressor: Compressor,
                                                  compress: true, compress_threshold: 100)
    { "text" => TEXT.dup.force_encoding("UTF-8"), "list" => Array.new(100) { "a word" } }.each do |key, value|
      store.write(key, value)

      assert_equal value, store.read(key)
    end
  end

  # The benchmark of entries runs. This says nothing about how fast anything is.
  def test_the_benchmark
    output, status = Command.capture2e(RbConfig.ruby, "-W0", File.expand_path("../../bench/entries.rb", __dir__),
                                       "--rounds", "1", "--time", "0.01", "--entries", "20")

    assert_predicate status, :success?, output
    assert_equal 9, output.lines.grep(/at (least|most) [\d.]+ +[\d.]+ +(met|MISSED)$/).size, output
  end
end
