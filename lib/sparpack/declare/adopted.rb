# frozen_string_literal: true

module Sparpack
  # Adopts classes of other libraries, such as those that Apache's compiler generates, so that codecs take them. The objects
  # keep their fields in instance variables: a field `name` is in `@name`. A union has the name of its field in `@setfield`,
  # and the value in `@value`. Nothing is defined in the class, and nothing that it defines is called.
  #
  # @api private
  module Adopted
    # In the order of the native core.
    SHAPES = %i[struct union exception].freeze
    MANNERS = %i[usual sparsam thrift].freeze

    class << self
      # Gives a class its fields. This happens once, in the main Ractor.
      #
      # @param klass [Class] a class whose objects hold nothing but instance variables
      # @param shape [Symbol] one of {SHAPES}
      # @param rows [Array<Array>] for each field its id, its name, its type as {Declaration#field} takes it, and if wanted a
      #   Hash with `requiredness:`, `default:` and `idl_name:`, as {Field#initialize} takes them
      # @param manner [Symbol] one of {MANNERS}: whose rules the class follows. In Sparsam's, a union has the value in the
      #   variable of its field, and all objects share a default, which must be shareable between Ractors.
      # @return [Class] the class
      # @raise [SchemaError] if the rows contradict themselves, or if this is not the main Ractor
      # @raise [TypeError] if the class has fields already, or objects that hold more
      def adopt(klass, shape, rows, manner: :usual)
        Native.load_parts
        index = SHAPES.index(shape) or raise ArgumentError, "expected one of #{SHAPES}, got #{Quote.value(shape)}"
        raise SchemaError, "#{Quote.plain(klass)}: adopt it in the main Ractor" unless Native.main_ractor?
        raise TypeError, "#{Quote.plain(klass)} has fields already" if klass.is_a?(Declaration)

        fields = rows.map { |row| field(klass, *row, shared: manner != :usual) }
        %i[id name].each { |part| check_unique(klass, fields.map(&part)) }
        Native.hold_adopted(klass, index, Declared.shareable(fields), MANNERS.index(manner))
      end

      # @param klass [Class]
      # @return [Symbol, nil] as {Declared.shape}; a subclass of an adopted class has its shape
      def shape(klass) = (index, = Native.adopted(klass)) && SHAPES[index]

      # @param klass [Class]
      # @return [Array<Field>] the fields that were adopted with the class itself
      # @raise [SchemaError] if a block gives a type of them, and this is not the main Ractor
      def fields(klass)
        _, fields = Native.adopted(klass)
        return fields || [] if fields.nil? || Ractor.shareable?(fields) || Native.main_ractor?

        raise SchemaError, "#{Quote.plain(klass)} has a type that is given by a block: use it in the main Ractor first"
      end

      # Names the drop-in whose classes have methods of the native core. It has `prepare`, `encode_error`, `decode_error` and
      # `protocol_error`.
      #
      # @param library [Module]
      # @return [void]
      def serve(library) = @library = library

      # @return [Module] the drop-in
      attr_reader :library

      # The same for the drop-in that leaves the library in place. It has `prepare`.
      #
      # @param library [Module]
      # @return [void]
      def serve_thrift(library) = @thrift = library

      # @return [Module] the drop-in
      attr_reader :thrift

      # Defines `serialize` in one module, and `deserialize` as a function of another.
      #
      # @param base_type [Module]
      # @param deserializer [Module]
      # @return [void]
      def define_methods(base_type, deserializer) = Native.foreign_methods(base_type, deserializer)

      # @param klass [Class]
      # @param bytes [String]
      # @param protocol [Integer] 0 for compact, 1 for binary
      # @param offset [Integer] where the object begins
      # @return [Array(Object, Integer)] the object and where it ends
      def decode(klass, bytes, protocol, offset) = Native.foreign_decode(klass, bytes, protocol, offset)

      # Says which gem the methods of {define_thrift_method} belong to.
      #
      # @param gem [Module] Thrift
      # @param depths [Boolean] whether `read` and `write` take how many levels there may be
      # @return [void]
      def know_gem(gem, depths:) = Native.thrift_gem(gem, depths)

      # Defines a method of Apache's gem: initialize, read, write, serialize, deserialize or flush. The gem's own has a name
      # with `sparpack_gem_` in front by now.
      #
      # @param place [Module]
      # @param name [Symbol]
      # @return [void]
      def define_thrift_method(place, name) = Native.thrift_method(place, name.to_s)

      # Native code stands in for a protocol or a transport of Apache's gem from now on, or no longer.
      #
      # @param name [String] the name of the class in the gem
      # @param klass [Class, nil]
      # @param binary_uuids [Boolean] whether such a protocol reads a uuid as ASCII-8BIT
      # @return [Boolean] whether native code knows such a class
      def know_thrift(name, klass, binary_uuids: false) = Native.thrift_know(name, klass, binary_uuids)

      # The gem's own methods run for a class without a plan, and nobody asks for one again.
      #
      # @param reason [String]
      # @return [void]
      def refuse_thrift(klass, reason) = Native.thrift_refuse(klass, reason)

      # @return [String, nil] why the gem's own methods run for a class
      def refusal(klass) = Native.thrift_refusal(klass)

      # Gives an adopted class in Thrift's manner its defaults by name, which stay the library's own objects.
      #
      # @param resets [Boolean] whether a decode into an object that exists begins anew
      # @param sets_nil [Boolean] whether a new object has nil in a variable that has no default
      # @param main_only [Boolean] whether only the main Ractor may use the class, because copies of defaults share objects
      # @return [void]
      def fill_by(klass, defaults, resets, sets_nil, main_only)
        Native.fill_by(klass, defaults, resets, sets_nil, main_only)
      end

      # Says what has to be called for objects of a class in Thrift's manner: methods of its own, or only those of a class
      # that it leads to.
      #
      # @param constructs [Boolean] whether objects are made by `new`
      # @param validates [Boolean] whether `validate` is called
      # @return [void]
      def call_by(klass, constructs:, validates:) = Native.call_by(klass, constructs, validates)

      # From now on, native code reads and writes objects of a class in Thrift's manner.
      #
      # @return [void]
      def accelerate(klass) = Native.accelerate(klass)

      # Methods of Apache's gem ask its drop-in about each call whether to verify it, or no longer.
      #
      # @return [void]
      def verify_thrift(on) = Native.thrift_verify(on)

      # @param protocol [Integer] 0 for compact, 1 for binary
      # @return [String, nil] the bytes, or nil if the gem's own methods have to run
      def thrift_encode(object, protocol) = Native.thrift_encode(object, protocol)

      # Fills an object.
      #
      # @param offset [Integer] where it begins
      # @param protocol [Integer] 0 for compact, 1 for binary
      # @param protocol_class [Class] the class of the gem's protocol
      # @return [Integer, nil] where it ends, or nil if the gem's own methods have to run
      def thrift_decode(object, bytes, offset, protocol, protocol_class)
        Native.thrift_decode(object, bytes, offset, protocol, protocol_class)
      end

      # From now on, a class is left to its own library.
      #
      # @return [void]
      def drop(klass) = Native.drop(klass)

      # @return [Boolean] whether a class has been adopted
      def held?(klass) = Native.held?(klass)

      # @return [Boolean] whether a class has a plan
      def sealed?(klass) = Native.sealed?(klass)

      # Makes the plans of a class and of all that it leads to.
      #
      # @return [void]
      def link(klass) = Native.link(klass)

      # From now on, the objects of a class are made by `new`.
      #
      # @return [void]
      def construct(klass) = Native.construct(klass)

      # From now on, decoding a class may run Ruby code.
      #
      # @return [void]
      def runs_ruby(klass) = Native.runs_ruby(klass)

      # @return [Boolean] whether this is the main Ractor
      def main? = Native.main_ractor?

      private

      def field(klass, id, name, type, options = {}, shared:)
        valid = id.is_a?(Integer) && id.between?(-32_768, 32_767) && Names.member?(name)
        raise SchemaError, "#{Quote.plain(klass)}: not a field: #{Quote.value([id, name])}" unless valid

        default = options[:default]
        default = Default.copy(default, Quote.member(klass, name)) unless shared
        Field.new(id:, name:, type: Type.of(type), default:,
                  requiredness: options.fetch(:requiredness, :default), **options.slice(:idl_name))
      end

      def check_unique(klass, parts)
        twice = parts.tally.find { |_, count| count > 1 } or return

        raise SchemaError, "#{Quote.plain(klass)}: two fields are #{Quote.value(twice.first)}"
      end
    end
  end
  private_constant :Adopted
end
