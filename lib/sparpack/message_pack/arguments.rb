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

      module_function

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
