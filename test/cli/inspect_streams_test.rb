# frozen_string_literal: true

# bin/test: not sanitized, for test/transcode/ shows the same, and most of this is about words

require "test_helper"
require "json"
require "stringio"
require "tmpdir"
require "support/cli"

# Runs `sparpack inspect` on several payloads, one after the other, with frames and without, and on broken ones.
class CLIInspectStreamsTest < Minitest::Test
  include CLI

  SCHEMA = "#{Dir.mktmpdir}/looked_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    struct Item { 1: required i64 item_id, 2: string name }
    struct Order { 1: required i64 order_id, 2: list<Item> items }
  THRIFT
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  SHOP = Sparpack::IDL.load(SCHEMA)
  ORDERS = (1..3).map { |i| SHOP::Order.new(order_id: i, items: [SHOP::Item.new(item_id: i * 7, name: "n#{i}")]) }.freeze
  FRAMES = [nil, :varint, :framed].freeze

  def self.stream(wire, frame, count = 3)
    io = StringIO.new("".b)
    count.times { |i| ORDERS[i % 3].encode_to(io, wire, frame:) }
    io.string
  end

  Sparpack::WIRES.each do |wire|
    define_method("test_records_of_#{wire}") do
      FRAMES.each do |frame|
        bytes = stream(wire, frame)
        [[], ["--from", wire.name], ["--frame", (frame || :none).name]].each do |options|
          status, output, errors = inspect(*TYPED, *options, input: bytes)

          assert_equal [0, ""], [status, errors], options
          assert_equal %w[1 2 3], output.scan(/^record (\d+), byte/).flatten, options
          assert_equal %w[1 2 3], output.scan(/order_id.* (?:i64|int) +(\d)$/).flatten, output
        end
      end
    end

    # Offsets are those of the input.
    define_method("test_a_path_in_records_of_#{wire}") do
      FRAMES.each do |frame|
        bytes = stream(wire, frame)
        status, output, = inspect(*TYPED, "--path", "items[0].name", input: bytes)

        assert_equal 0, status
        assert_equal 3, output.scan(/^record \d/).size
        output.scan(/^ *(\d+)  .*"(n\d)"$/).each do |at, name|
          assert_includes bytes.byteslice(at.to_i..).byteslice(0, 16), name
        end
      end
    end

    define_method("test_one_record_of_#{wire}") do
      FRAMES.each do |frame|
        bytes = stream(wire, frame)
        start = (bytes.bytesize / 3 * 2)
        status, output, = inspect(*TYPED, "--record", "3", input: bytes)

        assert_equal 0, status
        assert_match(/order_id.* (i64|int) +3$/, output)
        refute_match(/order_id.* (i64|int) +[12]$/, output)
        assert_operator output[/^ +(\d+)  .*\(payload\)/, 1].to_i, :>=, start
        assert_equal [0, ORDERS[2].encode(wire)], assembled(*TYPED, "--record", "3", input: bytes)
        assert_includes inspect(*TYPED, "--record", "3", "--format", "html", input: bytes)[1], "<html"
      end
    end
  end

  def test_json_lines_of_records
    bytes = stream(:compact, :varint)
    rows = inspect(*TYPED, "--format", "json", input: bytes)[1].lines.map { |line| JSON.parse(line) }
    summaries = rows.select { |row| row.key?("wire") }

    assert_equal([[1, 1, 11], [2, 13, 11], [3, 25, 11]].transpose.first, summaries.map { |row| row["record"] })
    summaries.each { |row| assert_equal bytes.getbyte(row["offset"] - 1), row["bytes"] }
    assert_equal([nil, nil, nil], summaries.map { |row| row["fault"] })
  end

  def test_without_a_schema
    maps = (1..3).map { |i| Sparpack::MessagePack.pack({ "id" => i }) }.join
    output = inspect("--path", "id", input: maps)[1]

    assert_equal %w[1 2 3], output.scan(/"id" +int +(\d)$/).flatten
    assert_includes output.lines.first, "message_pack (these bytes read as MessagePack, 3 payloads one after the other)"
  end

  def test_a_page_of_the_first_one
    FRAMES.each do |frame|
      status, page, errors = inspect(*TYPED, "--format", "html", input: stream(:compact, frame))

      assert_equal [0, "the page has only the first of several payloads: pass --record N for another one\n"],
                   [status, errors]
      assert_includes page, "<html"
    end
  end

  def test_hints
    assert_includes inspect(*TYPED, "--from", "binary", input: stream(:compact, :varint))[1],
                    ": --from compact --frame varint\n"
    errors = inspect(*TYPED, "--record", "3", input: stream(:compact, :varint).chop)[2]

    assert_includes errors,
                    "there is no record 3: the input has 2 records, and then a frame that is wrong: byte 38: expected a "
    [Marshal.dump([1]), "---\na: 1\n", "[1]\n[2]", "{\"a\": 1}".encode("UTF-16")].each do |bytes|
      refute_match(/decode|Marshal\.|from_h|parse|encode/, inspect(input: bytes.b)[2])
    end
  end

  def test_offsets
    bytes = stream(:compact, nil)
    start = bytes.bytesize / 3
    output = inspect(*TYPED, "--offset", "#{start}+2", input: bytes)[1]

    assert_equal ["2"], output.scan(/^record (\d)/).flatten
    assert_match(/^ *#{start}  16 04 +1:order_id/, output)
  end

  def test_misuse
    bytes = stream(:compact, :varint)
    { %w[--record 0] => "--record 0: expected a number from 1 on",
      %w[--record -1] => "--record -1: expected a number from 1 on",
      %w[--record 4] => "there is no record 4: the input has 3 records",
      %w[--record x] => "--record x: expected a number from 1 on, in decimal digits",
      %w[--recrod 1] => "invalid option: --recrod (did you mean --record?)",
      %w[--frame line] => 'unknown --frame "line" (did you mean "lines"?)',
      %w[--from compact --frame lines] => "--frame lines is only for json, not for compact",
      %w[--format text] => "--format text is for one payload, ",
      %w[--inflate] => "--inflate is for one payload: pass --record N" }.each do |options, message|
      status, output, errors = inspect(*TYPED, *options, input: bytes)

      assert_equal [2, ""], [status, output], options
      assert_operator errors, :start_with?, "sparpack inspect: #{message}"
      refute_match(/decode|frame: :/, errors)
    end
    assert_includes inspect(*TYPED, "--record", "2", input: ORDERS[0].encode)[2],
                    "there is no record 2: the input has 1 record\n"
    assert_equal 0, inspect(*TYPED, "--record", "1", input: ORDERS[0].encode).first
    status, output, = inspect(*TYPED, "--path", "nam", input: bytes)

    assert_equal 2, status
    assert_includes output, "nothing is there in any of the payloads: "
  end

  def test_frames_that_are_not_there
    framed = stream(:compact, :framed)
    there = "but they read as compact in a frame with its size in 4 bytes, 3 frames one after the other: " \
            "pass --from compact --frame framed to sparpack inspect or convert\n"
    plain = "but they read as compact, 3 payloads one after the other: pass --from compact to sparpack inspect or convert\n"

    { ["varint", framed] => " (the first one is empty), #{there}", ["framed", stream(:compact, nil)] => ", #{plain}",
      ["varint", stream(:compact, nil)] => ", #{plain}" }.each do |(frame, bytes), text|
      assert_equal [1, "", "(standard input): these bytes have no such frames#{text}"],
                   inspect(*TYPED, "--frame", frame, input: bytes)
    end
    assert_equal [1, "", "(standard input): the input is empty\n"], inspect
  end

  # --- JSON --------------------------------------------------------------------------------------------------------------

  def test_elements_of_an_array_of_json
    text = " [ {\"order_id\":1} ,\n{\"order_id\":2}\n]\n"
    status, output, errors = inspect(*TYPED, input: text)

    assert_equal [0, ""], [status, errors], output
    assert_equal [3, 20], output.scan(/^record \d, byte (\d+)$/).flatten.map(&:to_i)
    assert_equal %w[1 2], output.scan(/order_id.* (\d)$/).flatten
    assert_equal [1, 2], SHOP::Order.decode_each(text, :json).map(&:order_id)
    assert_equal [0, 1], [inspect(*TYPED, input: "[]\n"), inspect(*TYPED, input: "[{\"order_id\":1}")].map(&:first)
    { "[{\"order_id\":1} {" => "byte 16: expected , or ], found something else",
      "[{\"order_id\":1}\n" => "byte 16: expected , or ], found the end of the input",
      "[{\"order_id\":1}]\n[]" => "byte 17: expected the end of the input, found trailing bytes",
      "[{\"order_id\":1},tru]" => "byte 16" }.each do |wrong, message|
      assert_includes inspect(*TYPED, "--from", "json", input: wrong)[1], "✗ #{message}"
    end
  end

  def test_line_feeds_of_json
    _, output, = inspect(*TYPED, input: "{\"order_id\":1}\n")

    refute_match(/ 0a /, output)
    _, output, = inspect(*TYPED, input: "{\"order_id\":1}\n{\"order_id\":x}\n")

    assert_includes output, "record 2, byte 15\n"
  end

  # --- faults ------------------------------------------------------------------------------------------------------------

  def test_a_stream_that_is_cut_off
    { nil => "✗ byte 29, items[0].name: expected at least 2 more bytes of the string, found the end of the input\n  " \
             "still open: items[0], items (0 of 1 element), the payload\n",
      varint: "✗ byte 36: expected a payload of 12 bytes, found the end of the input after 9, in the frame at byte 26\n" }
      .each do |frame, ending|
      status, output, = inspect(*TYPED, input: stream(:compact, frame).byteslice(0..-4))

      assert_equal 1, status
      assert_operator output, :include?, ending.lines.last
      assert_equal 2, output.scan(/^       order_id|1:order_id.*[12]$/).size
    end
  end

  def test_garbage_in_the_middle
    FRAMES.each do |frame|
      one = stream(:compact, frame)
      status, output, errors = inspect(*TYPED, input: one + ("\xEE".b * 20) + one)

      assert_equal [1, ""], [status, errors]
      assert_match(/^✗ byte .*#{one.bytesize}/, output)
      assert_includes output, "record 3, "
    end
  end

  # A field is missing in the second one, and the third one is right.
  # The first line says why the wire was chosen.
  def test_a_record_of_another_struct
    bytes = [1, 2].map { |id| SHOP::Item.new(item_id: id, name: "n").encode }.join
    status, output, = inspect(*TYPED, "--record", "2", input: bytes)

    assert_equal 1, status
    assert_match(/compact \(a guess: of all wires this one reads furthest, \d+ of \d+ bytes\)/, output)
  end

  def test_a_record_that_is_wrong
    one = ORDERS.map(&:encode)
    output = inspect(*TYPED, "--from", "compact", "--frame", "varint",
                     input: [one[0], "\x29\x0C\x00".b, one[2]].map { |part| part.bytesize.chr.b + part }.join)[1]

    assert_includes output,
                    "✗ byte #{one[0].bytesize + 5}, LookedShop::Order.order_id: expected a required field, found none"
    assert_includes output, "record 3, byte"
  end

  # Also those in which the path is not there.
  def test_a_path_and_records_that_are_wrong
    payloads = (1..5).map { |i| SHOP::Order.new(order_id: i, items: []).encode(:message_pack) }
    payloads[1] = "\x81\xC1".b
    payloads[2] = "\x82\x01".b
    bytes = payloads.map { |payload| [payload.bytesize].pack("N") + payload }.join
    starts = payloads.each_index.map { |i| payloads.first(i).sum(&:bytesize) + (4 * (i + 1)) }
    options = [*TYPED, "--from", "message_pack", "--frame", "framed", "--path", "order_id"]
    status, output, errors = inspect(*options, input: bytes)

    assert_equal [1, ""], [status, errors]
    assert_equal starts.each_with_index.map { |at, i| [(i + 1).to_s, at.to_s] },
                 output.scan(/^record (\d), byte (\d+)$/), output
    assert_equal [starts[1] + 1, starts[2] + 2], output.scan(/^✗ byte (\d+)/).flatten.map(&:to_i), output
    refute_match(/nothing is there/, output)
    _, output, = inspect(*options, "--limit", "2", input: bytes)

    assert_match(/^… more payloads from record 3/, output)
  end

  # Behind the first frame there is garbage, whose first bytes are the length of a frame.
  def test_garbage_between_frames
    both = stream(:compact, :framed, 2)
    first = both.byteslice(0, both.bytesize / 2)
    second = both.byteslice(first.bytesize..)
    status, output, errors = inspect(*TYPED, input: "#{first}\x7Fgarbage!#{second}".b)

    assert_equal [1, ""], [status, errors]
    assert_match(/order_id.* i64 +1$/, output)
    assert_match(/^✗ byte \d+: expected .*, in the frame at byte #{first.bytesize}$|^✗ byte #{first.bytesize}: /, output)
  end

  def test_what_is_still_open
    bytes = SHOP::Order.new(order_id: 1, items: Array.new(3) { |i| SHOP::Item.new(item_id: i + 1) }).encode
    between = bytes.byteslice(0, 7) # behind the first item
    status, output, = inspect(*TYPED, "--from", "compact", input: between)

    assert_equal 1, status
    assert_includes output, "✗ byte 7, items[1]: expected more bytes, found the end of the input\n  " \
                            "still open: items[1], items (1 of 3 elements), the payload\n"
    text = inspect("--from", "compact", "--format", "text", input: between)[1]

    assert_includes text, "# still open: 2[1], 2 (1 of 3 elements), the payload\n"
    assert_equal between, Sparpack.assemble(text)
    fault = JSON.parse(inspect(*TYPED, "--from", "compact", "--format", "json", input: between)[1].lines.last)["fault"]

    assert_equal ["items[1]", "items (1 of 3 elements)", "the payload"], fault["open"]
    assert_includes inspect("--from", "compact", input: "\x19\x35\x02")[1], "still open: 1 (1 of 3 elements), the payload\n"
    deep = inspect("--from", "json", input: "[" * 20)[1]

    assert_equal 8, deep[/still open: (.*)$/, 1].split(", ").size
    refute_includes inspect("--from", "compact", input: "\xFF\xFF")[1], "still open"
  end

  # --- large and hostile input -------------------------------------------------------------------------------------------

  def test_a_log
    bytes = stream(:compact, nil, 20_000)
    status, output, = inspect(input: bytes)

    assert_equal 0, status
    assert_operator output.lines.size, :<, 1300
    assert_match(/^… more payloads from record \d+ on, byte \d+ of #{bytes.bytesize}$/, output)
    assert_match(/order_id.* i64 +2$/, inspect(*TYPED, "--record", "20000", input: bytes)[1])
    assert_equal 11, inspect("--limit", "8", input: bytes)[1].lines.size - 1
  end

  def test_hostile_frames
    { "framed" => "\x7F\xFF\xFF\xFF", "varint" => "\xFF\xFF\xFF\xFF\x07" }.each do |frame, head|
      status, output, errors = inspect("--from", "compact", "--frame", frame, input: "#{head}ab".b)

      assert_equal [1, ""], [status, errors]
      assert_includes output, "expected a payload of 2147483647 bytes, found the end of the input after 2"
    end
    assert_includes inspect("--frame", "lines", input: "x" * 100_000)[2], "cannot tell the wire"
    deep = "#{"[" * 1001}1#{"]" * 1001}"

    assert_includes inspect("--from", "json", "--record", "1", input: deep * 2)[1], "expected at most 1000 levels"
  end

  private

  def stream(...) = CLIInspectStreamsTest.stream(...)

  def assembled(*arguments, input:)
    status, text, = inspect(*arguments, "--format", "text", input:)
    [status, Sparpack.assemble(text)]
  end

  def inspect(...) = run_cli("inspect", ...)
end
