# frozen_string_literal: true

module Sparpack
  module DropIn
    module Sparsam
      # Finds the first value of an object that Sparsam would not write, in the order in which it writes. This happens only
      # after the native core has refused an object.
      #
      # @api private
      class Refusal
        NAMES = { 2 => "T_BOOL", 3 => "T_BYTE or T_I08", 4 => "T_DOUBLE", 6 => "T_I16", 8 => "T_I32", 10 => "T_I64",
                  11 => "T_STRING or T_UTF7", 12 => "T_STRUCT", 13 => "T_MAP", 14 => "T_SET", 15 => "T_LIST" }.freeze

        BITS = { 3 => 16, 6 => 16, 8 => 32 }.freeze
        WORDS = { 3 => "short", 6 => "short", 8 => "int" }.freeze
        QUOTE = RUBY_VERSION >= "3.4" ? "'" : "`"

        # How deep it looks. Cycles and what is nested deeper than that have no other fault.
        DEPTH = 1000

        private_constant :BITS, :WORDS, :QUOTE, :DEPTH

        # @param name [String] of an error class
        # @param message [String]
        # @param klass [Class] of the struct with the field
        # @param field [Symbol]
        # @return [Sparsam::Exception]
        def self.error(name, message, klass, field)
          struct = klass.name || klass.to_s
          ::Sparsam.const_get(name).new("#{message} (in #{struct}##{field})", struct, field.name)
        end

        # Any object may have a `class` of its own.
        #
        # @return [Class]
        def self.class_of(value) = ::Kernel.instance_method(:class).bind_call(value)

        # @param object [Object] an object that cannot be written
        # @return [Exception, nil]
        def find(object)
          catch(:fault) { struct(object.class, object, 0) && nil }
        end

        private

        def struct(klass, object, depth)
          throw(:fault, nil) if depth == DEPTH
          values = Classes.notes_of(klass).map { |note| [note, object.instance_variable_get(:"@#{note.name}")] }
          values.each do |note, value|
            fault("MissingMandatory", "Required field missing", klass, note.name) if value.nil? && !note.optional
          end
          values.each do |note, value|
            @outer = klass
            @field = note.name
            value(note.type, value, depth) unless value.nil?
          end
        end

        def value(type, value, depth)
          case type[0]
          when 2 then mismatch(type, value) unless [true, false].include?(value)
          when 3, 6, 8, 10 then integer(type, value)
          when 4 then mismatch(type, value) unless value.is_a?(Float)
          when 11 then mismatch(type, value) unless value.is_a?(String)
          when 12 then object(type[1], value, depth)
          else container(type, value, depth)
          end
        end

        def object(klass, value, depth)
          mismatch(klass, value) unless value.instance_of?(klass)
          outer = @outer
          field = @field
          struct(klass, value, depth + 1)
          @outer = outer
          @field = field
        end

        def container(type, value, depth)
          case type[0]
          when 13
            mismatch(type, value) unless value.is_a?(Hash)
            value.each { |key, each| [[type[1], key], [type[2], each]].each { |part| value(*part, depth) } }
          when 14
            mismatch(type, value) unless value.instance_of?(::Set)
            value.each { |each| value(type[1], each, depth) }
          when 15
            mismatch(type, value) unless value.is_a?(Array)
            value.each { |each| value(type[1], each, depth) }
          end
        end

        # Ruby's own words, which differ between its versions.
        def integer(type, value)
          number = type[0]
          mismatch(type, value) unless value.is_a?(Integer)
          if number == 10
            range("bignum too big to convert into #{QUOTE}long long'") if value.bit_length > 63
          elsif value.bit_length > 62
            range("bignum too big to convert")
          elsif value.bit_length >= BITS.fetch(number)
            size = value.negative? ? "small" : "big"
            range("integer #{value} too #{size} to convert to #{QUOTE}#{WORDS.fetch(number)}'")
          elsif number == 3 && value.bit_length > 7
            range("integer #{value} out of range for char")
          end
        end

        def range(message) = throw(:fault, RangeError.new(message))

        def mismatch(expected, value)
          name = expected.is_a?(Class) ? expected.name || expected.to_s : NAMES.fetch(expected[0])
          found = Refusal.class_of(value)
          fault("TypeMismatch", "Mismatched type (expected to be compatible with: #{name}, found: #{found.name || found})",
                @outer, @field)
        end

        def fault(...) = throw(:fault, Refusal.error(...))
      end
    end
  end
end
