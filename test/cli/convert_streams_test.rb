# frozen_string_literal: true

# bin/test: not sanitized, for test/transcode/ converts the same, and most of this is about words

require "test_helper"
require "stringio"
require "tmpdir"
require "zlib"
require "support/cli"

# Runs `sparpack convert` on streams of structs: with frames, cut off, damaged, hostile, and with the options of codecs.
class CLIConvertStreamsTest < Minitest::Test
  include CLI

  SCHEMA = "#{Dir.mktmpdir}/streamed_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    enum Status { OPEN = 1, SENT = 2 }
    struct Item { 1: required i64 item_id, 2: string name }
    struct Order { 1: required i64 order_id, 2: list<Item> items, 3: Status status }
    struct Note { 1: string text }
  THRIFT
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  SHOP = Sparpack::IDL.load(SCHEMA)
  LINES = (1..3).map do |i|
    "{\"order_id\":#{i},\"items\":[{\"item_id\":#{i * 7},\"name\":\"n#{i}\"}],\"status\":#{i}}\n"
  end.freeze
  WIRES = { "compact" => :compact, "binary" => :binary, "json" => :json, "thrift_json" => :thrift_json,
            "msgpack" => :message_pack }.freeze

  def self.stream(wire, frame, count = 3)
    io = StringIO.new("".b)
    count.times { |i| SHOP::Order.decode(LINES[i % 3], :json).encode_to(io, wire, frame:) }
    io.string
  end

  WIRES.each do |name, wire|
    define_method("test_frames_of_#{name}") do
      [nil, :varint, :framed].each do |frame|
        bytes = stream(wire, frame)
        [[], %w[--from auto], ["--from", name], ["--from", name, "--frame", (frame || :none).name],
         ["--from", "auto", "--frame", (frame || :none).name]].each do |from|
          assert_equal [0, LINES.join, ""], convert(*from, "--to", "json", input: bytes), [frame, from]
        end

        assert_equal [0, bytes, ""],
                     convert("--from", "json", "--to", name, "--to-frame", (frame || :none).name, input: LINES.join)
      end
    end

    # The first bytes end in the middle of a frame, or even in the first one.
    define_method("test_long_streams_of_#{name}") do
      [stream(wire, :varint, 6000), stream(wire, :framed, 6000)].each do |bytes|
        [%w[--from auto], ["--from", name]].each do |from|
          assert_equal [0, LINES.join * 2000, ""], convert(*from, "--to", "json", input: bytes)
        end
      end
      order = SHOP::Order.new(order_id: 1, items: Array.new(10_000) { |i| SHOP::Item.new(item_id: i, name: "name") })
      io = StringIO.new("".b)
      order.encode_to(io, wire, frame: :varint)

      assert_equal [0, "#{order.to_json}\n", ""], convert("--from", "auto", "--to", "json", input: io.string)
    end
  end

  def test_lines
    assert_equal [0, stream(:compact, nil), ""],
                 convert("--from", "json", "--frame", "lines", "--to", "compact", input: "\n#{LINES.join("\n")}\n")
    assert_equal [0, LINES.join.delete("\n"), ""],
                 convert("--from", "compact", "--to", "json", "--to-frame", "none", input: stream(:compact, nil))
    status, _, errors = convert("--from", "json", "--frame", "lines", "--to", "compact", input: LINES.join.delete("\n"))

    assert_equal 1, status
    assert_includes errors, "found trailing bytes"
  end

  # Payloads without frames are preferred, if somebody said which format it is.
  def test_empty_structs
    assert_equal [0, "{}\n{}\n{}\n", ""], run_cli("convert", "--schema", SCHEMA, "--type", "Note", "--from", "compact",
                                                  "--to", "json", input: "\0\0\0")
  end

  def test_options_of_codecs
    bytes = stream(:compact, nil, 1)

    assert_equal [0, "{\"order_id\":\"1\",\"items\":[{\"item_id\":\"7\",\"name\":\"n1\"}],\"status\":\"OPEN\"}\n", ""],
                 convert("--from", "compact", "--to", "json", "--enums", "names", "--i64", "text", input: bytes)
    order = SHOP::Order.decode(bytes)

    assert_equal [0, order.encode(:message_pack, keys: :names, enums: :names), ""],
                 convert("--from", "compact", "--to", "msgpack", "--enums", "names", "--keys", "names", input: bytes)
    assert_equal [1, "", "(standard input): StreamedShop::Order.status: expected StreamedShop::Status"],
                 fault("--from", "compact", "--validate", "strict", input: SHOP::Order.decode(LINES[2], :json).encode)
    wrong = '{"order_id":1,"items":5}'

    assert_equal [1, "", "(standard input):1:23: StreamedShop::Order.items: expected list"],
                 fault("--from", "json", input: wrong)
    assert_equal [0, "{\"order_id\":1}\n", ""], convert("--from", "json", "--to", "json", "--mismatch", "skip", input: wrong)
  end

  # test/transcode/converter_threads_test.rb compares the library's threads with one.
  def test_threads
    WIRES.each do |name, wire|
      frame = :lines if wire == :json
      bytes = self.class.stream(wire, frame, 30_000)
      arguments = ["--from", name, "--to", wire == :compact ? "json" : "compact", *("--frame=lines" if frame)]
      one = convert(*arguments, input: bytes)

      assert_equal one, convert(*arguments, "--threads", "3", input: bytes), name
      assert_equal [0, ""], one.values_at(0, 2)
      broken = bytes.byteslice(0...-3)

      assert_equal convert(*arguments, input: broken), convert(*arguments, "--threads", "2", input: broken), name
    end
  end

  def test_misuse
    { %w[--from compact --to json --frame lines] =>
        "--frame lines is only for json, not for compact (pass --frame varint or --frame framed)",
      %w[--from compact --to binary --to-frame lines] =>
        "--to-frame lines is only for json, not for binary (pass --to-frame varint or --to-frame framed)",
      %w[--from compact --to json --frame vraint] => 'unknown --frame "vraint" (did you mean "varint"?)',
      %w[--from compact --to json --to-frame line] => 'unknown --to-frame "line" (did you mean "lines"?)',
      %w[--from compact --to json --enums name] => 'unknown --enums "name" (did you mean "names"?)',
      %w[--from compact --to json --i64 txt] => 'unknown --i64 "txt" (did you mean "text"?)',
      %w[--from compact --to binary --enums names] => "--enums is only for writing json or msgpack, not binary",
      %w[--from compact --to msgpack --i64 text] => "--i64 is only for writing json, not msgpack",
      %w[--from json --to json --keys ids] => "--keys is only for writing msgpack, not json",
      %w[--from json --to json --message-limit -1] => "--message-limit -1: expected a number from 0 on",
      %w[--from json --to json --threads 0] => "--threads 0: expected a number from 1 to 64",
      %w[--from json --to json --threads two] => "--threads two: expected a number from 1 to 64, in decimal digits",
      %w[--from json --to json --fram varnt] => 'unknown --frame "varnt"',
      %w[--from json --to json --to-fraem varint] => "invalid option: --to-fraem (did you mean --to-frame?)" }
      .each do |arguments, message|
      status, output, errors = convert(*arguments, input: LINES.join)

      assert_equal [2, ""], [status, output], arguments
      assert_operator errors, :start_with?, "sparpack convert: #{message}"
    end
    %w[to-frame enums i64 keys mismatch validate message-limit threads].each do |name|
      value = { "to-frame" => "varint", "enums" => "names", "i64" => "text", "keys" => "ids",
                "mismatch" => "skip", "validate" => "none", "message-limit" => "5", "threads" => "2" }.fetch(name)

      assert_equal "sparpack convert: --#{name} needs a schema: pass --schema FILE and --type NAME\n",
                   run_cli("convert", "--from", "json", "--#{name}", value, input: "[]")[2].lines.first
    end
  end

  # The schema is a library's, and the option is the command's.
  def test_options_that_a_schema_asks_for
    far = "#{File.dirname(SCHEMA)}/far.thrift"
    File.write(far, "struct Far { 1: i64 a, 30000: i64 b }\nstruct Neg { -5: i64 a }\n")
    typed = ["convert", "--schema", far, "--type", "Far", "--from", "json", "--to", "msgpack"]

    assert_includes run_cli(*typed, input: '{"a":1}')[2], "(--allow-neg-keys permits lower ids), found -5"
    typed << "--allow-neg-keys"

    assert_includes run_cli(*typed, input: '{"a":1}')[2], "the ids are too far apart for an array (pass --keys ids)"
    packed = "\x81\x01\x01".b

    assert_equal [0, packed, ""], run_cli(*typed, "--keys", "ids", input: '{"a":1}')
    %w[msgpack auto].each do |from|
      assert_equal [0, "{\"a\":1}\n" * 2, ""],
                   run_cli(*typed[0..4], "--allow-neg-keys", "--from", from, "--to", "json", input: packed * 2)
    end
  end

  # --- without a schema --------------------------------------------------------------------------------------------------

  def test_frames_without_a_schema
    values = ["[1,{\"a\":\"b\"}]", "2", "\"x\""]
    packed = ["\x92\x01\x81\xA1a\xA1b", "\x02", "\xA1x"].map(&:b)
    { "varint" => ->(bytes) { [bytes.bytesize].pack("C") + bytes }, "framed" => lambda { |bytes|
      [bytes.bytesize].pack("N") + bytes
    } }
      .each do |frame, around|
      assert_equal [0, "#{values.join("\n")}\n", ""],
                   run_cli("convert", "--from", "msgpack", "--frame", frame, input: packed.map(&around).join)
      assert_equal [0, packed.join, ""],
                   run_cli("convert", "--from", "json", "--frame", frame, input: values.map(&around).join)
    end
    assert_equal [0, packed.join, ""], run_cli("convert", "--from", "json", "--frame", "lines", input: values.join("\n\n"))
  end

  def test_faults_of_frames_without_a_schema
    { ["msgpack", "\x01\x01\x05ab"] => "expected a payload of 5 bytes, found the end of the input after 2 (byte 5)",
      ["msgpack", "\x02\x92\x01\x01\x02"] => "expected whole values in each frame, found one that ends too early (byte 1)",
      ["msgpack", "\xFF\xFF\xFF\xFF\x07a"] => "expected at most 100000000 bytes, found a longer message (byte 0: do these ",
      ["json", "\x03{\"a"] => "expected whole values in each frame", ["json", "\x02{]"] => "expected" }
      .each do |(from, bytes), message|
      status, _, errors = run_cli("convert", "--from", from, "--frame", "varint", input: bytes.b)

      assert_equal 1, status, bytes
      assert_operator errors, :start_with?, "(standard input):"
      assert_includes errors, message
    end
    assert_includes run_cli("convert", "--from", "msgpack", "--frame", "framed", "--message-limit", "10",
                            input: "\0\0\0\x0B#{"x" * 11}")[2], "expected at most 10 bytes"
    assert_includes run_cli("convert", "--from", "msgpack", "--frame", "lines", input: "")[2],
                    "--frame lines is only for json"
  end

  # Lines and offsets are those of the input, however its bytes come.
  def test_places_of_faults_in_frames
    good = "{\"a\":\"é\"}\n"
    lines = "#{good * 19}\n{\"a\": x}\n#{good}".b
    at = (good.bytesize * 19) + 1
    [lines, lines.delete_suffix("\n")].each do |input|
      assert_equal [1, "(standard input):21:7: expected a value, found \"x\" (byte #{at + 6}, at $.a), " \
                       "in the frame at byte #{at}\n"],
                   run_cli("convert", "--from", "json", "--frame", "lines", input:).values_at(0, 2)
    end
    assert_includes run_cli("convert", "--from", "json", "--frame", "lines", input: "1\n\n{\n}\n")[2],
                    "(standard input):3:1: expected whole values in each frame, found one that ends too early (byte 3), " \
                    "in the frame at byte 3"
    [["json", "{\"a\":\"é\"}", "{\"a\": x}", 6],
     ["msgpack", "\x81\xA1a\x01", "\x81\xA1a\xC1", 3]].each do |from, whole, wrong, at|
      [40_000, 2].each do |count|
        bytes = "#{framed(whole) * count}#{framed(wrong)}#{framed(whole)}"
        start = framed(whole).bytesize * count

        assert_match(/\A\(standard input\): expected a .*\(byte #{start + 4 + at}, at .*\), in the frame at byte #{start}\n/,
                     run_cli("convert", "--from", from, "--frame", "framed", input: bytes)[2])
      end
    end
  end

  # No option would make MessagePack of such bytes.
  def test_other_formats_without_a_schema
    strange = SHOP::Order.new(order_id: 1, items: [SHOP::Item.new(item_id: 1, name: "\u00E9" * 40)]).encode * 3
    { strange => "these bytes read as compact, 3 payloads one after the other: " \
                 "pass --schema FILE --type NAME --from compact",
      Zlib.gzip("x" * 999) => "these bytes are gzip data: unwrap them first: cat INPUT | gunzip" }.each do |input, advice|
      status, _, errors = run_cli("convert", "--from", "msgpack", input:)

      assert_equal 1, status
      assert_operator errors, :end_with?, " (#{advice})\n"
      refute_includes errors, "--invalid-utf8"
    end
    assert_includes run_cli("convert", "--from", "msgpack", input: "\xA1\xFF")[2],
                    "found other bytes (--invalid-utf8 replace writes U+FFFD for them) (byte 0, at $)\n"
  end

  # --- faults ------------------------------------------------------------------------------------------------------------

  # The line and the column are those of the input, although only the end of it is kept.
  def test_lines_of_faults_in_json
    wrong = "{\"order_id\":1, \"items\":\n [{\"item_id\":1,\"name\":\"#{"é" * 100_000}\"}],\n\"status\": x}\n"
    [1, 2000].each do |count|
      input = (LINES.join * count) + wrong
      offset = input.bytesize - 3

      place = "(standard input):#{(count * 3) + 3}:11: StreamedShop::Order.status: expected"
      errors = convert("--from", "json", "--to", "compact", input:)[2]

      assert_operator errors, :start_with?, place
      assert_operator errors, :end_with?, " (json, byte #{offset})\n"
    end
    input = "#{LINES[0]}\n{\"order_id\": x}"

    assert_includes convert("--from", "json", "--frame", "lines", "--to", "compact", input:)[2],
                    "(standard input):3:14: StreamedShop::Order.order_id: expected"
  end

  # Names of enums are shown as JSON has them.
  def test_wrong_names_of_enums
    { "json" => "{\"order_id\":1,\"status\":\"SEND\"}", "msgpack" => "\x94\xC0\x01\xC0\xA4SEND" }.each do |from, input|
      assert_includes convert("--from", from, "--to", "compact", input:)[2],
                      "expected StreamedShop::Status, found a string of 4 bytes (did you mean \"SENT\"? known: " \
                      "\"OPEN\", \"SENT\") ("
    end
  end

  def test_empty_input
    assert_equal [0, "", ""], convert("--from", "compact", "--to", "json", input: "")
    assert_equal [2, "", "sparpack convert: cannot tell the format of the input: it is empty"],
                 fault("--from", "auto", input: "")
  end

  # The bytes are fine, but the type is another one.
  def test_auto_with_the_wrong_type
    status, output, errors = run_cli("convert", "--schema", SCHEMA, "--type", "Note", "--from", "auto", "--to", "json",
                                     input: stream(:compact, nil))

    assert_equal [2, ""], [status, output]
    assert_match(/\Asparpack convert: these bytes read as compact.*, but not as StreamedShop::Note: /, errors)
    assert_includes errors, ": StreamedShop::Note.text: expected"
    assert_includes errors, ": expected string, found i64 (pass another --type, or --from)\n"
  end

  # What came before is converted.
  def test_streams_that_are_cut_off
    cut = "expected a payload of 14 bytes, found the end of the input after 12 (c"
    { nil => "found the end of the input", varint: cut, framed: cut }.each do |frame, text|
      %w[auto compact].each do |from|
        status, output, errors = convert("--from", from, "--to", "json", input: stream(:compact, frame)[0..-3])

        assert_equal [1, LINES.first(2).join], [status, output]
        assert_includes errors, text
      end
    end
  end

  def test_garbage_in_the_middle
    [nil, :varint, :framed].each do |frame|
      one = stream(:compact, frame, 1)
      status, output, errors = convert("--from", "auto", "--to", "json", input: "#{one}#{"\xEE".b * 20}".b + one)

      assert_equal [1, LINES.first], [status, output], frame
      refute_match(/decode|these bytes read/, errors)
      assert_includes errors, "byte #{one.bytesize}"
    end
  end

  # The first bytes of a frame are also MessagePack, so the fault comes late. It is the first byte of the id -97.
  def test_a_late_fault_in_frames_without_a_schema
    io = StringIO.new(stream(:compact, :varint)).tap { |each| each.seek(0, IO::SEEK_END) }
    SHOP::Order.new(order_id: -97).encode_to(io, frame: :varint)
    status, _, errors = run_cli("convert", "--to", "json", input: io.string)

    assert_equal 1, status
    assert_match(/\(these bytes read as compact in a frame .*: pass --schema FILE --type NAME /, errors)
    assert_operator errors, :end_with?, " --from compact --frame varint)\n"
  end

  # The words are those of a shell.
  def test_hints
    { ["binary", nil, stream(:compact, nil)] => /\(these bytes read as compact, at least 3 .*: pass --from compact\)$/,
      ["compact", "none", stream(:compact, :framed)] => /\(these bytes read as .*: pass --from compact --frame framed\)$/,
      ["compact", "varint", stream(:compact, :framed)] => /\(these bytes read as .*: pass --from compact --frame framed\)$/,
      ["compact", nil, Zlib.gzip("x")] => /\(these bytes are gzip data: unwrap them first: cat INPUT \| gunzip\)$/,
      ["compact", nil, [stream(:compact, nil)].pack("m")] => /in base64.*: unwrap them first: cat INPUT \| base64 -d\)$/ }
      .each do |(from, frame, bytes), text|
      status, _, errors = convert("--from", from, *(["--frame", frame] if frame), "--to", "json", input: bytes)

      assert_equal 1, status
      assert_match text, errors
      refute_match(/decode|frame: :|\(bytes/, errors)
    end
    # The format is named at a later struct, too, without Ruby code.
    refute_match(/decode/,
                 convert("--from", "compact", "--to", "json", input: stream(:compact, nil) + stream(:binary, nil))[2])
  end

  # Nobody believes a length, and no line is read without an end.
  def test_hostile_streams
    long = "expected at most 1000000 bytes, found a longer message"
    { ["compact", "framed", "\x7F\xFF\xFF\xFF"] => "#{long} (compact, byte 0), in the frame at byte 0 (its length",
      ["compact", "varint", "\xFF\xFF\xFF\xFF\x07"] => long,
      ["compact", "varint", "\xFF" * 10] => "expected the length of a frame, found a varint that is too long or too large",
      ["json", "lines", "{\"items\":[{\"name\":\"#{"x" * 10}"] => "#{long} (json, byte 0) (--message-limit allows more)",
      ["json", "none", "{\"items\":[{\"name\":\"#{"x" * 10}"] => "#{long} (json, byte 0) (--message-limit allows more)",
      ["compact", "none", "\x29\x1C\x28\xFF\xFF\xFF\xFF\x07"] => long }.each do |(from, frame, head), text|
      input = StringIO.new(head.b + ("x" * 5_000_000))
      output = StringIO.new
      errors = StringIO.new
      status = Sparpack::CLI.run(["convert", *TYPED, "--from", from, "--frame", frame, "--to", "binary",
                                  "--message-limit", "1000000"], input:, output:, errors:)

      assert_equal [1, ""], [status, output.string]
      assert_includes errors.string, text
      assert_operator input.pos, :<=, 1_200_000
    end
    status, _, errors = convert("--from", "auto", "--to", "json", input: "\x7F\xFF\xFF\xFF#{"x" * 100_000}")

    assert_equal 2, status
    assert_includes errors, "cannot tell the format of the input"
  end

  private

  def framed(payload) = [payload.bytesize].pack("N") + payload.b

  def stream(...) = CLIConvertStreamsTest.stream(...)

  def convert(*arguments, input:) = run_cli("convert", *TYPED, *arguments, input:)

  # The beginning of the message.
  def fault(*arguments, input:)
    status, output, errors = convert(*arguments, "--to", "json", input:)
    [status, output, errors[/\A.*?(?=,| \(pass)/]]
  end
end
