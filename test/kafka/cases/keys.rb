# frozen_string_literal: true

require_relative "schema"

class KeysTest < Minitest::Test
  include Records

  UUID = "12345678-90ab-cdef-1234-567890abcdef"

  def key(found, *arguments, **options)
    record(nil, key: found, deserializers: with(key: Sparpack::Karafka.key(*arguments, **options))).key
  end

  def test_values
    assert_equal([7, -7, (1 << 63) - 1, 0], ["7", "-7", ((1 << 63) - 1).to_s, "0"].map { |each| key(each, :i64) })
    assert_equal([7, -2], [[7].pack("q>"), [-2].pack("q>")].map { |each| key(each, :i64, bytes: true) })
    assert_equal(-2, key([-2].pack("l>"), :i32, bytes: true))
    assert_equal(["ä", Encoding::UTF_8], key("ä".b.freeze, :string).then { |text| [text, text.encoding] })
    assert_equal UUID, key(UUID.upcase, :uuid)
    assert_equal UUID, key([UUID.delete("-")].pack("H*"), :uuid, bytes: true)
    assert_equal order, key(order.encode, Shop::Order)
    assert_equal order, key(order.encode(:json), "Shop::Order", wire: :json)
    assert_nil key(nil, :i64)
  end

  def test_what_is_no_value
    ["", "x", "7x", " 7", "07", "+7", "7\n", "1" * 5000, (1 << 63).to_s, "７"].each do |found|
      assert_match(/key: expected i64 as a decimal number, found \d+ bytes/, assert_refused { key(found, :i64) }.message)
    end
    assert_refused { key((1 << 31).to_s, :i32) }
    assert_match(/i64 as 8 bytes, found 7 bytes/, assert_refused { key("x" * 7, :i64, bytes: true) }.message)
    assert_match(/UTF-8/, assert_refused { key("\xff", :string) }.message)
    assert_refused { key("#{UUID}\n", :uuid) }
    assert_refused { key("x" * 15, :uuid, bytes: true) }
    assert_match(/key: /, assert_refused { key("\0".b, Shop::Order) }.message)
  end

  def test_wrong_calls
    assert_match(/one of :i32, :i64, :string, :uuid, got :i46/, assert_raises(ArgumentError) do
      Sparpack::Karafka.key(:i46)
    end.message)
    assert_raises(ArgumentError) { Sparpack::Karafka.key(:i64, lazy: true) }
    assert_raises(ArgumentError) { Sparpack::Karafka.key(5) }
    assert_raises(ArgumentError) { Sparpack::Karafka.key(Shop::Order, lasy: true) }
    assert_equal "unknown option :byte (did you mean :bytes?)",
                 assert_raises(ArgumentError) { Sparpack::Karafka.key(:i64, byte: true) }.message
    assert_raises(ArgumentError) { Sparpack::Karafka.headers(%w[a b]) }
    assert_match(/in braces/, assert_raises(ArgumentError) { Sparpack::Karafka.headers(attempt: :i32) }.message)
  end

  def test_headers
    deserializer = Sparpack::Karafka.headers({ "attempt" => :i32, trace: :uuid })
    read = ->(headers) { record(nil, headers:, deserializers: with(headers: deserializer)).headers }

    assert_equal({ "attempt" => 2, "trace" => UUID, "other" => "x" },
                 read.call({ "attempt" => "2", "trace" => UUID, "other" => "x" }))
    assert_equal({ "attempt" => [1, nil, 2] }, read.call({ "attempt" => ["1", nil, "2"] }))
    assert_equal({}, read.call({}))
    assert_match(/header "attempt": expected i32/, assert_refused { read.call({ "attempt" => "x" }) }.message)
  end
end
