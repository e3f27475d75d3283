# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # The grammar once more, for a text that is known to parse: tokens to lines and groups. It tells what may stand on one
      # line, and with which blanks; the {Printer} decides what does.
      #
      # @api private
      class Layout
        # Neighbours of one family may stand together, without a blank line between them.
        FAMILIES = { "include" => :header, "cpp_include" => :header, "namespace" => :header,
                     "const" => :alias, "typedef" => :alias }.freeze

        CONTAINERS = %w[list set map].freeze
        private_constant :FAMILIES, :CONTAINERS

        # @param source [Source] that parses
        def initialize(source)
          @cursor = Cursor.new(source)
        end

        # @return [Group] headers and definitions, without brackets around them
        def document
          families = []
          items = items() do
            families << FAMILIES[@cursor.value]
            definition
          end
          items.zip(families).each_cons(2) { |two| two[1][0].gap.apart = !together?(*two) }
          Group.new("", items, @cursor.gap, "", body: true)
        end

        private

        def together?((one, family), (other, second))
          !family.nil? && family == second && one.line.single? && other.line.single?
        end

        # --- headers and definitions: what is an item answers what stands after it ---------------------------------------

        def definition
          case @cursor.value
          when "include", "cpp_include" then words(2)
          when "namespace" then words(3)
          when "const" then const
          when "typedef" then typedef
          when "enum" then enum
          when "service" then service
          else record
          end
          annotations
          needless_separator
        end

        def const
          words(1)
          type
          words(2)
          constant
        end

        def typedef
          words(1)
          type
          words(1)
        end

        def enum
          words(2)
          body { enum_value }
        end

        def enum_value
          words(1)
          words(2) if @cursor.kind == :"="
          annotations
          comma
        end

        # A struct, union or exception.
        def record
          words(2)
          words(1) if @cursor.word?("xsd_all")
          body { field }
        end

        def field
          field_id
          words(1) if @cursor.word?("required", "optional")
          type
          words(1) if @cursor.kind == :&
          words(1)
          default
          xsd
          annotations
          comma
        end

        def field_id
          return unless @cursor.kind == :integer

          words(1)
          tight
        end

        def default
          return unless @cursor.kind == :"="

          words(1)
          constant
        end

        def xsd
          words(1) if @cursor.word?("xsd_optional")
          words(1) if @cursor.word?("xsd_nillable")
          return unless @cursor.word?("xsd_attrs")

          words(1)
          body { field }
        end

        def service
          words(2)
          words(2) if @cursor.word?("extends")
          body { function }
        end

        def function
          word(" ", "oneway") if @cursor.word?("oneway", "async")
          @cursor.word?("void") ? words(1) : type
          words(1)
          group("") { field }
          throws if @cursor.word?("throws")
          annotations
          comma
        end

        def throws
          word(Line::FOLD)
          group(" ") { field }
        end

        # --- parts -------------------------------------------------------------------------------------------------------

        def type(glue = " ")
          container = CONTAINERS.include?(@cursor.value)
          word(glue)
          container() if container
          annotations
        end

        def container
          leading = cpp_type
          word(leading ? " " : "") # <
          type("")
          if @cursor.kind == :","
            tight
            type
          end
          tight # >
          cpp_type unless leading
        end

        # Answers whether there is one.
        def cpp_type
          @cursor.word?("cpp_type") && words(2)
        end

        def constant(glue = " ")
          case @cursor.kind
          when :"["
            group(glue) do
              constant
              comma
            end
          when :"{" then group(glue) { pair }
          else word(glue)
          end
        end

        # No comma may stand after a uuid in braces, which has no value.
        def pair
          constant
          return "" unless @cursor.kind == :":"

          tight
          constant
          comma
        end

        def annotations
          return unless @cursor.kind == :"("

          group(" ") do
            words(1)
            words(2) if @cursor.kind == :"="
            comma
          end
        end

        # --- lines and groups --------------------------------------------------------------------------------------------

        def body(&) = group(" ", body: true, &)

        # From an opener to its closer.
        def group(glue, body: false, &block)
          @cursor.hold(inline: true).each { |comment| @line.comment(comment) }
          opener = @cursor.take
          items = items(&block)
          gap = @cursor.gap
          closer = @cursor.take
          one_word = items.empty? && (body ? gap.empty? : gap.flat)
          @line.add(glue, one_word ? "#{opener}#{gap.flat}#{closer}" : Group.new(opener, items, gap, closer, body:))
        end

        # The block takes one item and answers what stands after it.
        def items(&)
          found = []
          found << item(&) until @cursor.closer?
          found
        end

        def item
          outer = @line
          @line = line = Line.new
          gap = @cursor.gap
          Item.new(gap, line, yield)
        ensure
          @line = outer
        end

        def words(count)
          count.times { word(" ") }
          true
        end

        def tight = word("")

        # The next token, and the comments before it.
        def word(glue, text = nil)
          @cursor.comments.each { |comment| @line.comment(comment) }
          taken = @cursor.take
          @line.add(glue, text || taken)
        end

        # Where it need not stand, it does.
        def comma
          separator(inline: true)
          ","
        end

        # After a definition a separator says nothing, but that a doc comment before it is not the next definition's.
        def needless_separator = separator(inline: false) ? "," : ""

        # Answers whether comments stay before it.
        def separator(inline:)
          return unless %i[, ;].include?(@cursor.kind)

          staying = @cursor.hold(inline:).each { |comment| @line.comment(comment) }
          @cursor.take
          staying.any?
        end
      end
    end
  end
end
