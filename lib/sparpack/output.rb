# frozen_string_literal: true

module Sparpack
  # Writes bytes to an io, as they are.
  #
  # @api private
  module Output
    module_function

    # @param io [#write]
    # @param bytes [String] which nobody else changes
    # @return [Integer] how many there are
    # @raise [TypeError] if it is no io
    def write(io, bytes)
      Native.write(io, bytes)
      bytes.bytesize
    end

    # @param io [Object]
    # @param methods [Array<Symbol>] of which one is enough
    # @return [void]
    # @raise [TypeError] if nothing can be written to it. A Pathname is refused: nobody knows whether what is there
    #   already is to stay
    def check(io, methods = %i[write])
      return if methods.any? { |name| io.respond_to?(name) } && !Input.path?(io)

      raise TypeError, "expected an io, which answers #{methods.join(" or ")}, got #{found(io)}"
    end

    # @param io [Object]
    # @return [String] its class, and what would do instead
    def found(io)
      return "Pathname (to write a file: path.open(\"wb\"); to append to it: path.open(\"ab\"))" if Input.path?(io)

      case io
      when String then "String (for a file's name: File.open(name, \"wb\"))"
      when Integer then "Integer (for a file descriptor: IO.for_fd(#{io}, \"wb\"))"
      else io.class.to_s
      end
    end
  end
end
