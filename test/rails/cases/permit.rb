# frozen_string_literal: true

require_relative "schema"
require "action_controller"

# The lists for `params.permit`.
class PermitTest < Minitest::Test
  class Node < Sparpack::Struct
    field 1, :name, :string
    field 2, :children, list("PermitTest::Node")
    field 3, :line, Shop::Line
    field 4, :point, Shop::POINT
    field 5, :labels, map(:string, :string)
    field 6, :numbers, list(:i32)
    field 7, :payment, Shop::Payment
  end

  # What is nested in each node.
  REST = { line: %i[cents note], labels: {}, numbers: [], payment: %i[card cents] }.freeze

  def permit(...) = Sparpack::Rails.permit(...)

  def test_lists
    order = [:id, :status, { lines: %i[cents note], tags: [], weights: {} }]

    assert_equal order, permit(Shop::Order)
    assert_equal order, permit("Shop::Order")
    assert_equal [:id, { lines: [:note] }], permit(Shop::Order, only: [:id, "lines.note"])
    assert_equal [:id, { lines: %i[cents note] }], permit(Shop::Order, only: %w[id lines])
    assert_equal [:id, { lines: [:note], tags: [] }], permit(Shop::Order, except: [:status, :weights, "lines.cents"])
    assert_equal [:id], permit(Shop::Order, only: [:id, :lines], except: ["lines.cents", "lines.note"])
    assert_equal %i[card cents], permit(Shop::Payment)
  end

  def test_recursive_classes
    error = assert_raises(ArgumentError) { permit(Node) }

    assert_match(/\APermitTest::Node holds itself: pass depth:/, error.message)
    assert_equal [:name, REST], permit(Node, except: [:children])
    assert_equal [:name, REST], permit(Node, depth: 1)
    assert_equal [:name, { children: [:name, REST], **REST }], permit(Node, depth: 2)
  end

  def test_mistakes
    assert_match(/Shop::Order has no field :ids \(did you mean :id\?\)/,
                 assert_raises(ArgumentError) { permit(Shop::Order, only: [:ids]) }.message)
    assert_match(/Shop::Line has no field :cent/,
                 assert_raises(ArgumentError) { permit(Shop::Order, except: ["lines.cent"]) }.message)
    { only: ["id.x"], except: ["weights.x"] }.each do |option, names|
      assert_match(/\AShop::Order\.#{names.first[/\w+/]} has no field :x: it is no struct\z/,
                   assert_raises(ArgumentError) { permit(Shop::Order, option => names) }.message)
    end
    assert_raises(ArgumentError) { permit(Shop::Point) }
    assert_raises(ArgumentError) { permit(Node, depth: 0) }
    assert_raises(ArgumentError) { permit(Node, dept: 1) }
  end

  def test_parameters
    given = { "id" => "7", "admin" => "1", "status" => "PAID", "tags" => ["a", ""], "weights" => { "1" => "2.5" },
              "lines" => { "0" => { "cents" => "5", "evil" => "x" } } }
    [given, given.merge("lines" => given["lines"].values)].each do |hash|
      permitted = ActionController::Parameters.new(order: hash).require(:order).permit(permit(Shop::Order))

      assert_equal Shop::Order.from_h({ id: 7, status: 2, tags: ["a", ""], weights: { 1 => 2.5 }, lines: [{ cents: 5 }] }),
                   Invoice.new(order: permitted).order
    end
  end
end
