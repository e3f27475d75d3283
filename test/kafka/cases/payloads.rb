# frozen_string_literal: true

require_relative "schema"

class PayloadsTest < Minitest::Test
  include Records

  def read(bytes, *arguments, headers: {}, **options)
    deserializer = Sparpack::Karafka.payload(*arguments, **options)
    record(bytes, headers:, deserializers: with(payload: deserializer)).payload
  end

  def test_each_wire
    %i[compact binary thrift_json json].each do |wire|
      assert_equal order, read(order.encode(wire), "Shop::Order", wire)
      assert_equal order, read(order.encode(wire), Shop::Order, wire)
    end
    assert_equal order, read(order.encode(:message_pack), Shop::Order, :message_pack)
    assert_equal order, read(order.encode(:message_pack, keys: :ids), Shop::Order, :message_pack)
    assert_equal order, read(order.encode(:binary), Shop::Order.codec(:compact), :binary)
  end

  def test_a_payload_is_decoded_once_and_late
    found = record(order.encode, deserializers: with(payload: Sparpack::Karafka.payload("Shop::Order")))

    assert_same found.payload, found.payload
  end

  def test_options
    assert_equal 7, read(order.encode, Shop::OrderId).id
    assert_equal 7, read(order.encode, Shop::Order, lazy: true).id
    assert_predicate read(order.encode, Shop::Order, freeze: true), :frozen?
    assert_refused(Sparpack::DecodeError::LimitExceeded) do
      read(order.encode, Shop::Order, limits: Sparpack::Limits.new(string: 2))
    end
  end

  def test_a_tombstone = assert_nil(read(nil, "Shop::Order"))

  def test_bytes_that_do_not_decode
    bytes = order.encode
    bytes.bytesize.times do |size|
      error = assert_refused { read(bytes.byteslice(0, size), Shop::Order) }

      assert_operator error.offset, :<=, size
    end
    error = assert_refused(Sparpack::DecodeError::MissingField) { read("\0".b, Shop::Order) }

    assert_equal ["Shop::Order.id", 0], [error.path, error.message_offset]
    assert_instance_of Sparpack::DecodeError::MissingField, error
    assert_equal(["orders", 1042], Marshal.load(Marshal.dump(error)).then { |copy| [copy.topic, copy.record_offset] })
  end

  def test_several_classes_in_a_topic
    classes = { "order" => "Shop::Order", line: Shop::Line }

    assert_equal order, read(order.encode, classes, header: "type", headers: { "type" => "order" })
    assert_equal 5, read(Shop::Line.new(cents: 5).encode, classes, header: "type", headers: { "type" => %w[x line] }).cents
    error = assert_refused(Sparpack::DecodeError::Malformed) do
      read(order.encode, classes, header: "type", headers: { "type" => "refund" })
    end

    assert_includes error.message, 'the header "type": expected one of "order", "line", found "refund"'
    assert_includes(assert_refused { read(order.encode, classes, header: "type") }.message, "found none")
  end

  def test_the_wire_of_the_header
    type = { "content-type" => "application/json; charset=utf-8" }

    assert_equal order, read(order.encode(:json), Shop::Order, media: true, headers: type)
    assert_equal order, read(order.encode, Shop::Order, media: true)
    assert_refused { read(order.encode(:json), Shop::Order, headers: type) }
    error = assert_refused(Sparpack::DecodeError::Malformed) do
      read(order.encode, Shop::Order, media: true, headers: { "content-type" => "text/html" })
    end

    assert_includes error.message, 'found "text/html"'
  end

  def test_frames
    frame = order.encode.then { |bytes| [bytes.bytesize].pack("N") + bytes }

    assert_equal order, read(frame, Shop::Order, frame: :framed)
    assert_match(/several/, assert_refused { read(frame * 2, Shop::Order, frame: :framed) }.message)
    assert_match(/none/, assert_refused { read("", Shop::Order, frame: :framed) }.message)
    assert_refused { read(frame.chop, Shop::Order, frame: :framed) }
  end

  def test_confluents_header
    bytes = [0, 12].pack("CN") + order.encode

    assert_equal order, read(bytes, Shop::Order, strip: 5)
    assert_includes assert_refused { read(bytes, Shop::Order) }.message, "pass strip: 5"
    assert_includes assert_refused { read(bytes, Shop::Order, :binary) }.message, "orders/3 at 1042"
    refute_includes assert_refused { read("\0nothing like it", Shop::Order) }.message, "strip"
    assert_refused { read("\0\0".b, Shop::Order, strip: 5) }
  end

  def test_a_class_is_looked_up_again
    deserializer = Sparpack::Karafka.payload("Shop::Late")
    Shop.const_set(:Late, Class.new(Sparpack::Struct) { field 1, :id, :i64 })
    first = deserializer.call(record(order.encode))
    Shop.send(:remove_const, :Late)
    assert_raises(NameError) { deserializer.call(record(order.encode)) }
    Shop.const_set(:Late, Class.new(Sparpack::Struct) { field 1, :number, :i64 })

    assert_equal [7, 7], [first.id, deserializer.call(record(order.encode)).number]
  end

  def test_threads
    deserializer = Sparpack::Karafka.payload({ "order" => "Shop::Order" }, header: "type", media: true)
    records = %i[compact binary json].map do |wire|
      record(order.encode(wire), headers: { "type" => "order", "content-type" => Sparpack::Media.type(wire) })
    end
    all = Array.new(4) { Thread.new { Array.new(300) { |i| deserializer.call(records[i % 3]) } } }.flat_map(&:value)

    assert_equal [order], all.uniq
  end

  def test_what_is_wrong_is_said_at_once
    { ["Shop::Order", :compct] => "compct", [5] => "5", [{ "a" => Shop::Order }] => "header",
      ["Shop::Order", { header: "type" }] => "Hash", ["Shop::Order", { frame: :frmed }] => "frmed",
      ["Shop::Order", :json, { frame: :lines, media: true }] => "lines",
      ["Shop::Order", { strip: -1 }] => "strip", ["Shop::Order", { lasy: true }] => "lasy" }.each do |arguments, word|
      options = arguments.last.is_a?(Hash) && arguments.size > 1 ? arguments.pop : {}

      assert_includes assert_raises(ArgumentError) { Sparpack::Karafka.payload(*arguments, **options) }.message, word
    end
  end
end
