# frozen_string_literal: true

require "json"

module Sparpack
  module CLI
    module Structs
      # Makes text of the values of a column.
      module Writer
        # What JSON has to escape.
        SPECIAL = /["\\\u0000-\u001f]/

        TEXT = %i[string uuid].freeze
        private_constant :TEXT

        module_function

        # @param place [Place] the path of the column
        # @param levels [Integer] how many lists are around each value
        # @param plain [Boolean] whether text needs no quotes unless it is in a list
        # @param options [Hash] of the wire `:json`: `enums:` and `i64:`
        # @return [#call, Symbol, nil] takes a value, but not nil, and returns what is written; `:text` if values are text,
        #   of which a format may have to escape some; nil if `to_s` makes what is written
        def for(place, levels, plain, options)
          return :text if levels.zero? && TEXT.include?(place.type.kind)
          return plain ? plain(place, options) : json(place, options) if levels.zero?

          (1..levels).reduce(json(place, options) || :to_s.to_proc) { |write, _| list(write) }
        end

        # @param text [String]
        # @return [String] the same as JSON
        def quoted(text) = text.match?(SPECIAL) ? ::JSON.generate(text) : "\"#{text}\""

        # In a list, null stands for nil.
        def list(write)
          lambda do |values|
            return write.call(values) unless values.is_a?(Array)

            "[#{values.map { |value| value.nil? ? "null" : write.call(value) }.join(",")}]"
          end
        end

        def plain(place, options)
          case place.type.kind
          when :double then nil
          when :binary then method(:base64)
          when :enum then options[:enums] == :names ? method(:named).curry[names(place)] : nil
          else json(place, options)
          end
        end

        def json(place, options)
          case place.type.kind
          when :bool, :i8, :i16, :i32 then nil
          when :i64 then options[:i64] == :string ? ->(number) { "\"#{number}\"" } : nil
          when :double then ->(number) { number.finite? ? number.to_s : "\"#{number}\"" }
          when :string, :uuid then method(:quoted)
          when :binary then ->(bytes) { quoted(base64(bytes)) }
          when :enum then options[:enums] == :names ? whole(place, options) : nil
          when :any then ->(value) { ::JSON.generate(value) }
          else whole(place, options)
          end
        end

        def base64(bytes) = [bytes].pack("m0")
        def names(place) = place.type.target.enum_table[:written]
        def named(names, number) = names[number] || number.to_s

        # Encodes a struct with nothing but the value.
        def whole(place, options)
          type = place.type
          around = Class.new(Struct) { field 1, :v, type }
          codec = Codec.new(around, :json, **options)
          lambda do |value|
            codec.encode(around.new(v: value))[5..-2]
          rescue EncodeError => e
            message = "#{Quote.plain(place.text)}: expected #{e.expected}, found #{e.found}"
            raise e.class.new(message, path: place.text, expected: e.expected, found: e.found), cause: nil
          end
        end
        private_class_method :list, :plain, :json, :base64, :names, :named, :whole
      end
    end
  end
end
