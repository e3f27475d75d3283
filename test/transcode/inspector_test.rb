# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"
require "tempfile"

# What Sparpack::Inspector shows of payloads, whole and broken.
class InspectorTest < Minitest::Test
  class Place < Sparpack::Struct
    field 1, :place_id, :i64, required: true
    field 2, :name, :string, required: true
  end

  module State
    extend Sparpack::Enum

    OPEN = 1
  end

  class House < Sparpack::Struct
    field 1, :house_id, :i64, required: true
    field 2, :lat, :double
    field 3, :state, State
    field 7, :places, list(Place)
    field 8, :labels, map(:string, set(:i32))
    field 9, :free, :bool
  end

  HOUSE = House.new(house_id: 1, lat: 1.25, state: :OPEN, places: [Place.new(place_id: 7, name: "Mitte")],
                    labels: { "a" => [1, -2] }, free: false)
  WIRES = Sparpack::Inspector::WIRES
  HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}&&[^\n]]/

  def test_a_tree
    names = self.class.name
    lines = inspector(HOUSE.encode, House, from: :compact).tree.gsub(/ +$/, "").gsub("#{names}::", "").lines

    assert_equal(<<~TREE.lines, lines.map { |line| line.delete_prefix("  ") })
       0                           (payload)                   House
       0  16 02                      1:house_id                i64               1
       2  17 00 00 00 00 00 00 f4…   2:lat                     double            1.25
      11  15 02                      3:state                   State 1 (OPEN)
      13  49 1c                      7:places                  list<Place> 1 element
      15                               [0]                     Place
      15  16 0e                          1:place_id            i64               7
      17  18 05 4d 69 74 74 65           2:name                string            "Mitte"
      24  00                           end
      25  1b 01 8a                   8:labels                  map<string,set<i32>> 1 pair
      28  01 61 25                     "a"                     set<i32>          2 elements
      31  02                             [0]                   i32               1
      32  03                             [1]                   i32               -2
      33  12                         9:free                    bool              false
      34  00                       end
    TREE
  end

  def test_without_a_schema
    tree = inspector(HOUSE.encode(:binary), from: :binary).tree

    assert_match(/^ +0  0a 00 01 00 00 00 00 00…   1 +i64 +1$/, tree)
    assert_match(/2 +string +"Mitte"$/, tree)
    refute_match(/place|House/, tree)
  end

  def test_names_on_every_wire
    bytes = WIRES.to_h { |wire| [wire, HOUSE.encode(wire)] }
    forms = { message_pack: %i[array names ids] }
    bytes.each_key do |wire|
      forms.fetch(wire, [nil]).each do |keys|
        payload = keys ? HOUSE.encode(wire, keys:) : bytes.fetch(wire)
        rows = rows(inspector(payload, House, from: wire))

        assert_includes rows.map { |row| row["path"] }, "places[0].name", [wire, keys]
        assert_equal "Mitte", rows.find { |row| row["path"] == "places[0].name" }["value"]
        assert_equal "OPEN", rows.find { |row| row["path"] == "state" }["label"]
        assert_empty(rows.select { |row| row["expected"] })
      end
    end
  end

  def test_json_covers_every_byte
    WIRES.each do |wire|
      bytes = HOUSE.encode(wire).b
      rows = rows(inspector(bytes, from: wire))
      gaps = bytes.dup
      rows.each { |row| gaps[row["offset"], row["size"]] = "_" * row["size"] }

      assert_match(/\A[_\s,:]*\z/, gaps, wire)
    end
  end

  def test_numbers_that_other_languages_would_round_are_strings
    rows = rows(inspector("\xCF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF".b, from: :message_pack))

    assert_equal(["18446744073709551615"], rows.map { |row| row["value"] })
    assert_equal([-5], rows(inspector("\xFB".b, from: :message_pack)).map { |row| row["value"] })
    assert_equal(["9007199254740992", "-9007199254740992"],
                 [2**53, -(2**53)].map { |number| rows(inspector(number.to_s, from: :json)).first["value"] })
    assert_equal "nan", rows(inspector("\xCB\x7F\xF8\0\0\0\0\0\0".b, from: :message_pack)).first["value"]
  end

  # --- broken payloads ---------------------------------------------------------------------------------------------------

  def test_the_fault_says_what_would_have_fitted
    bytes = HOUSE.encode
    fault = inspector(bytes.byteslice(0, 21), House, from: :compact).fault

    assert_equal "byte 19, places[0].name: expected at least 3 more bytes of the string, found the end of the input",
                 fault.message
    assert_equal [19, "places[0].name"], [fault.offset, fault.path]

    bytes.setbyte(25, 0x1f)

    assert_equal "byte 25: expected one of Thrift's types, found a code that means none of them",
                 inspector(bytes, House, from: :compact).fault.message
    assert_equal "byte 35: expected the end of the input, found trailing bytes",
                 inspector("#{HOUSE.encode}x", House, from: :compact).fault.message
    assert_nil inspector(HOUSE.encode, House, from: :compact).fault
    assert_equal "byte 1, [0]: expected a format byte, found 0xc1, which no value begins with",
                 inspector("\x91\xC1".b, from: :message_pack).fault.message
  end

  # The grammar is right, but the class asks for more.
  def test_what_a_decode_would_find
    fault = inspector("\x28\x01x\x00".b, Place, from: :compact).fault

    assert_match(/Place\.place_id: expected a required field, found none\z/, fault.message)
  end

  def test_another_type_than_the_schema_has
    tree = inspector("\x18\x01x\x15\x02\x00".b, Place, from: :compact).tree

    assert_match(/1:place_id +string +"x"  ✗ expected i64$/, tree)
    assert_match(/2:name +i32 +1  ✗ expected string$/, tree)
    rows = rows(inspector("\x18\x01x\x15\x02\x00".b, Place, from: :compact))

    assert_equal([nil, "i64", "string", nil], rows.map { |row| row["expected"] })
  end

  def test_every_truncation_shows_what_is_there
    WIRES.each do |wire|
      bytes = HOUSE.encode(wire).b
      whole = inspector(bytes, House, from: wire).tree.lines
      bytes.bytesize.times do |size|
        cut = inspector(bytes.byteslice(0, size), House, from: wire)
        tree = cut.tree

        assert_predicate tree, :valid_encoding?
        assert cut.fault, "#{wire}, #{size} bytes"
        lines = tree.lines.take_while { |line| !line.start_with?("✗") }

        whole_numbers = lines[0...-1] # the last one may be a part of a number in JSON

        assert_equal whole.first(whole_numbers.size), whole_numbers, "#{wire}, #{size} bytes"
        assert_equal bytes.byteslice(0, size), Sparpack.assemble(cut.text)
        cut.json.each_line { |line| JSON.parse(line) }
      end
    end
  end

  # A count that claims more than there is does not hide what is there.
  def test_elements_of_a_list_that_is_cut
    bytes = [15, 1, 10, 1000].pack("Cs>Cl>") + [1, 2, 3].pack("q>*")
    rows = rows(inspector(bytes, from: :binary))

    assert_equal([1, 2, 3], rows.filter_map { |row| row["value"] })
  end

  # --- what reaches a terminal -------------------------------------------------------------------------------------------

  def test_contents_cannot_control_a_terminal
    name = "\e[31m\n\u202E\u009B\u{E0001}\u0000\u007F"
    place = Place.new(place_id: 1, name:)
    WIRES.each do |wire|
      shown = inspector(place.encode(wire), Place, from: wire)
      %i[tree text json].each { |format| refute_match HIDDEN, shown.send(format), [wire, format] }
      assert_equal name, rows(shown).find { |row| row["path"] == "name" }["value"]
    end
    map = Sparpack::MessagePack.pack({ name => { "\xFF\e".b => 1 } })

    refute_match HIDDEN, inspector(map, from: :message_pack).tree
  end

  # All characters of the planes that have such characters. Younger ones than this Ruby knows are escaped, too.
  def test_characters_that_nobody_sees
    all = [*0..0xd7ff, *0xe000..0x1ffff, *0xe0000..0xe1000].pack("U*")
    hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/
    place = Place.new(place_id: 1, name: all)
    %i[compact json].each do |wire|
      shown = inspector(place.encode(wire), Place, from: wire)
      texts = { tree: shown.tree(strings: all.bytesize), text: shown.text, json: shown.json }
      texts.each { |format, text| assert_nil text[/#{hidden}(?<!\n)/], [wire, format] }
      left_out = all.scan(/[^\x00-\x7f]/) - texts[:tree].scan(/[^\x00-\x7f]/)

      assert_empty(left_out.reject { |character| character.match?(hidden) || character.match?(/\p{Cn}/) })
      # Numbers are compared, because a message with the texts would have 300 KB.
      assert_equal all.hash, rows(shown).find { |row| row["path"] == "name" }["value"].hash
      assert_equal place.encode(wire).b.hash, Sparpack.assemble(texts[:text]).hash
    end
  end

  def test_how_characters_are_shown_that_nobody_sees
    { "\u034f" => '\u034f', "\u115f" => '\u115f', "\u3164" => '\u3164', "\ufe0f" => '\ufe0f', "\u202e" => '\u202e',
      "\u2800" => '\u2800', "\u{e0041}" => '\udb40\udc41', "\ue000" => "\ue000" }.each do |name, shown|
      assert_equal shown, inspector(Place.new(place_id: 1, name:).encode, Place, from: :compact).tree[/"(.*)"/, 1]
    end
  end

  # The text grows in steps and may move. The size of the string decides which line meets a step.
  def test_columns_stay_aligned_when_the_text_moves
    (0..120).each do |size|
      bytes = "\x18".b << size << ("x" * size) << ("\x11" * 900) << 0
      lines = Sparpack::Inspector.new(bytes, from: :compact).tree(strings: 200).lines

      assert_equal [59], lines.filter_map { |line| line.index("bool  ") }.uniq, size
    end
  end

  def test_colors_only_if_asked
    plain = inspector(HOUSE.encode, House, from: :compact)

    refute_includes plain.tree, "\e"
    assert_equal plain.tree, plain.tree(color: true).gsub(/\e\[\d+m/, "")
  end

  def test_long_strings_are_cut
    text = "é" * 100
    tree = inspector(Place.new(place_id: 1, name: text).encode, from: :compact).tree(strings: 33)

    assert_includes tree, "\"#{"é" * 16}…\"… (200 bytes)"
    assert_includes inspector(Place.new(place_id: 1, name: text).encode, from: :compact).tree(strings: 200), "\"#{text}\"\n"
  end

  def test_compressed_payloads
    skip "the library for LZ4 is missing" unless Sparpack::Compression.find
    note = "compressed with LZ4: 1,003 bytes when decompressed, which are\n"
    inside = inspector(Sparpack::MessagePack.pack("a" * 1000), from: :message_pack).tree
    %i[lz4 lz4_block].each do |compression|
      bytes = Sparpack::MessagePack.pack("a" * 1000, compression:)

      assert_includes inspector(bytes, from: :message_pack).tree, note + inside, compression
      assert_equal bytes, Sparpack.assemble(inspector(bytes, from: :message_pack).text)
      refute_includes inspector(bytes.chop, from: :message_pack).tree, "compressed"
    end
    ["\xD4\x63\x01".b, "\x91\xD4\x62\x01".b].each do |bytes|
      refute_includes inspector(bytes, from: :message_pack).tree, "compressed"
    end
  end

  def test_what_is_wrong_inside_of_a_compressed_payload
    skip "the library for LZ4 is missing" unless Sparpack::Compression.find
    plain = HOUSE.encode(:message_pack, keys: :names)
    whole, broken = [plain, plain.chop].map { |bytes| inspector(Sparpack::LZ4.deflate(bytes), House) }

    assert_nil whole.fault
    assert_includes whole.tree(path: "places[0].name"), "\"Mitte\"\n"
    assert_equal [plain, House], [whole.inflated.bytes, whole.inflated.struct_class]
    assert_equal inspector(plain.chop, House, from: :message_pack).fault, broken.fault
    assert_equal 1, broken.tree.scan("✗").size
    assert_nil inspector(plain).inflated
  end

  # Readers do not, and a few bytes could be decompressed without end.
  def test_what_is_compressed_twice_is_decompressed_once
    skip "the library for LZ4 is missing" unless Sparpack::Compression.find
    once = Sparpack::LZ4.deflate(Sparpack::MessagePack.pack("a" * 1000))
    twice = inspector(Sparpack::LZ4.deflate(once), from: :message_pack)

    assert_equal 1, twice.tree.scan("compressed with LZ4").size
    assert_match(/^ +0 .* ext +99 /, twice.tree.lines.last)
    assert_equal once, twice.inflated.bytes
    assert_nil twice.inflated.inflated
  end

  Pair = ::Struct.new(:x, :y)

  class Holder < Sparpack::Struct
    field 1, :pair, Sparpack::Mapping.new(Pair, { 1 => :x, 2 => :y }, types: { x: :i32, y: :string })
  end

  def test_mappings
    named = Sparpack::Mapping.new(Pair, %i[x y])
    bytes = Sparpack::Codec.new(named, :message_pack).encode(Pair.new(1, { "a" => [nil] }))
    shown = inspector(bytes, named)

    assert_includes shown.tree, "#{Pair} "
    assert_equal [1], values(shown, "x")
    assert_equal bytes, Sparpack.assemble(shown.text)
    assert_nil shown.fault
    assert_equal "y[\"a\"][0]", inspector(bytes.chop, named).fault.path
    WIRES.each do |wire|
      bytes = Holder.new(pair: Pair.new(3, "ä")).encode(wire, **(wire == :message_pack ? { keys: :ids } : {}))

      assert_equal [3], values(inspector(bytes, Holder, from: wire), "pair.x"), wire
    end
  end

  # --- a part ------------------------------------------------------------------------------------------------------------

  def test_a_limit
    tree = inspector(HOUSE.encode, House, from: :compact).tree(limit: 3)

    assert_equal 4, tree.lines.size
    assert_equal "… 12 more lines\n", tree.lines.last
    assert_match(/\A✗ byte 34: /, inspector(HOUSE.encode.chop, from: :compact).tree(limit: 0).lines[1],
                 "the fault is found anyhow")
  end

  def test_a_path
    shown = inspector(HOUSE.encode, House, from: :compact)

    assert_equal ["Mitte"], values(shown, "places[0].name")
    assert_equal ["Mitte"], values(shown, "7[0].2")
    assert_equal ["Mitte"], values(shown, "places[*].name")
    assert_equal [7, "Mitte"], values(shown, "places")
    assert_equal [1, -2], values(shown, "labels[\"a\"]")
    assert_equal [-2], values(shown, "labels.a[1]")
    assert_empty values(shown, "places[1]")
    assert_equal "nothing is there\n", shown.tree(path: "places[1]")
    { "places[0].nam" => "#{Place} has no field nam (did you mean \"name\"?)",
      "plces[*]" => "#{House} has no field plces (did you mean \"places\"?)" }.each do |path, said|
      assert_equal "nothing is there: #{said}\n", shown.tree(path:)
    end
    assert_equal "nothing is there\n", shown.tree(path: "places.name")
    assert_equal [false], values(inspector(HOUSE.encode(:json), from: :json), "free")
    error = assert_raises(ArgumentError) { shown.tree(path: "places[") }

    assert_equal "wrong path at column 7: expected a name, an id, [index], [\"key\"], [] or *, found \"[\"", error.message
  end

  class Seals < Sparpack::Struct
    field 1, :by_seal, map(:binary, :i32)
  end

  # A key can be copied from the tree into a path, for the inspector and for columns.
  def test_paths_with_keys_of_bytes
    bytes = Seals.new(by_seal: { "\xFF\x00".b => 3, "x" => 4 }).encode
    shown = inspector(bytes, Seals)

    assert_includes shown.tree, 'x"ff00"'
    assert_equal [3], values(shown, 'by_seal[x"ff00"]')
    assert_equal [3], values(shown, 'by_seal["\xFF\x00"]')
    assert_equal [[3], [4]], Seals.columns(bytes, 'by_seal[x"FF00"]', 'by_seal[x"78"]').values
    error = assert_raises(ArgumentError) { shown.tree(path: 'by_seal[x"f"]') }

    assert_equal "wrong path at column 8: expected an even number of hexadecimal digits, found 1 digits", error.message
  end

  def test_a_range
    shown = inspector(HOUSE.encode, House, from: :compact)

    assert_equal([7, "Mitte"], rows(shown, range: 15..20).filter_map { |row| row["value"] })
    assert_equal(["Mitte"], rows(shown, range: 20...21).filter_map { |row| row["value"] })
    assert_equal([false], rows(shown, range: 33..).select { |row| row.key?("value") }.map { |row| row["value"] })
    assert_raises(ArgumentError) { shown.tree(range: 3) }
  end

  # --- the wire ----------------------------------------------------------------------------------------------------------

  def test_the_wire_is_guessed
    WIRES.each do |wire|
      shown = Sparpack::Inspector.new(HOUSE.encode(wire), House)

      assert_equal wire, shown.wire
      assert_match(/\Athese bytes read as /, shown.reason)
    end
    broken = Sparpack::Inspector.new(HOUSE.encode.byteslice(0, 20), House)

    assert_equal :compact, broken.wire
    assert_nil inspector(HOUSE.encode, from: :compact).reason
    error = assert_raises(ArgumentError) { Sparpack::Inspector.new("\x1F\x8B\x08\x00\x00".b) }

    assert_equal "cannot tell the wire: these bytes are gzip data: Zlib.gunzip(bytes)", error.message
    assert_raises(ArgumentError) { Sparpack::Inspector.new("") }
  end

  # It begins like compact, with a uuid and a string.
  def test_a_payload_that_only_begins_like_another_wire
    bytes = [0xDD, 1000].pack("CN") + (([0xDA, 1000].pack("Cn") + ("x" * 1000)) * 1000)
    shown = Sparpack::Inspector.new(bytes)

    assert_equal [:message_pack, "a guess: this wire reads all bytes, and compact does not", nil],
                 [shown.wire, shown.reason, shown.fault]
    assert_equal :compact, Sparpack::Inspector.new(bytes.chop).wire, "nothing reads all bytes, so the guess stays"
  end

  def test_wrong_calls
    assert_raises(TypeError) { Sparpack::Inspector.new(1) }
    assert_raises(TypeError) { Sparpack::Inspector.new("", String) }
    error = assert_raises(ArgumentError) { Sparpack::Inspector.new("", from: :binari) }

    assert_match(/unknown wire :binari \(did you mean :binary/, error.message)
    shown = inspector("\x00".b, from: :compact)
    assert_raises(ArgumentError) { shown.write(+"", :pdf) }
    assert_raises(ArgumentError) { shown.write(+"", :tree, limits: 1) }
    { limit: [-1, 1.5, 1 << 64], strings: ["3"], range: [3, 1.5..2, nil..."b"] }.each do |option, values|
      values.each { |value| assert_raises(ArgumentError, "#{option}: #{value}") { shown.tree(option => value) } }
    end
    assert_equal shown.tree, shown.tree(range: 0..(1 << 70))
    assert_equal "#<Sparpack::Inspector 1 bytes, compact>", shown.inspect
    assert_predicate shown, :frozen?
  end

  def test_pieces
    bytes = Sparpack::MessagePack.pack((0..60_000).to_a)
    pieces = []
    inspector(bytes, from: :message_pack).write(pieces, :tree)

    assert_operator pieces.size, :>, 4
    assert_operator pieces.map(&:bytesize).max, :<, 1 << 19
    assert_equal 60_002, pieces.join.lines.size
    assert_equal pieces.join, inspector(bytes, from: :message_pack).tree
    Tempfile.create("tree") do |file|
      inspector(bytes, from: :message_pack).write(file, :tree)

      assert_equal pieces.join, File.read(file.tap(&:flush).path, encoding: "UTF-8")
    end
  end

  def test_under_garbage_collection
    bytes = HOUSE.encode(:message_pack)
    expected = inspector(bytes, House, from: :message_pack)
    trees = [expected.tree, expected.text, expected.json(path: "places[*]")]
    GC.stress = true
    again = Sparpack::Inspector.new(bytes, House, from: :message_pack)
    found = [again.tree, again.text, again.json(path: "places[*]")]
    GC.stress = false

    assert_equal trees, found
  ensure
    GC.stress = false
  end

  private

  def inspector(bytes, struct_class = nil, **options) = Sparpack::Inspector.new(bytes, struct_class, **options)
  def rows(inspector, **options) = inspector.json(**options).lines[..-2].map { |line| JSON.parse(line) }
  def values(inspector, path) = rows(inspector, path:).select { |row| row.key?("value") }.map { |row| row["value"] }
end
