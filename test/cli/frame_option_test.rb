# frozen_string_literal: true

# bin/test: not sanitized, for test/cli/convert_streams_test.rb reads the same streams, and this is about words

require "test_helper"
require "stringio"
require "tmpdir"
require "support/cli"

# `--frame` of the commands that find out the format of their input: what somebody asked for is read, or nothing.
class CLIFrameOptionTest < Minitest::Test
  include CLI

  FOLDER = Dir.mktmpdir
  Minitest.after_run { FileUtils.rm_rf(FOLDER) }
  SCHEMA = File.join(FOLDER, "framed_shop.thrift").freeze
  File.write(SCHEMA, "struct Order { 1: required i64 id, 2: string name, 3: list<double> prices }")
  SHOP = Sparpack::IDL.load(SCHEMA)
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  WIRES = { "compact" => :compact, "binary" => :binary, "json" => :json, "thrift_json" => :thrift_json,
            "msgpack" => :message_pack }.freeze
  FRAMES = %w[none varint framed lines].freeze
  CALLS = [["columns", "id"], ["select", "--where", "id > 0", "--count"], ["convert", "--to", "json"]].freeze

  def stream(wire, frame)
    orders = Array.new(3) { |i| SHOP::Order.new(id: i + 5, name: "name #{i}", prices: [1.5] * i) }
    orders.each_with_object(StringIO.new("".b)) { |order, io| order.encode_to(io, wire, frame:) }.string
  end

  def call((verb, *arguments), *options, input:) = run_cli(verb, *arguments, *TYPED, *options, input:)

  # Each stream, and what there is in it.
  def each_stream
    WIRES.each do |name, wire|
      [nil, :varint, :framed, *(:lines if wire == :json)].each { |frame| yield name, frame, stream(wire, frame) }
    end
  end

  def test_frames_that_are_there
    each_stream do |name, frame, input|
      CALLS.each do |verb|
        known = call(verb, "--from", name, "--frame", (frame || :none).name, input:)

        assert_equal [0, ""], known.values_at(0, 2)
        assert_equal known, call(verb, "--frame", (frame || :none).name, input:), [name, frame]
      end
    end
  end

  def test_frames_that_are_not_there
    each_stream do |name, frame, input|
      asked = FRAMES - [(frame || :none).name]
      asked -= %w[none] if frame == :lines # a line feed may follow any JSON
      asked.product(CALLS) do |other, verb|
        next if name == "json" && other == "lines" && frame.nil?

        status, output, errors = call(verb, "--frame", other, input:)
        found = other == "none" ? "frames" : "no such frames"
        options = ["--from #{name}", *("--frame #{frame}" if frame && frame != :lines)].join(" ")

        assert_equal [2, ""], [status, output], [name, frame, other]
        assert_includes errors, ": --frame #{other}: the input has #{found} (these bytes read as "
        assert_includes errors, ": pass #{options})\n"
      end
    end
  end

  # Lines look like JSON without frames.
  def test_json_in_one_line
    status, output, errors = call(CALLS.last, "--frame", "lines", input: stream(:json, nil))

    assert_equal [1, ""], [status, output]
    assert_includes errors, "expected the end of the frame"
    assert_match(/found "x" .*, in the frame at byte 9$/,
                 call(CALLS.last, "--frame", "lines", input: "{\"id\":5}\n{\"id\":x}\n").last)
  end

  def test_input_that_is_cut_off
    FRAMES.each do |frame|
      assert_includes call(CALLS.last, "--frame", frame, input: "").last, "cannot tell the format of the input: it is empty"
      next if frame == "lines"

      whole = stream(:compact, frame == "none" ? nil : frame.to_sym)

      found = frame == "none" ? "cannot tell the format" : "expected a payload of 13 bytes, found the end of the input"

      assert_match(/found the end of the input/, call(CALLS.last, "--frame", frame, input: whole.byteslice(0..-3)).last)
      assert_includes call(CALLS.last, "--frame", frame, input: whole.byteslice(0, 6)).last, found
    end
  end

  # The size of this frame, 146, is the beginning of an array in MessagePack, and the id is its second element.
  def test_first_frame_that_is_cut
    order = SHOP::Order.new(id: 11, name: "n" * 140).encode(:compact)
    varint = [0x92, 0x01, order].pack("CCa*")

    assert_equal 146, order.bytesize
    (8...varint.bytesize).each do |size|
      status, output, errors = call(["convert", "--to", "json"], input: varint.byteslice(0, size))

      assert_equal [2, ""], [status, output], size
      assert_includes errors, "the input reads as msgpack and as compact in frames (varint): " \
                              "pass --from msgpack --frame none or --from compact --frame varint"
    end
    assert_includes call(CALLS.first, input: [146, order].pack("Na100")).last,
                    "expected a payload of 146 bytes, found the end of the input after 100 (compact, byte 104)"
  end
end
