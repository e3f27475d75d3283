# frozen_string_literal: true

module Sparpack
  # Writes bytes to an io, unchanged.
  #
  # @api private
  module Output
    module_function

    # @param io [#write]
    # @param bytes [String] a String that others may have, too, because a class may override `encode`
    # @return [Integer] how many bytes were written
    # @raise [TypeError] if `io` is not an io
    def write(io, bytes) = Native.write(io, bytes)

    # @param io [Object]
    # @param methods [Array<Symbol>] an io needs one of these methods
    # @return [void]
    # @raise [TypeError] if `io` is not an io. A Pathname is refused because it does not say whether to append
    def check(io, methods = %i[write])
      refuse(io, methods) unless methods.any? { |name| io.respond_to?(name) } && !Input.path?(io)
    end

    # @param io [Object]
    # @param methods [Array<Symbol>]
    # @raise [TypeError] always
    def refuse(io, methods) = raise(TypeError, "expected an io with #{methods.join(" or ")}, got #{found(io)}")

    # @param io [Object]
    # @return [String] its class, and what to pass instead
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
