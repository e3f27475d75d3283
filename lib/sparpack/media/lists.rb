# frozen_string_literal: true

module Sparpack
  module Media
    # Lists of objects as bodies: an array in JSON and MessagePack, and one payload after another on the other wires.
    #
    # A list is decoded as the field of one struct. So the limits hold for the list, and not for each element: a million
    # elements of one byte each take no more memory than the body may.
    #
    # @api private
    module Lists
      # What may become a body.
      EXPECTED = "a Sparpack::Struct, Union or Exception, or an Array of them"

      ARRAY_JSON = /\A[ \t\r\n]*+\[/n
      FIX, ARRAY16, ARRAY32 = 0x90..0x9f, 0xdc, 0xdd # rubocop:disable Style/ParallelAssignment -- a small table
      private_constant :ARRAY_JSON, :FIX, :ARRAY16, :ARRAY32

      class << self
        # Makes a body of payloads.
        #
        # @param payloads [Array<String>]
        # @param wire [Symbol]
        # @return [String] in the encoding of the payloads
        def join(payloads, wire)
          case wire
          when :json then "[#{payloads.join(",")}]"
          when :message_pack then payloads.unshift(array_head(payloads.size)).join
          else payloads.join
          end
        end

        # Decodes all elements.
        #
        # @param bytes [String]
        # @param codec [Codec] that of one element
        # @return [Array<Value>]
        # @raise [DecodeError] if the bytes are no list, or an element is wrong
        def decode(bytes, codec)
          return decode_fields(fields(bytes, codec), codec) unless codec.is_a?(Observed)

          codec.observe(:decode, bytes.bytesize) { decode_fields(fields(bytes, codec), codec) }
        end

        private

        # What is wrong now is wrong with the list as a whole: it takes too much.
        def decode_fields(fields, codec)
          whole(codec).decode(fields).list || []
        rescue DecodeError => e
          raise fault(e.class, codec, e.expected, e.found, e.path.to_s[/\blist.*/m] || "list"), cause: nil
        end

        # The bytes of the struct whose only field is the list. What is wrong with one element is found here, so that the
        # error tells its place in the body.
        def fields(bytes, codec)
          case codec.wire
          when :json then json(bytes, codec)
          when :message_pack then message_pack(bytes, codec)
          when :thrift_json then thrift_json(bytes, codec)
          when :binary then "\x0F\x00\x01\x0C".b << [codec.count(bytes)].pack("N") << bytes << 0
          else "\x19".b << compact_head(codec.count(bytes)) << bytes << 0
          end
        end

        def json(bytes, codec)
          raise no_array(codec) unless bytes.match?(ARRAY_JSON)

          codec.count(bytes)
          "{\"list\":".b << bytes << "}"
        end

        def thrift_json(bytes, codec)
          elements = codec.each_range(bytes).map { |range| bytes.byteslice(range) }
          "{\"1\":{\"lst\":[#{["\"rec\"", elements.size, *elements].join(",")}]}}"
        end

        def message_pack(bytes, codec)
          size, start = array_size(bytes, codec)
          found = codec.count(bytes.byteslice(start..))
          if found != size
            kind = found < size ? DecodeError::Truncated : DecodeError::Malformed
            raise fault(kind, codec, "#{size} elements", found.to_s)
          end
          "\x81\xA4list".b << bytes
        end

        # @return [Array(Integer, Integer)] how many elements there are, and where the first one begins
        def array_size(bytes, codec)
          head = bytes.getbyte(0)
          size, start =
            case head
            when FIX then [head & 15, 1]
            when ARRAY16 then [bytes.unpack1("n", offset: 1), 3]
            when ARRAY32 then [bytes.unpack1("N", offset: 1), 5]
            else raise no_array(codec)
            end
          size ? [size, start] : raise(fault(DecodeError::Truncated, codec, "more bytes", "the end of the input"))
        end

        def array_head(size)
          if size < 16 then [0x90 | size].pack("C")
          elsif size < 65_536 then [ARRAY16, size].pack("Cn")
          else [ARRAY32, size].pack("CN")
          end
        end

        # The type is struct, 12. Long lists have their size as a varint.
        def compact_head(size)
          return [(size << 4) | 12].pack("C") if size < 15

          head = [0xFC]
          while size > 127
            head << ((size & 127) | 128)
            size >>= 7
          end
          head.push(size).pack("C*")
        end

        # The codec of the struct that holds the list.
        def whole(codec)
          limits = codec.options[:limits]
          limits = limits.with(depth: [limits.depth + 2, Limits::DEPTH_MAX].min) if limits
          Codec.new(holder(codec.struct_class), codec.wire, **codec.options, limits:, observe: nil)
        end

        # Made once for each class, and again after a reload.
        def holder(element)
          known = element.instance_variable_get(:@list_of_bodies)
          return known if known && known.schema[:list].type.element.target.equal?(element)

          holder = Class.new(Struct) { field 1, :list, list(element) }
          element.instance_variable_set(:@list_of_bodies, holder) unless element.frozen? || !Native.main_ractor?
          holder
        end

        def no_array(codec)
          kind = codec.wire == :json ? DecodeError::Malformed : DecodeError::TypeMismatch
          fault(kind, codec, "an array", "something else")
        end

        def fault(kind, codec, expected, found, path = "list")
          kind.new("#{path}: expected #{expected}, found #{found} (#{codec.wire})", path:, expected:, found:)
        end
      end
    end
  end
end
