# frozen_string_literal: true

require "monitor"

module Sparpack
  module IDL
    # Defines classes for programs at run time.
    #
    # @api private
    class Definer
      # One at a time: what is defined is looked up and kept by the module that it is in. (A namespace may be autoloaded,
      # from a file that loads an IDL itself.)
      LOCK = Monitor.new
      BASES = { struct: Struct, union: Union, exception: Exception }.freeze

      # What was defined for a file: the text that it had, and the values of the constants, by their names.
      Loaded = ::Struct.new(:text, :constants)
      # What stands for a constant.
      ABSENT = ::Object.new.freeze
      AUTOLOADED = ::Object.new.freeze
      private_constant :LOCK, :BASES, :Loaded, :ABSENT, :AUTOLOADED

      # @param names [RubyNames]
      # @param into [Module] that the namespaces are in
      # @raise [TypeError] if that is no module
      def initialize(names, into)
        raise TypeError, "what is loaded into is a Module, not #{into.class}" unless ::Module === into # rubocop:disable Style/CaseEquality -- a BasicObject

        @names = names
        @into = into
        @classes = {}.compare_by_identity
        @defined = []
        @types = RubyTypes.new(@classes, names)
      end

      # @param programs [Array<Program>] what is included before what includes it
      # @return [void]
      # @raise [SchemaError] if a name is taken, or nothing can be defined here
      def run(programs)
        raise SchemaError, "classes are defined in the main Ractor" unless Native.main_ractor?

        LOCK.synchronize do
          programs.each { |program| namespace(program) }
          @by_path = programs.flat_map(&:definitions).to_h { |found| [@names.qualified(found), found] }
          fresh = programs.reject { |program| known?(program) }
          fresh.each { |program| check(program) }
          define(fresh)
          fresh.each { |program| register(program) }
        rescue FrozenError => e
          raise SchemaError, "#{Quote.plain(e.receiver)} is frozen: nothing can be defined in it"
        end
      end

      # @param program [Program]
      # @return [Module] that its definitions are in
      def namespace(program)
        @names.namespace(program).reduce(@into) do |outer, name|
          next outer.const_set(name, Module.new) unless outer.const_defined?(name, outer.equal?(Object))

          found = outer.const_get(name, outer.equal?(Object))
          next found if found.instance_of?(Module)

          full_name = Quote.plain(@names.namespace(program).join("::"))
          raise SchemaError, "#{Quote.path(program.path)}: its namespace #{full_name} " \
                             "cannot be defined: #{Quote.value(found)} is no module"
        end
      end

      private

      # --- what is there -----------------------------------------------------------------------------------------------

      # What was defined before, by the file's real path, its namespace and the style of its names.
      def registry
        @into.instance_variable_get(:@sparpack_idl) || @into.instance_variable_set(:@sparpack_idl, {})
      end

      def key(program) = [File.realpath(program.path), @names.namespace(program), @names.style]

      def register(program)
        constants = program.definitions.to_h { |found| [@names.constant(found), @classes[found]] }
        registry[key(program)] = Loaded.new(program.source.text, constants)
      end

      # Constants that were removed, as code is reloaded, are defined anew.
      def known?(program)
        loaded = registry[key(program)] or return false
        outer = namespace(program)
        there = loaded.constants.all? { |name, value| fetch(outer, name).equal?(value) }
        return false unless there

        check_unchanged(program, loaded.text)
        program.definitions.each { |found| @classes[found] = loaded.constants.fetch(@names.constant(found)) }
        true
      end

      # But for its comments. Classes that are in use do not change.
      def check_unchanged(program, text)
        return if text == program.source.text

        before, now = [IDL.parse(text), program.document].map do |document|
          document.definitions.to_h { |node| [[node.class, node.name], AST.undocumented(node)] }
        end
        changed = (now.keys | before.keys).find { |key| now[key] != before[key] } or return
        how = { now => "gone", before => "new" }.find { |nodes, _| !nodes.key?(changed) }&.last || "another"
        raise SchemaError, "#{Quote.path(program.path)} has changed since it was loaded: " \
                           "#{Quote.plain(changed.last)} is #{how} (classes do not change: start anew, or remove its " \
                           "constants before you load it again)"
      end

      def check(program)
        outer = namespace(program)
        program.definitions.each do |definition|
          name = @names.constant(definition)
          next if fetch(outer, name).equal?(ABSENT)

          line = program.source.line(definition.node.offset)
          taken = Quote.plain(@names.qualified(definition))
          raise SchemaError, "#{Quote.path(program.path)}:#{line}: #{taken} is defined already, " \
                             "#{Taken.new(registry, key(program)).by(*place(outer, name))}"
        end
      end

      # @return [Object] what a constant is, {ABSENT} if there is none, or {AUTOLOADED}
      def fetch(outer, path)
        outer, name = place(outer, path)
        return ABSENT unless outer&.const_defined?(name, false)

        outer.autoload?(name, false) ? AUTOLOADED : outer.const_get(name, false)
      end

      # @param outer [Module] a namespace
      # @param path [String] as {RubyNames#constant} answers it
      # @yieldparam module [Module] in which a part of the path is missing
      # @yieldparam name [String] that part's
      # @yieldreturn [Module, nil] what to go on with
      # @return [Array(Module, String), nil] the module that a constant is in, and its name there
      def place(outer, path)
        *parts, name = path.delete_prefix("::").split("::")
        outer = @into if path.start_with?("::")
        found = parts.reduce(outer) do |at, part|
          own = at.const_get(part, false) if at.const_defined?(part, false)
          own = yield(at, part) if own.nil? && block_given?
          own.is_a?(Module) ? own : (return nil)
        end
        [found, name]
      end

      # All or nothing.
      def define(programs)
        declare(programs)
        Defaults.order(programs.flat_map(&:records)).first.each { |found| fields(found) }
        programs.each { |program| complete(program) }
      rescue StandardError
        @defined.reverse_each { |outer, name| outer.send(:remove_const, name) }
        raise
      end

      # --- definitions -------------------------------------------------------------------------------------------------

      # Modules of a path that nothing defines are made.
      def set(definition, value)
        path = @names.constant(definition)
        outer, name = place(namespace(definition.program), path) do |at, part|
          at.const_set(part, Module.new).tap { @defined << [at, part] }
        end
        raise SchemaError, "#{definition.program.path}: #{path} cannot be defined: what it is in is no module" unless outer

        outer.const_set(name, value)
        @defined << [outer, name]
        @classes[definition] = value
      end

      # What types name, before any type is; what something is in, or extends, before it.
      def declare(programs)
        made = programs.flat_map { |program| program.enums + program.records + program.services }
        needs = ->(found) { [outer(found), (found.parent if found.is_a?(Model::Service))].compact }
        Order.of(made, &needs).first.each do |found|
          next if @classes[found] # of a program that was loaded before

          case found
          when Model::Enum then set(found, enum(found))
          when Model::Record then set(found, Class.new(BASES.fetch(found.kind)))
          when Model::Service then service(found)
          end
        end
      end

      # @return [Object, nil] the definition that one is inside of
      def outer(found) = @by_path[@names.qualified(found).rpartition("::").first]

      def enum(found)
        names = @names
        Module.new do
          extend Enum

          found.enum_values.each { |value| const_set(names.value(value), value.number) }
          idl found.name, annotations: found.annotations,
                          values: found.enum_values.to_h { |value| [names.value(value).to_sym, value.name] },
                          value_annotations: found.enum_values.reject { |value| value.annotations.empty? }
                                                  .to_h { |value| [names.value(value).to_sym, value.annotations] }
        end
      end

      def fields(record)
        return if Declared.fields(@classes[record]).any? # of a program that was loaded before

        target = @classes[record]
        Declared.idl(target, record.name, annotations: record.annotations)
        Declared.together(target) do
          record.fields.each { |field| Declared.field(target, *signature(field), **options(field)) }
        end
      end

      def signature(field) = [field.id, @names.member(field), @types.type(field.type)]

      def options(field)
        options = { idl_name: field.name, annotations: field.annotations, implicit: field.id.negative?,
                    default: @types.value(field.default) }
        options[field.requiredness] = true unless field.requiredness == :default
        options
      end

      def service(found)
        set(found, Class.new(found.parent ? @classes.fetch(found.parent) : Service))
        @classes[found].send(:idl, found.name, annotations: found.annotations)
      end

      # What needs complete classes.
      def complete(program)
        program.typedefs.each { |found| set(found, @types.typedef(found)) }
        program.constants.each { |found| set(found, Ractor.make_shareable(@types.value(found.value))) }
        program.services.each do |found|
          @classes[found].declare_together { found.functions.each { |function| declare_function(found, function) } }
        end
      end

      def declare_function(service, function)
        arguments, throws = [function.arguments, function.throws].map do |fields|
          fields.map { |field| [signature(field), options(field)] }
        end
        type = @types.type(function.type) if function.type
        @classes[service].send(:function, @names.member(function), type, oneway: function.oneway, idl_name: function.name,
                                                                          annotations: function.annotations) do
          arguments.each { |place, options| argument(*place, **options) }
          throws.each { |place, options| throws(*place, **options.except(:required, :optional)) }
        end
      end
    end

    # Says who has a constant that a file would define, and what to do.
    #
    # @api private
    class Taken
      ELSEWHERE = "or load this file into another module (into:)"
      private_constant :ELSEWHERE

      # @param registry [Hash{Array => Definer::Loaded}] what was defined, as {Definer} keeps it
      # @param key [Array] of the file in it: its real path, its namespace and the style of its names
      def initialize(registry, key)
        @registry = registry
        @path, @namespace, @style = key
      end

      # @param outer [Module]
      # @param name [String] of a constant in it
      # @return [String] goes on after a comma
      def by(outer, name)
        file = outer.autoload?(name, false)
        return "by an autoload of #{file}: use it as it is, #{ELSEWHERE}" if file

        value = outer.const_get(name, false)
        loaded(value) || written(outer, name, value)
      end

      private

      # By IDL.load.
      def loaded(value)
        path, namespace, style = @registry.find { |_, found| found.constants.each_value.any? { |v| v.equal?(value) } }&.first
        return unless path
        return "from #{path}: a definition has one file, so load only one of the two, #{ELSEWHERE}" unless path == @path
        return "by loading it with names: :#{style}: load it with the same names, #{ELSEWHERE}" unless style == @style

        "by loading it when its namespace was #{Quote.plain(namespace.join("::"))}: start anew, #{ELSEWHERE}"
      end

      # By generated code, or by hand.
      def written(outer, name, value)
        file, line = outer.const_source_location(name, false)
        place = " in #{file}:#{line}" if file
        return "by Ruby code#{place}: use it as it is (generated code needs no IDL.load), #{ELSEWHERE}" if ours?(value)

        "as something else (#{value.class}#{place}): give one of the two another name, #{ELSEWHERE}"
      end

      def ours?(value)
        case value
        when Class then [Struct, Union, Exception, Service].any? { |base| value < base }
        else [Enum, Type, Type::Name].any? { |kind| kind === value } # rubocop:disable Style/CaseEquality -- a BasicObject
        end
      end
    end

    # An IDL's types and values as Ruby has them.
    #
    # @api private
    class RubyTypes
      # @param classes [Hash{Object => Module}] what was defined for {Model::Enum}s and {Model::Record}s
      # @param names [RubyNames]
      def initialize(classes, names)
        @classes = classes
        @names = names
      end

      # @param type [Model::Type]
      # @return [Type]
      def type(type)
        parts = { element: type.element && type(type.element), key: type.key && type(type.key),
                  target: type.target && @classes.fetch(type.target) }
        Type.new(type.kind, **parts, typedef: type.typedef&.name, annotations: RubyTypes.annotations(type))
      end

      # @param typedef [Model::Typedef]
      # @return [Type] that knows its name
      def typedef(typedef)
        type(typedef.type).named(typedef.name, RubyTypes.annotations(typedef.type).merge(typedef.annotations))
      end

      # @param value [Object] as {Model::Const} has it
      # @return [Object]
      def value(value)
        case value
        when Array then value.map { |element| value(element) }
        when Set then value.to_set { |element| value(element) }
        when Hash then value.to_h { |key, element| [value(key), value(element)] }
        when Model::EnumValue then value.number
        when Model::StructValue
          @classes.fetch(value.record).new(**value.fields.to_h { |field, part| [@names.member(field), value(part)] })
        else value
        end
      end

      # A typedef's annotations are also those of what is declared by it.
      #
      # @param type [Model::Type]
      # @return [Hash{String => String, Array<String>}] frozen deep
      def self.annotations(type)
        typedef = type.typedef or return Ractor.make_shareable(type.annotations)
        Ractor.make_shareable(annotations(typedef.type).merge(typedef.annotations, type.annotations))
      end
    end
  end
end
