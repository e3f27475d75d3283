# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/seeded"

# What Sparpack.guess says of several payloads, one after the other, with frames and without.
class GuessStreamTest < Minitest::Test
  include Seeded

  class Item < Sparpack::Struct
    field 1, :item_id, :i64, required: true
    field 2, :name, :string
  end

  class Order < Sparpack::Struct
    field 1, :order_id, :i64, required: true
    field 2, :items, list(Item)
  end

  ORDERS = Ractor.make_shareable((1..5).map { |i| Order.new(order_id: i, items: [Item.new(item_id: i * 7, name: "n#{i}")]) })
  CALLED = { message_pack: "MessagePack", json: "JSON", thrift_json: "Thrift's JSON" }.freeze
  FRAMES = { framed: "a frame with its size in 4 bytes", varint: "a frame with its size as a varint" }.freeze
  NONE = "these bytes look like no format that Sparpack knows"

  def self.stream(wire, count = 3, frame: nil)
    io = StringIO.new("".b)
    (ORDERS * ((count / 5) + 1)).first(count).each { |order| order.encode_to(io, wire, frame:) }
    io.string
  end

  Sparpack::WIRES.each do |wire|
    [nil, Order].each do |struct_class|
      named = "#{wire}_#{struct_class ? "with" : "without"}_a_class"

      define_method("test_payloads_of_#{named}") do
        guess = Sparpack.guess(stream(wire), struct_class)

        assert_equal [wire, wire, nil, 3], told(guess), guess
        assert_equal "these bytes read as #{called(wire)}, 3 payloads one after the other", guess.reason
        assert_equal ORDERS.first(3), follow(guess.advice, stream(wire)), guess.advice
      end

      define_method("test_frames_of_#{named}") do
        FRAMES.each do |frame, around|
          guess = Sparpack.guess(stream(wire, frame:), struct_class)

          assert_equal [frame, wire, frame, 3], told(guess), guess
          assert_equal "these bytes read as #{called(wire)} in #{around}, 3 frames one after the other", guess.reason
          assert_equal "decode_each(bytes, :#{wire}, frame: :#{frame})", guess.advice
          assert_equal ORDERS.first(3), follow(guess.advice, stream(wire, frame:))
        end
      end

      # The last payload lacks its last bytes.
      define_method("test_the_last_payload_of_#{named}_may_be_cut_off") do
        [nil, :framed, :varint].each do |frame|
          guess = Sparpack.guess(stream(wire, frame:).byteslice(0..-4), struct_class)

          assert_equal [wire, frame, 2], told(guess).drop(1), guess
          assert_match(/, 2 (payloads|frames) one after the other, and the beginning of another\z/, guess.reason)
        end
      end

      define_method("test_the_beginning_of_many_payloads_of_#{named}") do
        [nil, :framed, :varint].each do |frame|
          bytes = stream(wire, 5000, frame:)
          [Sparpack::Guess.beginning(bytes.byteslice(0, 65_536), struct_class, whole: false),
           Sparpack.guess(bytes, struct_class)].each do |guess|
            assert_equal [wire, frame], told(guess)[1, 2], guess
            assert_operator guess.count, :>, 50
            assert_includes guess.reason, ", at least #{guess.count} "
          end
        end
      end

      # Without a class, a few payloads before other bytes may be chance.
      define_method("test_other_bytes_behind_payloads_of_#{named}") do
        guess = Sparpack.guess(stream(wire, 5).b + "\xFF\xFF\xFF".b, struct_class)

        assert_equal [wire, wire, nil, 5], told(guess), guess
        assert_operator guess.reason, :end_with?, ", 5 payloads one after the other, and then other bytes"
      end
    end
  end

  def test_short_payloads
    { "\x16\x02\0\x16\x04\0\x16\x06\0" => [:compact, 3], "\x81\xA1a\x01\x81\xA1a\x02" => [:message_pack, 2],
      "\x93\x01\x02\x03\x93\x01\x02\x03" => [:message_pack, 2], "{\"a\":1}{\"a\":2}" => [:json, 2],
      "[1]\n[2]\n[3]" => [:json, 3] }.each do |bytes, (wire, count)|
      assert_equal [wire, count], told(Sparpack.guess(bytes.b)).values_at(1, 3), bytes
    end
  end

  # Each of them is longer than what a guess of one payload looks at.
  def test_long_payloads
    order = Order.new(order_id: 1, items: Array.new(300) { |i| Item.new(item_id: i + 1) })
    %i[compact binary message_pack].each do |wire|
      bytes = Sparpack::Codec.new(Order, wire, **(wire == :message_pack ? { keys: :names } : {})).encode(order)
      [nil, Order].each do |struct_class|
        assert_equal [1, 3], [bytes, bytes * 3].map { |all| Sparpack.guess(all, struct_class).count }, wire
      end
    end
  end

  def test_payloads_within_something_else
    guess = Sparpack.guess([stream(:compact)].pack("m0"))

    assert_equal [:base64, nil, nil, nil], told(guess)
    assert_equal "these bytes read as compact in base64, 3 payloads one after the other: " \
                 "decode_each(bytes.unpack1(\"m\"), :compact)", guess.to_s
  end

  def test_one_payload_is_no_stream
    Sparpack::WIRES.each do |wire|
      guess = Sparpack.guess(stream(wire, 1), Order)

      assert_equal [wire, wire, nil, 1], told(guess)
      assert_equal "these bytes read as #{called(wire)}", guess.reason
    end
  end

  def test_what_is_no_stream
    ["\0\0\0", "\0" * 100, "\x80" * 20, "\xC2" * 20, "\1\2\3\4\5\6\7\x08\x09", "ab" * 50,
     stream(:compact, 2) + "\xFF\xFF\xFF".b].each do |bytes|
      assert_equal NONE, Sparpack.guess(bytes.b).to_s, bytes.inspect
    end
    # A wire reads 0.84 in a thousand by chance. With 25,000 of them, the limit is six standard deviations away.
    found = Array.new(25_000) { Sparpack.guess(random.bytes(random.rand(8..60))).format }

    assert_operator found.count { |format| Sparpack::WIRES.include?(format) }, :<=, 50
  end

  class Measure < Sparpack::Struct
    field 1, :id, :i64
    field 2, :name, :string
    field 3, :at, :double
    field 4, :raw, :binary
  end

  # By chance, another wire reads the first bytes of some streams, and then finds "the beginning of another".
  def test_a_wire_that_ends_where_the_bytes_end_is_preferred
    maps = Array.new(3) { |i| { "id" => i, "name" => "Ü#{i}", "at" => 1.5, "raw" => "\xFF".b } }
    packed = maps.map { |map| Sparpack::MessagePack.pack(map) }.join

    assert_equal [:message_pack, :message_pack, nil, 3], told(Sparpack.guess(packed))
    fixed = Random.new(7)
    wrong = Hash.new(0)
    200.times do
      objects = Array.new(fixed.rand(2..6)) { |i| measure(fixed, i) }
      streams(objects).each do |wire, bytes|
        wrong[wire] += 1 unless told(Sparpack.guess(bytes)).drop(1) == [wire, nil, objects.size]
      end
    end

    assert_empty wrong
  end

  # Behind the first frame there may be garbage, or a frame with a wrong length, or one whose payload is damaged.
  Sparpack::WIRES.each do |wire|
    define_method("test_bad_frames_of_#{wire}") do
      FRAMES.each_key do |frame|
        whole = ORDERS.first(3).map { |order| StringIO.new("".b).tap { |io| order.encode_to(io, wire, frame:) }.string }
        garbage = "garbage\xFF\xFE\xFF".b
        longer = [whole[0], whole[1].dup.tap { |bytes| bytes.setbyte(0, 0x7F) }, whole[2]].join
        ["#{whole[0]}#{garbage}#{whole[1]}", longer].each do |bytes|
          assert_equal [wire, frame], told(Sparpack.guess(bytes, Order)).values_at(1, 2), bytes.inspect
        end
        ["#{whole[0]}#{whole[1]}#{garbage}#{whole[2]}", "#{whole[0]}#{whole[1]}#{longer}"].each do |bytes|
          assert_equal [wire, frame], told(Sparpack.guess(bytes)).values_at(1, 2), bytes.inspect
          assert_equal [wire, frame], told(Sparpack.guess(bytes, Order)).values_at(1, 2), bytes.inspect
        end
        at = frame == :framed ? 4 : whole[0][/\A[\x80-\xFF]*./mn].bytesize
        (0..2).each do |i|
          bytes = whole.map(&:dup).each_with_index { |each, n| each.setbyte(at, 0xC1) if n == i }.join

          assert_equal [frame, wire, frame, 3], told(Sparpack.guess(bytes, Order)), bytes.inspect
        end
      end
    end
  end

  # It ends between the elements of a list.
  def test_a_payload_that_is_cut_off
    order = Order.new(order_id: 1, items: (1..9).map { |i| Item.new(item_id: i, name: "name #{i}") })
    %i[compact binary message_pack].each do |wire|
      bytes = order.encode(wire)
      cut = bytes.byteslice(0, bytes.index("name 6") - (wire == :compact ? 4 : 0))
      guess = Sparpack.guess(cut, Order)

      assert_equal [wire, wire, nil, 1], told(guess)
      assert_equal "these bytes look like the beginning of #{called(wire)}", guess.to_s
    end
    cut = order.encode.then { |bytes| bytes.byteslice(0, bytes.index("name 6") - 4) }

    assert_equal "these bytes look like the beginning of compact", Sparpack.guess(cut).to_s
    inspector = Sparpack::Inspector.new(cut)

    assert_equal [:compact, "these bytes look like the beginning of compact"], [inspector.wire, inspector.reason]
    assert_equal NONE, Sparpack.guess(cut.byteslice(0, 12)).to_s
  end

  # A failed decode names nothing of which it is less sure.
  def test_messages_of_errors_stay_as_they_are
    error = assert_raises(Sparpack::MessagePack::UnpackError) { Sparpack::MessagePack.unpack(stream(:compact)) }

    refute_includes error.message, "these bytes"
    assert_match(/\(compact, byte \d+\)\z/, assert_raises(Sparpack::DecodeError) { Order.decode(stream(:binary)) }.message)
  end

  private

  def measure(random, index)
    Measure.new(id: random.rand(100_000), name: ["Ü#{index}", "n#{index}"].sample(random:), at: random.rand(1000) / 4.0,
                raw: random.bytes(random.rand(1..4)))
  end

  def streams(objects)
    Sparpack::WIRES.to_h { |wire| [wire, objects.map { |object| object.encode(wire) }.join] }
  end

  def stream(...) = GuessStreamTest.stream(...)
  def called(wire) = CALLED.fetch(wire, wire)
  def told(guess) = [guess.format, guess.wire, guess.frame, guess.count]

  # Without a class, MessagePack has only values: the items and names of these orders.
  def follow(advice, bytes)
    found = Order.class_exec(bytes) { |bytes| eval(advice, binding) } # rubocop:disable Security/Eval -- our own words
    found.map { |object| object.is_a?(Order) ? object : Order.new(order_id: object[1], items: items(object[2])) }
  end

  def items(rows) = rows.map { |_, item_id, name| Item.new(item_id:, name:) }
end
