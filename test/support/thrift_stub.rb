# frozen_string_literal: true

# The parts of Apache's library that the classes in test/golden/apache need. They behave as those of thrift 0.25.
module Thrift
  module Types
    BOOL   = 2
    BYTE   = 3
    DOUBLE = 4
    I16    = 6
    I32    = 8
    I64    = 10
    STRING = 11
    STRUCT = 12
    MAP    = 13
    SET    = 14
    LIST   = 15
  end

  class Exception < StandardError
    attr_reader :message

    def initialize(message)
      super
      @message = message
    end
  end

  module Struct_Union # rubocop:disable Naming/ClassAndModuleCamelCase -- Apache's name
    def self.accessors(klass)
      klass::FIELDS.each_value { |field| yield field[:name].to_sym }
    end
  end

  module Struct
    def initialize(values = {})
      super(*values) if values.is_a?(String) # the message of an exception
      values = {} if values.is_a?(String)
      struct_fields.each_value do |field|
        next if field[:default].nil? || values.key?(field[:name])

        instance_variable_set("@#{field[:name]}", field[:default].dup)
      end
      values.each { |name, value| instance_variable_set("@#{name}", value) }
    end

    def self.generate_accessors(klass)
      Struct_Union.accessors(klass) { |name| klass.attr_accessor name }
    end

    def ==(other) = other.instance_of?(self.class) && parts == other.parts
    alias eql? ==

    def hash = [self.class, parts].hash

    def parts = struct_fields.each_value.map { |field| public_send(field[:name]) }
  end

  class Union
    def initialize(name = nil, value = nil)
      @setfield = name
      @value = value
    end

    def self.generate_accessors(klass)
      Struct_Union.accessors(klass) do |name|
        klass.define_method(name) { @setfield == name ? @value : raise("#{name} is not union's set field.") }
        klass.define_method(:"#{name}=") do |value|
          @setfield = name
          @value = value
        end
      end
    end

    def get_set_field = @setfield # rubocop:disable Naming/AccessorMethodName -- Apache's name
    def get_value = @value        # rubocop:disable Naming/AccessorMethodName -- Apache's name

    def ==(other) = other.instance_of?(self.class) && @setfield == other.get_set_field && @value == other.get_value
    alias eql? ==

    def hash = [self.class, @setfield, @value].hash
  end
end

$LOADED_FEATURES << "thrift.rb" # for the classes, which require it
