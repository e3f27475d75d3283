# frozen_string_literal: true

require "test_helper"

# What from_h, new, setters and with raise for values that they cannot convert, and that a program can tell these errors from
# its own mistakes.
class ConversionErrorTest < Minitest::Test
  module Status
    extend Sparpack::Enum

    OPEN = 1
    PAID = 2
  end

  class Node < Sparpack::Struct
    field 1, :status, Status
    field 2, :list, list("Node")
    field 3, :map, map(:string, "Node")
    field 4, :node, "Node"
    field 5, :reals, set(:double)
    field 6, :choice, "Choice"
  end

  class Choice < Sparpack::Union
    field 1, :status, Status
    field 2, :text, :string
  end

  NODE = "ConversionErrorTest::Node"

  def test_a_name_that_an_enum_does_not_have
    calls = {
      "new" => -> { Node.new(status: :PAYD) }, "setter" => -> { Node.new.status = :PAYD },
      "[]=" => -> { Node.new[:status] = :PAYD }, "with" => -> { Node.new.with(status: :PAYD) },
      "a block" => -> { Node.new.with(status: :PAYD) { flunk } }, "from_h" => -> { Node.from_h(status: :PAYD) }
    }
    message = "#{NODE}.status: ConversionErrorTest::Status has no value :PAYD (did you mean :PAID? known: :OPEN, :PAID)"

    calls.each_value do |call|
      assert_conversion({ message:, path: "#{NODE}.status", expected: "ConversionErrorTest::Status", found: ":PAYD" }, &call)
    end
    assert_conversion({ path: "ConversionErrorTest::Choice.status", found: '"2"' }) { Choice.status("2") }
  end

  # A String that cannot be a name may be a secret.
  def test_strings_that_cannot_be_names
    { "my secret text" => "a String of 14 bytes", "x" * 65 => "a String of 65 bytes", "\xff" => "a String of 1 byte",
      "a b".encode("utf-16le") => "a String of 6 bytes", "pay-d" => "a String of 5 bytes",
      "a.b" => "a String of 3 bytes", "pay_d1" => '"pay_d1"', "" => '""', "größe" => '"größe"',
      "x" * 64 => "x".then { |x| (x * 64).inspect } }.each do |name, found|
      [-> { Node.new(status: name) }, -> { Node.from_h(status: name) }].each do |call|
        message = "#{NODE}.status: ConversionErrorTest::Status has no value #{"named by " unless found.start_with?('"')}" \
                  "#{found} (known: :OPEN, :PAID)"

        assert_conversion({ message:, found: }, &call)
      end
    end
  end

  def test_unknown_fields_of_a_hash
    assert_conversion({ message: "unknown field :nod for #{NODE} (did you mean :node?)", path: "#{NODE}.nod",
                        expected: "a field of #{NODE}", found: ":nod" }) { Node.from_h(nod: 1) }
    assert_conversion({ message: /\A\S*Node\.map\.values\[0\]\.list\[1\]: unknown field "x" for \S*Node \(known: /,
                        path: "#{NODE}.map.values[0].list[1].x" }) do
      Node.from_h(map: { a: { list: [{}, { "x" => 1 }] } })
    end
    assert_conversion({ found: "5" }) { Node.from_h(5 => 1) }
    hint = "(for the option unknown:, put braces around the Hash)"
    assert_conversion({ message: "unknown field :unknown for #{NODE} #{hint}" }) { Node.from_h(list: [], unknown: :skip) }
    assert_conversion({ message: /:unknown for \S*Node \(known: / }) { Node.from_h({ unknown: 1 }) }
    [-> { Node.new(nod: 1) }, -> { Node.new[:nod] }, -> { Node.new.with(nod: 1) }].each do |call|
      assert_instance_of ArgumentError, assert_raises(ArgumentError, &call)
    end
  end

  def test_two_fields_of_a_union
    assert_conversion({ message: "#{NODE}.choice: a union holds one field, but found status and text",
                        path: "#{NODE}.choice" }) { Node.from_h(choice: { status: 1, "text" => "x" }) }
    assert_equal Choice.text("x"), Choice.from_h(status: nil, text: "x")
  end

  def test_too_many_nans
    nans = Array.new(257) { Float::NAN - 1 } # as many objects

    assert_conversion({ message: "#{NODE}.node.reals: at most 256 elements of a set<double> can be NaN" }) do
      Node.from_h(node: { reals: nans })
    end
  end

  def test_a_hash_that_contains_itself
    %i[node list map].each do |name|
      hash = {}
      hash[name] = { node: hash, list: [hash], map: { "a" => hash } }[name]

      assert_too_deep { Node.from_h(hash) }
      Thread.new { assert_too_deep { Node.from_h(hash) } }.join(60) || flunk
      Fiber.new { assert_too_deep { Node.from_h(hash) } }.resume
    end
  end

  def test_many_levels
    deep = (1..999).reduce({ status: :OPEN }) { |hash, _| { node: hash } }
    inner = (1..999).reduce(Node.from_h(deep)) { |node, _| node.node }

    assert_equal 1, inner.status
    assert_too_deep { Node.from_h(node: deep) }
    error = assert_too_deep { Node.from_h(status: 1, list: [{ node: deep }]) }

    assert_equal "#{NODE}.list[0]#{".node" * 6}...(984 more)...#{".node" * 8}", error.path
  end

  # --- unknown: -----------------------------------------------------------------------------------------------------------

  def test_skip_unknown_fields
    hash = { status: :PAID, nod: 1, 5 => 2, "list" => [{ "x" => { "y" => 1 }, node: { nod: 1 } }],
             map: { a: { "\xFF" => 1 } }, choice: { text: "t", other: 1 } }
    node = Node.new(status: 2, list: [Node.new(node: Node.new)], map: { "a" => Node.new }, choice: Choice.text("t"))

    assert_equal node, Node.from_h(hash, unknown: :skip)
    assert_equal node, Sparpack.from_h(Node, hash, unknown: :skip)
    assert_conversion({ path: "#{NODE}.nod" }) { Node.from_h(hash) }
    assert_conversion({ path: "#{NODE}.nod" }) { Sparpack.from_h(Node, hash, unknown: :reject) }
    assert_conversion({ path: "#{NODE}.status" }) { Node.from_h({ status: :PAYD }, unknown: :skip) }
    assert_equal Choice.new, Choice.from_h({ "other" => 1 }, unknown: :skip)
  end

  class Odd < Sparpack::Struct
    field 1, :unknown, :string
    field 2, :hash, :string
  end

  def test_a_hash_without_braces_is_no_option
    assert_equal Odd.new(unknown: "skip", hash: "x"), Odd.from_h(unknown: :skip, hash: "x")
    assert_equal Odd.new(unknown: "skip"), Odd.from_h("unknown" => :skip)
    assert_equal Odd.new(hash: "x"), Sparpack.from_h(Odd, hash: "x")
    assert_equal Odd.new(unknown: "x"), Odd.from_h({ unknown: "x" }, unknown: :skip)
    assert_equal Odd.new, Odd.from_h({})
  end

  def test_wrong_options
    { -> { Node.from_h({}, unknown: :skp) } => "unknown: expected one of :reject, :skip, got :skp (did you mean :skip?)",
      -> { Node.from_h({}, unknown: "skip") } => "unknown: expected one of :reject, :skip, got \"skip\" (use :skip)",
      -> { Node.from_h({}, unknwn: :skip) } => "unknown option :unknwn (did you mean :unknown?)",
      -> { Node.from_h } => "wrong number of arguments (given 0, expected 1)",
      -> { Sparpack.from_h(Node) } => "wrong number of arguments (given 0, expected 1)" }.each do |call, message|
      error = assert_raises(ArgumentError, &call)

      assert_equal [ArgumentError, message], [error.class, error.message]
    end
    parameters = Class.new { def to_unsafe_h = {} }.new
    error = assert_raises(TypeError) { Node.from_h(parameters) }

    assert_match(/\Aexpected a Hash for #{NODE}, got .* \(permit the parameters, then call to_h\)\z/o, error.message)
  end

  # --- the family ---------------------------------------------------------------------------------------------------------

  # The names that a program tells errors apart by.
  def test_the_family
    error = assert_raises(ArgumentError) { Node.from_h(status: "") }

    assert_instance_of Sparpack::ConversionError, error
    assert_same error, assert_raises(Sparpack::Error) { raise error }
    assert_operator Sparpack::Error, :===, error
    [Sparpack::EncodeError, Sparpack::DecodeError, Class.new(Sparpack::Error)].each { |other| refute_operator other, :===, error }
    refute_operator Sparpack::Error, :===, ArgumentError.new
    copy = Marshal.load(Marshal.dump(error))

    assert_equal [error.message, error.path, error.found], [copy.message, copy.path, copy.found]
    assert_nil error.cause
  end

  # The controller of docs/rails_parameters.md, without Rails.
  class ApplicationController
    Parameters = Struct.new(:given) do
      def require(name) = Parameters.new(given.fetch(name))
      def permit(*) = self
      def to_h = given
    end

    attr_reader :params

    def render(json:, status: 200) = [status, json]

    def self.answer(order) = new.tap { |made| made.instance_variable_set(:@params, Parameters.new({ order: order })) }.create
  end

  module Shop
    class Order < Sparpack::Struct
      field 1, :id, :i64, required: true
      field 2, :status, Status, default: 1
    end
  end

  page = File.read(File.expand_path("../../docs/rails_parameters.md", __dir__), encoding: "UTF-8")
  class_eval(page[%r{^```ruby app/controllers/orders_controller\.rb\n(.*?)^```}m, 1])

  def test_the_documented_controller
    assert_equal [200, Shop::Order.new(id: 7, status: 2)], OrdersController.answer({ "id" => 7, "status" => "PAID" })
    ["foo", "", "2"].each do |status|
      code, json = OrdersController.answer({ "id" => 7, "status" => status })

      assert_equal 422, code
      assert_includes json[:errors][0], "Shop::Order.status: ConversionErrorTest::Status has no value #{status.inspect}"
    end
    assert_equal 422, OrdersController.answer({ "id" => "7" })[0]
  end

  private

  def assert_conversion(expected, &)
    error = assert_raises(Sparpack::ConversionError, &)
    expected.each do |part, text|
      text.is_a?(Regexp) ? assert_match(text, error.public_send(part)) : assert_equal(text, error.public_send(part))
    end
    error
  end

  def assert_too_deep(&)
    error = assert_conversion({ expected: "at most 1000 levels", found: "more levels" }, &)

    assert_operator error.message, :end_with?, ": expected at most 1000 levels, found more levels (does it contain itself?)"
    error
  end
end
