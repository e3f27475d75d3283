# frozen_string_literal: true

module Sparpack
  # Copies of objects, and changes to them, as functions: a field's reader may hide any method.
  #
  # @api private
  module Copy
    class << self
      # What is one object in the original is one in the copy. Keys and elements of sets that are frozen deep are shared.
      #
      # @param value [Object]
      # @param seen [Hash{Object => Object}] by identity: what was copied
      # @return [Object] a copy that nothing frozen is a part of, but for keys; what cannot be encoded is not copied
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

      # @param copy [Value]
      # @param changes [Hash] by name
      # @return [Value] the object that is given
      def change(copy, changes)
        Native.union_clear(copy) if copy.is_a?(Union) && !changes.empty?
        changes.each { |name, value| set(copy, name, value) }
        copy
      end

      # @param object [Value]
      # @param changes [Hash] by name
      # @yieldparam object [Value]
      # @return [Object] what the block returns
      def change_during(object, changes)
        before = changes.to_h { |name, _| [name, get(object, name)] } # names that do not exist are found first
        before = [Native.fields(object), Native.unknown(object)] if object.is_a?(Union)
        begin
          yield change(object, changes)
        ensure
          before.is_a?(Hash) ? change(object, before) : restore_union(object, *before)
        end
      end

      private

      def object(value, seen)
        copy = seen[value] = value.dup
        Native.fields(value).each { |name, element| Native.set(copy, name, deep(element, seen)) unless element.nil? }
        copy
      end

      def key(value, seen) = ::Ractor.shareable?(value) ? value : deep(value, seen)

      def restore_union(union, fields, unknown)
        Native.union_clear(union)
        fields.each { |name, value| Native.set(union, name, value) }
        Native.set_unknown(union, unknown)
      end

      def get(object, name) = attribute?(object, name) ? object.public_send(name) : Native.get(object, name)

      def set(object, name, value)
        attribute?(object, name) ? object.public_send(:"#{name}=", value) : Native.set(object, name, value)
      end

      # What a class has besides its fields.
      def attribute?(object, name)
        return false unless Declared.schema(object.class)[name].nil? && (name.is_a?(Symbol) || name.is_a?(String))

        object.respond_to?(name) && object.respond_to?("#{name}=")
      end
    end
  end
end
