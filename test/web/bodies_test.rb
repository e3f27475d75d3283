# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "json"
require "sparpack/message_pack"
require "support/cost"
require "support/seeded"

# Objects and lists of objects as bodies, on every wire.
class BodiesTest < Minitest::Test
  include Seeded

  Bodies = Sparpack::Media::Bodies

  module Status
    extend Sparpack::Enum

    PAID = 1
  end

  class Order < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :status, Status
    field 4, :lines, list("Order")
    field 5, :counts, map(:string, :i64)
  end

  # Its ids are far apart, so `:message_pack` cannot write it as an array. Each wire reads it, though.
  class Scattered < Sparpack::Struct
    field 1, :id, :i32
    field 30_000, :name, :string
  end

  # Has limits of its own.
  class Small < Sparpack::Struct
    default_codec :json, limits: Sparpack::Limits.new(string: 4), enums: :names
    field 1, :name, :string
    field 2, :status, Status
  end

  # Takes much memory, and one byte.
  class Wide < Sparpack::Struct
    (1..60).each { |id| field id, :"f#{id}", :i32 }
  end

  class Plain
    attr_accessor :id, :name
  end

  PLAIN = Sparpack::Mapping.new(Plain, { 1 => :id, 2 => :name }, types: { id: :i32, name: :string })
  WIRES = Sparpack::WIRES.freeze
  SIZES = [0, 1, 2, 14, 15, 16, 200, 66_000].freeze

  # --- objects -----------------------------------------------------------------------------------------------------------

  def test_an_object
    WIRES.each do |wire|
      bytes = Bodies.encode(order, wire, {})

      assert_equal order.encode(wire), bytes
      assert_equal order.encode(wire).encoding, bytes.encoding
      [Order, "BodiesTest::Order", Order.codec(:compact), Order.codec(:json, enums: :names)].each do |target|
        assert_equal order, Bodies.decode(bytes, target, wire, {})
      end
    end
  end

  # A caller need not know the wire, so options of other wires are no mistake. Unknown ones are.
  def test_options_of_other_wires_are_left_out
    options = { enums: :names, i64: :string, keys: :names, compression: nil }
    WIRES.each do |wire|
      known = options.slice(*Sparpack::Native::WIRE_OPTIONS.fetch(wire))

      assert_equal order.encode(wire, **known), Bodies.encode(order, wire, options)
      assert_equal order, Bodies.decode(order.encode(wire), Order, wire, options)
      assert_raises(ArgumentError) { Bodies.encode(order, wire, { utf: :keep }) }
      assert_raises(ArgumentError) { Bodies.decode("", Order, wire, { utf: :keep }) }
    end
  end

  def test_the_default_codec_of_a_class_counts
    assert_includes Bodies.encode(Small.new(status: 1), :json, {}), '"PAID"'
    WIRES.each do |wire|
      bytes = Small.new(name: "abcde").encode(wire, limits: nil)

      [Small, [Small]].each do |target|
        body = target == Small ? bytes : Sparpack::Media::Lists.join([bytes], wire)

        assert_raises(Sparpack::DecodeError::LimitExceeded) { Bodies.decode(body, target, wire, {}) }
        assert Bodies.decode(body, target, wire, { limits: nil })
      end
    end
  end

  def test_the_options_of_a_codec_count
    codec = Sparpack::Codec.new(Order, :compact, freeze: true, frame: :varint)
    WIRES.each do |wire|
      assert_predicate Bodies.decode(order.encode(wire), codec, wire, {}), :frozen?
      refute_predicate Bodies.decode(order.encode(wire), codec, wire, { freeze: false }), :frozen?
    end
  end

  # Only a whole payload can be compressed, and so the elements of a list are not.
  def test_compression
    klass = Class.new(Sparpack::Struct) do
      default_codec :message_pack, compression: :lz4
      field 1, :name, :string
    end
    object = klass.new(name: "x" * 1_000)
    [{}, { compression: :lz4_block }].each do |options|
      bytes = Bodies.encode(object, :message_pack, options)

      assert_operator bytes.bytesize, :<, 100
      assert_equal object, Bodies.decode(bytes, klass, :message_pack, {})
      assert_equal [object], Bodies.decode(Bodies.encode([object], :message_pack, options), [klass], :message_pack, {})
    end
  end

  # The name of a union's variant replaces the class method of that name.
  def test_a_union_whose_variants_have_names_of_methods
    union = Class.new(Sparpack::Union) do
      field 1, :decode, :i32
      field 2, :codec, :i32
    end
    Sparpack::WIRES.each do |wire|
      object = union.new(decode: 5)

      assert_equal object, Bodies.decode(Bodies.encode(object, wire, {}), union, wire, {})
      assert_equal [object], Bodies.decode(Bodies.encode([object], wire, {}), [union], wire, {})
    end
  end

  # Its faults begin with a name that no class has.
  def test_a_fault_of_a_class_without_a_name
    klass = Class.new(Sparpack::Struct) { field 1, :id, :i32 }
    error = assert_raises(Sparpack::DecodeError) { Bodies.decode("[{},{\"id\":[]}]", [klass], :json, {}) }

    assert_equal ["#{klass}.id", 10], [error.path, error.offset]
  end

  def test_a_class_whose_ids_are_far_apart
    object = Scattered.new(id: 1, name: "a")
    bytes = Bodies.encode([object], :message_pack, { keys: :ids })

    assert_equal [object], Bodies.decode(bytes, [Scattered], :message_pack, {})
  end

  def test_a_name_is_looked_up_each_time
    old = self.class.const_set(:Reloaded, Class.new(Sparpack::Struct) { field 1, :id, :i32 })
    assert_instance_of old, Bodies.decode("\x15\x02\0", "BodiesTest::Reloaded", :compact, {})
    assert_instance_of old, Bodies.decode("\x15\x02\0", ["BodiesTest::Reloaded"], :compact, {}).first
    self.class.send(:remove_const, :Reloaded)
    error = assert_raises(NameError) { Bodies.decode("\x15\x02\0", "BodiesTest::Reloaded", :compact, {}) }

    assert_equal :Reloaded, error.name
    fresh = self.class.const_set(:Reloaded, Class.new(Sparpack::Struct) { field 1, :id, :i32 })
    assert_instance_of fresh, Bodies.decode("\x15\x02\0", "BodiesTest::Reloaded", :compact, {})
    assert_instance_of fresh, Bodies.decode("\x15\x02\0", ["BodiesTest::Reloaded"], :compact, {}).first
  ensure
    self.class.send(:remove_const, :Reloaded) if self.class.const_defined?(:Reloaded)
  end

  # An error about bytes of a stranger must not tell which files there are.
  def test_the_name_of_a_file
    name = File.expand_path(__FILE__).encode("UTF-8")
    error = assert_raises(Sparpack::DecodeError) { Bodies.decode(name, Order, :compact, {}) }

    refute_includes error.message, "name of a file"
  end

  def test_what_is_no_object
    { nil => "nil", 5 => "5", Order => Order.name, { a: 1 } => "{:a=>1}" }.each do |object, shown|
      message = assert_raises(TypeError) { Bodies.encode(object, :json, {}) }.message

      assert_operator message, :start_with?, "expected a Sparpack::Struct, Union or Exception, or an Array of them, got "
      assert_operator message, :end_with?, shown unless object.is_a?(Hash)
    end
    assert_equal "expected a Sparpack::Struct, Union or Exception, or an Array of them, got a list with nil",
                 assert_raises(TypeError) { Bodies.encode([order, nil], :json, {}) }.message
  end

  def test_what_is_no_class
    [String, 5, nil, [String], :Order].each do |target|
      assert_raises(ArgumentError) { Bodies.decode("", target, :json, {}) }
      assert_raises(ArgumentError) { Bodies.check(target, {}) }
    end
    [[], [Order, Order]].each do |target|
      assert_match(/\Aexpected an Array of one class, which stands for a list, got one of [02]\z/,
                   assert_raises(ArgumentError) { Bodies.decode("", target, :json, {}) }.message)
    end
  end

  # --- lists -------------------------------------------------------------------------------------------------------------

  WIRES.product(SIZES).each do |wire, size|
    define_method(:"test_a_list_of_#{size}_on_#{wire}") do
      list = Array.new(size) { |index| Order.new(id: index, name: "ä" * (index % 3), status: 1) }
      body = Bodies.encode(list, wire, {})

      assert_equal list, Bodies.decode(body, [Order], wire, {})
      assert_equal list, Bodies.decode(body.b, ["BodiesTest::Order"], wire, {})
    end
  end

  def test_text_that_looks_like_the_end_of_a_list
    ["a,]b", ",]", "[,]", "]},{", "\\\"]"].each do |name|
      list = [order.with(name:), order.with(name:, lines: [order.with(name:)])]

      WIRES.each { |wire| assert_equal list, Bodies.decode(Bodies.encode(list, wire, {}), [Order], wire, {}), [wire, name] }
    end
  end

  # Other programs read it in their own ways.
  def test_the_form_of_lists
    list = [order, order.with(id: 2)]

    assert_equal list.map(&:as_json), JSON.parse(Bodies.encode(list, :json, {}))
    assert_equal list.map { |each| Sparpack::MessagePack.unpack(each.encode(:message_pack)) },
                 Sparpack::MessagePack.unpack(Bodies.encode(list, :message_pack, {}))
    %i[compact binary thrift_json json].each do |wire|
      assert_equal list, Order.decode_each(Bodies.encode(list, wire, {}), wire).to_a
    end
    assert_equal list, Bodies.decode(" [ #{list.map(&:to_json).join(" , ")} ]\n", [Order], :json, {})
  end

  def test_options_hold_for_the_elements
    WIRES.each do |wire|
      body = Bodies.encode([order, order], wire, { enums: :names, keys: :names })
      list = Bodies.decode(body, [Order], wire, { freeze: true })

      assert_equal [order] * 2, list
      assert list.all?(&:frozen?)
      assert_equal [order] * 2, Bodies.decode(body, [Order.codec(:compact, lazy: true)], wire, { lazy: true })
      assert_raises(Sparpack::DecodeError) { Bodies.decode(Bodies.encode([Order.new(id: 1, status: 5)], wire, {}), [Order], wire, { validate: :strict }) }
    end
  end

  def test_a_list_of_plain_objects
    codec = Sparpack::Codec.new(PLAIN, :json)
    WIRES.each do |wire|
      body = Bodies.encode([Order.new(id: 1, name: "a"), Order.new(id: 2)], wire, {})

      [PLAIN, codec].each do |target|
        assert_equal([[1, "a"], [2, nil]], Bodies.decode(body, [target], wire, {}).map { |plain| [plain.id, plain.name] })
      end
    end
  end

  def test_plain_objects_are_written_by_their_mapping
    plain = PLAIN.mapped_class
    objects = [Bodies.decode(Order.new(id: 1, name: "a").encode, PLAIN, :compact, {}), Order.new(id: 2)]
    WIRES.each do |wire|
      one = Bodies.encode(objects.first, wire, { keys: :ids }, PLAIN)

      read = Bodies.decode(one, PLAIN, wire, {})

      assert_equal [plain, 1, "a"], [read.class, read.id, read.name]
      assert_equal [1, 2], Bodies.decode(Bodies.encode(objects, wire, {}, PLAIN), [PLAIN], wire, {}).map(&:id)
    end
    assert_equal([true, true, false], [objects, objects.first, [1]].map { |each| Bodies.encodes?(each, PLAIN) })
    refute Bodies.encodes?(objects.first)
    error = assert_raises(TypeError) { Bodies.encode([1], :json, {}, PLAIN) }
    assert_equal "expected a Sparpack::Struct, Union or Exception, or an Array of them, or a #{plain}, got a list with 1",
                 error.message
  end

  def test_a_union_and_an_exception
    union = Class.new(Sparpack::Union) { field 1, :id, :i32 }
    failure = Class.new(Sparpack::Exception) { field 1, :id, :i32 }
    WIRES.each do |wire|
      [union.new(id: 1), failure.new(id: 1)].each do |object|
        body = Bodies.encode([object, object], wire, {})

        assert_equal [1, 1], Bodies.decode(body, [object.class], wire, {}).map(&:id)
      end
    end
  end

  FAULTS = {
    json: ["", " ", "{}", "null", "[", "[{\"id\":1}", "[{\"id\":1},]", "[{\"id\":1}]x", "[[]]", "[null]",
           "{\"id\":1}{\"id\":2}"],
    message_pack: ["", "\x80", "\x91", "\x92\x91\x01", "\x91\x91\x01\x91\x01", "\xdc", "\xdc\0", "\xdd\0\0\0",
                   "\xdd\xff\xff\xff\xff",
                   "\xc0", "\x91\xc0", "\x90\x90", "\x92\x91\x01\xc0"],
    compact: ["\x15", "\x15\x02\0\x15", "\x15\x02\0\xff", "\0"],
    binary: ["\x08", "\0"],
    thrift_json: ["x", "[]", "{}", "{\"1\":{\"i32\":1}},", "{\"1\":{\"i32\":1}}]"]
  }.freeze

  def test_bodies_that_are_no_lists
    FAULTS.each do |wire, bodies|
      bodies.each do |body|
        error = assert_raises(Sparpack::DecodeError, "#{wire} #{body.inspect}") { Bodies.decode(body.b, [Order], wire, {}) }

        refute_match(/#<Class/, "#{error.message} #{error.path}")
      end
    end
  end

  def test_a_fault_tells_its_place_in_the_body
    body = "[{\"id\":1},{\"id\":\"x\"}]"
    error = assert_raises(Sparpack::DecodeError::TypeMismatch) { Bodies.decode(body, [Order], :json, {}) }

    assert_equal [body.index("\"x\""), "BodiesTest::Order.id"], [error.offset, error.path]
  end

  def test_a_list_where_an_object_is_expected
    error = assert_raises(Sparpack::DecodeError) { Bodies.decode(" [{}]", Order, :json, {}) }

    assert_match(/\(for a list, pass the class in an Array: \[\S*Order\]\)\z/, error.message)
    assert_equal 1, error.offset
    refute_match(/for a list/, assert_raises(Sparpack::DecodeError) { Bodies.decode("5", Order, :json, {}) }.message)
  end

  def test_mutated_lists
    WIRES.each do |wire|
      body = Bodies.encode([order, Order.new(id: 2, lines: [order])] * 3, wire, {})
      400.times do
        bytes = changed(body)
        begin
          assert_kind_of Array, Bodies.decode(bytes, [Order], wire, {})
        rescue Sparpack::DecodeError => e
          refute_match(/#<Class/, "#{e.message} #{e.path}")
        end
      end
    end
  end

  # --- limits ------------------------------------------------------------------------------------------------------------

  # A million elements take no more than the body may, though each of them is far below the limit.
  def test_a_list_has_the_memory_of_one_payload
    { compact: "\0" * 100_000, binary: "\0" * 100_000, json: "[#{(["{}"] * 100_000).join(",")}]",
      thrift_json: "{}" * 100_000, message_pack: "\xdd\0\x01\x86\xa0".b << ("\x80".b * 100_000) }.each do |wire, body|
      cost = Cost.of { Bodies.decode(body, [Wide], wire, {}) }

      assert_instance_of Sparpack::DecodeError::LimitExceeded, cost.result, wire
      assert_match(/\Alist\S*: expected at most \d+ bytes, found objects that take more \(#{wire}\)\z/, cost.result.message)
      assert_operator cost.bytes, :<, 2.5 * ((16 << 20) + (64 * body.bytesize)), wire
      assert_equal 100_000, Bodies.decode(body, [Wide], wire, { limits: Sparpack::Limits.new(memory: 1 << 30) }).size
    end
  end

  def test_the_limits_of_a_list
    list = [order, order.with(lines: [order])]
    WIRES.each do |wire|
      body = Bodies.encode(list, wire, {})
      { { memory: 100 } => "list", { container: 1 } => "list", { string: 1 } => "BodiesTest::Order.name",
        { depth: 2 } => "BodiesTest::Order.lines[0]" }.each do |limits, path|
        error = assert_raises(Sparpack::DecodeError::LimitExceeded, "#{wire} #{limits}") do
          Bodies.decode(body, [Order], wire, { limits: Sparpack::Limits.new(**limits) })
        end

        assert_operator error.path, :start_with?, path unless limits.key?(:memory)
      end
      assert_equal list, Bodies.decode(body, [Order], wire, { limits: Sparpack::Limits.new(depth: 4, container: 2) })
      assert_equal list, Bodies.decode(body, [Order], wire, { limits: Sparpack::Limits.new(depth: 1000) })
    end
  end

  private

  def order = Order.new(id: 1, name: "Ada", status: 1, counts: { "a" => 1 << 40 })

  def changed(bytes)
    bytes.b.tap do |copy|
      random.rand(1..3).times { copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
      copy.slice!(random.rand(copy.bytesize)..) if random.rand(4).zero?
    end
  end
end
