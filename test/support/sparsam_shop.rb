# frozen_string_literal: true

require "set"
require "sparpack/drop_in/sparsam"
require_relative "nested"

# Classes in the shape in which sparsam-gen writes them.
module SparsamShop
  # rubocop:disable Style/MutableConstant -- as sparsam-gen writes them
  module Color
    RED = 0
    BLUE = 1
    VALUE_MAP = { 0 => "RED", 1 => "BLUE" }.freeze
    INVERTED_VALUE_MAP = { "RED" => 0, "BLUE" => 1 }.freeze
    VALID_VALUES = Set.new([RED, BLUE]).freeze
  end

  T = ::Sparsam::Types

  class Point < ::Sparsam::Struct
    FIELDS = {
      1 => { type: T::I32, name: "x", annotations: {} },
      2 => { type: T::I32, name: "y", optional: true, annotations: {} },
      3 => { type: T::STRING, name: "label", default: "none", optional: true, annotations: {} }
    }

    ANNOTATIONS = {}

    init_thrift_struct(self)
  end

  class Answer < ::Sparsam::Union
    FIELDS = {
      1 => { type: T::I32, name: "number", optional: true },
      2 => { type: T::STRING, name: "text", optional: true },
      3 => { type: T::STRUCT, name: "point", class: Point, optional: true },
      4 => { type: T::LIST, name: "numbers", element: { type: T::I32 }, optional: true }
    }

    init_thrift_struct(self)
  end

  class Gone < ::Sparsam::ApplicationException
    FIELDS = {
      1 => { type: T::STRING, name: "message", optional: true },
      2 => { type: T::I64, name: "id", optional: true }
    }

    init_thrift_struct(self)
  end

  class Everything < ::Sparsam::Struct
    FIELDS = {
      1 => { type: T::BOOL, name: "flag", optional: true },
      2 => { type: T::BYTE, name: "tiny", optional: true },
      3 => { type: T::I16, name: "small", optional: true },
      4 => { type: T::I32, name: "medium", optional: true },
      5 => { type: T::I64, name: "large", optional: true },
      6 => { type: T::DOUBLE, name: "real", optional: true },
      7 => { type: T::STRING, name: "text", optional: true },
      8 => { type: T::STRING, name: "bytes", binary: true, optional: true },
      9 => { type: T::STRUCT, name: "point", class: Point, optional: true },
      10 => { type: T::LIST, name: "points", element: { type: T::STRUCT, class: Point }, optional: true },
      11 => { type: T::SET, name: "words", element: { type: T::STRING }, optional: true },
      12 => { type: T::MAP, name: "names", key: { type: T::I32 }, value: { type: T::STRING }, optional: true },
      13 => { type: T::STRUCT, name: "answer", class: Answer, optional: true },
      14 => { type: T::I32, name: "color", enum_class: Color, optional: true },
      15 => { type: T::SET, name: "places", element: { type: T::STRUCT, class: Point }, optional: true },
      16 => { type: T::MAP, name: "by_path", key: { type: T::LIST, element: { type: T::I32 } },
              value: { type: T::SET, element: { type: T::I32 } }, optional: true },
      17 => { type: T::LIST, name: "table", element: { type: T::LIST, element: { type: T::I64 } }, optional: true },
      18 => { type: T::STRUCT, name: "gone", class: Gone, optional: true },
      20 => { type: T::I32, name: "last", default: 7, optional: true }
    }

    init_thrift_struct(self)
  end

  class Node < ::Sparsam::Struct
    FIELDS = {
      1 => { type: T::I64, name: "id", optional: true },
      2 => { type: T::STRUCT, name: "node", class: self, optional: true },
      3 => { type: T::LIST, name: "nodes", element: { type: T::STRUCT, class: self }, optional: true }
    }

    init_thrift_struct(self)
  end

  class Nothing < ::Sparsam::Struct
    FIELDS = {}

    init_thrift_struct(self)
  end

  # rubocop:enable Style/MutableConstant

  module_function

  # @return [Everything] an object with all fields
  def everything
    Everything.new(
      flag: false, tiny: -128, small: 300, medium: -70_000, large: 2**40, real: 1.5, text: "ü", bytes: "\xff\x00".b,
      point: Point.new(x: 1, label: "a"), points: [Point.new(x: 2, y: 3)], words: Set["b", "c"], names: { 5 => "five" },
      answer: Answer.new(:text, "d"), color: Color::BLUE, places: Set[Point.new(x: 4)],
      by_path: { [1, 2] => Set[3] }, table: [[1], [], [2, 3]], gone: Gone.new(message: "e", id: 9)
    )
  end

  # The same in classes of Sparpack's own.
  class NativePoint < Sparpack::Struct
    field 1, :x, :i32, required: true
    field 2, :y, :i32, optional: true
    field 3, :label, :string, optional: true, default: "none"
  end

  class NativeAnswer < Sparpack::Union
    field 1, :number, :i32
    field 2, :text, :string
    field 3, :point, NativePoint
    field 4, :numbers, list(:i32)
  end

  class NativeGone < Sparpack::Exception
    field 1, :message, :string
    field 2, :id, :i64
  end

  class NativeEverything < Sparpack::Struct
    field 1, :flag, :bool
    field 2, :tiny, :i8
    field 3, :small, :i16
    field 4, :medium, :i32
    field 5, :large, :i64
    field 6, :real, :double
    field 7, :text, :string
    field 8, :bytes, :binary
    field 9, :point, NativePoint
    field 10, :points, list(NativePoint)
    field 11, :words, set(:string)
    field 12, :names, map(:i32, :string)
    field 13, :answer, NativeAnswer
    field 14, :color, :i32
    field 15, :places, set(NativePoint)
    field 16, :by_path, map(list(:i32), set(:i32))
    field 17, :table, list(list(:i64))
    field 18, :gone, NativeGone
    field 20, :last, :i32, default: 7
  end

  OURS = { Point => NativePoint, Answer => NativeAnswer, Gone => NativeGone, Everything => NativeEverything }.freeze

  # @return [Object] the same value in classes of Sparpack's own
  def ours(value)
    Nested.map(value) do |leaf|
      case leaf
      when Answer
        field = leaf.get_set_field
        field ? NativeAnswer.new(field => ours(leaf.get_value)) : NativeAnswer.new
      when Sparsam::BaseType
        OURS.fetch(leaf.class).from_h(fields(leaf).transform_values { |each| ours(each) })
      else leaf
      end
    end
  end

  # @return [Hash{Symbol => Object}] the fields that are set
  def fields(object)
    names = object.struct_fields.values.map { |field| field[:name] }
    names.to_h { |name| [name.to_sym, object.instance_variable_get(:"@#{name}")] }.compact
  end
end
