# frozen_string_literal: true

module Sparpack
  module Generate
    class Thrift
      # Writes the class of a struct, union or exception, or one for the arguments or the result of a function.
      #
      # @api private
      class Record
        BASES = { union: " < ::Thrift::Union", exception: " < ::Thrift::Exception" }.freeze

        TYPES = { bool: "BOOL", i8: "BYTE", i16: "I16", i32: "I32", i64: "I64", double: "DOUBLE", string: "STRING",
                  binary: "STRING", uuid: "UUID", list: "LIST", set: "SET", map: "MAP", struct: "STRUCT", union: "STRUCT",
                  enum: "I32" }.freeze

        RAISE = "raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "
        TEXTS = %i[string binary].freeze
        private_constant :BASES, :TYPES, :RAISE, :TEXTS

        # @param name [String] the name of a struct in the IDL
        # @param kind [Symbol] `:struct`, `:union` or `:exception`
        # @return [String] the line that begins the class
        def self.head(name, kind) = "class #{Apache.capitalized(name)}#{BASES[kind]}"

        # @param value [Object] the value of a constant or a default
        # @param type [IDL::Model::Type]
        # @return [String] an expression
        def self.value(value, type)
          Apache.value(value, type) do |record, parts|
            if parts.empty? then ""
            elsif record.kind == :union then parts.map { |name, part| ":#{name}, #{part}" }.first
            elsif text(record.kind, record.fields) then parts.values.first
            else Apache.hash(parts.transform_keys(&:inspect))
            end
          end
        end

        # @param kind [Symbol]
        # @param fields [Array<IDL::Model::Field>]
        # @return [IDL::Model::Field, nil] the only field of an exception, if `new` takes it as the text. Apache's generator
        #   does not look through typedefs here.
        def self.text(kind, fields)
          first, *others = fields
          first if kind == :exception && first && others.empty? && first.type.typedef.nil? && TEXTS.include?(first.type.kind)
        end

        # @param name [String] its name in the IDL
        # @param kind [Symbol] `:struct`, `:union` or `:exception`
        # @param fields [Array<IDL::Model::Field>]
        def initialize(name, kind, fields)
          @name = name
          @kind = kind
          @fields = fields
          @readers = Spelling.readers(fields, exception: kind == :exception)
          @predicates = Spelling.predicates(fields)
        end

        # @return [Array<String>] its lines
        def lines
          body = [includes, union? ? constructors : initializer, ids, field_table, ["def struct_fields; FIELDS; end"],
                  in_method("validate", checks), accessors, comparison]
          [Record.head(@name, @kind), *Text.indent(Text.separated(body)), "end"]
        end

        private

        def union? = @kind == :union

        def includes = union? ? ["include ::Thrift::Struct_Union"] : ["include ::Thrift::Struct, ::Thrift::Struct_Union"]

        def in_method(signature, body) = ["def #{signature}", *Text.indent(body), "end"]

        # --- making objects ----------------------------------------------------------------------------------------------

        def constructors
          names = Spelling.constructors(@fields)
          methods = @fields.map { |field| constructor(names.fetch(field.name), field) }
          ["class << self", *Text.indent(Text.separated(methods)), "end"]
        end

        def constructor(name, field)
          return in_method("#{name}(val)", ["new(:#{field.name}, val)"]) unless Spelling.shared?(name)

          in_method("#{name}(*val)", ["val.empty? ? super : new(:#{field.name}, *val)"])
        end

        # An exception with one text takes it from `raise`.
        def initializer
          field = Record.text(@kind, @fields) or return []
          kept = " unless message.nil?" unless field.default.nil?
          made = in_method("initialize(message = nil)", ["super()", "self.#{field.name} = message#{kept}"])
          return made if field.name == "message"

          reader = @readers.fetch(field.name)
          made + ["", "def message; #{"self." unless Spelling.locals(@fields).value?(reader)}#{reader} end"]
        end

        # --- the fields --------------------------------------------------------------------------------------------------

        # Names that differ only in case would be one constant.
        def ids
          @ids = @fields.group_by { |field| "#{field.name.upcase}_FIELD_ID" }.select do |constant, same|
            same.size == 1 && constant.match?(/\A[A-Z]/)
          end
          @ids.map { |constant, (field)| "#{constant} = #{field.id}" }
        end

        def id(field)
          constant = "#{field.name.upcase}_FIELD_ID"
          @ids.key?(constant) ? constant : field.id.to_s
        end

        def field_table
          rows = @fields.flat_map { |field| [*Text.comment(field.doc), "#{id(field)} => #{row(field)},"] }
          ["FIELDS = {", *Text.indent(rows), "}"]
        end

        def row(field)
          first, *others = parts(field.type)
          named = [first, "name: #{field.name.inspect}"]
          named << "default: #{Record.value(field.default, field.type)}" unless field.default.nil?
          others << "optional: true" if field.requiredness == :optional || union?
          braces(named + others)
        end

        def type(type) = braces(parts(type))

        def braces(parts) = "{#{parts.join(", ")}}"

        # The pairs that describe a type, its number first.
        def parts(type)
          parts = ["type: ::Thrift::Types::#{TYPES.fetch(type.kind)}"]
          parts << "class: #{Apache.constant(type.target)}" if type.target.is_a?(IDL::Model::Record)
          parts << "key: #{type(type.key)}" << "value: #{type(type.element)}" if type.kind == :map
          parts << "element: #{type(type.element)}" if %i[list set].include?(type.kind)
          parts << "binary: true" if type.kind == :binary
          parts << "enum_class: #{Apache.constant(type.target)}" if type.kind == :enum
          parts
        end

        # --- validate ----------------------------------------------------------------------------------------------------

        # The instructions are those of Apache's generator, except that false is no missing value of a typedef, either.
        def checks = union? ? union_checks : required_checks + enum_checks

        def required_checks
          @fields.select { |field| field.requiredness == :required }.map do |field|
            missing = field.type.kind == :bool ? "if @#{field.name}.nil?" : "unless @#{field.name}"
            "#{RAISE}\"Required field #{field.name} is unset!\") #{missing}"
          end
        end

        # Apache's generator does not look through typedefs here.
        def enums = @fields.select { |field| field.type.kind == :enum && field.type.typedef.nil? }

        def enum_checks
          enums.flat_map do |field|
            ["unless @#{field.name}.nil? || #{valid(field)}(@#{field.name})", "  #{RAISE}#{invalid(field)})", "end"]
          end
        end

        def union_checks
          ["#{RAISE}\"Union fields are not set.\") if get_set_field.nil? || get_value.nil?",
           *enums.flat_map do |field|
             ["if get_set_field == :#{field.name}", "  #{RAISE}#{invalid(field)}) unless #{valid(field)}(get_value)", "end"]
           end]
        end

        def valid(field) = "#{Apache.constant(field.type.target)}::VALID_VALUES.include?"

        def invalid(field) = "\"Invalid value of field #{field.name}!\""

        # --- readers and writers -----------------------------------------------------------------------------------------

        def special = @fields.reject { |field| @readers[field.name] == field.name && @predicates[field.name] == field.name }

        # The gem makes all accessors, unless they would replace methods that Ruby or the gem itself needs.
        def accessors
          gem = union? ? "::Thrift::Union" : "::Thrift::Struct"
          return ["#{gem}.generate_accessors self"] if special.empty?

          special.flat_map { |field| [*by_hand(field), ""] } +
            ["FIELDS.each_value do |field|",
             "  next if #{special.map(&:name).inspect}.include?(field[:name])",
             "",
             "  #{gem}.field_accessor(self, field)",
             "  #{gem}.qmark_isset_method(self, field)",
             "end"]
        end

        def by_hand(field)
          name = field.name
          reader = @readers.fetch(name)
          Text.separated([union? ? union_reader(field, reader) : in_method(reader, ["@#{name}"]),
                          writer(field),
                          in_method("#{@predicates.fetch(name)}?", [union? ? union_predicate(name) : "!@#{name}.nil?"])])
        end

        def union_reader(field, reader)
          unset = "raise #{"#{field.name} is not union's set field.".inspect} unless @setfield == :#{field.name}"
          in_method(reader, [unset, "@value"])
        end

        def union_predicate(name) = "get_set_field == :#{name} && !get_value.nil?"

        def writer(field)
          check = "::Thrift.check_type(value, FIELDS[#{id(field)}], #{field.name.inspect}) if ::Thrift.type_checking"
          set = union? ? ["@setfield = :#{field.name}", "@value = value"] : ["@#{field.name} = value"]
          in_method("#{field.name}=(value)", [check, *set])
        end

        # The gem compares what the readers return, and expects that each reader has the name of its field.
        def comparison
          return [] if union? || special.all? { |field| @readers[field.name] == field.name }

          values = @fields.sort_by(&:id).map { |field| "@#{field.name}" }.join(", ")
          Text.separated([in_method("values_of_fields", ["[#{values}]"]), ["protected :values_of_fields"],
                          in_method("==(other)", ["other.instance_of?(self.class) && " \
                                                  "values_of_fields == other.values_of_fields"]),
                          in_method("hash", ["values_of_fields.hash"]), in_method("<=>(other)", order)])
        end

        # Fields that are set come first, as in the gem.
        def order
          ["return self.class <=> other.class unless self.class == other.class",
           "",
           "values_of_fields.zip(other.values_of_fields) do |one, two|",
           "  return one.nil? ? 1 : -1 if one.nil? != two.nil?",
           "",
           "  order = one <=> two",
           "  return order unless order == 0",
           "end",
           "0"]
        end
      end
    end
  end
end
