# frozen_string_literal: true

require "test_helper"
require "active_support"
require "active_support/all"
require "active_support/message_pack"
require "sparpack/rails"
require "support/cost"
require "tmpdir"

# What Sparpack::Rails::CacheSerializer writes and reads, by itself and in the stores of Active Support.
class RailsCacheSerializerTest < Minitest::Test
  MP = Sparpack::MessagePack
  Serializer = Sparpack::Rails::CacheSerializer

  # What the data of the types consist of.
  INSIDE = MP::Factory.new.tap do |factory|
    factory.register_builtin(:bigint, 3)
    factory.register_builtin(:bigdecimal, 4)
  end
  Miss = ActiveSupport::Cache::DeserializationError

  class Line < Sparpack::Struct
    field 1, :cents, :i64, required: true
    field 2, :note, :string
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :lines, list(Line)
  end

  class Answer < Sparpack::Union
    field 1, :line, Line
    field 2, :text, :string
  end

  class Refusal < Sparpack::Exception
    field 1, :message, :string
  end

  # Replaces a class, as a reload or a new release does.
  def define_changing(&fields)
    self.class.send(:remove_const, :Changing) if self.class.const_defined?(:Changing, false)
    self.class.const_set(:Changing, Class.new(Sparpack::Struct)).tap { |changing| changing.class_exec(&fields) }
  end

  User = ::Struct.new(:name)

  HEAD = "0408631153706172 7061636b3a3a5631".delete(" ").freeze
  LINE = "RailsCacheSerializerTest::Line"
  BERLIN = ActiveSupport::TimeZone["Berlin"]

  # The bytes of values, after the head. They must stay as they are, because they are in people's caches.
  BYTES = {
    nil => "02c0", true => "02c3", 7 => "0207", -1.5 => "02cbbff8000000000000", "a" => "02a161", "\xFF".b => "02c401ff",
    [1, [nil]] => "029201 91c0", { "a" => 1 } => "0281a16101",
    Line.new(cents: 7) => "011e#{LINE.unpack1("H*")}160e00",
    [Line.new(cents: 7)] => "0291 c7 22 01 1e#{LINE.unpack1("H*")}160e00",
    :a => "02d40261", 2**70 => "02c70d03 00 0000000000000000 00000040",
    BigDecimal("1.5") => "02c70604302e31356531", 3r / 4 => "02d5050304",
    Date.new(2026, 1, 2) => "02c7060691ce00258d73", Set[1, "a"] => "02d60c9201a161",
    (1..3) => "02d60b930103c2", (1...) => "02d60b9301c0c3"
  }.freeze

  VALUES = [
    *BYTES.keys, Answer.text("yes"), Refusal.new(message: "no"), Order.new(id: 1, lines: [Line.new(cents: 2)] * 3),
    { lines: [Line.new(cents: 1), Order.new(id: 2), Line.new(cents: 3)], [Line.new(cents: 4)] => { 1 => Answer.text("") } },
    Time.at(1, 123_456_789, :nanosecond, in: "+09:30"), Time.at(-5, 1r / 3).utc, Time.now,
    DateTime.new(2026, 1, 2, 3, 4, 5.25r, "+2"),
    BERLIN.local(2026, 7, 1, 12, 30, 1.5r), 3.days + 2.hours, 1.month, -1.5.seconds, (Date.new(2026)..Date.new(2027)),
    ("a".."c"), (..5), { a: 1, "b" => [2] }.with_indifferent_access, Set[[1], Set[2]], "<b>".html_safe, -(2**100), 0r, "ü",
    :ü, 1e300, Float::INFINITY, (2**64) - 1, -(2**63), BigDecimal("-1e-400"), BigDecimal("Infinity"), {}, [], Set[]
  ].freeze

  def setup
    ActiveSupport::Cache::Store.logger = nil
  end

  def test_values_come_back
    VALUES.each do |value|
      read = Serializer.load(Serializer.dump(value))

      assert_equal [value], [read]
      assert_instance_of value.class, read
    end
  end

  def test_what_equality_does_not_see
    assert_predicate Serializer.load(Serializer.dump(Time.now.utc)), :utc?
    assert_equal 34_200, Serializer.load(Serializer.dump(Time.at(1, in: "+09:30"))).utc_offset
    assert_equal "Berlin", Serializer.load(Serializer.dump(BERLIN.now)).time_zone.name
    assert_predicate Serializer.load(Serializer.dump("<b>".html_safe)), :html_safe?
    assert_equal({ months: 1, hours: 2 }, Serializer.load(Serializer.dump(1.month + 2.hours)).parts)
    assert_predicate Serializer.load(Serializer.dump(Float::NAN)), :nan?
  end

  # A page would not escape it otherwise.
  def test_a_buffer_that_is_not_safe_any_more
    unsafe = "name".html_safe.tap { |buffer| buffer.gsub!("name") { "<script>" } }
    ["<b>".html_safe, unsafe, "".html_safe].each do |buffer|
      [buffer, [buffer], { "k" => buffer }].each do |value|
        read = Serializer.load(Serializer.dump(value))
        inner = [read].flatten.first.then { |found| found.is_a?(Hash) ? found["k"] : found }

        assert_equal value, read
        assert_instance_of ActiveSupport::SafeBuffer, inner
        assert_equal [buffer.html_safe?, "".html_safe + buffer], [inner.html_safe?, "".html_safe + inner]
      end
    end
  end

  # They would take seconds, or gigabytes.
  def test_parts_that_no_time_has
    large = BigDecimal("1e3000000")
    { 6 => [[large], ["x"], [1 << 5_000]], 7 => [[large, 0, 0, 0, 0], [1, 0, 0, "x", 0], [1, large, 0, 0, 0]],
      8 => [[1, "x" * 300, nil], [1, [1] * 40, nil], [large, 0, nil], [1 << 5_000, 0, nil], [1, 0, large], [1, 0.5, nil]],
      9 => [[1, "x" * 300, "UTC"], [large, 0, "UTC"]], 10 => [["x", {}], [1, { "days" => "x" }]] }.each do |type, all|
      all.each do |parts|
        data = INSIDE.dump(parts)
        bytes = "#{Serializer::MARK}\x02".b << MP::Factory.new.dump(MP::ExtensionValue.new(type, data))
        cost = Cost.of { assert_raises(Miss, parts.inspect[0, 50]) { Serializer.load(bytes) } }

        assert_operator cost.bytes, :<, 1_000_000
      end
    end
  end

  def test_bytes
    BYTES.each do |value, bytes|
      assert_equal HEAD + bytes.delete(" "), Serializer.dump(value).unpack1("H*"), value.inspect
      assert_predicate Serializer.dump(value).encoding, :ascii_compatible?
    end
  end

  def test_entries_that_are_cut_off_are_misses
    [Line.new(cents: 7, note: "a"), VALUES.last(30), *VALUES].each do |value|
      bytes = Serializer.dump(value)
      (0...bytes.bytesize).each { |size| assert_raises(Miss) { Serializer.load(bytes.byteslice(0, size)) } }
      assert_raises(Miss) { Serializer.load("#{bytes}a") }
    end
  end

  def test_damaged_entries_are_misses_or_values
    random = Random.new(Minitest.seed)
    VALUES.each do |value|
      60.times do
        bytes = Serializer.dump(value)
        random.rand(1..3).times { bytes.setbyte(random.rand(16...bytes.bytesize), random.rand(256)) }
        Serializer.load(bytes)
      rescue Miss
        nil
      end
    end
  end

  def test_what_no_entry_can_hold
    found = "found RailsCacheSerializerTest::User"
    { User.new("Ada") => found, { user: [1, 2, User.new("Ada")] } => "[:user][2]: expected a struct, nil, true",
      { [User.new("Ada")] => 1 } => ".keys[0][0]: ", Set[Line.new(cents: 1), User.new("Ada")] => ".elements[1]: ",
      { 1 => [{ "a" => Set[User] }] } => "[1][0][\"a\"].elements[0]: ", Class.new(Array)[1] => "found #<Class:",
      [Class.new(Line).new(cents: 1)] => ": a class without a name cannot be found again",
      Class.new(Line).new(cents: 1) => ": a class without a name cannot be found again" }.each do |value, message|
      assert_includes assert_raises(Serializer::Unsupported) { Serializer.dump(value) }.message, message
    end
    assert_kind_of Sparpack::Error, assert_raises(Serializer::Unsupported) { Serializer.dump(Object.new) }
    assert_raises(Sparpack::EncodeError::MissingField) { Serializer.dump(Line.new) }
    assert_raises(Sparpack::EncodeError::MissingField) { Serializer.dump([Line.new]) }
  end

  def test_a_value_that_holds_itself
    list = []
    list << list

    assert_raises(Sparpack::MessagePack::StackError) { Serializer.dump(list) }
  end

  def test_what_other_marshal_writes
    serializer = Serializer.new(other: :marshal)
    bytes = serializer.dump([User.new("Ada")])

    assert_equal [User.new("Ada")], Marshal.load(bytes) # rubocop:disable Security/MarshalLoad
    assert_equal [User.new("Ada")], serializer.load(bytes)
    assert serializer.dump(1).start_with?(Serializer::MARK)
  end

  # What Marshal can hold although an entry cannot.
  def test_other_marshal_for_what_is_too_deep_or_in_no_encoding
    serializer = Serializer.new(other: :marshal)
    list = []
    list << list
    deep = Array.new(500).reduce(1) { |value, _| [value] }
    broken = [(+"\xFF").force_encoding(Encoding::UTF_16LE)]

    assert_equal deep, serializer.load(serializer.dump(deep))
    assert_equal broken, serializer.load(serializer.dump(broken))
    assert(serializer.load(serializer.dump(list)).then { |read| read.equal?(read.first) })
    assert_raises(EncodingError) { Serializer.dump(broken) }
  end

  def test_entries_of_rails
    entry = ActiveSupport::Cache::Entry.new(5)
    formats = ActiveSupport::Cache::SerializerWithFallback

    assert_equal [1, :a], Serializer.load(Marshal.dump([1, :a]))
    assert_equal [1, :a], Serializer.load(formats[:message_pack].dump([1, :a]))
    assert_equal 5, Serializer.load(formats[:marshal_7_0].dump(entry)).value # rubocop:disable Naming/VariableNumber
    assert_equal 5, Serializer.load(formats[:marshal_7_0].dump_compressed(entry, 0)).value # rubocop:disable Naming/VariableNumber
    assert_same entry, Serializer.load(entry)
    [Marshal.dump([User.new("a")]).chop, "\x04\b[", "\xCC\x80\xC1".b, "\xCC\x80".b, "\0\x04\b", "\x01a", "", "\x04",
     "garbage", "\x04\bo:\x10NoSuchClass\0", "#{Serializer::MARK.chop}2\x01", "#{Serializer::MARK}\x03", Serializer::MARK,
     nil, 5].each { |bytes| assert_raises(Miss) { Serializer.load(bytes) } }
  end

  class Hostile
    class << self
      attr_accessor :loaded

      def _load(_) = self.loaded = true
    end
    def _dump(_) = ""
  end

  def test_marshal_is_not_loaded_unless_it_is_read
    bytes = Marshal.dump(Hostile.new)
    [Serializer.new(reads: []), Serializer.new(reads: [:message_pack])].each do |serializer|
      assert_raises(Miss) { serializer.load(bytes) }
      assert_raises(Miss) { serializer.load("\0#{Marshal.dump([Hostile.new])}") }
      assert_equal 1, serializer.load(serializer.dump(1))
    end

    assert_nil Hostile.loaded
    assert Serializer.load(bytes)
  ensure
    Hostile.loaded = nil
  end

  def test_what_is_written_before_all_processes_can_read_it
    assert_equal Marshal.dump([1]), Serializer.new(writes: :marshal).dump([1])
    assert_equal [1], ActiveSupport::MessagePack::CacheSerializer.load(Serializer.new(writes: :message_pack).dump([1]))
  end

  def test_options_that_do_not_fit_together
    { { reads: [:json] } => /reads: expected an Array of :marshal and :message_pack, got \[:json\]/,
      { reads: :marshal } => /expected an Array/, { writes: :marshall } => /got :marshall \(did you mean :marshal\?\)/,
      { other: :pass } => /other: expected :raise, :marshal, got :pass/,
      { other: :marshal, reads: [] } => /other: :marshal needs reads: \[:marshal\]/,
      { writes: :message_pack, reads: [:marshal] } => /k needs reads: \[:message_pack\]/ }.each do |given, text|
      assert_match text, assert_raises(ArgumentError) { Serializer.new(**given) }.message
    end
  end

  def test_names_that_are_no_structs
    ["Kernel", "Object", "RailsCacheSerializerTest", "RailsCacheSerializerTest::String", "String", "lower", "A B", "",
     "::Line", "NoSuchClass", "Sparpack::Struct", "#{LINE}::Line", "\xFF", "A\0B", "#{LINE}::"].each do |name|
      bytes = "#{Serializer::MARK}\x01".b << name.bytesize << name.b << "\x16\x0E\0".b
      inside = "#{Serializer::MARK}\x02\xC7".b << (name.bytesize + 4) << 1 << name.bytesize << name.b << "\x16\x0E\0".b

      assert_raises(Miss) { Serializer.load(bytes) }
      assert_raises(Miss) { Serializer.load(inside) }
    end
  end

  autoload :Moved, "/nowhere/moved"

  def test_a_class_whose_file_is_gone
    name = "RailsCacheSerializerTest::Moved"
    assert_raises(Miss) { Serializer.load("#{Serializer::MARK}\x01".b << name.bytesize << name << 0) }
    assert_raises(Miss) { Serializer.load("#{Serializer::MARK}\x02\xC7".b << (name.bytesize + 2) << 1 << name.bytesize << name << 0) }
  end

  NOT_ASCII = const_set(:Größe, Class.new(Sparpack::Struct) { field 1, :cents, :i64 })

  # Stores may give bytes as UTF-8.
  def test_names_that_are_not_ascii
    [7, 300].each do |cents|
      bytes = Serializer.dump(NOT_ASCII.new(cents:))
      2.times { assert_equal NOT_ASCII.new(cents:), Serializer.load(bytes.dup.force_encoding(Encoding::UTF_8)) }
    end
  end

  def test_classes_that_change
    changing = define_changing { field 1, :cents, :i64, required: true and field 2, :note, :string }
    line = changing.new(cents: 7, note: "lamp")
    bytes = [Serializer.dump(line), Serializer.dump([line])]
    define_changing { field 1, :cents, :i64 and field 3, :color, :string }
    single, list = bytes.map { |entry| Serializer.load(entry) }

    assert_equal [7, nil], [single.cents, single.color]
    assert_predicate list.first, :unknown?
    assert_equal bytes, [Serializer.dump(single), Serializer.dump(list)] # unknown fields are kept

    define_changing { field 1, :cents, :string }
    bytes.each { |entry| assert_raises(Miss) { Serializer.load(entry) } }
    define_changing { field 4, :size, :i32, required: true }
    bytes.each { |entry| assert_raises(Miss) { Serializer.load(entry) } }
    self.class.send(:remove_const, :Changing)
    bytes.each { |entry| assert_raises(Miss) { Serializer.load(entry) } }
  end

  def test_text_that_is_not_utf8
    line = Line.decode("\x16\x0E\x18\x01\xFF\0".b, utf8: :keep)

    assert_equal [line, [line]], [Serializer.load(Serializer.dump(line)), Serializer.load(Serializer.dump([line]))]
  end

  def test_many_classes_in_turn
    value = Array.new(300) { |i| [Line.new(cents: i), Order.new(id: i), Answer.text("a")][i % 3] }

    assert_equal value, Serializer.load(Serializer.dump(value))
    GC.stress = true
    assert_equal value.first(6), Serializer.load(Serializer.dump(value.first(6)))
  ensure
    GC.stress = false
  end

  def test_threads
    bytes = VALUES.map { |value| Serializer.dump(value) }
    results = Array.new(4) { Thread.new { bytes.map { |entry| Serializer.load(entry) } } }.map(&:value)

    results.each { |values| assert_equal VALUES, values }
  end

  # --- in stores -----------------------------------------------------------------------------------------------------

  def stores(**options)
    Dir.mktmpdir do |folder|
      yield ActiveSupport::Cache::MemoryStore.new(**options)
      yield ActiveSupport::Cache::FileStore.new(folder, **options)
    end
  end

  def test_stores
    stores(serializer: Serializer) do |store|
      order = Order.new(id: 1, lines: [Line.new(cents: 2)])
      store.write("order", order)

      assert_equal order, store.read("order")
      assert_equal({ "order" => order, "b" => [order] }, store.fetch_multi("order", "b") { [order] })
      assert_equal({ "b" => [order] }, store.read_multi("b", "c"))
      assert_nil(store.fetch("nil") { nil })
      assert(store.exist?("nil"))
      assert_nil(store.fetch("nil") { raise })
      assert_equal 1, store.increment("sold")
      assert_equal "plain", store.fetch("text") { "plain" }
      assert_equal order, store.fetch("versioned", version: 1) { order }
      assert_equal 2, store.fetch("versioned", version: 2) { 2 }
      assert_raises(Serializer::Unsupported) { store.write("user", User.new("Ada")) }
    end
  end

  # In both directions, a process that does not know the other's serializer sees a miss or the value, never a false nil.
  def test_rolling_deploys
    Dir.mktmpdir do |folder|
      old = ActiveSupport::Cache::FileStore.new(folder, serializer: :marshal_7_1) # rubocop:disable Naming/VariableNumber
      packed = ActiveSupport::Cache::FileStore.new(folder, serializer: :message_pack)
      now = ActiveSupport::Cache::FileStore.new(folder, serializer: Serializer)
      old.write("a", [1])
      packed.write("b", [2])
      now.write("c", Line.new(cents: 3))
      now.write("d", [4])

      assert_equal [[1], [2]], [now.read("a"), now.read("b")]
      [old, packed].each do |store|
        assert_equal [nil, nil], [store.read("c"), store.read("d")]
        assert_equal({}, store.read_multi("c", "d"))
      end
      assert_equal "computed", old.fetch("c") { "computed" }
      assert_equal "computed", now.read("c")
    end
  end

  # A store whose entries are any bytes.
  class Damaged < ActiveSupport::Cache::NullStore
    attr_accessor :bytes

    private

    def read_entry(_key, **options) = deserialize_entry(bytes, **options)
  end

  def test_damaged_entries_in_a_store
    store = Damaged.new(serializer: Serializer.new(reads: []))
    [Marshal.dump(Hostile.new), "garbage", "", "#{Serializer::MARK}\x01\xFFa".b, "\xCC\x80\x01".b].each do |bytes|
      store.bytes = "\0\x11\x01".b << [-1.0, -1].pack("El<") << bytes

      assert_nil store.read("a")
      assert_equal 5, store.fetch("a") { 5 }
    end
    store.bytes = "garbage"

    assert_equal 5, store.fetch("a") { 5 }
    assert_nil Hostile.loaded
  end
end
