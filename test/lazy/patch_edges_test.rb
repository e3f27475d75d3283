# frozen_string_literal: true

require "json"
require "test_helper"
require "support/reading"
require "support/wire_forms"

using WireForms

# A patch of what is empty, unusual or of another type, and what it leaves as it is.
class PatchEdgesTest < Minitest::Test
  extend Reading::Wires

  class Leaf < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :open, :bool
    field 4, :tags, list(:string)
  end

  class Choice < Sparpack::Union
    field 1, :text, :string
    field 2, :leaf, Leaf
    field 3, :flag, :bool
  end

  class Tree < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :bool
    field 3, :leaves, list(Leaf)
    field 4, :by_name, map(:string, :i32)
    field 5, :by_number, map(:i64, Leaf)
    field 6, :by_real, map(:double, :i32)
    field 7, :grid, list(list(:i32))
    field 8, :choice, Choice
    field 9, :tree, -> { Tree }
    field 10, :texts, list(:string)
    field 11, :text, :string
  end

  # Other versions of these classes, in which `open`, `flag` and the union's `text` have other types.
  class OtherLeaf < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :open, :i32
    field 4, :tags, list(:string)
  end

  class OtherChoice < Sparpack::Union
    field 1, :text, :i32
    field 2, :leaf, OtherLeaf
  end

  class OtherTree < Sparpack::Struct
    field 1, :id, :i32
    field 2, :flag, :string
    field 3, :leaves, list(OtherLeaf)
    field 4, :by_name, map(:string, :i32)
    field 5, :by_number, map(:i64, OtherLeaf)
    field 6, :by_real, map(:double, :i32)
    field 7, :grid, list(list(:i32))
    field 8, :choice, OtherChoice
    field 9, :tree, -> { OtherTree }
    field 10, :texts, list(:string)
    field 11, :text, :string
  end

  # @return [OtherLeaf, Leaf] one of many
  def self.leaf(type, **more) = type.new(id: 3, name: "c", tags: %w[x y], **more)

  FIELDS = {
    id: 1, by_name: { "a" => 1, "ä\"" => 2 }, by_real: { 0.5 => 2, 1e300 => 1 }, grid: [[1, 2], [], [3]],
    texts: %w[a b], text: "end"
  }.freeze
  TREE = Tree.new(
    **FIELDS, leaves: [Leaf.new(id: 1), leaf(Leaf)], by_number: { 0 => leaf(Leaf) }, choice: Choice.leaf(leaf(Leaf)),
              tree: Tree.new(id: 2)
  ).freeze(deep: true)
  OTHER = OtherTree.new(
    **FIELDS, flag: "x", leaves: [OtherLeaf.new(id: 1, open: 7), leaf(OtherLeaf)],
              by_number: { 0 => leaf(OtherLeaf, open: 7) }, choice: OtherChoice.leaf(leaf(OtherLeaf, open: 7)),
              tree: OtherTree.new(id: 2, flag: "x")
  ).freeze(deep: true)

  CHANGES = {
    [:id] => 5, [:by_name, "ä\""] => 5, [:by_number, 0, :name] => "z", [:by_real, 1e300] => 7, [:grid, 0, 1] => 8,
    [:grid, -1, 0] => 8, [:texts, -1] => "z", [:leaves, 0, :tags] => [], [:leaves, 1, :name] => nil,
    [:leaves, 1, :tags, 0] => "z", [:leaves, 0, :open] => true, [:choice, :leaf, :id] => 9, [:tree, :id] => 6,
    [:tree, :flag] => true, [:flag] => false
  }.freeze

  each_wire "changes behind others, in any order" do |wire|
    codec = Tree.codec(wire)
    CHANGES.to_a.permutation(2) do |pair|
      changes = { **pair.to_h, [:text] => "new" }

      assert_equal changed(TREE, changes), codec.decode(codec.patch(codec.encode(TREE), changes)), changes.inspect
    end
  end

  each_wire "each alone, and one behind it" do |wire|
    codec = Tree.codec(wire)
    CHANGES.each do |path, value|
      [{ path => value }, { path => value, [:text] => "new" }].each do |changes|
        assert_equal changed(TREE, changes), codec.decode(codec.patch(codec.encode(TREE), changes)), changes.inspect
      end
    end
  end

  # A decode skips `flag` and `open`, and a patch leaves them as they are.
  each_wire "beside fields of another type" do |wire|
    codec = Tree.codec(wire, mismatch: :skip)
    bytes = OTHER.encode(wire)

    assert_equal TREE, codec.decode(bytes)
    CHANGES.each do |path, value|
      [{ path => value }, { path => value, [:text] => "new" }].each do |changes|
        patched = codec.patch(bytes, changes)

        assert_equal changed(TREE, changes), codec.decode(patched), changes.inspect
        next if %i[flag open].include?(path.last)

        assert_equal changed(OTHER, changes), OtherTree.decode(patched, wire), changes.inspect
      end
    end
    assert_equal OTHER.with(id: nil), OtherTree.decode(codec.patch(bytes, [:id] => nil), wire)
  end

  each_wire "beside text that is not UTF-8, and a field of another type" do |wire|
    other = OTHER.with(texts: ["\xff", "b"], by_name: { "\xff" => 1, "a" => 2 },
                       leaves: [OtherLeaf.new(id: 1, name: "\xfe")])
    codec = Tree.codec(wire, mismatch: :skip, utf8: :keep)
    [{ [:text] => "new" }, { [:texts, 1] => "z" }, { [:by_name, "a"] => 3 }, { [:by_name, "\xff"] => 3 },
     { [:leaves, 0, :id] => 2 }, { [:leaves, 0, :name] => "z", [:text] => "new" }].each do |changes|
      patched = codec.patch(other.encode(wire, utf8: :keep), changes)

      assert_equal changed(other, changes), OtherTree.decode(patched, wire, utf8: :keep), changes.inspect
    end
  end

  class Numbers < Sparpack::Struct
    field 8, :choice, OtherChoice
    field 10, :texts, list(:i32)
    field 11, :text, :string
  end

  each_wire "what has another type is not there", %i[binary compact thrift_json] do |wire|
    codec = Tree.codec(wire, mismatch: :skip)
    bytes = Numbers.new(choice: OtherChoice.text(5), texts: [5], text: "x").encode(wire)
    [[:texts, 0], %i[choice text]].each do |path|
      error = assert_raises(Sparpack::EncodeError) { codec.patch(bytes, path => "z") }

      assert_match(/\APatchEdgesTest::Tree\.#{path.first}\b.*: expected a value to change, found none/, error.message)
    end
    assert_equal ["z"], codec.decode(codec.patch(bytes, [:texts] => ["z"])).texts
    assert_equal Numbers.decode(bytes, wire).with(text: nil),
                 Numbers.decode(codec.patch(bytes, %i[choice text] => nil, [:text] => nil), wire)
  end

  class Loose < Sparpack::Struct
    field 1, :a, :i32
    field 2, :b, :i32
    field 3, :c, :i32
  end

  each_wire "fields are added in the order of their ids" do |wire|
    codec = Loose.codec(wire)
    values = { a: 1, b: 2, c: 3 }
    (1..3).flat_map { |size| values.to_a.permutation(size).to_a }.each do |some|
      patched = codec.patch(codec.encode(Loose.new), some.to_h { |name, value| [[name], value] })

      assert_equal codec.encode(Loose.new(**some.to_h)), patched
    end
  end

  each_wire "a value may begin with a byte that is a space" do |wire|
    codec = Loose.codec(wire)
    [-7, -5, 5, 9, 10, 13, 16, 32, 0x20202020, 0x0a0a0a0a].each do |number|
      assert_equal codec.encode(Loose.new(a: 1, b: 2)), codec.patch(codec.encode(Loose.new(a: number, b: 2)), [:a] => 1)
    end
  end

  # The head of a map of MessagePack has one byte for up to 15 entries, and three for more.
  Many = Class.new(Sparpack::Struct) { (1..20).each { |id| field id, :"f#{id}", :i32 } }

  each_wire "structs with about 15 fields", %i[message_pack message_pack_names message_pack_ids] do |wire|
    codec = Many.codec(wire)
    (12..18).to_a.permutation(2) do |from, to|
      before, after = [from, to].map { |count| Many.new(**(1..count).to_h { |id| [:"f#{id}", id] }) }
      changes = (1..20).to_h { |id| [[:"f#{id}"], id <= to ? id : nil] }

      assert_equal codec.encode(after), codec.patch(codec.encode(before), changes)
    end
  end

  Far = Class.new(Sparpack::Struct) do
    field(-1, :minus, :i32, implicit: true)
    field 0, :zero, :i32
    field 1, :a, :i32
    field 4, :d, :i32
  end

  def test_arrays_that_end_early
    codec = Sparpack::Codec.new(Far, :message_pack, keys: :names)

    assert_equal "\x95\xc0\x01\xc0\xc0\x05".b, codec.patch("\x92\xc0\x01".b, [:d] => 5)
    assert_equal "\x95\x07\x06\xc0\xc0\x05".b, codec.patch("\x90".b, [:d] => 5, [:a] => 6, [:zero] => 7)
    assert_equal "\x92\xc0\xc0".b, codec.patch("\x92\xc0\x01".b, [:a] => nil)
    assert_raises(Sparpack::SchemaError) { codec.patch("\x92\xc0\x01".b, [:minus] => 5) }
  end

  def test_members_that_are_null
    { ['{"id":null,"text":null,"flag":true}', { [:id] => 5, [:text] => "x" }] => '{"id":5,"text":"x","flag":true}',
      ['{"id":null,"text":null}', { [:text] => "x", [:flag] => true }] => '{"id":null,"text":"x","flag":true}',
      ['{"choice":{"text":null,"flag":true}}', { %i[choice text] => nil, %i[choice flag] => false }] =>
        '{"choice":{"text":null,"flag":false}}' }.each do |(text, changes), expected|
      assert_equal expected, Tree.patch(text, changes, wire: :json)
    end
    { '{"tree":null}' => %i[tree id], '{"choice":{"text":null,"flag":true}}' => %i[choice text],
      '{"texts":null}' => [:texts, 0] }.each do |text, path|
      error = assert_raises(Sparpack::EncodeError, text) { Tree.patch(text, { path => path.last == :id ? 1 : "x" }, wire: :json) }

      assert_match(/expected a value to change, found none/, error.message)
    end
    assert_raises(Sparpack::EncodeError) { Tree.codec(:message_pack).patch("\x9a#{"\xc0" * 10}".b, %i[tree id] => 1) }
  end

  each_wire "what a union does not have can be removed" do |wire|
    codec = Tree.codec(wire)
    bytes = codec.encode(TREE)

    assert_equal bytes, codec.patch(bytes, %i[choice text] => nil)
    assert_equal TREE.with(text: "new"), codec.decode(codec.patch(bytes, %i[choice flag] => nil, [:text] => "new"))
  end

  def test_what_is_left_of_thrifts_json_is_checked
    text = '{"1":{"i32":5},"11":{"str":"x"'
    [text, "#{text} ", "#{text}]", "#{text},", "#{text} ]}"].each do |broken|
      assert_raises(Sparpack::DecodeError) { Tree.patch(broken, { [:text] => nil }, wire: :thrift_json) }
    end
    assert_equal '{"1":{"i32":5}}', Tree.patch("#{text} }}", { [:text] => nil }, wire: :thrift_json)
  end

  # Many keys are looked for by their hashes.
  each_wire "many entries of a map" do |wire|
    names = (1..60).to_h { |number| ["#{"ä\"" if number.odd?}#{number}", number] }
    tree = TREE.with(by_name: names, by_real: names.values.to_h { |number| [number * 1.5, number] })
    codec = Tree.codec(wire)
    [1, 15, 16, 17, 40].product(%i[itself reverse shuffle]) do |count, order|
      some = names.keys.select.with_index { |_, index| index % 3 != 1 }.first(count).public_send(order)
      changes = some.to_h { |name| [[:by_name, name], -1] }.merge(some.to_h { |name| [[:by_real, names[name] * 1.5], -2] })

      assert_equal changed(tree, changes), codec.decode(codec.patch(codec.encode(tree), changes))
      [{ [:by_name, "no"] => 1 }, { [:by_real, 0.7] => 1 }].each do |missing|
        error = assert_raises(Sparpack::EncodeError) { codec.patch(codec.encode(tree), { **changes, **missing }) }

        assert_match(/expected a value to change, found none/, error.message)
      end
    end
  end

  each_wire "indexes in any order" do |wire|
    tree = TREE.with(texts: ("a".."z").to_a)
    codec = Tree.codec(wire)
    [[0, 5, 3], [-1, -2, 7, 0], [3, -3, 1, -26], [25, 24, -3], [-5, -4, -3], [7, -18]].each do |indexes|
      changes = { **indexes.to_h { |index| [[:texts, index], "new #{index}"] }, [:text] => "new" }

      assert_equal changed(tree, changes), codec.decode(codec.patch(codec.encode(tree), changes)), indexes.inspect
    end
    several = TREE.with(leaves: Array.new(7) { |id| Leaf.new(id:) })
    changes = { [:leaves, 5, :id] => 50, [:leaves, 2, :id] => 20, [:leaves, 5, :name] => "n", [:leaves, 2, :open] => true }

    assert_equal changed(several, changes), codec.decode(codec.patch(codec.encode(several), changes))
    error = assert_raises(ArgumentError) { codec.patch(codec.encode(tree), [:texts, 3] => "", [:texts, -23] => "") }

    assert_match(/\Atwo paths lead to the same element, \[-23\] and \[3\]/, error.message)
  end

  # It may take as much memory as if the compressed bytes were the payload.
  def test_a_compressed_payload_that_takes_too_much
    Sparpack::LZ4.name
    bytes = Sparpack::Codec.new(Tree, :message_pack, compression: :lz4).encode(Tree.new(id: 1, text: "z" * 30_000_000))
    codec = Sparpack::Codec.new(Tree, :message_pack)

    [-> { codec.decode(bytes) }, -> { codec.dig(bytes, :id) }, -> { codec.patch(bytes, [:id] => 2) }].each do |call|
      assert_raises(Sparpack::DecodeError::LimitExceeded, &call)
    end
  end

  # What was decompressed may be longer than the payload, and the first key of a struct may stand anywhere in it.
  def test_a_compressed_payload_of_another_form
    Sparpack::LZ4.name
    writer = Sparpack::Codec.new(Tree, :message_pack, keys: :names, compression: :lz4)
    patcher = Sparpack::Codec.new(Tree, :message_pack, keys: :ids)
    noise = Random.new(1).bytes(300).unpack1("H*")
    (0..40).each do |more|
      text = "z" * (more * 255)
      bytes = writer.encode(Tree.new(by_name: { noise => 1, "z" * 50 => 2 }, tree: Tree.new(id: 2), text:))
      patched = patcher.patch(bytes, %i[tree flag] => true)

      assert_equal({ "id" => 2, "flag" => true }, Sparpack::MessagePack.unpack(patched)["tree"])
    end
  end

  Holder = Struct.new(:x)

  def test_what_messages_say
    untyped = Sparpack::Codec.new(Sparpack::Mapping.new(Holder, { 0 => :x }), :message_pack)
    { [Tree.codec, { [:by_name] => {}, [:by_name, "a"] => 1 }] => /overlap: .* is one of them/,
      [Tree.codec, { [:by_name, "a"] => 1, [:by_name] => {} }] => /overlap: .* is one of them/,
      [Tree.codec, { [:tree] => Tree.new, %i[tree id] => 1 }] => /overlap: .* is one of them/,
      [Tree.codec, { [:by_number, 7, :id] => 1 }] => /\APatchEdgesTest::Tree\.by_number\[7\]: expected a value to change/,
      [Tree.codec, { [:grid, 0, 5] => 1 }] => /\APatchEdgesTest::Tree\.grid\[0\]\[5\]: expected a value to change/,
      [untyped, { [:x, "a"] => 1 }] => /type/ }.each do |(codec, changes), message|
      bytes = codec == untyped ? codec.encode(Holder.new({ "a" => 1 })) : codec.encode(TREE)
      error = assert_raises(ArgumentError, Sparpack::EncodeError) { codec.patch(bytes, changes) }

      assert_match message, error.message
    end
  end

  each_wire "a value goes as deep as an encode" do |wire|
    value = Tree.new(tree: Tree.new(tree: Tree.new, grid: [[1]]))
    inner = { %i[tree tree] => value.tree, %i[tree grid] => nil }
    (1..8).each do |depth|
      codec = Tree.codec(wire, limits: Sparpack::Limits.new(depth:))
      results = [-> { codec.decode(codec.encode(Tree.new(id: 1, tree: value))) },
                 -> { codec.decode(codec.patch(codec.encode(Tree.new(id: 1)), [:tree] => value)) },
                 -> { codec.decode(codec.patch(codec.encode(Tree.new(id: 1, tree: Tree.new)), inner)) }]
      found = results.map { |call| outcome(&call) }

      assert_equal [found.first], found.uniq
    end
  end

  private

  def outcome
    yield
  rescue Sparpack::EncodeError, Sparpack::DecodeError => e
    [e.class, e.message]
  end

  def changed(object, changes)
    copy = object.dup(deep: true)
    changes.each do |(*way, last), value|
      parent = way.inject(copy) { |inner, step| inner[step] }
      parent[last] = value
    end
    copy
  end
end
