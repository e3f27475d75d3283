# frozen_string_literal: true

require "test_helper"
require "stringio"
require "support/reading"
require "support/trickle"

# White space before, between and behind the objects of a stream, and byte order marks.
class SpacesTest < Minitest::Test
  include Reading
  extend Reading::Wires

  class Point < Sparpack::Struct
    field 1, :x, :i32, required: true
  end

  SPACES = ["", " ", "\n", "\r\n\t ", "\n" * 70].freeze

  def points(*numbers) = numbers.map { |x| Point.new(x:) }

  # Reads all objects in each way. The pieces of an io may end anywhere.
  def assert_read(expected, bytes, wire)
    assert_equal expected, Point.decode_each(bytes, wire).to_a
    ios = [-> { StringIO.new(bytes) }, *[1, 2, 3, 7, 64].map { |size| -> { Trickle.new(bytes, size) } }]
    ios.each do |open|
      io = open.call

      assert_equal expected, Point.decode_each(open.call, wire).to_a
      assert_equal [*expected, nil, nil], Array.new(expected.size + 2) { Point.decode_from(io, wire) }
    end
  end

  each_wire "white space around objects", JSONS do |wire|
    one, two = points(1, 2).map { |point| point.encode(wire) }
    SPACES.repeated_permutation(3) { |a, b, c| assert_read(points(1, 2), "#{a}#{one}#{b}#{two}#{c}", wire) }
    SPACES.each { |space| assert_read([], space, wire) }
  end

  each_wire "an object that is cut behind white space is truncated", JSONS do |wire|
    ["\n{", "\n{ ", "#{points(1)[0].encode(wire)}\n {\"", "{\n"].each do |bytes|
      [bytes, StringIO.new(bytes), Trickle.new(bytes, 1)].each do |source|
        assert_raises(Sparpack::DecodeError::Truncated) { Point.decode_each(source, wire).to_a }
      end
    end
    assert_raises(Sparpack::DecodeError::Truncated) { Point.decode(" \n", wire) }
    assert_raises(Sparpack::DecodeError::Malformed) { Point.decode_each("#{points(1)[0].encode(wire)}\n\v", wire).to_a }
  end

  def test_a_byte_order_mark_may_stand_before_any_object
    ["\ufeff{\"x\":1}\ufeff{\"x\":2}", " \ufeff {\"x\":1}\n\n\ufeff\n{\"x\":2}\n"].each do |text|
      assert_read(points(1, 2), text, :json)
    end
    assert_read([], "\ufeff", :json)
    ["\xef", "\xef\xbb"].each { |cut| assert_raises(Sparpack::DecodeError::Truncated) { Point.decode(cut, :json) } }
    assert_raises(Sparpack::DecodeError::Malformed) { Point.decode("\ufeff\ufeff{\"x\":1}", :json) }
    ["{\ufeff\"x\":1}", "{\"x\":\ufeff1}", "{\"y\":\ufeff1}", "\xef\xbb{\"x\":1}"].each do |bad|
      [bad, StringIO.new(bad), Trickle.new(bad, 1)].each do |source|
        assert_raises(Sparpack::DecodeError::Malformed, bad) { Point.decode_each(source, :json).to_a }
      end
    end
  end

  each_wire "other wires have none", Sparpack::WIRES & %i[compact binary message_pack] do |wire|
    bytes = "#{points(1)[0].encode(wire)}\n"
    [bytes, StringIO.new(bytes)].each { |source| assert_raises(Sparpack::DecodeError) { Point.decode_each(source, wire).to_a } }
  end
end
