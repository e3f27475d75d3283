# frozen_string_literal: true

module Sparpack
  module Rails
    # The errors of a struct, as {Value#errors} returns them. Action View also asks them for those of a field, by its name,
    # so that a form can mark the field.
    #
    # @api private
    class FormErrors < ::Array
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
        @struct = struct
      end

      # @param place [Array] what `Array#[]` takes, or the name of a field
      # @return [Object] for a name, an Array of texts. A field that is not set has none, because a new form must not show
      #   errors
      def [](*place)
        case place
        in [::String | ::Symbol => name] then of(name.to_s)
        else super
        end
      end

      private

      def of(name)
        field = Declared.schema(@struct.class).field_named(name.to_sym)
        return [] if field.nil? || !Sparpack.set?(@struct, field.name)

        Sparpack.errors(@struct, :strict).filter_map do |error|
          path = error.path.delete_prefix(@struct.class.name.to_s).delete_prefix(".")
          next unless path[/\A[^.\[]+/] == name

          ::I18n.t("errors.messages.sparpack", path:, expected: error.expected, found: error.found)
        end
      end
    end
  end
end
