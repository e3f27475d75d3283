# frozen_string_literal: true

module Sparpack
  module DropIn
    module Msgpack
      # Raises errors with the msgpack gem's own messages, because programs may compare them. These messages do not say where
      # the fault is. The methods `path` and `offset` of an error do, and Ruby shows them when it reports the error.
      module Words
        # The gem's messages. Other faults have Sparpack's messages.
        UNPACK = {
          truncated: "end of buffer reached", too_deep: "stack level too deep", unknown_ext: "unexpected extension type",
          trailing_bytes: "%d extra bytes after the deserialized object", no_value: "invalid byte"
        }.freeze

        # How Ruby quotes names.
        QUOTES = RUBY_VERSION < "3.4" ? %w[` '] : %w[' ']
        private_constant :UNPACK, :QUOTES

        # @api private
        def pack_failed(status, path, found, limit)
          case status
          when :too_deep then raise MessagePack::StackError, "stack level too deep"
          when :value_out_of_range
            kind = found.negative? ? "long long" : "unsigned long long"
            raise RangeError, "bignum too big to convert into #{QUOTES[0]}#{kind}#{QUOTES[1]}"
          when :value_changed, :container_too_large then super
          else lacks_to_msgpack(found)
          end
        end

        # @api private
        def unpack_failed(status, path, offset, number, message_offset, _bytes = nil)
          super(status, path, offset, number, message_offset)
        rescue MessagePack::UnpackError, EOFError => e
          text = UNPACK[status] || (UNPACK[:no_value] if e.message.start_with?("no value begins with this byte"))
          raise unless text

          message = format(text, number || 0)
          raise e.class, message unless e.is_a?(MessagePack::UnpackError)

          raise e.class.new(message, path:, offset:, message_offset:)
        end

        # @api private
        def header_failed(_expected, _byte) = raise(MessagePack::UnexpectedTypeError, "unexpected type")

        private

        # Lets Ruby raise the error with its own message, but not with the backtrace of this line.
        def lacks_to_msgpack(found)
          found.__send__(:to_msgpack)
        rescue NoMethodError => e
          e.set_backtrace(caller(2))
          raise e
        end
      end

      MessagePack.singleton_class.prepend(Words)
    end
  end
end
