# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Distributes definitions over files. Each namespace has one file, unless namespaces need one another. Files cannot
      # include one another, so such a namespace has several files in layers, and a file includes only files of lower layers.
      # Definitions of several namespaces that need one another share a file. In it, those that are not in the namespace of
      # the file have an annotation.
      #
      # @api private
      class Files
        # The name of the file for definitions at the top level. If just one definition is dumped, its own name is used.
        TOP_LEVEL = "top_level"
        private_constant :TOP_LEVEL

        # A file with its definitions in order.
        File = ::Struct.new(:name, :home, :definitions) do
          include Model::Identity

          # @return [String] the path of the file
          def path = "#{name}.thrift"

          # @return [Array<File>] the files that it includes, sorted by name
          def includes = (definitions.flat_map(&:needs).map(&:file).uniq - [self]).sort_by(&:name)

          # @return [String]
          def inspect = "#<#{self.class} #{path}>"
        end

        # Definitions that stay together: a single one, or several that need one another.
        Unit = ::Struct.new(:definitions, :home, :needs, :layer) { include Model::Identity }
        private_constant :Unit

        # @param definitions [Array<Definition>] in order
        # @param only [Definition, nil] the requested definition, if there is just one and it is at the top level
        # @param names [RubyNames]
        def initialize(definitions, only, names)
          @definitions = definitions
          @only = only
          @names = names
          @units = units
          layer
        end

        # @return [Array<File>] all files
        def list
          places = {}.compare_by_identity
          @units.each { |unit| unit.definitions.each { |definition| places[definition] = [unit.home, unit.layer] } }
          groups = @definitions.group_by { |definition| places.fetch(definition) }
          taken = []
          groups.sort.map do |(home, _), definitions|
            taken << free(name(home), taken)
            file = File.new(taken.last, home, definitions)
            definitions.each { |definition| definition.file = file }
            file
          end
        end

        private

        # Each unit comes after the units that it needs.
        def units
          by_definition = {}.compare_by_identity
          Components.of(@definitions, &:needs).map do |together|
            unit = Unit.new(together, together.map(&:home).min, [], 0)
            together.each { |definition| by_definition[definition] = unit }
            unit.needs = together.flat_map(&:needs).map { |needed| by_definition.fetch(needed) }.uniq - [unit]
            unit
          end
        end

        # A namespace has several layers only if it needs other namespaces that need it, too.
        def layer
          groups = groups_of_namespaces
          @units.each do |unit|
            near = unit.needs.select { |needed| groups.fetch(needed.home).equal?(groups.fetch(unit.home)) }
            unit.layer = near.map { |needed| needed.layer + (needed.home == unit.home ? 0 : 1) }.max || 0
          end
        end

        def groups_of_namespaces
          homes = @units.map(&:home).uniq.to_h { |home| [home, home] }
          needs = @units.group_by(&:home).transform_values do |units|
            units.flat_map(&:needs).map { |needed| homes.fetch(needed.home) }.uniq
          end
          groups = Components.of(homes.values) { |home| needs.fetch(home) }
          groups.flat_map { |group| group.map { |home| [home, group] } }.to_h
        end

        def name(home)
          parts = home.empty? ? (@only&.constant || TOP_LEVEL).split("::") : home
          parts.map { |part| @names.snake(part) }.join("_")
        end

        def free(name, taken)
          number = 1
          number += 1 while taken.include?(numbered(name, number))
          numbered(name, number)
        end

        def numbered(name, number) = number == 1 ? name : "#{name}_#{number}"
      end
    end
  end
end
