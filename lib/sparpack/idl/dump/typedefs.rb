# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Finds the typedefs of types. A type only knows the name of its typedef, so this class has to find its constant.
      #
      # @api private
      class Typedefs
        # A constant that holds a typedef.
        Found = ::Struct.new(:path, :type, :scope)

        # Classes may have methods with these names.
        CONSTANTS, GET, DEFINED, AUTOLOAD, SOURCE =
          %i[constants const_get const_defined? autoload? const_source_location].map { |name| Module.instance_method(name) }

        # Where Ruby's own files are.
        RUBY = [*RbConfig::CONFIG.values_at("rubylibdir", "vendordir").compact, "<internal:"].freeze
        private_constant :Found, :CONSTANTS, :GET, :DEFINED, :AUTOLOAD, :SOURCE, :RUBY

        # @param places [Places]
        # @param paths [Array<String>] the paths of the definitions that use types
        # @param asked [Array<Module>] the modules whose typedefs are all dumped, even those that nothing uses
        # @param names [RubyNames]
        def initialize(places, paths, asked, names)
          @places = places
          @names = names
          @known = {}
          @uses = {}
          @own = {}.compare_by_identity
          scopes = [*asked, *paths.flat_map { |path| around(path) }].uniq
          @constants = scopes.flat_map { |scope| typedefs(scope) }.group_by { |found| found.type.typedef }
          asked.each { |scope| typedefs(scope).each { |found| note(found.type, found.path) } }
        end

        # Registers a type and the types in it.
        #
        # @param type [Type]
        # @param user [String] the path of the definition that uses it
        # @return [void]
        # @raise [SchemaError] if two different types have the same typedef
        def use(type, user)
          return note(type, path(type, user)) if type.typedef

          [type.key, type.element].compact.each { |part| use(part, user) }
        end

        # @param type [Type] a registered type with a typedef
        # @param user [String] the path of the definition that uses it
        # @return [Definition] the definition of the typedef
        def of(type, user) = definition(path(type, user))

        # @return [Array<Definition>] the definitions of all registered typedefs
        def definitions = @uses.keys.map { |path| definition(path) }

        private

        # The first time, the types inside the typedef are registered, too.
        def note(type, path)
          known = [*named(type), *own(type.typedef)].select { |found| found.path == path }.map(&:type)
          other = @uses[path]&.first
          (@uses[path] ||= known) << type
          return use(type.named(nil, {}), path) if other.nil?
          return if other == type && other.typedef == type.typedef

          raise SchemaError, "two typedefs are called #{path}, one for #{other} and one for #{type}"
        end

        # The annotations of the typedef are those that all of its uses have in common.
        def definition(path)
          @known[path] ||= begin
            uses = @uses.fetch(path)
            annotations = uses.map { |use| use.annotations.to_a }.reduce(:&).to_h
            Definition.new(uses.first.named(nil, {}), @places.split(path), uses.first.typedef, annotations)
          end
        end

        # The path of the typedef's constant, in whatever module that is. A typedef without a constant gets the path of the
        # nearest one with the same name and type, or else a new one beside its user.
        def path(type, user)
          own = own(type.typedef)
          own = named(type).select { |found| fits?(found.type, type) } if own.empty?
          own.map(&:path).max_by { |path| [near(path, user), path] } || made(type, user)
        end

        def named(type) = @constants.fetch(type.typedef, [])

        # The constants that hold this very typedef: those in the modules around its users, or else those of all modules.
        def own(name)
          @own[name] ||= begin
            near = @constants.fetch(name, []).select { |found| found.type.typedef.equal?(name) }
            near.empty? ? resolved(everywhere.fetch(name, [])) : near
          end
        end

        # The number of modules around the constant if they are all around the user, too; otherwise -1.
        def near(path, user)
          scope = path.split("::")[0...-1]
          user.split("::").first(scope.size) == scope ? scope.size : -1
        end

        def made(type, user)
          home, = @places.split(user)
          [*home, @names.free(@names.type_name(type.typedef))].join("::")
        end

        def fits?(typedef, type) = typedef == type && (typedef.annotations.to_a - type.annotations.to_a).empty?

        # The object at a path and the modules and classes around it. The top level is left out, because Ruby's own constants
        # are there.
        def around(path)
          parts = path.split("::")
          (1..parts.size).map { |size| Places.at(parts.first(size).join("::")) }.grep(Module)
        end

        def typedefs(scope) = resolved(without_warnings { held(scope) })

        # Nothing in a type leads to the module of its constant, so this looks at all modules of the program. The keys are
        # compared by identity.
        def everywhere
          @everywhere ||= without_warnings do
            all_modules.each_with_object({}.compare_by_identity) do |scope, all|
              held(scope).each { |found| (all[found.type.typedef] ||= []) << found }
            end
          end
        end

        def all_modules
          return [] unless Native.main_ractor? # other Ractors may not read all constants

          ObjectSpace.each_object(Module).reject(&:singleton_class?)
        end

        # The constants of a module that hold a typedef.
        def held(scope)
          CONSTANTS.bind_call(scope, false).sort.filter_map do |name|
            next unless readable?(scope, name)

            type = GET.bind_call(scope, name, false)
            next unless (Type === type || Type::Name === type) && type.typedef # rubocop:disable Style/CaseEquality -- a BasicObject

            Found.new(constant_path(scope, name), type, scope)
          end
        end

        # Reading a deprecated constant warns, and a program may have hundreds of them.
        def without_warnings
          deprecated = Warning[:deprecated]
          Warning[:deprecated] = false
          yield
        ensure
          Warning[:deprecated] = deprecated
        end

        # Nothing is loaded. Ruby's own constants hold no typedefs.
        def readable?(scope, name)
          file, = SOURCE.bind_call(scope, name, false)
          return false unless file && !file.start_with?(*RUBY)

          DEFINED.bind_call(scope, name, false) && !AUTOLOAD.bind_call(scope, name, false)
        end

        def constant_path(scope, name)
          outer = Places.name_of(scope)
          scope.equal?(Object) || outer.nil? ? name.name : "#{outer.sub(Places::NAMELESS, "")}::#{name}"
        end

        # A type that is named by a name that cannot be resolved is ignored.
        def resolved(all)
          all.filter_map do |found|
            found.type.resolved? ? found : Found.new(found.path, found.type.resolve(found.scope), found.scope)
          rescue SchemaError
            nil
          end
        end
      end
    end
  end
end
