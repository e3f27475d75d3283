# frozen_string_literal: true

module Sparpack
  module Generate
    # Writes classes of Sparsam, as `sparsam-gen` does: for each .thrift file a file with its types and a file with its
    # constants. Names are those that Apache's compilers choose.
    #
    # In contrast to `sparsam-gen`, a class may refer to classes that follow it. Doubles have all their digits, and are
    # Floats even if the IDL has an Integer, because Sparsam writes no Integer as a double.
    #
    # @api private
    class Sparsam
      BASES = { struct: "::Sparsam::Struct", union: "::Sparsam::Union", exception: "::Sparsam::ApplicationException" }.freeze

      TYPES = { bool: "BOOL", i8: "BYTE", i16: "I16", i32: "I32", i64: "I64", double: "DOUBLE", string: "STRING",
                binary: "STRING", list: "LIST", set: "SET", map: "MAP", struct: "STRUCT", union: "STRUCT",
                enum: "I32" }.freeze

      # Constants of an enum that are no values.
      ENUM = %w[INVERTED_VALUE_MAP VALID_VALUES VALUE_MAP].freeze
      private_constant :BASES, :TYPES, :ENUM

      # @param names [IDL::RubyNames]
      # @param programs [Array<IDL::Program>] the .thrift files; each after those that it includes
      def initialize(names, programs)
        @names = names
        @programs = programs
      end

      # @return [Hash{String => String}] the texts by path
      # @raise [ArgumentError] if two texts would have the same path, if files include one another, if two names would be
      #   one constant, or for a uuid
      def files
        Apache.check_circles(@programs, :sparsam)
        Clashes.new(@programs, enum: ENUM, services: false).check
        check_paths
        texts = @programs.flat_map do |program|
          { "types" => types(program), "constants" => constants(program) }.map do |part, lines|
            ["#{path(program)}_#{part}.rb", "#{lines.join("\n").rstrip}\n"]
          end
        end
        texts.sort.to_h
      end

      private

      def path(program) = @names.snake(program.name).gsub(/\W/, "_")

      def check_paths
        one, other = @programs.group_by { |program| path(program) }.values.find { |found| found.size > 1 }
        return unless other

        raise ArgumentError, "both #{Quote.path(one.path)} and #{Quote.path(other.path)} would be written to " \
                             "#{Quote.path("#{path(one)}_types.rb")}: generate them into different folders"
      end

      def types(program)
        requires = program.includes.map { |included| require_of(included) }
        definitions = (program.enums + ordered(program.records)).map { |found| definition(found) }
        head(program, requires) + in_modules(program, Text.separated([ahead(program.records), *definitions]))
      end

      def constants(program)
        requires = ["require_relative #{Text.literal("#{path(program)}_types")}"]
        blocks = program.constants.map do |found|
          Text.comment(found.doc) + ["#{capitalized(found.name)} = #{value(found.value, found.type)}"]
        end
        head(program, requires) + in_modules(program, Text.separated(blocks))
      end

      def require_of(program) = "require_relative #{Text.literal("#{path(program)}_types")}"

      def head(program, requires) = [Text.header(program), "", "require \"sparsam\"", *requires, ""]

      def in_modules(program, body) = Apache.in_modules(program, body)

      def capitalized(name) = Apache.capitalized(name)

      def constant(definition) = Apache.constant(definition)

      def value(value, type)
        Apache.value(value, type) { |_, parts| Apache.hash(parts.transform_keys(&:inspect)) }
      end

      # --- the order of classes ----------------------------------------------------------------------------------------

      def ordered(records) = IDL::Order.of(records) { |record| needs(record) & records }.first

      # The classes that others refer to before they are complete.
      def ahead(records)
        seen = {}.compare_by_identity
        early = ordered(records).flat_map do |record|
          seen[record] = true
          (needs(record) & records).reject { |needed| seen[needed] }
        end
        early.uniq.map { |record| "class #{capitalized(record.name)} < #{BASES.fetch(record.kind)}; end" }
      end

      def needs(record) = record.fields.flat_map { |field| classes(field.type) } + IDL::Defaults.structs(record)

      def classes(type)
        return [type.target].grep(IDL::Model::Record) if type.target

        [type.key, type.element].compact.flat_map { |part| classes(part) }
      end

      # --- definitions -------------------------------------------------------------------------------------------------

      def definition(found) = Text.comment(found.doc) + (found.is_a?(IDL::Model::Enum) ? enum(found) : record(found))

      def enum(found)
        values = found.enum_values.map { |each| [capitalized(each.name), each.number, Text.comment(each.doc)] }
        body = values.flat_map { |name, number, doc| [*doc, Apache.assignment(name, number)] }
        body << "VALUE_MAP = {#{values.map { |name, number,| "#{number} => #{name.inspect}" }.join(", ")}}"
        body << "INVERTED_VALUE_MAP = {#{values.map { |name, number,| "#{name.inspect} => #{number}" }.join(", ")}}"
        valid = values.map { |name, number,| Apache.reference(name, number) }
        body << "VALID_VALUES = ::Set.new([#{valid.join(", ")}]).freeze"
        ["module #{capitalized(found.name)}", *Text.indent(body), "end"]
      end

      def record(found)
        fields = found.fields.flat_map { |each| field(each, found) }
        body = ["FIELDS = {", *Text.indent(fields), "}", "", *annotations("ANNOTATIONS = ", found), "",
                "init_thrift_struct(self)"]
        ["class #{capitalized(found.name)} < #{BASES.fetch(found.kind)}", *Text.indent(body), "end"]
      end

      # A member of a union is always optional.
      def field(field, record)
        optional = field.requiredness == :optional || record.kind == :union
        parts = [":name => #{field.name.inspect},"]
        parts << ":default => #{value(field.default, field.type)}," unless field.default.nil?
        parts << ":optional => true," if optional
        parts += annotations(":annotations => ", field, ",")
        [*Text.comment(field.doc), "#{field.id} => {", *Text.indent(type(field.type).insert(1, *parts)), "},"]
      end

      # @return [Array<String>] the pairs that describe a type, the number first
      def type(type)
        number = TYPES[type.kind] or raise ArgumentError, "the style sparsam has no type #{type.kind}"
        lines = [":type => ::Sparsam::Types::#{number},"]
        lines << ":binary => true," if type.kind == :binary
        lines << ":class => #{constant(type.target)}," if type.target.is_a?(IDL::Model::Record)
        lines << ":enum_class => #{constant(type.target)}," if type.kind == :enum
        parts = type.kind == :map ? { key: type.key, value: type.element } : { element: type.element }.compact
        parts.each { |name, part| lines.push(":#{name} => {", *Text.indent(type(part)), "},") }
        lines
      end

      def annotations(before, found, after = "")
        pairs = found.annotations.map { |name, text| "  #{Text.literal(name)} => #{Text.literal(Array(text).last)}," }
        pairs.empty? ? ["#{before}{}#{after}"] : ["#{before}{", *pairs, "}#{after}"]
      end
    end
  end
end
