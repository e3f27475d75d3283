# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # What stands on one line if it can: words, comments and groups.
      #
      # @api private
      class Line
        # A `body` (a String, Comment or Group) and the `glue` before it: a blank, nothing, or a {FOLD}. `flat` is the body
        # on one line, or nil.
        Part = ::Struct.new(:glue, :body, :flat) do
          # @return [Boolean]
          def group? = body.is_a?(Group)

          # @return [String] what the glue is where no line ends
          def blank = glue == FOLD ? " " : glue
        end

        # A blank, or the end of a line.
        FOLD = :fold

        # After a comment they stand where they stand without one.
        TIGHT = /\A[,:>]/
        private_constant :TIGHT

        # @return [Array<Part>]
        attr_reader :parts

        # @return [String, nil] all of it on one line; nil if it must end lines, or is too long
        attr_reader :flat

        def initialize
          @parts = []
          @flat = +""
        end

        # @param glue [String, Symbol]
        # @param body [String, Group]
        def add(glue, body)
          if parts.empty?
            glue = ""
          elsif parts.last.body.is_a?(Comment) && glue != FOLD
            glue = body.is_a?(String) && body.match?(TIGHT) ? "" : " "
          end
          append(glue, body, body.is_a?(String) ? body : body.flat)
        end

        # @param comment [Comment]
        def comment(comment)
          append(parts.last&.body == "<" ? "" : " ", comment, comment.flat)
        end

        # @return [Boolean] whether it is printed on one line
        def single? = !flat.nil? || parts.all? { |part| part.flat && !part.group? }

        # @param index [Integer] of a part
        # @param ending [String] what follows the last part
        # @return [Integer] columns of what follows the part until the line may end: what has to have room beside it
        def tail(index, ending)
          width = 0
          (index + 1).upto(parts.size - 1) do |following|
            part = parts[following]
            return width if part.glue == FOLD
            return width + part.glue.size + part.body.opener.size if part.group?
            return width unless part.flat

            width += part.glue.size + part.flat.size
          end
          width + ending.size
        end

        # @param index [Integer] of a part, a word at a {FOLD}
        # @param ending [String] what follows the last part
        # @return [Integer] columns from there to the end; or until the line must end, if it must
        def rest(index, ending)
          rest = parts.drop(index)
          return rest.sum(ending.size) { |part| part.blank.size + part.flat.size } if rest.all?(&:flat)

          rest[0].blank.size + rest[0].flat.size + tail(index, ending)
        end

        private

        def append(glue, body, flat)
          parts << Part.new(glue, body, flat)
          @flat = @flat && flat && (@flat << parts.last.blank << flat)
          @flat = nil if @flat && @flat.size > WIDTH
        end
      end
    end
  end
end
