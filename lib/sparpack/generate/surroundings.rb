# frozen_string_literal: true

module Sparpack
  module Generate
    # Finds the classes and modules around a definition that its namespace does not include, for example the class `Order`
    # around `Order::Item`. They have to exist before the definition. A class can be opened again later.
    #
    # @api private
    class Surroundings
      # @param names [IDL::RubyNames]
      # @param programs [Array<IDL::Program>]
      def initialize(names, programs)
        @names = names
        @by_path = programs.flat_map(&:definitions).to_h { |found| [names.qualified(found), found] }
      end

      # @param definition [Object]
      # @return [Hash{String => Object, nil}] the definitions around it by their paths, from the outside in. Nil stands for
      #   a module that no .thrift file defines. A class that no .thrift file defines is left out: it has to exist already.
      def of(definition)
        *parts, _name = @names.constant(definition).split("::")
        absolute = parts.first == ""
        paths = (1..parts.size).map { |size| parts.first(size).join("::") }.reject(&:empty?)
        paths.to_h { |path| [path, @by_path[qualified(definition, path)]] }.select { |_, found| found || absolute }
      end

      # @param definition [Object]
      # @yieldparam path [String] the path of a class or module around it
      # @yieldreturn [Boolean] whether it exists already
      # @return [Array<String>] lines of Ruby that define the others
      def ruby(definition, &)
        of(definition).reject(&).map do |path, found|
          case found
          when nil, IDL::Model::Enum then "module #{path}; end"
          when IDL::Model::Service then "class #{path} < #{parent(found)}; end"
          else "class #{path} < #{Ruby::BASES.fetch(found.kind)}; end"
          end
        end
      end

      # @param definitions [Array<Object>]
      # @return [Array<String>] lines of a signature file that declare the modules that no .thrift file defines
      def modules(definitions)
        paths = definitions.flat_map { |definition| of(definition).select { |_, found| found.nil? }.keys }
        paths.uniq.flat_map { |path| ["module #{path}", "end"] }
      end

      private

      def qualified(definition, path)
        path.start_with?("::") ? path.delete_prefix("::") : [*@names.namespace(definition.program), path].join("::")
      end

      def parent(service) = service.parent ? "::#{@names.qualified(service.parent)}" : "::Sparpack::Service"
    end
  end
end
