# frozen_string_literal: true

module Sparpack
  module MessagePack
    # A point in time, as the specification's extension type -1 stores it.
    #
    # @example
    #   Sparpack::MessagePack::Timestamp.from_msgpack_ext("\x00\x00\x00\x05").sec # => 5
    class Timestamp
      # The number of the extension type.
      TYPE = -1

      # The last second that fits into 4 bytes.
      TIMESTAMP32_MAX_SEC = (1 << 32) - 1

      # The last second that fits into 8 bytes.
      TIMESTAMP64_MAX_SEC = (1 << 34) - 1

      # @return [Integer] seconds since 1970, UTC
      attr_reader :sec

      # @return [Integer] nanoseconds after that second, 0 to 999,999,999
      attr_reader :nsec

      # Makes a point in time.
      #
      # @param sec [Integer] seconds since 1970, UTC
      # @param nsec [Integer] nanoseconds
      # @example
      #   Sparpack::MessagePack::Timestamp.new(5, 0).to_msgpack_ext # => "\x00\x00\x00\x05".b
      def initialize(sec, nsec)
        @sec = sec
        @nsec = nsec
      end

      # @return [::Time] the same point in time, in the local time zone
      # @example
      #   Sparpack::MessagePack::Timestamp.new(5, 100).to_time.nsec # => 100
      def to_time = ::Time.at(sec, nsec, :nanosecond)

      # Reads a payload.
      #
      # @param data [String] 4, 8 or 12 bytes
      # @return [Timestamp]
      # @raise [MalformedFormatError] for another size
      # @example
      #   Sparpack::MessagePack::Timestamp.from_msgpack_ext("\x00\x00\x00\x05").nsec # => 0
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

      # Makes the payload of a point in time, in the shortest of the three forms.
      #
      # @param sec [Integer] seconds since 1970, UTC
      # @param nsec [Integer] nanoseconds
      # @return [String] 4, 8 or 12 bytes
      # @example
      #   Sparpack::MessagePack::Timestamp.to_msgpack_ext(5, 1).bytesize # => 8
      def self.to_msgpack_ext(sec, nsec)
        return [nsec, sec].pack("L>q>") unless sec.between?(0, TIMESTAMP64_MAX_SEC) && nsec >= 0

        nsec.zero? && sec <= TIMESTAMP32_MAX_SEC ? [sec].pack("L>") : [(nsec << 34) | sec].pack("Q>")
      end

      # Returns the payload.
      #
      # @return [String] 4, 8 or 12 bytes
      def to_msgpack_ext = self.class.to_msgpack_ext(sec, nsec)

      # @param other [Object]
      # @return [Boolean] whether both are the same point in time
      def ==(other) = other.class == self.class && sec == other.sec && nsec == other.nsec
      alias eql? ==

      # @return [Integer]
      def hash = [sec, nsec].hash
    end
  end
end
