# frozen_string_literal: true

module Sparpack
  module CLI
    class Terminal
      # Writes JSON to a terminal. Characters that nobody sees, and that could change how it shows the others, become escapes
      # of JSON.
      #
      # @api private
      class Target
        # What stands between the values of JSON. A carriage return would write over the line.
        SPACES = { "\n" => "\n", "\t" => "\t", "\r" => " " }.freeze

        # The beginning of a character whose other bytes have not come.
        CUT = /(?:[\xC2-\xDF]|[\xE0-\xEF][\x80-\xBF]?|[\xF0-\xF4][\x80-\xBF]{0,2})\z/n
        private_constant :SPACES, :CUT

        # @param target [Convert::StreamTarget]
        def initialize(target)
          @target = target
          @cut = "".b
        end

        # @param bytes [String]
        # @return [void]
        def write(bytes)
          bytes = @cut + bytes.b
          @cut = bytes[CUT] || "".b
          @target.write(visible(bytes.byteslice(0, bytes.bytesize - @cut.bytesize)))
        end

        # @return [void]
        def commit = finish(:commit)

        # @return [void]
        def abort = finish(:abort)

        private

        def visible(bytes)
          Quote.visible_json(bytes.dup.force_encoding(Encoding::UTF_8).scrub("\uFFFD")) { |hidden| SPACES[hidden] }
        end

        def finish(how)
          @target.write(visible(@cut)) unless @cut.empty?
          @cut = "".b
          @target.public_send(how)
        end
      end
    end
  end
end
