# frozen_string_literal: true

require_relative "schema"
require "action_controller"

# What may be assigned, and what becomes of it; faults in the errors of a record.
class AssignmentTest < DatabaseTest
  def test_what_is_taken_as_it_is
    given = order

    assert_same given, Invoice.new(order: given).order
    [nil, "", " \t\n", "\u3000"].each { |blank| assert_nil Invoice.new(order: blank).order, blank.inspect }
  end

  def test_hashes_parameters_and_json
    parameters = ActionController::Parameters.new(order: { id: "7", status: "PAID", lines: { "0" => { cents: "500" } } })
    permitted = parameters.permit(order: Sparpack::Rails.permit(Shop::Order))

    [ORDER, ORDER.transform_keys(&:to_s), permitted[:order], '{"id":7,"status":"PAID","lines":[{"cents":500}]}',
     '{"id":7,"status":2,"lines":[{"cents":"500"}]}', order.to_json.encode("UTF-16LE")]
      .each { |given| assert_equal order, Invoice.new(order: given).order, given.inspect }
    assert_equal order, Invoice.new(permitted).order
  end

  def test_without_coercion
    model = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", coerce: false }

    assert_equal "7", model.new(order: { "id" => "7" }).order.id
    assert_raises(Sparpack::DecodeError) { model.new(order: '{"id":7,"status":[]}').order }
  end

  # A fault at the beginning of a text hides nothing of the rest.
  def test_options_hold_for_texts_with_faults
    limits = Sparpack::Limits.new(container: 3)
    model = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", limits: }
    lines = ->(count) { "\"lines\":[#{(["{}"] * count).join(",")}]" }

    assert_equal 3, model.new(order: "{\"id\":\"x\",#{lines[3]}}").order.lines.size
    assert_raises(Sparpack::DecodeError::LimitExceeded) { model.new(order: "{\"id\":\"x\",#{lines[4]}}").order }
    assert_raises(Sparpack::DecodeError) { model.new(order: "{\"id\":\"x\",\"status\":\"PAYD\",#{lines[30_000]}}").order }
    strict = Class.new(Invoice) { attribute :order, :sparpack, of: "Shop::Order", unknown: :reject }

    assert_raises(Sparpack::DecodeError) { strict.new(order: '{"id":"x","evil":1}').order }
  end

  # The form shows them again.
  def test_what_does_not_fit_is_kept
    invoice = Invoice.new(order: { "id" => "7", "status" => "PAYD", "lines" => { "3" => { "cents" => "5,00" } } })

    assert_equal ["PAYD", "5,00"], [invoice.order.status, invoice.order.lines[0].cents]
    assert_equal ["PAYD", "x"], Invoice.new(order: '{"id":"x","status":"PAYD"}').order.to_h.values_at(:status, :id)
    refute_predicate invoice, :valid?
    assert_predicate invoice, :changed?
    assert_includes invoice.inspect, "PAYD"
  end

  def test_faults_are_errors_of_the_record
    invoice = Invoice.new(order: { "id" => "", "status" => "PAYD", "lines" => [{ "cents" => "x" }] }, total: {})

    refute_predicate invoice, :valid?
    assert_equal({ order: [%w[id a\ required\ field none], %w[status Shop::Status String], %w[lines[0].cents i64 String]],
                   total: [%w[cents a\ required\ field none]] },
                 invoice.errors.group_by_attribute.transform_values do |errors|
                   errors.map { |error| error.options.values_at(:path, :expected, :found) }
                 end)
    assert_equal "Order lines[0].cents: expected i64, found String",
                 invoice.errors.where(:order, :sparpack).last.full_message
    assert_equal 3, invoice.errors.details[:order].size
    assert_predicate Invoice.new(order: ORDER, payment: { card: "x" }, point: Shop::Point.new(1, 2)), :valid?
  end

  # A union without a field has no path.
  def test_a_fault_of_the_object_itself
    invoice = Invoice.new(payment: { "card" => "", "cents" => "" })

    refute_predicate invoice, :valid?
    assert_equal ["Payment expected one field in a union, found none"], invoice.errors.full_messages
    assert_equal [{ error: :sparpack, path: "", expected: "one field in a union", found: "none" }],
                 invoice.errors.details[:payment]
  end

  def test_the_text_can_be_translated
    I18n.available_locales = %i[en de]
    text = "%{path}: %{expected} erwartet, %{found} gefunden"
    I18n.backend.store_translations(:de, errors: { messages: { sparpack: text } })
    invoice = Invoice.new(order: { "id" => "x" })

    refute_predicate invoice, :valid?
    assert_equal "id: i64 erwartet, String gefunden", I18n.with_locale(:de) { invoice.errors[:order].first }
    union = Invoice.new(payment: { "card" => "", "cents" => "" })
    I18n.with_locale(:de) { union.valid? }

    assert_equal ": one field in a union erwartet, none gefunden", I18n.with_locale(:de) { union.errors[:payment].first }
  end

  def test_modes_of_the_validation
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "invoices"
      def self.name = "Strict"
      attribute :order, :sparpack, of: "Shop::Order"
      validates :order, sparpack: { mode: :strict, message: "is wrong at %{path}" }, presence: true
    end

    assert_predicate model.new(order: { "id" => 1, "lines" => [{ "cents" => "x" }] }), :valid?
    invoice = model.new(order: { "id" => "x" })

    refute_predicate invoice, :valid?
    assert_equal ["is wrong at id"], invoice.errors[:order]
    refute_predicate model.new, :valid?
    error = assert_raises(ArgumentError) { model.validates :order, sparpack: { mode: :strickt } }
    assert_equal "mode: expected one of :normal, :strict, :recursive, got :strickt (did you mean :strict?)", error.message
  end

  # A plain object is kept as it is, and its faults are found by encoding it.
  def test_faults_of_plain_objects
    invoice = Invoice.new(point: Shop::Point.new("x", 2))

    refute_predicate invoice, :valid?
    assert_equal %w[x i32 String], invoice.errors.where(:point).first.options.values_at(:path, :expected, :found)
    assert_raises(Sparpack::ConversionError) { Invoice.new(point: { x: 1 }) }
    assert_equal Shop::Point.new(1, 2), Invoice.create!(point: Shop::Point.new(1, 2)).reload.point
  end

  # `normalizes` and `encrypts` wrap the type.
  def test_faults_of_normalized_attributes
    model = Class.new(Invoice) { normalizes :order, :point, with: ->(object) { object } }

    refute_predicate model.new(point: Shop::Point.new("x", 2)), :valid?
    assert_predicate model.new(point: Shop::Point.new(1, 2)), :valid?
    assert_equal order, model.find(model.create!(order: ORDER).id).order
  end

  REFUSED = {
    { color: 1 } => [Sparpack::ConversionError, /unknown field :color for Shop::Order/],
    { lines: [{ weight: 1 }] } => [Sparpack::ConversionError, /lines\[0\].*unknown field :weight/],
    Shop::Total.new(cents: 1) => [Sparpack::ConversionError, /\Aexpected Shop::Order, found Shop::Total\z/],
    Time.at(0) => [Sparpack::ConversionError, /\Aexpected Shop::Order, found Time\z/],
    [] => [Sparpack::ConversionError, /found Array\z/],
    false => [Sparpack::ConversionError, /found FalseClass\z/],
    "{," => [Sparpack::DecodeError::Malformed, /expected the name of a member/],
    "[]" => [Sparpack::DecodeError, /array/],
    "5" => [Sparpack::DecodeError, /Shop::Order/],
    "\xFF\x00" => [Sparpack::DecodeError, /Shop::Order/],
    Shop::Order.new(id: 7).encode => [Sparpack::DecodeError, /Shop::Order/],
    ActionController::Parameters.new(id: 1) => [ActiveModel::ForbiddenAttributesError, /./]
  }.freeze

  def test_what_is_refused_at_the_assignment
    REFUSED.each do |given, (kind, message)|
      invoice = Invoice.new

      assert_match message, assert_raises(kind, given.inspect) { invoice.order = given }.message
      assert_nil invoice.order
      refute_predicate invoice, :changed?
    end
  end

  def test_what_does_not_fit_is_never_stored
    invoice = Invoice.create!(order: order)
    invoice.order = { "id" => "x" }

    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { invoice.save(validate: false) }
    assert_equal "Shop::Order.id", error.path
    assert_equal 7, Invoice.find(invoice.id).order.id
    assert_raises(Sparpack::EncodeError) { invoice.update_attribute(:order, { "id" => 1, "status" => "PAYD" }) }
  end

  # Assigned values are converted only once, and no two records share the result.
  def test_records_share_nothing
    one, other = Array.new(2) { Invoice.new(order: ORDER) }
    one.order.id = 8

    assert_equal 7, other.order.id
    given = { "id" => 7 }
    one.order = given
    other.order = given

    refute_same one.order, other.order
  end

  def test_objects_of_an_older_definition
    old = Class.new(Sparpack::Struct) do
      def self.name = "Shop::Order"
      field 1, :id, :i64, required: true
      field 9, :gone, :string
      field 3, :lines, list(Shop::Line)
    end
    given = old.new(id: 7, gone: "x", lines: [Shop::Line.new(cents: 500)])

    carried = Invoice.new(order: given).order

    assert_instance_of Shop::Order, carried
    assert_equal [7, 500], [carried.id, carried.lines[0].cents]
    given.id = "seven" # it cannot be encoded
    assert_equal "seven", Invoice.new(order: given).order.id
  end

  # Not with PostgreSQL: Active Record 7.2 cannot encrypt its binary columns.
  def test_encrypted_attributes
    ActiveRecord::Encryption.configure(primary_key: "a" * 32, deterministic_key: "b" * 32, key_derivation_salt: "c" * 32)
    model = Class.new(ActiveRecord::Base) do
      self.table_name = "invoices"
      attribute :order, :sparpack, of: "Shop::Order"
      encrypts :order
    end
    invoice = model.find(model.create!(order: ORDER).id)

    assert_equal order, invoice.order
    refute_equal order.encode, invoice.order_before_type_cast
    refute_predicate invoice, :changed?
    invoice.order.id = 8

    assert_predicate invoice, :changed?
    type = model.type_for_attribute(:order).cast_type

    assert_equal([order.encode, nil], [type.serialize(order), nil].map { |raw| type.subtype.deserialize(raw) })
  end
end
