# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "support/cost"
require "support/trickle"

# Arrays of objects in JSON: all at once, and one element after the other.
class JsonArraysTest < Minitest::Test
  class Point < Sparpack::Struct
    field 1, :x, :i32
    field 2, :name, :string
  end

  class Choice < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i32
  end

  class Gone < Sparpack::Exception
    field 1, :message, :string
    field 2, :by_point, map(Point, :bool)
  end

  class Corner < Point; end

  Malformed = Sparpack::DecodeError::Malformed
  Truncated = Sparpack::DecodeError::Truncated
  TypeMismatch = Sparpack::DecodeError::TypeMismatch
  LimitExceeded = Sparpack::DecodeError::LimitExceeded

  # An array without an end.
  class Endless
    def initialize = @text = "["

    def readpartial(_size)
      text = @text
      @text = ",#{(['{"x":1,"name":"abcdefgh"}'] * 500).join(" , ")}"
      text == "[" ? "[{}" : text
    end
  end

  def points(*numbers) = numbers.map { |x| Point.new(x:) }

  # Each way to read a stream.
  def sources(text)
    [text, text.b, StringIO.new(text), *[1, 2, 3, 5, 7].map { |size| Trickle.new(text, size) }]
  end

  module Level
    extend Sparpack::Enum

    LOW = 1
    HIGH = 2147
  end

  class Leveled < Sparpack::Struct
    field 1, :level, Level
  end

  # 2 is no member, but 2147 is.
  def test_a_number_that_is_cut_by_the_end_of_a_piece
    codec = Sparpack::Codec.new(Leveled, :json, validate: :recursive)
    (1..12).each do |size|
      objects = codec.decode_each(Trickle.new('{"level":2147}{"level":2147}', size)).to_a

      assert_equal [2147, 2147], objects.map(&:level)
      error = assert_raises(Sparpack::DecodeError) { codec.decode_each(Trickle.new('{"level":1}{"level":2}', size)).to_a }

      assert_match(/found 2 /, error.message)
    end
  end

  def test_from_json
    assert_equal points(1, 2), Point.from_json('[{"x":1},{"x":2}]')
    assert_equal points(1, 2), Point.from_json("\ufeff [ {\"x\" : 1}\n, {\"x\":2} ]\n")
    assert_equal points(1), Point.from_json('[{"x":1}]'.encode(Encoding::UTF_16LE))
    assert_equal [], Point.from_json(" [ ] ")
    assert_equal Point.new(x: 1), Point.from_json('{"x":1}')
    assert_equal [Choice.text("a"), Choice.number(2)], Choice.from_json('[{"text":"a"},{"number":2}]')
    gone = Gone.from_json('[{"message":"a","by_point":{"{\"x\":1}":true}},{}]')

    assert_equal([[Gone, "a", { Point.new(x: 1) => true }], [Gone, "JsonArraysTest::Gone", nil]],
                 gone.map { |each| [each.class, each.message, each.by_point] })
    assert_equal [Corner, Corner], Corner.from_json("[{},{}]").map(&:class)
    (0..1300).step(51) { |n| assert_equal points(*0...n), Point.from_json(JSON.generate((0...n).map { |x| { x: } })) }
  end

  def test_options_hold_for_the_array
    frozen = Point.from_json('[{"name":"a"}]', freeze: true)

    assert_equal [true, true, true], [frozen.frozen?, frozen[0].frozen?, frozen[0].name.frozen?]
    refute_predicate Point.from_json("[{}]"), :frozen?
    assert_raises(Malformed) { Point.from_json('[{},{"y":1}]', unknown: :reject) }
    assert_predicate Point.from_json('[{"y":1}]', unknown: :keep)[0], :unknown?
    assert_raises(ArgumentError) { Point.from_json("[]", keys: :camel) }
    assert_raises(ArgumentError) { Point.from_json("[]", frame: :lines) }
  end

  def test_limits_hold_for_the_whole_text
    text = "[#{(['{"name":"abcdefghijklmnopqrstuvwxyz"}'] * 100).join(",")}]"
    { memory: 4_000, container: 99 }.each do |name, limit|
      assert_raises(LimitExceeded, name) { Point.from_json(text, limits: Sparpack::Limits.new(name => limit)) }
      assert_equal 100, Point.decode_each(text, :json, limits: Sparpack::Limits.new(name => limit)).count
    end
    assert_raises(LimitExceeded) { Point.from_json("[{}]", limits: Sparpack::Limits.new(depth: 1)) }
    assert_equal 1, Point.from_json("[{}]", limits: Sparpack::Limits.new(depth: 2)).size
  end

  def test_faults_in_an_array
    { '[{"x":1},{"x":"a"}]' => [TypeMismatch, "[1].x", 14], "[1]" => [TypeMismatch, "[0]", 1],
      "[[{}]]" => [TypeMismatch, "[0]", 1], "[null]" => [TypeMismatch, "[0]", 1], "[{},]" => [Malformed, "[1]", 4],
      "[{}" => [Truncated, "", 3], "[{}{}]" => [Malformed, "", 3], "[,{}]" => [Malformed, "[0]", 1],
      "[] []" => [Malformed, "", 3], "[{}]]" => [Malformed, "", 4], "[" => [Truncated, "", 1] }
      .each do |text, (error, path, offset)|
        found = assert_raises(error, text) { Point.from_json(text) }

        assert_equal ["#{Point}#{path}", offset, 0], [found.path, found.offset, found.message_offset], text
      end
  end

  # `decode` promises one object.
  def test_an_array_is_not_one_object
    decode = [-> { Point.decode("[{}]", :json) }, -> { Point.codec(:json).decode("[{}]") },
              -> { Point.decode_from(StringIO.new("[{}]"), :json) }]
    decode.each do |call|
      assert_match(/found an array .* \(to read an array of objects, use from_json or decode_each\)/,
                   assert_raises(TypeMismatch, &call).message)
    end
    assert_raises(TypeMismatch) { Point.decode_each("[{}]\n", :json, frame: :lines).to_a }
  end

  def test_decode_each
    { "[]" => [], " [ ] \n" => [], '[{"x":1}]' => [1], "\ufeff[{\"x\":1}]" => [1],
      " \ufeff \n[ {\"x\":1} ,\n\n{\"x\":2}\t,{ \"x\":3}\r\n]\n" => [1, 2, 3],
      "[#{(['{"x":4}'] * 3_000).join(", ")}]" => [4] * 3_000, '{"x":1}{"x":2}' => [1, 2], "" => [], " \n" => [] }
      .each do |text, numbers|
        sources(text).each { |source| assert_equal points(*numbers), Point.decode_each(source, :json).to_a, text[0, 50] }
      end
    choices = Choice.decode_each(StringIO.new('[{"text":"a"},{"number":2}]'), :json)

    assert_equal [Choice.text("a"), Choice.number(2)], choices.to_a
  end

  def test_faults_between_elements
    { "[{},]" => [Malformed, 4, "\"]\" behind a comma (JSON has no trailing commas)"],
      "[{} {}]" => [Malformed, 4, /comma missing/], "[{}" => [Truncated, 3, /end/],
      "[{}] x" => [Malformed, 5, "trailing bytes"], "[] {}" => [Malformed, 3, "trailing bytes"],
      "[{}, " => [Truncated, 5, /end/], "[" => [Truncated, 1, /end/], "[{}][{}]" => [Malformed, 4, "trailing bytes"],
      "[{}}" => [Malformed, 3, /\A"}"/], "[{}'" => [Malformed, 3, /strings are in double quotes/],
      "[{}, 1]" => [TypeMismatch, 5, "a number"], "[{},[{}]]" => [TypeMismatch, 4, "an array"],
      "[{},{\"x" => [Truncated, 7, /end/],
      "[,{}]" => [Malformed, 1, "\",\""], "{} [{}]" => [TypeMismatch, 3, "an array"] }.each do |text, (error, offset, shown)|
      sources(text).each do |source|
        yielded = 0
        found = assert_raises(error, text) { Point.decode_each(source, :json) { yielded += 1 } }

        assert_operator shown, :===, found.found, text
        assert_equal [offset, text.start_with?("[{}", "{}") ? 1 : 0], [found.offset, yielded], text
      end
    end
  end

  # No byte order mark stands in an array, so the text behind one is neither an element nor the end.
  def test_a_byte_order_mark_in_an_array
    { "[\ufeff" => 1, "[ \ufeff#{" " * 70_000}" => 2, "[\ufeff{}]" => 1, "[{},\ufeff" => 4, "[{}, \ufeff{}]" => 5,
      "\ufeff[\ufeff{}]" => 4, "\ufeff\ufeff[{}]" => 3, "\ufeff\n\ufeff{}" => 4 }.each do |text, place|
      sources(text).each do |source|
        error = assert_raises(Malformed, text[0, 20]) { Point.decode_each(source, :json).to_a }

        assert_equal [place, "a byte order mark"], [error.offset, error.found], text[0, 20]
      end
    end
    ["[\xef", "[{},\xef\xbb"].each do |cut|
      sources(cut).each { |source| assert_raises(Truncated, cut) { Point.decode_each(source, :json).to_a } }
    end
    sources("\ufeff\xef").each { |source| assert_raises(Malformed) { Point.decode_each(source, :json).to_a } }
  end

  def test_places_of_faults_in_elements
    text = "[ {\"x\":1},\n  {\n\"x\": \"\u00e9\"}]"
    sources(text).each do |source|
      error = assert_raises(TypeMismatch) { Point.decode_each(source, :json).to_a }

      assert_equal [13, 20, 2, 6], [error.message_offset, error.offset, error.line, error.column]
      assert_match(/\(json, byte 20: line 2, column 6 of the object at byte 13\)/, error.message)
    end
  end

  # Nothing but the element is kept, and no more is read than a piece.
  def test_an_endless_array
    assert_equal 20_000, Point.decode_each(Endless.new, :json).lazy.take(20_000).count
    source = Trickle.new("[#{'{"x":1},' * 10_000}", 64)

    assert_equal Point.new(x: 1), Point.decode_each(source, :json).first
    assert_operator source.read, :<, 200
  end

  def test_the_limit_of_a_message_holds_for_each_element
    limits = Sparpack::Limits.new(message: 40)
    text = "[#{'{"x":1}, ' * 100}{}]"

    assert_equal 101, Point.decode_each(Trickle.new(text, 5), :json, limits:).count
    long = Trickle.new("[{\"name\":\"#{"a" * 100}\"}]", 5)
    assert_raises(LimitExceeded) { Point.decode_each(long, :json, limits:).to_a }
    assert_equal 1, Point.decode_each(Trickle.new("[{}#{" " * 1000}]", 5), :json, limits:).count
  end

  # What was passed is forgotten, so the time grows with the bytes.
  def test_spaces_behind_a_byte_order_mark_take_linear_time
    text = "\ufeff#{" " * 2_000_000}[{}#{" " * 100_000},{}]"
    cost = Cost.of { Point.decode_each(Trickle.new(text, 1000), :json).count }

    assert_equal 2, cost.result
    assert_operator cost.bytes, :<, 20 * text.bytesize
  end

  def test_streams_are_converted
    target = StringIO.new("".b)
    Sparpack::Converter.new(Point, from: :json, to: :compact).copy_stream(StringIO.new('[{"x":1}, {"x":2}]'), target)

    assert_equal points(1, 2), Point.decode_each(target.string).to_a
    assert_raises(Malformed) do
      Sparpack::Converter.new(Point, from: :json, to: :compact).copy_stream(StringIO.new("[{},\ufeff"), target)
    end
  end
end
