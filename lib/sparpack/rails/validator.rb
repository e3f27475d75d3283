# frozen_string_literal: true

require "active_model"

module Sparpack
  module Rails
    # Adds an error to a record for each fault of a struct. The error has the options `path`, `expected` and `found`, and the
    # text of `errors.messages.sparpack` in the locale. For a union without a field, it is that of `sparpack_itself`.
    #
    # @example
    #   class Invoice < ApplicationRecord
    #     validates :order, sparpack: { mode: :strict }
    #   end
    class Validator < ::ActiveModel::EachValidator
      MODES = %i[normal strict recursive].freeze

      # The options that any validation has. Others may stand in a message.
      OPTIONS = %i[mode message allow_nil allow_blank if unless on strict except_on].freeze

      # A locale may have only the other text.
      ITSELF = :"errors.messages.sparpack_itself"
      private_constant :MODES, :OPTIONS, :ITSELF

      # @param fault [ValidationError, EncodeError]
      # @param klass [Class] of the object
      # @return [String] where in the object the fault is
      # @api private
      def self.path(fault, klass) = fault.path.to_s.delete_prefix(Quote.plain(klass)).delete_prefix(".")

      # Checks the options of a validation. Active Model calls this method when a class declares one.
      #
      # @return [void]
      # @raise [ArgumentError] for an unknown mode, or a misspelt option
      def check_validity!
        Options.refuse_similar(options.keys, OPTIONS)
        mode = options.fetch(:mode, :recursive)
        return if MODES.include?(mode)

        raise ArgumentError, "mode: expected one of #{MODES.map(&:inspect).join(", ")}, got #{Quote.value(mode)}" \
                             "#{Advice.choice(mode, MODES)}"
      end

      # Adds the errors of an attribute. Active Model calls this method.
      #
      # @param record [ActiveModel::Validations]
      # @param attribute [Symbol]
      # @param value [Object, nil]
      # @return [void]
      # @raise [ArgumentError] if it is no struct, and the attribute has another type than `:sparpack`
      def validate_each(record, attribute, value)
        return if value.nil?

        faults(record, attribute, value).each do |fault|
          path = Validator.path(fault, value.class)
          details = { path:, expected: fault.expected, found: fault.found }
          details[:message] = :sparpack_itself if path.empty? && !options.key?(:message) && ::I18n.exists?(ITSELF)
          record.errors.add(attribute, :sparpack, **options.except(:mode), **details)
        end
      end

      private

      def faults(record, attribute, value)
        mode = options.fetch(:mode, :recursive)
        return Sparpack.errors(value, mode) if value.is_a?(Value)

        type = record.class.type_for_attribute(attribute) if record.class.respond_to?(:type_for_attribute)
        type = type.cast_type while type.respond_to?(:cast_type) # what `normalizes` and `encrypts` wrap
        return type.faults(value, mode) if type.is_a?(Type)
        return [no_struct(value)] if type.nil? || type.instance_of?(::ActiveModel::Type::Value)

        raise ArgumentError, "validates :#{attribute}, sparpack: true: expected a struct or an attribute of the type " \
                             ":sparpack, found #{Quote.plain(value.class)}"
      end

      # An attribute without a type may hold whatever a stranger has sent.
      def no_struct(value)
        expected = "a struct"
        found = Quote.plain(value.class)
        ValidationError.new("expected #{expected}, found #{found}", path: "", expected:, found:)
      end
    end
  end
end

# What `validates :order, sparpack: true` looks for.
SparpackValidator = Sparpack::Rails::Validator
