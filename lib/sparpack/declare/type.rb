# frozen_string_literal: true

require "set"

module Sparpack
  # Describes the type of a field, an element, a key or a value. Types are frozen. Two types are equal if they describe the
  # same values.
  #
  # @example
  #   type = Listing.schema[:labels].type
  #   type.kind    # => :map
  #   type.element # => #<Sparpack::Type set<i32>>
  class Type
    # The types that are named by a Symbol.
    SCALARS = %i[bool i8 i16 i32 i64 double string binary uuid].freeze

    # The range of the Integers that each type can hold.
    RANGES = { i8: 8, i16: 16, i32: 32, i64: 64, enum: 32 }
             .transform_values { |bits| -(1 << (bits - 1))..((1 << (bits - 1)) - 1) }.freeze

    # Most types have no annotations.
    NONE = {}.freeze
    private_constant :NONE

    # @return [Symbol] one of {SCALARS}, or `:list`, `:set`, `:map`, `:struct`, `:union`, `:enum`
    attr_reader :kind

    # @return [Type, Name, nil] the type of the elements of a list or set, or of the values of a map
    attr_reader :element

    # @return [Type, Name, nil] the type of the keys of a map
    attr_reader :key

    # @return [Module, Mapping, nil] the class of a struct, union or exception, the module of an enum, or a mapping
    attr_reader :target

    # @return [String, nil] the name of the typedef that was used
    attr_reader :typedef

    # @return [Hash{String => String, Array<String>}] the annotations in the IDL
    attr_reader :annotations

    # Describes a type. {of}, {list}, {set} and {map} make types.
    #
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

    # Gives a type another name. Fields that are declared with the result remember the name.
    #
    # @param name [String] the name of the typedef
    # @param spec [Object] a type, as {Declaration#field} takes it
    # @param annotations [Hash{String => String, Array<String>}] the annotations in the IDL
    # @yieldreturn [Object] the type; the block is called when the class is first used
    # @return [Type, Name]
    # @raise [SchemaError] if `spec` is not a type
    # @raise [ArgumentError] for an unknown option
    # @example
    #   UserId = Sparpack::Type.typedef("UserId", :i64)
    #   Class.new(Sparpack::Struct) { field 1, :id, UserId }.schema[:id].type.typedef # => "UserId"
    def self.typedef(name, spec = nil, annotations: NONE, **unknown, &block)
      Options.refuse(unknown, method(:typedef)) unless unknown.empty?
      of(spec, &block).named(name.dup.freeze, annotations) # this very String identifies the typedef
    end

    # Returns the same type with annotations for the IDL.
    #
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [Type]
    # @example
    #   Sparpack::Type.of(:i64).annotate({ "js.type" => "Long" })
    def annotate(annotations) = named(typedef, annotations)

    # @param name [String, nil] the name of a typedef
    # @param annotations [Hash{String => String, Array<String>}]
    # @return [Type] the same type with that name
    # @api private
    def named(name, annotations = self.annotations)
      Type.new(kind, element:, key:, target:, typedef: name, annotations: Ractor.make_shareable(annotations.to_h.dup))
    end

    # Returns the type that a declaration means.
    #
    # @param spec [Symbol, Module, Mapping, String, Proc, Type, Name, nil] one of {SCALARS}, a class or an enum, the name of
    #   one, a mapping, a Proc that returns one of these later, or a type
    # @yieldreturn [Object] any of these; the block is called when the class is first used
    # @return [Type, Name]
    # @raise [SchemaError] for anything else
    # @example
    #   Sparpack::Type.of(:i64).kind # => :i64
    def self.of(spec, &block)
      spec = block if spec.nil? && block
      case spec
      when Type, Name then spec
      when Wrong then raise SchemaError, spec.message
      when Symbol then SCALARS.include?(spec) ? new(spec) : unknown(spec)
      when Module then of_module(spec)
      when Mapping then new(:struct, target: spec)
      when String, Proc then Name.new(spec)
      else unknown(spec)
      end
    end

    # Makes the type of an Array.
    #
    # @param element [Object] the type of the elements, as {Declaration#field} takes it
    # @yieldreturn [Object] the type of the elements; the block is called when the class is first used
    # @return [Type]
    # @raise [SchemaError] if `element` is not a type
    # @example
    #   Sparpack::Type.list(:i64).to_s # => "list<i64>"
    def self.list(element = nil, &block) = new(:list, element: part(element, "list(:string)", &block))

    # Makes the type of a Set. An Array is accepted, too, when it is encoded.
    #
    # @param element [Object] the type of the elements, as {Declaration#field} takes it
    # @yieldreturn [Object] the type of the elements; the block is called when the class is first used
    # @return [Type]
    # @raise [SchemaError] if `element` is not a type
    # @example
    #   Sparpack::Type.set(:i64).to_s # => "set<i64>"
    def self.set(element = nil, &block) = new(:set, element: part(element, "set(:string)", &block))

    # Makes the type of a Hash.
    #
    # @param key [Object] the type of the keys, as {Declaration#field} takes it
    # @param value [Object] the type of the values, as {Declaration#field} takes it
    # @yieldreturn [Object] the type of the values; the block is called when the class is first used
    # @return [Type]
    # @raise [SchemaError] if `key` or `value` is not a type
    # @example
    #   Sparpack::Type.map(:string, :i64).to_s # => "map<string, i64>"
    def self.map(key, value = nil, &block)
      new(:map, key: part(key, "map(:string, :i64)"), element: part(value, "map(#{Advice.part(key)}, :i64)", &block))
    end

    def self.part(spec, example, &block)
      raise SchemaError, "a type is missing (as in #{example})" if spec.nil? && block.nil?

      of(spec, &block)
    end
    private_class_method :part

    def self.of_module(target)
      return new(:enum, target: target) if target.is_a?(Enum)
      return unknown(target) unless Declared.shape(target)

      new(Declared.shape(target) == :union ? :union : :struct, target: target)
    end
    private_class_method :of_module

    def self.unknown(spec)
      raise SchemaError, spec.nil? ? "a type is missing" : "#{Quote.value(spec)} is not a type#{Advice.type(spec)}"
    end
    private_class_method :unknown

    # Looks up the types that this type names.
    #
    # @param scope [Module] where to look names up
    # @return [Type] the same type without names
    # @raise [SchemaError] if a name does not exist
    def resolve(scope)
      return self unless element || key
      return self if resolved?

      Type.new(kind, element: element&.resolve(scope), key: key&.resolve(scope), typedef:, annotations:)
    end

    # @return [Boolean] whether no name has to be looked up any more
    def resolved? = [element, key].compact.all?(&:resolved?)

    # @return [Boolean] whether a block gives this type or a part of it
    # @api private
    def by_block? = !!(element&.by_block? || key&.by_block?)

    # @return [Array<Module>] the classes of structs, unions and exceptions in this type
    def structs
      return [target] if %i[struct union].include?(kind)

      [key, element].compact.flat_map(&:structs)
    end

    # Compares two types.
    #
    # @param other [Object]
    # @return [Boolean] whether both describe the same values; typedefs and annotations do not matter
    def ==(other)
      other.is_a?(Type) && kind == other.kind && element == other.element && key == other.key && target == other.target
    end
    alias eql? ==

    # @return [Integer]
    def hash = [kind, element, key, target].hash

    # @return [String] the type as in IDL: `map<string, list<Neighborhood>>`
    def to_s
      parts = [key, element].compact
      return target.to_s if target

      parts.empty? ? kind.to_s : "#{kind}<#{parts.join(", ")}>"
    end

    # @return [String]
    def inspect = "#<#{self.class} #{self}>"

    # Takes the place of a type that {Declaration#list}, {Declaration#set} or {Declaration#map} cannot make. It raises its
    # error only when a field is declared with it, because the error names the field.
    #
    # @api private
    class Wrong
      # @return [String]
      attr_reader :message

      # @yieldreturn [Type]
      # @return [Type, Wrong] the type, or what takes its place
      def self.unless
        yield
      rescue SchemaError => e
        new(e.message)
      end

      # @param message [String]
      def initialize(message)
        @message = message
        freeze
      end
    end

    # Names a type that may not exist yet. It is looked up when the class is first used.
    class Name
      # @return [String, nil] the name of the typedef that was used
      attr_reader :typedef

      # @return [Hash{String => String, Array<String>}] the annotations in the IDL
      attr_reader :annotations

      # @param source [String, Proc] the name of a constant, or a block that returns the type
      # @param typedef [String, nil]
      # @param annotations [Hash{String => String, Array<String>}]
      def initialize(source, typedef: nil, annotations: NONE)
        @source = source.is_a?(String) ? source.dup.freeze : source
        @typedef = typedef
        @annotations = annotations
        freeze
      end

      # Returns the same name with annotations for the IDL.
      #
      # @param annotations [Hash{String => String, Array<String>}]
      # @return [Name]
      def annotate(annotations) = named(typedef, annotations)

      # @param name [String, nil] the name of a typedef
      # @param annotations [Hash{String => String, Array<String>}]
      # @return [Name] the same type with that name
      # @api private
      def named(name, annotations = self.annotations)
        Name.new(@source, typedef: name, annotations: Ractor.make_shareable(annotations.to_h.dup))
      end

      # @return [Boolean] false
      def resolved? = false

      # @return [Boolean] whether a block gives the type
      # @api private
      def by_block? = @source.is_a?(Proc)

      # @return [Array] empty
      def structs = []

      # Looks the type up.
      #
      # @param scope [Module] where to look a constant up, and outward from there
      # @return [Type]
      # @raise [SchemaError] if the type does not exist
      def resolve(scope)
        found = by_block? ? call : look_up(scope)
        if found.is_a?(String)
          raise SchemaError, "#{Quote.plain(to_s)} is #{Quote.value(found)}, a String, not a type"
        end

        type = Type.of(found).resolve(scope)
        typedef || annotations.any? ? type.named(typedef || type.typedef, annotations) : type
      end

      # @return [String] the name of the constant, if there is one
      def to_s = @source.is_a?(String) ? @source : "a type given by a block"
      alias inspect to_s

      private

      def call
        found = @source.call
        return found unless found.nil?

        raise SchemaError, "its block returned nil in place of a type (the block is called when the class is first used: " \
                           "what it names has to be set by then)"
      end

      def look_up(scope)
        unless @source.match?(Advice::CONSTANT)
          raise SchemaError, "#{Quote.value(@source)} is not a constant's name#{Advice.constant(@source)}"
        end

        scopes(scope).each do |place|
          found = at(@source.delete_prefix("::").split("::"), place)
          return found if found
        end
        raise SchemaError, "#{Quote.plain(@source)} is not defined (looked up from #{Quote.plain(scope)} outward)" \
                           "#{Advice.undefined(@source)}"
      end

      # Returns the class itself, the modules around it, and the top level.
      def scopes(scope)
        return [Object] if @source.start_with?("::")

        parts = scope.name.to_s.split("::")
        return [scope, Object] unless scope.name&.match?(Advice::CONSTANT) # in an anonymous module, say

        around = (1...parts.size).filter_map { |size| at(parts.first(size), Object) }
        [scope, *around.reverse, Object]
      end

      # Returns the value of a constant, or nil if it does not exist.
      def at(parts, place)
        parts.reduce(place) do |outer, name|
          break unless outer.is_a?(Module) && outer.const_defined?(name, outer.equal?(Object))

          outer.const_get(name, outer.equal?(Object))
        end
      end
    end
  end
end
