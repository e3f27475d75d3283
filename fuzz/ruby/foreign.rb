# frozen_string_literal: true

module Fuzzing
  # Classes as other libraries' compilers generate them, with the fields of classes of ours.
  class Foreign
    TYPES = { bool: :BOOL, i8: :BYTE, i16: :I16, i32: :I32, i64: :I64, enum: :I32, double: :DOUBLE, string: :STRING,
              binary: :STRING, uuid: :STRING, struct: :STRUCT, union: :STRUCT, list: :LIST, set: :SET, map: :MAP }.freeze

    # @param types [Module] the library's numbers of types
    # @yieldparam shape [Symbol] :struct, :union or :exception
    # @yieldparam fields [Hash] what becomes FIELDS
    # @yieldreturn [Class]
    # @param finish [#call] is called with each class when it has its fields
    def initialize(types, finish, &make)
      @types = types
      @finish = finish
      @make = make
      @made = {}.compare_by_identity
    end

    # @param klass [Class] a struct, union or exception of ours
    # @return [Class]
    def class_of(klass)
      @made[klass] || begin
        fields = {}
        @made[klass] = @make.call(klass.schema.shape, fields)
        klass.schema.fields.each { |field| fields[field.id] = field(field) }
        @finish.call(@made[klass])
        @made[klass]
      end
    end

    private

    def field(field)
      { name: field.name.name, optional: !field.required?, **type(field.type) }
    end

    def type(type)
      found = { type: @types.const_get(TYPES.fetch(type.kind)) }
      case type.kind
      when :struct, :union then found[:class] = class_of(type.target)
      when :list, :set then found[:element] = type(type.element)
      when :map then found.update(key: type(type.key), value: type(type.element))
      when :binary then found[:binary] = true
      end
      found
    end
  end
end
