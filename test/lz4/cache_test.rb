# frozen_string_literal: true

# bin/test: not sanitized, for it loads Active Support

require "test_helper"
require "active_support"
require "active_support/cache"
require "active_support/cache/memory_store"
require "active_support/notifications"
require "tmpdir"

# Sparpack::LZ4 as a compressor of Rails' caches.
class LZ4CacheTest < Minitest::Test
  VALUES = { "small" => [1, 2], "large" => { "text" => "Berlin " * 5000 }, "string" => "Mitte " * 5000, "nil" => nil }.freeze

  OPTIONS = { compress: true, compress_threshold: 100, serializer: :marshal_7_1 }.freeze # rubocop:disable Naming/VariableNumber

  # Counts its calls.
  class Counting
    attr_reader :calls

    def initialize = @calls = Hash.new(0)

    def deflate(bytes)
      @calls[:deflate] += 1
      Sparpack::LZ4.deflate(bytes)
    end

    def inflate(bytes)
      @calls[:inflate] += 1
      Sparpack::LZ4.inflate(bytes)
    end
  end

  def test_entries_come_back
    Dir.mktmpdir do |folder|
      counting = Counting.new
      [ActiveSupport::Cache::MemoryStore.new(compressor: Sparpack::LZ4, **OPTIONS),
       ActiveSupport::Cache::FileStore.new(folder, compressor: Sparpack::LZ4, **OPTIONS),
       ActiveSupport::Cache::FileStore.new("#{folder}/counting", compressor: counting, **OPTIONS)].each do |store|
        VALUES.each { |key, value| store.write(key, value) }

        assert_equal VALUES, store.read_multi(*VALUES.keys)
        assert_equal VALUES["large"], store.fetch("large") { flunk }
      end

      assert_equal 2, counting.calls[:deflate]
      assert_operator counting.calls[:inflate], :>=, 2
      assert_operator Dir["#{folder}/*/**/*"].select { |path| File.file?(path) }.sum { |path| File.size(path) }, :<, 4000
    end
  end

  # As docs/lz4.md says: with an older format the option needs a serializer, or a coder takes its place.
  def test_an_older_cache_format
    Dir.mktmpdir do |folder|
      assert_operator ActiveSupport::Cache.format_version, :<, 7.1
      assert_raises(ArgumentError) { ActiveSupport::Cache::FileStore.new(folder, compressor: Sparpack::LZ4) }
      coder = ActiveSupport::Cache::Coder.new(Marshal, Sparpack::LZ4)
      store = ActiveSupport::Cache::FileStore.new(folder, coder:)
      store.write("large", VALUES["large"])

      assert_equal VALUES["large"], store.read("large")
      assert_operator Dir["#{folder}/**/*"].select { |path| File.file?(path) }.sum { |path| File.size(path) }, :<, 1000
    end
  end

  def test_a_damaged_entry
    Dir.mktmpdir do |folder|
      store = ActiveSupport::Cache::FileStore.new(folder, compressor: Sparpack::LZ4, **OPTIONS)
      store.write("large", VALUES["large"])
      path = Dir["#{folder}/**/*"].find { |file| File.file?(file) }
      bytes = File.binread(path)
      File.binwrite(path, bytes.byteslice(0, bytes.bytesize - 10))

      assert_raises(Sparpack::DecodeError::Truncated) { store.read("large") }
    end
  end
end
