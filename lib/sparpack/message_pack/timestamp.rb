# frozen_string_literal: true

module Sparpack
  module MessagePack
    # The extension type of the specification for points in time: -1.
    class Timestamp
      # The extension type.
      TYPE = -1

      # The last second of the form of 4 bytes.
      TIMESTAMP32_MAX_SEC = (1 << 32) - 1

      # The last second of the form of 8 bytes.
      TIMESTAMP64_MAX_SEC = (1 << 34) - 1

      # @return [Integer] since 1970
      attr_reader :sec

      # @return [Integer] 0 to 999,999,999
      attr_reader :nsec

      # @param sec [Integer]
      # @param nsec [Integer]
      def initialize(sec, nsec)
        @sec = sec
        @nsec = nsec
      end

      # @param data [String] 4, 8 or 12 bytes
      # @return [Timestamp]
      # @raise [MalformedFormatError] for another size
      def self.from_msgpack_ext(data)
        case data.bytesize
        when 4 then new(data.unpack1("L>"), 0)
        when 8
          both = data.unpack1("Q>") # 30 bits of nanoseconds, 34 of seconds
          new(both & TIMESTAMP64_MAX_SEC, both >> 34)
        when 12 then new(*data.unpack("L>q>").reverse)
        else raise MalformedFormatError, "Invalid timestamp data size: #{data.bytesize}"
        end
      end

      # @param sec [Integer]
      # @param nsec [Integer]
      # @return [String] the shortest of the three forms
      def self.to_msgpack_ext(sec, nsec)
        return [nsec, sec].pack("L>q>") unless sec.between?(0, TIMESTAMP64_MAX_SEC) && nsec >= 0

        nsec.zero? && sec <= TIMESTAMP32_MAX_SEC ? [sec].pack("L>") : [(nsec << 34) | sec].pack("Q>")
      end

      # @return [String]
      def to_msgpack_ext = self.class.to_msgpack_ext(sec, nsec)

      # @param other [Object]
      # @return [Boolean]
      def ==(other) = other.class == self.class && sec == other.sec && nsec == other.nsec
      alias eql? ==

      # @return [Integer]
      def hash = [sec, nsec].hash
    end

    # What packs Ruby's Time as a {Timestamp}, and reads it.
    module Time
      # Time.at takes nanoseconds: in all versions of Ruby that Sparpack knows.
      TIME_AT_3_AVAILABLE = true

      # Payload to Time.
      Unpacker = lambda do |payload|
        stamp = Timestamp.from_msgpack_ext(payload)
        ::Time.at(stamp.sec, stamp.nsec, :nanosecond)
      end

      # Time to payload.
      Packer = ->(time) { Timestamp.to_msgpack_ext(time.tv_sec, time.tv_nsec) }
    end

    # Integers of any size as payloads: the sign, then 32 bits at a time, the lowest first.
    module Bigint
      # The bits of a part.
      CHUNK_BITLENGTH = 32

      # The parts, for Array#pack.
      CHUNK_FORMAT = "L>*"

      # The sign and the parts.
      FORMAT = "C#{CHUNK_FORMAT}".freeze

      # @param integer [Integer]
      # @return [String]
      def self.to_msgpack_ext(integer)
        words = integer.zero? ? [] : integer.abs.digits(1 << CHUNK_BITLENGTH)
        [integer.negative? ? 1 : 0, *words].pack(FORMAT)
      end

      # @param data [String]
      # @return [Integer]
      def self.from_msgpack_ext(data)
        sign, *words = data.unpack(FORMAT)
        number = words.reverse.pack(CHUNK_FORMAT).unpack1("H*").to_i(16)
        sign.to_i.zero? ? number : -number # without a sign there are no words either
      end
    end
  end
end
