# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Packs and unpacks Ruby's Time as a {Timestamp}.
    #
    # @example
    #   time = Sparpack::MessagePack::Time
    #   factory.register_type(-1, Time, packer: time::Packer, unpacker: time::Unpacker)
    module Time
      # Whether Time.at takes nanoseconds, which it does in all versions of Ruby that Sparpack supports.
      TIME_AT_3_AVAILABLE = true

      # Converts a payload to a Time.
      Unpacker = lambda do |payload|
        stamp = Timestamp.from_msgpack_ext(payload)
        ::Time.at(stamp.sec, stamp.nsec, :nanosecond)
      end

      # Converts a Time to a payload.
      Packer = ->(time) { Timestamp.to_msgpack_ext(time.tv_sec, time.tv_nsec) }
    end
  end
end
