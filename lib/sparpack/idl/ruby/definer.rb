# frozen_string_literal: true

require "monitor"

module Sparpack
  module IDL
    # Defines the classes of programs at run time.
    #
    # @api private
    class Definer
      # Only one thread at a time may define classes, because it looks up and registers them in shared modules. The lock is
      # reentrant because a namespace may be autoloaded from a file that loads an IDL itself.
      LOCK = Monitor.new
      BASES = { struct: Struct, union: Union, exception: Exception }.freeze

      # A file that was loaded: its text, and the values of its constants by name.
      Loaded = ::Struct.new(:text, :constants)
      # Stand-ins for the value of a constant.
      ABSENT = ::Object.new.freeze
      AUTOLOADED = ::Object.new.freeze
      private_constant :BASES, :Loaded, :ABSENT, :AUTOLOADED

      # @param names [RubyNames]
      # @param into [Module] the module in which to define the namespaces
      # @raise [TypeError] if `into` is not a Module
      def initialize(names, into)
        raise TypeError, "into: must be a Module, not #{into.class}" unless ::Module === into # rubocop:disable Style/CaseEquality -- a BasicObject

        @names = names
        @into = into
        @classes = {}.compare_by_identity
        @defined = []
        @types = RubyTypes.new(@classes, names)
      end

      # @param programs [Array<Program>] the files to define; each after those that it includes
      # @return [void]
      # @raise [SchemaError] if a constant exists already, or if nothing can be defined here
      def run(programs)
        raise SchemaError, "IDL.load defines classes, so it works only in the main Ractor" unless Native.main_ractor?

        LOCK.synchronize do
          programs.each { |program| namespace(program) }
          @by_path = programs.flat_map(&:definitions).to_h { |found| [@names.qualified(found), found] }
          fresh = programs.reject { |program| known?(program) }
          fresh.each { |program| check(program) }
          define(fresh)
          fresh.each { |program| register(program) }
        rescue FrozenError => e
          raise SchemaError, "cannot define anything in #{Quote.plain(e.receiver)}, because it is frozen"
        end
      end

      # @param definition [Model::Typedef, Model::Enum, Model::Record, Model::Const, Model::Service]
      # @return [Object] the value of its constant
      def [](definition) = @classes.fetch(definition)

      # @param program [Program]
      # @return [Module] the module with its definitions
      # @raise [SchemaError] if its name belongs to something that is not a module
      def namespace(program)
        @names.namespace(program).reduce(@into) do |outer, name|
          next outer.const_set(name, Module.new) unless outer.const_defined?(name, outer.equal?(Object))

          found = outer.const_get(name, outer.equal?(Object))
          next found if found.instance_of?(Module)

          full_name = Quote.plain(@names.namespace(program).join("::"))
          raise SchemaError, "#{Quote.path(program.path)}: cannot define its namespace #{full_name}, " \
                             "because #{Quote.value(found)} is not a module"
        end
      end

      private

      # --- what is defined already -------------------------------------------------------------------------------------

      # The files that were loaded before, by the file's real path, its namespace and the style of its names.
      def registry
        @into.instance_variable_get(:@sparpack_idl) || @into.instance_variable_set(:@sparpack_idl, {})
      end

      def key(program) = [File.realpath(program.path), @names.namespace(program), @names.style]

      def register(program)
        constants = program.definitions.to_h { |found| [@names.constant(found), @classes[found]] }
        registry[key(program)] = Loaded.new(program.source.text, constants)
      end

      # Whether the file was loaded before and all of its constants still exist. Code reloading may have removed them.
      def known?(program)
        loaded = registry[key(program)] or return false
        outer = namespace(program)
        there = loaded.constants.all? { |name, value| fetch(outer, name).equal?(value) }
        return false unless there

        check_unchanged(program, loaded.text)
        program.definitions.each { |found| @classes[found] = loaded.constants.fetch(@names.constant(found)) }
        true
      end

      # Comments may change. Anything else would have to change classes that are in use.
      def check_unchanged(program, text)
        return if text == program.source.text

        before, now = [IDL.parse(text), program.document].map do |document|
          document.definitions.to_h { |node| [[node.class, node.name], AST.undocumented(node)] }
        end
        changed = (now.keys | before.keys).find { |key| now[key] != before[key] } or return
        how = { now => "was removed", before => "is new" }.find { |nodes, _| !nodes.key?(changed) }&.last || "is different"
        raise SchemaError, "#{Quote.path(program.path)} has changed since it was loaded: #{Quote.plain(changed.last)} " \
                           "#{how} (loaded classes cannot change: restart the program, or remove their constants " \
                           "before you load the file again)"
      end

      def check(program)
        outer = namespace(program)
        program.definitions.each do |definition|
          name = @names.constant(definition)
          next if fetch(outer, name).equal?(ABSENT)

          line = program.source.line(definition.node.offset)
          taken = Quote.plain(@names.qualified(definition))
          raise SchemaError, "#{Quote.path(program.path)}:#{line}: #{taken} is already defined " \
                             "#{Taken.new(registry, key(program)).by(*place(outer, name))}"
        end
      end

      # @return [Object] the value of a constant, {ABSENT} if it does not exist, or {AUTOLOADED} if it is not loaded yet
      def fetch(outer, path)
        outer, name = place(outer, path)
        return ABSENT unless outer&.const_defined?(name, false)

        outer.autoload?(name, false) ? AUTOLOADED : outer.const_get(name, false)
      end

      # @param outer [Module] a namespace
      # @param path [String] a path that {RubyNames#constant} returned
      # @yieldparam module [Module] a module that lacks a part of the path
      # @yieldparam name [String] the name of that part
      # @yieldreturn [Module, nil] the module to continue with
      # @return [Array(Module, String), nil] the module around a constant, and the name of the constant in it
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

      # If something fails, all constants that were defined are removed again.
      def define(programs)
        declare(programs)
        Defaults.order(programs.flat_map(&:records)).first.each { |found| fields(found) }
        programs.each { |program| complete(program) }
      rescue StandardError
        @defined.reverse_each { |outer, name| outer.send(:remove_const, name) }
        raise
      end

      # --- definitions -------------------------------------------------------------------------------------------------

      # Defines a constant, and the modules of its path that do not exist.
      def set(definition, value)
        path = @names.constant(definition)
        outer, name = place(namespace(definition.program), path) do |at, part|
          at.const_set(part, Module.new).tap { @defined << [at, part] }
        end
        unless outer
          raise SchemaError, "#{Quote.path(definition.program.path)}: cannot define #{Quote.plain(path)}, " \
                             "because a part of this path is not a module"
        end

        outer.const_set(name, value)
        @defined << [outer, name]
        @classes[definition] = value
      end

      # Defines enums, classes and services before the types that refer to them. The class around a definition, and the
      # service that a service extends, come before it.
      def declare(programs)
        made = programs.flat_map { |program| program.enums + program.records + program.services }
        needs = ->(found) { [outer(found), (found.parent if found.is_a?(Model::Service))].compact }
        Order.of(made, &needs).first.each do |found|
          next if @classes[found] # it was loaded before

          case found
          when Model::Enum then set(found, enum(found))
          when Model::Record then set(found, Class.new(BASES.fetch(found.kind)))
          when Model::Service then service(found)
          end
        end
      end

      # @return [Object, nil] the definition around this one
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
        return if Declared.fields?(@classes[record]) # it was loaded before

        target = @classes[record]
        Declared.idl(target, record.name, annotations: record.annotations)
        Declared.all(target, record.fields.map { |field| field(target, field) })
      end

      def field(target, field)
        Declared.from_idl(target, id: field.id, name: @names.member(field), type: @types.type(field.type),
                                  requiredness: field.requiredness, default: @types.value(field.default),
                                  idl_name: field.name, annotations: field.annotations)
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

      # Defines typedefs, constants and functions, which need complete classes.
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
  end
end
