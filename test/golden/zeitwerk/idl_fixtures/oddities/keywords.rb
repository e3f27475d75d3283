# frozen_string_literal: true

# Generated from oddities.thrift by sparpack generate: do not edit.

require "sparpack"

module IDLFixtures
  module Oddities
    class Keywords < ::Sparpack::Struct
      field 1, :class, :string
      field 2, :hash, :string
      field 3, :method, :string
      field 4, :send, :string
      field 5, :end, :string, default: "end"
      field 6, :self, :string
      field 7, :nil, :string
      field 8, :begin, :string, idl_name: "BEGIN"
      field 9, :encode, :string
      field 10, :list, :string
      field 11, :struct, :string
      field 12, :required, :string
      field 13, :initialize, :string
      field 14, :object_id, :string
      field 15, :capital, :string, idl_name: "Capital"
      field 16, :__private, :string
    end
  end
end
