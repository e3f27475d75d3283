# frozen_string_literal: true

module Sparpack
  module CLI
    # Commands of a shell that take off what is around a payload, such as base64.
    #
    # @api private
    module Unwrapping
      COMMANDS = {
        base64: "base64 -d", gzip: "gunzip", zstd: "zstd -d", xz: "xz -d", bzip2: "bunzip2",
        hex: "ruby -e 'print [$stdin.read.split.join].pack(%(H*))'",
        zlib: "ruby -r zlib -e 'print Zlib.inflate($stdin.binmode.read)'"
      }.freeze

      # Formats that wrap a payload in other bytes.
      PARTS = %i[framed varint envelope utf8].freeze

      # base64 for URLs, which may lack its end.
      URLS = "ruby -e 'print $stdin.read.tr(%(-_), %(+/)).unpack1(%(m))'"
      private_constant :COMMANDS, :PARTS, :URLS

      module_function

      # @param guess [Guess] of the payload
      # @return [String, nil] a command that reads the standard input; nil if there is nothing to take off, or no command
      def command(guess)
        return from(guess.advice) if PARTS.include?(guess.format)
        return URLS if guess.format == :base64 && guess.advice.to_s.include?(".tr(")
        return wide(guess.advice) if %i[utf16 utf32].include?(guess.format)

        COMMANDS[guess.format]
      end

      # Text whose characters have 16 or 32 bits.
      def wide(advice)
        name = advice.to_s[/"UTF-8", "(UTF-\w+)"/, 1]
        name && "iconv -f #{name} -t UTF-8"
      end
      private_class_method :wide

      # The advice is for Ruby, and says which bytes the payload has.
      def from(advice)
        at, size = advice.to_s.match(/byteslice\((\d+)(?:\.\.|, (\d+))\)/)&.captures
        at && "tail -c +#{at.to_i + 1}#{" | head -c #{size}" if size}"
      end
      private_class_method :from
    end
  end
end
