# frozen_string_literal: true

module Sparpack
  module DropIn
    module Sparsam
      # Makes Sparsam's error of a fault in bytes.
      #
      # @api private
      module Misreading
        # The types that our errors name, by the numbers of FIELDS.
        KINDS = { "bool" => 2, "i8" => 3, "double" => 4, "i16" => 6, "i32" => 8, "i64" => 10, "string" => 11, "binary" => 11,
                  "map" => 13, "set" => 14, "list" => 15, "struct" => 12, "uuid" => nil }.freeze

        # What the libraries below Sparsam say.
        MESSAGES = { truncated: "No more data to read.", varint_too_long: "Variable-length int over 10 bytes.",
                     integer_too_large: "Default TException.", negative_size: "Default TException.",
                     bad_field_id: "Default TException.", bad_bool: "Default TException." }.freeze

        private_constant :KINDS, :MESSAGES

        class << self
          # @param klass [Class] the class that was read
          # @param error [DecodeError]
          # @param status [Symbol]
          # @return [Sparsam::Exception]
          def error(klass, error, status)
            case status
            when :mismatch then mismatch(klass, error)
            when :union_multiple_fields then ::Sparsam::UnionException.new("More than one element in union.")
            when :bad_wire_type then ::Sparsam::UnknownTypeException.new("Received unknown type")
            else ::Sparsam::Exception.new(MESSAGES[status] || error.message)
            end
          end

          private

          # The gem has the types the other way round.
          def mismatch(klass, error)
            struct, field = place(klass, error.path)
            message = "Mismatched type (definition: #{name(error.found)}, found: #{name(error.expected)})"
            Refusal.error("TypeMismatch", message, struct, field)
          end

          def name(type) = Refusal::NAMES.fetch(KINDS.fetch(type, 12), "T_UNKNOWN")

          # A long path is shortened in the middle. This is then the last place before the gap.
          #
          # @return [Array(Class, Symbol)] the innermost struct on a path, and its field
          def place(klass, path)
            part = nil
            place = [klass, :"(root)"]
            type = [12, klass]
            path.delete_prefix(Quote.plain(klass)).partition("...(").first.scan(/\.[^.\[]+|\[\d+\]/) do |step|
              if type[0] == 12
                note = Classes.notes_of(type[1]).find { |each| each.name.name == step.delete_prefix(".") } or break
                place = [type[1], note.name]
                type = note.type
              elsif step.start_with?("[")
                type = type[0] == 13 && part == ".values" ? type[2] : type[1]
              else
                part = step
              end
            end
            place
          end
        end
      end
    end
  end
end
