# frozen_string_literal: true

module Sparpack
  # Holds what classes declare. These are functions rather than class methods, because the constructor of a union's variant
  # may hide any class method.
  #
  # @api private
  module Declared
    NONE = {}.freeze
    NO_FIELDS = [].freeze
    private_constant :NONE, :NO_FIELDS

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
        ancestor = ancestor.superclass while shape(ancestor) && !fields?(ancestor)
        shape(ancestor) ? ancestor : klass
      end

      # @param klass [Class]
      # @return [Array<Field>] the fields that this class itself declares, in order
      def fields(klass)
        return klass.fields if klass.is_a?(Mapping)
        return Adopted.fields(klass) unless klass.is_a?(Declaration)

        known = get(klass, :@declared_fields)
        chain = get(klass, :@field_chain)
        return known || NO_FIELDS if chain.nil? || known&.size == chain.size

        fields = chain.fields
        set(klass, :@declared_fields, fields) if Native.main_ractor?
        fields
      rescue ::Ractor::IsolationError
        refuse_block(klass)
      end

      # @param owner [Class, Mapping] what has a type that only the main Ractor can resolve
      # @raise [SchemaError] always
      def refuse_block(owner)
        raise SchemaError, "#{Quote.plain(owner)} has a type that is given by a block: use it in the main Ractor first",
              cause: nil
      end

      # @param klass [Class]
      # @return [Boolean] whether this class itself declares fields
      def fields?(klass)
        return !fields(klass).empty? unless klass.is_a?(Declaration)

        %i[@field_chain @declared_fields].any? { |name| klass.instance_variable_defined?(name) }
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
        keep_schema(klass, schema) if ours && Native.main_ractor?
        schema
      end

      # @param mapping [Mapping]
      # @return [Schema]
      def schema_of_mapping(mapping)
        fields = mapping.fields.map { |field| field.resolve(mapping.mapped_class) }
        mapping.keep(Ractor.make_shareable(fields)) if Native.main_ractor?
        Schema.new(mapping, :struct, fields)
      end

      # Declares a field, as {Declaration#field} does.
      #
      # @return [Symbol] the name of the reader
      # @raise [SchemaError]
      def field(klass, id, name, type = nil, required: false, optional: false, default: nil, idl_name: nil,
                annotations: NONE, implicit: false, &block)
        check_order(id, name, type)
        requiredness = requiredness(required, optional)
        raise SchemaError, "a type is missing" if type.nil? && block.nil?
        raise SchemaError, "a field is required or optional, not both" unless requiredness

        draft = draft(klass)
        check_class(draft, id, name)
        check_field(draft, id, name, requiredness, default, implicit)
        default = Default.copy(default, Quote.member(klass, name)) unless default.nil?
        add(klass, draft, id:, name:, requiredness:, default:, type: Type.of(type, &block),
                          idl_name: idl_name(idl_name || name.name), annotations: annotations(annotations))
      rescue SchemaError => e
        Field.fail(klass, name, e)
      rescue ::Ractor::IsolationError
        Field.fail(klass, name, SchemaError.new("only the main Ractor can declare fields"))
      end

      # Declares all fields of a class that has none yet. {IDL::Linker} and {IDL::Collisions} have checked what {field}
      # checks.
      #
      # @param klass [Class]
      # @param fields [Array<Field>] as {from_idl} returns them
      # @return [void]
      def all(klass, fields)
        return if fields.empty?

        shape = shape(klass)
        accessors = Accessors.module_of(klass)
        fields.each_with_index { |field, slot| Accessors.define(accessors, field, shape, slot) }
        set(klass, :@declared_fields, shareable(fields))
        return unless shape == :union

        taken = fields.to_h { |field| [field.name, field] }.merge!(fields.to_h { |field| [field.reader, field] })
        fields.each { |field| Accessors.define_constructor(klass, field.name, taken) }
      end

      # Makes a field whose parts {IDL::Linker} has checked, but for the default.
      #
      # @return [Field]
      # @raise [SchemaError] for a default
      def from_idl(klass, id:, name:, type:, requiredness:, default:, idl_name:, annotations:)
        unless default.nil?
          default = Default.copy(default, Quote.member(klass, name))
          default = Default.check(default, type, klass, name) if type.resolved?
        end
        reader = Names.reader(name, exception: klass < Exception)
        Field.new(id:, name:, type:, requiredness:, default:, reader:, idl_name:, annotations:)
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
      def idl(klass, name = nil, annotations: {})
        set(klass, :@idl, { idl_name: name && idl_name(name), annotations: annotations(annotations) }.freeze)
      end

      # @param klass [Class]
      # @return [String, nil] the name that {idl} has set
      def idl_name_of(klass) = klass.is_a?(Declaration) ? get(klass, :@idl)&.fetch(:idl_name) : nil

      # Freezes fields. Any Ractor may be the first to use a class, unless a type is given by a block. A block often names a
      # variable that is set only after the declaration, and a Proc that is shareable has the values from before.
      #
      # @param fields [Array<Field>]
      # @return [Array<Field>]
      def shareable(fields)
        fields.any? { |field| field.type.by_block? } ? fields.freeze : Ractor.make_shareable(fields)
      end

      private

      # The blocks that gave types are dropped, so that all Ractors see the fields. No other field can follow.
      def keep_schema(klass, schema)
        set(klass, :@draft, nil)
        unless ::Ractor.shareable?(get(klass, :@declared_fields))
          set(klass, :@declared_fields, schema.fields)
          set(klass, :@field_chain, nil)
        end
        set(klass, :@schema, schema)
      end

      def get(klass, name) = klass.instance_variable_get(name)
      def set(klass, name, value) = klass.instance_variable_set(name, value)

      def draft(klass)
        known = get(klass, :@draft)
        return known if known && known.struct_class.equal?(klass)

        fields = fields(klass)
        set(klass, :@draft, Draft.new(klass, shape(klass), get(klass, :@field_chain) || FieldChain.of(fields), fields))
      end

      def idl_name(name)
        raise SchemaError, "an idl_name is a String, not #{Quote.value(name)}" unless name.is_a?(String)

        Names.utf8(name).freeze # a copy
      end

      def annotations(annotations)
        raise SchemaError, "annotations are a Hash, not #{Quote.value(annotations)}" unless annotations.is_a?(Hash)

        annotations.empty? ? NONE : Ractor.make_shareable(annotations.dup)
      end

      def add(klass, draft, name:, type:, default:, **parts)
        reader = Names.reader(name, exception: draft.shape == :exception)
        clash = draft.taken[reader] || draft.taken[name]
        refuse_reader(reader, clash) if clash

        default = Default.check(default, type, klass, name) if !default.nil? && type.resolved?
        field = Field.new(name:, type:, reader:, default:, **parts)
        draft.accessors ||= Accessors.module_of(klass)
        Accessors.define(draft.accessors, field, draft.shape, draft.next_slot)
        draft.chain = set(klass, :@field_chain, FieldChain.after(draft.chain, field))
        draft.take(field)
        Accessors.define_constructor(klass, name, draft.taken) if draft.shape == :union
        reader
      end

      def refuse_reader(reader, clash)
        raise SchemaError, "the field #{Quote.plain(clash.name)} has the reader #{Quote.plain(reader)} already"
      end

      # @return [Symbol, nil] nil if both are true
      def requiredness(required, optional)
        check_flag(:required, required)
        check_flag(:optional, optional)
        return required ? :required : :default unless optional

        :optional unless required
      end

      # "no" would be true.
      def check_flag(option, value)
        return if value.nil? || value == true || value == false

        raise SchemaError, "#{option}: expected true or false, got #{Quote.value(value)}"
      end

      def check_order(id, name, type)
        raise SchemaError, "an id is an Integer from 0 to 32767, not #{Quote.value(id)}#{Advice.id(id)}" if id.is_a?(Symbol)
        return unless Advice.swapped?(name, type)

        raise SchemaError, "the name comes before the type: write field #{Quote.value(id)}, " \
                           ":#{Quote.plain(type)}, #{Quote.value(name)}"
      end

      # A class is declared twice by generated code after its .thrift file was loaded, or by a file that was required under
      # two names.
      def check_class(draft, id, name)
        klass = draft.struct_class
        same = draft.taken[id]
        if same && same.id == id && same.name == name
          raise SchemaError, "the field is declared already (do two files declare it, or is it loaded from .thrift, too?)"
        end
        raise SchemaError, "#{Quote.plain(klass)} is a base class: declare fields in a subclass" unless draft.shape
        raise SchemaError, "the class is in use already: declare all fields before its first use" if Native.sealed?(klass)
        return if draft.plain

        owner = owner(klass.superclass)
        raise SchemaError, "#{Quote.plain(owner)} has fields: a subclass cannot add any" if shape(owner) && fields?(owner)
      end

      def check_field(draft, id, name, requiredness, default, implicit)
        unless id.is_a?(Integer) && id.between?(implicit ? -32_768 : 0, 32_767)
          raise SchemaError, "an id is an Integer from 0 to 32767, not #{Quote.value(id)}#{Advice.id(id)}"
        end
        unless Names.member?(name)
          raise SchemaError, "a name is a Symbol of letters, digits and _, not #{Quote.value(name)}#{Advice.member(name)}"
        end

        check_union(requiredness, default) if draft.shape == :union
        taken = draft.taken
        same = taken[id] || (taken[name] if taken[name]&.name == name)
        return unless same

        which = same.name == name ? "this name" : "the id #{id}"
        raise SchemaError, "another field, #{Quote.plain(same.name)}, has #{which} already"
      end

      def check_union(requiredness, default)
        raise SchemaError, "a union's fields cannot be required" if requiredness == :required
        raise SchemaError, "a union's fields cannot have a default" unless default.nil?
      end
    end
  end
end
