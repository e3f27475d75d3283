# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Checks what calls are given. The drop-in for the msgpack gem lets pass what the gem lets pass.
    #
    # @api private
    module Arguments
      # The methods to write by. The first that an io has is taken.
      WRITERS = %i[write <<].freeze
      private_constant :WRITERS

      BUFFER = %i[io_buffer_size read_reference_threshold write_reference_threshold].freeze
      PACKER = %i[compatibility_mode sort_keys limits].freeze
      UNPACKER = %i[symbolize_keys freeze allow_unknown_ext strict_utf8 limits untrusted key_cache].freeze

      # The options of calls that the gem has, too.
      OPTIONS = {
        buffer: BUFFER, packer: PACKER + BUFFER, unpacker: UNPACKER + BUFFER, pool: PACKER | UNPACKER | BUFFER,
        register_type: %i[packer unpacker recursive oversized_integer_extension optimized_symbols_parsing]
      }.each_value(&:freeze).freeze

      # Those of Sparpack's own calls.
      EACH = OPTIONS[:unpacker]
      DIG = UNPACKER
      private_constant :BUFFER, :PACKER, :UNPACKER, :OPTIONS

      module_function

      # @param call [Symbol]
      # @param options [Hash, nil]
      # @return [void]
      # @raise [ArgumentError] if they are no Hash, or for one that the call does not have
      def check_options(call, options)
        return if options.nil?
        raise ::ArgumentError, "expected Hash but found #{options.class}." unless options.is_a?(Hash)

        check_names(options, OPTIONS.fetch(call))
      end

      # @param options [Hash]
      # @param known [Array<Symbol>]
      # @return [void]
      # @raise [ArgumentError] for one that is not known
      def check_names(options, known) = Options.check(options, known)

      # @param call [Symbol] `:packer`, `:unpacker` or `:buffer`
      # @param options [Hash, nil]
      # @return [Hash, nil] those that the call has
      def only(call, options) = options.is_a?(Hash) ? options.slice(*OPTIONS.fetch(call)) : options

      # Checks what an unpacker reads.
      #
      # @param io [Object, nil]
      # @return [void]
      # @raise [TypeError] for a Pathname, which nobody would close, and for anything that cannot be read
      def check_input(io)
        Input.check_io(io) unless io.nil?
      end

      # Checks what one value is read from.
      #
      # @param source [Object, nil]
      # @return [void]
      # @raise [TypeError] for anything but a String, a Pathname and an io
      def check_source(source)
        Input.check(source) unless source.nil?
      end

      # Checks what a packer writes to.
      #
      # @param io [Object, nil]
      # @return [void]
      # @raise [TypeError] for a Pathname, and for anything that cannot be written to
      def check_output(io)
        Output.check(io, WRITERS) unless io.nil?
      end

      # @param io [Input, Object]
      # @return [Input] what a buffer reads
      def input(io) = io.is_a?(Input) ? io : Input.new(io, again: true)

      # Yields what a single value is written to.
      #
      # @param io [Object, nil]
      # @yieldparam io [Object, nil]
      # @return [Object] the block's result
      # @raise [TypeError] as {check_output}
      def open_output(io) = yield(io)
    end
  end
end
