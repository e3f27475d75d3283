# typed: true

# Generated from sig/sparpack/lz4.rbs by `rake rbi`: do not edit.

module Sparpack
  # Compresses bytes with LZ4, also for Rails' caches.
  module LZ4
    VERSION = T.let(T.unsafe(nil), ::String)
    LIMIT = T.let(T.unsafe(nil), ::Integer)

    sig { params(bytes: ::String).returns(::String) }
    def self.deflate(bytes); end

    sig { params(bytes: ::String, limit: T.nilable(::Integer)).returns(::String) }
    def self.inflate(bytes, limit: nil); end

    sig { params(bytes: ::String).returns(::String) }
    def self.compress(bytes); end

    sig { params(bytes: ::String, limit: T.nilable(::Integer)).returns(::String) }
    def self.decompress(bytes, limit: nil); end
  end
end
