# frozen_string_literal: true

require "test_helper"
require "json"
require "sparpack/message_pack"
require "io/console"
require "pty"
require "stringio"
require "support/cli"
require "support/command"
require "tmpdir"
require "zlib"

# Runs `sparpack inspect` and `sparpack assemble` as users type them.
class CLIInspectTest < Minitest::Test
  include CLI

  # All tests load the same file. Another file with the same names would define the structs a second time.
  SCHEMA = "#{Dir.mktmpdir}/shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    struct Item { 1: required i64 item_id, 2: string name }
    struct Order { 1: required i64 order_id, 2: list<Item> items }
  THRIFT
  BYTES = "\x16\x02\x19\x1C\x16\x0E\x18\x05Mitte\x00\x00".b.freeze

  def setup
    @folder = File.realpath(Dir.mktmpdir)
    write("order.bin", BYTES)
    @typed = ["--schema", SCHEMA, "--type", "Order"]
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_a_tree
    status, output, errors = inspect(*@typed, path("order.bin"))

    assert_equal [0, ""], [status, errors]
    assert_match(/\A#{path("order.bin")}: 15 bytes, compact \(these bytes read as compact\), fields of .*Order$/, output)
    assert_match(/^ +6  18 05 4d 69 74 74 65 +2:name +string +"Mitte"$/, output)
    assert_match(/^ +6  18 05 4d 69 74 74 65 +2 +string +"Mitte"$/, inspect("--from", "compact", path("order.bin"))[1])
  end

  DOCUMENT = File.expand_path("../../docs/inspect.md", __dir__)

  # The classes and the payload of the first example in docs/inspect.md.
  LISTING = <<~RUBY
    module Status
      extend Sparpack::Enum
      ACTIVE = 1
    end

    class Neighborhood < Sparpack::Struct
      field 1, :neighborhood_id, :i64
      field 2, :name, :string
    end

    class Listing < Sparpack::Struct
      field 1, :listing_id, :i64
      field 3, :status, Status
      field 7, :neighborhoods, list(Neighborhood)
      field 9, :ok, :bool
    end
  RUBY
  LISTING_BYTES = "\x16\x02\x25\x02\x49\x1C\x16\x0E\x18\x05Mitte\x00\x22\x00".b.freeze

  def test_the_example_in_the_document
    command, *lines = File.read(DOCUMENT, encoding: "UTF-8")[/^```\n\$ (sparpack inspect .*?)^```$/m, 1].lines(chomp: true)
    write("listing.rb", LISTING)
    write("listing.bin", LISTING_BYTES)
    status, output, = Dir.chdir(@folder) { inspect(*command.split.drop(2)) }

    assert_equal 0, status
    assert_equal lines, output.lines.map(&:rstrip)
  end

  def test_standard_input
    [[], ["-"]].each do |name|
      status, output, = inspect(*@typed, "--from", "compact", *name, input: BYTES)

      assert_equal 0, status
      assert_match(/\A\(standard input\): 15 bytes, compact, fields of /, output)
    end
  end

  def test_formats
    rows = inspect(*@typed, "--format", "json", path("order.bin"))[1].lines.map { |line| JSON.parse(line) }
    page = inspect(*@typed, "--format", "html", path("order.bin"))[1]
    text = inspect(*@typed, "--format", "text", path("order.bin"))[1]

    assert_equal([1, 7, "Mitte"], rows.filter_map { |row| row["value"] })
    assert_includes page, "<title>#{path("order.bin")}</title>"
    assert_equal [0, BYTES, ""], assemble(input: text)
  end

  def test_a_broken_payload
    write("cut.bin", BYTES.byteslice(0, 10))
    message = "byte 8, items[0].name: expected at least 3 more bytes of the string, found the end of the input"
    status, output, errors = inspect(*@typed, "--from", "compact", path("cut.bin"))

    assert_equal [1, ""], [status, errors]
    assert_includes output, "✗ #{message.sub("byte 8", "byte #{output[/✗ byte (\d+)/, 1]}")}\n"
    %w[json html text].each { |format| assert_equal 1, inspect("--format", format, path("cut.bin"))[0], format }
    text = inspect("--format", "text", path("cut.bin"))[1]

    assert_equal [0, BYTES.byteslice(0, 10), ""], assemble(input: text)
  end

  def test_a_schema_that_asks_for_more
    status, output, = inspect(*@typed, "--from", "compact", input: "\x00".b)

    assert_equal 1, status
    assert_match(/^✗ .*order_id: expected a required field, found none$/, output)
  end

  def test_parts
    assert_equal ["\"Mitte\""], values("--path", "items[0].name")
    assert_equal ["\"Mitte\""], values("--path", "2[*].2")
    assert_equal %w[1], values("--offset", "0+2")
    assert_equal %w[7], values("--offset", "4..5")
    assert_equal [%w[7]] * 2, [values("--offset", "5..5"), values("--offset", "5+1")]
    assert_match(/^… \d+ more lines$/, inspect(*@typed, "--limit", "2", path("order.bin"))[1])
    assert_includes inspect(*@typed, "--strings", "2", path("order.bin"))[1], "\"Mi…\"… (5 bytes)"
    most = "4611686018427387903"

    assert_equal inspect(*@typed, "--all", path("order.bin")),
                 inspect(*@typed, "--limit", most, "--strings", most, path("order.bin"))
    assert_equal 10, inspect(*@typed, "--limit", "010", input: "\x93".b * 20)[1].scan(/^ +\d+  93/).size
    assert_includes inspect(*@typed, "--path", "items[9]", path("order.bin"))[1], "nothing is there\n"
  end

  # A path is wrong if no payload can have anything there. If only this payload has nothing there, the path is fine.
  def test_paths_that_the_schema_does_not_have
    paths = { "items[9].name" => [0, ""], "items[0].nam" => [2, /has no field nam \(did you mean "name"\?\)/] }
    paths.each do |way, (code, said)|
      Sparpack::Inspector::FORMATS.-(%i[text]).each do |format|
        status, output, errors = inspect(*@typed, "--path", way, "--format", format.to_s, path("order.bin"))

        assert_equal code, status, [way, format]
        assert_match said, format == :tree ? output : errors
      end
    end
    _, _, errors = inspect(*@typed, "--path", "items[0].nam", "--format", "json", path("order.bin"))

    assert_operator errors, :start_with?, "sparpack inspect: --path items[0].nam: "
    status, _, errors = inspect(*@typed, "--path", "items[-1].name", "--format", "json", path("order.bin"))

    assert_equal 2, status
    assert_operator errors, :start_with?,
                    "sparpack inspect: --path items[-1].name: the inspector does not know where a list ends"
    broken = File.binread(path("order.bin")).byteslice(0, 3)

    assert_equal 1, inspect(*@typed, "--from", "compact", "--path", "nam", input: broken).first
  end

  def test_inflate
    skip "the library for LZ4 is missing" unless Sparpack::Compression.find
    plain = Sparpack::MessagePack.pack({ "a" => [1] * 100 })
    File.binwrite(path("small.bin"), Sparpack::LZ4.deflate(plain))
    File.binwrite(path("plain.bin"), plain)
    inflated = inspect("--inflate", "--format", "text", path("small.bin"))

    assert_equal [0, inspect("--format", "text", path("plain.bin"))[1]], inflated.first(2)
    status, _, said = inspect("--inflate", path("plain.bin"))

    assert_equal 2, status
    assert_equal "sparpack inspect: --inflate: nothing that can be decompressed is in it\n", said.lines.first
  end

  def test_colors
    with_environment("NO_COLOR" => nil, "TERM" => "xterm") do
      refute_includes inspect(path("order.bin"))[1], "\e"
      assert_includes inspect("--color", "always", path("order.bin"))[1], "\e[36m"
      assert_includes inspect(path("order.bin"), output: terminal)[1], "\e[36m"
      refute_includes inspect("--color", "never", path("order.bin"), output: terminal)[1], "\e"
    end
    [{ "NO_COLOR" => "1", "TERM" => "xterm" }, { "NO_COLOR" => nil, "TERM" => "dumb" }].each do |variables|
      with_environment(variables) { refute_includes inspect(path("order.bin"), output: terminal)[1], "\e", variables }
    end
  end

  # JSON may have one half of a character beyond U+FFFF, which Ruby refuses to read. Long texts are cut between escapes.
  def test_halves_of_characters
    (375..400).each do |size|
      text = %(#{"x" * size}\\ud83dbcdef\\"\\ud83d\\ude00#{"z" * 3_000})
      page = Sparpack::Inspector.new(%({"k":"#{text}"})).html
      rows = JSON.parse(page[%r{"rows":(\[.*\])\}</script>}m, 1].gsub(/\\ud83d(?!\\ude00)/, "y"))

      assert_equal([nil, size + 3_013, nil], rows.map { |row| row["length"] })
    end
    File.write(path("cut.json"), '{"k":"abc\ud83d"')

    assert_equal [1, ""], inspect("--format", "html", path("cut.json")).values_at(0, 2)
  end

  # A browser cannot open more, and neither could this process hold it.
  def test_a_page_of_a_large_payload
    rows = 220_000
    most = Sparpack::Inspector::Page::LINES
    File.binwrite(path("large.bin"), [0xdd, rows].pack("CN") + ("\xD9\x28#{"x" * 40}".b * rows))
    status, output, errors = inspect("--all", "--format", "html", path("large.bin"))

    assert_equal 0, status
    assert_match(/\Aa page has at most #{most} lines, so #{rows + 1 - most} are not on it: pass --path or --offset /, errors)
    assert_includes output, "#{rows + 1 - most} more lines are not on this page, only the first 6291456 bytes of its lines "
    assert_equal most, output.scan(/^\{"offset":|"rows":\[\{/).size
    assert_operator output.bytesize, :<, 45_000_000
    assert_empty inspect("--format", "html", path("large.bin"))[2]
    assert_equal most, Sparpack::Inspector.new(File.binread(path("large.bin"))).html.scan(/^\{"offset":|"rows":\[\{/).size
  end

  # Not every terminal says how wide it is.
  def test_how_wide_a_terminal_is
    { "70" => 70, "" => 80, "x" => 80, "-3" => 80, "99999999999" => 1000 }.each do |columns, width|
      with_environment("COLUMNS" => columns) { assert_equal width, Sparpack::CLI::Terminal.new(terminal).width, columns }
    end
    PTY.open do |_, tty|
      with_environment("COLUMNS" => "70") do
        tty.winsize = [24, 90]

        assert_equal 90, Sparpack::CLI::Terminal.new(tty).width
        tty.winsize = [0, 0]

        assert_equal 70, Sparpack::CLI::Terminal.new(tty).width
      end
    end
  end

  def test_misuse
    {
      %w[a b] => "expected one file, got 2 names",
      [path("none.bin")] => "No such file or directory",
      ["#{SCHEMA}t"] => "No such file or directory: #{SCHEMA}t (did you mean \"#{SCHEMA}\"?)\n",
      [@folder] => "#{@folder} is a folder",
      %w[--from compat] => 'unknown --from "compat" (did you mean "compact"?)',
      %w[--format jsn] => 'unknown --format "jsn" (did you mean "json"?)',
      %w[--color alway] => 'unknown --color "alway" (did you mean "always"?)',
      %w[--schem x] => "No such file or directory",
      %w[--typ Order] => "--type needs the file that declares it: --schema FILE",
      %w[--limti 3] => "invalid option: --limti",
      %w[--limit x] => "--limit x: expected a number from 0 on, in decimal digits",
      %w[--limit -1] => "--limit -1: expected a number from 0 on",
      %w[--limit 1 --all] => "--limit and --all exclude one another",
      %w[--offset 9-12] => "--offset 9-12: expected 100, 100..199 or 100+50",
      %w[--offset 5..2] => "--offset 5..2: expected a range with at least one byte",
      %w[--offset 5..4] => "--offset 5..4: expected a range with at least one byte",
      %w[--offset 5+0] => "--offset 5+0: expected a range with at least one byte",
      %w[--format text --path a] => "--path is not for --format text",
      %w[--format json --strings 4] => "--strings is only for --format tree",
      ["--path", "a[", path("order.bin")] => "wrong path at column 2: expected a name, an id, [index], [\"key\"], [] or *",
      ["--schema", SCHEMA, "--type", "Ordr"] => "no struct Ordr in",
      ["--schema", SCHEMA] => "which struct? Pass --type: "
    }.each do |arguments, message|
      status, output, errors = inspect(*arguments)

      assert_equal 2, status, arguments
      assert_empty output, arguments
      assert errors.start_with?("sparpack inspect: #{message}"), "#{arguments}: #{errors}"
      assert_equal "Try: sparpack inspect --help\n", errors.lines.last
    end
  end

  def test_bytes_that_are_something_else
    status, _, errors = inspect(input: "<html><body></body></html>")

    assert_equal 2, status
    assert_includes errors, "cannot tell the wire: these bytes are an HTML page: look at the status of the response "
    ["Not found: no listing has this id\n", "\"\\x16\\xAA\\x9B\"", "Zażółć gęślą jaźń" * 20].each do |text|
      assert_includes inspect(input: text)[2], "cannot tell the wire: these bytes are text, but no JSON (or pass --from)"
    end
    assert_match(/^✗ byte 6, /, inspect(input: "{\"a\": tru}")[1])
  end

  # The command that takes off what is around a payload is run.
  def test_bytes_around_a_payload
    { "base64" => [BYTES].pack("m"), "hexadecimal digits" => "#{BYTES.unpack1("H*").scan(/.{1,4}/).join(" ")}\n",
      "gzip" => Zlib.gzip(BYTES), "zlib" => Zlib.deflate(BYTES) }.each do |name, wrapped|
      write("a b.bin", wrapped)
      status, output, errors = inspect(*@typed, path("a b.bin"))
      command = errors[/Unwrap them first: (cat .*) \| sparpack inspect \(or pass --from\)$/, 1]

      assert_equal [2, ""], [status, output], name
      refute_nil command, errors
      assert_equal BYTES, Command.capture2("sh", "-c", command, binmode: true).first, command
      assert_match(/^✗/, inspect("--from", "compact", path("a b.bin"))[1], name)
    end
  end

  def test_several_payloads
    write("two.bin", BYTES * 2)
    write("three.json", "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n")
    { "two.bin" => ["--from", "compact", 15], "three.json" => ["--from", "json", 9] }.each do |name, (*options, at)|
      status, output, = inspect(*options, path(name))

      assert_equal 0, status
      assert_includes output, "\nrecord 2, byte #{at}\n"
    end
    ["\0\0", "\0" * 50, "\xFF\xFF\xFF", BYTES.chop].each do |rest|
      status, output, = inspect("--from", "compact", input: BYTES + rest.b)

      assert_equal 1, status
      refute_includes output, "record 2", rest.inspect
    end
  end

  def test_another_wire_than_the_one_that_was_told
    output = inspect(*@typed, "--from", "binary", path("order.bin"))[1]

    assert_equal "  these bytes read as compact: --from compact\n", output.lines.last
    refute_includes inspect(*@typed, "--from", "compact", input: BYTES.chop)[1], "--from"
  end

  # Reading takes most of the time for a large payload. The guess is not counted.
  def test_the_payload_is_read_once
    %w[tree json html text].each do |format|
      begun = 0
      trace = TracePoint.new(:c_call) { |call| begun += 1 if call.method_id == :begin && call.self.is_a?(Sparpack::Native::Annotator) }
      trace.enable { inspect(*@typed, "--from", "compact", "--format", format, path("order.bin")) }

      assert_equal 1, begun, format
    end
  end

  # A payload of 100 MB is read to its end, but only the first lines are shown.
  def test_a_large_payload
    skip "the sanitizers take too long" if ENV["SPARPACK_MODE"] == "sanitize"
    row = Sparpack::MessagePack.pack({ "id" => 123_456, "name" => "x" * 2000 })
    count = 100_000_000 / row.bytesize
    write("large.bin", [0xDD, count].pack("CN") + (row * count))
    status, output, = inspect("--from", "msgpack", path("large.bin"))

    assert_equal 0, status
    assert_equal 1003, output.lines.size
    assert_match(/^… 1\d\d,\d{3} more lines$/, output)
    assert_match(/--all shows all lines/, output.lines.last)
  end

  def test_assembling
    write("order.txt", "wire compact\nstruct {\n  1 i64 5\n}\n")

    assert_equal [0, "", ""], assemble(path("order.txt"), "--out", path("mended.bin"))
    assert_equal "\x16\x0A\x00".b, File.binread(path("mended.bin"))
    write("order.txt", "wire compact\nstruct {\n  1 i8 500\n}\n")

    assert_equal [1, "", "#{path("order.txt")}:3:8: expected i8, a number from -128 to 127, found 500\n"],
                 assemble(path("order.txt"), "--out", path("other.bin"))
    refute_path_exists path("other.bin")
    assert_equal [1, "", "(standard input):1:1: expected a line such as wire compact, found the end of the text\n"],
                 assemble(input: "")
    status, _, errors = assemble(input: "wire compact", output: terminal)

    assert_equal 2, status
    assert_match(/\Asparpack assemble: bytes are not written to a terminal: pass --out FILE/, errors)
    assert_equal 2, assemble(@folder)[0]
    assert_equal 2, assemble("a", "b")[0]
  end

  private

  def values(*arguments)
    inspect(*@typed, *arguments, path("order.bin"))[1].lines.filter_map { |line| line[/ (\d+|".*")$/, 1] }
  end

  # Whatever is set outside.
  def with_environment(variables)
    before = variables.to_h { |name, _| [name, ENV.fetch(name, nil)] }
    ENV.update(variables)
    yield
  ensure
    ENV.update(before)
  end

  def path(name) = "#{@folder}/#{name}"
  def write(name, bytes) = File.binwrite(path(name), bytes)
  def terminal = StringIO.new("".b).tap { |io| def io.tty? = true }
  def inspect(...) = run_cli("inspect", ...)
  def assemble(*arguments, output: StringIO.new("".b), **options) = run_cli("assemble", *arguments, output:, **options)
end
