# frozen_string_literal: true

module Sparpack
  # Readers for {Codec#each_payload} that find where payloads end, and make no objects of them. They check what a decode
  # checks, and whatever is wrong or unusual they leave to it.
  #
  # @api private
  module Ranges
    # @param codec [Codec]
    # @param threads [Integer]
    # @param frame [Symbol]
    # @return [Ahead] counts payloads on several threads
    def self.ahead(codec, threads, frame)
      code = Frame::CODES[frame]
      Ahead.new(Count, threads) do |bytes, offset, size, most|
        Native.count_frames(codec, bytes, offset, size, most, threads, code)
      end
    end

    # Gives where each payload begins and ends in the input.
    module Each
      class << self
        def decode_prefix(codec, bytes, offset, base, partial)
          last = Native.scan_end(codec, bytes, offset) || Native.decode_prefix(codec, bytes, offset, base, partial).last
          [(base + offset)...(base + last), last]
        end

        def decode_payload(codec, bytes, base)
          Native.scan(codec, bytes) || Native.decode_payload(codec, bytes, base)
          base...(base + bytes.bytesize)
        end
      end
    end

    # Gives how many payloads were passed: all that follow one another, if their number cannot hide one that is too long.
    module Count
      class << self
        def decode_prefix(codec, bytes, offset, base, partial)
          if several?(codec, bytes, offset)
            count, last = Native.scan_ends(codec, bytes, offset)
            return [count, last] if count.positive?
          end
          [1, Each.decode_prefix(codec, bytes, offset, base, partial).last]
        end

        def decode_payload(...)
          Each.decode_payload(...)
          1
        end

        private

        # There may be something between objects of JSON.
        def several?(codec, bytes, offset)
          # A full buffer has one byte more than a payload may have, so that many short ones would be refused as a long one.
          return false if bytes.bytesize == Native.codec_payload_limit(codec) + 1

          codec.wire != :json || JsonElements.behind_object?(bytes, offset)
        end
      end
    end
  end
end
