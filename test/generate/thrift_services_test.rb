# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "support/thrift_gems"
require "tmpdir"

# bin/test: not sanitized, for it compiles other gems

# Clients, processors and constants of `sparpack generate --style thrift`, from IDL that breaks the output of Apache's
# generator.
class GenerateThriftServicesTest < Minitest::Test
  include FreshRuby

  ODD = <<~'THRIFT'
    namespace rb odd

    typedef bool flag

    exception Gone { 1: string reason = "gone" }
    exception Busy { 1: string class }
    exception Lost { 1: string Text }
    exception Plain { 1: string text, 2: i32 code = 4 }

    struct First {
      1: Later later = {"number": 5, "alive": 1}, 2: lower low = {"Name": "a"}, 3: double one = 1
      4: double pi = 3.141592653589793
    }
    struct Later { 1: i32 number, 2: required flag alive }
    struct Case { 1: i32 id, 2: i32 ID, 3: i32 _id }
    struct Set { 1: set<i32> set = [1, 2], 2: State state }
    struct Fields { 1: i32 fields, 2: string class, 3: string class_, 4: i32 nil }
    union lower { 1: string Name, 2: string new, 3: i64 number, 4: string name }
    enum State { good, bad, _odd, alias = 1 }

    const string LINES = "a\nb \"q\" #{1} 'x'"
    const double ONE = 1
    const double PI = 3.141592653589793
    const Gone GONE = {"reason": "r"}
    const Plain PLAIN = {"text": "t"}
    const lower LOW = {"number": 7}
    const map<State, set<double>> MAP = {State.bad: [1, 0.5]}

    service Base { i32 add(1: i32 a, 2: i32 b) }
    service Work extends Base {
      string initialize(1: string end, 2: string Query, 3: string _1, 4: i32 class)
      string raise(1: string a) throws (1: Gone seqid, 2: Busy result, 3: Lost success, 4: Plain class)
      void nothing()
      oneway void hash(1: string read)
      lower class(1: lower self)
      string none()
      i32 send_none(1: i32 recv_none)
    }
  THRIFT

  # A handler, and a client that calls it. The transport hands each request to the processor.
  CALLS = <<~RUBY
    class Handler
      attr_reader :hashed

      def add(one, other) = one + other
      def initialize_(*arguments) = arguments.inspect
      def send_none_(number) = number + 1
      def nothing = nil
      def hash(text) = @hashed = text
      def class_(value) = value
      def none = nil

      def raise_(name)
        error = { "Gone" => [Odd::Gone, "away"], "Busy" => [Odd::Busy, "b"], "Lost" => [Odd::Lost, "l"],
                  "Plain" => [Odd::Plain.new(text: "p", code: 9)], "other" => ["unexpected"] }[name]
        error ? raise(*error) : "kept"
      end
    end

    class Direct < Thrift::MemoryBufferTransport
      attr_accessor :processor

      def flush
        request = Thrift::CompactProtocol.new(Thrift::MemoryBufferTransport.new(read(available)))
        reply = Thrift::MemoryBufferTransport.new
        processor.process(request, Thrift::CompactProtocol.new(reply))
        write(reply.read(reply.available))
      end
    end

    def raised
      yield
    rescue StandardError => e
      [e.class.name, e.message]
    end

  RUBY

  def setup
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
    @folder = Dir.mktmpdir
    File.write("#{@folder}/odd.thrift", ODD)
    @written = Sparpack::Generate.write(Sparpack::Generate.files("#{@folder}/odd.thrift", style: :thrift), "#{@folder}/gen")
  end

  def teardown = FileUtils.rm_rf(@folder.to_s)

  def test_constants
    assert_equal ["a\nb \"q\" \#{1} 'x'", 1.0, Float, 3.141592653589793, "r", ["t", 4], [:number, 7],
                  { 1 => Set[1.0, 0.5] }], run_code(<<~RUBY)
                    [LINES, ONE, ONE.class, PI, GONE.reason, [PLAIN.text, PLAIN.code], [LOW.get_set_field, LOW.number],
                     MAP]
                  RUBY
  end

  def test_defaults
    assert_equal [5, true, "a", 1.0, 3.141592653589793, "gone", "given", [1, 2], 4],
                 run_code(<<~RUBY)
                   first = First.new
                   [first.later.number, first.later.alive, first.low.Name, first.one, first.pi, Gone.new.reason,
                    Gone.new("given").message, Set.new.set.to_a, Plain.new.code]
                 RUBY
  end

  def test_validate_accepts_false_in_a_typedef
    assert_equal [nil, "Required field alive is unset!"],
                 run_code("[Later.new(alive: false).validate, (Later.new.validate rescue $!.message)]")
  end

  def test_fields_whose_names_differ_in_case
    assert_equal [{ 1 => "id", 2 => "ID", 3 => "_id" }, [1, 2, 3], [:FIELDS]], run_code(<<~RUBY)
      made = Case.new(id: 1, ID: 2, _id: 3)
      factory = Thrift::BinaryProtocolFactory.new
      read = Thrift::Deserializer.new(factory).deserialize(Case.new, Thrift::Serializer.new(factory).serialize(made))
      [Case::FIELDS.transform_values { |field| field[:name] }, [read.id, read.ID, read._id], Case.constants(false)]
    RUBY
  end

  def test_readers
    assert_equal [1, "a", "b", 4, true, true, false, "Odd::Fields", 4,
                  "<Odd::Fields fields:1, class:\"a\", class_:\"b\", nil:4>"], run_code(<<~RUBY)
                    one = Fields.new(fields: 1, class: "a", class_: "b", nil: 4)
                    [one.fields, one.class__, one.class_, one.nil, one.nil_?, one.class?, one.nil?, one.class.name,
                     Fields.constants(false).grep(/_FIELD_ID/).size, one.inspect]
                  RUBY
  end

  def test_constructors_of_unions
    assert_equal ["n", "m", 3, "x", "Odd::Lower"], run_code(<<~RUBY)
      [Lower.Name("n").Name, Lower.new_("m").new, Lower.number(3).number, Lower.name("x").name, Lower.name]
    RUBY
  end

  CALLED = [3, '["a", "b", "c", 4]', 5, nil, nil, [:number, 7],
            ["Thrift::ApplicationException", "none failed: unknown result"], "kept", ["Odd::Gone", "away"],
            ["Odd::Busy", "b"], ["Odd::Lost", "l"], ["Odd::Plain", "p", 9],
            ["Thrift::ApplicationException", "Internal error"], "h"].freeze

  ALL = <<~RUBY
    [client.add(1, 2), client.initialize_("a", "b", "c", 4), client.send_none_(4), client.nothing, client.hash("h") && nil,
     client.class_(Odd::LOW).then { |found| [found.get_set_field, found.get_value] },
     raised { client.none }, client.raise_("no"),
     *%w[Gone Busy Lost].map { |name| raised { client.raise_(name) } },
     begin
       client.raise_("Plain")
     rescue Odd::Plain => e
       [e.class.name, e.text, e.code]
     end,
     raised { client.raise_("other") },
     handler.hashed]
  RUBY

  DIRECT = <<~RUBY.freeze
    handler = Handler.new
    transport = Direct.new
    transport.processor = Odd::Work::Processor.new(handler)
    client = Odd::Work::Client.new(Thrift::CompactProtocol.new(transport))
    #{ALL}
  RUBY

  def test_calls
    assert_equal CALLED, run_code(DIRECT)
    assert_equal CALLED, run_code(DIRECT, before: 'require "sparpack/drop_in/thrift"')
  end

  def test_calls_over_sockets
    %w[Buffered Framed].product(%w[Compact Binary BinaryAccelerated]).each do |transport, protocol|
      protocol = "#{protocol.delete_suffix("Accelerated")}Protocol#{"Accelerated" if protocol.end_with?("Accelerated")}"

      assert_equal CALLED, run_code(<<~RUBY), [transport, protocol]
        require "socket"
        ends = UNIXSocket.pair.map do |socket|
          Thrift::#{protocol}.new(Thrift::#{transport}Transport.new(Thrift::Socket.new.tap { |found| found.handle = socket }))
        end
        handler = Handler.new
        Thread.new do
          processor = Odd::Work::Processor.new(handler)
          loop { processor.process(ends[0], ends[0]) }
        end
        client = Odd::Work::Client.new(ends[1])
        #{ALL}
      RUBY
    end
  end

  # How clients read replies changed with 0.18 and 0.23.
  def test_calls_with_other_versions_of_the_gem
    (ThriftGems.versions | %w[0.22.0]).each do |version|
      home = ThriftGems.install("thrift", version) { |reason| skip "the registry cannot be reached: #{reason}" }
      found = run_code("calls = begin\n#{DIRECT}end\n[Gem.loaded_specs['thrift'].version.to_s, calls]",
                       before: "gem \"thrift\", #{version.inspect}",
                       environment: { "GEM_PATH" => [home, *Gem.path].join(File::PATH_SEPARATOR) })

      assert_equal [version, CALLED], found
    end
  end

  def test_the_files_load_without_warnings
    requires = @written.map { |path| "require #{"#{@folder}/gen/#{path}".inspect}" }

    assert_equal "#{requires.size} files\n", fresh_ruby("require 'thrift'\n$VERBOSE = true\n#{requires.join("\n")}\n" \
                                                        "puts '#{requires.size} files'")
  end

  # Then the checks become a part of the plan.
  def test_the_drop_in_recognises_every_validate
    assert_equal [26, []], run_code(<<~RUBY, before: 'require "sparpack/drop_in/thrift/validation"')
      classes = ObjectSpace.each_object(Class).select do |found|
        found.name.to_s.start_with?("Odd::") && found.const_defined?(:FIELDS)
      end
      [classes.size, classes.reject { |found| Sparpack::DropIn::Thrift::Validation.of(found) }.map(&:name)]
    RUBY
  end

  private

  # @return [Object] what the code returns inside the module Odd
  def run_code(code, before: "", **options)
    requires = @written.map { |path| "require #{"#{@folder}/gen/#{path}".inspect}" }
    fresh_result(<<~RUBY, **options)
      #{before}
      require "thrift"
      #{requires.join("\n")}
      #{CALLS}
      result = module Odd
        #{code}
      end
      File.binwrite(ARGV.last, Marshal.dump(result))
    RUBY
  end
end
