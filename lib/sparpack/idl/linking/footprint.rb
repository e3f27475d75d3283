# frozen_string_literal: true

module Sparpack
  module IDL
    # Counts what constants and defaults become as objects. A struct in a value also has the fields that the value leaves
    # out, and the defaults of these, which may hold structs with defaults in turn. So a short text could stand for more
    # objects than memory holds.
    #
    # @api private
    class Footprint
      # The most objects that one default makes, or that the defaults of the structs in one constant make. Structs,
      # containers and Strings are objects.
      OBJECTS = Native::DEFAULT_OBJECTS

      # The most such objects in all.
      TOTAL = 4 * OBJECTS

      # The most levels of defaults inside defaults. Values with more levels could not be encoded.
      DEPTH = 64

      # What a value takes.
      #
      # - `parts` counts scalars, containers, structs, and the fields of structs that are not set.
      # - `objects` counts structs, containers and Strings.
      # - `made` counts those of them that defaults make.
      # - `levels` counts the levels of containers and structs.
      Extent = ::Struct.new(:parts, :objects, :made, :levels)

      # What a new object of a struct takes. `defaults` are the extents of its defaults by field, the deepest first.
      Blank = ::Struct.new(:parts, :objects, :defaults)

      SCALAR = Extent.new(1, 0, 0, 0).freeze
      STRING = Extent.new(1, 1, 0, 0).freeze
      private_constant :OBJECTS, :TOTAL, :DEPTH, :Extent, :Blank, :SCALAR, :STRING

      # @param linker [Linker]
      def initialize(linker)
        @linker = linker
        @extents = {}.compare_by_identity
        @blanks = {}.compare_by_identity
        @parts = @objects = 0
      end

      # Adds a fault for the first value that takes too much. What contains it takes too much, too, so one fault is enough.
      #
      # @param programs [Array<Program>] with the values of all constants and defaults
      # @param records [Array<Model::Record>] all structs, each after those that its defaults contain
      # @return [void]
      def check(programs, records)
        catch(self) do
          records.each { |record| @blanks[record] = blank(record) }
          programs.each do |program|
            program.constants.each { |const| constant(const) }
            fields = program.services.flat_map(&:functions).flat_map { |function| function.arguments + function.throws }
            fields.each { |field| default(program, field) unless field.default.nil? }
          end
        end
      end

      private

      def blank(record)
        fields = record.fields.reject { |field| field.default.nil? }
        defaults = fields.map { |field| [field, default(record.program, field)] }.sort_by { |_, extent| -extent.levels }.to_h
        levels = 1 + deepest(defaults.values)
        limit(record.program, record.node, levels, DEPTH, "defaults of at most #{DEPTH} levels")
        parts = 1 + defaults.each_value.sum(&:parts)
        parts += record.fields.size - defaults.size unless record.kind == :union
        Blank.new(parts, 1 + defaults.each_value.sum(&:objects), defaults)
      end

      def constant(const)
        found = extent(const.value)
        place = [const.program, const.node]
        limit(*place, found.levels, DEPTH, "a constant of at most #{DEPTH} levels")
        limit(*place, found.made, OBJECTS, "a constant whose defaults make at most #{OBJECTS} objects")
        total(*place, found.parts, found.made)
      end

      def default(program, field)
        found = extent(field.default)
        place = [program, field.node.default]
        limit(*place, found.objects, OBJECTS, "a default of at most #{OBJECTS} objects")
        total(*place, found.parts, found.objects)
        found
      end

      def total(program, node, parts, objects)
        limit(program, node, @parts += parts, Values::TOTAL, Values::IN_ALL)
        limit(program, node, @objects += objects, TOTAL, "defaults of at most #{TOTAL} objects in all")
      end

      def limit(program, node, count, most, expected)
        return if count <= most

        @linker.fault(program, node, expected, "more")
        throw self
      end

      # Constants share parts, so each is visited once.
      def extent(value)
        case value
        when Array, Set then @extents[value] ||= container(value)
        when Hash then @extents[value] ||= container(value.to_a.flatten(1))
        when Model::StructValue then @extents[value] ||= struct(value)
        when String then STRING
        else SCALAR
        end
      end

      def container(elements)
        extents = elements.map { |element| extent(element) }
        Extent.new(1 + extents.sum(&:parts), 1 + extents.sum(&:objects), extents.sum(&:made), 1 + deepest(extents))
      end

      # Visits only the fields that are given, because a struct may have thousands.
      def struct(value)
        blank = @blanks.fetch(value.record)
        given = value.fields.transform_values { |part| extent(part) }
        replaced = blank.defaults.empty? ? [] : given.keys.filter_map { |field| blank.defaults[field] }
        unset = value.record.kind == :union ? 0 : given.size - replaced.size
        made = blank.objects - 1 - replaced.sum(&:objects)
        _, kept = blank.defaults.find { |field, _| !given.key?(field) }
        Extent.new(blank.parts - unset - replaced.sum(&:parts) + given.each_value.sum(&:parts),
                   1 + made + given.each_value.sum(&:objects), made + given.each_value.sum(&:made),
                   1 + deepest([*given.values, kept].compact))
      end

      def deepest(extents) = extents.map(&:levels).max || 0
    end
  end
end
