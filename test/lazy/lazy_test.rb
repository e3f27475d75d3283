# frozen_string_literal: true

require "test_helper"
require "support/deadline"

# What a user sees of `lazy: true`, by example.
class LazyTest < Minitest::Test
  include Deadline

  WIRES = %i[compact binary message_pack].freeze

  class Note < Sparpack::Struct
    field 1, :text, :string
    field 2, :stars, :i32
    field 3, :lang, :string
    field 4, :day, :i32
    field 5, :links, list(:string)
  end

  # So few fields are made at once.
  class Point < Sparpack::Struct
    field 1, :x, :i32
    field 2, :name, :string
  end

  class Path < Sparpack::Struct
    field 1, :points, list(Point)
    field 2, :first, Point
  end

  class Choice < Sparpack::Union
    field 1, :note, Note
    field 2, :number, :i64
  end

  class Shop < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string
    field 3, :score, :double
    field 4, :open, :bool
    field 5, :notes, list(Note)
    field 6, :best, Note
    field 7, :tags, map(:string, set(:i32))
    field 8, :choice, Choice
    field 9, :labels, list(:string), default: ["new"]
    field 10, :photo, :binary
    field 11, :big, :i64
  end

  class Shops < Sparpack::Struct
    field 1, :shops, list(Shop)
    field 2, :next_page, :i32
  end

  # It knows less than Shop.
  class Sign < Sparpack::Struct
    field 1, :id, :i64
    field 6, :best, Note
  end

  class Mark < Sparpack::Struct
    field 2, :stars, :i32
    field 5, :links, list(:string)
    field 7, :more, list(:string)
  end

  class Kiosk < Sparpack::Struct
    field 1, :id, :i64
    field 6, :best, Mark
    field 7, :tags, map(:string, set(:i32))
    field 9, :labels, list(:string)
    field 10, :photo, :binary
  end

  class Kiosks < Sparpack::Struct
    field 1, :shops, list(Kiosk)
  end

  def shop(id = 7)
    Shop.new(id:, name: "Spätkauf #{id}", score: 0.5, open: true, best: Note.new(text: "gut", stars: 5),
             notes: [Note.new(text: "ja", stars: 1), Note.new(text: "nein")], tags: { "a" => Set[1, 2] },
             choice: Choice.new(note: Note.new(text: "x")), photo: "\xff\x00".b, big: 1 << (63 - 1))
  end

  def shops = Shops.new(shops: Array.new(5) { |id| shop(id) }, next_page: 2)

  def lazy?(object) = Sparpack::Native.lazy?(object)

  def each_wire
    WIRES.each do |wire|
      yield Sparpack::Codec.new(Shop, wire, lazy: true), Sparpack::Codec.new(Shop, wire)
    end
  end

  def test_a_field_is_made_when_it_is_read_and_only_once
    each_wire do |codec, eager|
      object = codec.decode(eager.encode(shop))

      assert lazy?(object)
      assert lazy?(object.best)
      assert lazy?(object.notes.first)
      assert_instance_of Shop, object
      Shop.schema.fields.each { |field| assert_equal shop[field.name], object.public_send(field.name), field.name }
      %i[name notes best tags choice labels photo].each { |name| assert_same object[name], object.public_send(name) }
      assert_equal "Spätkauf 7", object.name
      assert_equal [Encoding::UTF_8, Encoding::BINARY], [object.name.encoding, object.photo.encoding]
      refute_predicate object.name, :frozen?
      assert lazy?(object)
    end
  end

  def test_small_structs_are_made_at_once_unless_their_strings_are_long
    path = Path.new(points: Array.new(40) { |x| Point.new(x:, name: "p") }, first: Point.new(x: 1))
    object = Path.decode(path.encode, lazy: true)

    assert lazy?(object)
    refute lazy?(object.first)
    refute lazy?(object.points.first)
    path.points.first.name = path.first.name = "x" * 10_000
    object = Path.decode(path.encode, lazy: true)

    assert lazy?(object.first)
    assert lazy?(object.points.first)
    assert_equal path, object
  end

  # The places of many elements are noted while they are checked.
  def test_long_lists
    each_wire do |codec, _|
      [1, 15, 16, 17, 64, 65, 200].each do |count|
        all = Shops.new(shops: Array.new(count) { |id| shop(id) })
        object = Sparpack::Codec.new(Shops, codec.wire, lazy: true).decode(all.encode(codec.wire))

        assert_equal count, object.shops.size
        assert(object.shops.all? { |each| lazy?(each) })
        assert_equal shop(count - 1).name, object.shops.last.name
        object.shops[count / 2].name = "neu"
        all.shops[count / 2].name = "neu"

        assert_equal all.encode(codec.wire), object.encode(codec.wire)
        assert_equal all, object
      end
    end
  end

  def test_a_class_decodes_lazily_too
    assert lazy?(Shop.decode(shop.encode, lazy: true))
    assert lazy?(Shop.decode(shop.encode(:binary), :binary, lazy: true))
    refute lazy?(Shop.decode(shop.encode, lazy: false))
  end

  def test_streams
    bytes = [shop(1), shop(2), shop(3)].map(&:encode)
    codec = Sparpack::Codec.new(Shop, lazy: true)
    objects = codec.decode_each(bytes.join).to_a + codec.decode_each(StringIO.new(bytes.join)).to_a
    objects << codec.decode_from(StringIO.new(bytes.first)) << codec.load(bytes[1]) << codec.decode_prefix(bytes[2]).first
    framed = StringIO.new
    2.times { |id| codec.encode_to(framed, shop(id + 1), frame: :varint) }
    framed.rewind
    objects.concat(codec.decode_each(framed, frame: :varint).to_a)

    assert(objects.all? { |object| lazy?(object) })
    assert_equal [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2], objects.map(&:id)
    assert_equal [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2].map { |id| "Spätkauf #{id}" }, objects.map(&:name)
  end

  # What an ordinary object answers, a lazy one does, each time it is decoded.
  SAME = {
    "==" => ->(object, other) { [object == other, other == object, object != other] },
    "eql?" => ->(object, other) { [object.eql?(other), other.eql?(object)] },
    "hash" => ->(object, _) { object.hash },
    "inspect" => ->(object, _) { object.inspect },
    "to_h" => ->(object, _) { [object.to_h, object.to_h(deep: true)] },
    "to_json" => ->(object, _) { [object.to_json, object.to_json(only: [:name])] },
    "as_json" => ->(object, _) { object.as_json },
    "with" => ->(object, _) { object.with(id: 9) },
    "dup" => ->(object, _) { [object.dup, object.dup(deep: true), object.clone] },
    "Marshal" => ->(object, _) { Marshal.load(Marshal.dump(object)) },
    "pattern" => ->(object, _) { (object in { name: /kauf/, best: { stars: 5 } }) && object.deconstruct_keys(nil) },
    "[]" => ->(object, _) { [object[:name], object["best"], object.set?(:big)] },
    "dig" => ->(object, _) { object.respond_to?(:dig) && object.dig(:notes, 1, :text) },
    "validate" => ->(object, _) { [object.valid?, object.errors] },
    "encode" => ->(object, _) { Sparpack::WIRES.map { |wire| object.encode(wire) } },
    "new" => ->(object, _) { Shops.new(shops: [object]).encode(:json) },
    "Hash" => ->(object, other) { { object => 1 }[other] },
    "Set" => ->(object, other) { Set[object, other].size },
    "from_h" => ->(object, _) { Shops.from_h({ shops: [object] }) },
    "convert" => ->(object, _) { Shop.convert(object.encode, from: :compact, to: :json) }
  }.freeze

  SAME.each do |name, call|
    define_method("test_it_answers_like_an_ordinary_one_to_#{name}") do
      each_wire do |codec, eager|
        bytes = eager.encode(shop)

        assert_equal call.call(eager.decode(bytes), shop), call.call(codec.decode(bytes), shop)
        assert_equal call.call(eager.decode(bytes), shop), call.call(codec.decode(bytes), codec.decode(bytes))
      end
    end
  end

  def test_what_is_set_is_kept
    each_wire do |codec, eager|
      bytes = eager.encode(shop)
      changes = { name: "neu", score: nil, notes: [Note.new(text: "z")], best: Note.new(stars: 1), id: 1 << 40, tags: {} }
      changes.each do |name, value|
        lazy = codec.decode(bytes)
        ordinary = eager.decode(bytes)
        [lazy, ordinary].each { |object| object[name] = value }

        assert_equal value.inspect, lazy.public_send(name).inspect
        assert_equal eager.encode(ordinary), codec.encode(lazy)
        assert_equal ordinary, lazy
      end
    end
  end

  def test_what_is_changed_in_place_is_written
    each_wire do |codec, eager|
      bytes = eager.encode(shop)
      changes = [->(o) { o.name << "!" }, ->(o) { o.notes[1].text = "doch" }, ->(o) { o.notes << Note.new(stars: 3) },
                 ->(o) { o.best.stars += 1 }, ->(o) { o.tags["b"] = Set[3] }, ->(o) { o.labels << "x" }, lambda { |o|
                                                                                                           o.notes.clear
                                                                                                         },
                 ->(o) { o.choice.note.text = "y" }, ->(o) { o.notes.each { |note| note.text&.upcase! } }]
      changes.each do |change|
        lazy = codec.decode(bytes)
        ordinary = eager.decode(bytes)
        [lazy, ordinary].each(&change)

        assert_equal eager.encode(ordinary), codec.encode(lazy)
        assert_equal eager.encode(ordinary), lazy.encode(codec.wire)
        assert_equal ordinary, lazy
      end
    end
  end

  # An absent field has its default, and nobody could see that it was changed.
  def test_a_default_that_is_changed_in_place_is_written
    %i[compact binary].each do |wire|
      bytes = Bare.new(shops: Array.new(20) { Sign.new(id: 1) }).encode(wire) # without labels
      object = Shops.decode(bytes, wire, lazy: true)
      object.shops[3].labels << "more"
      again = Shops.decode(object.encode(wire), wire)

      assert_equal [%w[new more], %w[new]], again.shops[3, 2].map(&:labels)
    end
  end

  class Bare < Sparpack::Struct
    field 1, :shops, list(Sign)
  end

  # A field that comes again takes memory again.
  def test_fields_that_come_again
    codec = Sparpack::Codec.new(Note, :binary, limits: Sparpack::Limits.new(memory: 20_000))
    field = Note.new(text: "x" * 30).encode(:binary).b.chop
    lang = Note.new(lang: "y" * 30).encode(:binary).b.chop
    bytes = "#{(field + lang) * 400}\0".b
    errors = [-> { codec.decode(bytes) }, -> { codec.check(bytes) },
              -> { Note.decode(bytes, :binary, lazy: true, limits: codec.options[:limits]) }].map do |call|
      assert_raises(Sparpack::DecodeError::LimitExceeded, &call).message
    end

    assert_equal 1, errors.uniq.size
    object = Note.decode("#{(field + lang) * 3}\0".b, :binary, lazy: true)

    assert_equal ["x" * 30, "y" * 30], [object.text, object.lang]
  end

  def test_a_field_of_another_type_is_refused_as_always
    object = Shop.decode(shop.encode, lazy: true)
    object.name = 5
    error = assert_raises(Sparpack::EncodeError) { object.encode }

    assert_equal "LazyTest::Shop.name", error.path
    object.id = nil

    assert_raises(Sparpack::EncodeError::MissingField) { Shop.decode(shop.encode, lazy: true).tap { |o| o.id = nil }.encode }
    assert_raises(NoMethodError) { object.nothing }
    assert_raises(ArgumentError) { object[:nothing] }
    assert_raises(ArgumentError) { Shop.decode(shop.encode, lazy: 1) }
  end

  # What came goes out as it came, however it was written.
  def test_untouched_parts_keep_their_bytes
    long = "\x16\x8e\x00\x00".b # the number 7 in more bytes than it needs

    assert_equal long, Shop.decode(long, lazy: true).encode
    refute_equal long, Shop.decode(long).encode
  end

  def test_untouched_parts_of_message_pack_keep_their_form
    forms = %i[array names ids].to_h { |keys| [keys, Sparpack::Codec.new(Shops, :message_pack, keys:, lazy: true)] }
    forms.each_value do |from|
      bytes = from.encode(shops)
      forms.each_value do |to|
        object = from.decode(bytes)
        expected = to.encode(shops)

        assert_equal expected, to.encode(object)
        assert_equal expected, to.encode(to.decode(bytes))
        object.shops[2].id = 99

        assert_equal to.encode(shops.tap { |all| all.shops[2].id = 99 }), to.encode(object)
      end
    end
    long = "\x92\xc0\xd1\x00\x07".b # the number 7 in more bytes than it needs

    codec = Sparpack::Codec.new(Sign, :message_pack, lazy: true)

    assert_equal long, codec.encode(codec.decode(long))
  end

  def test_mixed_forms_are_written_in_one
    codec = Sparpack::Codec.new(Shops, :message_pack, keys: :array, lazy: true)
    array, names = %i[array names].map { |keys| Sparpack::Codec.new(Shop, :message_pack, keys:).encode(shop) }
    mixed = "\x92\xc0\x92".b + array + names

    assert lazy?(codec.decode(mixed))
    assert_equal "\x93\xc0\x92".b + array + array + "\xc0".b, codec.encode(codec.decode(mixed))
  end

  def test_untouched_parts_of_a_changed_object_keep_theirs
    codec = Sparpack::Codec.new(Shops, lazy: true)
    object = codec.decode(shops.encode)
    object.next_page = 9

    assert_equal shops.with(next_page: 9).encode, codec.encode(object)
    object.shops[2].best.text = "neu"
    expected = shops.with(next_page: 9)
    expected.shops[2].best.text = "neu"

    assert_equal expected.encode, codec.encode(object)
    assert lazy?(object)
    assert lazy?(object.shops[1])
    assert_equal expected.encode(:binary), object.encode(:binary)
  end

  def test_unknown_fields_are_dropped_as_always
    bytes = shop.encode
    [{}, { unknown: :keep }].each do |options|
      eager = Sign.decode(bytes, **options)
      lazy  = Sign.decode(bytes, lazy: true, **options)

      assert_equal eager, lazy
      assert_equal eager.encode, Sign.decode(bytes, lazy: true, **options).encode
    end
    assert_raises(Sparpack::DecodeError) { Sign.decode(bytes, lazy: true, unknown: :reject) }
  end

  KEPT_CHANGES = [
    ->(_) {}, ->(kiosks) { kiosks.shops[1].id = 77 }, ->(kiosks) { kiosks.shops[2].labels << "x" },
    ->(kiosks) { kiosks.shops.each(&:photo) }, ->(kiosks) { kiosks.shops[0].best.links = nil }, :to_h.to_proc,
    ->(kiosks) { kiosks.shops = kiosks.shops.reverse }, ->(kiosks) { kiosks.shops[3] = kiosks.shops[3].dup },
    ->(kiosks) { kiosks.shops[1].freeze }
  ].freeze

  def test_unknown_fields_that_are_kept_travel
    many = shops.tap { |all| all.shops.concat(Array.new(20) { |id| shop(id) }) } # elements of long lists are closed
    WIRES.product([shops, many]) do |wire, all|
      bytes = all.encode(wire)
      eager, lazy = [false, true].map { |choice| Sparpack::Codec.new(Kiosks, wire, unknown: :keep, lazy: choice) }

      assert lazy?(lazy.decode(bytes))
      KEPT_CHANGES.each do |change|
        expected, found = [eager, lazy].map { |codec| codec.encode(codec.decode(bytes).tap(&change)) }

        assert_equal Shops.decode(expected, wire), Shops.decode(found, wire)
        assert_equal 2, Shops.decode(found, wire).next_page
      end
      assert_equal eager.decode(bytes), lazy.decode(bytes)
    end
  end

  # A scan of an element gives up where a field comes again, and then only a decode meets what is behind it.
  def test_unknown_fields_behind_a_repeated_one_travel
    pack = ->(*values) { values.map { |value| Sparpack::MessagePack.pack(value) }.join }
    element = "\x83".b + pack["id", 1, "id", 2, "new", "n" * 80]
    bytes = "\x81".b + pack["shops"] + "\xDC\0\x14".b + (element * 20)
    eager, lazy = [false, true].map do |choice|
      codec = Sparpack::Codec.new(Kiosks, :message_pack, keys: :names, unknown: :keep, lazy: choice)
      codec.encode(codec.decode(bytes).tap { |all| all.shops[3].id = 9 })
    end

    assert_equal Sparpack::MessagePack.unpack(eager), Sparpack::MessagePack.unpack(lazy)
    assert_equal({ "id" => 9, "new" => "n" * 80 }, Sparpack::MessagePack.dig(lazy, "shops", 3))
  end

  def test_what_is_kept_is_sent_without_a_look_at_it
    bytes = shops.encode
    codec = Sparpack::Codec.new(Kiosks, unknown: :keep, lazy: true)

    assert_equal bytes, codec.encode(codec.decode(bytes))
  end

  def test_limits_of_an_encode_hold
    object = Shop.decode(shop.encode, lazy: true)
    limits = Sparpack::Limits.new(string: 3)

    assert_raises(Sparpack::EncodeError::LimitExceeded) { object.encode(:compact, limits:) }
    strict = assert_raises(Sparpack::EncodeError) { object.tap { |o| o.best.stars = 1 << 40 }.encode }

    assert_equal "LazyTest::Shop.best.stars", strict.path
  end

  class Node < Sparpack::Struct
    field 1, :child, -> { Node }
    field 2, :name, :string
  end

  class Leaf < Sparpack::Struct
    field 1, :child, -> { Leaf }
  end

  # A message may be as deep as the limit, and have a field there that its reader keeps.
  def test_depth_of_what_is_kept
    nested = (1..63).inject(Node.new(name: "end")) { |child, _| Node.new(child:) }
    nested.name = "begin"
    WIRES.each do |wire|
      codec = Sparpack::Codec.new(Leaf, wire, unknown: :keep, lazy: true)

      assert_equal nested, Node.decode(codec.encode(codec.decode(nested.encode(wire)).tap(&:to_h)), wire)
      assert_equal codec.decode(nested.encode(wire)), Leaf.decode(nested.encode(wire), wire, unknown: :keep)
    end
  end

  def test_depth
    nested = (1..60).inject(Node.new(name: "end")) { |child, _| Node.new(child:) }
    lazy = Node.decode(nested.encode, lazy: true)
    60.times { lazy = lazy.child }

    assert_equal "end", lazy.name
    deeper = (1..10).inject(Node.decode(nested.encode, lazy: true)) { |child, _| Node.new(child:) }

    assert_raises(Sparpack::EncodeError::LimitExceeded) { deeper.encode }
    assert_raises(Sparpack::DecodeError::LimitExceeded) do
      Node.decode(nested.encode, lazy: true, limits: Sparpack::Limits.new(depth: 60))
    end
  end

  def test_the_source_may_change
    each_wire do |codec, eager|
      bytes = +eager.encode(shop)
      object = codec.decode(bytes)
      bytes.bytesize.times { |index| bytes.setbyte(index, 0xff) }
      bytes.clear

      assert_equal shop, object
    end
  end

  def test_frozen_objects_are_ordinary_and_can_be_shared
    object = Shop.decode(shop.encode, lazy: true).freeze

    assert_predicate object, :frozen?
    refute lazy?(object)
    assert_equal shop, object
    assert_raises(FrozenError) { object.name = "x" }
    shared = Ractor.make_shareable(Shop.decode(shop.encode, lazy: true))

    assert Ractor.shareable?(shared)
    assert_equal shop, shared
    refute lazy?(Shop.decode(shop.encode, lazy: true, freeze: true))
    assert Ractor.shareable?(Shop.decode(shop.encode, lazy: true, freeze: true))
  end

  # Kernel#freeze cannot be told to wake anything.
  def test_an_object_that_was_frozen_past_its_method_is_not_shared
    object = Kernel.instance_method(:freeze).bind_call(Shop.decode(shop.encode, lazy: true))

    refute Ractor.shareable?(object)
    assert_raises(Ractor::Error) { Ractor.make_shareable(object) }
    assert_equal "Spätkauf 7", object.name
    assert_equal shop, object
  end

  def test_copies_share_nothing_that_sleeps
    object = Shop.decode(shop.encode, lazy: true)
    copy = object.dup
    copy.name << "!"
    copy = object.clone(freeze: true)

    assert_predicate copy, :frozen?
    assert_equal object, copy
  end

  def test_threads_wake_one_object
    20.times do
      object = Shops.decode(shops.encode, lazy: true)
      found = in_threads(8) { |i| [object.shops.object_id, object.shops[i % 5].best.text.object_id] }

      assert_equal 1, found.map(&:first).uniq.size
      assert_equal 5, found.map(&:last).uniq.size
    end
  end

  def test_singleton_methods_and_instance_variables_stay
    object = Shop.decode(shop.encode, lazy: true)
    def object.shout = name.upcase
    object.instance_variable_set(:@seen, 1)
    object.to_h

    assert_equal ["SPÄTKAUF 7", 1], [object.shout, object.instance_variable_get(:@seen)]
  end

  # A subclass may have accessors of its own.
  class Loud < Shop
    def name = super.upcase
  end

  def test_subclasses
    object = Loud.decode(shop.encode, lazy: true)

    assert lazy?(object)
    assert_equal "SPÄTKAUF 7", object.name
    assert_equal shop.encode, object.encode
  end

  def test_what_cannot_sleep_is_decoded_as_always
    refute lazy?(Choice.decode(Choice.new(number: 1).encode, lazy: true))
    refute lazy?(Shop.decode(shop.encode(:json), :json, lazy: true))
    assert_equal shop, Shop.decode(shop.encode(:thrift_json), :thrift_json, lazy: true)
  end

  class Broken < Sparpack::Exception
    field 1, :message, :string
    field 2, :note, Note
  end

  def test_exceptions
    error = Broken.decode(Broken.new(message: "no", note: Note.new(text: "why")).encode, lazy: true)
    raised = assert_raises(Broken) { raise error }

    assert_equal %w[no why], [raised.message, raised.note.text]
  end
end
