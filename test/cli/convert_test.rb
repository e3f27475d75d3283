# frozen_string_literal: true

# bin/test: not sanitized, for test/transcode/ converts the same, and most of this waits for processes and terminals

require "test_helper"
require "support/patience"
require "io/console"
require "io/wait"
require "json"
require "rbconfig"
require "sparpack/message_pack"
require "stringio"
require "tmpdir"
require "support/cli"
require "support/command"
require "support/pseudo_terminal"

# Runs `sparpack convert` as users type it.
class CLIConvertTest < Minitest::Test
  include CLI
  include PseudoTerminal

  M = Sparpack::MessagePack

  COMMAND = [RbConfig.ruby, File.expand_path("../../exe/sparpack", __dir__), "convert"].freeze
  VALUE = { "a" => [1, 2.5, nil, "é"], "b" => { "c" => true } }.freeze
  PACKED = M.pack(VALUE).freeze
  JSON_TEXT = "#{JSON.generate(VALUE)}\n".b.freeze

  def setup = @folder = File.realpath(Dir.mktmpdir)

  def teardown = FileUtils.rm_rf(@folder)

  # --- structs -----------------------------------------------------------------------------------------------------------

  SCHEMA = "#{Dir.mktmpdir}/corner_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    struct Order { 1: required i64 id, 2: string name }
    struct order_item { 1: i64 id, 2: i32 count, 3: list<order_item> parts }
  THRIFT
  ITEM = ["--schema", SCHEMA, "--type", "order_item"].freeze
  ORDERS = %({"id":1,"name":"x"}\n{"id":2}\n)

  def test_structs
    typed = ["--schema", SCHEMA, "--type", "Order"]
    packed = "\x16\x02\x18\x01x\x00\x16\x04\x00".b
    wires = %w[compact binary thrift_json msgpack json]

    assert_equal [0, packed, ""], convert(*typed, "--from", "json", "--to", "compact", input: ORDERS)
    wires.each do |wire|
      status, bytes, errors = convert(*typed, "--from", "compact", "--to", wire, input: packed)

      assert_equal [0, ""], [status, errors]
      assert_equal [0, ORDERS, ""], convert(*typed, "--from", wire, "--to", "json", input: bytes)
    end
    assert_equal [0, ORDERS, ""], convert(*typed, "--from", "json", "--to", "json", input: ORDERS)
  end

  # The names of the IDL and of Ruby, and a file with classes.
  def test_names_of_structs
    write("order_line.rb", "class OrderLine < Sparpack::Struct\n  field 1, :id, :i64\nend\n")
    [["--schema", SCHEMA, "--type", "order_item"], ["--schema", SCHEMA, "--type", "Order_item"],
     ["--schema", SCHEMA, "--type", "corner_shop.order_item"], ["--schema", SCHEMA, "--type", "CornerShop::Order_item"],
     ["--schema", path("order_line.rb")]].each do |typed|
      assert_equal [0, "\x16\x02\x00".b, ""], convert(*typed, "--from", "json", "--to", "compact", input: '{"id":1}')
    end
  end

  WIRES = %w[compact binary thrift_json msgpack json].freeze

  # Short structs look alike in several formats.
  def test_guessed_formats
    ['{"id":1}', "{\"id\":1}\n{\"count\":2}\n{\"id\":3}", '{"parts":[{},{}]}', '{"id":1,"count":-1,"parts":[{"id":2}]}',
     (1..9000).map { |i| "{\"id\":#{i}}" }.join("\n")].each do |text|
      WIRES.each do |wire|
        bytes = convert(*ITEM, "--from", "json", "--to", wire, input: text)[1]

        assert_equal [0, "#{text}\n", ""], auto(bytes), "#{wire}: #{text}"
      end
    end
  end

  def test_guessed_formats_of_other_input
    lines = "{\"id\":1}\n{\"id\":2}\n"
    fault = "(standard input):3:7: CornerShop::Order_item.id: expected i64, found a string (json, byte 24)\n"

    assert_equal [1, lines, fault], auto("#{lines}{\"id\":\"x\"}")
    assert_equal [0, "{}\n", ""], auto("{}")
    { "" => "cannot tell the format of the input: it is empty (pass --from)",
      "\0\0\0" => "the input reads as compact and as binary: pass --from compact or --from binary",
      "\x80" => "the input reads as compact and as msgpack: pass --from compact or --from msgpack",
      "\xff\xff" => "cannot tell the format of the input: these bytes look like no format that Sparpack knows (pass --from)",
      "\x1f\x8b\x08\0" => "cannot tell the format of the input: these bytes are gzip data: unwrap them first: " \
                          "cat INPUT | gunzip (or pass --from)" }.each do |bytes, message|
      assert_equal [2, "", "sparpack convert: #{message}\nTry: sparpack convert --help\n"], auto(bytes), bytes
    end
  end

  def test_the_command_that_unwraps_an_input
    File.binwrite(path("a b.gz"), "\x1f\x8b\x08\0".b)
    message = convert(*ITEM, "--to", "json", path("a b.gz"))[2]

    assert_includes message, "these bytes are gzip data: unwrap them first: cat #{@folder}/a\\ b.gz | gunzip"
  end

  # The command guesses from the beginning of its input. Here the beginning ends in the middle of a frame.
  def test_long_streams_of_frames
    struct = "\x16\x02\x15\x04\x19\xFC\xC0\x3E#{"\x16\x02\0" * 8_000}\0".b
    frame = [struct.bytesize].pack("N") + struct
    line = convert(*ITEM, "--from", "compact", "--to", "json", input: struct)[1]

    assert_equal [0, line * 4, ""], auto(frame * 4)
  end

  def test_faults_of_structs
    typed = ["--schema", SCHEMA, "--type", "Order"]
    fault = "(standard input):2:7: CornerShop::Order.id: expected i64, found a string " \
            "(json, byte 15)\n"

    assert_equal [1, "{\"id\":1}\n", fault],
                 convert(*typed, "--from", "json", "--to", "json", input: "{\"id\":1}\n{\"id\":\"q\"}")
    { [*typed, "--from", "json"] => "which format is the output? (pass --to msgpack|json|compact|binary|thrift_json)\n",
      [*typed, "--to", "json"] => "cannot tell the format of the input",
      ["--from", "compact", "--to", "json"] => "compact needs a schema: pass --schema FILE and --type NAME",
      ["--from", "json", "--unknown", "skip"] => "--unknown needs a schema: pass --schema FILE and --type NAME",
      ["--from", "json", "-I", "."] => "--include needs a schema: pass --schema FILE and --type NAME",
      ["--type", "Order"] => "--type needs the file that declares it: --schema FILE",
      ["--schema", path("none.thrift"), "--from", "json", "--to", "json"] => "No such file or directory",
      ["--schema", @folder, "--from", "json", "--to", "json"] => "#{@folder} is a folder: name a file",
      ["--schema", SCHEMA, "--from", "json", "--to", "json"] => "which struct? Pass --type: CornerShop::Order, CornerShop::",
      ["--schema", SCHEMA, "--type", "Ordr", "--from", "json", "--to", "json"] =>
        "no struct Ordr in #{SCHEMA} (did you mean \"Order\"?)",
      [*typed, "--from", "json", "--to", "json", "--pretty"] => "--pretty is only for values without a schema",
      [*typed, "--from", "auto", "--to", "json"] => "cannot tell the format of the input" }.each do |arguments, message|
      status, _, errors = convert(*arguments, input: "")

      assert_equal 2, status
      assert_includes errors, message
    end
  end

  def test_compressed_structs
    text = "{\"id\":1,\"count\":2,\"parts\":[#{(["{\"id\":12345}"] * 20).join(",")}]}\n"
    item = Sparpack::IDL.load(SCHEMA)::Order_item
    %i[lz4 lz4_block].each do |compression|
      codec = Sparpack::Codec.new(item, :message_pack, compression:)
      bytes = codec.encode(item.decode(text, :json)) * 3

      %w[auto msgpack].each do |from|
        assert_equal [0, text * 3, ""], convert(*ITEM, "--from", from, "--to", "json", input: bytes)
      end
    end
  end

  # The output does not wait for more input.
  def test_structs_of_a_slow_pipe
    Command.popen3(*COMMAND, *ITEM, "--from", "json", "--to", "json") do |input, output, _, process|
      2.times do
        input.puts('{"id":1}')
        input.flush

        assert output.wait_readable(20)
        assert_equal "{\"id\":1}\n", output.gets
      end
      input.close

      assert_equal 0, process.value.exitstatus
    end
  end

  def test_structs_and_a_terminal
    terminal, tty = pseudo_terminal
    errors = StringIO.new
    status = Sparpack::CLI.run(["convert", *ITEM, "--from", "json", "--to", "compact"],
                               input: StringIO.new('{"id":1}'), output: tty, errors:)

    assert_equal 2, status
    assert_includes errors.string, "compact is not written to a terminal: name an OUTPUT, or redirect it with > or |"
  ensure
    [terminal, tty].each { |io| io&.close }
  end

  # Converts 10 MB, which come through a pipe.
  def test_memory_for_structs_is_bounded
    skip "there is no /proc" unless File.exist?("/proc/self/status")
    typed = [*ITEM, "--from", "json", "--to", "compact"]
    block = "{\"id\":123456,\"count\":7,\"parts\":[{\"id\":1},{\"id\":2}]}\n" * 5000
    some, many = [2, 40].map do |count|
      peak("-", path("#{count}.bin"), *typed, stdin_data: block * count)
    end

    assert_operator File.size(path("2.bin")), :>, 100_000
    assert_equal 20 * File.size(path("2.bin")), File.size(path("40.bin"))
    # The memory of an emulator is counted, too.
    assert_operator many, :<, some + (Patience::FACTOR > 1 ? 12_000 : 6000), "kB"
  end

  # --- the direction -----------------------------------------------------------------------------------------------------

  def test_names_tell
    write("a.msgpack", PACKED)
    %w[json jsonl ndjson JSON].each do |extension|
      assert_equal [0, "", ""], convert(path("a.msgpack"), path("b.#{extension}"))
      assert_equal JSON_TEXT, read("b.#{extension}")
      %w[msgpack mpk mp].each do |other|
        assert_equal [0, "", ""], convert(path("b.#{extension}"), path("c.#{other}"))
        assert_equal PACKED, read("c.#{other}")
      end
    end
  end

  def test_standard_input_and_output
    write("a.json", JSON_TEXT)

    assert_equal [0, PACKED, ""], convert(path("a.json"))
    assert_equal [0, PACKED, ""], convert(path("a.json"), "-")
    assert_equal [0, PACKED, ""], convert("--from", "json", input: JSON_TEXT)
    assert_equal [0, PACKED, ""], convert("-", "-", "--to", "msgpack", input: JSON_TEXT)
    assert_equal [0, JSON_TEXT, ""], convert("--to=json", input: PACKED)
    assert_equal [0, JSON_TEXT, ""], convert("--from", "message_pack", input: PACKED)
    assert_equal [0, PACKED, ""], convert("--to", "message_pack", input: JSON_TEXT)
    assert_equal [0, "", ""], convert("-", path("b.json"), input: PACKED)
    assert_equal JSON_TEXT, read("b.json")
    assert_equal [0, PACKED, ""], convert("--from", "json", path("b.json"))
    assert_equal [0, JSON_TEXT, ""], convert("--from", "msgpack", write("odd.name", PACKED))
  end

  def test_options
    packed = M.pack(["\xFF".b, Float::NAN])

    assert_equal [0, "[\n  \"ff\",\n  null\n]\n", ""],
                 convert("--to", "json", "--pretty", "--binary", "hex", "--nan", "null", input: packed)
    assert_equal [0, M.pack("1#{"0" * 20}"), ""],
                 convert("--from", "json", "--big-numbers", "string", input: "1#{"0" * 20}")
    assert_equal [0, M.pack("\uFFFD"), ""], convert("--from", "json", "--invalid-utf8=replace", input: "\"\xFF\"")
  end

  def test_misuse
    write("a.json", "[]")
    write("b.msgpack", "\x90")
    File.symlink(path("a.json"), path("link.mp"))
    Dir.mkdir(path("folder.json"))
    {
      [] => "cannot tell the formats: pass --from msgpack or --from json",
      %w[a b c] => "expected at most an input and an output, got 3 names",
      [path("a.json"), path("c.json")] => "the input and the output are both json: nothing to convert",
      [path("c.json"), "--from", "msgpack"] =>
        "the input is msgpack, but its name stands for json (to write to it, pass \"- #{path("c.json")}\"; " \
        "to read it in spite of its name, pass \"< #{path("c.json")}\")\n",
      ["--to", "msgpack", path("c.mp")] =>
        "the input and the output are both msgpack: nothing to convert (to write to it, pass \"- #{path("c.mp")}\"; ",
      %w[--from json --to json] => "the input and the output are both json: nothing to convert",
      [path("a.json"), path("link.mp")] => "the input and the output are the same file: #{path("a.json")}",
      [path("none.bin")] => "No such file or directory: #{path("none.bin")}",
      [path("none.bin"), "--schema", "s.thrift"] => "No such file or directory: #{path("none.bin")}",
      [path("none.bin"), path("c.bin")] => "No such file or directory: #{path("none.bin")}",
      [path("none.json")] => "No such file or directory: #{path("none.json")}",
      [path("a.json"), path("none/a.mp")] => "no folder #{path("none")}",
      [path("b.msgpack"), path("folder.json")] => "#{path("folder.json")} is a folder",
      [path("folder.json")] => "Is a directory",
      %w[--from jsn] => 'unknown --from "jsn" (did you mean "json"?)',
      %w[--to msgpak] => 'unknown --to "msgpak" (did you mean "msgpack"?)',
      %w[--binary base46] => 'unknown --binary "base46" (did you mean "base64"?)',
      %w[--ext objct] => 'unknown --ext "objct" (did you mean "object"?)',
      %w[--nan nul] => 'unknown --nan "nul" (did you mean "null"?)',
      %w[--big-numbers flot] => 'unknown --big-numbers "flot" (did you mean "float"?)',
      %w[--invalid-utf8 replac] => 'unknown --invalid-utf8 "replac" (did you mean "replace"?)',
      %w[--from json --pretty] => "--pretty is only for writing JSON",
      %w[--from json --nan null] => "--nan is only for writing JSON",
      %w[--from msgpack --big-numbers float] => "--big-numbers is only for writing MessagePack",
      %w[--prety] => "invalid option: --prety"
    }.each do |arguments, message|
      status, output, errors = convert(*arguments)

      assert_equal [2, ""], [status, output], arguments
      assert errors.start_with?("sparpack convert: #{message}"), "#{errors}\n#{message}"
      assert_equal "Try: sparpack convert --help\n", errors.lines.last
    end
    assert_equal %w[a.json b.msgpack folder.json link.mp], Dir.children(@folder).sort
  end

  def test_one_file_as_standard_input_and_output
    write("a.json", "[1]")
    status = Command.run(*COMMAND, "--from", "json", in: path("a.json"), out: [path("a.json"), "r+"], err: path("e"))

    assert_equal [2, "[1]"], [status.exitstatus, read("a.json")]
    assert_match(/\Asparpack convert: the input and the output are the same file\n/, read("e"))
  end

  def test_no_message_pack_on_a_terminal
    terminal = StringIO.new.tap { |io| def io.tty? = true }
    errors = StringIO.new

    assert_equal 2, Sparpack::CLI.run(%w[convert --from json], input: StringIO.new("1"), output: terminal, errors:)
    assert_match(/\Asparpack convert: MessagePack is not written to a terminal/, errors.string)
  end

  # --- the output --------------------------------------------------------------------------------------------------------

  def test_a_failure_leaves_what_was_there
    write("a.json", "[1, 2, x]")
    write("b.msgpack", "before")

    assert_equal [1, "", "#{path("a.json")}:1:8: expected a value, found \"x\" (byte 7, at $[2])\n"],
                 convert(path("a.json"), path("b.msgpack"))
    assert_equal [%w[a.json b.msgpack], "before"], [Dir.children(@folder).sort, read("b.msgpack")]
    assert_equal 1, convert(path("a.json"), path("new.msgpack"))[0]
    refute_path_exists path("new.msgpack")
    write("b.msgpack", M.pack([Float::NAN]))

    assert_equal [1, "", "#{path("b.msgpack")}: expected a value that JSON can express, found NaN (--nan null or string " \
                         "writes something else) (byte 1, at $[0])\n"], convert(path("b.msgpack"), path("c.json"))
  end

  def test_names_that_are_not_utf8
    name = write("\xFF.json".b, '{"é":x}')

    assert_equal [1, "#{path("?.json")}:1:7: expected a value, found \"x\" (byte 6, at $.é)\n"],
                 convert(name).values_at(0, 2)
  end

  def test_a_file_keeps_its_mode_and_a_link_its_file
    write("a.json", "1")
    write("b.msgpack", "before")
    File.chmod(0o640, path("b.msgpack"))
    File.symlink("b.msgpack", path("link.msgpack"))

    assert_equal 0, convert(path("a.json"), path("link.msgpack"))[0]
    assert_equal ["\x01", 0o640, true],
                 [read("b.msgpack"), File.stat(path("b.msgpack")).mode & 0o777, File.symlink?(path("link.msgpack"))]
    File.umask.then do |mask|
      convert(path("a.json"), path("new.msgpack"))

      assert_equal 0o666 & ~mask, File.stat(path("new.msgpack")).mode & 0o777
    end
  end

  def test_what_is_no_file
    assert_equal [0, "", ""], convert(write("a.json", "1"), File::NULL)
    assert File.chardev?(File::NULL)
  end

  # --- the process -------------------------------------------------------------------------------------------------------

  def test_values_go_on_at_once
    Command.popen3(*COMMAND, "--to", "json") do |input, output, errors, process|
      input.binmode.sync = true
      [1, [2], "x" * 100_000].each do |value|
        input.write(M.pack(value))

        assert_equal value, JSON.parse(output.readline, allow_nan: false)
      end
      input.close

      assert_equal ["", true], [errors.read, process.value.success?]
    end
  end

  # The caller of the tests may ignore signals, as nohup does, and a command would inherit that.
  def test_interrupts
    { INT: 130, TERM: nil }.each do |signal, status|
      handled(signal, "DEFAULT") do
        interrupted(signal) do |_, errors, process|
          assert_equal [status, ""], [process.value.exitstatus, errors.read]
        end
      end
      assert_empty Dir.children(@folder)
    end
  end

  def test_an_interrupt_that_is_ignored
    handled(:INT, "IGNORE") do
      interrupted(:INT) do |input, errors, process|
        input.write("2]")
        input.close

        assert_equal ["", 0], [errors.read, process.value.exitstatus]
      end
    end
    assert_equal 500_001, M.unpack(read("out.msgpack")).size
  end

  def test_a_reader_that_has_seen_enough
    write("a.msgpack", M.pack(Array.new(300_000) { |i| "text #{i}" }))
    Command.popen3(*COMMAND, path("a.msgpack")) do |_, output, errors, process|
      assert_equal "[\"text 0\"", output.read(9)
      output.close

      assert_equal [0, ""], [process.value.exitstatus, errors.read]
    end
  end

  # Converts 60 MB each way: one array, and one text.
  def test_memory_is_bounded
    skip "there is no /proc" unless File.exist?("/proc/self/status")
    row = JSON.generate({ "id" => 123_456, "name" => "x" * 60, "tags" => %w[a b c], "score" => 0.25 })
    File.open(path("a.json"), "wb") do |file|
      file << '{"rows":[' << row
      600.times { file << (",#{row}" * 1000) }
      file << "]}\n"
    end
    bound = peak(write("none.json", "[]"), path("none.msgpack")) + 24_000
    there = peak(path("a.json"), path("a.msgpack"))
    back = peak(path("a.msgpack"), path("b.json"))

    assert_operator File.size(path("a.json")), :>, 60_000_000
    assert_operator [there, back].max, :<, bound, "kB"
    assert FileUtils.identical?(path("a.json"), path("b.json"))
  end

  # --- progress ----------------------------------------------------------------------------------------------------------

  def test_progress_on_a_terminal
    terminal, tty = pseudo_terminal
    tty.winsize = [24, 70]
    read, written = IO.pipe
    shown = +""
    Command.run(*COMMAND, "-", path("a.msgpack"), "--from", "json", in: read, err: tty, out: File::NULL) do
      [read, tty].each(&:close) # so that reading ends when the command does
      written.write("[1#{",1" * 20_000}")
      written.write(",1" * 50) until terminal.wait_readable(0.05)
      shown << terminal.readpartial(1000)
      written.write("]")
      written.close
      shown << terminal.readpartial(1000) until shown.end_with?("\r\e[K")
    end

    assert_match(%r{\A\r\(standard input\) \d+\.\d KB, \d+\.\d KB/s\e\[K}, shown)
    assert_equal %w[a.msgpack], Dir.children(@folder)
  ensure
    terminal&.close
  end

  def test_no_progress_where_nobody_looks
    _, output, errors = convert("--from", "json", input: "1")

    assert_equal ["\x01", ""], [output, errors]
  end

  def test_lines_of_progress
    now = 100.0
    terminal = StringIO.new
    total = 10_000_000_000
    shown = Sparpack::CLI::Terminal.new(terminal)
    progress = Sparpack::CLI::Terminal::Progress.new(shown, "big.json", total, clock: -> { now })
    { 100.2 => 1, 100.4 => 40_000_000, 100.45 => 45_000_000, 110.0 => 4_200_000_000, 120.0 => total }.each do |at, done|
      now = at
      progress.show(done)
    end
    2.times { progress.clear }

    assert_equal ["", "big.json   0% [                    ] 40.0 MB of 10.0 GB, 100.0 MB/s, 1:40 left\e[K",
                  "big.json  42% [========             ] 4.2 GB of 10.0 GB, 420.0 MB/s, 0:14 left\e[K",
                  "big.json 100% [====================] 10.0 GB of 10.0 GB, 500.0 MB/s, 0:00 left\e[K", "\e[K"],
                 terminal.string.split("\r")
    assert_equal "big.json  50% 5.0 GB of 10.0 GB, 1.0 G", progress.line(total / 2, 5, 38)
    progress = Sparpack::CLI::Terminal::Progress.new(nil, "-", nil)

    assert_equal "- 12 bytes, 6 bytes/s", progress.line(12, 2, 80)
  end

  # --- help --------------------------------------------------------------------------------------------------------------

  def test_help
    status, output, = convert("--help")

    assert_equal 0, status
    %w[--from --to --pretty --binary --ext --nan --big-numbers --invalid-utf8 --no-progress].each do |option|
      assert_match(/^ +#{option}\b/, output)
    end
  end

  def test_completion_in_bash
    skip "bash is missing" unless Command.success?("bash", "-c", ":")
    %w[a.json b.msgpack c.thrift].each { |name| write(name, "") }
    script = run_cli("completion", "bash")[1]
    { ["conv"] => %w[convert], %w[convert --b] => %w[--binary --big-numbers], ["convert", ""] => %w[a.json b.msgpack],
      ["format", ""] => %w[c.thrift] }.each do |words, expected|
      line = "#{script}\nCOMP_WORDS=(sparpack #{words.map(&:inspect).join(" ")}); COMP_CWORD=#{words.size}; " \
             "_sparpack; echo ${COMPREPLY[@]}"
      found, = Command.capture2e("bash", stdin_data: line, chdir: @folder)

      assert_equal expected, found.split.grep_v(/\A-/).then { |files| words.last.empty? ? files : found.split }, words
    end
  end

  def test_completion_in_zsh
    line = run_cli("completion", "zsh")[1].lines.grep(/^    convert\) _arguments/)[0]

    assert_includes line, "'--from[format of the input (auto is the default with a schema)]:value:" \
                          "(msgpack json compact binary thrift_json auto)'"
    assert_includes line, "*.(msgpack|mpk|mp|json|jsonl|ndjson)"
  end

  private

  def handled(signal, how)
    before = trap(signal, how)
    yield
  ensure
    trap(signal, before)
  end

  # @yield after the signal was sent, in the middle of the command's work
  def interrupted(signal)
    Command.popen3(*COMMAND, "-", path("out.msgpack"), "--from", "json") do |input, _, errors, process|
      input.write("[#{"1," * 500_000}")
      sleep(0.01) until Dir.children(@folder).any? || !process.alive?
      Process.kill(signal, process.pid)
      yield input, errors, process
    end
  end

  # Returns the peak memory in kB.
  def peak(*arguments, **options)
    program = 'require "sparpack/cli"; Sparpack::CLI.run(["convert", *ARGV]).zero? or abort; ' \
              'print File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]'
    found, errors, status = Command.capture3(*COMMAND[0...-2], "-e", program, *arguments, **options)

    assert_predicate status, :success?, errors
    Integer(found)
  end

  def path(name) = "#{@folder}/#{name}"

  def write(name, bytes) = path(name).tap { |path| File.binwrite(path, bytes) }

  def read(name) = File.binread(path(name))

  def auto(bytes) = convert(*ITEM, "--from", "auto", "--to", "json", input: bytes)

  def convert(*arguments, input: "") = run_cli("convert", *arguments, input:, output: StringIO.new("".b))
end
