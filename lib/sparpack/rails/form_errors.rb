# frozen_string_literal: true

module Sparpack
  module Rails
    # The errors of a struct, as {Value#errors} returns them. Action View also asks them for those of a field, by its name,
    # so that a form can mark the field.
    #
    # @api private
    class FormErrors < ::Array
      NAME = /\A[^.\[]+/
      private_constant :NAME

      # What a form asks its object. Rails has no hook for it: it asks the object itself, not its `to_model`. So
      # `sparpack/rails` prepends this to {Value} when Action View is loaded.
      module Owner
        # @see Value#errors
        def errors(mode = :normal) = FormErrors.new(super, self)

        # @return [Boolean] false: a submit button then says "Create"
        def persisted? = false
      end

      # @param errors [Array<ValidationError>]
      # @param struct [Value]
      def initialize(errors, struct)
        super(errors)
        @texts = texts(struct) # and not the struct, which would be frozen or stored together with its errors
      end

      # @param place [Array] what `Array#[]` takes, or the name of a field
      # @return [Object] for a name, an Array of texts. A field that is not set has none, because a new form must not show
      #   errors
      def [](*place)
        case place
        in [::String | ::Symbol => name] then @texts.fetch(name.to_s) { [] }
        else super
        end
      end

      private

      # @return [Hash{String => Array<String>}] by the names of the fields
      def texts(struct)
        found = Sparpack.errors(struct, :strict).to_h { |error| [Validator.path(error, struct.class), error] }
        set = found.select { |path, _| (name = path[NAME]) && Sparpack.set?(struct, name.to_sym) }
        set.group_by { |path, _| path[NAME] }.transform_values { |faults| faults.map { |path, error| text(path, error) } }
      end

      def text(path, error)
        ::I18n.t("errors.messages.sparpack", path:, expected: error.expected, found: error.found)
      end
    end
  end
end
