# frozen_string_literal: true

module Sparpack
  module Rails
    # The list that `params.permit` takes (see {Rails.permit}).
    #
    # @api private
    class Permit
      LISTS = %i[list set].freeze
      private_constant :LISTS

      # @param struct_class [Class]
      # @param only [Array<Symbol, String>, nil]
      # @param except [Array<Symbol, String>]
      # @param depth [Integer, nil]
      # @raise [ArgumentError]
      def initialize(struct_class, only, except, depth)
        unless struct_class.is_a?(::Class) && Declared.shape(struct_class)
          raise ArgumentError, "expected a subclass of Sparpack::Struct, Union or Exception, got " \
                               "#{Quote.value(struct_class)}"
        end
        unless depth.nil? || (depth.is_a?(Integer) && depth.positive?)
          raise ArgumentError, "depth: expected a positive Integer, got #{Quote.value(depth)}"
        end

        @struct_class = struct_class
        @depth = depth
        @only = only && paths(only)
        @except = paths(except)
      end

      # @return [Array<Symbol, Hash>]
      def list = of_class(@struct_class, @only, @except, [])

      private

      # @return [Hash{Symbol => Hash}] names by the names above them
      def paths(names)
        Array(names).each_with_object({}) do |name, tree|
          name.to_s.split(".").inject(tree) { |branch, step| branch[step.to_sym] ||= {} }
        end
      end

      def of_class(klass, only, except, within)
        check_names(klass, only, except)
        within += [klass]
        scalars, nested = [], {} # rubocop:disable Style/ParallelAssignment -- the two halves of the list
        Declared.schema(klass).fields.each do |field|
          next if left_out?(field.name, only, except)

          below, without = branch(only, field.name), except.fetch(field.name, {}) # rubocop:disable Style/ParallelAssignment -- as above
          check_below(klass, field, [*below&.keys, *without.keys])
          part = of_type(field.type, below, without, within)
          next scalars << field.name if part == :scalar

          nested[field.name] = part unless part.nil?
        end
        nested.empty? ? scalars : [*scalars, nested]
      end

      def left_out?(name, only, except)
        (only && !only.key?(name)) || except[name]&.empty?
      end

      # A name alone stands for all that is below it.
      def branch(only, name)
        below = only && only[name]
        below unless below.nil? || below.empty?
      end

      # @return [Symbol, Array, Hash, nil] nil for what is left out
      def of_type(type, only, except, within)
        case type.kind
        when :struct, :union then nested(type.target, only, except, within)
        when :list, :set
          element = of_type(type.element, only, except, within)
          element == :scalar ? [] : element
        when :map, :any then {}
        else :scalar
        end
      end

      def nested(target, only, except, within)
        return unless target.is_a?(::Class) # a Hash cannot stand for an object of a plain class

        levels = within.count(target)
        if levels.zero? || (@depth && levels < @depth)
          list = of_class(target, only, except, within)
          return list unless list.empty? # it would permit scalars
        end
        return if levels.zero? || @depth

        name = Quote.plain(target)
        raise ArgumentError, "#{name} holds itself: pass depth:, which says how many levels of it are permitted, or leave " \
                             "the field out by except:"
      end

      # Only lists and sets may stand between a name and the class that has the next one.
      def check_below(klass, field, names)
        type = field.type
        type = type.element while LISTS.include?(type.kind)
        return if names.empty? || type.kind == :struct || type.kind == :union

        raise ArgumentError, "#{Quote.plain(klass)}.#{field.name} has no field #{Quote.value(names.first)}: it is no struct"
      end

      def check_names(klass, only, except)
        schema = Declared.schema(klass)
        [*only&.keys, *except.keys].each do |name|
          next if schema[name]

          raise ArgumentError, "#{Quote.plain(klass)} has no field #{Quote.value(name)}" \
                               "#{Names.hint(name, schema.fields.map(&:name))}"
        end
      end
    end
  end
end
