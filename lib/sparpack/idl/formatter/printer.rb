# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # Lines and groups to text: it decides where lines end.
      #
      # @api private
      class Printer
        INDENT       = 2
        CONTINUATION = 4
        private_constant :INDENT, :CONTINUATION

        # @param encoding [Encoding] of the texts to come
        def initialize(encoding)
          @out = String.new(encoding:)
          @indent = 0
          @column = nil # where nothing stands on the line yet
        end

        # @param group [Group]
        # @return [String]
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
          broken = false # whether the last group is: what follows one may stand on the line of its closer
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

        # Answers whether it was broken.
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

        # A line that goes on with one more is indented deeper than what it may hold.
        def continue(indent)
          break_line(1) if @column
          @indent = indent + CONTINUATION
        end

        # The text begins with no line break.
        def break_line(count)
          @out << ("\n" * count) unless @out.empty?
          @column = nil
        end

        # Lines are indented when something is written on them: those that stay empty have no blanks.
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
