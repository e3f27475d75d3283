# frozen_string_literal: true

require "test_helper"

# Text that becomes a payload again (Sparpack.assemble).
class AssemblyTest < Minitest::Test
  class Tag < Sparpack::Struct
    field 1, :name, :string
  end

  class Note < Sparpack::Struct
    field 1, :note_id, :i64, required: true
    field 2, :tags, list(Tag)
    field 3, :counts, map(:string, :i32)
  end

  NOTE = Note.new(note_id: 5, tags: [Tag.new(name: "a"), Tag.new(name: "b")], counts: { "x" => 1 })
  WIRES = Sparpack::Inspector::WIRES

  def test_text_of_every_wire_becomes_the_same_bytes
    WIRES.each { |wire| assert_equal NOTE.encode(wire).b, Sparpack.assemble(text(NOTE.encode(wire), wire)), wire }
  end

  def test_sizes_follow_from_a_changed_string
    (WIRES - %i[message_pack json]).each do |wire|
      changed = text(NOTE.encode(wire), wire).sub("\"a\"", "\"#{"long " * 60}\"")

      assert_equal NOTE.with(tags: [Tag.new(name: "long " * 60), NOTE.tags.last]),
                   Note.decode(Sparpack.assemble(changed), wire), wire
    end
  end

  def test_counts_follow_from_the_elements
    element = { compact: "{\n1 string \"c\"\n}", message_pack: "array 2 [\nnil\nstr \"c\"\n]",
json: "{\nkey \"name\"\n\"c\"\n}" }
    WIRES.each do |wire|
      added = element.fetch(wire) { element.fetch(:compact) }
      added = "struct #{added}" if added.start_with?("{") && wire != :json
      lines = text(NOTE.encode(wire), wire).lines
      last = lines.index { |line| line.include?("\"b\"") } + 1
      changed = [*lines[..last], added, "\n", *lines[(last + 1)..]].join

      assert_equal %w[a b c], Note.decode(Sparpack.assemble(changed), wire).tags.map(&:name), wire
    end
  end

  def test_a_payload_that_was_cut_is_mended
    cut = text(NOTE.encode.byteslice(0, 8), :compact)
    mended = "#{cut[/\A.*(?=^# byte)/m]} 1 string \"b\"\n }\n ]\n}\n"

    assert_equal %w[a b], Note.decode(Sparpack.assemble(mended)).tags.map(&:name)
  end

  # Numbers that are longer than they need be, and the like.
  def test_unusual_bytes_stay
    { compact: ["\x16\x8A\x00\x00".b, "\x06\x02\x02\x00".b],
      message_pack: ["\xCD\x00\x05".b, "\xDB\0\0\0\1x".b, "\xCB\x7F\xF8\0\0\0\0\0\1".b],
      json: ["{ \"a\" :\n[1.50 , \"\\u0041\"]}".b, "\"\u202E\"".b], binary: ["\x02\0\1\7\0".b],
      thrift_json: ["{\"1\":{\"dbl\": 1.50}}".b] }.each do |wire, payloads|
      payloads.each do |bytes|
        text = text(bytes, wire)

        assert_equal bytes, Sparpack.assemble(text), text
      end
    end
    assert_includes text("\x16\x8A\x00\x00".b, :compact), "1 i64 5 as 168a00"
  end

  def test_literals
    assert_equal "\x93\xA2\xC3\xA9\xC4\x02\x00\xFF\xC7\x03\x05abc".b,
                 Sparpack.assemble(<<~'TEXT')
                   wire message_pack
                   array [ # no count

                     str "\u00e9"
                     bin x"00ff"
                     ext 5 "\x61bc"
                   ]
                 TEXT
    assert_equal "\xF0\x9F\x98\x80".b, Sparpack.assemble("wire message_pack\nstr \"\\ud83d\\ude00\"").byteslice(1..)
    assert_equal([1.5, -Float::INFINITY], Sparpack.assemble("wire message_pack\narray [\nfloat32 1.5\nfloat64 -inf\n]")
                                                  .then { |bytes| Sparpack::MessagePack.unpack(bytes) })
  end

  def test_errors_say_where_and_what
    { "" => "line 1, column 1: expected a line such as wire compact, found the end of the text",
      "wire" => /\Aline 1, column 5: expected a wire: compact, binary, .*, found the end of the line\z/,
      "wire compat" => /\Aline 1, column 6: expected a wire: compact, binary, .*, found compat\z/,
      "wire compact\nstruct {\n  1 i8 200\n}" => "line 3, column 8: expected i8, a number from -128 to 127, found 200",
      "wire compact\nstruct {\n  i8 2\n}" => "line 3, column 3: expected the id of a field, or }, found i8",
      "wire compact\nstruct {\n  99999 i8 2\n}" => "line 3, column 3: expected a field id from -32768 to 32767, found 99999",
      "wire compact\nstruct {\n  1 i8 2 3\n}" => "line 3, column 10: expected the end of the line, found 3",
      "wire compact\nstruct {\n]" => "line 3, column 1: expected }, found ]",
      "wire binary\nstruct {\n1 list<i8> [\ni16 5" => "line 4, column 1: expected i8, which the list holds, found i16",
      "wire binary\nstruct {\n1 list<i8> [\ni8 5" =>
        "line 3, column 1: expected the number of elements, because the list is not closed, found none",
      "wire binary\nstruct {\n1 map<i8,i8> {\ni8 5" => "line 4, column 1: expected key or }, found i8",
      "wire binary\nstruct {\n1 map<i8,i8> {\nkey i8 5\n}" => "line 5, column 1: expected the value of a key, found }",
      "wire binary\nstruct {\n}\nstruct {\n}" =>
        "line 4, column 1: expected raw or the end of the text, because the payload is complete, found struct",
      "wire json\n{\nkey 5" => "line 3, column 5: expected a key in quotes, found 5",
      "wire json\n\"a" => "line 2, column 1: expected a value of JSON, found \"a",
      "wire message_pack\nstr \"\\q\"" => "line 2, column 6: expected an escape such as \\n, \\u00e9 or \\xff, found \\q",
      "wire message_pack\nraw 0" => "line 2, column 5: expected an even number of hexadecimal digits, found 1 digits",
      "wire compact\ncut here: 5 lines are not shown" => /\Aline 2, column 1: expected a type: .*, found cut\z/,
      "wire compact\n\xFF" => "line 2, column 1: expected UTF-8, found bytes that are not UTF-8" }.each do |text, message|
      error = assert_raises(Sparpack::AssemblyError, text) { Sparpack.assemble(text) }

      message.is_a?(Regexp) ? assert_match(message, error.message) : assert_equal(message, error.message)
      assert_equal error.message[/\d+/].to_i, error.line
    end
    assert_raises(TypeError) { Sparpack.assemble(nil) }
  end

  private

  def text(bytes, wire) = Sparpack::Inspector.new(bytes, from: wire).text
end
