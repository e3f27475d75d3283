# frozen_string_literal: true

module Sparpack
  # The base class of structs.
  #
  # @example
  #   class Neighborhood < Sparpack::Struct
  #     field 1, :neighborhood_id, :i64, required: true
  #     field 2, :name, :string, required: true
  #   end
  #   Neighborhood.new(neighborhood_id: 7, name: "Mitte")
  class Struct
    include Value
    extend Declaration

    # Returns the same as {Value#inspect}.
    #
    # @return [String]
    def to_s = inspect
  end
end
