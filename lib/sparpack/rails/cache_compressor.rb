# frozen_string_literal: true

require "active_support"
require "active_support/cache"
require "sparpack/lz4"
require "zlib"

module Sparpack
  module Rails
    # Compresses the entries of Rails' caches with LZ4, and reads those that are compressed with zlib, too.
    #
    # The class itself is a compressor, too.
    #
    # @example In config/environments/production.rb:
    #   config.cache_store = :redis_cache_store, { compressor: Sparpack::Rails::CacheCompressor }
    # @example While processes still run that read zlib alone
    #   config.cache_store = :redis_cache_store, { compressor: Sparpack::Rails::CacheCompressor.new(writes: :zlib) }
    class CacheCompressor
      # The most bytes that come out of an entry.
      LIMIT = LZ4::LIMIT

      WRITERS = { lz4: LZ4, zlib: Zlib }.freeze
      private_constant :WRITERS

      class << self
        # Compresses bytes with LZ4.
        #
        # @param bytes [String]
        # @return [String] in ASCII-8BIT
        # @example
        #   Sparpack::Rails::CacheCompressor.deflate("a" * 1000).bytesize # => 22
        def deflate(bytes) = DEFAULT.deflate(bytes)

        # Does the same as {#inflate}.
        #
        # @param bytes [String]
        # @return [String]
        # @raise [ActiveSupport::Cache::DeserializationError] as {#inflate}
        # @example
        #   Sparpack::Rails::CacheCompressor.inflate(Zlib.deflate("abc")) # => "abc"
        def inflate(bytes) = DEFAULT.inflate(bytes)
      end

      # Makes a compressor.
      #
      # @param writes [Symbol] `:lz4`, or `:zlib` to write what Rails' own compressor writes
      # @raise [ArgumentError] for anything else
      # @example
      #   Sparpack::Rails::CacheCompressor.new(writes: :zlib)
      def initialize(writes: :lz4, **unknown)
        Options.refuse(unknown, method(:initialize)) unless unknown.empty?
        @writer = WRITERS.fetch(writes) do
          raise ArgumentError, "writes: expected :lz4 or :zlib, got #{Quote.value(writes)}"
        end
        freeze
      end

      # Compresses bytes.
      #
      # @param bytes [String]
      # @return [String] in ASCII-8BIT
      # @example
      #   compressor.deflate("a" * 1000).bytesize # => 22
      def deflate(bytes) = @writer.deflate(bytes)

      # Decompresses bytes. It sees which compressor has written them.
      #
      # @param bytes [String]
      # @return [String] in ASCII-8BIT
      # @raise [ActiveSupport::Cache::DeserializationError] if the bytes are damaged, or if more than {LIMIT} bytes would
      #   come out. Rails takes that as a miss
      # @example
      #   compressor.inflate(compressor.deflate("abc")) # => "abc"
      def inflate(bytes)
        bytes.getbyte(0) == 0x78 ? inflate_zlib(bytes) : LZ4.inflate(bytes)
      rescue Zlib::Error, DecodeError => e
        raise ActiveSupport::Cache::DeserializationError, e.message
      end

      private

      # Neither a block nor a block array of LZ4 begins with 0x78, which all of zlib's do.
      def inflate_zlib(bytes)
        inflated = "".b
        stream = Zlib::Inflate.new
        stream.inflate(bytes) do |part|
          inflated << part
          raise Zlib::DataError, "more than #{LIMIT} bytes" if inflated.bytesize > LIMIT
        end
        stream.finished? ? inflated : raise(Zlib::BufError, "the end is missing")
      ensure
        stream&.reset # or else Ruby warns of a stream without an end
        stream&.close
      end

      DEFAULT = new
      private_constant :DEFAULT
    end
  end
end
