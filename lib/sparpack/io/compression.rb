# frozen_string_literal: true

module Sparpack
  # The option `compression:`, and the way to the optional library that compresses. The core does without it until somebody
  # asks for compression, or bytes are compressed.
  #
  # @api private
  module Compression
    # The values of the option, and whether they mean a block array.
    FORMS = { lz4: true, lz4_block: false }.freeze

    # The extension type that marks each form.
    TYPES = { lz4: 98, lz4_block: 99 }.freeze

    # Payloads with fewer bytes are not compressed.
    LEAST = 64
    private_constant :TYPES

    class << self
      # @return [Module] what compresses and decompresses
      # @raise [LoadError] if the library is not there
      def library = LZ4 && Native::LZ4

      # @return [Module, nil] the same; nil if it is not there, or cannot be loaded in this Ractor
      def find
        library
      rescue LoadError, ::Ractor::Error
        nil
      end

      # @return [String] what to do if the library is not there, in parentheses
      def hint
        library
        ""
      rescue LoadError => e
        " (#{e.message})"
      rescue ::Ractor::Error
        " (require \"sparpack/lz4\" in the main Ractor first)"
      end

      # Makes an error of reading a decompressed payload say what its offset means.
      #
      # @param error [StandardError] any error; one that says nothing about the bytes stays as it is, and so does one of a
      #   class of the user's
      # @param start [Integer] where the compressed payload begins
      # @return [StandardError]
      def inside(error, start)
        return error unless ours?(error)

        message = "#{error.message}, in the decompressed payload"
        case error
        when DecodeError
          error.class.new(message, **%i[path expected found offset].to_h { |name| [name, error.public_send(name)] },
                                   message_offset: start)
        when EOFError then error.class.new(message)
        else error.class.new(message, path: error.path, offset: error.offset, message_offset: start)
        end
      end

      # @param form [Object] the value of the option `compression:`
      # @return [void]
      # @raise [ArgumentError] for another value than nil and those of FORMS
      # @raise [LoadError] if the library is not there
      def check(form)
        return if form.nil?

        FORMS.fetch(form) do
          raise ArgumentError, "compression: expected one of #{FORMS.keys.map { |name| Quote.value(name) }.join(", ")}, " \
                               "got #{Quote.value(form)}#{Advice.choice(form, FORMS.keys)}"
        end
        library
      end

      # @param form [Object] as {check} takes it
      # @param types [Array] the extension types that a factory reads
      # @return [void]
      # @raise [ArgumentError] as {check}, and if the factory would read what it compresses as one of its own types
      # @raise [LoadError] as {check}
      def check_types(form, types)
        check(form)
        type = types.find { |entry| entry.type == TYPES[form] } or return
        other = (TYPES.keys - [form]).find { |key| types.none? { |entry| entry.type == TYPES[key] } }
        remedy = other ? "use compression: #{Quote.value(other)}" : "choose other numbers than 98 and 99"
        raise ArgumentError, "compression: #{Quote.value(form)} writes the extension type #{type.type}, which this " \
                             "factory reads as #{type.klass ? Quote.plain(type.klass) : "another"} (#{remedy})"
      end

      # @param payload [String]
      # @param form [Symbol, nil] a value of the option `compression:` that {check} has seen
      # @return [String] the payload itself if it stays as it is
      # @raise [ArgumentError] if the payload is too large for one block
      def compress(payload, form)
        return payload if form.nil? || payload.bytesize < LEAST

        library.compress(payload, FORMS.fetch(form)) or
          raise ArgumentError, "the packed value is too large for one block (use compression: :lz4)"
      end

      private

      # Constructors and unpackers of the user's run while a payload is read. They may raise errors that have our classes,
      # but no place in the bytes, and errors of subclasses, whose `new` may take anything.
      def ours?(error)
        return error.instance_of?(EOFError) unless error.respond_to?(:message_offset) # see MessagePack::UnpackError

        !error.offset.nil? && error.class.name.to_s.start_with?("Sparpack::")
      end
    end
  end
end
