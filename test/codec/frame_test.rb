# frozen_string_literal: true

require "test_helper"
require "support/reading"
require "stringio"
require "tmpdir"
require "support/trickle"

using WireForms

# The option `frame:`, which puts the length before each payload.
class FrameTest < Minitest::Test
  include Reading
  extend Reading::Wires

  DecodeError = Sparpack::DecodeError

  class Entry < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string
  end

  FRAMES = %i[varint framed].freeze
  ENTRIES = Array.new(300) { |id| Entry.new(id:, text: "ü" * (id % 150)) }.freeze

  # Lengths as other implementations write them.
  LENGTHS = { varint: { 3 => "\x03", 127 => "\x7f", 128 => "\x80\x01", 300 => "\xac\x02", 16_384 => "\x80\x80\x01" },
              framed: { 3 => "\0\0\0\x03", 300 => "\0\0\x01\x2c", 70_000 => "\0\x01\x11\x70" } }.freeze

  def test_lengths
    LENGTHS.each do |frame, lengths|
      lengths.each do |size, head|
        entry = [Entry.new(id: 1), *[4, 5, 6, 7].map { |less| Entry.new(id: 1, text: "x" * [size - less, 0].max) }]
                .find { |each| each.encode.bytesize == size }

        assert_equal head.b + entry.encode, framed(entry, frame)
        assert_equal [entry], Entry.decode_each(head.b + entry.encode, frame:).to_a
      end
    end
  end

  # --- bad payloads that are skipped ------------------------------------------------------------------------------------

  GOOD = [Entry.new(id: 1), Entry.new(id: 2, text: "x"), Entry.new(id: 3)].freeze
  LINE = Sparpack::Codec.new(Entry, :json, frame: :lines)

  # Each of these is between two good ones: an unknown type, an end in the middle, bytes behind the object, a missing field,
  # and no byte at all.
  BAD = ["\x0e\x01", "\x16", "\x16\x02\x00\x00", "\x00", ""].map(&:b).freeze

  def test_bad_payloads_are_skipped
    FRAMES.each do |frame|
      starts = []
      log = BAD.zip(GOOD.cycle).each_with_object("".b) do |(bad, good), bytes|
        starts << bytes.bytesize
        [bad, good.encode].each { |payload| bytes << [payload.bytesize].pack(frame == :varint ? "C" : "N") << payload }
      end
      [log, StringIO.new(log), Trickle.new(log, 3)].each do |source|
        errors = []
        found = Entry.decode_each(source, frame:, on_error: errors.method(:push)).to_a

        assert_equal GOOD.cycle.first(BAD.size), found
        assert_equal(%i[Malformed Truncated Malformed MissingField Truncated].map { |name| DecodeError.const_get(name) },
                     errors.map(&:class))
        assert_equal starts, errors.map(&:message_offset)
        assert(errors.all? { |error| error.message.end_with?("in the frame at byte #{error.message_offset}") })
      end
    end
  end

  # Blank lines belong to no frame, so that the line feeds before an offset give the number of the line.
  def test_the_beginning_of_a_line_after_blank_lines
    text = "\n \n{\"id\":\n\n\n{\"id\":1}\n\n[]\n"
    found = []
    [text, StringIO.new(text)].each do |source|
      Entry.decode_each(source, :json, frame: :lines, on_error: ->(error) { found << error }).to_a
    end

    lines = found.map { |error| text.byteslice(0, error.message_offset).count("\n") + 1 }

    assert_equal [3, 8] * 2, lines
    assert(found.all? { |error| error.message.end_with?("in the frame at byte #{error.message_offset}") })
    error = assert_raises(Sparpack::DecodeError) { Entry.decode_from(StringIO.new("\n\n[]\n"), :json, frame: :lines) }

    assert_equal [2, 2], [error.message_offset, error.offset]
  end

  def test_bad_lines_are_skipped
    log = %({"id": 1}\n{"id": \n\n{"id": 2, "text": "x"}\n{"id": "one"}\n[1]\n{"id": 3}\n{"id": 4}{"id": 5}\n)
    errors = []

    assert_equal GOOD, LINE.decode_each(StringIO.new(log), on_error: ->(error) { errors << error }).to_a
    assert_equal([%({"id": \n), '{"id": "one"}', "[1]", '{"id": 4}'].map { |line| log.index(line) },
                 errors.map(&:message_offset))
  end

  # What follows a bad frame is unknown, so it raises in any case.
  def test_bad_frames_are_not_skipped
    good = framed(GOOD[0], :varint)
    codec = Sparpack::Codec.new(Entry, frame: :varint, limits: Sparpack::Limits.new(message: 100))
    { "\x20\x16" => DecodeError::Truncated, "#{"\xff" * 10}\x01" => DecodeError::Malformed,
      "\x7f#{"\x00" * 127}" => DecodeError::LimitExceeded }.each do |bad, error|
      found = []
      log = StringIO.new(good + bad.b + good)
      assert_raises(error) { codec.decode_each(log, on_error: ->(_) { flunk }) { |entry| found << entry } }
      assert_equal [GOOD[0]], found
    end
  end

  def test_on_error_can_stop
    log = "\x01\x16".b + framed(GOOD[0], :varint)

    assert_raises(DecodeError::Truncated) { Entry.decode_each(log, frame: :varint, on_error: ->(e) { raise e }).to_a }
    assert_equal :stop, catch(:stop) { Entry.decode_each(log, frame: :varint, on_error: ->(_) { throw :stop, :stop }).to_a }
    assert_raises(DecodeError::Truncated) { Entry.decode_each(log, frame: :varint, on_error: nil).to_a }
    assert_raises(IOError) { Entry.decode_each(log, frame: :varint, on_error: ->(_) {}) { raise IOError } } # of the block
  end

  def test_what_on_error_needs
    each = ->(**options) { Entry.decode_each("", on_error: ->(_) {}, **options) }
    message = "on_error: it needs a frame, because only that tells where the next payload begins " \
              "(pass frame: :varint or :framed or :lines)"

    assert_equal message, assert_raises(ArgumentError) { each.call }.message
    assert_equal message, assert_raises(ArgumentError) { each.call { flunk } }.message
    assert_empty each.call(frame: :framed).to_a
    error = assert_raises(ArgumentError) { Entry.decode_each("", frame: :varint, on_error: :skip) }

    assert_equal "on_error: expected a Proc or another object with call, got :skip", error.message
  end

  # A varint may have bytes that say nothing.
  def test_long_forms_of_a_varint
    (0..8).each do |more|
      bytes = "\x83#{"\x80" * more}\0".b + Entry.new(id: 1).encode

      assert_equal Entry.new(id: 1), Entry.decode_from(StringIO.new(bytes), frame: :varint)
    end
  end

  each_wire "frames are read from whatever there is" do |wire|
    FRAMES.each do |frame|
      bytes = ENTRIES.map { |entry| framed(entry, frame, wire) }.join
      codec = Entry.codec(wire, frame:)
      [bytes, StringIO.new(bytes), *[1, 100, 1 << 20].map { |size| Trickle.new(bytes, size) }].each do |source|
        assert_equal ENTRIES, codec.decode_each(source).to_a
      end
      assert_equal [ENTRIES, []], [Entry.decode_each(StringIO.new(bytes), wire, frame:).to_a, codec.decode_each("").to_a]
      assert_same codec, codec.decode_each(bytes) { |entry| assert_kind_of Entry, entry }
    end
  end

  def test_files
    Dir.mktmpdir do |folder|
      path = Pathname(folder).join("entries")
      path.open("w:utf-16le") { |io| ENTRIES.each { |entry| entry.encode_to(io, frame: :framed) } }

      assert_equal ENTRIES, Entry.decode_each(path, frame: :framed).to_a
    end
  end

  # Few calls of the io, and one for each object that is written.
  def test_bulk
    bytes = ENTRIES.map { |entry| framed(entry, :varint) }.join
    io = Trickle.new(bytes, 1 << 20)
    Entry.decode_each(io, frame: :varint).to_a

    assert_equal 1 + (bytes.bytesize / (64 * 1024)) + 1, io.asked.size
    written = []
    out = Class.new { define_method(:write) { |part| written.push(part) && part.bytesize } }.new
    size = Entry.new(id: 1).encode_to(out, frame: :framed)

    assert_equal [["\0\0\0\x03\x16\x02\0".b], 7], [written, size]
  end

  def test_an_object_that_cannot_be_encoded_writes_nothing
    FRAMES.each do |frame|
      io = StringIO.new("".b)
      assert_raises(Sparpack::EncodeError) { Entry.new.encode_to(io, frame:) }

      assert_empty io.string
    end
  end

  # --- faults -----------------------------------------------------------------------------------------------------------

  each_wire "every truncation" do |wire|
    FRAMES.each do |frame|
      good = framed(ENTRIES[5], frame, wire)
      last = framed(ENTRIES[7], frame, wire)
      (1...last.bytesize).each do |size|
        bytes = good + last.byteslice(0, size)
        [bytes, StringIO.new(bytes), Trickle.new(bytes, 3)].each do |source|
          read = []
          error = assert_raises(DecodeError::Truncated) { Entry.decode_each(source, wire, frame:) { |entry| read << entry } }

          assert_equal [[ENTRIES[5]], good.bytesize, bytes.bytesize], [read, error.message_offset, error.offset]
          assert_match(/, in the frame at byte #{good.bytesize}\z/, error.message)
        end
      end
    end
  end

  # [the bytes in the frame, the error, its message, the place of the fault]
  FAULTS = {
    "trailing bytes" => ["\x16\x02\0\0\0", DecodeError::Malformed,
                         "FrameTest::Entry: expected the end of the frame, found trailing bytes", 3],
    "too few" => ["\x16\x02", DecodeError::Truncated,
                  "FrameTest::Entry: expected more bytes, found the end of the frame", 2],
    "none" => ["", DecodeError::Truncated,
               "FrameTest::Entry: expected more bytes, found the end of the frame", 0],
    "another type" => ["\x18\x01x\0", DecodeError::TypeMismatch,
                       "FrameTest::Entry.id: expected i64, found string", 0]
  }.freeze

  FAULTS.each do |name, (payload, error, message, place)|
    define_method("test_a_fault_in_a_frame_#{name.tr(" ", "_")}") do
      FRAMES.each do |frame|
        good = framed(ENTRIES[200], frame)
        bad = head(payload.bytesize, frame) + payload.b
        before = good.bytesize * 3
        [bytes = (good * 3) + bad + good, StringIO.new(bytes), Trickle.new(bytes, 5)].each do |source|
          raised = assert_raises(error) { Entry.decode_each(source, frame:).to_a }
          offset = before + bad.bytesize - payload.bytesize + place

          assert_equal "#{message} (compact, byte #{offset}), in the frame at byte #{before}", raised.message
          assert_equal [offset, before], [raised.offset, raised.message_offset]
          assert_nil raised.cause
        end
        io = StringIO.new(bad + good)
        raised = assert_raises(error) { Entry.decode_from(io, frame:) }

        assert_equal [0, ENTRIES[200]], [raised.message_offset, Entry.decode_from(io, frame:)] # it goes on behind the frame
        assert_includes raised.message, raised.found
        assert_includes raised.message, raised.expected
      end
    end
  end

  def test_a_varint_that_is_too_long
    ["\xff" * 10, "\x80" * 11, "#{"\xff" * 9}\x02", "#{"\xff" * 9}\x01"].each do |head|
      [->(bytes) { Entry.decode_from(StringIO.new(bytes), frame: :varint) },
       ->(bytes) { Entry.decode_each(bytes, frame: :varint).to_a },
       ->(bytes) { Entry.decode_each(StringIO.new(bytes), frame: :varint).to_a }].each do |read|
        error = assert_raises(DecodeError::Malformed) { read.call("#{head}rest".b) }

        assert_equal "FrameTest::Entry: expected the length of a frame, found a varint that is too long or too large " \
                     "(compact, byte 0), in the frame at byte 0", error.message
      end
    end
  end

  # A length is not believed: nothing is read of a payload that is too long, and memory grows only as bytes come.
  def test_claims_of_a_length
    { framed: ["\x80\0\0\0", "\xff\xff\xff\xff", "\x05\xf5\xe1\x01"],
      varint: ["\x80\x80\x80\x80\x08", "#{"\xff" * 8}\x7f", "\x81\xc2\xd7\x2f"] }.each do |frame, heads|
      heads.each do |head|
        [->(io) { Entry.decode_from(io, frame:) }, ->(io) { Entry.decode_each(io, frame:).to_a }].each do |read|
          error = assert_raises(DecodeError::LimitExceeded) { read.call(StringIO.new("#{head}abc".b)) }

          assert_match(/expected at most 100000000 bytes, found a longer message/, error.message)
          assert_match(/its length reads as \d{9,}: do these bytes have this frame\?/, error.message)
          assert_equal 0, error.message_offset
        end
        codec = Entry.codec(frame:, limits: Sparpack::Limits.new(message: nil))
        asked = []
        io = StringIO.new("#{head}abc".b)
        io.define_singleton_method(:readpartial) { |size, *rest| asked.push(size) && super(size, *rest) }
        assert_raises(DecodeError::Truncated) { codec.decode_from(io) }

        assert_operator asked.max, :<=, 64 * 1024
        assert_raises(DecodeError::Truncated) { codec.decode_each(StringIO.new("#{head}abc".b)).to_a }
        assert_raises(DecodeError::Truncated) { Entry.decode_each("#{head}abc".b, frame:).to_a }
      end
    end
  end

  def test_the_limit_of_a_message
    FRAMES.each do |frame|
      bytes = framed(ENTRIES[100], frame)
      size = ENTRIES[100].encode.bytesize
      exact, short = [size, size - 1].map { |message| Entry.codec(frame:, limits: Sparpack::Limits.new(message:)) }

      assert_equal [ENTRIES[100]] * 2, [exact.decode_from(StringIO.new(bytes)), *exact.decode_each(StringIO.new(bytes))]
      assert_equal [ENTRIES[100]], short.decode_each(bytes).to_a # it is in memory already
      [-> { short.decode_from(StringIO.new(bytes)) }, -> { short.decode_each(StringIO.new(bytes)).to_a }].each do |read|
        assert_raises(DecodeError::LimitExceeded, &read)
      end
      small = Entry.codec(frame:, limits: Sparpack::Limits.new(memory: 100))
      assert_raises(DecodeError::LimitExceeded) { small.decode_from(StringIO.new(bytes)) }
    end
  end

  # Blank lines are read many at once. They may have as many bytes as a payload, so reading them has an end.
  def test_the_limit_of_blank_lines
    codec = Sparpack::Codec.new(Entry, :json, frame: :lines, limits: Sparpack::Limits.new(message: 1000))
    line = %({"id":1}\n)
    ["\n", " \t\r\n", "#{" " * 99}\n"].each do |blank|
      fits, longer = [1000, 1200].map { |size| (blank * (size / blank.bytesize)) + line }
      [StringIO, ->(bytes) { Trickle.new(bytes, 7) }].each do |open|
        open = open.method(:new) if open.is_a?(Class)

        assert_equal GOOD[0], codec.decode_from(open.call(fits))
        assert_equal [GOOD[0]] * 2, codec.decode_each(open.call(fits * 2)).to_a
        [-> { codec.decode_from(open.call(longer)) }, -> { codec.decode_each(open.call(longer)).to_a }].each do |read|
          assert_raises(DecodeError::LimitExceeded, &read)
        end
      end
      assert_equal [GOOD[0]], codec.decode_each(longer).to_a # it is in memory already
    end
  end

  # Four bytes hold more, but other readers would take them for a negative number.
  def test_the_longest_payload_of_four_bytes
    frame = Sparpack::Frame.find(:framed, :compact)
    long = Struct.new(:bytesize)

    assert_equal "\x7f\xff\xff\xff".b, frame.send(:head, (1 << 31) - 1, Entry.codec)
    error = assert_raises(Sparpack::EncodeError::LimitExceeded) { frame.wrap(long.new(1 << 31), Entry.codec) }

    assert_equal "FrameTest::Entry: expected at most 2147483647 bytes, found a longer payload (compact)", error.message
  end

  # --- the option -------------------------------------------------------------------------------------------------------

  def test_a_codec_with_a_frame
    codec = Entry.codec(:binary, frame: :varint, freeze: true)
    io = StringIO.new("".b)

    assert_equal 1 + codec.encode(ENTRIES[1]).bytesize, codec.encode_to(io, ENTRIES[1])
    assert_equal ENTRIES[1].encode(:binary), codec.encode(ENTRIES[1])
    assert_equal ENTRIES[1], codec.decode(codec.encode(ENTRIES[1]))
    assert_equal ENTRIES[1], codec.decode_from(io.tap(&:rewind))
    assert_equal({ frame: :varint, freeze: true }, codec.options)
    assert_equal "#<Sparpack::Codec FrameTest::Entry binary, frame: :varint, freeze: true>", codec.inspect
    assert Ractor.shareable?(codec)
    assert_equal "#<Sparpack::Codec FrameTest::Entry compact, frame: nil>", Entry.codec(frame: nil).inspect
  end

  WRONG = { "frame: expected one of :varint, :framed, :lines, got :varin (did you mean :varint?)" => :varin,
            "frame: expected one of :varint, :framed, :lines, got \"varint\" (use :varint)" => "varint",
            "frame: expected one of :varint, :framed, :lines, got true" => true,
            "frame: :lines is for the wire :json, not for :compact (use :varint or :framed)" => :lines }.freeze

  def test_a_call_with_another_frame
    codec = Entry.codec(:binary, frame: :framed)
    note = Entry.new(id: 7)
    io = StringIO.new("".b)
    codec.encode_to(io, note, frame: :varint)
    codec.encode_to(io, note, frame: nil)
    codec.encode_to(io, note)
    io.rewind

    assert_equal [note, note, note, nil],
                 [codec.decode_from(io, frame: :varint), codec.decode_from(io, frame: nil), codec.decode_from(io),
                  codec.decode_from(io)]
    bytes = "\x0c#{note.encode(:binary)}".b

    assert_equal [note], codec.decode_each(bytes, frame: :varint).to_a
    assert_raises(ArgumentError) { codec.decode_each(bytes, frame: :varied) }
    assert_raises(ArgumentError) { codec.encode_to(io, note, frame: :lines) }
  end

  def test_wrong_frames
    WRONG.each do |message, frame|
      io = StringIO.new("".b)
      [-> { Entry.codec(frame:) }, -> { Sparpack::Codec.new(Entry, frame:) }, -> { Entry.decode_from(io, frame:) },
       -> { Entry.decode_each("", frame:) }, -> { ENTRIES[0].encode_to(io, frame:) },
       -> { Class.new(Sparpack::Struct) { default_codec :compact, frame: } }].each do |use|
        assert_equal message, assert_raises(ArgumentError, &use).message
      end
      assert_empty io.string
    end
  end

  # A String has no frame.
  def test_calls_that_know_no_frames
    [-> { ENTRIES[0].encode(frame: :varint) }, -> { Entry.decode("", frame: :varint) },
     -> { Entry.decode("", :binary, frame: nil) }].each do |use|
      assert_equal "unknown option :frame (encode_to, decode_from and decode_each take it)",
                   assert_raises(ArgumentError, &use).message
    end
  end

  def test_garbage_collection_at_every_allocation
    bytes = ENTRIES[10, 3].map { |entry| framed(entry, :varint) }.join
    GC.stress = true
    read = Entry.decode_each(StringIO.new(bytes), frame: :varint).to_a
    written = framed(ENTRIES[10], :framed)
    GC.stress = false

    assert_equal [ENTRIES[10, 3], framed(ENTRIES[10], :framed)], [read, written]
  ensure
    GC.stress = false
  end

  private

  def framed(object, frame, wire = :compact) = StringIO.new("".b).tap { |io| object.encode_to(io, wire, frame:) }.string

  def head(size, frame) = frame == :varint ? [size].pack("C") : [size].pack("N")
end
