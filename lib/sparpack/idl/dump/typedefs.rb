# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Finds the typedefs of types. A type only knows the name of its typedef, so this class has to find its constant.
      #
      # @api private
      class Typedefs
        # A constant that holds a typedef.
        Found = ::Struct.new(:path, :type)
        private_constant :Found

        # @param places [Places]
        # @param paths [Array<String>] the paths of the definitions that use types
        # @param asked [Array<Module>] the modules whose typedefs are all dumped, even those that nothing uses
        # @param names [RubyNames]
        def initialize(places, paths, asked, names)
          @places = places
          @names = names
          @known = {}
          @uses = {}
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
          known = @constants.fetch(type.typedef, []).select { |found| found.path == path }.map(&:type)
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

        # The path of the typedef's constant. It is the nearest constant around the user, else one in another namespace, else
        # a new one.
        def path(type, user)
          fitting = @constants.fetch(type.typedef, []).select { |found| fits?(found.type, type) }.map(&:path)
          fitting.max_by { |path| [near(path, user), path] } || made(type, user)
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

        def typedefs(scope)
          scope.constants(false).sort.filter_map do |name|
            type = scope.const_get(name, false) unless scope.autoload?(name, false)
            type = resolved(type, scope) if Type::Name === type # rubocop:disable Style/CaseEquality -- a BasicObject
            Found.new("#{Places.path(scope)}::#{name}", type) if Type === type && type.typedef # rubocop:disable Style/CaseEquality
          end
        end

        # A name that cannot be resolved is ignored.
        def resolved(name, scope)
          name.resolve(scope)
        rescue SchemaError
          nil
        end
      end
    end
  end
end
