# frozen_string_literal: true

require "sparpack/drop_in/sparsam"
require "sparpack/drop_in/thrift"
require_relative "../foreign"
require_relative "../target"

module Fuzzing
  # Classes of the thrift gem: in verify mode, native code does what the gem does.
  class ThriftDropIn < Target
    FACTORIES = { compact: Thrift::CompactProtocolFactory.new, binary: Thrift::BinaryProtocolFactory.new }.freeze

    BASES = { struct: Object, union: Thrift::Union, exception: Thrift::Exception }.freeze
    ACCESSORS = ->(made) { (made < Thrift::Union ? Thrift::Union : Thrift::Struct).generate_accessors(made) }

    MADE = Foreign.new(Thrift::Types, ACCESSORS) do |shape, fields|
      made = Class.new(BASES.fetch(shape))
      made.include(*(Thrift::Struct unless shape == :union), Thrift::Struct_Union)
      made.const_set(:FIELDS, fields)
      made.define_method(:struct_fields) { self.class::FIELDS }
      made.define_method(:validate) { nil }
      Made.const_set("T#{Made.constants.size}", made)
    end

    # Names the classes.
    module Made; end

    def initialize
      super
      @found = []
      Sparpack::DropIn.verify(rate: 1) { |difference| @found << difference.to_s }
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(FACTORIES.keys)
      bytes = payload(choices, struct_class, form)
      object = read(MADE.class_of(struct_class), FACTORIES.fetch(form), bytes)
      attempt { Thrift::Serializer.new(FACTORIES.fetch(form)).serialize(object) } if object
      find("the gem does it differently", *@found, form, bytes) unless @found.empty?
      object ? :read : :refused
    ensure
      @found.clear
    end

    private

    def read(klass, factory, bytes) = attempt { Thrift::Deserializer.new(factory).deserialize(klass.new, bytes) }

    def attempt
      yield
    rescue StandardError, NoMemoryError
      nil # what the gem raises
    end
  end

  # Classes of the sparsam gem: bytes are refused by its errors, or read, and what is read can be written.
  class SparsamDropIn < Target
    PROTOCOLS = { compact: Sparsam::CompactProtocol, binary: Sparsam::BinaryProtocol }.freeze

    BASES = { struct: Sparsam::Struct, union: Sparsam::Union, exception: Sparsam::ApplicationException }.freeze

    MADE = Foreign.new(Sparsam::Types, ->(made) { made.init_thrift_struct(made) }) do |shape, fields|
      Class.new(BASES.fetch(shape)) { const_set(:FIELDS, fields) }
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(PROTOCOLS.keys)
      bytes = payload(choices, struct_class, form)
      object = Sparsam::Deserializer.deserialize(MADE.class_of(struct_class), bytes, PROTOCOLS.fetch(form))
      object.serialize(PROTOCOLS.fetch(form))
      :read
    rescue Sparsam::Exception, ArgumentError, EOFError
      :refused
    end
  end
end
