# frozen_string_literal: true

require "test_helper"
require "fixtures/everything"
require "support/child"
require "support/deadline"
require "timeout"

# Foreign code runs in the middle: another thread, a key's `hash`, a transcoder. Freed memory is never read, nothing leaks,
# and everything that was used still works.
class ThreadTest < Minitest::Test
  include Child
  include Deadline

  # Keys whose `hash` does what a test wants.
  class Key < Sparpack::Struct
    field 1, :id, :i32

    class << self
      attr_accessor :at_hash
    end

    def hash
      Key.at_hash&.call(self)
      super
    end
  end

  class Keyed < Sparpack::Struct
    field 1, :before, :string
    field 2, :pairs, map(Key, list(:string))
    field 3, :bag, set(list(Key))
    field 4, :after, :binary
  end

  class Texts < Sparpack::Struct
    field 1, :first, :string
    field 2, :list, list(:string)
    field 3, :map, map(:string, :i32)
    field 4, :set, set(:string)
    field 5, :points, list(Everything::Point)
    field 6, :next, "Texts"
    field 7, :last, :binary
    field 8, :children, list("Texts")
  end

  # A field holds anything until it is encoded, so this default runs Ruby code when it is copied.
  class Fallback < Sparpack::Struct
    # Its `hash` does what a test wants.
    class Odd
      def hash
        Key.at_hash&.call(self)
        1
      end
    end

    field 5, :point, Everything::Point, default: Everything::Point.new(x: { Odd.new.freeze => 1 })
    field 6, :rest, :binary
  end

  class Fallbacks < Sparpack::Struct
    field 1, :fallback, Fallback
    field 2, :bytes, :binary
  end

  CODEC = Sparpack::Codec.new(Everything::Nested)

  def teardown
    Key.at_hash = nil
  end

  # --- threads ----------------------------------------------------------------------------------------------------------

  def test_a_codec_is_shared
    results = in_threads(6) do |seed|
      Array.new(200) do |i|
        object = Everything::Nested.new(after: seed, scalars: Everything::Scalars.new(text: "#{seed}/#{i}" * 20))
        Thread.pass if (i % 7).zero?
        CODEC.decode(CODEC.encode(object)) == object
      end.all?
    end

    assert_equal [true] * 6, results
  end

  # Looking up a type runs Ruby code, which may switch threads. If two threads compile the same class, one throws its work
  # away.
  def test_the_first_use_is_raced
    count, texts = in_child do
      slow = -> { 3.times { Thread.pass } && sleep(0.001) && Everything::Point }
      classes = Array.new(20) do
        Class.new(Sparpack::Struct) do
          field 1, :text, :string
          field(2, :point, default: Everything::Point.new(x: 1), &slow)
          field(3, :more, default: []) { slow.call && self::LIST }
          const_set(:LIST, list(self))
        end
      end
      objects = in_threads(4) { classes.map { |made| made.decode(made.new(text: "x" * 40, more: [made.new]).encode) } }
      collect
      [objects.transpose.map { |same| same.uniq.size }.max, objects.flatten.map { |o| o.class.decode(o.encode).text }.uniq]
    end

    assert_equal [1, ["x" * 40]], [count, texts]
  end

  # A codec holds the links that its thread found. They stay, even if another thread links the class meanwhile.
  def test_codecs_are_made_while_the_first_use_is_raced
    texts = in_child do
      classes = Array.new(30) do
        Class.new(Sparpack::Struct) do
          field 1, :text, :string
          field(2, :point) { sleep(0.002) && Everything::Point }
        end
      end
      codecs = in_threads(4) { classes.map(&:codec) }.flatten
      collect
      codecs.map { |codec| codec.decode(codec.encode(codec.struct_class.new(text: "t" * 40, point: Everything::Point.new))).text }
    end

    assert_equal ["t" * 40], texts.uniq
  end

  def test_objects_are_changed_while_others_encode
    object = Texts.new(list: Array.new(100) { |i| "text #{i}" }, map: { "a" => 1 }, points: [Everything::Point.new(x: 1)])
    done = false
    changer = Thread.new do
      (0..).each do |round|
        break if done

        object.list = Array.new(round % 100) { +"y" }
        object.map = { +"b" => 2 }
        object.points = Array.new(50) { Everything::Point.new }
        Thread.pass
      end
    end
    300.times { Texts.decode(object.encode(:binary), :binary) }
  ensure
    done = true
    finish([changer])
  end

  # Classes and codecs that keep what they encoded. Others may have the String too while it is written.
  class Kept < Sparpack::Struct
    field 1, :text, :string

    def encode(*, **) = (@encode ||= super)
  end

  class Keeper < Sparpack::Codec
    KEPT = {}.compare_by_identity # the codec is frozen

    def encode(object) = (KEPT[object] ||= super)
  end

  WAYS = {
    "an object" => ->(object, io) { object.encode_to(io) },
    "a codec" => ->(object, io) { Keeper.new(Kept).encode_to(io, object) },
    "a function" => ->(object, io) { Sparpack.encode_to(object, io) }
  }.freeze
  private_constant :WAYS

  WAYS.each do |name, write|
    [true, false].each do |binary|
      define_method(:"test_#{name.tr(" ", "_")}_writes_a_string_that_others_hold_#{"not_" unless binary}in_binary_mode") do
        sizes = in_child { write_kept_from_threads(write, binary) }

        assert_equal [3_000_006] * 6, sizes
      end
    end
  end

  # --- a key's `hash` in the middle of a decode ---------------------------------------------------------------------------

  def test_a_hash_that_raises
    source = keyed.encode.freeze
    expected = keyed
    Key.at_hash = ->(key) { raise IOError, "hash" if key.id == 2 }
    50.times { assert_equal "hash", assert_raises(IOError) { Keyed.decode(source) }.message }
    Key.at_hash = nil

    assert_equal expected, Keyed.decode(source)
  end

  def test_the_source_changes_while_a_key_is_hashed
    expected = keyed
    { replace: ->(s) { s.replace("z" * 5) }, clear: :clear.to_proc, grow: ->(s) { s << ("z" * 100_000) },
      cut: ->(s) { s.slice!(10..) } }.each do |name, change|
      source = keyed.encode
      assert_equal expected, decode_while(source, change), name
      refute_equal expected.encode, source
    end
  end

  def test_the_source_changes_while_a_default_is_copied
    texts = in_child do
      source = Fallbacks.new(fallback: Fallback.new(point: nil, rest: "r" * 300), bytes: "b" * 3_000).encode
      decoded = decode_while(source, ->(s) { s.replace("z" * 5) }, Fallbacks)
      [decoded.fallback.rest, decoded.bytes]
    end

    assert_equal ["r" * 300, "b" * 3_000], texts
  end

  # Each of these types makes a decode read from a copy.
  def test_the_source_changes_whatever_is_hashed
    types = Sparpack::Struct
    keys = [Key.new(id: 1), Key.new(id: 2)]
    { types.map(Key, :i32) => keys.to_h { |key| [key, 1] }, types.set(Key) => keys.to_set,
      types.list(types.set(types.list(Key))) => [Set[keys]],
      types.map(:i32, types.map(types.list(Key), :bool)) => { 1 => { keys => true } } }.each do |type, value|
      hashed = Class.new(Sparpack::Struct) { field(1, :v, type) && field(2, :bytes, :binary) }

      assert_equal LARGE, in_child { read_while_replaced(hashed.new(v: value, bytes: LARGE)) }, type.to_s
    end
  end

  def test_the_source_changes_wherever_a_default_is_hashed
    odd = Fallback::Odd.new.freeze
    [{ odd => 1 }, { 1 => [{ odd => 1 }] }, [Set[odd]], Everything::Point.new(y: { "a" => Set[[odd]] })].each do |inside|
      fallback = Class.new(Sparpack::Struct) { field 1, :point, Everything::Point, default: Everything::Point.new(x: inside) }
      holder = Class.new(Sparpack::Struct) { field(1, :fallback, fallback) && field(2, :bytes, :binary) }
      object = holder.new(fallback: fallback.allocate, bytes: LARGE)

      assert_equal LARGE, in_child { read_while_replaced(object) }, inside.inspect
    end
  end

  # A patch of Hash is Ruby code, too.
  def test_the_source_changes_where_hash_is_patched
    decoded = in_child do
      newer = Everything::Newer.new(name: "n", number: 7, bytes: "b" * 3_000, distant: true)
      holder = Class.new(Sparpack::Struct) { field 1, :list, list(Everything::Older) }
      source = "#{"\x19\x2c".b}#{newer.encode * 2}\0"
      Hash.prepend(Module.new do
        define_method(:keys) do
          size = source.replace("z" * 5).bytesize
          @garbage = Array.new(200) { "\x0e" * (7_000 + size) }
          super()
        end
      end)
      holder.decode(source, unknown: :keep).list.map { |older| [older.number, older.encode == newer.encode] }
    end

    assert_equal [[7, true]] * 2, decoded
  end

  def test_a_hash_that_decodes
    bytes = keyed.encode
    inner = []
    Key.at_hash = lambda do |key|
      next unless key.id == 2

      Key.at_hash = nil
      inner << Keyed.decode(bytes)
    end

    assert_equal keyed, Keyed.decode(bytes)
    assert_equal [keyed], inner
  end

  def test_a_hash_that_never_returns
    bytes = keyed.encode
    20.times do
      Key.at_hash = ->(_) { Fiber.yield :waiting }

      assert_equal :waiting, Fiber.new { Keyed.decode(bytes) }.resume
      Key.at_hash = ->(_) { Thread.current.kill }

      assert_equal [nil], in_threads(1) { Keyed.decode(bytes) }
      Key.at_hash = ->(_) { throw :out, :thrown }

      assert_equal :thrown, catch(:out) { Keyed.decode(bytes) }
    end
    collect
    Key.at_hash = nil

    assert_equal keyed, Keyed.decode(bytes)
  end

  def test_a_hash_that_takes_too_long
    bytes = keyed.encode
    Key.at_hash = ->(_) { sleep 5 }

    assert_raises(Timeout::Error) { Timeout.timeout(0.02) { Keyed.decode(bytes) } }
  end

  # --- transcoding in the middle of an encode -----------------------------------------------------------------------------

  # Text that cannot be transcoded: the error has its path, and nothing changes.
  def test_a_transcoding_that_fails
    { "lone surrogate" => "\xd8\x00\x00\x41".b.force_encoding("UTF-16BE"), "dummy" => "+AGE-".b.force_encoding("UTF-7"),
      "no such character" => "\x81".b.force_encoding("Windows-1252"), "cut" => "\xe3\x81".b.force_encoding("EUC-JP"),
      "odd" => "abc".b.force_encoding("UTF-16LE") }.each do |name, text|
      before = [text.b, text.encoding]
      object = Texts.new(first: "x" * 5_000, list: ["a", text], next: Texts.new(map: { text => 1 }))
      3.times do
        error = assert_raises(Sparpack::EncodeError::InvalidString, name) { object.encode }

        assert_equal "ThreadTest::Texts.list[1]", error.path
      end
      object.list = nil

      assert_equal "ThreadTest::Texts.next.map.keys[0]", assert_raises(Sparpack::EncodeError) { object.encode }.path
      assert_equal [before, false], [[text.b, text.encoding], text.frozen?]
      object.next = nil

      assert_equal object, Texts.decode(object.encode)
    end
  end

  # Ruby loads a transcoder when it is first needed. The load path may hold an object whose path Ruby asks for, which is Ruby
  # code in the middle of an encode. Each test needs another transcoder, and therefore a process of its own.
  CHANGES = {
    "the array is emptied" => ->(texts) { texts.list.clear },
    "the array is another" => ->(texts) { texts.list.replace(Array.new(texts.list.size) { "other" }) },
    "the array grows" => ->(texts) { texts.list.concat(Array.new(5_000) { "more" }) },
    "the other texts grow" => ->(texts) { texts.list.each { |text| text << ("z" * 9_000) if text.valid_encoding? } },
    "the key goes" => ->(texts) { texts.map&.clear },
    "the element goes" => ->(texts) { texts.set&.clear },
    "all fields go" => ->(texts) { texts.class.schema.fields.each { |field| texts[field.name] = nil } },
    "the next struct goes" => ->(texts) { texts.next&.next = nil },
    "the children go" => ->(texts) { texts.children&.clear },
    "the children are others" => ->(texts) { texts.children&.map! { Texts.new(first: "other") } }
  }.freeze

  CHANGES.each do |name, change|
    define_method("test_while_transcoding_#{name.tr(" ", "_")}") do
      answers = in_child { encode_while(change) }

      assert_equal [], answers.grep_v(/\A(?:ok|.*one that changed while it was encoded.*)\z/)
      assert_equal 5, answers.size
    end
  end

  # The output fits on the stack, so only the transcoding shows that the array may have changed.
  def test_while_transcoding_the_children_go_and_the_output_is_small
    place = ->(text) { Texts.new(children: [Texts.new(first: text), *Array.new(5) { |i| Texts.new(first: "child #{i}") }]) }
    answers = in_child { encode_while(->(texts) { texts.children.clear }, [place]) }

    assert_match(/\AThreadTest::Texts.children: .*one that changed while it was encoded/, answers[0])
  end

  def test_while_transcoding_the_kept_fields_go
    kept = Class.new(Sparpack::Struct) { field 9, :bytes, :binary }
    place = lambda do |text|
      Texts.decode(kept.new(bytes: LARGE).encode, unknown: :keep).tap { |texts| texts.first = text }
    end
    bytes = in_child do
      encode_while(->(texts) { Sparpack::Native.set_unknown(texts, nil) }, [place]) { |texts| kept.decode(texts.encode).bytes }
    end

    assert_equal [LARGE], bytes
  end

  # A map of MessagePack begins with the number of its entries.
  def test_while_transcoding_fields_go_that_were_counted
    whole = ->(text) { Texts.new(first: text, last: "l") }
    kept = lambda do |text|
      Texts.decode("\x82\xa4last\xc4\x01l\xa1x\x05".b, :message_pack, unknown: :keep).tap { |texts| texts.first = text }
    end
    forms = %i[names ids names ids].each
    answers = in_child do
      encode_while(->(texts) { texts.last = nil }, [whole, whole, kept, kept]) do |texts|
        texts.encode(:message_pack, keys: forms.next)
      rescue Sparpack::EncodeError => e
        e.message
      end
    end

    assert_equal 4, answers.grep(/\AThreadTest::Texts: .*one that changed while it was encoded/).size, answers.inspect
  end

  def self.full(**fields)
    Texts.new(first: "f", list: LONG.first(9).map(&:dup), map: { "k" => 1 }, set: Set["e"], last: "l" * 6_000,
              points: Array.new(20) { |i| Everything::Point.new(x: i) }, **fields)
  end

  private

  # Two threads write the same String, which does not fit into the pipe. Meanwhile it is read, and changed at last. Returns
  # sizes, of which each is the size of the encoded object.
  def write_kept_from_threads(write, binary)
    object = Kept.new(text: LARGE)
    bytes = object.encode
    Keeper::KEPT[object] = bytes
    expected = bytes.dup.freeze
    pipes = Array.new(2) { IO.pipe(binmode: binary) }
    writers = pipes.map { |_, io| Thread.new { write.call(object, io) } }
    within("the writers to wait") { Thread.pass until writers.all?(&:stop?) }
    read = [bytes.bytesize, (+"" << bytes).bytesize]
    bytes << ("a" * expected.bytesize) # moves its memory
    collect
    arrived = in_threads(2) { |i| pipes[i][0].read(expected.bytesize) }
    raise "other bytes arrived" if arrived.any? { |received| received != expected }

    read + finish(writers) + arrived.map(&:bytesize)
  end

  def collect
    4.times do
      GC.start
      Array.new(3_000) { |i| "x" * (i % 200) }
    end
  end

  def keyed
    Keyed.new(before: "b" * 40, pairs: (1..200).to_h { |id| [Key.new(id:), ["of #{id}, not embedded in any way"]] },
              bag: Set[[Key.new(id: 7), Key.new(id: 8)]], after: "a" * 3_000)
  end

  # Memory of this size goes back to the system when it is freed, so reading it afterwards crashes.
  LARGE = ("b" * 3_000_000).b.freeze
  private_constant :LARGE

  def read_while_replaced(object)
    decode_while(object.encode, ->(source) { source.replace("z" * 5) }, object.class).bytes
  end

  # Another thread changes the source as soon as a key's `hash` allows it.
  def decode_while(source, change, struct_class = Keyed)
    changer = Thread.new do
      Thread.stop
      size = source.bytesize
      change.call(source)
      Array.new((60_000_000 / size).clamp(20, 200)) { "\x0e" * size } # fills the memory where the source was
      collect
    end
    within("the changer to stop") { Thread.pass until changer.stop? }
    Key.at_hash = lambda do |_|
      Key.at_hash = nil
      changer.run
      finish([changer])
    end
    struct_class.decode(source)
  end

  # U+4E00 in encodings with transcoders of their own. No other test uses the first three.
  FOREIGN = { "GBK" => "\xd2\xbb", "EUC-KR" => "\xec\xe9", "GB2312" => "\xd2\xbb", "Big5" => "\xa4\x40",
              "GB18030" => "\xd2\xbb" }.freeze

  # Encodes once for each place where a text has to be transcoded.
  def encode_while(change, places = PLACES)
    texts = nil
    ran = 0
    hook = Object.new
    hook.define_singleton_method(:to_path) do
      ran += 1
      change.call(texts) if texts
      GC.start
      Array.new(1_000) { |i| "garbage" * (i % 50) }
      "/nowhere"
    end
    $LOAD_PATH.unshift(hook)
    answers = places.zip(FOREIGN).map do |place, (encoding, bytes)|
      texts = place.call(bytes.b.force_encoding(encoding))
      next yield(texts) if block_given?

      Texts.decode(texts.encode) && "ok"
    rescue IOError, Sparpack::EncodeError => e
      e.message
    end
    flunk "the load path was looked at #{ran} times" if ran < places.size
    answers
  end

  PLACES = [
    ->(text) { full(list: [*LONG.map(&:dup), text, *LONG.map(&:dup)]) },
    ->(text) { full(map: { "a" => 1, text => 2, "b" => 3 }) },
    ->(text) { full(set: Set["a", text, *LONG]) },
    ->(text) { full(next: full(list: [*LONG.map(&:dup), text, "z"], next: full)) },
    ->(text) { full(children: [full, full(first: text), *Array.new(40) { full }]) }
  ].freeze
  LONG = Array.new(300) { |i| "text #{i}, which is not embedded" }.freeze
  private_constant :PLACES, :LONG, :FOREIGN
end
