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

    # The text of an exception without a field `message`.
    #
    # @return [String, nil]
    # @api private
    attr_writer :plain_message

    # @param text [String, Hash, nil] the message, or the fields as `raise Gone, message: "…"` passes them
    # @param fields [Hash] by name
    # @raise [ArgumentError] for an unknown name
    def initialize(text = nil, **fields)
      fields = text.merge(fields) if text.is_a?(Hash)
      super(**fields)
      take_text(text) unless text.nil? || text.is_a?(Hash)
    end

    # @return [String, nil]
    # @api private
    def plain_message = defined?(@plain_message) ? @plain_message : nil

    # @param text [Array] nothing, or the text that `raise error, "text"` passes
    # @return [Exception] itself, or a copy with the text
    def exception(*text)
      return self if text.empty? || text[0].equal?(self)

      clone(freeze: false).tap { |copy| copy.__send__(:take_text, text[0]) }
    end

    # @return [String] the message
    def to_s
      field = Native.get(self, :message) if message_field?
      (field || plain_message || self.class.name).to_s
    end

    private

    def message_field? = !self.class.schema[:message].nil?

    def take_text(text)
      message_field? ? Native.set(self, :message, text) : @plain_message = text
    end
  end
end
