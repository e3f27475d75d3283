# frozen_string_literal: true

module Sparpack
  module IDL
    class Formatter
      # Arranges the tokens of a valid text in lines and groups. It follows the grammar like the {Parser}. It determines what
      # may be on one line and where the blanks are. The {Printer} then decides where lines end.
      #
      # @api private
      class Layout
        # Neighbours of the same family need no blank line between them.
        FAMILIES = { "include" => :header, "cpp_include" => :header, "namespace" => :header,
                     "const" => :alias, "typedef" => :alias }.freeze

        CONTAINERS = %w[list set map].freeze
        private_constant :FAMILIES, :CONTAINERS

        # @param source [Source] a valid text
        def initialize(source)
          @cursor = Cursor.new(source)
        end

        # @return [Group] the headers and definitions, without brackets
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

        # --- headers and definitions: a method for an item returns the ending of the item --------------------------------

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

        # Returns whether there is a C++ type.
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

        # A uuid in braces has no value, and no comma may come after it.
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

        # Reads from an opening bracket to its closing bracket.
        def group(glue, body: false, &block)
          @cursor.hold(inline: true).each { |comment| @line.comment(comment) }
          opener = @cursor.take
          items = items(&block)
          gap = @cursor.gap
          closer = @cursor.take
          one_word = items.empty? && (body ? gap.empty? : gap.flat)
          @line.add(glue, one_word ? "#{opener}#{gap.flat}#{closer}" : Group.new(opener, items, gap, closer, body:))
        end

        # The block reads one item and returns its ending.
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

        # Adds the next token and the comments before it to the line.
        def word(glue, text = nil)
          @cursor.comments.each { |comment| @line.comment(comment) }
          taken = @cursor.take
          @line.add(glue, text || taken)
        end

        # Every item gets a comma, whether the text has one or not.
        def comma
          separator(inline: true)
          ","
        end

        # A separator after a definition is removed, unless it keeps a doc comment apart from the next definition.
        def needless_separator = separator(inline: false) ? "," : ""

        # Returns whether there are comments that stay before the separator.
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
