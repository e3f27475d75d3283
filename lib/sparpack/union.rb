# frozen_string_literal: true

module Sparpack
  # The base of unions: objects that hold one of their fields. Each field has a constructor.
  #
  # @example
  #   class Answer < Sparpack::Union
  #     field 1, :text, :string
  #     field 2, :number, :i64
  #   end
  #   answer = Answer.text("x")
  #   answer.field # => :text
  #   answer.value # => "x"
  #   case answer
  #   in { text: String => text } then puts text
  #   end
  class Union
    include Value
    extend Declaration

    # @return [String] as {Value#inspect}
    def to_s = inspect

    # @return [Symbol, nil] the name of the field that is set
    def field = Sparpack.field(self)

    # @return [Object, nil] the value of the field that is set
    def value = Sparpack.value(self)

    # @return [Boolean] whether it was read with a field that this version of the class does not know
    def unknown? = Sparpack.unknown?(self)
  end
end
