# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/sparsam_shop"
require "support/reading"

# What Sparsam accepts, writes and reads, and what it raises: one test for each rule.
class DropInSparsamRulesTest < Minitest::Test
  include Child
  include SparsamShop

  PROTOCOLS = { compact: Sparsam::CompactProtocol, binary: Sparsam::BinaryProtocol }.freeze

  def self.each_protocol(name, &block)
    PROTOCOLS.each do |wire, number|
      define_method("test_#{name}_#{wire}".tr(" ", "_")) { instance_exec(wire, number, &block) }
    end
  end

  # --- writing ----------------------------------------------------------------------------------------------------------

  each_protocol "a nil field is omitted" do |_, protocol|
    assert_equal "\0".b, Everything.new(last: nil).serialize(protocol)
  end

  each_protocol "a field that is not optional must be set" do |_, protocol|
    [Point.new, Everything.new(points: [Point.new(x: 1), Point.new]), Answer.new(:point, Point.new)].each do |object|
      error = assert_raises(Sparsam::MissingMandatory) { object.serialize(protocol) }

      assert_equal ["Required field missing (in SparsamShop::Point#x)", "SparsamShop::Point", "x"],
                   [error.message, error.struct_name, error.field_name]
    end
  end

  each_protocol "required fields are checked before other fields are written" do |_, protocol|
    assert_raises(Sparsam::MissingMandatory) { Point.new(y: "wrong").serialize(protocol) }
  end

  each_protocol "defaults are written and nil overrides them" do |_, protocol|
    read = deserialize(Point, Point.new(x: 1).serialize(protocol), protocol)

    assert_equal "none", read.label
    assert_operator Point.new(x: 1, label: nil).serialize(protocol).bytesize, :<, Point.new(x: 1).serialize(protocol).size
  end

  each_protocol "enums are not checked" do |_, protocol|
    assert_equal 99, deserialize(Everything, Everything.new(color: 99).serialize(protocol), protocol).color
  end

  each_protocol "a set is a Set" do |_, protocol|
    [["b"], { "b" => true }, Class.new(Set).new(["b"])].each do |words|
      error = assert_raises(Sparsam::TypeMismatch) { Everything.new(words:).serialize(protocol) }

      assert_equal "Mismatched type (expected to be compatible with: T_SET, found: #{words.class}) " \
                   "(in SparsamShop::Everything#words)", error.message
    end
  end

  each_protocol "subclasses of Array and Hash are accepted" do |_, protocol|
    object = Everything.new(table: Class.new(Array).new([[1]]), names: Class.new(Hash).new.merge!(1 => "a"))

    read = deserialize(Everything, object.serialize(protocol), protocol)

    assert_equal [[[1]], { 1 => "a" }], [read.table, read.names]
  end

  WRONG = { flag: [1, "T_BOOL"], tiny: [1.0, "T_BYTE or T_I08"], small: [1.0, "T_I16"], medium: ["1", "T_I32"],
            large: [1.5, "T_I64"], real: [1, "T_DOUBLE"], text: [:symbol, "T_STRING or T_UTF7"],
            bytes: [nil.to_a, "T_STRING or T_UTF7"], point: [Object.new, "SparsamShop::Point"],
            points: [{}, "T_LIST"], words: [[], "T_SET"], names: [[], "T_MAP"], answer: [1, "SparsamShop::Answer"],
            color: [:RED, "T_I32"], gone: [StandardError.new, "SparsamShop::Gone"] }.freeze

  WRONG.each do |field, (value, expected)|
    each_protocol "a wrong value of #{field} is named" do |_, protocol|
      error = assert_raises(Sparsam::TypeMismatch) { Everything.new(field => value).serialize(protocol) }
      found = value.class

      assert_equal "Mismatched type (expected to be compatible with: #{expected}, found: #{found}) " \
                   "(in SparsamShop::Everything##{field})", error.message
      assert_equal ["SparsamShop::Everything", field.name], [error.struct_name, error.field_name]
    end
  end

  each_protocol "wrong elements are refused in their field" do |_, protocol|
    { table: [[1, nil]], words: Set[nil], names: { nil => "a" }, by_path: { [1] => Set["x"] }, places: Set[nil],
      points: [Point.new(x: 1), nil] }.each do |field, value|
      error = assert_raises(Sparsam::TypeMismatch) { Everything.new(field => value).serialize(protocol) }

      assert_equal field.name, error.field_name
    end
  end

  each_protocol "an object of a subclass is refused" do |_, protocol|
    sub = Class.new(Point) { const_set(:FIELDS, Point::FIELDS) }
    error = assert_raises(Sparsam::TypeMismatch) { Everything.new(point: sub.new(x: 1)).serialize(protocol) }

    assert_includes error.message, "(expected to be compatible with: SparsamShop::Point, found: #<Class:"
  end

  each_protocol "a singleton class does not matter" do |_, protocol|
    point = Point.new(x: 1)
    def point.extra = nil
    object = Everything.new(point:)
    def object.extra = nil

    assert_equal 1, deserialize(Everything, object.serialize(protocol), protocol).point.x
  end

  RANGES = { tiny: 8, small: 16, medium: 32, large: 64 }.freeze

  RANGES.each do |field, bits|
    each_protocol "#{field} has #{bits} bits" do |_, protocol|
      most = (1 << (bits - 1)) - 1
      [most, ~most].each do |value|
        bytes = Everything.new(field => value).serialize(protocol)

        assert_equal value, deserialize(Everything, bytes, protocol).public_send(field)
      end
      [most + 1, ~most - 1, 2**70, -(2**70)].each do |value|
        error = assert_raises(RangeError) { Everything.new(field => value).serialize(protocol) }
        assert_match(/#{value} (too (big|small) to convert to .(int|short)'|out of range for char)|bignum too big/,
                     error.message)
      end
    end
  end

  each_protocol "strings are written as they are" do |wire, protocol|
    { (+"\xe4").force_encoding("ISO-8859-1") => "\xe4".b, "\xff" => "\xff".b, "a".encode("UTF-16LE") => "a\0".b,
      "\u00e4".b => "\u00e4".b }.each do |text, bytes|
      encoding = text.encoding
      written = Everything.new(text:, last: nil).serialize(protocol)

      assert_equal writer(wire).message([7, :string, bytes]), written
      assert_equal encoding, text.encoding
    end
  end

  def test_bytes_are_binary_and_not_frozen
    bytes = Point.new(x: 1).serialize

    assert_equal [Encoding::BINARY, false], [bytes.encoding, bytes.frozen?]
    assert_equal bytes, Point.new(x: 1).serialize(Sparsam::CompactProtocol)
  end

  # --- reading ----------------------------------------------------------------------------------------------------------

  each_protocol "nothing is required" do |wire, protocol|
    read = deserialize(Point, writer(wire).stop, protocol)

    assert_equal [nil, "none"], [read.x, read.label]
    assert_equal [:@label], read.instance_variables
  end

  each_protocol "a default is shared and frozen" do |wire, protocol|
    one, other = Array.new(2) { deserialize(Point, writer(wire).stop, protocol) }

    assert_same one.label, other.label
    assert_same Point::DEFAULT_VALUES["label"], one.label
    assert_predicate one.label, :frozen?
  end

  each_protocol "an unknown field is skipped" do |wire, protocol|
    bytes = writer(wire).message([1, :i32, 5], [9, [:list, :struct], [[[1, :string, "a"]]]], [3, :string, "b"])
    read = deserialize(Point, bytes, protocol)

    assert_equal [5, "b"], [read.x, read.label]
  end

  each_protocol "another type of a field is refused" do |wire, protocol|
    bytes = writer(wire).message([10, [:list, :struct], [[[1, :string, "a"]]]])
    error = assert_raises(Sparsam::TypeMismatch) { deserialize(Everything, bytes, protocol) }

    assert_equal "Mismatched type (definition: T_STRING or T_UTF7, found: T_I32) (in SparsamShop::Point#x)", error.message
    assert_equal %w[SparsamShop::Point x], [error.struct_name, error.field_name]
  end

  class Left < Sparsam::Struct
    # another class
  end

  class Right < Sparsam::Struct
    FIELDS = { 1 => { name: "left", type: 12, class: Left, optional: true },
               2 => { name: "größe", type: 8, optional: true } }.freeze
    init_thrift_struct(self)
  end

  class Left
    FIELDS = { 1 => { name: "right", type: 12, class: Right, optional: true },
               2 => { name: "number", type: 8, optional: true } }.freeze
    init_thrift_struct(self)
  end

  # Only the beginning and the end of a long path are shown.
  each_protocol "a mismatch in many levels" do |wire, protocol|
    (0..63).each do |depth|
      fields = depth.times.reduce([[2, :string, "a"]]) { |inner, _| [[1, :struct, inner]] }
      error = assert_raises(Sparsam::TypeMismatch) { deserialize(Left, writer(wire).message(*fields), protocol) }
      next if depth > 15

      assert_equal [depth.even? ? Left.name : Right.name, depth.even? ? "number" : "größe"],
                   [error.struct_name, error.field_name]
    end
  end

  each_protocol "the place of a mismatch is found in containers" do |wire, protocol|
    point = [[1, :string, "a"]]
    [[9, :struct, point], [15, %i[set struct], [point]], [13, :struct, [[3, :struct, point]]]].each do |field|
      bytes = writer(wire).message(field)
      error = assert_raises(Sparsam::TypeMismatch) { deserialize(Everything, bytes, protocol) }

      assert_equal %w[SparsamShop::Point x], [error.struct_name, error.field_name]
    end
    error = assert_raises(Sparsam::TypeMismatch) { deserialize(Everything, writer(wire).message([9, :i32, 1]), protocol) }

    assert_equal "Mismatched type (definition: T_I32, found: T_STRUCT) (in SparsamShop::Everything#point)", error.message
  end

  each_protocol "a list or a set with elements of another type is nil" do |wire, protocol|
    bytes = writer(wire).message([10, %i[list i32], [1, 2]], [11, %i[set i64], [3]], [14, :i32, 8])
    read = deserialize(Everything, bytes, protocol)

    assert_equal [nil, nil, 8, 7], [read.points, read.words, read.color, read.last]
    assert_equal %i[@color @last], read.instance_variables.sort
    assert_nil deserialize(Everything, writer(wire).message([10, %i[list i32], []]), protocol).points
  end

  each_protocol "a list in a list with elements of another type is nil" do |wire, protocol|
    lists = [[%i[list i64], [1]], [%i[list i32], [2]], [%i[list i64], [3]]].map { |list| raw(writer(wire).value(*list)) }
    bytes = writer(wire).message([17, [:list, [:list, :i64]], lists], [14, :i32, 8])
    read = deserialize(Everything, bytes, protocol)

    assert_equal [[[1], nil, [3]], 8], [read.table, read.color]
  end

  each_protocol "a map with other types is read as what it is" do |wire, protocol|
    bytes = writer(wire).message([12, %i[map string i64], [["a", 2**40]]], [14, :i32, 8])
    read = deserialize(Everything, bytes, protocol)

    assert_equal [{ "a" => 2**40 }, 8], [read.names, read.color]
    bytes = writer(wire).message([12, [:map, :i32, %i[list i32]], [[1, [2]]]], [14, :i32, 8])
    read = deserialize(Everything, bytes, protocol)

    assert_equal [{ 1 => nil }, 8], [read.names, read.color]
    whole = writer(wire).message([12, %i[map string i64], [["a", 2**40], ["b", 1]]])
    (1...whole.bytesize).each do |size|
      error = assert_raises(Sparsam::Exception) { deserialize(Everything, whole.byteslice(0, size), protocol) }

      assert_equal "No more data to read.", error.message
    end
  end

  # Binary writes types for an empty map, and nobody needs them.
  def test_an_empty_map_of_types_that_do_not_exist
    ["\x00\x00", "\x0b\x00", "\x63\x63", "\x0b\x0a"].each do |types|
      bytes = "\x0D\x00\x0C#{types}\x00\x00\x00\x00\x00".b

      assert_equal({}, deserialize(Everything, bytes, PROTOCOLS[:binary]).names)
    end
  end

  each_protocol "strings are tagged and not checked" do |wire, protocol|
    read = deserialize(Everything, writer(wire).message([7, :string, "\xff"], [8, :string, "ü"]), protocol)

    assert_equal ["\xff", Encoding::UTF_8], [read.text, read.text.encoding]
    assert_equal ["ü".b, Encoding::BINARY], [read.bytes, read.bytes.encoding]
    refute_predicate read.text, :valid_encoding?
  end

  each_protocol "trailing bytes are ignored" do |_, protocol|
    assert_equal 1, deserialize(Point, "#{Point.new(x: 1).serialize(protocol)}more", protocol).x
  end

  each_protocol "the last of a duplicate wins" do |wire, protocol|
    assert_equal 2, deserialize(Point, writer(wire).message([1, :i32, 1], [1, :i32, 2]), protocol).x
  end

  each_protocol "keys and elements are not frozen except Strings" do |_, protocol|
    read = deserialize(Everything, SparsamShop.everything.serialize(protocol), protocol)
    read.places.first.y = 5
    read.by_path.keys.first << 3
    read.words << "more"

    assert_equal 5, read.places.first.y
    assert(read.words.all?(&:frozen?))
    refute_predicate read.places.first.label, :frozen?
  end

  # --- unions -----------------------------------------------------------------------------------------------------------

  each_protocol "an unknown variant is none, and the stream goes on" do |wire, protocol|
    bytes = writer(wire).message([13, :struct, [[9, :string, "a"]]], [14, :i32, 8])
    read = deserialize(Everything, bytes, protocol)

    assert_equal [nil, nil, 8], [read.answer.get_set_field, read.answer.get_value, read.color]
    assert_empty read.answer.instance_variables
  end

  each_protocol "an empty union is read and written" do |wire, protocol|
    assert_equal "\0".b, Answer.new.serialize(protocol)
    assert_equal "\0".b, Answer.new(:text, nil).serialize(protocol)
    assert_equal Answer.new, deserialize(Answer, writer(wire).stop, protocol)
    assert_equal writer(wire).message([13, :struct, []]), Everything.new(answer: Answer.new, last: nil).serialize(protocol)
  end

  each_protocol "a second field of a union is refused" do |wire, protocol|
    bytes = writer(wire).message([13, :struct, [[1, :i32, 1], [2, :string, "a"]]])
    error = assert_raises(Sparsam::UnionException) { deserialize(Everything, bytes, protocol) }

    assert_equal "More than one element in union.", error.message
  end

  each_protocol "a variant of another type is read as what it is" do |wire, protocol|
    read = deserialize(Answer, writer(wire).message([1, :string, "a"]), protocol)

    assert_equal [:number, "a"], [read.get_set_field, read.get_value]
    assert_empty deserialize(Answer, writer(wire).message([4, %i[list string], ["a"]]), protocol).instance_variables
    assert_raises(Sparsam::TypeMismatch) { deserialize(Answer, writer(wire).message([1, :struct, []]), protocol) }
    { bool: true, i8: -3, i16: 300, i64: 2**40, double: 1.5 }.each do |type, value|
      read = deserialize(Answer, writer(wire).message([1, type, value]), protocol)

      assert_equal [:number, value], [read.get_set_field, read.get_value]
    end
    [[%i[map i8 i8], [[1, 2]]], [%i[set i8], [1]]].each do |type, value|
      assert_nil deserialize(Answer, writer(wire).message([1, type, value]), protocol).get_set_field
    end
    bytes = writer(wire).message([1, :uuid, "00112233-4455-6677-8899-aabbccddeeff"])

    assert_raises(Sparsam::TypeMismatch) { deserialize(Answer, bytes, protocol) }
  end

  each_protocol "a union has two variables" do |_, protocol|
    read = deserialize(Answer, Answer.new(text: "a").serialize(protocol), protocol)

    assert_equal %i[@setfield @text], read.instance_variables
    assert_equal [:text, "a"], [read.get_set_field, read.text]
  end

  # --- faults in bytes --------------------------------------------------------------------------------------------------

  each_protocol "truncated at every byte" do |_, protocol|
    bytes = SparsamShop.everything.serialize(protocol)
    (0...bytes.bytesize).each do |size|
      error = assert_raises(Sparsam::Exception) { deserialize(Everything, bytes.byteslice(0, size), protocol) }

      assert_equal ["No more data to read.", Sparsam::Exception], [error.message, error.class], size
    end
  end

  def test_faults_of_the_protocols
    { "\x15\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" => "Variable-length int over 10 bytes.",
      "\x15\x02\x28\xff\xff\xff\xff\x0f" => "Default TException." }.each do |bytes, message|
      assert_equal message, assert_raises(Sparsam::Exception) { deserialize(Point, bytes.b) }.message
    end
    assert_raises(Sparsam::UnknownTypeException) { deserialize(Point, "\x1f\x00".b) }
  end

  T = SparsamShop::T

  class NanAnswer < Sparsam::Union
    FIELDS = { 1 => { type: T::DOUBLE, name: "real", optional: true } }.freeze

    init_thrift_struct(self)
  end

  class NanKeys < Sparsam::Struct
    FIELDS = {
      1 => { type: T::MAP, name: "map", key: { type: T::LIST, element: { type: T::I32 } }, value: { type: T::BOOL },
             optional: true },
      2 => { type: T::SET, name: "set", element: { type: T::LIST, element: { type: T::DOUBLE } }, optional: true },
      3 => { type: T::MAP, name: "by_list", key: { type: T::LIST, element: { type: T::DOUBLE } },
             value: { type: T::BOOL }, optional: true },
      4 => { type: T::SET, name: "answers", element: { type: T::STRUCT, class: NanAnswer }, optional: true },
      5 => { type: T::LIST, name: "list", element: { type: T::LIST, element: { type: T::DOUBLE } }, optional: true }
    }.freeze

    init_thrift_struct(self)
  end

  # A NaN never equals another, so each is a key of its own. The keys of the first map are of another type than declared.
  each_protocol "the number of keys that are never equal is limited" do |wire, protocol|
    nan = Float::NAN
    { map: [1, %i[map double bool], [nan, true]], set: [2, [:set, %i[list double]], [nan]],
      by_list: [3, [:map, %i[list double], :bool], [[nan], true]],
      answers: [4, %i[set struct], [[1, :double, nan]]] }.each do |name, (id, type, element)|
      read = ->(count) { deserialize(NanKeys, writer(wire).message([id, type, [element] * count]), protocol) }

      assert_equal 256, read[256].public_send(name).size, name
      assert_raises(Sparsam::Exception, name.to_s) { read[257] }
    end
    list = [5, [:list, %i[list double]], [[nan]] * 1000]

    assert_equal 1000, deserialize(NanKeys, writer(wire).message(list), protocol).list.size
  end

  # Nothing but such a map, so that its declared keys are compared without a method.
  class Numbers < Sparsam::Struct
    FIELDS = { 1 => { type: T::MAP, name: "names", key: { type: T::I32 }, value: { type: T::STRING } } }.freeze

    init_thrift_struct(self)
  end

  # The keys are of another type than declared, and too large to be compared without a method.
  each_protocol "a method of a key cannot change the bytes that are read" do |wire, protocol|
    bytes = writer(wire).message([1, %i[map i64 string], [[1 << 62, "first"], [1 << 62, "second"], [5, "third"]]])
    read = in_child do
      Integer.define_method(:eql?) { |other| self == other.tap { bytes.tr!("a-z", "?") } }
      deserialize(Numbers, bytes, protocol).names
    end

    assert_equal({ 1 << 62 => "second", 5 => "third" }, read)
  end

  def test_too_many_levels
    bytes = ("\x2c" * 100_000).b
    error = assert_raises(Sparsam::Exception) { deserialize(Node, bytes) }
    refute_includes error.message, "Sparpack"

    node = 900.times.reduce(Node.new(id: 0)) { |inner, id| Node.new(id:, node: inner) }
    assert_equal node, deserialize(Node, node.serialize)

    node.node = node
    assert_raises(Sparsam::Exception) { node.serialize }
  end

  private

  def deserialize(klass, bytes, protocol = 0) = Sparsam::Deserializer.deserialize(klass, bytes, protocol)

  def writer(wire) = WireWriter.for(wire)

  def raw(bytes) = WireWriter.raw(bytes)
end
