# frozen_string_literal: true

# bin/test: not sanitized, for test/lazy/ collects the same columns, and most of this is about words

require "test_helper"
require "io/wait"
require "json"
require "rbconfig"
require "stringio"
require "tmpdir"
require "support/cli"
require "support/command"
require "support/pseudo_terminal"

# Runs `sparpack columns` as users type it.
class CLIColumnsTest < Minitest::Test
  include CLI
  include PseudoTerminal

  COMMAND = [RbConfig.ruby, File.expand_path("../../exe/sparpack", __dir__), "columns"].freeze
  SCHEMA = "#{Dir.mktmpdir}/tabled_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    enum Status { OPEN = 1, SENT = 2 }
    struct Item { 1: string name, 2: double price, 3: list<i32> sizes }
    union Extra { 1: i32 number, 2: string text }
    struct Order { 1: i64 id, 2: string customer, 3: Status status, 4: list<Item> items, 5: map<string, i32> labels,
                   6: binary seal, 7: Item gift, 8: set<string> tags, 9: bool paid, 10: uuid key, 11: Extra extra,
                   12: i32 rank = 5 }
    struct Orders { 1: list<Order> orders }
    struct Blank { 1: string text }
  THRIFT
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  SHOP = Sparpack::IDL.load(SCHEMA)
  WIRES = { "compact" => :compact, "binary" => :binary, "json" => :json, "thrift_json" => :thrift_json,
            "msgpack" => :message_pack }.freeze
  ORDERS = [
    SHOP::Order.new(id: 1, customer: "Ada", status: 1, items: [SHOP::Item.new(name: "Pen", price: 1.5, sizes: [1, 2]),
                                                               SHOP::Item.new(name: "Ink", price: 20.0)]),
    SHOP::Order.new(id: 2, customer: "", status: 7, labels: { "en" => 4 }, seal: "\xFF\x00".b, tags: ["a"], paid: true),
    SHOP::Order.new(id: 3, items: [], gift: SHOP::Item.new(name: "Box"), key: "00112233-4455-6677-8899-aabbccddeeff")
  ].freeze

  def self.stream(wire, frame = nil, orders = ORDERS)
    orders.each_with_object(StringIO.new("".b)) { |order, io| order.encode_to(io, wire, frame:) }.string
  end

  COMPACT = stream(:compact).freeze

  def setup = @folder = File.realpath(Dir.mktmpdir)

  def teardown = FileUtils.rm_rf(@folder)

  # --- formats -----------------------------------------------------------------------------------------------------------

  def test_csv
    assert_equal [0, "id,customer,status,items[].name,paid\r\n" \
                     "1,Ada,1,\"[\"\"Pen\"\",\"\"Ink\"\"]\",\r\n2,\"\",7,,true\r\n3,,,[],\r\n", ""],
                 columns("id", "customer", "status", "items[].name", "paid")
  end

  def test_text_in_csv
    odd = ["a,b", "a\"b", "a\nb", "a\rb", " a", "é\t\\"].map { |name| SHOP::Order.new(customer: name) }

    assert_equal [0, "customer\r\n\"a,b\"\r\n\"a\"\"b\"\r\n\"a\nb\"\r\n\"a\rb\"\r\n a\r\né\t\\\r\n".b, ""],
                 columns("customer", input: self.class.stream(:compact, nil, odd))
    assert_equal "\"labels[\"\"a,b\"\"]\"\r\n", columns('labels["a,b"]', "--from", "compact", input: "")[1]
  end

  def test_tsv
    odd = ["a\tb", "a\nb\\", "a\r,\"", "", nil].map { |name| SHOP::Order.new(id: 1, customer: name) }

    assert_equal [0, "id\tcustomer\n1\ta\\tb\n1\ta\\nb\\\\\n1\ta\\r,\"\n1\t\n1\t\n", ""],
                 columns("id", "customer", "--to", "tsv", input: self.class.stream(:compact, nil, odd))
  end

  def test_json_lines
    status, output, errors = columns("id", "customer", "items[].price", "labels[\"en\"]", "tags", "paid", "--to", "jsonl")
    lines = output.lines
    rows = lines.map { |line| JSON.parse(line).values }

    assert_equal [0, "{\"id\":1,\"customer\":\"Ada\",\"items[].price\":[1.5,20.0],\"labels[\\\"en\\\"]\":null," \
                     "\"tags\":null,\"paid\":null}\n", ""], [status, lines.first, errors]
    assert_equal [[2, "", nil, 4, ["a"], true], [3, nil, [], nil, nil, nil]], rows.drop(1)
  end

  def test_values_of_each_type
    text = { "seal" => "/wA=", "key" => "00112233-4455-6677-8899-aabbccddeeff", "rank" => "5",
             "gift" => "{\"name\":\"Box\"}", "items[0].sizes" => "[1,2]", "labels" => "{\"en\":4}" }
    text.each do |path, expected|
      assert_includes columns(path)[1].lines.map { |line| line.chomp.delete_prefix('"').delete_suffix('"').gsub('""', '"') },
                      expected
      found = columns(path, "--to", "jsonl")[1].lines.map { |line| JSON.parse(line)[path] }

      assert_includes found, expected.match?(/\A[\d{\[]/) && path != "key" ? JSON.parse(expected) : expected
    end
  end

  def test_numbers_that_json_cannot_write
    odd = [Float::NAN, Float::INFINITY, 1e20].map do |price|
      SHOP::Order.new(id: 1, gift: SHOP::Item.new(price:), items: [SHOP::Item.new(price:)])
    end
    input = self.class.stream(:compact, nil, odd)

    assert_equal "1,NaN,\"[\"\"NaN\"\"]\"\r\n1,Infinity,\"[\"\"Infinity\"\"]\"\r\n1,1.0e+20,[1.0e+20]\r\n",
                 columns("id", "gift.price", "items[].price", input:)[1].lines.drop(1).join
    assert_equal "{\"gift.price\":\"NaN\"}\n{\"gift.price\":\"Infinity\"}\n{\"gift.price\":1.0e+20}\n",
                 columns("gift.price", "--to", "jsonl", input:)[1]
  end

  def test_lists_in_lists
    assert_equal "{\"id\":1,\"items[].sizes[]\":[[1,2],null]}\n",
                 columns("id", "items[].sizes[]", "--to", "jsonl")[1].lines.first
    assert_equal "\"[[1,2],null]\",", columns("items[].sizes[]", "items")[1].lines[1][/\A".*?",/]
  end

  def test_enums_and_i64
    assert_equal %w[status OPEN 7], columns("status", "--enums", "names")[1].split
    assert_equal %w[{"status":"OPEN","id":"1"} {"status":7,"id":"2"} {"status":null,"id":"3"}],
                 columns("status", "id", "--enums", "names", "--i64", "text", "--to", "jsonl")[1].split
  end

  # The library cannot write what it does not know.
  def test_what_cannot_be_written
    input = self.class.stream(:compact) + "\xBC\x55\x01\x00\x00".b

    message = "(standard input): extra: expected one field in a union, found an unknown field that was not kept, in row 4\n"

    assert_equal [1, "extra\r\n\r\n\r\n\r\n", message], columns("extra", input:)
  end

  # --- rows --------------------------------------------------------------------------------------------------------------

  def test_rows_are_elements_of_the_list_that_all_paths_share
    assert_equal [0, "items[].name,items[].price,items[].sizes[]\r\nPen,1.5,\"[1,2]\"\r\nInk,20.0,\r\n", ""],
                 columns("items[].name", "items[].price", "items[].sizes[]")
    orders = SHOP::Orders.new(orders: ORDERS).encode * 2

    assert_equal [0, "orders[].id\torders[].items[0].name\n#{"1\tPen\n2\t\n3\t\n" * 2}", ""],
                 run_cli("columns", "--schema", SCHEMA, "--type", "Orders", "orders[].id", "orders[].items[0].name",
                         "--to", "tsv", input: orders)
  end

  # Rows are written in parts.
  def test_many_rows
    items = Array.new(2_345) { |i| SHOP::Item.new(name: "n#{i}") }
    input = SHOP::Order.new(items:).encode

    assert_equal ["items[].name", *items.map(&:name)], columns("items[].name", input:)[1].split("\r\n")
  end

  def test_no_rows
    assert_equal [0, "id\r\n", ""], columns("id", "--from", "compact", input: "")
    assert_equal [0, "", ""], columns("id", "--from", "compact", "--to", "jsonl", input: "")
    assert_equal [0, "items[].name\r\n", ""], columns("items[].name", input: ORDERS[1].encode)
  end

  # --- the input ---------------------------------------------------------------------------------------------------------

  WIRES.each do |name, wire|
    define_method("test_#{name}") do
      [nil, :varint, :framed].each do |frame|
        bytes = CLIColumnsTest.stream(wire, frame)
        [[], ["--from", name], ["--from", name, "--frame", (frame || :none).name]].each do |from|
          assert_equal [0, "id,customer\r\n1,Ada\r\n2,\"\"\r\n3,\r\n", ""], columns("id", "customer", *from, input: bytes)
        end
      end
    end

    # What comes before the fault is written.
    define_method("test_#{name}_that_is_cut_off") do
      bytes = CLIColumnsTest.stream(wire)[0..-3]
      status, output, errors = columns("id", "--from", name, input: bytes)

      assert_equal [1, "id\r\n1\r\n2\r\n"], [status, output]
      assert_match(/\A\(standard input\):(\d:\d+:)? TabledShop::Order\b.*found the end of the input/, errors)
      assert_match(/ \(#{wire}, byte \d+\)$/, errors)
    end
  end

  def test_lines_and_arrays_of_json
    lines = "\n#{ORDERS.map { |order| order.encode(:json) }.join("\r\n\n")}\n"

    assert_equal %w[id 1 2 3], columns("id", "--from", "json", "--frame", "lines", input: lines)[1].split
    assert_equal %w[id 1 2 3], columns("id", input: "[#{ORDERS.map { |order| order.encode(:json) }.join(", ")}]")[1].split
    fault = "(standard input):2:7: TabledShop::Order.id: expected i64, found a string (json, byte 15)\n"

    assert_equal [1, "id\r\n1\r\n", fault], columns("id", input: "{\"id\":1}\n{\"id\":\"x\"}")
  end

  def test_files
    File.binwrite("#{@folder}/a.msgpack", self.class.stream(:message_pack))

    assert_equal [0, "", ""], columns("id", "--in", "#{@folder}/a.msgpack", "-o", "#{@folder}/b.tsv")
    assert_equal "id\n1\n2\n3\n", File.binread("#{@folder}/b.tsv")
    assert_equal [0, "", ""], columns("id", "--in", "#{@folder}/a.msgpack", "--out", "#{@folder}/b.jsonl")
    assert_equal "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n", File.binread("#{@folder}/b.jsonl")
    assert_equal %w[id 1 2 3], columns("id", "--in", "-", "--out", "-")[1].split
    File.binwrite("#{@folder}/a.msgpack", self.class.stream(:message_pack)[0..-3])
    status, _, errors = columns("id", "--in", "#{@folder}/a.msgpack", "--out", "#{@folder}/b.tsv")

    assert_equal [1, "id\n1\n2\n3\n"], [status, File.binread("#{@folder}/b.tsv")]
    assert_operator errors, :start_with?, "#{@folder}/a.msgpack: TabledShop::Order"
    assert_equal %w[a.msgpack b.jsonl b.tsv], Dir.children(@folder).sort
  end

  # A decode of the second order takes more than it may. The columns had a part of it.
  def test_memory_of_a_payload
    order = SHOP::Order.new(id: 2, tags: ["x"], items: [SHOP::Item.new(name: "y")] * 9)
    small = SHOP::Order.new(id: 1, tags: ["x"], items: [SHOP::Item.new(name: "z")])
    codec = Sparpack::Codec.new(SHOP::Order, limits: Sparpack::Limits.new(memory: 1_000))
    batch = Sparpack::CLI::Structs::Batch.new(codec, [[:items, :[], :name], [:id], [:tags, :[]]])
    found = []
    bytes = small.encode + small.encode + order.encode

    assert_raises(Sparpack::DecodeError::LimitExceeded) { codec.each_payload(bytes, nil, batch) { found } }
    assert_equal [[%w[z], %w[z]], [1, 1], [%w[x], %w[x]]], batch.columns
  end

  def test_options_of_codecs
    input = '{"id":1,"strange":2,"customer":5}'

    assert_includes columns("id", "--from", "json", "--unknown", "reject", input:)[2], "expected a known field, found a name"
    assert_includes columns("id", "--from", "json", input:)[2], "TabledShop::Order.customer: expected string, found a number"
    assert_equal [0, "id\r\n1\r\n", ""], columns("id", "--from", "json", "--mismatch", "skip", input:)
    assert_includes columns("id", "--validate", "strict")[2], "TabledShop::Order.status: expected TabledShop::Status"
    assert_includes columns("id", "--from", "compact", "--message-limit", "10")[2],
                    "expected at most 10 bytes, found a longer message"
  end

  def test_other_formats
    assert_match(/\(these bytes read as compact.*: pass --from compact\)\n\z/, columns("id", "--from", "binary")[2])
    assert_match(/cannot tell the format of the input: it is empty/, columns("id", input: "")[2])
  end

  # --- misuse ------------------------------------------------------------------------------------------------------------

  def test_misuse
    file = "#{@folder}/orders.bin"
    File.binwrite(file, COMPACT)
    { [] => "which columns? (pass paths such as id or 'items[].name')",
      %w[idd] => "idd: wrong path at column 1: unknown field \"idd\" for TabledShop::Order (did you mean \"id\"?)",
      %w[id items[].nam] => "items[].nam: wrong path at column 9: unknown field \"nam\" for TabledShop::Item " \
                            "(did you mean \"name\"?)",
      %w[id customer.x] => "customer.x: wrong path at column 10: no step leads into string",
      %w[id items.name] => "items.name: wrong path at column 7: expected [] or the [index] of an element",
      ["id", ""] => ": expected a path, such as id or items[].name",
      %w[id customer id] => "the path id is given twice",
      [file] => "#{file}: wrong path at column",
      %w[id --to jsnl] => 'unknown --to "jsnl" (did you mean "jsonl"?)',
      %w[id --from compcat] => 'unknown --from "compcat" (did you mean "compact"?)',
      %w[id --frame vraint] => 'unknown --frame "vraint" (did you mean "varint"?)',
      %w[id --from compact --frame lines] => "--frame lines is only for json, not for compact",
      %w[id --enums name] => 'unknown --enums "name" (did you mean "names"?)',
      %w[id --i64 txt --to jsonl] => 'unknown --i64 "txt" (did you mean "text"?)',
      %w[id --i64 text] => "--i64 is only for writing jsonl, not csv",
      %w[id --unknown keep] => 'unknown --unknown "keep" (known: "skip", "reject")',
      %w[id --mismatch skp] => 'unknown --mismatch "skp" (did you mean "skip"?)',
      %w[id --validate strct] => 'unknown --validate "strct" (did you mean "strict"?)',
      %w[id --message-limit x] => "--message-limit x: expected a number from 0 on, in decimal digits",
      %w[id --message-limit -1] => "--message-limit -1: expected a number from 0 on",
      %w[id --otu x] => "invalid option: --otu (did you mean --out?)",
      %w[id --inn x] => "invalid option: --inn (did you mean --in?)",
      %w[id --progress] => "invalid option: --progress (did you mean --no-progress?)",
      %w[id --in] => "missing argument: --in (expected FILE)",
      ["id", "--in", "#{@folder}/ordrs.bin"] => "No such file or directory: #{@folder}/ordrs.bin " \
                                                "(did you mean \"#{file}\"?)",
      ["id", "--in", @folder] => "Is a directory",
      ["id", "--in", file, "--out", file] => "the input and the output are the same file: #{file}",
      ["id", "--in", file, "--out", "#{@folder}/x/y"] => "no folder #{@folder}/x" }.each do |arguments, message|
      status, output, errors = columns(*arguments)

      assert_equal [2, ""], [status, output], arguments
      assert_operator errors, :start_with?, "sparpack columns: #{message}"
      assert_equal "Try: sparpack columns --help\n", errors.lines.last
    end
    assert_includes columns(file)[2], "(to read this file, pass --in #{file})\n"
    assert_includes run_cli("columns", "id")[2], "which structs? (pass --schema FILE, and --type NAME)"
    assert_includes run_cli("columns", "id", "--schema", SCHEMA)[2], "which struct? Pass --type: "
    assert_includes run_cli("columns", "id", "--schema", SCHEMA, "--type", "Odrer")[2], "(did you mean \"Order\"?)"
  end

  # --- the process -------------------------------------------------------------------------------------------------------

  # The rows do not wait for more input.
  def test_a_slow_pipe
    Command.popen3(*COMMAND, *TYPED, "id", "--from", "compact", "--to", "tsv") do |input, output, errors, process|
      input.binmode.sync = true
      ORDERS.each_with_index do |order, index|
        input.write(order.encode)

        assert output.wait_readable(20)
        assert_equal "id\n", output.gets if index.zero?
        assert_equal "#{order.id}\n", output.gets
      end
      input.close

      assert_equal ["", 0], [errors.read, process.value.exitstatus]
    end
  end

  def test_a_named_pipe
    File.mkfifo("#{@folder}/pipe")
    writer = Thread.new { File.binwrite("#{@folder}/pipe", COMPACT) }

    assert_equal %w[id 1 2 3], columns("id", "--in", "#{@folder}/pipe", "--from", "compact")[1].split
    writer.join
  end

  def test_a_reader_that_has_seen_enough
    File.binwrite("#{@folder}/a.bin", COMPACT * 20_000)
    Command.popen3(*COMMAND, *TYPED, "id", "customer", "--in", "#{@folder}/a.bin") do |_, output, errors, process|
      assert_equal "id,customer\r\n", output.gets
      output.close

      assert_equal ["", 0], [errors.read, process.value.exitstatus]
    end
  end

  # Reads 4 MB, which come through a pipe.
  def test_memory_is_bounded
    skip "there is no /proc" unless File.exist?("/proc/self/status")
    program = 'require "sparpack/cli"; Sparpack::CLI.run(["columns", *ARGV]).zero? or abort; ' \
              'print File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]'
    some, many = [4_000, 30_000].map do |count|
      found, errors, status = Command.capture3(*COMMAND[0...-2], "-e", program, "id", "items[].name", *TYPED, "--out",
                                               "#{@folder}/#{count}.csv", stdin_data: COMPACT * count)

      assert_predicate status, :success?, errors
      Integer(found)
    end

    assert_equal 90_001, File.foreach("#{@folder}/30000.csv").count
    assert_operator many, :<, some + 8_000, "kB"
  end

  def test_progress_on_a_terminal
    terminal, tty = pseudo_terminal
    read, written = IO.pipe
    shown = +""
    Command.run(*COMMAND, *TYPED, "id", "--from", "compact", in: read, err: tty, out: File::NULL) do
      [read, tty].each(&:close)
      written.write(COMPACT * 20) until terminal.wait_readable(0.02)
      shown << terminal.readpartial(1000)
      written.close
      shown << terminal.readpartial(1000) until shown.end_with?("\r\e[K")
    end

    assert_match(%r{\A\r\(standard input\) \d+(\.\d)? [KM]?B(ytes)?, .*/s\e\[K}i, shown)
  ensure
    terminal&.close
  end

  # A terminal would obey such text.
  def test_a_terminal
    order = SHOP::Order.new(customer: "a\e[2J\u009b\u202e\n,b")
    { "csv" => "\"a\\e[2J\\u009B\\u202E\\n,b\"\r\n", "tsv" => "a\\e[2J\\u009B\\u202E\\n,b\n",
      "jsonl" => "{\"customer\":\"a\\u001b[2J\\u009b\\u202e\\n,b\"}\n" }.each do |format, expected|
      output = StringIO.new.tap { |io| def io.tty? = true }
      columns("customer", "--to", format, input: order.encode, output:)

      assert_equal expected, output.string.lines.last.b, format
    end
  end

  # --- help --------------------------------------------------------------------------------------------------------------

  def test_help
    output = run_cli("columns", "--help")[1]

    %w[--in --out --from --to --schema --type --include --frame --unknown --mismatch --validate --enums --i64
       --message-limit --no-progress].each { |option| assert_match(/^ +(-\w, )?#{option}\b/, output) }
  end

  def test_completion
    script = run_cli("completion", "bash")[1]
    File.write("#{@folder}/some.bin", "")
    { %w[columns --mes] => %w[--message-limit], %w[columns so] => %w[some.bin], %w[col] => %w[columns] }
      .each do |words, expected|
      line = "#{script}\nCOMP_WORDS=(sparpack #{words.join(" ")}); COMP_CWORD=#{words.size}; _sparpack; echo ${COMPREPLY[@]}"

      assert_equal expected, Command.capture2e("bash", stdin_data: line, chdir: @folder)[0].split, words
    end
    assert_includes run_cli("completion", "zsh")[1].lines.grep(/^    columns\) _arguments/)[0],
                    "'--to[format of the output (default csv)]:value:(csv tsv jsonl)'"
  end

  private

  def columns(*arguments, input: COMPACT, output: StringIO.new("".b))
    run_cli("columns", *TYPED, *arguments, input:, output:)
  end
end
