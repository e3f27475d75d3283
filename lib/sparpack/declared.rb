# frozen_string_literal: true

module Sparpack
  # Holds what classes declare. These are functions rather than class methods, because the constructor of a union's variant
  # may hide any class method.
  #
  # @api private
  module Declared
    class << self
      # @param klass [Class]
      # @return [Symbol, nil] `:struct`, `:union` or `:exception`; nil for the bases themselves
      def shape(klass)
        return :struct if klass.is_a?(Mapping)
        return Adopted.shape(klass) unless klass.is_a?(Declaration)

        if klass < Struct then :struct
        elsif klass < Union then :union
        elsif klass < Exception then :exception
        end
      end

      # @param klass [Class]
      # @return [Class] the class that declared the fields: this one, or the one that it inherits them from
      def owner(klass)
        return klass if klass.is_a?(Mapping)

        ancestor = klass
        ancestor = ancestor.superclass while shape(ancestor) && fields(ancestor).empty?
        shape(ancestor) ? ancestor : klass
      end

      # @param klass [Class]
      # @return [Array<Field>] the fields that this class itself declares, in order
      def fields(klass)
        return klass.fields if klass.is_a?(Mapping)
        return Adopted.fields(klass) unless klass.is_a?(Declaration)

        get(klass, :@together) || get(klass, :@declared_fields) || [].freeze
      end

      # Publishes all fields that a block declares at once, because a class may have thousands.
      #
      # @param klass [Class]
      # @return [void]
      def together(klass)
        set(klass, :@together, fields(klass).dup)
        yield
        set(klass, :@declared_fields, shareable(get(klass, :@together)))
      ensure
        set(klass, :@together, nil)
      end

      # @param klass [Class]
      # @return [Schema] as {Declaration#schema}
      def schema(klass)
        return schema_of_mapping(klass) if klass.is_a?(Mapping)

        owner = owner(klass)
        return schema(owner) unless owner.equal?(klass)

        ours  = klass.is_a?(Declaration) # the variables of an adopted class are its own
        known = get(klass, :@schema) if ours
        return known if known && known.struct_class.equal?(klass) # a copied class has the variables of the original

        fields = fields(klass).map { |field| field.resolve(klass) }
        idl    = (get(klass, :@idl) if ours) || {}
        schema = Ractor.make_shareable(Schema.new(klass, shape(klass), fields, **idl))
        Native.seal(klass) unless Native.sealed?(klass)
        set(klass, :@schema, schema) if ours && Native.main_ractor?
        schema
      end

      # @param mapping [Mapping]
      # @return [Schema]
      def schema_of_mapping(mapping)
        fields = mapping.fields.map { |field| field.resolve(mapping.mapped_class) }
        Schema.new(mapping, :struct, fields)
      end

      # Declares a field, as {Declaration#field} does.
      #
      # @return [Symbol] the name of the reader
      # @raise [SchemaError]
      def field(klass, id, name, type = nil, required: false, optional: false, default: nil, idl_name: nil, annotations: {},
                implicit: false, &block)
        check_order(id, name, type)
        check_flags(required:, optional:)
        raise SchemaError, "#{Quote.member(klass, name)}: a type is missing" if type.nil? && block.nil?
        raise SchemaError, "#{Quote.member(klass, name)}: a field is required or optional, not both" if required && optional

        requiredness = { [true, false] => :required, [false, true] => :optional }[[!!required, !!optional]] || :default
        check_declared_once(klass, id, name)
        check_class(klass)
        check_field(klass, id, name, requiredness, default, implicit)
        default = Default.copy(default, Quote.member(klass, name))
        add(klass, id:, name:, requiredness:, default:, type: Type.of(type, &block),
                   **idl_parts(idl_name || name.name, annotations))
      rescue SchemaError => e
        Field.fail(klass, name, e)
      end

      # @param klass [Class]
      # @param name [Object] the name of the field
      # @param type [Object] the type of the field
      # @param misplaced [Array<Object>] the arguments after the type
      # @raise [ArgumentError] always
      def refuse_misplaced(klass, name, type, misplaced)
        raise ArgumentError, "#{Quote.member(klass, name)}: wrong number of arguments (given #{3 + misplaced.size}, " \
                             "expected 2..3: #{Advice.misplaced(type, misplaced)})"
      end

      # @param klass [Class]
      # @param id [Object]
      # @param given [Hash] the keywords, which may be meant as name and type
      # @raise [ArgumentError] always
      def refuse_nameless(klass, id, given)
        raise ArgumentError, "#{Quote.plain(klass)}: wrong number of arguments (given 1, expected 2..3: " \
                             "#{Advice.nameless(id, given)})"
      end

      # Sets the name and annotations of a class in the IDL.
      #
      # @param klass [Class]
      # @param name [String, nil]
      # @param annotations [Hash{String => String, Array<String>}]
      # @return [void]
      def idl(klass, name = nil, annotations: {}) = set(klass, :@idl, idl_parts(name, annotations))

      # Freezes fields. Any Ractor may be the first to use a class, unless a type is given by a block.
      #
      # @param fields [Array<Field>]
      # @return [Array<Field>]
      def shareable(fields)
        Ractor.make_shareable(fields)
      rescue ::Ractor::IsolationError, ArgumentError
        fields.freeze
      end

      private

      def get(klass, name) = klass.instance_variable_get(name)
      def set(klass, name, value) = klass.instance_variable_set(name, value)

      def idl_parts(idl_name, annotations)
        unless idl_name.nil? || idl_name.is_a?(String)
          raise SchemaError, "an idl_name is a String, not #{Quote.value(idl_name)}"
        end
        raise SchemaError, "annotations are a Hash, not #{Quote.value(annotations)}" unless annotations.is_a?(Hash)

        { idl_name: idl_name && Names.utf8(idl_name).dup.freeze, annotations: Ractor.make_shareable(annotations.dup) }.freeze
      end

      def add(klass, name:, type:, **parts)
        shape = shape(klass)
        reader = Names.reader(name, exception: shape == :exception)
        taken = names_taken(klass)
        clash = taken[reader] || taken[name]
        refuse_reader(reader, clash) if clash

        field = Field.new(name:, type:, reader:, **parts)
        field = field.resolve(klass) if type.resolved?
        Accessors.define(klass, field, fields(klass).size)
        append(klass, field)
        take_names(field, taken)
        Accessors.define_constructor(klass, name, taken) if shape == :union
        reader
      end

      def refuse_reader(reader, clash)
        raise SchemaError, "the field #{Quote.plain(clash.name)} has the reader #{Quote.plain(reader)} already"
      end

      def append(klass, field)
        together = get(klass, :@together)
        together ? together << field : set(klass, :@declared_fields, shareable([*fields(klass), field]))
      end

      # Finds a class that is declared twice: by generated code after its .thrift file was loaded, or by a file that was
      # required under two names.
      def check_declared_once(klass, id, name)
        same = names_taken(klass)[id]
        return unless same && same.id == id && same.name == name

        raise SchemaError, "the field is declared already (do two files declare it, or is it loaded from .thrift, too?)"
      end

      # "no" would be true.
      def check_flags(**flags)
        flags.each do |option, value|
          next if value.nil? || value == true || value == false

          raise SchemaError, "#{option}: expected true or false, got #{Quote.value(value)}"
        end
      end

      def check_order(id, name, type)
        raise SchemaError, "an id is an Integer from 0 to 32767, not #{Quote.value(id)}#{Advice.id(id)}" if id.is_a?(Symbol)
        return unless Advice.swapped?(name, type)

        raise SchemaError, "the name comes before the type: write field #{Quote.value(id)}, " \
                           ":#{Quote.plain(type)}, #{Quote.value(name)}"
      end

      def check_class(klass)
        raise SchemaError, "#{Quote.plain(klass)} is a base class: declare fields in a subclass" unless shape(klass)
        raise SchemaError, "the class is in use already: declare all fields before its first use" if Native.sealed?(klass)

        owner = shape(klass.superclass) ? owner(klass.superclass) : klass
        return if fields(owner).empty? || owner.equal?(klass)

        raise SchemaError, "#{Quote.plain(owner)} has fields: a subclass cannot add any"
      end

      def check_field(klass, id, name, requiredness, default, implicit)
        unless id.is_a?(Integer) && id.between?(implicit ? -32_768 : 0, 32_767)
          raise SchemaError, "an id is an Integer from 0 to 32767, not #{Quote.value(id)}#{Advice.id(id)}"
        end
        unless Names.member?(name)
          raise SchemaError, "a name is a Symbol of letters, digits and _, not #{Quote.value(name)}#{Advice.member(name)}"
        end

        check_union(requiredness, default) if shape(klass) == :union

        taken = names_taken(klass)
        same = taken[id] || (taken[name] if taken[name]&.name == name)
        return unless same

        which = same.name == name ? "this name" : "the id #{id}"
        raise SchemaError, "another field, #{Quote.plain(same.name)}, has #{which} already"
      end

      def check_union(requiredness, default)
        raise SchemaError, "a union's fields cannot be required" if requiredness == :required
        raise SchemaError, "a union's fields cannot have a default" unless default.nil?
      end

      # Returns the fields by id, name and reader. A Hash, because a class may have thousands.
      def names_taken(klass)
        # A copied class has the variables of the original.
        known = get(klass, :@names_taken) if get(klass, :@names_taken_of).equal?(klass)
        return known if known

        set(klass, :@names_taken_of, klass)
        set(klass, :@names_taken, fields(klass).each_with_object({}) { |field, taken| take_names(field, taken) })
      end

      def take_names(field, taken) = [field.id, field.name, field.reader].each { |key| taken[key] = field }
    end
  end
end
