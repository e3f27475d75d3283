# frozen_string_literal: true

require "test_helper"
require "json"
require "objspace"

# The native part of Sparpack::Inspector, which keeps pointers into what it was given.
class AnnotatorTest < Minitest::Test
  class House < Sparpack::Struct
    field 1, :house_id, :i64
    field 9, :labels, map(:string, list(:i8))
  end

  HOUSE = House.new(house_id: 5, labels: { "a" => [1, -2] }).encode.freeze
  ALL = [nil, nil, nil, nil, nil, false].freeze

  def setup = @lines = Sparpack::Native::Annotator.new

  # A path stays what it was when the lines began, whatever becomes of the Strings of the caller.
  def test_a_path_is_kept
    name = +"labels"
    pieces = [[:word, name, nil]]
    @lines.begin(HOUSE, :compact, :json, House, [nil, nil, nil, pieces, nil, false])
    name.replace("x" * 1000)
    pieces.clear
    GC.start
    expected = Sparpack::Inspector.new(HOUSE, House, from: :compact).json(path: "labels")

    assert_equal expected.lines[0...-1].join, @lines.read.force_encoding(Encoding::UTF_8)
  end

  # What is left after a wrong call must not point into a payload that is gone.
  def test_a_wrong_call_leaves_nothing
    @lines.begin("\x81\xA1a\xC1".b, :message_pack, :json, nil, ALL)
    @lines.read

    assert_equal "[\"a\"]", @lines.report.last.last
    wrong = [[:unknown, :json, ALL], [:json, :unknown, ALL], [:json, :json, [1.5]], [:json, :tree, [nil, nil, nil, [1]]],
             [:json, :tree, [nil, nil, nil, [[:word, 1]]]], [:json, :tree, [nil, nil, nil, [[:word, "a", "b"]]]]]
    wrong.each do |wire, form, options|
      assert_raises(ArgumentError, TypeError) { @lines.begin("x", wire, form, nil, options) }
      assert_nil @lines.report
      assert_nil @lines.read
    end
    assert_equal 2, @lines.begin("[]", :json, :json, nil, ALL).read.lines.size
  end

  # A text that is cut stays text: neither a character nor an escape is cut, and its length is given.
  def test_texts_that_are_cut
    text = "aé€\u{1F600}\n\"\\<b\u0001" * 2
    escaped = JSON.generate(text).gsub("é", "\\u00e9").gsub("\u{1F600}", "\\ud83d\\ude00")
    { message_pack: [Sparpack::MessagePack.pack(text), text.bytesize], json: [escaped, escaped.bytesize - 2] }
      .each do |wire, (bytes, size)|
      (0..(size + 1)).each do |most|
        line = JSON.parse(@lines.begin(bytes, wire, :json, nil, [nil, nil, nil, nil, most, false]).read.lines.first)

        assert text.start_with?(line["value"].scrub("")), "#{wire} #{most}"
        assert_operator line["value"].scrub("").bytesize, :>=, [most, text.bytesize].min - 17, "#{wire} #{most}"
        if most < size
          assert_equal text.bytesize, line["length"]
        else
          assert_equal [text, nil], line.values_at("value", "length")
        end
      end
    end
  end

  # Bytes that are cut are hexadecimal digits.
  def test_bytes_that_are_cut
    bytes = "\x80\x81\xBF\xFF".b
    (0..4).each do |most|
      line = JSON.parse(@lines.begin(Sparpack::MessagePack.pack(bytes), :message_pack, :json, nil,
                                     [nil, nil, nil, nil, most, false]).read.lines.first)
      shown = most < 3 ? 0 : most # the second and the third look like the inside of a character

      assert_equal bytes.byteslice(0, shown).unpack1("H*"), line["value"]["hex"], most
    end
  end

  def test_the_levels_count_as_memory
    empty = ObjectSpace.memsize_of(@lines)
    @lines.begin(HOUSE, :compact, :tree, nil, ALL)

    assert_operator ObjectSpace.memsize_of(@lines), :>, empty + 100_000
  end
end
