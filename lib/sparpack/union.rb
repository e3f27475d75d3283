# frozen_string_literal: true

module Sparpack
  # The base class of unions. A union holds one of its fields. Each field has a constructor.
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

    # Returns the same as {Value#inspect}.
    #
    # @return [String]
    def to_s = inspect

    # Returns the name of the field that the union holds.
    #
    # @return [Symbol, nil] nil if it holds none, or one that this version of the class does not know
    # @example
    #   Answer.text("x").field # => :text
    def field = Sparpack.field(self)

    # Returns the value that the union holds.
    #
    # @return [Object, nil] nil if it holds none, or one that this version of the class does not know
    # @example
    #   Answer.text("x").value # => "x"
    def value = Sparpack.value(self)
  end
end
