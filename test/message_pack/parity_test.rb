# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/command"
require "support/deadline"
require "rbconfig"
require "socket"
require "stringio"

# What programs for the msgpack gem rely on, in addition to values: which errors are raised, what is frozen, and what waits
# for an io.
class MessagePackParityTest < Minitest::Test
  include Deadline

  MP = Sparpack::MessagePack
  Node = Struct.new(:value)

  # An object that converts to a String counts as one.
  class Textual
    def to_str = "\x01"
  end

  # --- Arguments that are not a String or a number ----------------------------------------------------------------------

  def test_what_is_no_string_is_a_type_error
    [nil, 1, :a, ["a"]].each do |wrong|
      assert_raises(::TypeError) { MP::Unpacker.new.feed(wrong) }
      assert_raises(::TypeError) { MP::Unpacker.new.feed_each(wrong).to_a }
      assert_raises(::TypeError) { MP::Buffer.new << wrong }
      assert_raises(::TypeError) { MP::Buffer.new.write(wrong) }
      assert_raises(::TypeError) { MP::Packer.new.write_ext(1, wrong) }
      assert_raises(::TypeError) { MP::Factory.new.pool.load(wrong) }
    end
  end

  def test_what_can_be_a_string_is_one
    assert_equal 1, MP::Unpacker.new.feed(Textual.new).read
    assert_equal "\x01".b, (MP::Buffer.new << Textual.new).to_s
    assert_equal "\xD4\x01\x01".b, MP::Packer.new.write_ext(1, Textual.new).to_s
    assert_equal "\x05".b, (MP::Buffer.new << MP::Packer.new.write(5)).to_s
    packer = MP::Packer.new
    packer.register_type(1, Range) { Textual.new }

    assert_equal "\xD4\x01\x01".b, packer.write(1..2).to_s
  end

  def test_numbers_of_extension_types_are_checked
    nothing = proc { "" }
    [128, -129, 70_000].each do |wrong|
      assert_raises(RangeError) { MP::Packer.new.register_type(wrong, Range, &nothing) }
      assert_raises(RangeError) { MP::Unpacker.new.register_type(wrong, Range, &nothing) }
      assert_raises(RangeError) { MP::Factory.new.register_type(wrong, Range, packer: :to_s) }
      assert_raises(RangeError) { MP::Packer.new.write_ext(wrong, "") }
    end
    [nil, "1", :a].each do |wrong|
      assert_raises(::TypeError) { MP::Packer.new.register_type(wrong, Range, &nothing) }
      assert_raises(::TypeError) { MP::Unpacker.new.register_type(wrong, Range, &nothing) }
      assert_raises(::TypeError) { MP::Factory.new.register_type(wrong, Range, packer: :to_s) }
      assert_raises(::TypeError) { MP::Packer.new.write_ext(wrong, "") }
    end
  end

  def test_wrong_arguments_of_writers
    ["hello", nil, :a, [1], Object.new, BasicObject.new].each do |wrong|
      assert_raises(::TypeError) { MP::Packer.new.write_float(wrong) }
    end
    %i[write_string write_bin write_array write_hash write_symbol write_int write_extension].each do |name|
      assert_raises(::TypeError, name) { MP::Packer.new.public_send(name, BasicObject.new) }
    end
    assert_raises(ArgumentError) { MP::Packer.new.write_float32(BasicObject.new) }
    assert_raises(ArgumentError) { MP::Factory.new.register_type(1, Range, oversized_integer_extension: true) }
  end

  def test_an_integer_without_a_sign_is_zero
    assert_equal([0, 0, 0], ["", "\0", "\1"].map { |bytes| MP::Bigint.from_msgpack_ext(bytes.b) })
  end

  def test_a_buffer_does_not_go_backwards
    [-1, 1.5, "1"].each do |wrong|
      %i[read read_all skip skip_all].each do |name|
        buffer = MP::Buffer.new << "abcdef"

        assert_raises(ArgumentError, ::TypeError, RangeError, "#{name}(#{wrong})") { buffer.public_send(name, wrong) }
        assert_equal "abcdef", buffer.to_s
      end
    end
  end

  # --- Names ------------------------------------------------------------------------------------------------------------

  def test_the_older_name_of_an_unexpected_type
    assert_includes MP::UnexpectedTypeError.ancestors, MP::TypeError
    error = assert_raises(MP::UnexpectedTypeError) { MP::Unpacker.new.feed("\x01").read_array_header }

    assert_kind_of MP::TypeError, error
  end

  def test_buffers_are_not_copied
    assert_raises(NoMethodError) { MP::Buffer.new.dup }
    assert_raises(NoMethodError) { MP::Buffer.new.clone }
  end

  # --- Extension values -------------------------------------------------------------------------------------------------

  def test_extension_values_pack_themselves
    value = MP::ExtensionValue.new(5, "ab")

    assert_equal "\xD5\x05ab".b, MP.pack(value)
    assert_equal "\x92\xD5\x05ab\x01".b, MP.pack([value, 1])
    assert_equal "\xD5\x05ab".b, MP::Packer.new.write(value).to_s
    assert_equal [value], MP.unpack(MP.pack([value]), allow_unknown_ext: true)
    [128, -129, 1.5, nil].each { |wrong| assert_raises(RangeError, ::TypeError) { MP.pack(MP::ExtensionValue.new(wrong, "")) } }
    assert_raises(::TypeError) { MP.pack(MP::ExtensionValue.new(1, nil)) }
  end

  def test_frozen_values_of_extension_types
    assert_predicate MP.unpack("\xD4\x01a".b, allow_unknown_ext: true, freeze: true), :frozen?
    factory = MP::Factory.new
    factory.register_type(1, Node, unpacker: ->(data) { Node.new(data) })

    assert_predicate factory.load("\xD4\x01a".b, freeze: true), :frozen?
    refute_predicate factory.load("\xD4\x01a".b), :frozen?
  end

  # --- Frozen packers, and pools ----------------------------------------------------------------------------------------

  def test_frozen_packers_and_unpackers_work_and_take_no_types
    packer = MP::Packer.new.freeze
    unpacker = MP::Unpacker.new.freeze

    assert_equal "\x91\x01".b, packer.write([1]).full_pack
    assert_equal [[1], 5], [unpacker.feed("\x91\x01\x05".b).read, unpacker.full_unpack]
    assert_equal [7], unpacker.feed_each("\x07").to_a
    unpacker.feed("\x92".b).reset
    unpacker.feed("\x08")
    unpacker.skip
    [packer, unpacker].each { |one| assert_raises(FrozenError) { one.register_type(1, Node) { "" } } }
  end

  def test_members_of_pools_are_frozen
    pool = MP::Factory.new.pool(1)

    pool.packer do |packer|
      assert_predicate packer, :frozen?
      assert_raises(FrozenError) { packer.register_type(1, Node) { "" } }
    end
    pool.unpacker do |unpacker|
      assert_predicate unpacker, :frozen?
      assert_raises(FrozenError) { unpacker.register_type(1, Node) { nil } }
    end
    assert_raises(NoMethodError) { pool.dump(Node.new(1)) }
  end

  # --- Recursive types --------------------------------------------------------------------------------------------------

  # A callback writes only its payload. It can neither see nor clear what was written before.
  def test_a_recursive_packer_sees_its_own_payload
    seen = nil
    factory = MP::Factory.new
    factory.register_type(1, Node, recursive: true, packer: lambda do |_, packer|
      packer.write(1)
      seen = [packer.size, packer.to_s, packer.empty?]
      packer.reset
      packer.write(2)
    end)

    assert_equal "\x05\xD4\x01\x02".b, factory.packer.write(5).write(Node.new(0)).to_s
    assert_equal [1, "\x01".b, false], seen
  end

  def test_classes_without_a_packer_are_packed_as_their_ancestors
    factory = MP::Factory.new
    factory.register_type(1, Comparable, packer: ->(_) { "any" })
    factory.register_type(2, Time, packer: nil)
    factory.register_type(3, Object, packer: ->(value) { value.class.name })

    assert_equal "\xC7\x03\x01any".b, factory.dump(Time.at(0))
    assert_equal MP.pack(%w[a b]), factory.dump([:a, "b"])
  end

  # --- Depth ------------------------------------------------------------------------------------------------------------

  # An endless array from an io, or in pieces, is refused at level 129.
  def test_depth_is_bounded_before_the_end_is_there
    deep = "\x91".b * 200

    assert_raises(MP::StackError) { MP.unpack(StringIO.new(deep)) }
    assert_raises(MP::StackError) { MP::Unpacker.new(StringIO.new(deep)).read }
    assert_raises(MP::StackError) { MP::Unpacker.new(StringIO.new(deep)).skip }
    assert_raises(MP::StackError) { MP::Unpacker.new(StringIO.new(deep)).each.to_a }
    assert_raises(MP::StackError) { MP::Unpacker.new.feed(deep).skip }
    assert_raises(MP::StackError) { MP::Unpacker.new.feed_each("\x91").to_a && MP::Unpacker.new.feed_each(deep).to_a }
    unpacker = MP::Unpacker.new
    assert_raises(MP::StackError) { 200.times { unpacker.feed_each("\x91".b).to_a } }
    assert_raises(MP::StackError) { MP::Unpacker.new.feed("#{deep}\x01".b).skip }
  end

  # --- Ios --------------------------------------------------------------------------------------------------------------

  # If the other side waits for a reply, waiting for more bytes than needed means waiting for ever.
  def test_no_more_is_waited_for_than_is_needed
    { "\xC0" => :skip_nil, "\x91" => :read_array_header, "\x81" => :read_map_header, "\x91\x01" => :read,
      "\x91\x02" => :skip }.each do |bytes, name|
      socket do |ours, theirs|
        theirs.write(bytes.b)

        soon(name) { MP::Unpacker.new(ours).public_send(name) }
      end
    end
    socket do |ours, theirs|
      theirs.write("\x93\x01".b)
      unpacker = MP::Unpacker.new(ours)

      assert_equal([3, 1], soon("an element") { [unpacker.read_array_header, unpacker.read] })
    end
    socket { |ours, _| assert_equal([true], soon("the buffer") { [MP::Unpacker.new(ours).buffer.empty?] }) }
  end

  def test_heads_that_are_there_in_part
    refute_predicate MP::Unpacker.new.feed("\xDC".b), :skip_nil
    assert_raises(MP::UnexpectedTypeError) { MP::Unpacker.new.feed("\xDC".b).read_map_header }
  end

  # An io is first called with a size alone, then also with a String to fill.
  def test_ios_are_given_a_string_to_fill
    calls = []
    io = Object.new
    rest = [+"\x01\x02", +"\x03", nil]
    io.define_singleton_method(:read) do |size, *into|
      calls << [size.class, *into.map(&:class)]
      piece = rest.shift
      piece && into[0] ? into[0].replace(piece) : piece
    end

    assert_equal [1, 2, 3], MP::Unpacker.new(io).each.to_a
    assert_equal [Integer], calls[0]
    assert_equal [Integer, String], calls[1]
  end

  def test_what_an_io_refused_is_kept
    angry = Object.new
    def angry.write(_) = raise(IO::EAGAINWaitWritable)
    buffer = MP::Buffer.new << "abc"

    assert_raises(IO::EAGAINWaitWritable) { buffer.write_to(angry) }
    assert_equal "abc", buffer.to_s
  end

  # --- Ractors ----------------------------------------------------------------------------------------------------------

  # In a process that has used nothing before.
  def test_a_ractor_may_be_the_first_to_use_anything
    code = <<~RUBY
      Warning[:experimental] = false
      ractor = Ractor.new do
        m = Sparpack::MessagePack
        bytes = m::Packer.new.write([1]).to_s
        [m::Unpacker.new.feed(bytes).read, m::Factory.new.pool.load(bytes), m.each(bytes).to_a, m::Timestamp.new(1, 2).sec,
         (m::Buffer.new << "a").read, m.unpack(bytes, freeze: true)]
      end
      p ractor.respond_to?(:value) ? ractor.value : ractor.take
    RUBY
    output, status = Command.capture2e(RbConfig.ruby, "-rsparpack/message_pack", "-e", code)

    assert_predicate status, :success?, output
    assert_equal "[[1], [1], [[1]], 1, \"a\", [1]]\n", output
  end

  private

  def socket
    ours, theirs = UNIXSocket.pair
    yield ours, theirs
  ensure
    [ours, theirs].each(&:close)
  end

  # Ends long before a test that waits for ever, but late enough for a busy machine.
  def soon(what, &) = within(what, seconds: 30, &)
end
