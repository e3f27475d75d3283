# frozen_string_literal: true

# What a field's reader may hide, as functions of an object; and what a union's constructors may, as functions of a class.
module Sparpack
  class << self
    # @param object [Value]
    # @param io [#write]
    # @param wire [Symbol]
    # @param options [Hash] as {Codec#initialize} takes them
    # @return [Integer] how many bytes were written
    # @raise [EncodeError, TypeError] as {Value#encode_to}
    def encode_to(object, io, *wire, **options)
      Output.check(io)
      Output.write(io, object.encode(*wire, **options))
    end

    # @param object [Value]
    # @param changes [Hash] by name
    # @yieldparam object [Value] the object itself
    # @return [Value, Object] as {Value#with}
    # @raise [ArgumentError] for an unknown name
    # @raise [FrozenError] with a block, if the object is frozen
    def with(object, **changes, &block)
      block ? Copy.change_during(object, changes, &block) : Copy.change(object.dup, changes)
    end

    # @param object [Value, Class] an object, or a class of structs, unions or exceptions
    # @return [Array<Symbol>] as {Value#members}
    def members(object) = schema(object).fields.map(&:name)

    # @param object [Value]
    # @param name [Symbol, String]
    # @param others [Array<Object>]
    # @return [Object, nil] as {Value#dig}
    # @raise [ArgumentError] for an unknown name
    # @raise [TypeError] for names below something that has no `dig`
    def dig(object, name, *others)
      value = Native.get(object, name)
      others.each do |other|
        break if value.nil?

        value = dig_one(value, other)
      end
      value
    end

    # @param object [Value, Class] an object, or a class of structs, unions or exceptions
    # @return [Schema] as {Value#schema}
    def schema(object) = Declared.schema(object.is_a?(Class) ? object : object.class)

    # @param struct_class [Class]
    # @param hash [Hash{Symbol, String => Object}]
    # @return [Value] as {Declaration#from_h}
    # @raise [ArgumentError] for an unknown name
    def from_h(struct_class, hash) = Canonical.from_h(struct_class, hash)

    # @param object [Value]
    # @param name [Symbol, String]
    # @return [Boolean] as {Value#set?}
    def set?(object, name) = !Native.get(object, name).nil?

    # @param object [Value]
    # @param mode [Symbol] as {Value#validate}
    # @return [Value] the object
    # @raise [ValidationError] at the first fault
    def validate(object, mode = :normal)
      fault = Native.validate(object, mode, false).first
      raise fault if fault

      object
    end

    # @param object [Value]
    # @param mode [Symbol] as {Value#validate}
    # @return [Boolean]
    def valid?(object, mode = :normal) = Native.validate(object, mode, false).empty?

    # @param object [Value]
    # @param mode [Symbol] as {Value#validate}
    # @return [Array<ValidationError>] all faults
    def errors(object, mode = :normal) = Native.validate(object, mode, true)

    # @param union [Union]
    # @return [Symbol, nil] as {Union#field}
    def field(union) = Native.union_field(union)

    # @param union [Union]
    # @return [Object, nil] as {Union#value}
    def value(union)
      name = Native.union_field(union)
      name && Native.get(union, name)
    end

    # @param union [Union]
    # @return [Boolean] as {Union#unknown?}
    def unknown?(union) = Native.union_field(union).nil? && !Native.unknown(union).nil?

    private

    # A field may hide the `dig` of a struct.
    def dig_one(value, name)
      return Native.get(value, name) if value.is_a?(Value)
      raise TypeError, "#{Quote.plain(value.class)} does not have #dig method" unless value.respond_to?(:dig)

      value.dig(name) # rubocop:disable Style/SingleArgumentDig -- an Array takes more by []
    end
  end
end
