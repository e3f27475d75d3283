# frozen_string_literal: true

require "set"

# The interface of the sparsam gem. Its documentation applies.
#
# @api private
module Sparsam
  # rubocop:disable Naming/ConstantName -- as in the gem
  CompactProtocol = 0
  BinaryProtocol  = 1
  # rubocop:enable Naming/ConstantName

  UNION  = 0
  STRUCT = 1

  NORMAL    = 0
  STRICT    = 1
  RECURSIVE = 2

  # The numbers of types in FIELDS.
  module Types
    STOP   = 0
    VOID   = 1
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

    COLLECTIONS = Set.new([SET, LIST, MAP]).freeze
  end

  TYPE_NAME_SYM_MAPPING = Types.constants.to_h { |name| [Types.const_get(name), name] }
  TYPE_NAME_MAPPING = TYPE_NAME_SYM_MAPPING.transform_values { |name| "Types::#{name}".freeze }.freeze

  class << self
    def type_name_sym(type) = TYPE_NAME_SYM_MAPPING[type]

    def type_name(type) = TYPE_NAME_MAPPING[type]

    def init! = self

    # Notes what FIELDS of a class say. What changes in them later is not seen.
    def cache_fields(klass)
      ::Sparpack::DropIn::Sparsam::Classes.note(klass)
      nil
    end

    # Checks all of an object, whatever the mode is: it is serialized.
    def validate(_klass, data, _strictness)
      data.serialize
      true
    end
  end

  # The base class of all errors.
  class Exception < StandardError
    def initialize(msg) = super # rubocop:disable Lint/UselessMethodDefinition -- the message is required
  end

  # What errors with a place have.
  module Place
    attr_reader :struct_name, :field_name

    def initialize(msg, struct_name = nil, field_name = nil)
      @struct_name = struct_name
      @field_name = field_name
      super(msg)
    end
  end
  private_constant :Place

  # A field that is not optional is nil.
  class MissingMandatory < Exception
    include Place
  end

  # A value has another type than its field.
  class TypeMismatch < Exception
    include Place
  end

  # A union has more than one field, or is asked for one that it does not have.
  class UnionException < Exception; end

  # A type has no such number.
  class UnknownTypeException < Exception; end

  # What structs, unions and exceptions have.
  module BaseType
    # The names of a field's methods.
    AccessorNames = ::Struct.new(:reader, :writer)

    def self.included(base)
      super
      base.extend(ClassMethods)
    end

    # Methods of the classes.
    module ClassMethods
      def generate_field_syms(klass)
        names = {}
        klass::FIELDS.each_value do |field|
          name = field[:name].to_sym
          names[name] = names[name.to_s] = AccessorNames.new(name, :"#{name}=")
        end
        klass.const_set(:FIELD_SYMS, names)
      end

      def generate_accessors(klass)
        klass::FIELDS.each { |id, field| field_accessor(klass, id, field) }
      end

      def generate_default_values(klass)
        defaults = {}
        klass::FIELDS.each_value { |field| defaults[field[:name]] = field[:default].freeze unless field[:default].nil? }
        klass.const_set(:DEFAULT_VALUES, defaults.empty? ? nil : defaults)
      end

      def init_thrift_struct(klass)
        generate_accessors(klass)
        generate_field_syms(klass)
        Sparsam.cache_fields(klass)
        generate_default_values(klass)
        klass.class_eval("def struct_fields = FIELDS", __FILE__, __LINE__) # FIELDS of that class
      end

      # Methods that somebody overrides are called from then on.
      def include(*) = super.tap { ::Sparpack::DropIn::Sparsam::Classes.changed(self) }
      def prepend(*) = super.tap { ::Sparpack::DropIn::Sparsam::Classes.changed(self) }

      private

      def method_added(name)
        super
        ::Sparpack::DropIn::Sparsam::Classes.changed(self)
      end
    end

    def validate(mode = NORMAL) = Sparsam.validate(self.class, self, mode)

    private

    def name_to_accessors(name) = self.class::FIELD_SYMS[name]

    def each_field(&) = struct_fields.each(&)
  end

  # Reads structs from bytes.
  module Deserializer
  end

  ::Sparpack::DropIn::Sparsam.define_methods(BaseType, Deserializer)

  # Writes structs to a buffer, and reads them from it, one after the other.
  class Serializer
    def initialize(protocol, bytes)
      expect(Integer, protocol)
      expect(String, bytes)
      raise Sparsam::Exception, "Unknown protocol #{protocol}" unless [CompactProtocol, BinaryProtocol].include?(protocol)

      @protocol = protocol
      @bytes = [bytes].pack("a*") # String#b would share the memory, to which another thread may write
      @offset = 0
    end

    def serialize(klass, data)
      check(klass, data)
      @bytes << BaseType.instance_method(:serialize).bind_call(data, @protocol)
      @bytes.byteslice(@offset..)
    end

    def deserialize(klass)
      object, @offset = ::Sparpack::DropIn::Sparsam.decode(klass, @bytes, @protocol, @offset)
      object
    end
    alias deserializeUnion deserialize # rubocop:disable Naming/MethodName -- as in the gem

    private

    def expect(klass, value)
      return if klass === value # rubocop:disable Style/CaseEquality -- which asks the value nothing

      name = [nil, true, false].include?(value) ? value.inspect : value.class
      raise TypeError, "wrong argument type #{name} (expected #{klass})"
    end

    def check(klass, data)
      found = ::Sparpack::DropIn::Sparsam::Refusal.class_of(data)
      return if found.equal?(klass)

      message = "Mismatched type passed to serialize (expected: #{klass} got: #{found})"
      raise ::Sparpack::DropIn::Sparsam::Refusal.error("TypeMismatch", message, found, :"(root)")
    end
  end

  # The constructor of structs and exceptions.
  module StructInitialization
    NONE = Object.new.freeze
    private_constant :NONE

    def initialize(values = NONE)
      defaults = self.class::DEFAULT_VALUES
      assign_defaults(defaults) unless defaults.nil?
      assign_from_arg(values) unless NONE.equal?(values)
      yield self if block_given?
    end
  end

  # What structs and exceptions have.
  module BaseStruct
    def self.included(base)
      super
      base.extend(ClassMethods)
    end

    # Methods of the classes.
    module ClassMethods
      def field_accessor(klass, _id, field) = klass.send(:attr_accessor, field[:name])
    end

    private

    def assign_defaults(defaults)
      defaults.each { |name, value| send(name_to_accessors(name).writer, value) }
    end

    def assign_from_arg(values)
      values.each do |name, value|
        accessors = name_to_accessors(name) or raise Sparsam::Exception, "Unknown key given to #{self.class}.new: #{name}"
        send(accessors.writer, value)
      end
    end
  end

  # The base class of structs.
  class Struct
    include BaseType
    include StructInitialization
    include BaseStruct

    def ==(other)
      return true if other.equal?(self)
      return false unless other.instance_of?(self.class)

      each_field do |_, field|
        reader = name_to_accessors(field[:name]).reader
        return false unless send(reader) == other.send(reader)
      end
      true
    end
    alias eql? ==
  end

  # The base class of exceptions.
  class ApplicationException < StandardError
    include BaseType
    include StructInitialization
    include BaseStruct
  end

  # The base class of unions. @setfield is the name of the field that is set, and its value is in that field's variable.
  class Union
    include BaseType

    def initialize(name = nil, value = nil)
      name, value = only_pair(name) if name.is_a?(Hash)
      return unless name

      accessors = name_to_accessors(name) or raise Sparsam::Exception, "Unknown key given to #{self.class}.new: #{name}"
      send(accessors.writer, value)
    end

    def ==(other)
      other.equal?(self) ||
        (other.instance_of?(self.class) && @setfield == other.get_set_field && get_value == other.get_value)
    end
    alias eql? ==

    def hash = [self.class.name, @setfield, get_value].hash

    def get_set_field = @setfield # rubocop:disable Naming/AccessorMethodName -- as in the gem

    def get_value # rubocop:disable Naming/AccessorMethodName -- as in the gem
      send(name_to_accessors(@setfield).reader) if @setfield
    end

    def self.field_accessor(klass, _id, field)
      name = field[:name]
      klass.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
        def #{name}
          return @#{name} if @setfield == :'#{name}'

          raise ::Sparsam::UnionException, "#{name} is not union's set field"
        end

        def #{name}=(value)
          remove_instance_variable(:"@\#{@setfield}") if @setfield
          @setfield = :'#{name}'
          @#{name} = value
        end
      RUBY
    end

    private

    def only_pair(values)
      if values.size > 1
        raise UnionException, "#{self.class} cannot be instantiated with more than one field!"
      end

      values.first
    end
  end

  # A change of these modules may concern all classes.
  [BaseType, BaseStruct, StructInitialization].each do |place|
    place.define_singleton_method(:method_added) do |name|
      super(name)
      ::Sparpack::DropIn::Sparsam::Classes.changed_all
    end
  end
end
