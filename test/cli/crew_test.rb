# frozen_string_literal: true

# bin/test: not sanitized, for it forks, and test/lazy/ collects the same columns

require "test_helper"
require "rbconfig"
require "tmpdir"
require "support/cli"
require "support/command"
require "support/seeded"

# `--threads` of `sparpack columns` and `select`: several processes write what one writes, and say what one says.
class CLICrewTest < Minitest::Test
  include CLI
  include Seeded

  Crew = Sparpack::CLI::Structs::Crew

  FOLDER = Dir.mktmpdir
  Minitest.after_run { FileUtils.rm_rf(FOLDER) }
  SCHEMA = File.join(FOLDER, "crew_shop.thrift").freeze
  File.write(SCHEMA, <<~THRIFT)
    union Extra { 1: i32 number, 2: string text }
    union Older { 1: i32 number }
    struct Order { 1: required i64 id, 2: string name, 3: list<double> prices, 4: Extra extra }
    struct Seen { 1: required i64 id, 2: string name, 3: list<double> prices, 4: Older extra }
  THRIFT
  SHOP = Sparpack::IDL.load(SCHEMA)
  TYPED = ["--schema", SCHEMA, "--type", "Order"].freeze
  FORMS = { compact: [nil, :varint], binary: [nil, :framed], json: [nil, :lines], thrift_json: [nil],
            message_pack: [nil] }.freeze
  ORDERS = Array.new(60) do |i|
    SHOP::Order.new(id: i, name: "name #{i % 7}", prices: Array.new(i % 4) { |price| price / 2.0 }, extra: SHOP::Extra.number(i))
  end.freeze

  # So small parts that a few orders make many of them.
  def setup = part(100)

  def teardown = part(1 << 20)

  def part(size)
    Crew.send(:remove_const, :PART)
    Crew.const_set(:PART, size)
  end

  def stream(wire, frame, orders = ORDERS)
    orders.each_with_object(StringIO.new("".b)) { |order, io| order.encode_to(io, wire, frame:) }.string
  end

  # What the verbs are called with.
  CALLS = [%w[columns id name prices[] extra.number], %w[columns prices[] --to jsonl], %w[columns id --to tsv],
           ["select", "--where", "id > 20"], ["select", "--where", 'name ends_with "3"', "--where", "prices[] > 0.4"],
           ["select", "--where", "id > 20", "--count"], ["select", "--where", "id > 20", "--to", "json"],
           ["select", "--where", "id > 20", "--limit", "3"]].freeze

  def outcome((verb, *arguments), input, threads, type: TYPED, **from)
    from = from.flat_map { |name, value| ["--#{name}", value.to_s] }
    run_cli(verb, *arguments, *type, *from, "--threads", threads.to_s, input:)
  end

  def test_each_form
    FORMS.each do |wire, frames|
      frames.product(CALLS) do |frame, call|
        bytes = stream(wire, frame)
        alone = outcome(call, bytes, 1)

        assert_equal 0, alone.first, alone.last
        [2, 5].each { |threads| assert_equal alone, outcome(call, bytes, threads) }
      end
    end
  end

  def test_damaged_streams
    { compact: nil, binary: :framed, json: :lines }.each do |wire, frame|
      bytes = stream(wire, frame)
      12.times do
        damaged = bytes.dup
        damaged.setbyte(random.rand(bytes.bytesize), random.rand(256))
        damaged = damaged.byteslice(0, random.rand(bytes.bytesize)) if random.rand(2).zero?
        call = CALLS.sample(random:)
        from = { from: { compact: :compact, binary: :binary, json: :json }.fetch(wire), frame: frame || :none }

        assert_equal outcome(call, damaged, 1, **from), outcome(call, damaged, 3, **from)
      end
    end
  end

  # A struct that one process cannot write is counted from the beginning of the stream.
  def test_a_value_that_cannot_be_written
    orders = [*ORDERS, SHOP::Order.new(id: 60, extra: SHOP::Extra.text("new")), *ORDERS]
    seen = ["--schema", SCHEMA, "--type", "Seen"]
    call = %w[columns id extra]
    alone = outcome(call, stream(:compact, nil, orders), 1, type: seen)

    assert_match(/extra: expected one field in a union, .*, in row 61$/, alone.last)
    assert_equal alone, outcome(call, stream(:compact, nil, orders), 3, type: seen)
  end

  # The first bytes that a verb reads may be more than the limit, and hold many structs besides the one that is too long.
  def test_a_struct_that_is_too_long
    orders = [*ORDERS.first(20), SHOP::Order.new(id: 20, name: "n" * 400), *ORDERS]
    FORMS.each do |wire, frames|
      frames.product(CALLS) do |frame, call|
        next if call.include?("--limit")

        bytes = stream(wire, frame, orders)
        from = { from: wire == :message_pack ? :msgpack : wire, frame: frame || :none, "message-limit": 200 }
        alone = outcome(call, bytes, 1, **from)

        assert_match(/at most 200 bytes/, alone.last)
        assert_equal alone, outcome(call, bytes, 3, **from)
      end
    end
  end

  def test_no_input
    CALLS.each { |call| assert_equal outcome(call, "", 1, from: :compact), outcome(call, "", 4, from: :compact) }
  end

  def test_files
    file = File.join(FOLDER, "orders.bin")
    File.binwrite(file, stream(:compact, nil, ORDERS * 50))
    part(4096)
    tables = [1, 4].map do |threads|
      status, _, errors = run_cli("columns", *TYPED, "id", "name", "--in", file, "--out", "#{file}.csv",
                                  "--threads", threads.to_s)

      assert_equal [0, ""], [status, errors]
      File.binread("#{file}.csv")
    end

    assert_equal tables.first, tables.last
    assert_equal 3001, tables.first.lines.size
  end

  def test_a_process_that_is_gone
    crew = Crew.new(SHOP::Order.codec, nil, [["id"]], ->(_, _) { Process.kill(:KILL, Process.pid) })
    reading = Sparpack::CLI::Structs::Reading.new(StringIO.new(stream(:compact, nil)))
    error = assert_raises(Sparpack::Error) { crew.run(2, reading, StringIO.new) }

    assert_equal "a process ended before it had done its part (killed by SIGKILL)", error.message
    assert_raises(Errno::ECHILD) { Process.wait(-1, Process::WNOHANG) }
  end

  # A shell may have started the command so that it ignores the end of its children.
  def test_processes_that_somebody_else_waits_for
    alone = outcome(CALLS.first, stream(:compact, nil), 1)
    before = trap("CHLD", "IGNORE")

    assert_equal alone, outcome(CALLS.first, stream(:compact, nil), 3)
  ensure
    trap("CHLD", before || "DEFAULT")
  end

  def test_a_process_that_is_gone_in_the_middle_of_its_answer
    ["", "\0" * 7, [5].pack("Q>"), "#{[5].pack("Q>")}\x04\b[".b].each do |bytes|
      assert_nil Sparpack::Forks.read(StringIO.new(bytes))
      Sparpack::Forks.open do |forks|
        reader, writer = forks.pipe
        pid = forks.start(writer) { writer.write(bytes) }

        assert_nil forks.read(reader, pid)
      end
    end
  end

  def test_an_interrupt_ends_all_processes
    file = File.join(FOLDER, "endless")
    File.mkfifo(file)
    command = [RbConfig.ruby, "-I#{File.expand_path("../../lib", __dir__)}", File.expand_path("../../exe/sparpack", __dir__)]
    group = nil
    before = trap(:INT, "DEFAULT") # shells start what is in the background with a signal that is ignored
    status = Command.run(*command, "columns", *TYPED, "id", "--from", "compact", "--in", file, "--threads", "3",
                         out: File::NULL, err: File::NULL, within: 30) do |process|
      group = Process.getpgid(process.pid)
      File.open(file, "wb") do |pipe|
        pipe.write(stream(:compact, nil))
        pipe.flush
        sleep 0.3
        Process.kill(:INT, -group)
        process.join
      end
    end

    refute_predicate status, :success?
    assert_raises(Errno::ESRCH) { Process.kill(0, -group) } # nobody of the group
  ensure
    trap(:INT, before) if before
  end

  def test_wrong_numbers
    ["0", "65", "-1", "x"].each do |threads|
      status, _, errors = run_cli("columns", *TYPED, "id", "--threads", threads)

      assert_equal 2, status
      assert_match(/--threads/, errors)
    end
  end
end
