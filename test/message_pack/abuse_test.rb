# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "stringio"

# Whatever Ruby code does in the middle of packing or unpacking, the worst outcome is a Ruby exception, and everything that
# was written is whole.
class MessagePackAbuseTest < Minitest::Test
  include FreshRuby

  MP = Sparpack::MessagePack

  # Packs something else if its value cannot be packed.
  class Forgiving
    def initialize(value)
      @value = value
    end

    def to_msgpack(packer)
      packer.write_array_header(2)
      begin
        packer.write(@value)
      rescue RangeError, IOError
        packer.write("else")
      end
      packer.write("end")
    end
  end

  # Raises in the middle of being packed.
  class Angry
    def to_msgpack(packer)
      packer.write("half")
      raise IOError, "no"
    end
  end

  # What a callback could not write leaves nothing behind, even if the output has moved meanwhile.
  def test_callbacks_that_go_on_after_a_value_that_cannot_be_packed
    [[1, Angry.new], ["x" * 3_000, "y" * 100_000, 2**70], [["z"] * 500_000, Angry.new],
     [Forgiving.new(1), 2**70]].each do |bad|
      ["", "a" * 10_000].each do |before|
        assert_equal [before, %w[else end], 5], MP.unpack(MP.pack([before, Forgiving.new(bad), 5]))
      end
    end
  end

  # What an io has received cannot be taken back.
  def test_callbacks_that_go_on_after_an_io_has_a_part
    packer = MP::Packer.new(StringIO.new("".b), io_buffer_size: 1024)

    assert_raises(IOError) { packer.write([Forgiving.new([["z" * 100] * 1_000, 2**70])]) }
    assert_raises(IOError) { packer.write(1) }
    packer.reset

    assert_equal 1, packer.write(1).size
  end

  # Uses a packer that belongs to a value which is being packed.
  def test_writing_where_only_a_payload_is_asked_for
    packer = nil
    pack = ->(number) { packer&.write("x" * 9_000) && number.to_s }
    factory = MP::Factory.new
    factory.register_type(1, Rational, packer: pack, unpacker: ->(text) { Rational(text) })
    outer = Object.new
    outer.define_singleton_method(:to_msgpack) do |given|
      packer = given
      begin
        given.write([1r])
      rescue ArgumentError
        given.write("else")
      end
    end

    assert_equal ["else"], factory.load(factory.dump([outer]))
  end

  # A continuation returns into a packing whose output has become somebody's String.
  CONTINUATION = <<~RUBY
    require "continuation"
    require "sparpack/message_pack"
    kept = nil
    back = Class.new do
      define_method(:to_msgpack) do |packer|
        callcc { |continuation| kept ||= continuation }
        packer.write(1)
      end
    end
    rounds = 0
    begin
      Sparpack::MessagePack.pack(["x" * 200_000, back.new, ["y" * 1_000] * 1_000])
      print "packed "
      raise "twice" if (rounds += 1) > 1
      20.times { "z" * 1_000_000 }
      GC.start
      kept.call
    rescue ArgumentError
      print "refused"
    end
  RUBY

  def test_continuations
    assert_equal "packed refused", fresh_ruby("$VERBOSE = nil\n#{CONTINUATION}").lines.last
  end

  # Keeps and changes what it is given, and fails a given number of times.
  class Vandal
    attr_reader :got

    def initialize(failures = 0)
      @failures = failures
      @got = "".b
    end

    def write(*strings)
      strings.each do |string|
        copy = string.dup
        string.replace("gone") unless string.frozen?
        raise IOError, "no" if (@failures -= 1) >= 0

        @got << copy
      end
    end
  end

  # An io may change the Strings that it gets. Neither the buffer nor the owners of the Strings notice.
  def test_ios_that_change_what_they_are_given
    text = "t" * 600_000
    packer = MP::Packer.new
    packer.write("x" * 10_000).write(1).write("y" * 10_000)
    bytes = packer.to_s

    assert_raises(IOError) { packer.write_to(Vandal.new(1)) }
    assert_equal [bytes, bytes.bytesize], [packer.to_s, packer.size]
    vandal = Vandal.new
    packer.write_to(vandal)

    assert_equal [bytes, "", ""], [vandal.got, packer.to_s, packer.full_pack]
    [text, text.b].each do |string|
      MP::Packer.new(vandal = Vandal.new).write([1, string]).flush

      assert_equal [[1, string], "t" * 600_000], [MP.unpack(vandal.got), string]
    end
  end

  # An io gets several Strings at a time only if its `write` takes any number of them.
  def test_ios_whose_write_takes_something_else_behind
    value = ["a", "x" * 600_000, "b"]
    [proc { |string, drain: false| drain || ((@got ||= "".b) << string) },
     proc { |string = nil, mode = nil| mode || ((@got ||= "".b) << string) }].each do |write|
      io = Object.new
      io.define_singleton_method(:write, &write)
      MP::Packer.new(io).write(value).flush

      assert_equal value, MP.unpack(io.instance_variable_get(:@got))
    end
  end

  # More pieces than fit on Ruby's stack.
  def test_very_many_pieces
    buffer = MP::Buffer.new(nil, write_reference_threshold: 1)
    io = Vandal.new
    150_000.times { buffer << "ab" }
    buffer.write_to(io)

    assert_equal "ab" * 150_000, io.got
  end

  # The io may have what was written before the value that failed.
  def test_flushing_after_an_io_failed
    packer = MP::Packer.new(Vandal.new(2), io_buffer_size: 1024)
    packer.write(1)

    assert_raises(IOError) { packer.write("x" * 600_000) }
    %i[flush full_pack].each do |name|
      assert_match(/reset/, assert_raises(IOError) { packer.public_send(name) }.message)
    end
    packer.reset

    assert_same packer, packer.flush
  end

  class Real < Sparpack::Struct
    field 1, :real, :double
    field 2, :list, list(:double)
    field 3, :next, "MessagePackAbuseTest::Real"
  end

  # Sparpack's own structs as an extension type.
  def test_nan_in_the_fields_of_keys
    factory = MP::Factory.new
    factory.register_type(1, Real, packer: :encode, unpacker: Real.method(:decode))
    nan = Float::NAN
    [Real.new(real: nan), Real.new(list: [1.0, nan]), Real.new(next: Real.new(real: nan))].each do |real|
      pair = factory.dump(real) + "\x01".b

      assert_equal 16, factory.load("\xDE\x00\x10".b + (pair * 16)).size
      assert_raises(MP::MalformedFormatError) { factory.load("\xDE\x00\x11".b + (pair * 17)) }
    end
    finite = factory.dump(Real.new(real: 1.0, list: [2.0])) + "\x01".b

    assert_equal 1, factory.load("\xDE\x00\x11".b + (finite * 17)).size
  end

  def test_a_key_that_holds_itself
    factory = MP::Factory.new
    factory.register_type(1, Real, packer: :encode, unpacker: ->(_) { Real.new.tap { |real| real.next = real } })

    assert_equal 1, factory.load("\x81\xc7\x00\x01\x05".b).size
  end

  Pair = ::Struct.new(:left, :right)

  NAN = "\xCB\x7F\xF8\0\0\0\0\0\0".b

  # A class that says itself what its objects equal.
  class Spot
    attr_reader :x

    def initialize(place) = @x = place
    def eql?(other) = other.is_a?(Spot) && x.eql?(other.x)
    def hash = x.hash
  end

  # Keys and elements with a NaN inside. Each of them is compared with all others, so their number is limited.
  def test_nan_anywhere_in_keys
    factory = MP::Factory.new
    factory.register_builtin(:set, 5)
    factory.register_builtin(:struct, 6, Pair)
    factory.register_builtin(:bigdecimal, 7)
    factory.register_type(8, Spot, unpacker: ->(_) { Spot.new(Float::NAN) })
    factory.register_type(9, Object, unpacker: ->(_) { Object.new.tap { |one| one.instance_variable_set(:@x, Float::NAN) } })
    map = ->(key, count) { "\xDF".b + [count].pack("N") + ((key + "\x01".b) * count) }
    set = ->(element, count) { "\xDD".b + [count].pack("N") + (element * count) }
    ext = ->(type, payload) { [0xc9, payload.bytesize, type].pack("CNC") + payload }
    keys = ["\x91".b + NAN, "\x81".b + NAN + "\x01".b, "\x91\x81\x01\x91".b + NAN, ext[5, "\x91".b + NAN], ext[7, "NaN"],
            ext[6, "\x92\x01\x81".b + NAN + "\x01".b], ext[8, ""]]
    keys.each do |key|
      assert_equal 16, factory.load(map[key, 16]).size
      assert_equal 16, factory.load(ext[5, set[key, 16]]).size
      [map[key, 200_000], ext[5, set[key, 200_000]]].each do |bytes|
        assert_raises(MP::MalformedFormatError) { factory.load(bytes) }
      end
    end
    assert_equal 1_000, factory.load(map[ext[9, ""], 1_000]).size, "each of them equals itself alone"
  end

  # Looks into a Hash that is a key without calling its methods, because these may change the bytes.
  def test_bytes_that_change_while_keys_are_looked_into
    script = <<~RUBY
      require "sparpack/message_pack"
      bytes = Sparpack::MessagePack.pack([{ { 1 => 2 } => "v" * 2_000 }, "tail" * 1_000])
      Hash.prepend(Module.new do
        define_method(:values) do
          bytes.replace("gone")
          20.times { "q" * 60_000 }
          super()
        end
      end)
      print Sparpack::MessagePack.unpack(bytes).last.size
    RUBY

    assert_equal "4000", fresh_ruby(script)
  end

  # An extension type may make an object that contains itself.
  def test_keys_that_have_themselves_inside
    cycle = []
    cycle << cycle
    factory = MP::Factory.new
    factory.register_type(1, Object, unpacker: ->(_) { cycle })

    assert_same cycle, factory.load("\x81\xD4\x01\x00\x01".b).keys.first
  end

  # A Ractor has its own faults and builtin types.
  def test_faults_and_types_in_a_ractor
    script = <<~'RUBY'
      require "sparpack/message_pack"
      ractor = Ractor.new do
        found = ["", "\xC1", "\x92\x01", "\x01\x01", "\xD4\x05\x01", "\x91" * 200].map do |bytes|
          Sparpack::MessagePack.unpack(bytes.b)
        rescue StandardError
          $!.class.name[/\w+\z/]
        end
        factory = Sparpack::MessagePack::Factory.new
        factory.register_builtin(:time)
        factory.register_builtin(:set, 5)
        [*found, factory.load(factory.dump([Time.at(5), Set[1]])).map(&:class)]
      end
      print (ractor.respond_to?(:value) ? ractor.value : ractor.take).join(" ")
    RUBY

    assert_equal "EOFError MalformedFormatError EOFError MalformedFormatError UnknownExtTypeError StackError Time Set",
                 fresh_ruby("Warning[:experimental] = false\n#{script}")
  end

  # Packing a key to sort it changes the list that is being packed, and replaces the key's own element that runs Ruby code.
  def test_sorted_keys_that_change_what_is_packed
    list = []
    key = [Object.new]
    key.first.define_singleton_method(:to_msgpack) do |packer|
      key.replace([1])
      list.concat((1..30_000).to_a)
      list.slice!(3..)
      GC.start
      packer.write(1)
    end
    list.push({ key => 1 }, 2.5, "x")

    assert_equal [{ [1] => 1 }, 2.5, "x"], MP.unpack(MP::Packer.new(sort_keys: true).write(list).to_s)
    set = Set[Object.new]
    set.first.define_singleton_method(:hash) do
      list.concat((1..30_000).to_a).slice!(3..)
      GC.start
      5
    end
    set.first.define_singleton_method(:to_msgpack) { |packer| packer.write(nil) }
    list[0] = set
    factory = MP::Factory.new
    factory.register_builtin(:set, 5)

    assert_equal [Set[nil], 2.5, "x"], factory.load(factory.packer(sort_keys: true).write(list).to_s)
  end

  # Keys with the same bytes in two encodings are different, and always come in the same order.
  def test_sorted_keys_of_the_same_bytes
    keys = ["é", "é".b, :é, (+"é").force_encoding("ISO-8859-1"), "e", 1, 1.0, 2**63, nil, [1], { 1 => 2 }, true]
    packed = Array.new(50) do |seed|
      MP::Packer.new(sort_keys: true).write(keys.shuffle(random: Random.new(seed)).to_h { |key| [key, 0] }).to_s
    end

    assert_equal 1, packed.uniq.size
  end

  # Calling initialize again in the middle of reading or writing keeps the buffer.
  def test_made_again_in_the_middle
    unpacker = nil
    factory = MP::Factory.new
    factory.register_type(1, Object, unpacker: ->(_) { unpacker.send(:initialize) })
    unpacker = factory.unpacker.feed("\xD4\x01\x00".b + ("\x05" * 1_000))

    assert_raises(ArgumentError) { unpacker.read }
    assert_equal 1_003, unpacker.buffer.size
    packer = MP::Packer.new(Object.new.tap { |io| io.define_singleton_method(:write) { |*| packer.send(:initialize) } })

    assert_raises(ArgumentError) { packer.write(["x" * 600_000, 1]) }
    assert_raises(ArgumentError) { factory.types.send(:setup, [], []) }
  end

  # An io reports that bytes came, but somebody else has taken them already.
  def test_readers_that_take_from_one_another
    pieces = ["\x01", "\x92", nil]
    io = Object.new
    io.define_singleton_method(:read) { |*| pieces.shift }
    unpacker = MP::Unpacker.new(io)
    unpacker.buffer.define_singleton_method(:fill) { super().tap { clear if pieces.size == 2 } }

    assert_equal 2, unpacker.read_array_header
    assert_raises(EOFError) { unpacker.skip_nil }
  end

  # A class is looked up again, because it may have included a module meanwhile.
  def test_modules_that_are_included_later
    mixin = Module.new
    klass = Class.new { def to_msgpack(packer) = packer.write("plain") }
    factory = MP::Factory.new
    factory.register_type(1, mixin, packer: ->(_) { "mixed" }, unpacker: :itself)
    before = factory.dump([klass.new, Class.new(klass).new])
    klass.include(mixin)

    assert_equal [%w[plain plain], 2],
                 [MP.unpack(before), factory.dump([klass.new, Class.new(klass).new]).scan("mixed").size]
  end

  # An io takes bytes from the buffer when it is first asked for its methods.
  def test_ios_that_are_asked
    buffer = MP::Buffer.new
    buffer << ("x" * 3_000)
    io = Vandal.new
    taken = nil
    io.define_singleton_method(:respond_to?) { |*| taken ||= buffer.read(2_990) }
    buffer.write_to(io)

    assert_equal "x" * 10, io.got
    assert_raises(NoMethodError) { (MP::Buffer.new << "x").write_to(nil) }
  end

  # The stack of a fiber has room for as many nested extension types as the depth allows.
  def test_all_levels_on_a_small_stack
    factory = MP::Factory.new
    factory.register_type(1, Pair, recursive: true, packer: ->(pair, packer) { packer.write(pair.left) },
                                   unpacker: ->(unpacker) { Pair.new(unpacker.read) })
    value = 120.times.reduce(nil) { |inner, _| Pair.new(inner) }

    assert_equal factory.dump(value), Fiber.new { factory.dump(factory.load(factory.dump(value))) }.resume
  end

  # A packer that a fiber left in the middle of a value works again after a reset, whatever that fiber does later.
  def test_a_packer_that_a_fiber_left
    packer = MP::Packer.new
    stuck = Object.new
    stuck.define_singleton_method(:to_msgpack) { |inner| Fiber.yield && inner.write(2) }
    fiber = Fiber.new { packer.write([1, stuck]) }
    fiber.resume
    packer.reset
    packer.write(5)

    assert_equal "\x05".b, packer.to_s
    fiber.resume(true)
    packer.reset

    assert_equal "\x06".b, packer.write(6).to_s
    GC.start
  end

  # A path must stay short enough to read.
  def test_long_keys_in_paths
    ["é" * 10_000, ("x" * 10_000).to_sym, "ü".encode("UTF-16LE") * 10_000, "\xFF" * 10_000].each do |key|
      assert_operator assert_raises(RangeError) { MP.pack({ key => [2**70] }) }.message.bytesize, :<, 600
    end
    bad = "\x81\xD9\xFF#{"k" * 255}\x92\x01\xC1".b

    assert_match(/\["k{128}…"\]\[1\]/, assert_raises(MP::UnpackError) { MP.unpack(bad) }.message)
  end
end
