# frozen_string_literal: true

module Sparpack
  module IDL
    # Parses tokens into an {AST::Document}. After a fault, it continues at the next definition, so that one run finds the
    # faults of all definitions.
    #
    # @api private
    class Parser
      HEADERS     = %w[include cpp_include namespace].freeze
      DEFINITIONS = %w[const typedef enum struct union exception service senum slist].freeze
      KINDS       = { "struct" => :struct, "union" => :union, "exception" => :exception }.freeze

      # Headers of old files, and the namespaces that replace them.
      OLD_HEADERS = {
        "cocoa_package" => "cocoa", "cocoa_prefix" => "cocoa", "cpp_namespace" => "cpp", "csharp_namespace" => "csharp",
        "delphi_namespace" => "delphi", "java_package" => "java", "perl_package" => "perl", "php_namespace" => "php",
        "py_module" => "py", "ruby_namespace" => "rb", "smalltalk_category" => "smalltalk.category",
        "smalltalk_prefix" => "smalltalk.prefix", "xsd_namespace" => "xsd"
      }.transform_values { |scope| "which is now \"namespace #{scope}\"" }
       .merge("package" => "which only fbthrift supports").freeze

      # Keywords. They cannot be names of definitions and functions, but fields may have them as names.
      KEYWORDS = %w[bool byte i8 i16 i32 i64 double string binary uuid list set map void const typedef enum struct union
                    exception service extends oneway async throws required optional include cpp_include cpp_type namespace
                    xsd_all xsd_optional xsd_nillable xsd_attrs].freeze

      # Keywords that cannot be names of fields either.
      NO_FIELD = %w[cpp_type xsd_all xsd_optional xsd_nillable xsd_attrs].freeze
      MODIFIERS = %w[required optional].freeze

      # The most parts of a namespace. Each part becomes a module.
      PARTS = 64

      # Most nodes have none of something.
      NONE = [].freeze
      NO_XSD = {}.freeze
      private_constant :NONE, :NO_XSD, :MODIFIERS, :HEADERS, :DEFINITIONS, :KINDS, :OLD_HEADERS, :PARTS

      include Types
      include Constants

      # @param source [Source]
      def initialize(source)
        @tokens = Tokens.new(source)
        @depth = 0
        @open = []
      end

      # @return [AST::Document]
      # @raise [Error] if the text is not valid, with all faults that were found
      def run
        doc = program_doc
        headers = headers()
        definitions = []
        definition(definitions) until @tokens.end?
        Error.check(@tokens.faults)

        AST::Document.new(@tokens.source, doc, headers, definitions, @tokens.lexer.comments)
      end

      private

      # The first doc comment belongs to the program if a header follows it.
      def program_doc
        @tokens.doc if HEADERS.any? { |word| @tokens.keyword?(word) }
      end

      def headers
        found = []
        start = @tokens.at
        begin
          while (node = header)
            found << node
            start = @tokens.at
          end
        rescue Tokens::Fail
          @tokens.recover(start, HEADERS + OLD_HEADERS.keys + DEFINITIONS)
          start = @tokens.at # so that no token is searched twice
          retry
        end
        found
      end

      def header
        start = @tokens.offset
        if @tokens.accept_keyword("include")
          ended(AST::Include.new(start, nil, path_of_include))
        elsif @tokens.accept_keyword("cpp_include")
          ended(AST::CppInclude.new(start, nil, path_of_include))
        elsif @tokens.accept_keyword("namespace")
          namespace(start)
        elsif OLD_HEADERS.key?(@tokens.value)
          old_header(@tokens.value)
        end
      end

      # The text after such a header, up to the next header or definition, is skipped.
      def old_header(word)
        @tokens.note("a header or a definition", "#{Quote.value(word)}, #{OLD_HEADERS.fetch(word)}")
        @tokens.take
        raise Tokens::Fail
      end

      def path_of_include
        path = @tokens.expect_kind(:string, "the path of a file, in quotes")
        @tokens.separator
        path
      end

      def namespace(start)
        scope = @tokens.accept(:*) ? "*" : @tokens.expect_kind(:name, "a language, or *")
        name = name_of_namespace
        @tokens.fail("a dot between the parts of a namespace") if @tokens.kind == :":"
        found = annotations
        @tokens.separator
        AST::Namespace.new(start, @tokens.finish, scope, name, found)
      end

      # Ruby keeps the whole name of each nested module. So a long namespace would take quadratic memory.
      def name_of_namespace
        at = @tokens.offset
        name = @tokens.kind == :string ? @tokens.take : @tokens.expect_kind(:name, "the name of a namespace")
        parts = name.scan(/[^.:]+/).size
        too_many = "one of #{parts} parts, #{Quote.value(name)}"
        @tokens.note("a namespace of at most #{PARTS} parts", too_many, offset: at) if parts > PARTS
        too_long = "one of #{name.size} characters, #{Quote.value(name)}"
        longest = Lexer::LONGEST
        @tokens.note("a namespace of at most #{longest} characters", too_long, offset: at) if name.bytesize > longest
        name
      end

      # --- definitions -------------------------------------------------------------------------------------------------

      def definition(found)
        start = @tokens.at
        doc = @tokens.doc
        offset = @tokens.offset
        word = @tokens.value if @tokens.kind == :name
        @open.clear
        node = defined(word, offset, doc)
        found << node if node
      rescue Tokens::Fail
        @tokens.explain(unclosed) if unclosed?
        @tokens.recover(@tokens.at > start ? start : @tokens.tap(&:take).at, DEFINITIONS)
      end

      def defined(word, offset, doc)
        case word
        when "const" then const(offset, doc)
        when "typedef" then typedef(offset, doc)
        when "enum" then enum(offset, doc)
        when "struct", "union", "exception" then struct(offset, doc, KINDS.fetch(word))
        when "service" then service(offset, doc)
        when *HEADERS then @tokens.fail("a definition", "#{Quote.value(word)} after the first definition")
        when "senum", "slist" then @tokens.fail("a definition", "#{Quote.value(word)}, which no longer exists")
        else @tokens.fail("a definition (#{DEFINITIONS.first(7).join(", ")})")
        end
      end

      def const(offset, doc)
        @tokens.take
        type = type()
        name = name_of("a constant")
        @tokens.expect(:"=")
        value = constant
        found = annotations
        @tokens.separator
        AST::Const.new(offset, @tokens.finish, doc, name, type, value, found)
      end

      def typedef(offset, doc)
        @tokens.take
        type = type()
        name = name_of("a typedef")
        found = annotations
        @tokens.separator
        AST::Typedef.new(offset, @tokens.finish, doc, name, type, found)
      end

      def enum(offset, doc)
        @tokens.take
        name = name_of("an enum")
        values = braces { enum_value }
        ended(AST::Enum.new(offset, nil, doc, name, values, annotations))
      end

      def enum_value
        doc = @tokens.doc
        offset = @tokens.offset
        name = plain_name("an enum's value")
        number = @tokens.expect_kind(:integer, "a whole number") if @tokens.accept(:"=")
        found = annotations
        @tokens.separator
        AST::EnumValue.new(offset, @tokens.finish, doc, name, number, found)
      end

      def struct(offset, doc, kind)
        @tokens.take
        name = name_of([:struct, :union].include?(kind) ? "a #{kind}" : "an #{kind}")
        xsd_all = @tokens.accept_keyword("xsd_all")
        fields = braces { field }
        ended(AST::Record.new(offset, nil, doc, kind, name, fields, annotations, xsd_all))
      end

      def field
        doc = @tokens.doc
        offset = @tokens.offset
        id = field_id
        requiredness = requiredness()
        type = type()
        reference = @tokens.accept(:&)
        name = field_name
        default = constant if @tokens.accept(:"=")
        node = AST::Field.new(offset, nil, doc, id, requiredness, type, reference, name, default, xsd, annotations)
        @tokens.separator
        ended(node)
      end

      def field_id
        return unless @tokens.kind == :integer

        id = @tokens.take
        @tokens.expect(:":")
        id
      end

      def requiredness
        return :required if @tokens.accept_keyword("required")

        :optional if @tokens.accept_keyword("optional")
      end

      def field_name
        @tokens.fail("the name of a field") if NO_FIELD.include?(@tokens.value)
        plain_name("a field")
      end

      def xsd
        return NO_XSD unless @tokens.kind == :name

        found = {}
        found[:optional] = true if @tokens.accept_keyword("xsd_optional")
        found[:nillable] = true if @tokens.accept_keyword("xsd_nillable")
        found[:attrs] = nested { braces { field } } if @tokens.accept_keyword("xsd_attrs")
        found
      end

      # --- services ----------------------------------------------------------------------------------------------------

      def service(offset, doc)
        @tokens.take
        name = name_of("a service")
        parent_offset, parent = parent_service if @tokens.accept_keyword("extends")
        functions = braces { function }
        ended(AST::Service.new(offset, nil, doc, name, parent, functions, annotations, parent_offset))
      end

      def parent_service = [@tokens.offset, @tokens.expect_kind(:name, "the name of a service")]

      def function
        doc = @tokens.doc
        offset = @tokens.offset
        oneway = @tokens.accept_keyword("oneway") || @tokens.accept_keyword("async")
        type = @tokens.accept_keyword("void") ? nil : type()
        name = name_of("a function")
        arguments = list_of_fields
        throws = @tokens.accept_keyword("throws") ? list_of_fields : NONE
        found = annotations
        @tokens.separator
        AST::Function.new(offset, @tokens.finish, doc, oneway, type, name, arguments, throws, found)
      end

      def list_of_fields = between(:"(", :")") { field }

      # --- parts -------------------------------------------------------------------------------------------------------

      def name_of(what)
        keyword = @tokens.kind == :name && KEYWORDS.include?(@tokens.value)
        @tokens.fail("the name of #{what}", "the keyword #{Quote.value(@tokens.value)}") if keyword
        plain_name(what)
      end

      # Only references to definitions may have dots.
      def plain_name(what)
        return @tokens.take if @tokens.kind == :name && !@tokens.value.include?(".")

        @tokens.fail("the name of #{what}#{", without a dot" if @tokens.kind == :name}", "#{@tokens.describe}#{misspelt}")
      end

      # A misspelled keyword is read as a type. The type after it is then read as a name.
      def misspelt
        (@tokens.words_before(4) - MODIFIERS).map { |word| Names.close(word, MODIFIERS) }.max
      end

      # Sets the end of a node to the end of the previous token.
      def ended(node)
        node.finish = @tokens.finish
        node
      end

      def braces(&) = between(:"{", :"}", &)

      def between(open, close)
        offset = @tokens.offset
        @tokens.expect(open)
        @open << [open, offset]
        found = []
        until @tokens.accept(close)
          @element = @tokens.at
          found << yield
        end
        @open.pop
        found
      end

      # Tells whether the fault shows that the last bracket was not closed: the file ends, "}" stands in parentheses or
      # square brackets, or another definition begins. The keyword of a definition may be the name of an enum's value. The
      # fault is then at the bracket after the definition's name.
      def unclosed?
        return false if @open.empty?
        return true if @tokens.end? || (@tokens.kind == :"}" && @open.last[0] != :"{")
        return false unless @tokens.at == @element

        @tokens.kind == :"{" ? DEFINITIONS.include?(@tokens.words_before(2).first) : DEFINITIONS.include?(@tokens.value)
      end

      def unclosed
        bracket, offset = @open.last
        " (the \"#{bracket}\" in line #{@tokens.source.line(offset)} is not closed)"
      end

      def annotations
        return NONE unless @tokens.kind == :"("

        between(:"(", :")") do
          offset = @tokens.offset
          name = @tokens.expect_kind(:name, "the name of an annotation")
          value = @tokens.accept(:"=") ? @tokens.expect_kind(:string, "the value of an annotation, in quotes") : "1"
          @tokens.separator
          AST::Annotation.new(offset, @tokens.finish, name, value)
        end
      end
    end
  end
end
