# frozen_string_literal: true

require "test_helper"
require "json"
require "support/fresh_ruby"

# Plain classes, Structs and Data by Sparpack::Mapping: what is written, what is read, and which mappings are refused.
class MappingTest < Minitest::Test
  include FreshRuby

  Mapping = Sparpack::Mapping
  Codec   = Sparpack::Codec

  class Point
    attr_reader :x, :y

    def initialize(x:, y:)
      @x = x
      @y = y
    end

    def ==(other) = other.class == self.class && [x, y] == [other.x, other.y]
    alias eql? ==
    def hash = [x, y].hash
  end

  # Reads by methods, and takes members by position.
  class Money
    def initialize(cents, currency = "EUR")
      @amount = cents
      @currency = currency.to_sym
    end

    def cents = @amount
    def currency = @currency.name
  end

  Pair  = Struct.new(:left, :right)
  Named = Struct.new(:left, :right, keyword_init: true)

  POINT  = Mapping.new(Point, { 0 => :x, 1 => :y })
  TYPED  = Mapping.new(Point, { 0 => :x, 1 => :y }, types: { x: :i32, y: :i32 })
  BY_NAME = Mapping.new(Point, %i[x y], types: { x: :i32, y: :i32 })
  MONEY  = Mapping.new(Money, %i[cents currency], types: { cents: :i64, currency: :string })
  PAIR   = Mapping.new(Pair, { 0 => :left, 1 => :right })

  VALUES = [nil, true, false, 0, -1, 2**40, (2**64) - 1, -2**63, 1.5, -0.0, "text", "ü" * 100, "\xFF".b, [], [1, [2]], {},
            { "a" => [{ 1 => 2.5 }] }, [nil], "x" * 5000].freeze

  # --- MessagePack without types ------------------------------------------------------------------------------------------

  def test_untyped_members_are_what_message_pack_makes_of_them
    VALUES.product(VALUES.first(3)).each do |x, y|
      bytes = codec(POINT).encode(Point.new(x:, y:))

      assert_equal [x, y], Sparpack::MessagePack.unpack(bytes)
      assert_equal Point.new(x:, y:), codec(POINT).decode(bytes)
    end
  end

  UNLOADED = <<~RUBY
    require "sparpack"
    Own = Class.new { def to_msgpack(packer) = packer.write([1, "own"]) }
    Holder = Struct.new(:any)
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Holder, { 0 => :any }), :message_pack)
    print $LOADED_FEATURES.grep(/sparpack.message_pack/).size, " "
    print codec.encode(Holder.new([Own.new, { "k" => Own.new }])).unpack1("H*")
  RUBY

  def test_a_member_may_be_the_first_that_needs_a_packer
    assert_equal "0 91929201a36f776e81a16b9201a36f776e", fresh_ruby(UNLOADED)
  end

  def test_members_by_name_are_a_map
    mapping = Mapping.new(Pair, { "links" => :left, right: :right })
    bytes   = codec(mapping).encode(Pair.new(1, [2]))

    assert_equal({ "links" => 1, "right" => [2] }, Sparpack::MessagePack.unpack(bytes))
    assert_equal Pair.new(1, [2]), codec(mapping).decode(bytes)
    assert_equal Pair.new(5, nil), codec(mapping).decode(Sparpack::MessagePack.pack({ "links" => 5, "other" => 1 }))
    assert_equal({ "left" => 1, "right" => 2 },
                 Sparpack::MessagePack.unpack(codec(Mapping.new(Pair, %i[left right])).encode(Pair.new(1, 2))))
  end

  def test_ids_are_places_of_an_array
    mapping = Mapping.new(Pair, { 3 => :right, 1 => :left })

    assert_equal [nil, 1, nil, 2], Sparpack::MessagePack.unpack(codec(mapping).encode(Pair.new(1, 2)))
    assert_equal Pair.new(7, nil), codec(mapping).decode(Sparpack::MessagePack.pack([0, 7]))
    assert_equal Pair.new(7, 8), codec(mapping).decode(Sparpack::MessagePack.pack([0, 7, 0, 8, 9]))
  end

  def test_symbols_become_text_and_strings_are_checked
    assert_equal %w[a b], Sparpack::MessagePack.unpack(codec(PAIR).encode(Pair.new(:a, "b")))
    assert_equal ["ü", "x"], Sparpack::MessagePack.unpack(codec(PAIR).encode(Pair.new("ü".encode("UTF-16LE"), "x")))
    error = assert_raises(Sparpack::EncodeError::InvalidString) { codec(PAIR).encode(Pair.new("\xFF", 1)) }
    assert_equal "MappingTest::Pair.left", error.path
    assert_raises(Sparpack::DecodeError::Malformed) { codec(PAIR).decode("\x91\xA1\xFF".b) }
  end

  def test_freeze_and_limits_reach_into_untyped_members
    frozen = Codec.new(PAIR, :message_pack, freeze: true).decode(codec(PAIR).encode(Pair.new([{ "a" => "b" }], "c")))

    assert_predicate frozen, :frozen?
    assert(Ractor.shareable?(frozen.left) && frozen.right.frozen?)
    { depth: [3, [[[[]]]]], container: [3, [1, 2, 3, 4]], string: [3, ["long"]] }.each do |name, (limit, value)|
      limited = Codec.new(PAIR, :message_pack, limits: Sparpack::Limits.new(name => limit))
      bytes   = codec(PAIR).encode(Pair.new(value, 1))

      error = assert_raises(Sparpack::DecodeError::LimitExceeded, name) { limited.decode(bytes) }
      assert_match(/\AMappingTest::Pair\.left.*expected at most 3/, error.message)
    end
    small = Codec.new(PAIR, :message_pack, limits: Sparpack::Limits.new(memory: 2000))
    assert_raises(Sparpack::DecodeError::LimitExceeded) { small.decode(codec(PAIR).encode(Pair.new([[]] * 100, 1))) }
    assert_raises(Sparpack::EncodeError::LimitExceeded) do
      Codec.new(PAIR, :message_pack, limits: Sparpack::Limits.new(depth: 3)).encode(Pair.new([[[[]]]], 1))
    end
    flat = Codec.new(PAIR, :message_pack, limits: Sparpack::Limits.new(depth: 1))

    assert_equal Pair.new("a", 1), flat.decode(flat.encode(Pair.new("a", 1)))
    assert_raises(Sparpack::EncodeError::LimitExceeded) { flat.encode(Pair.new([], 1)) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { flat.decode(codec(PAIR).encode(Pair.new([], 1))) }
    cycle = [].tap { |array| array << array }
    assert_raises(Sparpack::EncodeError::LimitExceeded) { codec(PAIR).encode(Pair.new(cycle, 1)) }
  end

  def test_truncated_at_every_byte
    bytes = codec(POINT).encode(Point.new(x: [1, { "key" => "value" }], y: 2.5))
    (0...bytes.bytesize).each do |size|
      assert_raises(Sparpack::DecodeError::Truncated, size) { codec(POINT).decode(bytes.byteslice(0, size)) }
    end
  end

  # --- types and wires ----------------------------------------------------------------------------------------------------

  def test_typed_members_go_over_all_wires
    [Point.new(x: 1, y: -2), Point.new(x: (2**31) - 1, y: nil)].product(Sparpack::WIRES).each do |point, wire|
      assert_equal point, Codec.new(TYPED, wire).decode(Codec.new(TYPED, wire).encode(point)), wire
    end
    assert_equal '{"x":1,"y":2}', Codec.new(BY_NAME, :json).encode(Point.new(x: 1, y: 2))
    assert_equal Line.new(from: POINT_1).encode, Codec.new(LINE, :compact).encode(Pair.new(POINT_1, nil))
  end

  POINT_1 = Point.new(x: 1, y: 2).freeze
  LINE = Mapping.new(Pair, { 1 => :left, 2 => :right }, types: { left: TYPED, right: Sparpack::Type.list(TYPED) })

  class Line < Sparpack::Struct
    field 1, :from, TYPED
    field 2, :points, list(TYPED)
    field 3, :marks, map(TYPED, set(BY_NAME))
    field 4, :prices, list(MONEY)
    field 5, :any, POINT
  end

  def test_a_struct_holds_objects_of_plain_classes
    line = Line.new(from: Point.new(x: 1, y: 2), points: [Point.new(x: 3, y: 4), Point.new(x: 5, y: 6)],
                    marks: { Point.new(x: 7, y: 8) => Set[Point.new(x: 9, y: 9)] }, any: Point.new(x: [], y: {}))
    bytes = line.encode(:message_pack)

    assert_equal line, Line.decode(bytes, :message_pack)
    assert_equal [nil, [1, 2], [[3, 4], [5, 6]], { [7, 8] => [{ "x" => 9, "y" => 9 }] }, nil, [[], {}]],
                 Sparpack::MessagePack.unpack(bytes)
    assert_equal({ "from" => [1, 2] },
                 Sparpack::MessagePack.unpack(Line.new(from: Point.new(x: 1, y: 2)).encode(:message_pack, keys: :names)))
    line = Line.new(from: line.from, points: line.points)
    Sparpack::WIRES.each { |wire| assert_equal line, Line.decode(line.encode(wire), wire), wire }
    assert_equal '{"from":{"x":1,"y":2},"points":[{"x":3,"y":4},{"x":5,"y":6}]}', line.to_json
    assert_equal line, Line.from_json(line.to_json)
    assert_same line.from, line.to_h(deep: true)[:from]
    assert_same line.from, line.dup(deep: true).from
    assert_equal line, Line.from_h(line.to_h(deep: true))
    assert_empty line.errors(:recursive)
  end

  def test_wires_that_need_types_or_ids_say_so
    wires = Sparpack::WIRES - [:message_pack]
    wires.each do |wire|
      error = assert_raises(Sparpack::SchemaError) { Codec.new(POINT, wire) }
      assert_equal "MappingTest::Point.x: the wire :#{wire} needs its type, as in types: { x: :i64 }; " \
                   "only :message_pack does without", error.message
      assert_raises(Sparpack::SchemaError) { Codec.new(Line, wire) }
      assert_raises(Sparpack::SchemaError) { Line.new(any: POINT_1).encode(wire) }
    end
    (wires - [:json]).each do |wire|
      error = assert_raises(Sparpack::SchemaError) { Codec.new(BY_NAME, wire) }
      assert_equal "MappingTest::Point: the wire :#{wire} needs ids for its members, as in { 0 => :x }; " \
                   ":json and :message_pack do with names", error.message
    end
  end

  def test_unknown_members
    bytes = Sparpack::MessagePack.pack([1, 2, 3])

    assert_equal Point.new(x: 1, y: 2), codec(TYPED).decode(bytes)
    error = assert_raises(Sparpack::DecodeError) { Codec.new(TYPED, :message_pack, unknown: :reject).decode(bytes) }
    assert_match(/expected a known field/, error.message)
    error = assert_raises(ArgumentError) { Codec.new(TYPED, :message_pack, unknown: :keep) }
    assert_equal "unknown: :keep: objects of the plain class MappingTest::Point have no place for unknown fields",
                 error.message
  end

  def test_faults_say_where_they_are
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(TYPED).encode(Point.new(x: "a", y: 1)) }
    assert_equal "MappingTest::Point.x: expected i32, found String (message_pack)", error.message
    error = assert_raises(Sparpack::DecodeError::TypeMismatch) { codec(TYPED).decode(Sparpack::MessagePack.pack([1, "a"])) }
    assert_equal "MappingTest::Point.y: expected i32, found str (message_pack, byte 2)", error.message
    inside = Point.new(x: [{ "k" => Object.new }], y: 1)
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(POINT).encode(inside) }
    assert_equal "MappingTest::Point.x[0].values[0]: expected a value of MessagePack, found Object (message_pack)",
                 error.message
    error = assert_raises(Sparpack::EncodeError::OutOfRange) { codec(POINT).encode(Point.new(x: 2**64, y: 1)) }
    assert_equal "MappingTest::Point.x", error.path
    [nil, 1, Pair.new(1, 2), BasicObject.new, Point].each do |other|
      assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(POINT).encode(other) }
    end
    mixed = Line.new(points: [POINT_1, Pair.new])
    error = assert_raises(Sparpack::EncodeError::TypeMismatch) { mixed.encode(:message_pack) }
    assert_equal "MappingTest::Line.points[1]: expected MappingTest::Point, found MappingTest::Pair (message_pack)",
                 error.message
  end

  def test_required_members
    mapping = Mapping.new(Point, { 0 => :x, 1 => :y }, required: [:y])

    error = assert_raises(Sparpack::DecodeError::MissingField) { codec(mapping).decode("\x91\x01".b) }
    assert_match(/\AMappingTest::Point\.y: expected a required field, found none/, error.message)
    assert_raises(Sparpack::EncodeError::MissingField) { codec(mapping).encode(Point.new(x: 1, y: nil)) }
  end

  # --- how objects are made -----------------------------------------------------------------------------------------------

  # Notes how it was made.
  class Made
    attr_reader :a, :b, :made

    def initialize(a, b = 7, *rest)
      @a = a
      @b = b
      @made = [a, b, *rest]
    end
  end

  class Keywords
    attr_reader :a, :b, :made

    def initialize(a:, b: 7, **rest)
      @a = a
      @b = b
      @made = [a, b, rest]
    end
  end

  def test_by_position
    mapping = Mapping.new(Made, { 0 => :a, 1 => :b })

    assert_equal :positional, mapping.build
    assert_equal([[1, 2], [1, 7], [nil, 7], [nil, 2]],
                 [[1, 2], [1], [], [nil, 2]].map { |values| codec(mapping).decode(pack(values)).made })
    money = codec(MONEY).decode(codec(MONEY).encode(Money.new(5, "USD")))
    assert_equal [5, "USD"], [money.cents, money.currency]
    assert_equal :positional, MONEY.build
  end

  def test_by_keywords
    mapping = Mapping.new(Keywords, { 0 => :a, 1 => :b })

    assert_equal :keywords, mapping.build
    assert_equal([[1, 2, {}], [1, 7, {}], [nil, 7, {}], [nil, 2, {}]],
                 [[1, 2], [1], [], [nil, 2]].map { |values| codec(mapping).decode(pack(values)).made })
  end

  def test_without_the_constructor
    [Made, Keywords].each do |klass|
      mapping = Mapping.new(klass, { 0 => :a, 1 => :b }, build: :allocate)
      object  = codec(mapping).decode(pack([1]))

      assert_equal [1, nil, nil], [object.a, object.b, object.made]
      assert_equal %i[@a @b], object.instance_variables
    end
  end

  class Counted
    attr_reader :a

    class << self
      attr_accessor :made

      def new(**parts)
        self.made = made.to_i + 1
        super
      end
    end

    def initialize(a: 3) = @a = a
  end

  class Odd < Counted
    def self.new(**) = Object.new
  end

  def test_a_new_of_its_own_is_called
    mapping = Mapping.new(Counted, [:a])

    assert_equal([5, 3], [{ "a" => 5 }, {}].map { |values| codec(mapping).decode(pack(values)).a })
    assert_equal 2, Counted.made
    error = assert_raises(TypeError) { codec(Mapping.new(Odd, [:a])).decode(pack({})) }
    assert_equal "MappingTest::Odd.new returned an instance of Object", error.message
  end

  # An instance_exec of its own must not run.
  class Executing < Keywords
    def instance_exec(*) = raise("called")
  end

  def test_instance_exec_may_be_overridden
    assert_equal [1, 2, {}], codec(Mapping.new(Executing, { 0 => :a, 1 => :b })).decode(pack([1, 2])).made
  end

  class Scaled < Struct.new(:x, :y) # rubocop:disable Style/StructInheritance -- its constructor calls super
    def initialize(x, y = 1) = super(x * 10, y)
  end

  def test_structs
    [Pair, Named].each do |klass|
      mapping = Mapping.new(klass, { 0 => :left, 1 => :right })
      objects = [codec(mapping).decode(pack([1, 2])), codec(mapping).decode(pack([1]))]

      assert_equal [[1, 2], [1, nil]], objects.map(&:to_a)
      assert_equal :allocate, mapping.build
    end
    assert_equal [10, 1], codec(Mapping.new(Scaled, { 0 => :x, 1 => :y })).decode(pack([1])).to_a
    assert_equal [1, nil], codec(Mapping.new(Scaled, { 0 => :x, 1 => :y }, build: :allocate)).decode(pack([1])).to_a
    assert_equal [1, 2], codec(Mapping.new(Named, { 0 => :left, 1 => :right }, build: :keywords)).decode(pack([1, 2])).to_a
    assert_equal [nil, 4], codec(Mapping.new(Pair, { 0 => :right })).decode(pack([4])).to_a
    mapping = Mapping.new(Pair, %i[left right], build: :positional)
    assert_equal [1, 2], codec(mapping).decode(pack({ "left" => 1, "right" => 2 })).to_a
  end

  if defined?(Data.define) # from Ruby 3.2 on
    def test_data
      size    = Data.define(:width, :height)
      checked = Data.define(:width, :height) { def initialize(width:, height: 1) = super(width: Integer(width), height:) }
      mapping = Mapping.new(size, { 0 => :width, 1 => :height })

      assert_equal :keywords, mapping.build
      assert_equal [1, [2]], Sparpack::MessagePack.unpack(codec(mapping).encode(size.new(1, [2])))
      assert_equal size.new(1, [2]), codec(mapping).decode(pack([1, [2]]))
      assert_predicate codec(mapping).decode(pack([1, 2])), :frozen?
      assert_equal size.new(1, nil), codec(mapping).decode(pack([1]))
      assert_equal checked.new(width: 3), codec(Mapping.new(checked, %i[width height])).decode(pack({ "width" => "3" }))
      assert_raises(Sparpack::SchemaError) { Mapping.new(size, %i[width]) }
      assert_raises(Sparpack::SchemaError) { Mapping.new(size, %i[width height], build: :allocate) }
    end
  end

  # --- how members are read -----------------------------------------------------------------------------------------------

  class Louder < Point
    def x = super * 100
  end

  def test_objects_of_subclasses_are_read_by_their_methods
    single = Point.new(x: 1, y: 2)
    def single.y = 5

    assert_equal([[100, 2], [1, 5]], [Louder.new(x: 1, y: 2), single].map { |point| unpacked(TYPED, point) })
    wide = Class.new(Pair) { def left = "wide" }
    assert_equal ["wide", 1], unpacked(PAIR, wide.new(2, 1))
    assert_instance_of Point, codec(TYPED).decode(codec(TYPED).encode(Louder.new(x: 1, y: 2)))
  end

  class Tricky
    attr_reader :plain, :target
    attr_accessor :accessor

    alias aliased target
    define_method(:moved, instance_method(:target))
    define_method(:block) { @block.inspect }
    define_method(:symbol, &:itself)

    def initialize = (@plain = @target = @accessor = @block = 1)
  end

  def test_only_plain_readers_are_passed_over
    members = %i[plain accessor aliased moved block]
    object  = Tricky.new
    object.instance_variable_set(:@aliased, :wrong)
    object.instance_variable_set(:@moved, :wrong)

    assert_equal [1, 1, 1, 1, "1"], unpacked(Mapping.new(Tricky, members, build: :allocate), object).values
    odd = Class.new(Pair) { define_method(:left) { super().to_s } }
    assert_equal({ "left" => "1", "right" => 2 }, unpacked(Mapping.new(odd, %i[left right]), odd.new(1, 2)))
  end

  # Has more readers to call than plain ones, so the objects of a list are read together.
  class Computed
    attr_accessor :plain
    attr_reader :seen

    def initialize(one, two)
      @one = one
      @two = two
      @seen = []
    end

    def one = @one.tap { @seen << :one }
    def two = @two.tap { @seen << :two }
  end

  COMPUTED = Mapping.new(Computed, { 0 => :one, 1 => :two, 2 => :plain }, types: { one: :i32, plain: :i32 },
                         build: :allocate)
  COMPUTED_LIST = Mapping.new(Pair, { 0 => :left }, types: { left: Sparpack::Type.list(COMPUTED) })

  def test_lists_of_all_sizes_are_read_by_methods
    (0..32).each do |size|
      objects = Array.new(size) { |i| Computed.new(i, i.to_s * 20).tap { |object| object.plain = -i } }
      values  = Array.new(size) { |i| [i, i.to_s * 20, -i] }

      assert_equal [values], unpacked(COMPUTED_LIST, Pair.new(objects)), size
      assert(objects.all? { |object| object.seen == %i[one two] })
    end
  end

  # Behind the end of an Array stands what was in it before.
  def test_lists_end_where_the_array_ends
    objects = Array.new(12) { |i| Computed.new(i, nil) }
    objects.pop(9)

    assert_equal [[[0, nil, nil], [1, nil, nil], [2, nil, nil]]], unpacked(COMPUTED_LIST, Pair.new(objects))
  end

  def test_lists_may_hold_objects_of_subclasses
    wide   = Class.new(Computed) { def one = super + 100 }
    single = Computed.new(7, nil).tap { |object| def object.two = "own" }
    (0..12).to_a.product([wide.new(1, 2), single]).each do |place, other|
      objects = Array.new(12) { |i| Computed.new(i, nil) }.insert(place, other)
      values  = Array.new(12) { |i| [i, nil, nil] }.insert(place, other == single ? [7, "own", nil] : [101, 2, nil])

      assert_equal [values], unpacked(COMPUTED_LIST, Pair.new(objects)), place
    end
  end

  def test_faults_in_lists_say_which_element_it_is
    [0, 3, 9, 10, 24].each do |place|
      objects = Array.new(25) { |i| Computed.new(i, nil) }
      objects[place] = Computed.new("one", nil)
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(COMPUTED_LIST).encode(Pair.new(objects)) }
      assert_equal "MappingTest::Pair.left[#{place}].one: expected i32, found String (message_pack)", error.message
      objects[place] = Pair.new
      error = assert_raises(Sparpack::EncodeError::TypeMismatch) { codec(COMPUTED_LIST).encode(Pair.new(objects)) }
      assert_equal "MappingTest::Pair.left[#{place}]", error.path
    end
  end

  def test_readers_may_be_defined_anew
    klass = Class.new { %i[a b c d e f].each { |name| define_method(name) { name.name } } }
    outer = Mapping.new(Pair, { 0 => :left },
                        types: { left: Sparpack::Type.list(mapping = Mapping.new(klass, %i[a b c d e f])) })
    read  = -> { [unpacked(mapping, klass.new), *unpacked(outer, Pair.new([klass.new, klass.new]))[0]].map { _1["a"] } }

    assert_equal %w[a a a], read.call
    klass.class_eval { def a = 1 }
    assert_equal [1, 1, 1], read.call
    klass.prepend(Module.new { def a = super + 1 })
    assert_equal [2, 2, 2], read.call
    klass.class_eval { private def a = 1 }
    klass.ancestors.first.class_eval { private :a }
    assert_match(/private method `?'?a'/, assert_raises(NoMethodError, &read).message)
    klass.ancestors.first.class_eval { undef_method :a }
    assert_raises(NoMethodError, &read)
    klass.class_eval { def method_missing(name, *) = "missing #{name}" } # rubocop:disable Style/MissingRespondToMissing
    assert_equal ["missing a"] * 3, read.call
  end

  def test_two_mappings_of_one_class
    first  = Mapping.new(Pair, %i[left])
    second = Mapping.new(Pair, { 0 => :right })

    assert_equal([{ "left" => 1 }, [2]], [first, second].map { |mapping| unpacked(mapping, Pair.new(1, 2)) })
    assert_empty Pair.instance_variables
  end

  # --- refused mappings ---------------------------------------------------------------------------------------------------

  class Private
    def taking(one) = one

    protected

    def shy = 1

    private

    def hidden = 1
  end

  REFUSED = {
    [Point, %i[x z]] => "it has no public method z to read the member: define one, as attr_reader does",
    [Point, %i[x yy]] => "it has no public method yy to read the member: define one, as attr_reader does (did you mean :y?)",
    [Private, %i[hidden]] => "its method hidden is private: make it public",
    [Private, %i[shy]] => "its method shy is protected: make it public",
    [Private, %i[taking]] => "its method taking takes arguments, so it is not a reader",
    [Point, %i[x x]] => 'two members are "x"',
    [Point, { 0 => :x, 1 => :x }] => "two members are :x",
    [Point, { "a" => :x, a: :y }] => 'two members are "a"',
    [Point, { 0 => :x, "y" => :y }] => 'members have either ids or names, and these have both: [0, "y"]',
    [Point, { -1 => :x }] => "a member has an id from 0 to 32767 or a name, not -1",
    [Point, { 1.5 => :x }] => "a member has an id from 0 to 32767 or a name, not 1.5",
    [Point, ["x"]] => 'a member is the name of a method, such as :x, not "x" (use :x)',
    [Point, []] => "a mapping needs at least one member",
    [Point, 5] => "members are a Hash or an Array of names, not 5",
    [Point, %i[x y], { types: %i[i32] }] => "types is a Hash from names to types, not [:i32]",
    [Point, %i[x y], { required: :x }] => "required is an Array of names, not :x",
    [Point, %i[x y], { types: { z: :i32 } }] => "types: :z is not a member (known: :x, :y)",
    [Point, %i[x y], { required: [:z] }] => "required: :z is not a member (known: :x, :y)",
    [Point, %i[x]] => "its constructor needs the keyword y, which is not a member",
    [Point, %i[x y], { build: :positional }] => "its constructor needs the keyword x: use build: :keywords",
    [Money, %i[cents], { build: :keywords }] =>
      "its constructor takes arguments by position: use build: :positional or :allocate",
    [Money, %i[currency]] => "its constructor does not take the members currency by name or in this order: " \
                             "pass build: :keywords, :positional or :allocate",
    [Money, %i[cents currency hash], { build: :positional }] =>
      "its constructor takes 1 to 2 arguments, and the mapping has 3 members"
  }.freeze

  def test_mappings_that_cannot_work
    REFUSED.each do |(klass, members, options), message|
      error = assert_raises(Sparpack::SchemaError, message) { Mapping.new(klass, members, **options.to_h) }
      assert_includes error.message, message
      assert_operator error.message, :start_with?, "#{klass}: "
    end
    error = assert_raises(Sparpack::SchemaError) { Mapping.new(Point, %i[x y], types: { x: :int }) }
    assert_equal "MappingTest::Point.x: :int is not a type (use :i32)", error.message
    assert_raises(ArgumentError) { Mapping.new(Kernel, %i[x]) }
    assert_raises(ArgumentError) { Mapping.new(Point, %i[x y], build: :magic) }
    assert_raises(ArgumentError) { Mapping.new(Point, %i[x y], type: {}) }
    error = assert_raises(Sparpack::SchemaError) { Mapping.new(Line, %i[from]) }
    assert_match(/has fields already/, error.message)
    error = assert_raises(ArgumentError) { Codec.new(Point, :message_pack) }
    assert_match(/map a plain class first: Sparpack::Mapping\.new\(MappingTest::Point, %i\[…\]\)/, error.message)
    error = assert_raises(Sparpack::SchemaError) do
      Class.new(Sparpack::Struct) { field 1, :point, TYPED, default: Point.new(x: 1, y: 1) }.schema
    end
    assert_match(/a field of a plain class has no default/, error.message)
    error = assert_raises(Sparpack::SchemaError) { Sparpack::IDL.dump(Line) }
    assert_equal "IDL cannot express a field of the plain class MappingTest::Point", error.message
  end

  def test_an_allocator_of_its_own_needs_its_constructor
    error = assert_raises(Sparpack::SchemaError) { Mapping.new(Class.new(String), %i[size], build: :allocate) }
    assert_match(/has an allocator of its own: use build: :keywords or :positional/, error.message)
    text = Class.new(String)
    assert_equal "abc", codec(Mapping.new(text, %i[to_s], build: :positional)).decode(pack({ "to_s" => "abc" }))
  end

  # Struct itself, a subclass without members, Integer and their like have no allocator.
  def test_classes_without_objects_of_their_own
    [[Struct, :members], [Integer, :times], [Class.new(Integer), :to_s], [Symbol, :to_sym], [Method, :name], [Proc, :arity],
     [Thread, :name]].each do |klass, member|
      error = assert_raises(Sparpack::SchemaError) { Mapping.new(klass, [member], build: :allocate) }
      assert_equal "#{klass}: no objects of it can be allocated: map a subclass, or use build: :keywords or :positional",
                   error.message
    end
    [*[nil, :keywords, :positional, :allocate].map { |build| [Class.new(Struct), build] },
     *([[Class.new(Data), :keywords]] if defined?(Data))].each do |klass, build|
      error = assert_raises(Sparpack::SchemaError) { Mapping.new(klass, %i[to_h], build:) }
      assert_match(/\A#<Class:0x\h+>: it has no members, because no objects of it can be made: map a class that/,
                   error.message)
    end
    klass = Class.new
    capture_io { klass.undef_method(:initialize) } # Ruby warns
    error = assert_raises(Sparpack::SchemaError) { Mapping.new(klass, %i[hash]) }
    assert_match(/: its initialize is undefined: map another class\z/, error.message)
  end

  # --- the mapping itself -------------------------------------------------------------------------------------------------

  Node = Struct.new(:value, :children)
  NODE = Mapping.new(Node, %i[value children], types: { children: Sparpack::Type.list { NODE } })

  def test_a_type_may_name_the_mapping_itself
    tree = Node.new(1, [Node.new("two", []), Node.new([3], [Node.new(4)])])

    assert_equal tree, codec(NODE).decode(codec(NODE).encode(tree))
    error = assert_raises(Sparpack::EncodeError) { codec(NODE).encode(Node.new(1, [Node.new(1, [5])])) }
    assert_equal "MappingTest::Node.children[0].children[0]", error.path
  end

  # Neither the block's variable is set yet, nor can another Ractor have what is around it.
  def test_a_mapping_that_names_itself_is_the_type_of_a_field
    mapping = nil
    types = { value: :i32, children: Sparpack::Type.list { mapping } }
    mapping = Mapping.new(Node, { 0 => :value, 1 => :children }, types:)
    forest = Class.new(Sparpack::Struct) { field 1, :trees, list(mapping) }
    object = forest.new(trees: [Node.new(1, [Node.new(2, []), Node.new(3, nil)])])

    assert_equal object, forest.decode(object.encode)
    assert_equal object, forest.decode(object.encode(:message_pack), :message_pack)
    assert(Ractor.shareable?(mapping) && Ractor.shareable?(forest.schema) && Ractor.shareable?(mapping.fields))
  end

  def test_mappings_are_frozen_and_say_what_they_are
    assert_predicate POINT, :frozen?
    assert(Ractor.shareable?(POINT))
    members = { 0 => :x, 1 => :y }
    assert_equal [Point, members, :keywords, false], [POINT.mapped_class, POINT.members, POINT.build, POINT.by_name?]
    assert_equal "#<Sparpack::Mapping MappingTest::Point #{members} build: :keywords>", POINT.inspect
    assert_same POINT, codec(POINT).struct_class
    assert_equal "#<Sparpack::Codec MappingTest::Point message_pack>", codec(POINT).inspect
    assert_raises(FrozenError) { POINT.send(:initialize, Point, %i[x y]) }
    assert_raises(TypeError) { Codec.new(Mapping.allocate, :message_pack) }
  end

  def test_marshal_keeps_a_mapping
    mapping = Mapping.new(Pair, %i[left right], types: { left: :i32 }, required: [:left], build: :positional)
    copy = Marshal.load(Marshal.dump(mapping))

    assert_equal [Pair, { "left" => :left, "right" => :right }, :positional], [copy.mapped_class, copy.members, copy.build]
    assert_equal Pair.new(1, [2]), codec(copy).decode(codec(copy).encode(Pair.new(1, [2])))
    assert_raises(Sparpack::EncodeError::MissingField) { codec(copy).encode(Pair.new(nil, 1)) }
  end

  def test_the_other_methods_of_a_codec
    codec = codec(TYPED)
    io    = StringIO.new("".b)
    3.times { |i| codec.encode_to(io, Point.new(x: i, y: i)) }
    io.rewind

    assert_equal [0, 1, 2], codec.decode_each(io).map(&:x)
    io.rewind
    assert_equal 0, codec.decode_from(io).x
    assert_equal([0, 3], codec.decode_prefix(io.string).then { |point, offset| [point.x, offset] })
    assert_raises(Sparpack::DecodeError::Truncated) { codec.decode_prefix("\x92\x01".b) }
  end

  # --- inside generic values ----------------------------------------------------------------------------------------------

  def test_a_factory_packs_objects_with_a_codec
    factory = Sparpack::MessagePack::Factory.new
    factory.register_type(5, Point, codec: codec(POINT))
    value = [1, { "point" => Point.new(x: 1, y: [2]) }, Point.new(x: nil, y: "z")]

    assert_equal value, factory.load(factory.dump(value))
    assert_equal "\xC7\x03\x05\x92\x01\x02".b, factory.dump(Point.new(x: 1, y: 2))
    assert_raises(ArgumentError) { factory.register_type(6, Pair, codec: 5) }
    assert_raises(ArgumentError) { factory.register_type(6, Pair, codec: codec(POINT), packer: :to_s) }
    assert_raises(ArgumentError) { factory.register_type(6, Pair, codec: codec(POINT)) }
  end

  private

  def codec(mapping) = Codec.new(mapping, :message_pack)
  def pack(value) = Sparpack::MessagePack.pack(value)
  def unpacked(mapping, object) = Sparpack::MessagePack.unpack(codec(mapping).encode(object))
end
