# frozen_string_literal: true

module Sparpack
  # Where the native core and Ruby meet: what it asks of Ruby stands here, what it offers is defined by it.
  #
  # @api private
  module Native
    class << self
      # Called when a class is first used: from then on its fields are what they are.
      def seal(klass)
        raise TypeError, "#{Quote.plain(klass)} is a base: make a subclass of it" unless Declared.shape(klass)

        raise TypeError, "#{Quote.plain(klass)} is a singleton class: it makes no objects" if klass.singleton_class?

        hold_copy(klass) unless held?(klass)
        owner = Declared.owner(klass)
        return share(klass, owner) unless owner.equal?(klass)

        compile(klass, Declared.fields(klass).map { |field| slot_row(klass, field) }.freeze)
      end

      # All classes that one reaches through its fields, itself included, as the native core links them.
      def reach(klass)
        seen = {}.compare_by_identity
        queue = [klass]
        until queue.empty?
          owner = Declared.owner(queue.shift)
          next if seen[owner] || linked?(owner)

          fields = Declared.schema(owner).fields
          seen[owner] = fields.each_with_index.map { |field, slot| link_row(field, slot) }.sort_by! { |row| row[1] }
          queue.concat(fields.flat_map { |field| field.type.structs })
        end
        seen.to_a
      end

      # @return [String] a value as messages show it
      def quote(value) = Quote.value(value)

      # @return [String] a name as messages show it, without quotes
      def quote_name(name) = Quote.plain(name)

      # @return [String] a hint to be added to a message
      def did_you_mean(name, known) = Names.hint(name, known)

      # @return [String] the same for the names of an enum's values, of which some are listed
      def enum_hint(enum, name) = Enum.hint(enum, name)

      # @return [String] the same for a wire, an option, limits, bytes and arguments of `new`
      def wire_hint(given) = Advice.wire(given)
      def option_hint(name, value, known) = Advice.option(name, value, known)
      def limits_hint(given) = Advice.limits(given)
      def source_hint(klass, given) = Advice.source(klass, given)
      def construction_hint(klass, given, first) = Advice.construction(klass, given, first)

      # Value#dup with arguments.
      def duplicate(object, deep: false) = deep ? Copy.deep(object) : object.dup

      # What is remembered in a class is written by the main Ractor only.
      def main_ractor?
        return true unless defined?(::Ractor)

        ::Ractor.respond_to?(:main?) ? ::Ractor.main? : ::Ractor.current == ::Ractor.main
      end

      private

      # A class gets the place of its plan from Class#inherited; a copy of a class is made without that.
      def hold_copy(klass)
        unless main_ractor?
          raise SchemaError, "#{Quote.plain(klass)} is a copy of a class: it is first used in the main Ractor"
        end

        hold(klass)
      end

      # [id, name, default, what it takes]: the kind of its type, an enum's numbers by name, or nil for a type that is only
      # named until the class is linked.
      def slot_row(klass, field)
        field = field.resolve(klass) if !field.type.resolved? && !field.default.nil?
        takes = field.type.kind if field.type.is_a?(Type)
        takes = field.type.target.enum_table[:lookup] if takes == :enum
        [field.id, field.name, field.default, takes]
      end

      def link_row(field, slot) = [slot, field.id, field.required?, description(field.type)]

      def description(type)
        kind = KINDS.index(type.kind)
        case type.kind
        when :list, :set then [kind, description(type.element)]
        when :map then [kind, description(type.element), description(type.key)]
        when :struct, :union then [kind, type.target]
        when :enum then [kind, type.target, *type.target.enum_table.values_at(:lookup, :names)]
        else [kind]
        end
      end
    end
  end
end
