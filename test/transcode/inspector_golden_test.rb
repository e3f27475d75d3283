# frozen_string_literal: true

require "test_helper"
require "fileutils"

# Every line of every form, as people have read and approved it: test/golden/inspector has what an inspector shows of a few
# payloads in all wires. After a change that is meant, write the files again and read the difference:
#
#     GOLDEN=write bundle exec ruby -Ilib -Itest test/transcode/inspector_golden_test.rb
class InspectorGoldenTest < Minitest::Test
  FOLDER = File.expand_path("../golden/inspector", __dir__)
  WIRES  = Sparpack::Inspector::WIRES

  module Colour
    extend Sparpack::Enum

    RED = 1
  end

  class Leaf < Sparpack::Union
    field 1, :text, :string
    field 2, :number, :i64
  end

  class Full < Sparpack::Struct
    field 1, :on, :bool
    field 2, :tiny, :i8
    field 3, :count, :i64
    field 4, :ratio, :double
    field 5, :name, :string
    field 6, :raw, :binary
    field 7, :key, :uuid
    field 8, :colour, Colour
    field 9, :numbers, list(:i16)
    field 10, :words, set(:string)
    field 11, :by_name, map(:string, list(:i32))
    field 12, :leaf, Leaf
    field 13, :leaves, list(Leaf)
    field 14, :inner, "Full"
    field 30, :by_colour, map(Colour, :bool)
  end

  # The same ids with other types, and fewer of them.
  class Other < Sparpack::Struct
    field 1, :switch, :string
    field 2, :tiny, list(:i8)
    field 3, :count, Leaf
    field 4, :ratio, :i32
    field 5, :name, :i64
    field 7, :token, :i8
    field 9, :numbers, map(:i16, :i16)
    field 10, :words, set(:double)
    field 11, :by_name, map(:i32, list(:string))
    field 13, :leaves, list("Other")
    field 14, :inner, "Other"
  end

  class Texts < Sparpack::Struct
    field 1, :texts, list(:string)
  end

  FULL = Ractor.make_shareable(
    Full.new(on: true, tiny: -1, count: 1 << 60, ratio: -2.5, name: "Größe \u0007\"\\", raw: "\x00\xFF\x80".b,
             key: "00112233-4455-6677-8899-aabbccddeeff", colour: 1, numbers: [1, -300], words: Set["a", "<b>"],
             by_name: { "x" => [1, 2], "" => [] }, leaf: Leaf.new(number: 5), leaves: [Leaf.new(text: "t")],
             inner: Full.new(on: false, ratio: Float::INFINITY, colour: 7), by_colour: { 1 => true, 9 => false })
  )

  long = "#{"x" * 63}é#{"y" * 300}"
  TEXTS = Ractor.make_shareable(
    [long, "ö" * 300, "\u202Eleft\u200B\u00AD\u0085\u007F", "€" * 22, "tab\there", "\u{1F600}" * 17, "a" * 64, "a" * 65,
     "<script>&'", "\u{E0001}\u{10FFFF}\u034F", "", "'quoted'", "back\\slash"]
  )

  # MessagePack that no schema describes: [value, …]
  PACKED = Ractor.make_shareable(
    [nil, true, false, 0, 127, 128, 65_536, 1 << 63, -1, -33, -(1 << 40), 1.5, Float::NAN, -Float::INFINITY, *TEXTS,
     "\xFF\xFEraw".b, "b".b * 200, [], {}, [[]], { "a" => { "b" => [1] } },
     { 1 => 2, -1 => 3, nil => 4, true => 5, 2.5 => 6, "word" => 7, "two words" => 8, "" => 9, "é" => 10, "bin".b => 11,
       [1] => 12, { "k" => 1 } => 13, 40_000 => 14, "x" * 80 => 15 }]
  )

  RAW = { message_pack: "\x9D\xD6\xFF\x00\x00\x00\x01\xD7\xFF\x77\x35\x94\x00\x00\x00\x00\x02\xC7\x0C\xFF\x00\x00\x00" \
                        "\x01\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xCA\x3F\xC0\x00\x00\xD4\x05\x2A\xC7\x03\x07abc\xD9\x01x\xCD" \
                        "\x00\x05\xDC\x00\x01\xC0\xDE\x00\x00\xC4\x00\xD8\x0100112233445566\xC7\x60\x09".b + ("e" * 96),
          compact: "\x16#{"\x80" * 11}\x00".b, binary: "\x0B\x00\x01\xFF\xFF\xFF\xFF".b, json_cut: "[1,}",
          json: "{ \"a\" : [ 1 , 2.50, 1e5, -0, \"\\u00e9\\ud83d\\ude00\\n\\/\", null ,true ], \"b\":{\"\\u0041\":{}},\n" \
                "\t\"a\":[], \"n\":123456789012345678901234567890, \"deep\":[[[[{}]]]] }",
          thrift_json: '{ "1":{"tf":1}, "2":{"lst":["i32",2,1,2]},"9":{"map":["str","dbl",2,{"a":1.5,"b":"NaN"}]},' \
                       '"11":{"rec":{"1":{"str":"\u00e9 \\\\ \""}}},"12":{"str":"AP8="},"20":{"uid":' \
                       '"00112233-4455-6677-8899-aabbccddeeff"}}' }.freeze

  WIRES.each do |wire|
    bytes = FULL.encode(wire)
    { "full" => Full, "without_a_class" => nil, "misfits" => Other }.each do |name, klass|
      define_method("test_#{name}_of_#{wire}") { assert_golden("#{name}.#{wire}", bytes, klass, wire) }
    end
    define_method("test_texts_of_#{wire}") do
      assert_golden("texts.#{wire}", Texts.new(texts: TEXTS).encode(wire), Texts, wire)
    end
    define_method("test_selections_of_#{wire}") do
      assert_text("selections.#{wire}", selections(Sparpack::Inspector.new(bytes, Full, from: wire)))
    end
    # The message of the fault and what is open there, wherever the payload is cut.
    define_method("test_cuts_of_#{wire}") do
      cuts = (0..bytes.bytesize).step(3).map { |size| "#{size}: #{last_lines(bytes.byteslice(0, size), wire)}" }
      assert_text("cuts.#{wire}", cuts.join)
    end
  end

  def test_values_of_message_pack
    assert_golden("values.message_pack", Sparpack::MessagePack.pack(PACKED), nil, :message_pack)
  end

  RAW.each do |wire, bytes|
    define_method("test_raw_#{wire}") { assert_golden("raw.#{wire}", bytes, nil, wire.to_s.delete_suffix("_cut").to_sym) }
  end

  # Keys of a mapping's map are ids of fields only if they are numbers of that size.
  def test_ids_as_keys
    bytes = Sparpack::MessagePack.pack({ 1 => true, 3 => 5, 400 => 1, -1 => 2, 70_000 => 3, "name" => "n", 30 => {},
                                                    65_537 => 1, -65_535 => 2, 32_768 => 3, 32_767 => 4 })

    assert_golden("ids.message_pack", bytes, Full, :message_pack)
  end

  # Keys that are structs and containers, with a class, without one, and with another.
  class Keyed < Sparpack::Struct
    field 1, :by_list, map(list(:i16), :i32)
    field 2, :by_leaf, map(Leaf, list(:string))
    field 3, :by_map, map(map(:string, :bool), set(:i8))
  end

  class Keyless < Sparpack::Struct
    field 1, :by_list, map(list(:i64), :string)
    field 2, :by_leaf, map(Texts, list(:string))
    field 3, :by_map, map(:string, set(:i8))
  end

  (WIRES - [:thrift_json]).each do |wire|
    define_method("test_keys_of_#{wire}") do
      keyed = Keyed.new(by_list: { [1, 2] => 3, [] => 4 }, by_leaf: { Leaf.new(text: "t") => %w[a b] },
                        by_map: { { "x" => true } => Set[1] })
      { "keyed" => Keyed, "keyed_alone" => nil, "keyed_wrongly" => Keyless }.each do |name, klass|
        assert_golden("#{name}.#{wire}", keyed.encode(wire), klass, wire)
      end
    end
  end

  # A path that is too long is cut.
  def test_deep_paths
    object = (1..30).reduce(Full.new(by_name: { "ü" * 40 => [1] })) { |inner, _| Full.new(inner:) }

    %i[compact json].each { |wire| assert_golden("deep.#{wire}", object.encode(wire), Full, wire, %i[json]) }
  end

  private

  def assert_golden(name, bytes, klass, wire, forms = %i[tree color text json])
    inspector = Sparpack::Inspector.new(bytes, klass, from: wire)
    shown = forms.map { |form| "=== #{form}\n#{show(inspector, form)}\n" }

    assert_text(name, shown.join)
  end

  def show(inspector, form)
    case form
    when :color then inspector.tree(color: true).tr("\e", "␛")
    when :tree then inspector.tree(strings: 40)
    else inspector.public_send(form)
    end
  end

  def selections(inspector)
    paths = ["inner", "inner.on", "by_name", "by_name[\"x\"]", "by_name[\"x\"][1]", "leaves[0].text", "numbers[1]", "words",
             "14", "14.1", "by_colour", "by_colour[1]", "by_colour[9]", "leaves", "[3]", "none", "numbers.x"]
    shown = paths.map { |path| "=== #{path}\n#{attempt { inspector.tree(path:) }}\n" }
    shown += [0...1, 3..9, 10..10, 40..].map { |range| "=== #{range}\n#{attempt { inspector.tree(range:) }}\n" }
    shown += [0, 1, 5].map { |limit| "=== #{limit}\n#{attempt { inspector.tree(limit:, strings: 3) }}\n" }
    shown.join
  end

  def attempt
    yield
  rescue Sparpack::Error, ArgumentError => e
    "#{e.class}: #{e.message}"
  end

  def last_lines(bytes, wire) = Sparpack::Inspector.new(bytes, Full, from: wire).json.lines.last

  def assert_text(name, text)
    path = "#{FOLDER}/#{name}.txt"
    if ENV["GOLDEN"] == "write"
      FileUtils.mkdir_p(FOLDER)
      File.write(path, text)
    end

    assert_equal File.read(path, encoding: Encoding::UTF_8), text
  end
end
