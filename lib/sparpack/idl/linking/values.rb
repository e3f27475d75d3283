# frozen_string_literal: true

require "set"

module Sparpack
  module IDL
    # The part of the linker that computes the values of constants and defaults.
    #
    # @api private
    class Values
      # Constants that refer to constants can grow exponentially. So one constant may have at most SIZE values and DEPTH
      # levels, and all constants together may have at most TOTAL values. A String counts as a value for each CHUNK of its
      # bytes, because generated code writes it again where a constant is used. {Footprint} counts what a struct leaves out.
      SIZE  = 1_000_000
      TOTAL = 4 * SIZE
      CHUNK = 16
      IN_ALL = "constants and defaults of at most #{TOTAL} values in all".freeze
      DEPTH = 64
      UUID = /\A\{?(\h{8}-\h{4}-\h{4}-\h{4}-\h{12})\}?\z/
      TRUTHS = { "true" => 1, "false" => 0 }.freeze
      EXPECTED = { bool: "true or false", i8: "a whole number", i16: "a whole number", i32: "a whole number",
                   i64: "a whole number", double: "a number", string: "a string", binary: "a string",
                   uuid: "a uuid such as \"00112233-4455-6677-8899-aabbccddeeff\"", list: "a list", set: "a list",
                   map: "a map" }.freeze

      # Raised to leave a value after its first fault.
      Fail = Class.new(StandardError)
      private_constant :SIZE, :CHUNK, :DEPTH, :UUID, :TRUTHS, :EXPECTED, :Fail

      # @param linker [Linker]
      def initialize(linker)
        @linker = linker
        @known = {}.compare_by_identity
        @sizes = {}.compare_by_identity
        @depths = {}.compare_by_identity
        @refused = {}.compare_by_identity
        @total = 0
        @open = []
        @quiet = false
        @full = false
      end

      # @param const [Model::Const] a constant with a resolved type
      # @return [Object, nil] its value; nil if there was a fault
      def constant(const)
        counted(Place.new(const.program, const.node), const.node, constant_as(const, const.type))
      rescue Fail
        nil
      end

      # @param program [Program]
      # @param field [Model::Field] a field with a default
      # @return [Object, nil] the value of the default; nil if there was a fault
      def default(program, field)
        place = Place.new(program, field.node)
        counted(place, field.node.default, value(place, field.node.default, field.type))
      rescue Fail
        nil
      end

      # The place of a value. The value may refer to constants that are defined before it.
      Place = ::Struct.new(:program, :node) do
        # @param const [Model::Const]
        # @return [Boolean] whether the value may refer to this constant
        def knows?(const) = !const.program.equal?(program) || const.node.offset < node.offset
      end
      private_constant :Place

      private

      # Evaluates a constant once for each type that it is used as. If it failed quietly, it is evaluated again when faults
      # count, so that its fault is reported.
      def constant_as(const, type)
        known = @known[const] ||= {}
        key = key_of(type)
        refused = @refused[const] ||= {}
        raise Fail if known[key].equal?(Fail) || (@quiet && refused[key])

        known[key] = evaluate(const, type) unless known.key?(key)
        known[key]
      rescue Fail
        @quiet ? refused[key] = true : known[key] = Fail
        raise
      end

      # What tells types apart. Two files may have types of the same name.
      def key_of(type)
        return type.target || type.to_s unless type.element

        [type.kind, (key_of(type.key) if type.key), key_of(type.element)]
      end

      # If files include one another, a constant may refer to itself indirectly.
      def evaluate(const, type)
        place = Place.new(const.program, const.node)
        if @open.include?(const)
          found = "#{Quote.plain(const.name)}, which leads back to itself"
          fail(place, const.node, "a constant that does not refer to itself", found)
        end
        fail(place, const.node, "a chain of at most #{DEPTH} constants", "a longer one") if @open.size == DEPTH

        @open.push(const)
        begin
          value(place, const.node.value, type)
        ensure
          @open.pop
        end
      end

      def value(place, node, type)
        return reference(place, node, type) if node.is_a?(AST::Literal) && node.kind == :name && !TRUTHS.key?(node.value)

        case type.kind
        when :list, :set then elements(place, node, type)
        when :map then map(place, node, type)
        when :struct, :union then struct(place, node, type)
        else scalar(place, node, type)
        end
      end

      def fail(place, node, expected, found = describe(node))
        @linker.fault(place.program, node, expected, found) unless @quiet
        raise Fail
      end

      # A quiet evaluation needs no hints.
      def hint(&) = @quiet ? "" : @linker.hint(&)

      # Tries to evaluate something without reporting faults.
      def quietly
        before = @quiet
        @quiet = true
        yield
      ensure
        @quiet = before
      end

      def describe(node)
        case node
        when AST::List then "a list"
        when AST::Map then "a map"
        else literal_text(node)
        end
      end

      def literal_text(node)
        case node.kind
        when :string then "a string"
        when :name then Quote.plain(node.value)
        else Quote.value(node.value)
        end
      end

      # --- scalars -----------------------------------------------------------------------------------------------------

      def scalar(place, node, type)
        found = literal(node)
        case type.kind
        when :bool then { 0 => false, 1 => true }.fetch(found) { mismatch(place, node, type) }
        when :double then found.is_a?(Numeric) ? double(place, node, found.to_f) : mismatch(place, node, type)
        when :string then string(place, node, type, found, Encoding::UTF_8)
        when :binary then string(place, node, type, found, Encoding::BINARY)
        when :uuid then (found.is_a?(String) && found[UUID, 1]&.downcase) || mismatch(place, node, type)
        when :enum then enum_value(place, node, type, found)
        else integer(place, node, type, found)
        end
      end

      def literal(node)
        return unless node.is_a?(AST::Literal)

        node.kind == :name ? TRUTHS[node.value] : node.value
      end

      def double(place, node, found)
        found.infinite? ? fail(place, node, "a double of at most #{Float::MAX}", found.to_s) : found
      end

      def string(place, node, type, found, encoding)
        found.is_a?(String) ? found.dup.force_encoding(encoding).freeze : mismatch(place, node, type)
      end

      def integer(place, node, type, found)
        return mismatch(place, node, type) unless found.is_a?(Integer)

        range = Sparpack::Type::RANGES.fetch(type.kind)
        return found if range.cover?(found)

        fail(place, node, "an #{type.kind} from #{range.begin} to #{range.end}", Quote.integer(found))
      end

      def enum_value(place, node, type, found)
        return mismatch(place, node, type) unless found.is_a?(Integer)

        type.target.value_of_number(found) ||
          fail(place, node, "a value of #{Quote.plain(type)}", "#{Quote.integer(found)}, which is not one of its numbers")
      end

      def mismatch(place, node, type) = fail(place, node, EXPECTED[type.kind] || a_value_of(place, type))

      def a_value_of(place, enum)
        first = enum.target.enum_values.first
        example = " such as #{Quote.value("#{qualified_enum(place, enum.target)}.#{first.name}")}" if first
        "a value of #{Quote.plain(enum)}#{example}"
      end

      # --- names -------------------------------------------------------------------------------------------------------

      def reference(place, node, type)
        enum_name, _, name = node.value.rpartition(".")
        raise Fail unless [node.value, enum_name].all? { |written| @linker.clear?(place.program, node, written) }

        const = place.program.constant(node.value)
        return from_constant(place, node, const, type) if const

        enum = enum(place, enum_name, type)
        return by_another_name(place, node, enum, type) if type.kind == :enum && !enum.equal?(type.target)

        found = enum&.value_of_name(name)
        found ? from_enum(place, node, enum, found, type) : unknown(place, node, enum, type)
      end

      # If an enum value is expected, Apache's compiler looks only at the last part of a name. So does Sparpack if the part
      # before it names another enum or a file. It warns, because the author may have meant another value.
      def by_another_name(place, node, enum, type)
        prefix, _, name = node.value.rpartition(".")
        other = enum&.value_of_name(name)
        found = type.target.value_of_name(name) if enum || place.program.file?(prefix)
        return other ? from_enum(place, node, enum, other, type) : unknown(place, node, enum, type) unless found

        meant = Quote.plain("#{qualified_enum(place, type.target)}.#{name}")
        numbers = " (#{found.number}, not #{other.number})" if other && other.number != found.number
        warn(place, node, "#{Quote.plain(node.value)} is read as #{meant}#{numbers}: write #{meant}")
        found
      end

      def warn(place, node, text) = @quiet || @linker.warn(place.program, node, text)

      # If a value of an included file's enum is expected, the name of the file may be left out.
      def enum(place, name, type)
        found = place.program.type(name)
        return (type.target if names_of(type).include?(name)) unless found

        found = found.type&.target if found.is_a?(Model::Typedef) && found.type
        found if found.is_a?(Model::Enum)
      end

      def names_of(type)
        return [] unless type.kind == :enum

        [type.target, type.typedef].compact.flat_map { |named| [named.name, named.qualified_name] }
      end

      def from_constant(place, node, const, type)
        unless place.knows?(const)
          line = const.program.source.line(const.node.offset)
          found = "#{Quote.value(node.value)}, which is defined later, at line #{line}"
          fail(place, node, "a constant that is already defined", found)
        end
        own = const.type || raise(Fail)
        return constant_as(const, type) if own.to_s == type.to_s && key_of(own) == key_of(type)

        begin
          quietly { constant_as(const, type) }
        rescue Fail
          found = "#{Quote.plain(node.value)}, a constant of type #{Quote.plain(own)}"
          fail(place, node, "a value of type #{Quote.plain(type)}", found)
        end
      end

      # If an integer is expected, an enum value stands for its number.
      def from_enum(place, node, enum, found, type)
        return found if type.target.equal?(enum)

        integer = Sparpack::Type::RANGES.key?(type.kind) && type.kind != :enum
        unless integer
          found = "#{Quote.plain(node.value)}, of type #{Quote.plain(enum.name)}"
          fail(place, node, "a value of type #{Quote.plain(type)}", found)
        end

        integer(place, node, type, found.number)
      end

      def unknown(place, node, enum, type)
        hint = hint do
          wanted = type.kind == :enum ? qualified(place, type.target) : []
          meant = meant(node, enum, wanted)
          meant ? " (did you mean #{Quote.value(meant)}?)" : Names.close(node.value, place.program.constant_names + wanted)
        end
        expected = type.kind == :enum ? a_value_of(place, type) : "a constant"
        fail(place, node, expected, "#{Quote.value(node.value)}, which is not defined#{hint}")
      end

      # A value of the expected enum with this name, or else a similar value of the enum that was written.
      def meant(node, enum, wanted)
        prefix, _, name = node.value.rpartition(".")
        found = wanted.find { |value| value.end_with?(".#{name}") }
        return found if found || enum.nil?

        close = Names.closest(name, enum.enum_values.map(&:name))
        "#{prefix}.#{close}" if close
      end

      # The names of the enum's values, as the file of `place` writes them.
      def qualified(place, enum)
        name = qualified_enum(place, enum)
        enum.enum_values.map { |value| "#{name}.#{value.name}" }
      end

      def qualified_enum(place, enum) = place.program.equal?(enum.program) ? enum.name : enum.qualified_name

      # --- containers --------------------------------------------------------------------------------------------------

      def elements(place, node, type)
        nodes = node.elements if node.is_a?(AST::List)
        nodes = [] if node.is_a?(AST::Map) && node.pairs.empty?
        mismatch(place, node, type) unless nodes

        values = nodes.map { |element| value(place, element, type.element) }
        sized(place, node, values, values)
        type.kind == :set ? sized(place, node, values, values.to_set) : values
      end

      def map(place, node, type)
        pairs = node.pairs if node.is_a?(AST::Map)
        pairs = [] if node.is_a?(AST::List) && node.elements.empty?
        mismatch(place, node, type) unless pairs

        values = pairs.map { |key, element| [value(place, key, type.key), value(place, element, type.element)] }
        sized(place, node, values.flatten(1), values.to_h)
      end

      # A constant struct is a map whose keys are the quoted names of fields.
      def struct(place, node, type)
        fail(place, node, "a map of the fields of #{Quote.plain(type)}") unless node.is_a?(AST::Map)

        values = node.pairs.to_h do |key, element|
          field = field(place, key, type.target)
          [field, value(place, element, field.type)]
        end
        if type.kind == :union && values.size > 1
          fail(place, node, "at most one field, because #{Quote.plain(type)} is a union", values.size.to_s)
        end

        sized(place, node, values.values, Model::StructValue.new(type.target, values.freeze))
      end

      def field(place, key, record)
        fail(place, key, "the name of a field, in quotes") unless key.is_a?(AST::Literal) && key.kind == :string

        record.field(key.value) || fail(
          place, key, "the name of a field of #{Quote.plain(record.name)}",
          "#{Quote.value(key.value)}#{hint { Names.hint(key.value, record.fields.map(&:name)) }}"
        )
      end

      # Counts the values of a constant, because generated code writes out every constant in full, even if they share parts.
      def counted(place, node, value)
        add(place, node, size(value))
        value
      end

      # Only the first value that exceeds the limit is reported: all that follow would exceed it, too.
      def add(place, node, count)
        @total += count
        return if @total <= TOTAL
        raise Fail if @full

        @full = !@quiet
        fail(place, node, IN_ALL, "more")
      end

      def size(value) = @sizes[value] || (value.is_a?(String) ? 1 + (value.bytesize / CHUNK) : 1)

      # Freezes and returns the value if it is not too large.
      def sized(place, node, parts, value)
        add(place, node, parts.size)
        size = 1 + parts.sum { |part| size(part) }
        depth = 1 + (parts.map { |part| @depths[part] || 0 }.max || 0)
        fail(place, node, "a constant of at most #{SIZE} values", "more") if size > SIZE
        fail(place, node, "a constant of at most #{DEPTH} levels", "more") if depth > DEPTH

        @sizes[value] = size
        @depths[value] = depth
        value.freeze
      end
    end
  end
end
