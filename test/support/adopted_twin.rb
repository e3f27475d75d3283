# frozen_string_literal: true

require_relative "nested"
require_relative "wire_forms"

using WireForms

# For each class of ours, a plain class with the same fields, as another library would have it: its objects keep the fields
# in instance variables, and Sparpack has adopted it.
module AdoptedTwin
  # What the twins need to be compared, and to be keys. An instance variable that is not set is as good as nil.
  module Plain
    def ==(other) = other.instance_of?(self.class) && state == other.state
    alias eql? ==

    def hash = [self.class, state].hash

    def state = instance_variables.to_h { |name| [name, instance_variable_get(name)] }.compact
  end

  @twins = {}.compare_by_identity

  class << self
    # @param klass [Class] a struct, union or exception of ours
    # @return [Class]
    def class_of(klass)
      @twins[klass] ||= begin
        schema = klass.schema
        twin   = Class.new(schema.shape == :exception ? StandardError : Object) { include Plain }
        @originals ||= {}.compare_by_identity
        @originals[twin] = klass
        rows = schema.fields.map { |field| row(field) }
        Sparpack::Native.adopt(twin, schema.shape, rows)
      end
    end

    # @return [Object] a value in which all objects of ours have become their twins
    def of(value) = Nested.map(value) { |leaf| leaf.is_a?(Sparpack::Value) ? object(leaf) : leaf }

    # @return [Object] the opposite of {of}
    def back(value) = Nested.map(value) { |leaf| leaf.is_a?(Plain) ? original(leaf) : leaf }

    private

    def row(field)
      [field.id, field.name, type(field.type),
       { requiredness: field.requiredness, default: of(field.default), idl_name: field.idl_name }]
    end

    # Types may recurse, so classes are looked up later.
    def type(type)
      case type.kind
      when :list then Sparpack::Type.list(type(type.element))
      when :set then Sparpack::Type.set(type(type.element))
      when :map then Sparpack::Type.map(type(type.key), type(type.element))
      when :struct, :union then Sparpack::Type.of(-> { AdoptedTwin.class_of(type.target) })
      else type
      end
    end

    def object(value)
      twin = class_of(value.class).allocate
      if value.is_a?(Sparpack::Union)
        twin.instance_variable_set(:@setfield, value.field)
        twin.instance_variable_set(:@value, of(value.value))
      else
        value.to_h.compact.each { |name, part| twin.instance_variable_set(:"@#{name}", of(part)) }
      end
      twin
    end

    # A field that is absent has no instance variable.
    def original(twin)
      names = twin.instance_variables
      klass = @originals.fetch(twin.class)
      return union(klass, twin, names) if klass < Sparpack::Union

      wrong = names - klass.members.map { |name| :"@#{name}" }
      raise "#{wrong} are not fields" unless wrong.empty?

      object = klass.allocate
      names.each { |name| object[name[1..]] = back(twin.instance_variable_get(name)) }
      object
    end

    def union(klass, twin, names)
      raise "a union has #{names}" unless names.sort == %i[@setfield @value]

      name = twin.instance_variable_get(:@setfield)
      name ? klass.new(name => back(twin.instance_variable_get(:@value))) : klass.new.tap { |object| Sparpack::Native.set_unknown(object, true) }
    end
  end

  # Takes the place of a class that bytes are decoded to.
  Decoder = Struct.new(:codec) do
    def decode(bytes, *, **) = codec.decode(bytes)
  end

  # Takes the place of the assertions of Reading, and asserts the same of the twins.
  module Reading
    def assert_reads(expected, bytes, wire, **options)
      actual = super
      codec  = adopted(expected.class, wire, options)
      twin   = codec.decode(bytes)

      # Kept fields are not in the twin's instance variables, so the bytes are compared.
      assert_equal expected, AdoptedTwin.back(twin) unless options[:unknown] == :keep
      assert_equal actual.encode(wire), codec.encode(twin) if options[:unknown] == :keep
      assert_same_faults(expected, twin) unless options[:unknown] == :keep
      assert_frozen_deep(twin) if options[:freeze]
      assert_cut(Decoder.new(codec), bytes, wire, **options)
      actual
    end

    # For our own classes, a run without sanitizers does this where the tests are (see contract/adopted_test).
    def assert_cut(struct_class, ...)
      super if struct_class.is_a?(Decoder) || ENV["SPARPACK_MODE"] == "sanitize"
    end

    def assert_both_ways(object, wire, bytes = Spelling.bytes(wire, object))
      assert_equal bytes, adopted(object.class, wire).encode(AdoptedTwin.of(object)) if writes?(object, wire)
      super
    end

    def assert_refuses(error_class, struct_class, bytes, wire, **rest)
      error = super
      codec = adopted(struct_class, wire, rest.except(:path, :offset, :expected, :found, :hint))
      twins = assert_raises(error_class) { codec.decode(bytes) }

      assert_equal [error.offset, error.path.delete_prefix(struct_class.to_s)],
                   [twins.offset, twins.path.delete_prefix(codec.struct_class.to_s)]
      error
    end

    private

    def adopted(klass, wire, options = {}) = Sparpack::Codec.new(AdoptedTwin.class_of(klass), wire, **options)

    def assert_same_faults(object, twin)
      faults = [object, twin].map do |each|
        Sparpack::Native.validate(each, :recursive, true).map { |error| error.path.delete_prefix(each.class.to_s) }
      end
      assert_equal faults.first, faults.last
    end
  end
end
