# frozen_string_literal: true

module Sparpack
  # The base class of exceptions with fields. A field named `message` is the Ruby message. Its reader always returns a
  # String, as Ruby expects of every exception: the name of the class if the field is nil. `error[:message]` returns the
  # field itself.
  #
  # @example
  #   class Gone < Sparpack::Exception
  #     field 1, :message, :string
  #     field 2, :id, :i64
  #   end
  #   raise Gone, "no such listing"
  #   # raises Gone: no such listing
  #   raise Gone, message: "no such listing", id: 7
  #   # raises Gone: no such listing
  class Exception < StandardError
    include Value
    extend Declaration

    # Makes an exception. Every field may be left out. A field that has a default then gets a copy of it.
    #
    # @param text [String, Hash, nil] the message; or the fields, because `raise Gone, message: "…"` passes them as a Hash
    # @param fields [Hash] values by name
    # @yieldparam exception [Exception] the new exception, after its fields are set
    # @raise [ArgumentError] for a name that no field has
    # @raise [ConversionError] for a name that the field's enum does not have
    # @example
    #   Gone.new("no such listing", id: 7).message # => "no such listing"
    def initialize(text = nil, **fields)
      fields = text.merge(fields) if text.is_a?(Hash)
      super(**fields, &nil) # the block comes last, so that it finds the text
      ExceptionText.set(self, text) unless text.nil? || text.is_a?(Hash)
      yield self if block_given?
    end

    # Returns the exception itself, or a copy with another message. `raise error, "text"` calls it.
    #
    # @param text [Array] at most one message
    # @return [Exception]
    # @example
    #   Gone.new("no such listing", id: 7).exception("sold").id # => 7
    def exception(*text)
      return self if text.empty? || text[0].equal?(self)

      clone(freeze: false).tap { |copy| ExceptionText.set(copy, text[0]) }
    end

    # Returns the message: the text, or the name of the class if there is none.
    #
    # @return [String]
    def to_s = ExceptionText.get(self)
  end
end
