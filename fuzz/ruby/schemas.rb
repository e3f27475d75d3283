# frozen_string_literal: true

require_relative "../../test/support/random_schema"

module Fuzzing
  # Classes by number, the same ones each time: some that have been dangerous, and random ones.
  module Schemas
    class Inner < Sparpack::Struct
      field 1, :a, list(:i32)
      field 2, :text, :string
      field 3, :inner, "Inner"
    end

    class Choice < Sparpack::Union
      field 1, :number, :i64
      field 2, :inner, Inner
      field 3, :all, list("Choice")
      field 4, :flags, list(:bool)
    end

    class Outer < Sparpack::Struct
      field 1, :items, list(Inner)
      field 2, :grid, list(list(:i32))
      field 3, :by_name, map(:string, Inner)
      field 4, :choices, set(Choice)
      field 5, :by_choice, map(Choice, list(Choice))
    end

    # Small, so that most changes are made in its lists.
    class Grids < Sparpack::Struct
      class Grid < Sparpack::Struct
        field 1, :rows, list(list(:i32))
      end

      field 1, :all, list(Grid)
    end

    # More fields than a segment of pending values has places.
    class Wide < Sparpack::Struct
      1010.times { |id| field id, :"f#{id}", :i32 }
      field 1010, :items, list(Inner)
      field 1011, :wides, list("Wide")
    end

    class Full < Sparpack::Struct
      field 0, :flag, :bool, default: true
      field 1, :names, list(:string), default: %w[a b]
      field 2, :inner, Inner, default: Inner.new(a: [1])
      field 3, :number, :double, required: true
      field 16, :id, :uuid
      field 17, :next, "Full"
    end

    # Two bytes are read as an object that takes 1,600 bytes to write.
    class Generous < Sparpack::Struct
      field 1, :words, list(:string), default: ["word" * 20] * 20
      field 2, :others, list("Generous")
    end

    HAND = [Outer, Inner, Choice, Grids, Wide, Full, Generous].freeze
    COUNT = 256

    # How many of these numbers stand for one of HAND.
    SHARE = 64

    class << self
      # @param choices [Choices]
      # @return [Class]
      def pick(choices)
        number = choices.rand(COUNT)
        return HAND[number % HAND.size] if number < SHARE

        (@made ||= {})[number] ||= RandomSchema.new(Random.new(number)).struct_class
      end
    end
  end
end
