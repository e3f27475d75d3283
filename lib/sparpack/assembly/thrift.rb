# frozen_string_literal: true

module Sparpack
  class Assembly
    # Reads the types and values of Thrift's wires. A subclass writes them.
    #
    # @api private
    class Thrift
      # The codes of the types in the binary protocol.
      TYPES = { "stop" => 0, "bool" => 2, "i8" => 3, "double" => 4, "i16" => 6, "i32" => 8, "i64" => 10, "string" => 11,
                "struct" => 12, "map" => 13, "set" => 14, "list" => 15, "uuid" => 16 }.freeze
      CONTAINERS = { "struct" => :struct, "list" => :list, "set" => :set, "map" => :map }.freeze
      SCALARS = TYPES.keys - CONTAINERS.keys - ["stop"]
      private_constant :CONTAINERS, :SCALARS

      # @param scanner [Scanner]
      def initialize(scanner)
        @scanner = scanner
      end

      # Whether a container that is not closed needs no count.
      def uncounted? = false

      # Reads the beginning of a struct or container, if there is one.
      def opening(_level)
        @scanner.value_begins
        kind = CONTAINERS[@scanner.next_word] || return
        @scanner.word?(kind.name)
        return @scanner.take(/\{/, "{") && [:struct, nil, nil, nil] if kind == :struct

        first, second = types(kind)
        count = @scanner.peek?(/\d/) ? @scanner.integer_in(0..0x7fffffff, "the number of elements") : nil
        @scanner.take(kind == :map ? /\{/ : /\[/, kind == :map ? "{" : "[")
        [kind, first, second, count]
      end

      # @return [Array(String, Object)] the type and the value
      def scalar(_level, _place)
        @scanner.value_begins
        type = @scanner.one_of(TYPES.keys - ["stop"], "a type")
        [kind_of(type), value(type)]
      end

      # Returns what is written: for strings, `exact` stands for what comes before the content.
      def written(type, value, head, exact, level, place)
        return [exact || (head + size(value.bytesize)), value] if type == :string

        [exact || (head + bytes_of(type, value, level, place))]
      end

      private

      # Types are Symbols, as the kinds of levels.
      def kind_of(type) = type.to_sym

      def types(kind)
        @scanner.take(/</, "< and the type of the elements")
        first = type_name
        return @scanner.take(/>/, ">") && [first, nil] unless kind == :map

        @scanner.take(/,/, ", and the type of the values")
        second = type_name
        @scanner.take(/>/, ">")
        [first, second]
      end

      def type_name = @scanner.one_of(TYPES.keys, "a type").to_sym

      def value(type)
        case type
        when "bool" then @scanner.boolean
        when "double" then @scanner.real("double")
        when "string" then @scanner.string
        when "uuid" then @scanner.uuid
        else @scanner.integer(type)
        end
      end
    end
  end
end
