# frozen_string_literal: true

require "test_helper"
require "set"
require "support/child"
require "support/reading"
require "support/same_reading"
require "support/wire_forms"

using WireForms

# A scan in its less frequent turns: what it must not let pass, and what it has to charge.
class ScanEdgesTest < Minitest::Test
  include Child
  include SameReading
  extend Reading::Wires

  module Color
    extend Sparpack::Enum

    RED = 1
  end

  # A scan of the binary protocol passes all of these numbers at once. The required text behind them must not be forgotten.
  class Numbers < Sparpack::Struct
    field 1, :first, :i32
    field 2, :second, :i32
    field 3, :third, :i64
    field 4, :fourth, :i32
    field 5, :name, :string, required: true
    field 6, :last, :string
  end

  class Colors < Sparpack::Struct
    field 1, :color, Color
    field 2, :second, :i32
    field 3, :third, :i32
    field 4, :fourth, :i32
    field 5, :rest, :binary
  end

  ZEROS = { 1 => 4, 2 => 4, 3 => 8, 4 => 4 }.freeze
  REST = "\x0b\0\6\0\0\0\x40#{"r" * 64}\0".b.freeze

  NAME = "\x0b\0\5\0\0\0\1n".b.freeze

  def zero(id, size) = [size == 8 ? 10 : 8, id].pack("Cn") + ("\0" * size)

  # One field has another id. All values are zeros, like most bytes of the ids, so a look at the wrong bytes finds a zero,
  # too.
  def test_numbers_that_are_zeros
    ZEROS.each_key do |replaced|
      [7, 257, 1 << 14].each do |other|
        bytes = ZEROS.map { |id, size| zero(id == replaced ? other : id, size) }.join + NAME + REST
        assert_same_outcome Numbers, bytes, :binary
        assert_same_outcome Numbers, bytes, :binary, unknown: :reject
      end
    end
  end

  # The ids share bytes with the one that is expected.
  def test_an_unknown_field_in_front
    [1, 256, 258].product([0, 1, 2, 255, 256, 257, 512]) do |id, other|
      next if id == other

      struct = Class.new(Sparpack::Struct) do
        field id, :number, :i32
        field id + 9, :rest, :binary
      end
      bytes = [8, other, 7, 11, id + 9, 64, "r" * 64].pack("CnNCnNa*x")
      assert_same_outcome struct, bytes, :binary
      assert_same_outcome struct, bytes, :binary, unknown: :reject
    end
  end

  def test_a_required_field_behind_numbers
    numbers = ZEROS.map { |id, size| zero(id, size) }
    [numbers, numbers.drop(1), numbers.first(3), [numbers[1], *numbers]].each do |some|
      assert_same_outcome Numbers, some.join + NAME + REST, :binary
      assert_same_outcome Numbers, some.join + REST, :binary
      assert_same_outcome Numbers, "#{some.join}#{REST}".b, :binary, validate: :none
    end
  end

  # No run of numbers that are passed at once begins with an enum. The fields behind it may be out of order.
  def test_an_enum_before_numbers
    [[1, 3], [9, 3], [1, 1], [9, 1], [9, 4]].each do |color, third|
      bytes = [8, 1, color, 8, 2, 5, 8, third, 7, 8, 4, 8].pack("CnNCnNCnNCnN") + "\x0b\0\5\0\0\0\x40#{"r" * 64}\0".b
      [{}, { validate: :strict }].each { |options| assert_same_outcome Colors, bytes, :binary, **options }
    end
  end

  # Behind a field that is absent, and with more bytes behind it than a fast loop looks at.
  class Loose < Sparpack::Struct
    field 1, :first, :i32
    field 2, :second, :i32
    field 3, :third, :i32
    field 4, :text, :string
    field 5, :texts, list(:string)
    field 6, :rest, :string
  end

  each_wire "what is broken behind a field that is absent" do |wire|
    [Loose.new(second: 1, third: 2, text: "@@", rest: "r" * 80), Loose.new(second: 1, texts: ["@@"], rest: "r" * 80),
     Loose.new(third: 2, texts: ["@@"] * 20, rest: "r" * 80)].each do |object|
      bytes = object.encode(wire).b.sub("@@", "\xff\xff".b)

      assert_same_outcome Loose, bytes, wire
    end
  end

  # In the binary protocol, the end of an object and two empty ones look like the header of a field.
  each_wire "empty objects behind one that has all fields" do |wire|
    full = Loose.new(first: 1, second: 2, third: 3, text: "t", texts: ["t"], rest: "r")
    all = [full, *[Loose.new] * 20]
    bytes = all.map { |object| object.encode(wire) }.join

    assert_equal 21, Loose.count(bytes, wire:)
    assert_equal all.map { |object| object.encode(wire).bytesize }, Loose.each_range(bytes, wire:).map(&:size)
    assert_equal all, Loose.decode_each(bytes, wire, lazy: true).to_a
  end

  # Between, before and behind elements.
  def test_elements_of_json_with_something_else_between
    ["[1,2]", "[1 2]", "[1,]", "[,1]", "[1,,2]", "[1;2]", "[1", "[", "[1,2}", "[1:2]"].each do |numbers|
      assert_same_outcome Holder, "{\"numbers\":#{numbers}}", :json
      assert_same_outcome Holder, "{\"lists\":[#{numbers},#{numbers}]}", :json
    end
    ['{"a":1}', '{"a" 1}', '{"a":1 "b":2}', '{"a":1,}', '{,"a":1}', '{"a":1;"b":2}', '{"a",1}', '{"a":}', "{1:1}"]
      .each { |map| assert_same_outcome Holder, "{\"map\":#{map}}", :json }
  end

  class Holder < Sparpack::Struct
    field 1, :numbers, list(:i32)
    field 2, :lists, list(list(:i32))
    field 3, :map, map(:string, :i32)
    field 4, :raw, :binary
    field 5, :text, :string
    field 6, :tiny, :i8
    field 7, :small, :i16
    field 8, :color, Color
    field 9, :list, list(self)
  end

  # As text and as binary, short and long.
  def test_texts_and_binaries_of_message_pack
    strings = %W[\xa1a \xc4\x01a \xa1\xff \xc4\x01\xff \xd9\x01a \xd9\x01\xff \xc0 \x01].map(&:b)
    strings.product(%w[raw text]) do |string, field|
      assert_same_outcome Holder, "\x81".b + [field.bytesize | 0xa0].pack("C") + field + string, :message_pack_names
    end
  end

  each_wire "structs of small numbers are lazy", WireForms::LAZY do |wire|
    [{ tiny: -7 }, { small: -300 }, { color: 1 }].each do |values|
      object = Holder.new(**values, text: "t")
      lazy = Holder.decode(object.encode(wire), wire, lazy: true)

      assert Sparpack::Native.lazy?(lazy)
      assert_equal object, lazy
    end
  end

  # Elements are made 64 at a time, and lists of 16 or more get an index. So: these lengths, one less, and one more.
  each_wire "lists of structs of some lengths", WireForms::LAZY do |wire|
    [1, 15, 16, 17, 63, 64, 65, 127, 128, 129].each do |size|
      list = Array.new(size) { |i| Holder.new(small: i, text: "text #{i}", list: i == 60 ? [Holder.new(tiny: 1)] : nil) }
      object = Holder.new(list:, numbers: [size])
      lazy = Holder.decode(object.encode(wire), wire, lazy: true)

      assert_equal size, lazy.list.size
      assert_equal list, lazy.list
      assert_equal [[Holder.new(tiny: 1)]], lazy.list.filter_map(&:list) if size > 60
    end
  end

  # What stands behind a String in memory looks like the end of a struct.
  each_wire "payloads without their last byte", WireForms::LAZY do |wire|
    [Loose.new(first: 1), Loose.new(text: "t" * 20), Loose.new(texts: %w[a b])].each do |object|
      bytes = object.encode(wire)
      cut = (bytes * 2).chop
      codec = Loose.codec(wire)

      [-> { codec.decode_each(cut).to_a }, -> { Loose.decode_each(cut, wire, lazy: true).to_a }, -> { codec.count(cut) },
       -> { codec.columns(cut, "first") }].each { |call| assert_raises(Sparpack::DecodeError, &call) }
    end
  end

  # Only a decode can tell what comes twice, also if the limit of memory is the same for all payloads.
  def test_fields_that_come_twice_and_a_limit_of_memory
    twice = Loose.new(first: 1, text: "t").encode(:binary).chop + Loose.new(first: 2).encode(:binary)
    [{}, { limits: Sparpack::Limits.new(memory: 10_000) }].each do |options|
      read = Loose.decode_each(twice * 3, :binary, lazy: true, **options).to_a

      assert_equal [Loose.new(first: 2, text: "t")] * 3, read
    end
  end

  class Sender < Sparpack::Struct
    field 1, :id, :i32
  end

  class Senders < Sparpack::Struct
    field 1, :all, list(Sender)
    field 2, :one, Sender
    field 4, :last, :i32
  end

  class Receiver < Sparpack::Struct
    field 1, :id, :i32
    field 2, :words, list(:string), default: %w[a b c d] * 10
  end

  class Receivers < Sparpack::Struct
    field 1, :all, list(Receiver)
    field 2, :one, Receiver
    field 3, :words, list(:string), default: %w[a b c d] * 10
    field 4, :last, :i32
  end

  each_wire "defaults of fields that are absent are charged" do |wire|
    [Senders.new(last: 1), Senders.new(one: Sender.new(id: 1), last: 1),
     Senders.new(all: [Sender.new(id: 1)] * 20, last: 1)].each do |object|
      bytes = object.encode(wire)
      codec = ->(memory) { Receivers.codec(wire, limits: Sparpack::Limits.new(memory:)) }
      least = (1..(1 << 20)).bsearch { |memory| allowed? { codec.call(memory).decode(bytes) } }
      [least - 1, least].each do |memory|
        { check: -> { codec.call(memory).check(bytes) }, count: -> { codec.call(memory).count(bytes) },
          columns: -> { codec.call(memory).columns(bytes, "last") },
          lazy: -> { Receivers.decode(bytes, wire, lazy: true, limits: Sparpack::Limits.new(memory:)) } }
          .each { |name, call| assert_equal memory == least, allowed?(&call), "#{name} #{object} #{memory}" }
      end
    end
  end

  class Filled < Sparpack::Struct
    field 1, :name, :string
    field 2, :keys, set(list(:i32)), default: Set[[1], [2]]
  end

  class Named < Sparpack::Struct
    field 1, :name, :string
  end

  class Needy < Sparpack::Struct
    field 1, :name, :string
    field 2, :keys, set(list(:i32)), default: Set[[1], [2]]
    field 3, :note, :string
    field 4, :number, :i32, default: 7
    field 5, :need, :string, required: true
    field 6, :last, list(:string)
  end

  # Only Ruby can copy such a default, but the absent fields behind it need theirs, too.
  each_wire "absent fields behind a default that Ruby copies" do |wire|
    bytes = Named.new(name: "n" * 100).encode(wire)
    object = Needy.decode(bytes, wire, lazy: true, validate: :none)

    assert_equal ["n" * 100, Set[[1], [2]], nil, 7, nil, nil], object.to_h.values
    assert_equal Needy.decode(bytes, wire, validate: :none), object
    assert_raises(Sparpack::DecodeError::MissingField) { Needy.decode(bytes, wire, lazy: true) }
  end

  # Copying a set of lists calls `hash` of each, here one that takes the bytes away.
  def test_bytes_that_change_while_a_default_is_copied
    bytes = Named.new(name: "n" * 40).encode
    codec = Sparpack::Codec.new(Filled, lazy: true)
    found = in_child do
      scratch = nil
      hash = Array.instance_method(:hash)
      Array.define_method(:hash) do
        scratch&.clear
        hash.bind_call(self)
      end
      [codec.decode(scratch = String.new(capacity: 200) << bytes),
       codec.decode_each(scratch = String.new(capacity: 200) << (bytes * 3)).first].map(&:name)
    end

    assert_equal ["n" * 40] * 2, found
  end

  private

  def allowed?
    yield
    true
  rescue Sparpack::DecodeError::LimitExceeded
    false
  end

  # Of a field that comes twice, dig reads the first one.
  def assert_same_outcome(struct_class, bytes, wire, **options)
    assert_same_of(struct_class, bytes, wire, digs: false, **options)
  end
end
