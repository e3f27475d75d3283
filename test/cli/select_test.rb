# frozen_string_literal: true

# bin/test: not sanitized, for test/lazy/ reads the same columns, and most of this is about words

require "test_helper"
require "io/wait"
require "rbconfig"
require "sparpack/message_pack"
require "stringio"
require "tmpdir"
require "support/cli"
require "support/command"

# Runs `sparpack select` as users type it.
class CLISelectTest < Minitest::Test
  include CLI

  COMMAND = [RbConfig.ruby, File.expand_path("../../exe/sparpack", __dir__), "select"].freeze
  SCHEMA = "#{Dir.mktmpdir}/picky_shop.thrift".freeze
  Minitest.after_run { FileUtils.rm_rf(File.dirname(SCHEMA)) }
  File.write(SCHEMA, <<~THRIFT)
    enum Status { OPEN = 1, SENT = 2 }
    struct Item { 1: string name, 2: double price, 3: list<i32> sizes }
    union Extra { 1: i32 number, 2: string text }
    struct Order { 1: i64 id, 2: string customer, 3: Status status, 4: list<Item> items, 5: map<string, i32> labels,
                   6: binary seal, 7: Item gift, 8: set<string> tags, 9: bool paid, 10: uuid key, 11: Extra extra,
                   12: i32 rank = 5, 13: i8 small }
    struct Orders { 1: list<Order> orders }
    struct Blank {}
    struct Old { 1: i64 id }
    enum mood { GOOD = 1 } (sparpack.ruby = "Humour::Mood")
    struct Moody { 1: i64 id, 2: mood mood }
    struct Far { 1: i64 id, 30000: i64 b }
  THRIFT
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  SHOP = Sparpack::IDL.load(SCHEMA)
  WIRES = { "compact" => :compact, "binary" => :binary, "json" => :json, "thrift_json" => :thrift_json,
            "msgpack" => :message_pack }.freeze
  ORDERS = [
    SHOP::Order.new(id: 1, customer: "Ada", status: 1, small: -3,
                    items: [SHOP::Item.new(name: "Pen", price: 1.5, sizes: [1, 2]),
                            SHOP::Item.new(name: "Ink", price: 20.0)]),
    SHOP::Order.new(id: 2, customer: "", status: 7, labels: { "en" => 4, "a == b" => 3 }, seal: "\xFF\x00".b, tags: ["a"],
                    paid: true, rank: 9),
    SHOP::Order.new(id: 3, items: [], gift: SHOP::Item.new(name: "Box"), key: "00112233-4455-6677-8899-aabbccddeeff",
                    paid: false, extra: SHOP::Extra.new(number: 7), customer: "Bob \u00E9")
  ].freeze

  def self.stream(wire, frame = nil, orders = ORDERS)
    orders.each_with_object(StringIO.new("".b)) { |order, io| order.encode_to(io, wire, frame:) }.string
  end

  COMPACT = stream(:compact).freeze

  def setup = @folder = File.realpath(Dir.mktmpdir)

  def teardown = FileUtils.rm_rf(@folder)

  # --- numbers -----------------------------------------------------------------------------------------------------------

  def test_numbers_that_mean_all
    most = "4611686018427387903"

    assert_equal [0, "3\n", ""],
                 sparpack("select", *TYPED, "--from", "compact", "--count", "--limit", most, "--message-limit", most,
                          input: COMPACT)
    assert_equal [0, "3\n", ""],
                 sparpack("select", *TYPED, "--from", "compact", "--count", "--limit", "010", input: COMPACT)
  end

  # --- conditions --------------------------------------------------------------------------------------------------------

  {
    "id == 2" => [2], "id != 2" => [1, 3], "id < 2" => [1], "id <= 2" => [1, 2], "id > 2" => [3], "id >= 2" => [2, 3],
    " id==+2 " => [2], "1 == 2" => [2], "rank == 5" => [1, 3], "small == -3" => [1], "small != -3" => [2, 3],
    "small < 100" => [1], "status == OPEN" => [1], "status == Status.OPEN" => [1], "status == \"OPEN\"" => [1],
    "status == 7" => [2], "status > OPEN" => [2], "status is nil" => [3], "status is  not  nil" => [1, 2],
    "status == nil" => [3], "status != nil" => [1, 2], "paid == true" => [2], "paid == false" => [3],
    "paid != true" => [1, 3],
    "customer == \"Ada\"" => [1], "customer == 'Ada'" => [1], "customer == \"\"" => [2], "customer < \"B\"" => [1, 2],
    "customer contains \"b \u00E9\"" => [3], "customer contains 'd'" => [1], "customer starts_with \"A\"" => [1],
    "customer ends_with \"\\u00e9\"" => [3], "customer == \"A\\x64a\"" => [1], "gift.name == \"Box\"" => [3],
    "gift is nil" => [1, 2], "gift is not nil" => [3], "gift.price is nil" => [1, 2, 3], "seal == \"\\xFF\\x00\"" => [2],
    "seal contains \"\\xff\"" => [2], "seal != \"x\"" => [1, 2, 3],
    "key == \"00112233-4455-6677-8899-AABBCCDDEEFF\"" => [3], "key == '00112233445566778899aabbccddeeff'" => [3],
    "key starts_with '0011'" => [3], "extra.number == 7" => [3], "extra is not nil" => [3], "extra.text is nil" => [1, 2, 3],
    "items[].price > 10" => [1], "items[].price > 1e2" => [], "items[].price != 20" => [1], "items[0].price < 2" => [1],
    "items[-1].name == 'Ink'" => [1], "items[].sizes[] == 2" => [1], "items[].sizes[] is nil" => [],
    "items[].sizes is nil" => [1], "items is nil" => [2], "items is not nil" => [1, 3], "items[].name is not nil" => [1],
    "labels[\"en\"] == 4" => [2], "labels[\"a == b\"]==3" => [2], "labels[] == 3" => [2],
    "tags[] == \"a\"" => [2], "tags is nil" => [1, 3], "tags[] is nil" => []
  }.each_with_index do |(condition, expected), index|
    define_method("test_condition_#{index}_#{condition.gsub(/\W+/, "_")}") do
      WIRES.each_value do |wire|
        assert_equal expected, ids(CLISelectTest.stream(wire), wire, condition), "#{condition} in #{wire}"
      end
    end
  end

  def test_several_conditions
    assert_equal [1], ids(COMPACT, :compact, "rank == 5", "items[].price > 10", "id < 5")
    assert_empty ids(COMPACT, :compact, "id == 1", "id == 2")
    assert_equal [1], ids(COMPACT, :compact, "items[].name == 'Pen'", "items[].name == 'Ink'")
  end

  # An enum may have another name in Ruby than in the IDL.
  def test_names_of_enums
    typed = ["--schema", SCHEMA, "--type", "Moody", "--from", "compact", "--where"]
    bytes = SHOP::Moody.new(id: 1, mood: 1).encode
    %w[OPEN Status.OPEN Status::OPEN PickyShop::Status::OPEN PickyShop.Status.OPEN].each do |value|
      assert_equal [1], ids(COMPACT, :compact, "status == #{value}"), value
    end
    %w[GOOD mood.GOOD Humour::Mood::GOOD Mood.GOOD PickyShop::Humour::Mood.GOOD].each do |value|
      assert_equal [0, bytes, ""], sparpack("select", *typed, "mood == #{value}", input: bytes), value
    end
    assert_includes sparpack("select", *typed, "mood == Moody.GOOD", input: bytes)[2], "found Moody.GOOD (did you mean "
  end

  def test_wrong_names_of_enums
    expected = "column 11: expected the name or the number of a value for the type PickyShop::Status, found"
    { "Nope.OPEN" => "did you mean OPEN?", "Nope::Status.OPEN" => "did you mean OPEN?", "tatus.OPEN" => "did you mean OPEN?",
      "Status..OPEN" => "did you mean OPEN?", "Status." => "known: OPEN, SENT",
      "Status.OPNE" => "did you mean OPEN? known: OPEN, SENT", "Nope.PAID" => "known: OPEN, SENT",
      "\"Status.OPEN\"" => "known: OPEN, SENT" }.each do |value, hint|
      status, output, errors = select("--where", "status == #{value}")

      assert_equal [2, ""], [status, output]
      assert_includes errors, "#{expected} #{value} (#{hint})\n"
    end
  end

  # Columns of one list would have its elements as rows.
  def test_structs_with_nothing_but_a_list
    bytes = [[1, 2], [3], []].map { |ids| SHOP::Orders.new(orders: ids.map { |id| SHOP::Order.new(id:) }).encode }
    typed = ["--schema", SCHEMA, "--type", "Orders", "--from", "compact"]

    assert_equal [0, bytes[0], ""], sparpack("select", *typed, "--where", "orders[].id == 2", input: bytes.join)
    assert_equal [0, bytes[1], ""],
                 sparpack("select", *typed, "--where", "orders[].id >= 2", "--where", "orders[].id == 3", input: bytes.join)
    assert_equal [0, bytes[1], ""], sparpack("select", *typed, "--where", "orders[0].id == 3", input: bytes.join)
  end

  def test_structs_without_fields
    typed = ["--schema", SCHEMA, "--type", "Blank", "--from", "compact"]

    assert_equal [0, "3\n", ""], sparpack("select", *typed, "--count", input: "\0\0\0")
    assert_equal [0, "\0\0", ""], sparpack("select", *typed, "--limit", "2", input: "\0\0\0")
  end

  Loose = Struct.new(:any)
  LooseBox = Class.new(Sparpack::Struct) do
    field 1, :id, :i64
    field 2, :thing, Sparpack::Mapping.new(Loose, { 0 => :any })
  end

  def test_members_without_a_type
    input = [1, "a", 2.5, true, nil, [1]].map.with_index { |any, id| Sparpack::MessagePack.pack([nil, id, [any]]) }
    form = Sparpack::CLI::Structs::Selection::Form.new(:message_pack, nil)
    { "== 1" => [0], "> 1" => [2], "== 'a'" => [1], "contains 'a'" => [1], "== true" => [3], "is nil" => [4],
      "!= 1" => [1, 2, 3, 4, 5] }.each do |condition, expected|
      conditions = [Sparpack::CLI::Structs::Condition.new("thing.any #{condition}", LooseBox)]
      selection = Sparpack::CLI::Structs::Selection.new(LooseBox, conditions, from: form, to: form)
      selection.run(Sparpack::CLI::Structs::Reading.new(StringIO.new(input.join)), target = StringIO.new("".b))

      assert_equal input.values_at(*expected).join, target.string, condition
    end
  end

  def test_wrong_conditions
    operators = "an operator: ==, !=, <, <=, >, >=, contains, starts_with, ends_with, is nil or is not nil"
    {
      "" => "column 1: expected a path, found the end", "== 2" => "column 1: expected a path, found \"== 2\"",
      "statsu == 1" => "wrong path at column 1: unknown field \"statsu\" for PickyShop::Order (did you mean \"status\"?)",
      " gift.nam is nil" => "wrong path at column 7: unknown field \"nam\" for PickyShop::Item (did you mean \"name\"?)",
      "items.name is nil" => "wrong path at column 7: expected [] or the [index] of an element",
      "id" => "column 3: expected #{operators}, found the end",
      "id = 2" => "column 4: expected #{operators}, found \"=\" (did you mean ==?)",
      "id=2" => "column 3: expected #{operators}, found \"=\" (did you mean ==?)",
      "customer =~ 'x'" => "column 10: expected #{operators}, found \"=~\" (did you mean contains?)",
      "customer contians 'x'" => "column 10: expected #{operators}, found \"contians\" (did you mean contains?)",
      "id si nil" => "column 4: expected #{operators}, found \"si\"",
      "id is null" => "column 7: expected nil or not nil, found \"null\" (did you mean nil?)",
      "id is not 3" => "column 11: expected nil, found \"3\"",
      "id ==" => "column 6: expected a value, found the end",
      "id == 2 and paid == true" => "column 9: expected the end, found \"and paid == true\" (pass --where once for each " \
                                    "condition)",
      "id == 2 || id == 3" => "column 9: expected the end, found \"|| id == 3\" (there is no or: select twice)",
      "id == 2 3" => "column 9: expected the end, found \"3\"",
      "id == \"2\"" => "column 7: expected a whole number for the type i64, found \"2\"",
      "id == 2.5" => "column 7: expected a whole number for the type i64, found 2.5",
      "id == two" => "column 7: expected a whole number for the type i64, found two",
      "id > nil" => "column 6: expected a value, found nil",
      "small == 200" => "column 10: expected a number from -128 to 127 for the type i8, found 200",
      "gift.price == -1e999" => "column 15: expected a number up to 1.8e308 for the type double, found -1e999",
      "gift.price == 'x'" => "column 15: expected a number for the type double, found 'x'",
      "paid == 1" => "column 9: expected true or false for the type bool, found 1 (did you mean true?)",
      "paid == ture" => "column 9: expected true or false for the type bool, found ture (did you mean true?)",
      "paid > false" => "column 6: expected ==, != for the type bool, found \">\"",
      "id contains 3" => "column 4: expected ==, !=, <, <=, >, >= for the type i64, found \"contains\"",
      "customer == Ada" => "column 13: expected a string in quotes for the type string, found Ada (did you mean \"Ada\"?)",
      "customer == \"Ada" => "column 13: expected a value, found \"\\\"Ada\" (its closing quote is missing)",
      "customer == \"\\q\"" => "column 13: expected a string (an escape such as \\n, \\u00e9 or \\xff, not \\q)",
      "customer == \"\\xff\"" => "column 13: expected text in UTF-8 for the type string, found \"\\xff\"",
      "status == OPNE" => "column 11: expected the name or the number of a value for the type PickyShop::Status, " \
                          "found OPNE (did you mean OPEN? known: OPEN, SENT)",
      "status == 99999999999" => "column 11: expected a number from -2147483648 to 2147483647",
      "key == 'x'" => "column 8: expected a uuid in quotes for the type uuid, found 'x'",
      "items == 3" => "column 7: expected is nil or is not nil for the type list<PickyShop::Item>: items[] means " \
                      "any of its elements, found \"==\"",
      "labels < 3" => "column 8: expected is nil or is not nil for the type map<string, i32>: labels[] means any of its " \
                      "values, found \"<\"",
      "gift == 3" => "column 6: expected is nil or is not nil for the type PickyShop::Item: name one of its fields"
    }.each do |condition, message|
      status, output, errors = select("--where", condition)

      assert_equal [2, ""], [status, output], condition
      assert_includes errors, "sparpack select: --where #{condition}: #{message}".rstrip, condition
    end
    assert_includes select("--where", "customer == '#{"x" * 500}")[2], "…: column 13: expected a value"
    assert_includes select("--where", "customer\n== 1")[2], "--where customer\\n== 1: column 13"
    assert_equal 2, select("--where", "customer == '\xFF'")[0]
  end

  # --- what is written ---------------------------------------------------------------------------------------------------

  WIRES.each do |name, wire|
    define_method("test_#{name}") do
      [nil, :varint, :framed].each do |frame|
        bytes = CLISelectTest.stream(wire, frame)
        expected = CLISelectTest.stream(wire, frame || (:lines if wire == :json), ORDERS.values_at(0, 2))
        [[], ["--from", name, "--frame", (frame || :none).name]].each do |from|
          assert_equal [0, expected, ""], select("--where", "rank == 5", *from, input: bytes)
          assert_equal [0, "2\n", ""], select("--where", "rank == 5", "--count", *from, input: bytes)
        end
      end
    end

    define_method("test_from_#{name}_to_others") do
      WIRES.each do |to, other|
        usual = :lines if other == :json
        [[[], usual], [%w[--to-frame varint], :varint], [%w[--to-frame none], nil]].each do |options, frame|
          assert_equal [0, CLISelectTest.stream(other, frame, [ORDERS[1]]), ""],
                       select("--where", "id == 2", "--from", name, "--to", to, *options, input: CLISelectTest.stream(wire))
        end
      end
    end

    # What comes before the fault is written, and enough is enough.
    define_method("test_#{name}_that_is_cut_off") do
      bytes = CLISelectTest.stream(wire)[0..-3]
      usual = :lines if wire == :json
      status, output, errors = select("--where", "id > 1", "--from", name, input: bytes)

      assert_equal [1, CLISelectTest.stream(wire, usual, [ORDERS[1]])], [status, output]
      assert_match(/\A\(standard input\):(\d:\d+:)? PickyShop::Order\b.*found the end of the input.* \(#{wire}, byte \d+\)$/,
                   errors)
      assert_equal [1, "", errors], select("--where", "id > 1", "--from", name, "--count", input: bytes)
      assert_equal [0, output, ""], select("--where", "id > 1", "--from", name, "--limit", "1", input: bytes)
    end
  end

  # Fields that the schema does not have, varints that are too long, and defaults are no matter.
  def test_structs_are_copied
    odd = "\x16\x84\x80\x00\x18\x01x\xC5\x01\x00".b # with a field 14
    typed = ["--schema", SCHEMA, "--type", "Old", "--from", "compact", "--where", "id == 2"]

    assert_equal [0, odd * 2, ""], sparpack("select", *typed, input: odd * 2)
    assert_equal [1, "\x16\x04\0".b], sparpack("select", *typed, "--unknown", "reject", input: "\x16\x04\0".b + odd).first(2)
    assert_equal [0, "\x16\x04\x00".b, ""], sparpack("select", *typed, "--unknown", "skip", input: odd)
    assert_equal [0, "{\"id\":2}\n", ""], sparpack("select", *typed, "--to", "json", input: odd)
  end

  # No array has room for ids that are so far apart, but nothing is encoded.
  def test_structs_with_far_ids_are_copied
    bytes = [1, 2].map { |id| SHOP::Far.new(id:, b: 3).encode(:message_pack, keys: :ids) }
    typed = ["--schema", SCHEMA, "--type", "Far", "--from", "msgpack"]
    framed = bytes.map { |each| [each.bytesize].pack("N") + each }

    assert_equal [0, bytes[1], ""], sparpack("select", *typed, "--where", "id == 2", input: bytes.join)
    assert_equal [0, framed[1], ""], sparpack("select", *typed, "--where", "id == 2", input: framed.join)
  end

  def test_json_is_copied_line_by_line
    text = "{ \"id\": 1,\r\n \"customer\": \"x\"}\n\n { \"id\" : 2 }  {\"id\":3}"
    expected = "{\"id\":1,\"customer\":\"x\",\"rank\":5}\n{ \"id\" : 2 }\n{\"id\":3}\n"

    assert_equal [0, expected, ""], select("--from", "json", "--limit", "5", input: text)
    assert_equal [0, "#{expected.lines[1]}#{expected.lines[2]}", ""],
                 select("--from", "json", "--where", "id > 1", input: "[#{text.sub("\n\n", ",").sub("  ", ",")}]")
    lines = "{\"id\":1}\n\n { \"id\" : 2 } \r\n"

    assert_equal [0, "{ \"id\" : 2 }\n", ""],
                 select("--from", "json", "--frame", "lines", "--where", "id == 2", input: lines)
  end

  def test_options_of_codecs
    _, output, = select("--where", "id == 1", "--to", "json", "--enums", "names", "--i64", "text")

    assert_operator output, :start_with?, "{\"id\":\"1\",\"customer\":\"Ada\",\"status\":\"OPEN\""
    input = self.class.stream(:message_pack)

    assert_equal [0, ORDERS[0].encode(:message_pack, keys: :names), ""],
                 select("--where", "id == 1", "--from", "msgpack", "--keys", "names", input:)
    assert_includes select("--where", "id == 1", "--validate", "strict")[2], "PickyShop::Order.status: expected PickyShop::Status"
    assert_includes select("--count", "--from", "compact", "--message-limit", "10")[2], "expected at most 10 bytes"
    wrong = '{"id":1,"customer":5}'

    assert_includes select("--where", "id == 1", "--from", "json", input: wrong)[2], "customer: expected string"
    assert_equal [0, "{\"id\":1,\"rank\":5}\n", ""],
                 select("--where", "id == 1", "--from", "json", "--mismatch", "skip", input: wrong)
  end

  # An unknown variant of a union can be copied, but not written anew.
  def test_what_cannot_be_written
    union = "\xBC\x55\x01\x00\x00".b

    assert_equal [0, union, ""], select("--from", "compact", "--where", "extra is not nil", input: COMPACT[0, 0] + union)
    status, output, errors = select("--from", "compact", "--to", "json", "--where", "id is nil", input: COMPACT + union)

    assert_equal [1, ""], [status, output]
    assert_includes errors, "(standard input): PickyShop::Order.extra: expected one field in a union"
  end

  # The second struct has one byte too many, and those that follow are not reached.
  def test_the_longest_struct
    WIRES.each do |name, wire|
      orders = [1, 2, 3].map { |id| SHOP::Order.new(id:, customer: id == 2 ? "xy" : "x") }
      limit = orders[0].encode(wire).bytesize
      usual = :lines if wire == :json
      [nil, :varint].each do |frame|
        options = ["--from", name, "--frame", (frame || :none).name, "--message-limit", limit.to_s]
        status, output, errors = select("--where", "id > 0", *options, input: self.class.stream(wire, frame, orders))

        assert_equal [1, self.class.stream(wire, frame || usual, orders.first(1))], [status, output], [wire, frame]
        assert_includes errors, "expected at most #{limit} bytes, found a longer message"
      end
    end
  end

  def test_compressed_structs
    codec = Sparpack::Codec.new(SHOP::Order, :message_pack, compression: :lz4)
    bytes = [1, 2].map { |id| codec.encode(SHOP::Order.new(id:, customer: "x" * 500)) }

    assert_equal [0, bytes[1], ""], select("--where", "id == 2", input: bytes.join)
  end

  def test_limit
    [[0, 0], [1, 1], [2, 2], [7, 3]].each do |limit, count|
      assert_equal [0, self.class.stream(:compact, nil, ORDERS.first(count)), ""],
                   select("--from", "compact", "--limit", limit.to_s)
      assert_equal [0, "#{count}\n", ""], select("--from", "compact", "--limit", limit.to_s, "--count")
    end
    assert_equal [0, "40000\n", ""], select("--from", "compact", "--limit", "40000", "--count", "--where", "rank == 5",
                                            input: COMPACT * 25_000)
  end

  # What follows is not read.
  def test_limit_ends_reading
    input = StringIO.new(COMPACT * 50_000)
    output = StringIO.new("".b)
    Sparpack::CLI.run(["select", *TYPED, "--where", "id == 2", "--limit", "3"], input:, output:, errors: StringIO.new)

    assert_equal self.class.stream(:compact, nil, [ORDERS[1]] * 3), output.string
    assert_operator input.pos, :<=, 1 << 17
  end

  def test_files
    File.binwrite("#{@folder}/a.bin", COMPACT)
    from = ["--where", "id == 2", "#{@folder}/a.bin"]

    assert_equal [0, "", ""], select(*from, "#{@folder}/b.bin")
    assert_equal ORDERS[1].encode, File.binread("#{@folder}/b.bin")
    assert_equal [0, "", ""], select(*from, "#{@folder}/b.json")
    assert_equal "#{ORDERS[1].encode(:json)}\n", File.binread("#{@folder}/b.json")
    assert_equal [0, "", ""], select(*from, "#{@folder}/b.json", "--to", "binary")
    assert_equal ORDERS[1].encode(:binary), File.binread("#{@folder}/b.json")
    assert_equal [0, "", ""], select("--where", "id > 5", "#{@folder}/a.bin", "#{@folder}/none.bin")
    assert_equal "", File.binread("#{@folder}/none.bin")
    File.binwrite("#{@folder}/a.bin", COMPACT[0..-3])

    assert_equal 1, select("--where", "id == 1", "#{@folder}/a.bin", "#{@folder}/b.bin")[0]
    assert_equal ORDERS[1].encode, File.binread("#{@folder}/b.bin")
    assert_equal %w[a.bin b.bin b.json none.bin], Dir.children(@folder).sort
  end

  # --- misuse ------------------------------------------------------------------------------------------------------------

  def test_misuse
    file = "#{@folder}/orders.bin"
    File.binwrite(file, COMPACT)
    where = ["--where", "id == 1"]
    { [] => "which structs? (pass --where CONDITION, --limit N or --count)",
      %w[a b c --count] => "expected at most an input and an output, got 3 names",
      ["#{@folder}/ordrs.bin", *where] => "No such file or directory: #{@folder}/ordrs.bin (did you mean \"#{file}\"?)",
      [file, file, *where] => "the input and the output are the same file: #{file}",
      [file, "#{@folder}/x/y", *where] => "no folder #{@folder}/x",
      [file, "#{@folder}/b.bin", "--count"] => "--count prints a number: it has no OUTPUT",
      %w[--count --to json] => "--to is not for --count, which prints a number",
      %w[--count --to-frame varint] => "--to-frame is not for --count, which prints a number",
      %w[--count --enums names] => "--enums is not for --count, which prints a number",
      %w[--limit -1] => "--limit -1: expected a number from 0 on",
      %w[--limit x] => "--limit x: expected a number from 0 on, in decimal digits",
      %w[--where] => "missing argument: --where (expected CONDITION)",
      %w[--wehre x] => "invalid option: --wehre (did you mean --where?)",
      %w[--cuont] => "invalid option: --cuont (did you mean --count?)",
      %w[--limti 3] => "invalid option: --limti (did you mean --limit?)",
      [*where, "--from", "compcat"] => 'unknown --from "compcat" (did you mean "compact"?)',
      [*where, "--to", "jsn"] => 'unknown --to "jsn" (did you mean "json"?)',
      [*where, "--frame", "vraint"] => 'unknown --frame "vraint" (did you mean "varint"?)',
      [*where, "--to-frame", "line"] => 'unknown --to-frame "line" (did you mean "lines"?)',
      [*where, "--from", "compact", "--frame", "lines"] => "--frame lines is only for json, not for compact",
      [*where, "--to-frame", "lines"] => "--to-frame lines is only for json, not for compact",
      [*where, "--unknown", "kep"] => 'unknown --unknown "kep" (did you mean "keep"?)',
      [*where, "--mismatch", "rais"] => 'unknown --mismatch "rais" (did you mean "raise"?)',
      [*where, "--validate", "nrmal"] => 'unknown --validate "nrmal" (did you mean "normal"?)',
      [*where, "--keys", "nmes"] => 'unknown --keys "nmes" (did you mean "names"?)',
      [*where, "--keys", "ids"] => "--keys is only for writing msgpack, not compact",
      [*where, "--enums", "names"] => "--enums is only for writing json or msgpack, not compact",
      [*where, "--to", "msgpack", "--i64", "text"] => "--i64 is only for writing json, not msgpack",
      [*where, "--message-limit", "-1"] => "--message-limit -1: expected a number from 0 on" }.each do |arguments, message|
      status, output, errors = select(*arguments)

      assert_equal [2, ""], [status, output], arguments
      assert_operator errors, :start_with?, "sparpack select: #{message}"
      assert_equal "Try: sparpack select --help\n", errors.lines.last
    end
    assert_includes sparpack("select", "--count")[2], "which structs? (pass --schema FILE, and --type NAME)"
    assert_includes sparpack("select", "--count", "--schema", SCHEMA)[2], "which struct? Pass --type: "
  end

  def test_other_formats
    assert_match(/\(these bytes read as compact.*: pass --from compact\)\n\z/, select("--count", "--from", "binary")[2])
    assert_includes select("--count", input: "")[2], "cannot tell the format of the input: it is empty"
    assert_equal [0, "0\n", ""], select("--count", "--from", "compact", input: "")
  end

  def test_no_bytes_on_a_terminal
    [["--limit", "1"], ["--limit", "1", "--to", "msgpack"]].each do |arguments|
      output = StringIO.new.tap { |io| def io.tty? = true }
      status, _, errors = sparpack("select", *TYPED, *arguments, input: COMPACT, output:)

      assert_equal 2, status
      assert_match(/(compact|MessagePack) is not written to a terminal: name an OUTPUT, or redirect it with > or |/, errors)
    end
    output = StringIO.new.tap { |io| def io.tty? = true }

    assert_equal [0, "#{ORDERS[0].encode(:json)}\n", ""],
                 sparpack("select", *TYPED, "--limit", "1", "--to", "json", input: COMPACT, output:)
  end

  # --- the process -------------------------------------------------------------------------------------------------------

  # What matches does not wait for more input.
  def test_a_slow_pipe
    Command.popen3(*COMMAND, *TYPED, "--where", "id != 2", "--from", "compact", "--to", "json", "--limit", "2") do
      |input, output, errors, process|
      input.binmode.sync = true
      ORDERS.each do |order|
        input.write(order.encode)
        next if order.id == 2

        assert output.wait_readable(20)
        assert_equal "#{order.encode(:json)}\n", output.gets
      end

      assert_equal ["", 0], [errors.read, process.value.exitstatus]
    end
  end

  def test_a_named_pipe
    File.mkfifo("#{@folder}/pipe")
    writer = Thread.new { File.binwrite("#{@folder}/pipe", COMPACT) }

    assert_equal [0, ORDERS[1].encode, ""], select("--where", "id == 2", "--from", "compact", "#{@folder}/pipe")
    writer.join
  end

  def test_a_reader_that_has_seen_enough
    File.binwrite("#{@folder}/a.bin", COMPACT * 20_000)
    arguments = [*TYPED, "#{@folder}/a.bin", "--where", "id == 1", "--to", "json"]
    Command.popen3(*COMMAND, *arguments) do |_, output, errors, process|
      assert_equal "#{ORDERS[0].encode(:json)}\n", output.gets
      output.close

      assert_equal ["", 0], [errors.read, process.value.exitstatus]
    end
  end

  # Reads 4 MB, which come through a pipe.
  def test_memory_is_bounded
    skip "there is no /proc" unless File.exist?("/proc/self/status")
    program = 'require "sparpack/cli"; Sparpack::CLI.run(["select", *ARGV]).zero? or abort; ' \
              'print File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1]'
    some, many = [4_000, 30_000].map do |count|
      found, errors, status = Command.capture3(*COMMAND[0...-2], "-e", program, "-", "#{@folder}/#{count}.bin", *TYPED,
                                               "--where", "items[].price > 10", stdin_data: COMPACT * count)

      assert_predicate status, :success?, errors
      Integer(found)
    end

    assert_equal 30_000 * ORDERS[0].encode.bytesize, File.size("#{@folder}/30000.bin")
    assert_operator many, :<, some + 8_000, "kB"
  end

  # --- help --------------------------------------------------------------------------------------------------------------

  def test_help
    output = sparpack("select", "--help")[1]

    %w[--where --count --limit --from --to --schema --type --include --frame --to-frame --unknown --mismatch --validate
       --keys --enums --i64 --message-limit --no-progress].each { |option| assert_match(/^ +(-\w, )?#{option}\b/, output) }
  end

  def test_completion
    script = sparpack("completion", "bash")[1]
    File.write("#{@folder}/some.bin", "")
    { %w[select --wh] => %w[--where], %w[select so] => %w[some.bin], %w[sel] => %w[select] }.each do |words, expected|
      line = "#{script}\nCOMP_WORDS=(sparpack #{words.join(" ")}); COMP_CWORD=#{words.size}; _sparpack; echo ${COMPREPLY[@]}"

      assert_equal expected, Command.capture2e("bash", stdin_data: line, chdir: @folder)[0].split, words
    end
    assert_includes sparpack("completion", "zsh")[1].lines.grep(/^    select\) _arguments/)[0], "'--count["
    assert_includes sparpack("completion", "fish")[1], "complete -c sparpack -n '__sparpack_verb select' -F"
  end

  private

  # Returns the ids of what is selected.
  def ids(input, wire, *conditions)
    status, output, errors = select(*conditions.flat_map { |text| ["--where", text] }, "--from", WIRES.key(wire), input:)

    assert_equal [0, ""], [status, errors]
    Sparpack::Codec.new(SHOP::Order, wire).decode_each(output).map(&:id)
  end

  def select(*arguments, input: COMPACT) = sparpack("select", *TYPED, *arguments, input:)

  def sparpack(*arguments, input: "", output: StringIO.new("".b)) = run_cli(*arguments, input:, output:)
end
