# frozen_string_literal: true

require "set"

module Sparpack
  # What a value may be. Types are frozen and compare by what they say.
  class Type
    # Types without parts.
    SCALARS = %i[bool i8 i16 i32 i64 double string binary uuid].freeze

    # The least and the greatest Integer of each type that holds some.
    RANGES = { i8: 8, i16: 16, i32: 32, i64: 64, enum: 32 }
             .transform_values { |bits| -(1 << (bits - 1))..((1 << (bits - 1)) - 1) }.freeze

    # Most types have no annotations.
    NONE = {}.freeze
    private_constant :NONE

    # @return [Symbol] one of {SCALARS}, or `:list`, `:set`, `:map`, `:struct`, `:union`, `:enum`
    attr_reader :kind

    # @return [Type, Name, nil] of a list or set its elements', of a map its values' type
    attr_reader :element

    # @return [Type, Name, nil] of a map its keys' type
    attr_reader :key

    # @return [Module, nil] of a struct, union or exception its class, of an enum its module
    attr_reader :target

    # @return [String, nil] the typedef that it was named by
    attr_reader :typedef

    # @return [Hash{String => String, Array<String>}] what IDL says of it besides
    attr_reader :annotations

    # @param kind [Symbol]
    # @param element [Type, Name, nil]
    # @param key [Type, Name, nil]
    # @param target [Module, nil]
    # @param typedef [String, nil]
    # @param annotations [Hash{String => String, Array<String>}]
    def initialize(kind, element: nil, key: nil, target: nil, typedef: nil, annotations: NONE)
      @kind = kind
      @element = element
      @key = key
      @target = target
      @typedef = typedef
      @annotations = annotations
      freeze
    end

    # Another name for a type, as a constant is one: fields that are declared by it know it.
    #
    # @param name [String]
    # @param spec [Object] a type, as {Declaration#field} takes it
    # @param annotations [Hash{String => String, Array<String>}]
    # @yieldreturn [Object] the type, when it is first used
    # @return [Type, Name]
    # @raise [SchemaError] if it is no type
    # @raise [ArgumentError] for an unknown option
    # @example
    #   UserId = Sparpack::Type.typedef("UserId", :i64)
    #   Class.new(Sparpack::Struct) { field 1, :id, UserId }.schema[:id].type.typedef # => "UserId"
    def self.typedef(name, spec = nil, annotations: NONE, **unknown, &block)
      Options.refuse(unknown, method(:typedef)) unless unknown.empty?
      of(spec, &block).named(name, annotations)
    end

    # @param annotations [Hash{String => String, Array<String>}]
    # @return [Type, Name] the same type with annotations
    def annotate(annotations) = named(typedef, annotations)

    # @param name [String, nil] of a typedef
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [Type] the same type by that name
    # @api private
    def named(name, annotations = self.annotations)
      Type.new(kind, element:, key:, target:, typedef: name, annotations: Ractor.make_shareable(annotations.to_h.dup))
    end

    # What stands for a type in a declaration: a Symbol, a class, an enum, the name of one as a String, a block that
    # answers one of these later, or a Type.
    #
    # @param spec [Symbol, Module, String, Proc, Type, Name, nil]
    # @yieldreturn [Object] any of these, when it is first used
    # @return [Type, Name]
    # @raise [SchemaError] for anything else
    def self.of(spec, &block)
      spec = block if spec.nil? && block
      case spec
      when Type, Name then spec
      when Symbol then SCALARS.include?(spec) ? new(spec) : unknown(spec)
      when Module then of_module(spec)
      when String, Proc then Name.new(spec)
      else unknown(spec)
      end
    end

    # @param element [Object] a type, as {Declaration#field} takes it
    # @yieldreturn [Object] the type, when it is first used
    # @return [Type] of an Array
    # @raise [SchemaError] if it is no type
    def self.list(element = nil, &block) = new(:list, element: of(element, &block))

    # @param element [Object] a type, as {Declaration#field} takes it
    # @yieldreturn [Object] the type, when it is first used
    # @return [Type] of a Set; an Array is written, too
    # @raise [SchemaError] if it is no type
    def self.set(element = nil, &block) = new(:set, element: of(element, &block))

    # @param key [Object] a type, as {Declaration#field} takes it
    # @param value [Object] a type, as {Declaration#field} takes it
    # @yieldreturn [Object] the values' type, when it is first used
    # @return [Type] of a Hash
    # @raise [SchemaError] if one is no type
    def self.map(key, value = nil, &block) = new(:map, key: of(key), element: of(value, &block))

    def self.of_module(target)
      return new(:enum, target: target) if target.is_a?(Enum)
      return unknown(target) unless target.is_a?(Declaration) && Declared.shape(target)

      new(Declared.shape(target) == :union ? :union : :struct, target: target)
    end
    private_class_method :of_module

    def self.unknown(spec)
      raise SchemaError, spec.nil? ? "a type is missing" : "#{Quote.value(spec)} is not a type#{Advice.type(spec)}"
    end
    private_class_method :unknown

    # @param scope [Module] where names are looked up
    # @return [Type] the same without names
    # @raise [SchemaError] if a name does not exist
    def resolve(scope)
      return self unless element || key
      return self if resolved?

      Type.new(kind, element: element&.resolve(scope), key: key&.resolve(scope), typedef:, annotations:)
    end

    # @return [Boolean] whether no name has to be looked up
    def resolved? = [element, key].compact.all?(&:resolved?)

    # @return [Array<Module>] the structs that it names
    def structs
      return [target] if %i[struct union].include?(kind)

      [key, element].compact.flat_map(&:structs)
    end

    # @param other [Object]
    # @return [Boolean]
    def ==(other)
      other.is_a?(Type) && kind == other.kind && element == other.element && key == other.key && target == other.target
    end
    alias eql? ==

    # @return [Integer]
    def hash = [kind, element, key, target].hash

    # @return [String] as in IDL: `map<string, list<Neighborhood>>`
    def to_s
      parts = [key, element].compact
      return target.to_s if target

      parts.empty? ? kind.to_s : "#{kind}<#{parts.join(", ")}>"
    end

    # @return [String]
    def inspect = "#<#{self.class} #{self}>"

    # A type that is named before it exists, and looked up when it is first used.
    class Name
      # @return [String, nil] the typedef that it is named by
      attr_reader :typedef

      # @return [Hash{String => String, Array<String>}] what IDL says of it besides
      attr_reader :annotations

      # @param source [String, Proc]
      # @param typedef [String, nil]
      # @param annotations [Hash{String => String, Array<String>}]
      def initialize(source, typedef: nil, annotations: NONE)
        @source = source.is_a?(String) ? source.dup.freeze : source
        @typedef = typedef
        @annotations = annotations
        freeze
      end

      # @param annotations [Hash{String => String, Array<String>}]
      # @return [Name] the same with annotations
      def annotate(annotations) = named(typedef, annotations)

      # @param name [String, nil] of a typedef
      # @param annotations [Hash{String => String, Array<String>}]
      # @return [Name] the same by that name
      # @api private
      def named(name, annotations = self.annotations)
        Name.new(@source, typedef: name, annotations: Ractor.make_shareable(annotations.to_h.dup))
      end

      # @return [Boolean]
      def resolved? = false

      # @return [Array]
      def structs = []

      # @param scope [Module] where a String is looked up, and outward from there
      # @return [Type]
      # @raise [SchemaError] if it does not exist
      def resolve(scope)
        found = @source.is_a?(Proc) ? @source.call : look_up(scope)
        if found.is_a?(String)
          raise SchemaError, "#{Quote.plain(scope)}: a type's name leads to another name, #{Quote.value(found)}"
        end

        type = Type.of(found).resolve(scope)
        typedef || annotations.any? ? type.named(typedef || type.typedef, annotations) : type
      end

      # @return [String]
      def to_s = @source.is_a?(String) ? @source : "a type given by a block"
      alias inspect to_s

      private

      def look_up(scope)
        unless @source.match?(Advice::CONSTANT)
          raise SchemaError, "#{Quote.value(@source)} is not a constant's name#{Advice.constant(@source)}"
        end

        scopes(scope).each do |place|
          found = @source.delete_prefix("::").split("::").reduce(place) do |at, name|
            break unless at.is_a?(Module) && at.const_defined?(name, at.equal?(Object))

            at.const_get(name, at.equal?(Object))
          end
          return found if found
        end
        raise SchemaError, "#{Quote.plain(@source)} is not defined (looked up from #{Quote.plain(scope)} outward)" \
                           "#{Advice.undefined(@source)}"
      end

      # The class itself, the modules around it, then the top level.
      def scopes(scope)
        return [Object] if @source.start_with?("::")

        parts = scope.name.to_s.split("::")
        around = (1...parts.size).map { |i| Object.const_get(parts.first(i).join("::")) }
        [scope, *around.reverse, Object]
      end
    end
  end
end
