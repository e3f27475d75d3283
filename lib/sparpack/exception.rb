# frozen_string_literal: true

module Sparpack
  # The base of exceptions with fields. A field `message` is the Ruby message.
  #
  # @example
  #   class Gone < Sparpack::Exception
  #     field 1, :message, :string
  #     field 2, :id, :i64
  #   end
  #   raise Gone, "no such listing"
  #   raise Gone, message: "no such listing", id: 7
  class Exception < StandardError
    include Value
    extend Declaration

    # @param text [String, Hash, nil] the message, or the fields as `raise Gone, message: "…"` passes them
    # @param fields [Hash] by name
    # @raise [ArgumentError] for an unknown name
    def initialize(text = nil, **fields)
      fields = text.merge(fields) if text.is_a?(Hash)
      super(**fields, &nil) # the block sees the text, too
      ExceptionText.set(self, text) unless text.nil? || text.is_a?(Hash)
      yield self if block_given?
    end

    # @param text [Array] nothing, or the text that `raise error, "text"` passes
    # @return [Exception] itself, or a copy with the text
    def exception(*text)
      return self if text.empty? || text[0].equal?(self)

      clone(freeze: false).tap { |copy| ExceptionText.set(copy, text[0]) }
    end

    # @return [String] the message
    def to_s = ExceptionText.get(self)
  end

  # The text of an exception: its field `message`, or, without such a field, kept beside the fields. As functions, since a
  # field's reader would win over methods.
  #
  # @api private
  module ExceptionText
    module_function

    def get(error)
      field = Native.get(error, :message) if field?(error)
      (field || plain(error) || error.class.name).to_s
    end

    def set(error, text)
      field?(error) ? Native.set(error, :message, text) : set_plain(error, text)
    end

    def plain(error) = error.instance_variable_get(:@plain_message)

    def set_plain(error, text) = error.instance_variable_set(:@plain_message, text)

    def field?(error) = Declared.schema(error.class)[:message] ? true : false
  end
end
