# frozen_string_literal: true

module Sparpack
  module IDL
    # Writes a .thrift text in one canonical layout. The meaning does not change, and all comments stay where they are.
    # Formatting a formatted text changes nothing.
    #
    # - Lines are indented by two spaces per level. They have at most 100 columns if they can be broken.
    # - Each field, enum value and function has its own line, which ends with a comma. Headers and definitions end without a
    #   comma. `{` is on the line of the name. An empty body is `{}`.
    # - Arguments, annotations, lists and maps are on one line if they fit. Otherwise each element has its own line, which
    #   ends with a comma. `throws` moves to its own line if the arguments fit without it.
    # - There is one blank line between definitions. Headers may stay together, and so may constants and typedefs of one
    #   line. Blank lines inside braces are kept, but there is never more than one in a row.
    # - Numbers and names stay as they are. `'a'` becomes `"a"` unless it contains a `"`. `async` becomes `oneway`. A byte
    #   order mark is removed.
    # - Comments at the end of a line stay there, and so do comments on their own line. A comment between a name and its `{`,
    #   or between a field and its comma, moves behind the latter. A doc comment never moves, because it would then belong to
    #   another node. Comment lines that begin with `*` are aligned.
    class Formatter
      autoload :Comment, "sparpack/idl/formatter/comment"
      autoload :Cursor, "sparpack/idl/formatter/cursor"
      autoload :Gap, "sparpack/idl/formatter/gap"
      autoload :Group, "sparpack/idl/formatter/group"
      autoload :Item, "sparpack/idl/formatter/item"
      autoload :Layout, "sparpack/idl/formatter/layout"
      autoload :Line, "sparpack/idl/formatter/line"
      autoload :Printer, "sparpack/idl/formatter/printer"

      # The most columns of a line.
      WIDTH = 100

      # @param source [Source]
      def initialize(source)
        @source = source
      end

      # @return [String] the formatted text in UTF-8. If the text had invalid bytes, they are still there.
      # @raise [Error] if the text is not valid
      def run
        Parser.new(@source).run
        Printer.new(@source.text.encoding).document(Layout.new(@source).document).force_encoding(Encoding::UTF_8)
      end
    end
  end
end
