# frozen_string_literal: true

module Sparpack
  class Assembly
    # MessagePack.
    #
    # @api private
    module MessagePack
      # Reads its values and writes them with the shortest heads.
      class Writer
        CONTAINERS = { "map" => [:map, /\{/, "{"], "array" => [:list, /\[/, "["] }.freeze
        SCALARS = %w[nil true false int float32 float64 str bin ext].freeze
        INTEGERS = [[0xcc, "C", 0..0xff], [0xcd, "S>", 0..0xffff], [0xce, "L>", 0..0xffffffff],
                    [0xcf, "Q>", 0..0xffffffffffffffff], [0xd0, "c", -0x80..0], [0xd1, "s>", -0x8000..0],
                    [0xd2, "l>", -0x80000000..0], [0xd3, "q>", -0x8000000000000000..0]].freeze
        LITERALS = { "nil" => "\xc0".b, "false" => "\xc2".b, "true" => "\xc3".b }.freeze
        FIXED_EXT = [1, 2, 4, 8, 16].freeze
        private_constant :CONTAINERS, :SCALARS, :INTEGERS, :LITERALS, :FIXED_EXT

        # @param scanner [Scanner]
        def initialize(scanner)
          @scanner = scanner
        end

        def uncounted? = false

        def opening(_level)
          @scanner.value_begins
          word = @scanner.next_word
          kind, bracket, expected = CONTAINERS[word]
          return unless kind

          @scanner.word?(word)
          count = @scanner.peek?(/\d/) ? @scanner.integer_in(0..0xffffffff, "the number of elements") : nil
          @scanner.take(bracket, expected)
          [kind, nil, nil, count]
        end

        def scalar(_level, _place)
          @scanner.value_begins
          type = @scanner.one_of([*SCALARS, *CONTAINERS.keys], "a type").to_sym
          [type, value(type)]
        end

        def head(_level, _place, _type, _value = nil) = "".b

        def open(kind, _first, _second, count)
          return [0xdd, count].pack("CL>") if kind == :list && count > 0xffff
          return [0xdc, count].pack("CS>") if kind == :list && count > 15
          return [0x90 | count].pack("C") if kind == :list
          return [0xdf, count].pack("CL>") if count > 0xffff

          count > 15 ? [0xde, count].pack("CS>") : [0x80 | count].pack("C")
        end

        def close(_level) = "".b

        def written(type, value, _head, exact, _level, _place)
          case type
          when :str, :bin then [exact || sized(type, value.bytesize), value]
          when :ext then [exact || ext(value.first, value.last.bytesize), value.last]
          else [exact || number(type, value)]
          end
        end

        private

        def value(type)
          case type
          when :int then @scanner.integer_in(-(1 << 63)..((1 << 64) - 1), "int")
          when :float32, :float64 then @scanner.real(type.name)
          when :str, :bin then @scanner.string
          when :ext then [@scanner.integer_in(-128..127, "the number of the extension type"), @scanner.string]
          end
        end

        def number(type, value)
          case type
          when :float32 then value.nan? ? "\xca\x7f\xc0\0\0".b : [0xca, value].pack("Cg")
          when :float64 then value.nan? ? "\xcb\x7f\xf8\0\0\0\0\0\0".b : [0xcb, value].pack("CG")
          when :int then integer(value)
          else LITERALS.fetch(type.name)
          end
        end

        def integer(value)
          return [value & 0xff].pack("C") if value.between?(-32, 127)

          code, format, = INTEGERS.find { |_, _, range| range.cover?(value) }
          [code, value].pack("C#{format}")
        end

        def sized(type, size)
          return [0xa0 | size].pack("C") if type == :str && size < 32

          first = type == :str ? 0xd9 : 0xc4
          return [first, size].pack("CC") if size <= 0xff

          size <= 0xffff ? [first + 1, size].pack("CS>") : [first + 2, size].pack("CL>")
        end

        def ext(type, size)
          fixed = FIXED_EXT.index(size)
          return [0xd4 + fixed, type].pack("Cc") if fixed
          return [0xc7, size, type].pack("CCc") if size <= 0xff

          size <= 0xffff ? [0xc8, size, type].pack("CS>c") : [0xc9, size, type].pack("CL>c")
        end
      end
    end
  end
end
