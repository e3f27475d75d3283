# frozen_string_literal: true

module Sparpack
  module Generate
    # What a definition is inside of, besides its namespace: classes such as the `Order` of `Order::Item`, or modules from
    # the top. They have to be there before it, whatever is in them: a class can be opened again.
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
      # @return [Hash{String => Object, nil}] by the path as it is written, from outside in: a definition; nil is a module
      #   that no IDL defines. A class that no IDL defines is left out: it has to be there.
      def of(definition)
        *parts, _name = @names.constant(definition).split("::")
        absolute = parts.first == ""
        paths = (1..parts.size).map { |size| parts.first(size).join("::") }.reject(&:empty?)
        paths.to_h { |path| [path, @by_path[qualified(definition, path)]] }.select { |_, found| found || absolute }
      end

      # @param definition [Object]
      # @yieldparam path [String]
      # @yieldreturn [Boolean] whether it is there already
      # @return [Array<String>] lines of Ruby
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
      # @return [Array<String>] modules that no IDL defines, as signatures have them
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
