# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # Prints lines and groups as text. It decides where lines end.
      #
      # @api private
      class Printer
        INDENT       = 2
        CONTINUATION = 4
        private_constant :INDENT, :CONTINUATION

        # @param encoding [Encoding] the encoding of the text
        def initialize(encoding)
          @out = String.new(encoding:)
          @indent = 0
          @column = nil # if the line is empty so far
        end

        # @param group [Group] the headers and definitions
        # @return [String] the formatted text
        def document(group)
          inside(group)
          @out
        end

        private

        def inside(group)
          group.items.each_with_index do |item, index|
            gap(item.gap, first: index.zero?)
            line(item.line, item.ending)
          end
          gap(group.gap, first: group.items.empty?)
        end

        def gap(gap, first:)
          breaks = gap.breaks(first:)
          gap.comments.zip(breaks) do |comment, count|
            space(count)
            comment(comment)
          end
          space(breaks.last)
        end

        def space(breaks)
          return break_line(breaks) if breaks.positive?

          write(" ") if @column
        end

        def line(line, ending)
          return write(line.flat + ending) if line.flat && fits?(line.flat.size + ending.size)

          indent = @indent
          broken = false # whether the last group takes several lines; text may follow on the line of its closing bracket
          line.parts.each_with_index do |part, index|
            continue(indent) if part.glue == Line::FOLD && !broken && !fits?(line.rest(index, ending))
            write(part.blank) if @column
            case body = part.body
            when Group then broken = group(body, line.tail(index, ending))
            when Comment then inline_comment(body, indent)
            else write(body)
            end
          end
          write(ending)
          @indent = indent
        end

        # Returns whether the group takes several lines.
        def group(group, tail)
          if group.flat && fits?(group.flat.size + tail)
            write(group.flat)
            return false
          end
          write(group.opener)
          @indent += INDENT
          inside(group)
          @indent -= INDENT
          write(group.closer)
          true
        end

        def inline_comment(comment, indent)
          comment(comment)
          continue(indent) if comment.line?
        end

        def comment(comment)
          write(comment.at(" " * @indent, @column.nil?))
        end

        # --- text --------------------------------------------------------------------------------------------------------

        def fits?(size) = (@column || @indent) + size <= WIDTH

        # A continued line is indented deeper than the items inside it.
        def continue(indent)
          break_line(1) if @column
          @indent = indent + CONTINUATION
        end

        # The text never begins with a line break.
        def break_line(count)
          @out << ("\n" * count) unless @out.empty?
          @column = nil
        end

        # A line is indented when something is written on it. So empty lines have no blanks.
        def write(text)
          return if text.empty?

          @out << (" " * @indent) unless @column
          @out << text
          start = text.rindex("\n")
          @column = start ? text.size - start - 1 : (@column || @indent) + text.size
        end
      end
    end
  end
end
