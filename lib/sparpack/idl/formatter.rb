# frozen_string_literal: true

module Sparpack
  module IDL
    # A .thrift text in one canonical layout. What it says stays, and so do all comments, where they stand. To format twice
    # changes nothing more.
    #
    # - Two blanks of indentation; lines of at most 100 columns where they can be broken.
    # - Fields, enum values and functions stand on lines of their own, each with a comma at its end; headers and definitions
    #   without one. `{` stands on the line of the name; an empty body is `{}`.
    # - Arguments, annotations, lists and maps stand on one line if they fit, else one element per line, each with a comma.
    #   `throws` moves to a line of its own if the arguments fit without it.
    # - One blank line between definitions; headers, and constants and typedefs of one line, may stay together. Inside
    #   braces, blank lines are kept. There is never more than one.
    # - Numbers and names are as they were written, `'a'` becomes `"a"` unless a `"` is in it, `async` becomes `oneway`. A
    #   byte order mark goes.
    # - Comments at the end of a line stay there, and so do those on a line of their own. One that would tear a name from its
    #   `{` or a field from its comma goes to the other side; a doc comment never does, for that would give it to another
    #   node. Comment lines that begin with `*` are aligned.
    class Formatter
      autoload :Comment, "sparpack/idl/formatter/comment"
      autoload :Cursor, "sparpack/idl/formatter/cursor"
      autoload :Gap, "sparpack/idl/formatter/gap"
      autoload :Group, "sparpack/idl/formatter/group"
      autoload :Item, "sparpack/idl/formatter/group"
      autoload :Layout, "sparpack/idl/formatter/layout"
      autoload :Line, "sparpack/idl/formatter/line"
      autoload :Printer, "sparpack/idl/formatter/printer"

      # Columns of a line.
      WIDTH = 100

      # @param source [Source]
      def initialize(source)
        @source = source
      end

      # @return [String] UTF-8, as valid as the text was
      # @raise [Error] if the text does not parse
      def run
        Parser.new(@source).run
        Printer.new(@source.text.encoding).document(Layout.new(@source).document).force_encoding(Encoding::UTF_8)
      end
    end
  end
end
