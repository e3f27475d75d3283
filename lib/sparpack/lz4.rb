# frozen_string_literal: true

require "sparpack"

Sparpack::Native.load_parts(%i[Compression Guess]) # before any Ractor needs them
Sparpack::Loading.lz4 # before there is a module, so that a later try fails in the same way

module Sparpack
  # Compresses bytes with LZ4. It is also a compressor for Rails' caches. The option `compression:` of {Codec} and
  # {MessagePack} uses the same library, which is loaded when it is needed.
  #
  # In config/application.rb, with the cache format 7.1 (`config.load_defaults 7.1` or newer):
  # `config.cache_store = :redis_cache_store, { compressor: Sparpack::LZ4 }`
  module LZ4
    # The version of LZ4 that is used, such as "1.10.0".
    VERSION = Native::LZ4::LZ4_VERSION

    # The most bytes that {inflate} returns by default.
    LIMIT = 64 << 20

    class << self
      # Compresses bytes. The result is what `compression: :lz4_block` makes of a payload: a MessagePack value of extension
      # type 99, which holds the size and one LZ4 block. More than 2,113,929,216 bytes become a block array, as with
      # `compression: :lz4`.
      #
      # @param bytes [String] any bytes
      # @return [String] the compressed bytes, in ASCII-8BIT. Few bytes, and random ones, become longer
      # @raise [TypeError] if `bytes` is not a String
      # @example
      #   Sparpack::LZ4.deflate("a" * 1000).bytesize # => 22
      def deflate(bytes) = Native::LZ4.compress(bytes, false) || Native::LZ4.compress(bytes, true)

      # Decompresses what {deflate} returned, or a payload of MessagePack that was compressed.
      #
      # @param bytes [String]
      # @param limit [Integer, nil] the most bytes that may come out; nil means no limit. It is checked before memory is
      #   allocated
      # @return [String] the bytes, in ASCII-8BIT
      # @raise [DecodeError::Malformed] if the bytes are anything else
      # @raise [DecodeError::Truncated] if their end is missing
      # @raise [DecodeError::LimitExceeded] if more bytes would come out than the limit allows
      # @raise [TypeError] if `bytes` is not a String
      # @raise [ArgumentError] if the limit is out of range, or for an unknown option
      # @example
      #   Sparpack::LZ4.inflate(Sparpack::LZ4.deflate("abc")) # => "abc"
      def inflate(bytes, limit: LIMIT, **unknown)
        Options.refuse(unknown, method(:inflate)) unless unknown.empty?
        unless limit.nil? || (limit.is_a?(Integer) && limit.between?(0, MOST))
          raise ArgumentError, "limit: expected nil or an Integer of at least 0, got #{Quote.value(limit)}"
        end

        found, at = Native::LZ4.inflate(bytes, limit || MOST)
        return found if found.is_a?(String)

        refuse(bytes, found, at, limit || MOST)
      end

      # Rails calls the methods by zlib's names. These are the usual ones.
      alias compress deflate
      alias decompress inflate

      private

      # Says what the bytes are, if they are not LZ4 blocks.
      def refuse(bytes, found, at, limit)
        Native.lz4_refuse(found, at, limit)
      rescue DecodeError::Malformed => e
        guess = Sparpack.guess(bytes) if e.offset&.zero?
        raise e, cause: nil if guess.nil? || OWN.include?(guess.format)

        raise e.exception("#{e.message} (#{guess})"), cause: nil
      end
    end

    MOST = (1 << 62) - 1

    # Damaged LZ4 blocks look like these.
    OWN = [nil, :empty, :message_pack, :framed, :varint].freeze
    private_constant :MOST, :OWN
  end
end
