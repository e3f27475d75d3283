# frozen_string_literal: true

module Sparpack
  module Generate
    # Distributes definitions over files.
    #
    # @api private
    class Layout
      # @param names [IDL::RubyNames]
      # @param layout [Symbol] one of {LAYOUTS}
      # @param programs [Array<IDL::Program>] the .thrift files; each after those that it includes
      # @yieldparam warning [String] a setting that Zeitwerk needs
      def initialize(names, layout, programs, &warn)
        @names = names
        @layout = layout
        @programs = programs
        @warn = warn
        @outputs = Outputs.new(cased: true, remedy: "use a different layout")
        @reached = {}.compare_by_identity
        @surroundings = Surroundings.new(names, programs)
      end

      # @param ruby [Boolean] whether to make Ruby classes
      # @param rbs [Boolean] whether to make RBS signatures
      # @param rbi [Boolean] whether to make RBI signatures
      # @return [Hash{String => String}] the texts by path
      # @raise [ArgumentError] if two texts would have the same path, or if the files could not be loaded in any order
      def files(ruby: true, rbs: false, rbi: false)
        classes if ruby
        @programs.each do |program|
          add("#{path(program)}.rbs", program, RBS.new(@names, @surroundings).program(program)) if rbs
          add("#{path(program)}.rbi", program, RBI.new(@names, @surroundings).program(program)) if rbi
        end
        @outputs.to_h
      end

      private

      def classes
        check_order if @layout == :file
        @programs.each { |program| send(:"by_#{@layout}", program) }
        namespaces if @layout == :zeitwerk
      end

      # @return [String] the path of the generated file, without suffix
      def path(program) = @names.snake(program.name).gsub(/\W/, "_")

      def path_of(definition) = @names.qualified(definition).split("::").map { |name| @names.snake(name) }.join("/")

      def add(path, maker, lines) = @outputs.add(path, maker, "#{lines.join("\n")}\n")

      # --- one file for each IDL file ----------------------------------------------------------------------------------

      def by_file(program)
        known = {}.compare_by_identity
        ruby = Ruby.new(@names, @names.namespace(program)) { |other| known[other] || loaded?(program, other) }
        opened = {}
        body = Text.blocks(ordered(program)) do |definition|
          known[definition] = true unless shared?(definition) # a struct knows itself
          around = @surroundings.ruby(definition) { |path, outer| known[outer] || opened[path] }
          @surroundings.of(definition).each_key { |path| opened[path] = true }
          (around + ruby.definition(definition)).tap { known[definition] = true }
        end
        add_main(program, [], body)
      end

      # Whether a definition exists before those of this file. Definitions of included files do, unless the included file
      # includes this one, too.
      def loaded?(program, definition)
        program.includes.include?(definition.program) && !circular?(program, definition.program)
      end

      # Even files that include one another are loaded one after the other.
      def check_order
        return unless circles?

        _, circles = IDL::Order.of(@programs) { |program| needed(program).select { |found| circular?(program, found) } }
        return if circles.empty?

        file = Quote.path(circles[0].path)
        raise ArgumentError, "#{file} and a file that includes it need definitions from one another, so neither can be " \
                             "loaded first: use the layout :type (--layout type), which makes one file for each type"
      end

      def needed(program) = program.definitions.flat_map { |found| needs(found).map(&:program) }.uniq - [program]

      # The definitions in the order of the .thrift file, except that each comes after the definitions its values need.
      def ordered(program)
        IDL::Order.of(program.definitions) { |definition| needs(definition).select { |n| n.program.equal?(program) } }.first
      end

      def needs(definition)
        case definition
        when IDL::Model::Record then IDL::Defaults.needs(definition.fields.map(&:default))
        when IDL::Model::Const then IDL::Defaults.needs([definition.value])
        when IDL::Model::Service
          arguments = definition.functions.flat_map(&:arguments)
          [definition.parent, *IDL::Defaults.needs(arguments.map(&:default))].compact
        else []
        end + parents_around(definition)
      end

      # The services that the services around a definition extend.
      def parents_around(definition)
        @surroundings.of(definition).each_value.grep(IDL::Model::Service).filter_map(&:parent)
      end

      # The `require_relative` lines before and after the definitions of a file. Files that include one another name types
      # by Strings, so each of them may be loaded first. A file that is loaded already is not loaded again in the middle.
      def requires(program)
        needed = @layout == :file ? needed(program) : []
        before, after = program.includes.partition { |found| needed.include?(found) || !circular?(program, found) }
        [before, after].map { |programs| programs.filter_map { |found| require_of(program, found) } }
      end

      # Few files include one another, so the files that an included file reaches are computed only if there is a cycle.
      def circular?(program, included) = circles? && (@reached[included] ||= included.all).include?(program)

      def circles?
        @circles = IDL::Order.of(@programs, &:includes).last.any? if @circles.nil?
        @circles
      end

      def require_of(program, included)
        line = "require_relative #{Text.literal(path(included))}"
        return line unless circular?(program, included)

        own = included.definitions
        first = own.find { |definition| @layout == :file || shared?(definition) } || own.first
        "#{line} unless defined?(::#{@names.qualified(first)})" if first
      end

      # --- one file for each type --------------------------------------------------------------------------------------

      def by_type(program)
        shared, types = ordered(program).partition { |definition| shared?(definition) }
        types.each { |definition| type_file(definition, required: true) }
        others = shared.flat_map { |definition| needs(definition) }.select { |other| circular?(program, other.program) }
        requires = [*others, *types].uniq.map { |definition| "require_relative #{Text.literal(path_of(definition))}" }
        body = shared_definitions(program) { |other| other.program.equal?(program) || loaded?(program, other) }
        add_main(program, requires, body)
      end

      # The doc comment of the .thrift file becomes the comment of its module.
      def add_main(program, requires, body)
        before, after = requires(program)
        lines = head([program], before + requires) + Text.comment(program.doc)
        lines += Text.in_modules(@names.namespace(program), body)
        add("#{path(program)}.rb", program, after.empty? ? lines : [*lines, "", *after])
      end

      # Typedefs and constants have no file of their own.
      def shared?(definition)
        definition.is_a?(IDL::Model::Typedef) || definition.is_a?(IDL::Model::Const)
      end

      # Types name one another by Strings, so each file can be loaded first.
      def type_file(definition, required:)
        ruby = Ruby.new(@names, @names.namespace(definition.program)) { |other| other.equal?(definition) }
        lines = @surroundings.ruby(definition) { false } + ruby.definition(definition)
        body = Text.in_modules(@names.namespace(definition.program), lines)
        needed = required ? needs(definition) : []
        requires = needed.map { |other| "require_relative #{Text.literal(relative(definition, other))}" }
        add("#{path_of(definition)}.rb", definition, head([definition.program], requires) + body)
      end

      def relative(from, to)
        require "pathname"
        Pathname.new(path_of(to)).relative_path_from(Pathname.new(path_of(from)).dirname).to_s
      end

      # The typedefs and constants of a .thrift file.
      #
      # @yieldparam other [Object] a definition with a file of its own, or one of another .thrift file
      # @yieldreturn [Boolean] whether its constant exists already
      def shared_definitions(program)
        known = {}.compare_by_identity
        ruby = Ruby.new(@names, @names.namespace(program)) do |other|
          own = other.program.equal?(program) && shared?(other)
          own ? known[other] : yield(other)
        end
        Text.blocks(ordered(program).select { |definition| shared?(definition) }) do |definition|
          ruby.definition(definition).tap { known[definition] = true }
        end
      end

      # --- as Zeitwerk expects them ------------------------------------------------------------------------------------

      def by_zeitwerk(program)
        types = ordered(program).select { |definition| own_file?(definition) }
        types.each { |definition| type_file(definition, required: false) }
        constants = types.flat_map { |definition| @names.qualified(definition).split("::") }
        [*@names.namespace(program), *constants].uniq.each { |name| inflect(name) }
      end

      # Whether Zeitwerk looks for the constant in a file of its own. At the top level, typedefs and constants need such a
      # file as well, because there is no file of a module that could hold them.
      def own_file?(definition) = !shared?(definition) || @names.namespace(definition.program).empty?

      def inflect(name)
        file = @names.snake(name)
        known = (@inflected ||= {})[file] ||= []
        return if known.include?(name)

        known << name
        @warn&.call(zeitwerk(file, known)) unless known == [file.split("_").map(&:capitalize).join]
      end

      # Zeitwerk's inflector maps the name of a file to one constant, in whichever folder the file is.
      def zeitwerk(file, names)
        first, second = names
        setting = "loader.inflector.inflect(#{file.inspect} => #{first.inspect})"
        return "Zeitwerk needs a setting to find #{first} in #{file}.rb: #{setting}" unless second

        "Zeitwerk cannot load both #{first} and #{second}, because it looks for both in files named #{file}.rb: " \
          "generate them into separate folders, each with its own loader"
      end

      # Typedefs and constants of all .thrift files with the same namespace are in the file of that namespace.
      def namespaces
        @programs.group_by { |program| @names.namespace(program) }.except([]).each do |namespace, programs|
          blocks = programs.map { |program| [program, shared_definitions(program) { |other| own_file?(other) }] }
          blocks.reject! { |_, lines| lines.empty? }
          next if blocks.empty?

          path = namespace.map { |name| @names.snake(name) }.join("/")
          body = Text.in_modules(namespace, Text.separated(blocks.map(&:last)))
          add("#{path}.rb", blocks[0][0], head(blocks.map(&:first), []) + body)
        end
      end

      # --- parts -------------------------------------------------------------------------------------------------------

      def head(programs, requires)
        ["# frozen_string_literal: true", "", Text.header(*programs), "", "require \"sparpack\"", *requires, ""]
      end
    end
  end
end
