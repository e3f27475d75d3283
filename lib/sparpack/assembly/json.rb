# frozen_string_literal: true

module Sparpack
  class Assembly
    # Plain JSON, whose tokens stand in the text as they are.
    #
    # @api private
    module JSON
      # A string with its quotes, a number or a literal.
      TOKEN = /"(?:[^"\\]|\\.)*"|[-+.\w]+/

      # Puts tokens together.
      class Writer
        # @param scanner [Scanner]
        def initialize(scanner)
          @scanner = scanner
        end

        def uncounted? = true

        def opening(_level)
          @scanner.value_begins
          return @scanner.take(/\{/, "{") && [:map, nil, nil, nil] if @scanner.peek?(/\{/)

          @scanner.take(/\[/, "[") && [:list, nil, nil, nil] if @scanner.peek?(/\[/)
        end

        def scalar(_level, place)
          @scanner.value_begins
          return [:string, @scanner.take(/"(?:[^"\\]|\\.)*"/, "a key in quotes").b] if place == :key

          [nil, @scanner.take(TOKEN, "a value of JSON").b]
        end

        def head(level, place, _type, _value = nil)
          return ":".b if level.at_value?

          (place == :key || level.kind == :list) && level.index.positive? ? ",".b : "".b
        end

        def open(kind, _first, _second, _count) = kind == :map ? "{".b : "[".b
        def close(level) = level.kind == :map ? "}".b : "]".b
        def written(_type, value, head, exact, _level, _place) = [exact || (head + value)]
      end
    end
  end
end
