# frozen_string_literal: true

require "set"
require_relative "../golden/apache/shop_types"

# The classes that Apache's compiler generated from test/fixtures/shop.thrift, adopted by what their FIELDS say. Apache's
# library, or the stub of it, is loaded before.
module ApacheShop
  SCALARS = { Thrift::Types::BOOL => :bool, Thrift::Types::BYTE => :i8, Thrift::Types::I16 => :i16,
              Thrift::Types::I32 => :i32, Thrift::Types::I64 => :i64, Thrift::Types::DOUBLE => :double,
              Thrift::Types::STRING => :string }.freeze

  # FIELDS do not say what is required. The generated `validate` does.
  REQUIRED = { Shop::Point => "x", Shop::Gone => "id" }.freeze

  module_function

  def adopt(klass)
    shape = klass < Thrift::Union ? :union : :struct
    shape = :exception if klass < StandardError
    rows = klass::FIELDS.map do |id, field|
      requiredness = REQUIRED[klass] == field[:name] ? :required : :default
      [id, field[:name].to_sym, type(field), { requiredness:, default: field[:default] }]
    end
    Sparpack::Native.adopt(klass, shape, rows)
  end

  def type(field)
    case field[:type]
    when Thrift::Types::STRING then field[:binary] ? :binary : :string
    when Thrift::Types::LIST then Sparpack::Type.list(type(field[:element]))
    when Thrift::Types::SET then Sparpack::Type.set(type(field[:element]))
    when Thrift::Types::MAP then Sparpack::Type.map(type(field[:key]), type(field[:value]))
    when Thrift::Types::STRUCT then "::#{field[:class]}"
    else SCALARS.fetch(field[:type])
    end
  end

  CLASSES = [Shop::Point, Shop::Answer, Shop::Gone, Shop::Everything].each { |klass| adopt(klass) }.freeze

  # @return [Shop::Everything] an object with all fields
  def everything
    Shop::Everything.new(
      "flag" => true, "small" => -1, "real" => 2.5, "bytes" => "\xff".b, "points" => [point(1), point(2, 3)],
      "places" => Set[point(4)], "answers" => { point(5) => Shop::Answer.new(:answers, [Shop::Answer.new(:text, "ü")]) },
      "color" => Shop::Color::RED, "numbers" => [7, 8], "gone" => gone, "inner" => Shop::Everything.new,
      "origin" => point(9)
    )
  end

  def point(x, y = nil) = Shop::Point.new("x" => x, "y" => y, "label" => "ö")

  def gone
    Shop::Gone.new("no such listing").tap do |gone|
      gone.instance_variable_set(:@id, 7)
      gone.instance_variable_set(:@answer, Shop::Answer.new(:point, point(6)))
    end
  end

  # The same schema in classes of ours.
  module Ours
    class Point < Sparpack::Struct
      field 1, :x, :i32, required: true
      field 2, :y, :i32
      field 3, :label, :string, default: "none"
    end

    class Answer < Sparpack::Union
      field 1, :flag, :bool
      field 2, :text, :string
      field 3, :point, Point
      field 9, :answers, list("Answer")
    end

    class Gone < Sparpack::Exception
      field 1, :message, :string
      field 2, :id, :i64, required: true
      field 3, :answer, Answer
    end

    class Everything < Sparpack::Struct
      field 1, :flag, :bool
      field 2, :small, :i8
      field 3, :real, :double, default: 0.5
      field 4, :bytes, :binary
      field 5, :points, list(Point)
      field 6, :places, set(Point)
      field 7, :answers, map(Point, Answer)
      field 8, :color, :i32, default: 2
      field 9, :numbers, list(:i32), default: [1, 2]
      field 10, :gone, Gone
      field 11, :inner, "Everything"
      field 12, :origin, Point, default: Point.new(x: 1)
    end
  end

  # @return [Ours::Everything] the same object as {everything}, of a class of ours
  def ours
    point = ->(x, y = nil) { Ours::Point.new(x:, y:, label: "ö") }
    Ours::Everything.new(
      flag: true, small: -1, real: 2.5, bytes: "\xff".b, points: [point[1], point[2, 3]], places: Set[point[4]],
      answers: { point[5] => Ours::Answer.answers([Ours::Answer.text("ü")]) }, color: 1, numbers: [7, 8],
      gone: Ours::Gone.new("no such listing", id: 7, answer: Ours::Answer.point(point[6])), inner: Ours::Everything.new,
      origin: point[9]
    )
  end
end
