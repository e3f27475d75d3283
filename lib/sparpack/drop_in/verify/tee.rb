# frozen_string_literal: true

module Sparpack
  module DropIn
    module Verify
      # A transport that passes everything on to another, and records the bytes. It never reads anything of its own accord.
      #
      # @api private
      class Tee < ::BasicObject
        # @param transport [Object]
        # @param limit [Integer] the most bytes that are recorded
        def initialize(transport, limit)
          @transport = transport
          @limit = limit
          @bytes = ::String.new(encoding: ::Encoding::BINARY)
          @complete = true
          @failed = false
        end

        def read(size) = keep(@transport.read(size))

        def read_all(size) = keep(@transport.read_all(size))

        def read_byte
          byte = @transport.read_byte
          @bytes << byte if byte
          byte
        end

        def read_into_buffer(buffer, size)
          result = @transport.read_into_buffer(buffer, size)
          keep(buffer.byteslice(0, size))
          result
        end

        # The transport may change the encoding of the String, as the gem's transports do.
        def write(bytes, *size)
          keep(size.first ? bytes.byteslice(0, size.first) : bytes)
          begin
            @transport.write(bytes, *size)
          rescue ::Exception # rubocop:disable Lint/RescueException -- whatever it is, it is raised again
            @failed = true
            ::Kernel.raise
          end
        end

        def method_missing(name, ...) = @transport.public_send(name, ...)

        # @return [Boolean]
        def respond_to_missing?(...) = @transport.respond_to?(...)

        # @return [String] what was read or written
        def __bytes__ = @bytes

        # @return [Boolean] whether all bytes were recorded
        def __complete__ = @complete

        # @return [Boolean] whether the transport raised an exception while it was written to
        def __failed__ = @failed

        private

        def keep(bytes)
          return bytes unless bytes && @complete

          @complete = @bytes.bytesize + bytes.bytesize <= @limit
          @bytes << bytes.b if @complete
          bytes
        end
      end
    end
  end
end
