# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # Words, comments and groups that are on one line if they fit.
      #
      # @api private
      class Line
        # A part of a line: a `body` (a String, Comment or Group) and the `glue` before it (a blank, nothing, or {FOLD}).
        # `flat` is the body on one line, or nil if it needs several.
        Part = ::Struct.new(:glue, :body, :flat) do
          # @return [Boolean] whether the body is a group
          def group? = body.is_a?(Group)

          # @return [String] the glue if the line does not end there
          def blank = glue == FOLD ? " " : glue
        end

        # The glue at which a line may end; otherwise it is a blank.
        FOLD = :fold

        # No blank comes before these symbols, even after a comment.
        TIGHT = /\A[,:>]/
        private_constant :TIGHT

        # @return [Array<Part>]
        attr_reader :parts

        # @return [String, nil] the whole text on one line; nil if it needs several lines
        attr_reader :flat

        def initialize
          @parts = []
          @flat = +""
        end

        # Adds a word or a group.
        #
        # @param glue [String, Symbol]
        # @param body [String, Group]
        # @return [void]
        def add(glue, body)
          if parts.empty?
            glue = ""
          elsif parts.last.body.is_a?(Comment) && glue != FOLD
            glue = body.is_a?(String) && body.match?(TIGHT) ? "" : " "
          end
          append(glue, body, body.is_a?(String) ? body : body.flat)
        end

        # Adds a comment.
        #
        # @param comment [Comment]
        # @return [void]
        def comment(comment)
          append(parts.last&.body == "<" ? "" : " ", comment, comment.flat)
        end

        # @return [Boolean] whether it is printed on a single line
        def single? = !flat.nil? || parts.all? { |part| part.flat && !part.group? }

        # @param index [Integer] the index of a part
        # @param ending [String] the text after the last part
        # @return [Integer] the columns between this part and the next place where the line may end
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

        # @param index [Integer] the index of a part after a {FOLD}
        # @param ending [String] the text after the last part
        # @return [Integer] the columns from this part to the end, or to the next place where the line has to end
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
