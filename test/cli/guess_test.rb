# frozen_string_literal: true

# bin/test: not sanitized, for test/errors/ guesses the same, and most of this is about words

require "test_helper"
require "shellwords"
require "stringio"
require "tmpdir"
require "zlib"
require "support/cli"
require "support/command"

# Runs `sparpack guess` as users type it, and mistypes the options of every verb.
class CLIGuessTest < Minitest::Test
  include CLI

  SCHEMA = "#{Dir.mktmpdir}/guessed_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    struct Item { 1: required i64 item_id, 2: string name }
    struct Order { 1: required i64 order_id, 2: list<Item> items }
  THRIFT
  ORDER = ["--schema", SCHEMA, "--type", "Order"].freeze
  WAY = "to sparpack inspect or convert"
  NONE = "these bytes look like no format that Sparpack knows"

  def setup = @folder = File.realpath(Dir.mktmpdir)

  def teardown = FileUtils.rm_rf(@folder)

  def test_files
    write("a.bin", order.encode(:binary))
    write("b c.bin", Zlib.gzip("x" * 300_000))
    write("c.bin", "\x00")

    assert_equal [0, "#{@folder}/a.bin: these bytes read as binary: pass --from binary #{WAY}\n" \
                     "#{@folder}/b c.bin: these bytes are gzip data: unwrap them first: " \
                     "cat #{@folder}/b\\ c.bin | gunzip\n", ""],
                 guess("#{@folder}/a.bin", "#{@folder}/b c.bin")
    assert_equal [1, "#{@folder}/a.bin: these bytes read as binary: pass --from binary #{WAY}\n" \
                     "#{@folder}/c.bin: #{NONE}\n", ""], guess("#{@folder}/a.bin", "#{@folder}/c.bin")
    assert_equal 2, guess("#{@folder}/none").first
  end

  def test_standard_input
    assert_equal [0, "(standard input): these bytes read as JSON: pass --from json #{WAY}\n", ""],
                 guess("-", input: '{"a": 1, "b": 2}')
    assert_equal [0, "these bytes read as JSON: pass --from json #{WAY}\n", ""], guess(input: '{"a": 1, "b": 2}')
    assert_equal [1, "the input is empty\n", ""], guess(input: "")
    assert_equal [1, "the input is empty\n", ""], guess("--frame", "varint", input: "")
  end

  def test_text_that_is_no_payload
    assert_equal [1, "these bytes are text, but no JSON\n", ""], guess(input: "name: Ada\nage: 36\n")
    assert_equal [1, "#{NONE}\n", ""], guess(input: "name\x00: Ada".b)
  end

  def test_streams
    maps = Sparpack::MessagePack.pack({ "id" => 1 }) + Sparpack::MessagePack.pack({ "id" => 2 })
    { maps => "MessagePack, 2 payloads one after the other: pass --from msgpack #{WAY}",
      order.encode * 3 => "compact, 3 payloads one after the other: pass --from compact #{WAY}",
      order.encode * 100_000 => /\Acompact, at least \d+ payloads one after the other: pass --from compact #{WAY}\z/o,
      (order.encode * 3).chop =>
        "compact, 2 payloads one after the other, and the beginning of another: pass --from compact #{WAY}",
      "{\"a\":1}\n" * 4 => "JSON, 4 payloads one after the other: pass --from json #{WAY}",
      framed * 2 => "compact in a frame with its size in 4 bytes, 2 frames one after the other: " \
                    "pass --from compact --frame framed #{WAY}" }.each do |bytes, text|
      status, output, errors = guess(input: bytes)

      assert_equal [0, ""], [status, errors]
      assert_operator text, :===, output.chomp.delete_prefix("these bytes read as "), output
    end
  end

  # Nothing is read but the beginning.
  def test_a_log_is_not_read_whole
    log = StringIO.new(order.encode * 100_000)

    assert_equal 0, Sparpack::CLI.run(["guess"], input: log, output: StringIO.new, errors: StringIO.new)
    assert_equal 65_536, log.pos
  end

  # Two short structs are too little without a schema.
  def test_a_schema
    bytes = "\x16\x02\0\x16\x04\0"

    assert_equal [1, "#{NONE}\n", ""], guess(input: bytes)
    assert_equal [0, "these bytes read as compact, 2 payloads one after the other: pass --from compact #{WAY}\n", ""],
                 guess(*ORDER, input: bytes)
    { %w[--type Order] => "--type needs the file that declares it: --schema FILE",
      ["--schema", SCHEMA] => "which struct? Pass --type: ",
      ["--schema", SCHEMA, "--type", "Ordr"] => "no struct Ordr in" }.each do |arguments, message|
      assert_operator guess(*arguments)[2], :start_with?, "sparpack guess: #{message}"
    end
  end

  def test_frames
    { ["framed", framed * 3] => "compact, in 3 frames with their size in 4 bytes: pass --from compact --frame framed #{WAY}",
      ["framed", framed] => "compact, in 1 frame with its size in 4 bytes: pass --from compact --frame framed #{WAY}",
      ["framed", (framed * 3).chop] => "compact, in 2 frames with their size in 4 bytes, and the beginning of another: " \
                                       "pass --from compact --frame framed #{WAY}",
      ["lines", "{\"a\":1,\"b\":2}\n\n{\"a\":1}\n"] => "JSON, in 2 lines: pass --from json --frame lines #{WAY}" }
      .each do |(frame, bytes), text|
      assert_equal [0, "these bytes read as #{text}\n", ""],
                   guess("--frame", frame, *(ORDER if frame == "framed"), input: bytes)
    end
    { "\x7F\xFF\xFF\xFFab" => "a payload of 2147483647 bytes, found the end of the input after 2 (byte 6)",
      "\0\0" => "the length of a frame, found the end of the input (byte 2)" }.each do |bytes, text|
      assert_equal [1, "these bytes have no such frames: expected #{text}\n", ""], guess("--frame", "framed", input: bytes)
    end
    assert_equal [1, "these bytes have no such frames (the first one is empty), but they read as compact in a frame " \
                     "with its size in 4 bytes, 3 frames one after the other: " \
                     "pass --from compact --frame framed #{WAY}\n", ""],
                 guess("--frame", "varint", *ORDER, input: framed * 3)
    # The first frame is longer than what is read.
    order = order(20_000).encode
    long = [order.bytesize].pack("N") + order

    assert_equal [0, "these bytes read as compact, in a frame with its size in 4 bytes: " \
                     "pass --from compact --frame framed #{WAY}\n", ""], guess("--frame", "framed", input: long)
  end

  # What may follow is a command of a shell, and never Ruby code.
  def test_advice_is_for_shells
    json = '{"a": 1, "b": [2]}'
    { json.encode("UTF-16LE") => json, json.encode("UTF-32") => json, Zlib.deflate("abc") => "abc",
      [order.encode].pack("m0") => order.encode, "\uFEFF#{json}" => json }.each do |bytes, inside|
      write("wrapped", bytes)
      output = guess("#{@folder}/wrapped")[1]
      command = output[/unwrap them first: (cat .*)$/, 1]

      refute_nil command, output
      assert_equal inside.b, Command.capture2("sh", "-c", command, binmode: true).first, command
    end
    [Marshal.dump([1]), "---\na: 1\n", "<html></html>", "<?xml version=\"1.0\"?><a/>", "[1]\n[2]\n", "[{\"a\":1}]",
     "PK\x03\x04\x14\x00", Sparpack::MessagePack.pack([1] * 100, compression: :lz4)].each do |bytes|
      refute_match(/decode|unpack|Marshal\.|from_h|parse|bytes\)/, guess(input: bytes)[1])
    end
  end

  # --- options that are misspelt -----------------------------------------------------------------------------------------

  # Each option of each verb, with one letter left out, doubled, or changed places.
  def test_misspelt_options
    Sparpack::CLI::VERBS.each_key do |verb|
      long_options(verb).grep_v(/-/).each do |name|
        [name.sub(/(?<=.)./, ""), "#{name}#{name[-1]}", name[0] + name[2].to_s + name[1] + name[3..].to_s].each do |wrong|
          next if long_options(verb).any? { |other| other.start_with?(wrong) } # an abbreviation

          errors = run_cli(verb, "--#{wrong}", "x")[2]

          assert_match(/\Asparpack #{verb}: (invalid|ambiguous) option: --#{wrong} \((did you mean --\S+\?|known: --)/,
                       errors)
        end
      end
    end
  end

  def test_hints_of_options
    { %w[generate --ot] => "--ot (did you mean --out?)", %w[idl --ot] => "--ot (did you mean --out?)",
      %w[assemble --ot] => "--ot (did you mean --out?)", %w[convert --ot] => "--ot (did you mean --to?)",
      %w[generate --output] => "--output (did you mean --out?)", %w[guess --shcema] => "--shcema (did you mean --schema?)",
      %w[format --x] => "--x (known: --check, --help)", %w[inspect --zzzz] => "--zzzz\n" }.each do |arguments, text|
      assert_operator run_cli(*arguments)[2], :start_with?, "sparpack #{arguments.first}: invalid option: #{text}"
    end
    { %w[convert --to] => "missing argument: --to (expected msgpack|json|",
      %w[inspect --limit] => "missing argument: --limit (expected N)",
      %w[inspect --limit x] => "--limit x: expected a number from 0 on, in decimal digits" }.each do |arguments, text|
      assert_includes run_cli(*arguments)[2], text
    end
  end

  private

  def order(count = 1)
    shop = @shop ||= Sparpack::IDL.load(SCHEMA)
    shop::Order.new(order_id: 1, items: Array.new(count) { |i| shop::Item.new(item_id: i + 1, name: "x") })
  end

  def framed = [order.encode.bytesize].pack("N") + order.encode

  def write(name, bytes) = File.binwrite("#{@folder}/#{name}", bytes)

  def long_options(verb)
    switches = Sparpack::CLI.verb(verb).parser.top.list.grep(OptionParser::Switch)
    switches.flat_map(&:long).map { |long| long.delete_prefix("--") }
  end

  def guess(...) = run_cli("guess", ...)
end
