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

    class << self
      # Gives a class its fields. This happens once, in the main Ractor.
      #
      # @param klass [Class] a class whose objects hold nothing but instance variables
      # @param shape [Symbol] one of {SHAPES}
      # @param rows [Array<Array>] for each field its id, its name, its type as {Declaration#field} takes it, and if wanted a
      #   Hash with `requiredness:`, `default:` and `idl_name:`, as {Field#initialize} takes them
      # @return [Class] the class
      # @raise [SchemaError] if the rows contradict themselves, or if this is not the main Ractor
      # @raise [TypeError] if the class has fields already, or objects that hold more
      def adopt(klass, shape, rows)
        index = SHAPES.index(shape) or raise ArgumentError, "expected one of #{SHAPES}, got #{Quote.value(shape)}"
        raise SchemaError, "#{Quote.plain(klass)}: adopt it in the main Ractor" unless Native.main_ractor?
        raise TypeError, "#{Quote.plain(klass)} has fields already" if klass.is_a?(Declaration)

        fields = rows.map { |row| field(klass, *row) }
        %i[id name].each { |part| check_unique(klass, fields.map(&part)) }
        Native.hold_adopted(klass, index, Declared.shareable(fields))
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

      private

      def field(klass, id, name, type, options = {})
        valid = id.is_a?(Integer) && id.between?(-32_768, 32_767) && Names.member?(name)
        raise SchemaError, "#{Quote.plain(klass)}: not a field: #{Quote.value([id, name])}" unless valid

        default = Default.copy(options[:default], Quote.member(klass, name))
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
