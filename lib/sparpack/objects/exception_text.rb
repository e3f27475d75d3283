# frozen_string_literal: true

module Sparpack
  # Reads and writes the text of an exception. The text is in the field `message`, or beside the fields if there is no such
  # field. These are functions, because a field's reader may hide any method.
  #
  # @api private
  module ExceptionText
    module_function

    # Returns the message as Ruby's own exceptions do: always a String.
    def get(error)
      text = Native.get(error, :message) if field?(error)
      text = plain(error) if text.nil?
      text = error.class if text.nil?
      "#{text}" # rubocop:disable Style/RedundantInterpolation -- it returns a String whatever to_s returns
    end

    def set(error, text)
      field?(error) ? Native.set(error, :message, text) : set_plain(error, text)
    end

    def plain(error) = error.instance_variable_get(:@plain_message)

    def set_plain(error, text) = error.instance_variable_set(:@plain_message, text)

    def field?(error) = Declared.schema(error.class)[:message] ? true : false
  end
end
