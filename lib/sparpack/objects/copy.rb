# frozen_string_literal: true

module Sparpack
  # Copies and changes objects. These are functions, because a field's reader may hide any method.
  #
  # @api private
  module Copy
    class << self
      # Copies a value with everything that it holds. An object that occurs twice in it occurs twice in the copy, too. Keys
      # of maps and elements of sets that are frozen deep are shared. Objects that cannot be encoded are not copied.
      #
      # @param value [Object]
      # @param seen [Hash{Object => Object}] the copies that were made so far, compared by identity
      # @return [Object] a copy of which nothing is frozen but keys and elements of sets
      def deep(value, seen = {}.compare_by_identity)
        return seen[value] if seen.key?(value)

        case value
        when String then seen[value] = value.dup
        when Array then (seen[value] = value.dup).map! { |element| deep(element, seen) }
        when Hash
          copy = seen[value] = value.dup.clear
          value.each { |key, element| copy[key(key, seen)] = deep(element, seen) }
          copy
        when Set
          copy = seen[value] = value.dup.clear
          value.each { |element| copy.add(key(element, seen)) }
          copy
        when Value then object(value, seen)
        else value
        end
      end

      # Changes fields of an object. A union then holds the field that is given.
      #
      # @param copy [Value]
      # @param changes [Hash] new values by name
      # @return [Value] the same object
      def change(copy, changes)
        Native.union_clear(copy) if fields_of_union?(copy, changes)
        changes.each { |name, value| set(copy, name, value) }
        copy
      end

      # Copies an object and sets what is set in another one.
      #
      # @param object [Value]
      # @param other [Value]
      # @return [Value]
      # @raise [TypeError] unless both have the same fields
      def merge(object, other)
        Native.fields_of(object) # raises for anything but a struct, union or exception
        refuse_other(object, other) unless Value === other && same_fields?(object, other) # rubocop:disable Style/CaseEquality

        fields = Native.fields(other).compact
        unknown = Native.unknown(other)
        copy = object.dup
        Native.union_clear(copy) if copy.is_a?(Union) && !(fields.empty? && unknown.nil?)
        fields.each { |name, value| Native.set_as_is(copy, name, value) }
        Native.set_unknown(copy, unknown) unless unknown.nil?
        text = ExceptionText.plain(other) if copy.is_a?(::Exception)
        ExceptionText.set_plain(copy, text) unless text.nil?
        copy
      end

      # @param given [Array<Object>] arguments of `with` that are not keywords
      # @return [void]
      # @raise [ArgumentError] always
      def refuse_misplaced(given)
        raise ArgumentError, "wrong number of arguments (given #{given.size}, expected 0#{Advice.changes(given)})"
      end

      # Changes fields of an object while a block runs.
      #
      # @param object [Value]
      # @param changes [Hash] new values by name
      # @yieldparam object [Value]
      # @return [Object] the block's result
      def change_during(object, changes)
        before = changes.to_h { |name, _| [name, get(object, name)] } # raises for unknown names before anything is changed
        union = [Native.fields(object), Native.unknown(object)] if fields_of_union?(object, changes)
        begin
          yield change(object, changes)
        ensure
          restore_union(object, *union) if union
          before.each { |name, value| restore(object, name, value) if !union || attribute?(object, name) }
        end
      end

      private

      def same_fields?(object, other) = Native.fields_of(object).equal?(Native.fields_of(other))

      def refuse_other(object, other)
        owner = Quote.plain(Native.fields_of(object))
        found = Quote.plain(::Kernel.instance_method(:class).bind_call(other))
        hint = " (for a Hash, write with(**hash))" if Hash === other # rubocop:disable Style/CaseEquality
        raise TypeError, "expected #{owner}, got #{"another " if found == owner}#{found}#{hint}"
      end

      def object(value, seen)
        copy = seen[value] = Native.copy(value) # a class may override `dup` and call this
        Native.fields(value).each { |name, element| Native.set_as_is(copy, name, deep(element, seen)) unless element.nil? }
        copy
      end

      def key(value, seen) = ::Ractor.shareable?(value) ? value : deep(value, seen)

      # Tells whether the changes of a union name a field, and not only other attributes of its class.
      def fields_of_union?(object, changes)
        object.is_a?(Union) && changes.any? { |name, _| !attribute?(object, name) }
      end

      def restore_union(union, fields, unknown)
        Native.union_clear(union)
        fields.each { |name, value| Native.set_as_is(union, name, value) }
        Native.set_unknown(union, unknown)
      end

      # A field may have had a value that a setter refuses, from a dump or a form.
      def restore(object, name, value)
        attribute?(object, name) ? object.public_send(:"#{name}=", value) : Native.set_as_is(object, name, value)
      end

      def get(object, name) = attribute?(object, name) ? object.public_send(name) : Native.get(object, name)

      def set(object, name, value)
        attribute?(object, name) ? object.public_send(:"#{name}=", value) : Native.set(object, name, value)
      end

      # Tells whether a name is an attribute that the class has in addition to its fields.
      def attribute?(object, name)
        return false unless Declared.schema(object.class)[name].nil? && (name.is_a?(Symbol) || name.is_a?(String))

        object.respond_to?(name) && object.respond_to?("#{name}=")
      end
    end
  end
end
