# frozen_string_literal: true

require_relative "schema"
require "action_view"
require "rack/utils"

# Forms of Action View that show structs, and what comes back from them.
class FormsTest < DatabaseTest
  RECORD, FORM = %w[rails rails_parameters].map do |page|
    File.read(File.expand_path("../../../docs/#{page}.md", __dir__), encoding: "UTF-8")[/^```\n(<%= form_with.*?)^```$/m, 1]
  end
  GIVEN = { "id" => "7", "status" => "PAYD", "lines" => { "0" => { "cents" => "5,00" }, "1" => { "note" => "<b>" } } }.freeze

  class View < ActionView::Base.with_empty_template_cache
    def protect_against_forgery? = false
    def orders_path = "/orders"
    def invoices_path = "/invoices"
  end

  # @return [String] what a form of a page looks like
  def render(erb, **assigns)
    view = View.new(ActionView::LookupContext.new([]), assigns.transform_keys(&:to_s), nil)
    view.render(inline: erb)
  end

  # @return [Hash] the parameters that a browser sends
  def sent(html)
    pairs = html.scan(/<(input|select)([^>]*)>(.*?)(?=<input|<select|\z)/m).map do |tag, attributes, rest|
      value = tag == "select" ? rest[/selected="selected" value="([^"]*)"/, 1] : attributes[/value="([^"]*)"/, 1]
      [attributes[/name="([^"]*)"/, 1], CGI.unescapeHTML(value.to_s)]
    end
    Rack::Utils.parse_nested_query(URI.encode_www_form(pairs))
  end

  def test_the_form_of_a_struct
    html = render(FORM, order: Shop::Order.new)

    assert_equal({ "id" => "", "status" => "1", "lines" => { "0" => { "cents" => "", "note" => "" } } }, sent(html)["order"])
    refute_includes html, "field_with_errors"
    html = render(FORM, order: order(lines: [{ cents: 5, note: "<b>" }]))
    back = Shop::Order.from_h(sent(html)["order"], coerce: true)

    assert_equal order(lines: [{ cents: 5, note: "<b>" }]), back
  end

  def test_the_form_of_a_record
    invoice = Invoice.create!(order: order(lines: [{ cents: 5, note: "x" }, { cents: 6, note: "y" }]))
    back = sent(render(RECORD, invoice:))["invoice"]["order"]

    assert_equal({ "id" => "7", "status" => "2",
                   "lines" => { "0" => { "cents" => "5", "note" => "x" }, "1" => { "cents" => "6", "note" => "y" } } }, back)
    invoice.order = back

    refute_predicate invoice, :changed?
  end

  def test_the_form_of_a_new_record
    html = render(RECORD, invoice: Invoice.new(order: { lines: [{}] }))

    assert_equal({ "id" => "", "status" => "1", "lines" => { "0" => { "cents" => "", "note" => "" } } },
                 sent(html)["invoice"]["order"])
    refute_includes html, "field_with_errors"
  end

  # They are shown as they were typed, and marked. What is only missing is not marked: a new form has no errors.
  def test_values_that_do_not_fit
    invoice = Invoice.new(order: GIVEN)
    html = render(RECORD, invoice:)

    assert_equal %w[invoice[order][status] invoice[order][lines][0][cents]],
                 html.scan(/<div class="field_with_errors"><\w+[^>]* name="([^"]*)"/).flatten
    assert_equal({ "0" => { "cents" => "5,00", "note" => "" }, "1" => { "cents" => "", "note" => "<b>" } },
                 sent(html)["invoice"]["order"]["lines"])
  end

  def test_errors_of_a_field
    order = Invoice.new(order: { **GIVEN, "tags" => ["a", 1] }).order

    assert_equal ["status: expected Shop::Status, found String"], order.errors["status"]
    assert_equal [[], [], []], [order.errors["id"], order.errors[:nothing], Shop::Order.new.errors["id"]]
    assert_equal ["Shop::Order.id"], Shop::Order.new.errors.map(&:path) # as ever
    assert_equal Sparpack.errors(order, :recursive).map(&:path), order.errors(:recursive).map(&:path)
    assert_instance_of Sparpack::ValidationError, order.errors(:strict)[0]
    assert_raises(ArgumentError) { order.errors(:strickt) }
  end

  # Errors are kept, sent and shared, so they say what was wrong at that time, and hold texts alone.
  def test_errors_do_not_hold_the_object
    order = Invoice.new(order: GIVEN).order
    errors = Ractor.make_shareable(order.errors)
    order.status = 1

    assert_equal ["status: expected Shop::Status, found String"], Marshal.load(Marshal.dump(errors))["status"]
    assert_empty order.errors["status"]
  end

  def test_errors_of_a_class_without_a_name
    object = Class.new(Sparpack::Struct) { field 1, :size, :i32 }.new(size: "x")
    union = Class.new(Sparpack::Union) { field 1, :size, :i32 }.new

    assert_equal ["size: expected i32, found String"], object.errors[:size]
    assert_equal [[], 1], [union.errors[:size], union.errors.size]
  end
end
