# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # The typedefs by which types are called. A type only knows the name: where its constant is has to be found.
      #
      # @api private
      class Typedefs
        # A constant that is a typedef's.
        Found = ::Struct.new(:path, :type)
        private_constant :Found

        # @param places [Places]
        # @param paths [Array<String>] of what has types
        # @param asked [Array<Module>] of which all typedefs are meant
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

        # Notes a type, and those in it.
        #
        # @param type [Type]
        # @param user [String] the path of what names it
        # @return [void]
        def use(type, user)
          return note(type, path(type, user)) if type.typedef

          [type.key, type.element].compact.each { |part| use(part, user) }
        end

        # @param type [Type] with a typedef, which was noted
        # @param user [String] the path of what names it
        # @return [Definition]
        def of(type, user) = definition(path(type, user))

        # @return [Array<Definition>]
        def definitions = @uses.keys.map { |path| definition(path) }

        private

        # Where it was noted for the first time, what is in it is noted, too.
        def note(type, path)
          known = @constants.fetch(type.typedef, []).select { |found| found.path == path }.map(&:type)
          other = @uses[path]&.first
          (@uses[path] ||= known) << type
          return use(type.named(nil, {}), path) if other.nil?
          return if other == type && other.typedef == type.typedef

          raise SchemaError, "#{path}: two typedefs are called so, one for #{other} and one for #{type}"
        end

        # Its annotations are those that all have who name it.
        def definition(path)
          @known[path] ||= begin
            uses = @uses.fetch(path)
            annotations = uses.map { |use| use.annotations.to_a }.reduce(:&).to_h
            Definition.new(uses.first.named(nil, {}), @places.split(path), uses.first.typedef, annotations)
          end
        end

        # The nearest constant, outward from who names it; else one of another namespace; else one is made.
        def path(type, user)
          fitting = @constants.fetch(type.typedef, []).select { |found| fits?(found.type, type) }.map(&:path)
          fitting.max_by { |path| [near(path, user), path] } || made(type, user)
        end

        # How much of the path to its constant leads to the user, too; less than nothing where it is elsewhere.
        def near(path, user)
          scope = path.split("::")[0...-1]
          user.split("::").first(scope.size) == scope ? scope.size : -1
        end

        def made(type, user)
          home, = @places.split(user)
          [*home, @names.free(@names.type_name(type.typedef))].join("::")
        end

        def fits?(typedef, type) = typedef == type && (typedef.annotations.to_a - type.annotations.to_a).empty?

        # The modules and classes around something, and itself; not the top: Ruby's own constants are there.
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

        # One that leads nowhere is nobody's.
        def resolved(name, scope)
          name.resolve(scope)
        rescue SchemaError
          nil
        end
      end
    end
  end
end
