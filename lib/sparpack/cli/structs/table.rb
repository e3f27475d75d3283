# frozen_string_literal: true

require "json"

module Sparpack
  module CLI
    module Structs
      # Writes columns as text: CSV (RFC 4180), TSV or JSON lines. Values that are neither numbers nor text are written as
      # JSON, as the wire `:json` has them.
      class Table
        # How many rows become text at a time.
        SOME = 500

        # What a format escapes in text, and what stands behind a row.
        FORMS = { csv: [/[",\r\n]/, "\r\n"], tsv: [/[\\\t\r\n]/, "\n"], jsonl: [Writer::SPECIAL, "}\n"] }.freeze
        ESCAPES = { "\\" => "\\\\", "\t" => "\\t", "\n" => "\\n", "\r" => "\\r" }.freeze
        private_constant :SOME, :FORMS, :ESCAPES

        FORMATS = FORMS.keys.freeze

        # @param format [Symbol] one of {FORMATS}
        # @param places [Array<Place>] the paths of the columns
        # @param terminal [Boolean] whether to escape what a terminal would obey
        # @param options [Hash] of the wire `:json`: `enums:` and `i64:`
        def initialize(format, places, terminal: false, **options)
          @format = format
          @special, @end = FORMS.fetch(format)
          @terminal = terminal
          @rows = 0
          @names = places.map(&:text)
          rows = Place.rows(places) ? 1 : 0
          @writers = places.map { |place| Writer.for(place, place.any - rows, format != :jsonl, options) }
          @separators = separators
        end

        # @return [String] the line with the names of the columns; empty if each row has them
        def header = @format == :jsonl ? "" : "#{@names.map { |name| escaped(name) }.join(@separators.last)}#{@end}"

        # @param columns [Array<Array<Object>>] the rows of each path
        # @yieldparam text [String] that of some rows
        # @return [Integer] how many rows there were
        # @raise [EncodeError] for a value that cannot be written as JSON. The rows before it are yielded
        def write(columns)
          0.step(columns.first.size - 1, SOME) do |from|
            yield text(columns, from, SOME)
          rescue EncodeError
            (from...(from + SOME)).each { |row| yield one(columns, row) } # one of them raises
          end
          @rows += columns.first.size
          columns.first.size
        end

        private

        # What stands in front of each field.
        def separators
          return [nil, *Array.new(@names.size - 1, @format == :csv ? "," : "\t")] unless @format == :jsonl

          @names.each_with_index.map { |name, index| visible("#{index.zero? ? "{" : ","}#{Writer.quoted(name)}:") }
        end

        # One join of all parts makes no text of each row. It writes numbers as `to_s` does, and nothing for nil. With an
        # Array for each row it would take longer.
        def text(columns, from, size)
          parts = columns.each_with_index.flat_map do |column, index|
            values = column[from, size]
            [Array.new(values.size, @separators[index]), fields(values, @writers[index])]
          end
          flat = [*parts, Array.new(parts.first.size, @end)].transpose.flatten(1)
          flat.join
        end

        def one(columns, row)
          text(columns, row, 1)
        rescue EncodeError => e
          raise e.exception("#{e.message}, in row #{@rows + row + 1}"), cause: nil
        end

        def fields(values, writer)
          return @format == :jsonl ? with_null(values) : values unless writer

          values.map! { |value| value.nil? ? nil : writer.call(value) } unless writer == :text
          @format == :jsonl ? objects(values, writer) : lines(values)
        end

        # --- CSV and TSV ---------------------------------------------------------------------------------------------------

        def lines(texts)
          return texts if plain?(texts) && (@format == :tsv || !texts.include?(""))

          texts.map! { |text| text.nil? ? nil : escaped(text) }
        end

        # Most text has nothing to escape. One look at all of it takes less time than a look at each.
        def plain?(texts) = !@terminal && !texts.join.match?(@special)

        def escaped(text)
          text = text.gsub(@special, ESCAPES) if @format == :tsv
          text = Quote.visible(text) if @terminal
          return text if @format == :tsv

          text.empty? || text.match?(@special) ? "\"#{text.gsub('"', '""')}\"" : text
        end

        # --- JSON lines ----------------------------------------------------------------------------------------------------

        def objects(texts, writer)
          texts.map! { |text| text && visible(text) } if @terminal && writer != :text
          return with_null(texts) unless writer == :text
          return texts.map! { |text| text.nil? ? "null" : "\"#{text}\"" } if plain?(texts)

          texts.map! { |text| text.nil? ? "null" : visible(Writer.quoted(text)) }
        end

        def with_null(values)
          return values unless values.include?(nil)

          values.map! { |value| value.nil? ? "null" : value }
        end

        def visible(text) = @terminal ? Quote.visible_json(text) : text
      end
    end
  end
end
