# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Checks the arguments of calls. The drop-in for the msgpack gem overrides it, to accept everything that the gem accepts.
    #
    # @api private
    module Arguments
      # The methods for writing. The first one that an io has is called.
      WRITERS = %i[write <<].freeze
      private_constant :WRITERS

      BUFFER = %i[io_buffer_size read_reference_threshold write_reference_threshold].freeze
      PACKER = %i[compatibility_mode sort_keys compression limits].freeze
      UNPACKER = %i[symbolize_keys freeze allow_unknown_ext strict_utf8 compression limits untrusted key_cache].freeze

      # The options of each call that the gem has, too.
      OPTIONS = {
        buffer: BUFFER, packer: PACKER + BUFFER, unpacker: UNPACKER + BUFFER, pool: PACKER | UNPACKER | BUFFER,
        register_type: %i[packer unpacker recursive oversized_integer_extension optimized_symbols_parsing codec]
      }.each_value(&:freeze).freeze

      # The options of Sparpack's own calls.
      EACH = OPTIONS[:unpacker]
      DIG = UNPACKER
      private_constant :BUFFER, :PACKER, :UNPACKER, :OPTIONS

      module_function

      # @param call [Symbol]
      # @param options [Hash, nil]
      # @return [void]
      # @raise [ArgumentError] if the options are not a Hash, or for an unknown option
      def check_options(call, options)
        return if options.nil?
        raise ::ArgumentError, "expected Hash but found #{options.class}." unless options.is_a?(Hash)

        check_names(options, OPTIONS.fetch(call))
      end

      # @param options [Hash]
      # @param known [Array<Symbol>]
      # @return [void]
      # @raise [ArgumentError] for an unknown option
      def check_names(options, known) = Options.check(options, known)

      # @param call [Symbol] `:packer`, `:unpacker` or `:buffer`
      # @param options [Hash, nil]
      # @return [Hash, nil] the options that the call has
      def only(call, options) = options.is_a?(Hash) ? options.slice(*OPTIONS.fetch(call)) : options

      # Checks the io of an unpacker.
      #
      # @param io [Object, nil]
      # @return [void]
      # @raise [TypeError] if it is not an io; a Pathname is refused because nobody would close the file
      def check_input(io)
        Input.check_io(io) unless io.nil?
      end

      # Checks the source of one value.
      #
      # @param source [Object, nil]
      # @return [void]
      # @raise [TypeError] if it is not a String, a Pathname or an io
      def check_source(source) = Input.check(source)

      # @param type [Integer] a number that no extension type can have
      # @raise [RangeError] always
      def refuse_number(type)
        raise ::RangeError, "an extension type is a number from -128 to 127, not #{Quote.integer(type)}"
      end

      # Checks the io of a packer.
      #
      # @param io [Object, nil]
      # @return [void]
      # @raise [TypeError] if it is not an io
      def check_output(io)
        return if io.nil?

        # Integers shift with <<, and Procs are composed.
        Output.refuse(io, WRITERS) if [::Integer, ::Proc, ::Method].any? { |kind| kind === io } # rubocop:disable Style/CaseEquality -- a BasicObject
        Output.check(io, WRITERS)
      end

      # @param io [Input, Object]
      # @return [Input] the input of a buffer
      def input(io) = io.is_a?(Input) ? io : Input.new(io, again: true)

      # Yields the io for a single value.
      #
      # @param io [Object, nil]
      # @yieldparam io [Object, nil]
      # @return [Object] the block's result
      # @raise [TypeError] as {check_output}
      def open_output(io) = yield(io)
    end
  end
end
