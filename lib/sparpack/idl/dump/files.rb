# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # Spreads definitions over files: one for each namespace. Files cannot include one another, so where namespaces need
      # one another, each has several files, in layers: a file includes those of lower layers only. Definitions that need one
      # another though they are in several namespaces share a file; those of other namespaces than the file's are annotated.
      #
      # @api private
      class Files
        # What definitions at the top level are in, unless one was asked for, which names the file.
        TOP_LEVEL = "top_level"
        private_constant :TOP_LEVEL

        # A file of definitions, in order.
        File = ::Struct.new(:name, :home, :definitions) do
          include Model::Identity

          # @return [String]
          def path = "#{name}.thrift"

          # @return [Array<File>] those that it includes, in order of their names
          def includes = (definitions.flat_map(&:needs).map(&:file).uniq - [self]).sort_by(&:name)

          # @return [String]
          def inspect = "#<#{self.class} #{path}>"
        end

        # Definitions that stay together: one, or those that need one another.
        Unit = ::Struct.new(:definitions, :home, :needs, :layer) { include Model::Identity }
        private_constant :Unit

        # @param definitions [Array<Definition>] in order
        # @param only [Definition, nil] the one that was asked for, if it was one at the top level
        # @param names [RubyNames]
        def initialize(definitions, only, names)
          @definitions = definitions
          @only = only
          @names = names
          @units = units
          layer
        end

        # @return [Array<File>]
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

        # What is needed stands before what needs it.
        def units
          by_definition = {}.compare_by_identity
          Components.of(@definitions, &:needs).map do |together|
            unit = Unit.new(together, together.map(&:home).min, [], 0)
            together.each { |definition| by_definition[definition] = unit }
            unit.needs = together.flat_map(&:needs).map { |needed| by_definition.fetch(needed) }.uniq - [unit]
            unit
          end
        end

        # Namespaces that need nothing that needs them have one layer.
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
