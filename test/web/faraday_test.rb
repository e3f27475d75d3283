# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "faraday"
require "json"
require "sparpack/faraday"
require "sparpack/rack"
require "support/fresh_ruby"
require "support/puma_server"
require "tmpdir"

# The middleware for Faraday, with its adapter for tests and with Net::HTTP against a real server.
class FaradayTest < Minitest::Test
  include FreshRuby
  include PumaServer

  MEDIA = Sparpack::Media

  class Order < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
  end

  class Customer < Sparpack::Struct
    field 1, :name, :string
  end

  ORDER = Order.new(id: 1, name: "Ada")
  COMPACT = MEDIA.type(:compact)

  # Sends a body that has no end, until the client closes the connection.
  class Endless
    attr_reader :pieces

    def initialize = @pieces = 0

    def each
      while @pieces < 10_000
        @pieces += 1
        yield "x" * 10_000
      end
    end
  end

  # --- requests ----------------------------------------------------------------------------------------------------------

  def test_structs_are_encoded
    Sparpack::WIRES.each do |wire|
      sent = send_body(ORDER, wire:)

      assert_equal [ORDER.encode(wire), MEDIA.type(wire), MEDIA.accept(wire)], sent
      assert_equal([[ORDER, ORDER], MEDIA.type(wire)],
                   send_body([ORDER, ORDER], wire:).then do |body, type,|
                     [MEDIA::Bodies.decode(body, [Order], wire, {}), type]
                   end)
    end
    assert_equal [ORDER.encode, COMPACT, MEDIA.accept(:compact)], send_body(ORDER)
    assert_equal ["", COMPACT], send_body([]).first(2)
    assert_equal ORDER.encode(:message_pack, keys: :names),
                 send_body(ORDER, wire: :message_pack, keys: :names, enums: :names).first
  end

  def test_plain_objects_are_encoded_by_their_mapping
    plain = ::Struct.new(:id)
    mapping = Sparpack::Mapping.new(plain, { 1 => :id }, types: { id: :i32 })
    order = Order.new(id: 7)

    assert_equal [order.encode, COMPACT], send_body(plain.new(7), mapping:).first(2)
    assert_equal [order.encode * 2, COMPACT], send_body([plain.new(7), order], mapping:).first(2)
    assert_equal plain.new(7), send_body(plain.new(7)).first
  end

  def test_other_bodies_are_left_alone
    ["text", nil, { a: 1 }, [1], [ORDER, 1]].each do |body|
      sent, type, accept = send_body(body)

      body.nil? ? assert_equal("", sent.to_s) : assert_equal(body, sent)
      assert_nil type
      assert_equal MEDIA.accept(:compact), accept
    end
  end

  # A request may say which wire it has.
  def test_headers_of_the_request_count
    sent = send_body(ORDER, headers: { "Content-Type" => "application/x-msgpack", "Accept" => "application/json" })

    assert_equal [ORDER.encode(:message_pack), "application/x-msgpack", "application/json"], sent
    error = assert_raises(MEDIA::Unsupported) { send_body(ORDER, headers: { "Content-Type" => "text/html" }) }
    assert_equal '"text/html"', error.found
  end

  def test_what_cannot_be_encoded_is_not_sent
    called = false
    connection = connect { |stubs| stubs.post("/") { called = [200, {}, ""] } }

    assert_raises(Sparpack::EncodeError::MissingField) { connection.post("/", Order.new) }
    refute called
  end

  # --- answers -----------------------------------------------------------------------------------------------------------

  def test_answers_are_decoded
    Sparpack::WIRES.each do |wire|
      MEDIA::TYPES.fetch(wire).each do |type|
        [Order, "FaradayTest::Order", Order.codec].each do |target|
          assert_equal ORDER, answer(ORDER.encode(wire), "#{type}; a=b", target).body
        end
        list = Sparpack::Rack.response([ORDER, ORDER], {}, wire:).last.first

        assert_equal [ORDER, ORDER], answer(list, type, [Order]).body
        assert_equal [ORDER, ORDER], answer(list, type, ["FaradayTest::Order"]).body
      end
    end
    assert_equal ORDER, answer(ORDER.to_json, "application/vnd.shop+json").body
    assert_equal ORDER, answer(ORDER.to_json, "application/json", status: 299).body
  end

  def test_what_is_left_alone
    bytes = ORDER.encode
    [[bytes, "text/html"], [bytes, nil], [bytes, COMPACT, { status: 404 }], [bytes, COMPACT, { status: 302 }], ["", COMPACT],
     ["", "application/json"], ["", COMPACT, { status: 204 }], [nil, COMPACT], [nil, nil, { status: 204 }],
     [{ a: 1 }, "application/json"]].each do |body, type, options|
      answered = answer(body, type, Order, **(options || {})).body

      body.nil? ? assert_nil(answered) : assert_equal(body, answered)
    end
  end

  # On the wires of Thrift, nothing is an empty list. But an answer that has no body has no list, either.
  def test_an_empty_list
    assert_equal [], answer("", COMPACT, [Order]).body
    assert_equal [], answer("[]", "application/json", [Order]).body
    assert_equal "", answer("", "application/json", [Order]).body
    assert_equal "", answer("", COMPACT, [Order], status: 204).body
    head = connect([Order]) { |stubs| stubs.head("/") { [200, { "Content-Type" => COMPACT }, ""] } }

    assert_equal "", head.head("/").body
  end

  def test_codec_options
    assert_predicate answer(ORDER.encode, COMPACT, Order, freeze: true, keys: :ids).body, :frozen?
    error = assert_raises(Faraday::ParsingError) { answer(ORDER.encode, COMPACT, Order, limits: Sparpack::Limits.new(string: 2)) }

    assert_instance_of Sparpack::DecodeError::LimitExceeded, error.wrapped_exception
  end

  def test_faults
    ["\x15", "\xFF"].each do |body|
      error = assert_raises(Faraday::ParsingError) { answer(body.b, COMPACT) }

      assert_kind_of Sparpack::DecodeError, error.wrapped_exception
      assert_same error.wrapped_exception, error.cause
      assert_equal [error.cause.message, 200, body.b], [error.message, error.response_status, error.response_body.b]
    end
  end

  def test_the_raw_body
    bytes = ORDER.encode
    response = answer(bytes, COMPACT, Order, preserve_raw: true)

    assert_equal [ORDER, bytes], [response.body, response.env[:raw_body]]
    assert_nil answer(bytes, COMPACT).env[:raw_body]
    assert_nil answer("x", "text/html", Order, preserve_raw: true).env[:raw_body]
  end

  def test_a_class_for_one_request
    connection = connect { |stubs| stubs.get("/") { [200, { "Content-Type" => "application/json" }, '[{"name":"Ada"}]'] } }
    customers = connection.get("/") { |request| request.options.context = { sparpack: ["FaradayTest::Customer"] } }.body

    assert_equal [Customer.new(name: "Ada")], customers
    assert_raises(Faraday::ParsingError) { connection.get("/") { |request| request.options.context = { other: 1 } } }
    none = connect(nil) { |stubs| stubs.get("/") { [200, { "Content-Type" => "application/json" }, '{"name":"Ada"}'] } }

    assert_equal '{"name":"Ada"}', none.get("/").body
    assert_equal Customer.new(name: "Ada"), none.get("/") { |request| request.options.context = { sparpack: Customer } }.body
  end

  def test_a_class_is_looked_up_after_a_reload
    2.times do
      fresh = self.class.const_set(:Reloaded, Class.new(Sparpack::Struct) { field 1, :id, :i32 })
      @connection ||= connect("FaradayTest::Reloaded") { |stubs| 2.times { stubs.get("/") { [200, { "Content-Type" => COMPACT }, "\x15\x02\0"] } } }

      assert_instance_of fresh, @connection.get("/").body
      self.class.send(:remove_const, :Reloaded)
    end
  end

  def test_wrong_options
    { -> { connect("Order", max: -1) } => "max: expected a number of bytes, got -1",
      -> { connect("Order", max: "5") } => "max: expected a number of bytes, got \"5\"",
      -> { connect("Order", frieze: true) } => "unknown option :frieze (did you mean :freeze?)",
      -> { connect([]) } => "expected an Array of one class, which stands for a list, got one of 0",
      -> { Faraday.new { |f| f.request(:sparpack, wire: :xml) && f.app } } =>
        "unknown wire :xml (known: :compact, :binary, :thrift_json, :message_pack, :json)",
      -> { Faraday.new { |f| f.request(:sparpack, utf: :keep) && f.app } } => "unknown option :utf (did you mean :utf8?)" }
      .each { |call, message| assert_equal message, assert_raises(ArgumentError, &call).message }
  end

  def test_it_is_quiet_about_a_body_that_is_decoded_already
    connection = Faraday.new do |f|
      f.response :sparpack, Order
      f.response :sparpack, Order, max: 100
      f.adapter(:test) { |stubs| stubs.get("/") { [200, { "Content-Type" => COMPACT }, ORDER.encode] } }
    end

    assert_equal ORDER, connection.get("/").body
  end

  def test_a_body_that_is_too_long_for_an_adapter_without_pieces
    error = assert_raises(Faraday::ParsingError) { answer(ORDER.encode, COMPACT, Order, max: 3) }

    assert_equal "body: expected at most 3 bytes, found more", error.message
    assert_equal ORDER, answer(ORDER.encode, COMPACT, Order, max: ORDER.encode.bytesize).body
  end

  # Passes a body on in pieces, as the adapters for Typhoeus and Excon do: with two arguments, after others have got the
  # response if requests are sent in parallel, and making another error of one that stops it.
  class Pieces < Faraday::Adapter
    attr_reader :waiting

    def initialize(app = nil, parallel: false)
      super(app)
      @parallel = parallel
      @waiting = []
    end

    def call(env)
      super
      @parallel ? @waiting << env : transfer(env)
      @app.call(env)
    end

    def transfer(env)
      size = 0
      ORDER.encode.each_char { |piece| env.request.on_data.call(piece, size += 1) }
      save_response(env, 200, "", { "Content-Type" => COMPACT }, finished: !@parallel)
      env.response.finish(env) if @parallel
    rescue Faraday::ParsingError => e
      raise Faraday::ConnectionFailed, e
    end
  end

  # Sends a request twice, as a middleware does that tries again.
  class Twice < Faraday::Middleware
    def call(env)
      @app.call(env)
    rescue Faraday::ParsingError
      @app.call(env)
    end
  end

  # The second try fails before any piece comes.
  class Unreachable < Pieces
    def call(env)
      raise Faraday::ConnectionFailed, "refused" if (@calls = @calls.to_i + 1) > 1

      super
    end
  end

  def test_a_later_try_has_its_own_error
    connection = Faraday.new { |f| f.use(Twice) and f.response(:sparpack, Order, max: 3) and f.adapter(Unreachable) }

    assert_equal "refused", assert_raises(Faraday::ConnectionFailed) { connection.get("/") }.message
  end

  def test_adapters_that_pass_pieces_in_their_own_way
    connection = Faraday.new { |f| f.response(:sparpack, Order, max: 100) and f.adapter(Pieces) }

    assert_equal [ORDER] * 2, [connection.get("/").body, connection.get("/").body]
    error = assert_raises(Faraday::ParsingError) do
      Faraday.new { |f| f.response(:sparpack, Order, max: 3) and f.adapter(Pieces) }.get("/")
    end

    assert_equal "body: expected at most 3 bytes, found more", error.message
    assert_instance_of Sparpack::DecodeError::LimitExceeded, error.wrapped_exception
  end

  def test_requests_in_parallel
    connection = Faraday.new { |f| f.response(:sparpack, Order, max: 100) and f.adapter(Pieces, parallel: true) }
    responses = [connection.get("/"), connection.get("/")]
    adapter = connection.app.app
    adapter.waiting.each { |env| adapter.transfer(env) }

    assert_equal [ORDER] * 2, responses.map(&:body)
  end

  # --- a real server -----------------------------------------------------------------------------------------------------

  SERVER = Sparpack::Rack::Faults.new(lambda do |env|
    case env["PATH_INFO"]
    when "/orders" then Sparpack::Rack.response(Sparpack::Rack.body(env, Order), env, status: 201)
    when "/none" then [404, { "content-type" => COMPACT }, ["nothing"]]
    when "/false" then [200, { "content-type" => COMPACT, "content-length" => "3" }, [ORDER.encode]]
    else Sparpack::Rack.response([ORDER] * 1_000, env)
    end
  end)

  def test_there_and_back
    serve(SERVER) do |port|
      Sparpack::WIRES.product([nil, 1_000]) do |wire, max|
        api = api(port, Order, wire:, max:)
        response = api.post("/orders", ORDER)

        assert_equal [201, ORDER, MEDIA.type(wire)], [response.status, response.body, response.headers["content-type"]]
        list = api(port, ["FaradayTest::Order"], wire:, max: max && 1_000_000).get("/").body

        assert_equal [ORDER] * 1_000, list
      end
    end
  end

  def test_faults_of_the_server
    serve(SERVER) do |port|
      [nil, 1_000].each do |max|
        error = assert_raises(Faraday::ResourceNotFound) { api(port, Order, max:).get("/none") }

        assert_equal "nothing", error.response_body
        error = assert_raises(Faraday::BadRequestError) { api(port, Order, max:).post("/orders", "x", "Content-Type" => COMPACT) }

        assert_equal 400, JSON.parse(error.response_body)["status"]
        error = assert_raises(Faraday::ParsingError) { api(port, Order, max:).get("/false") }

        assert_instance_of Sparpack::DecodeError::Truncated, error.wrapped_exception
      end
    end
  end

  # The bytes are counted while they come, whatever the answer says of its length.
  def test_an_answer_without_an_end
    body = Endless.new
    serve(->(_) { [200, { "content-type" => COMPACT }, body] }) do |port|
      error = assert_raises(Faraday::ParsingError) { api(port, Order, max: 1_000_000).get("/") }

      assert_instance_of Sparpack::DecodeError::LimitExceeded, error.wrapped_exception
      assert_equal "body: expected at most 1000000 bytes, found more", error.message
    end

    assert_operator body.pieces, :<, 2_000
  end

  def test_an_answer_that_trickles
    trickle = Enumerator.new { |pieces| 1_000.times { (pieces << "x") && sleep(0.05) } }
    serve(->(_) { [200, { "content-type" => COMPACT }, trickle] }) do |port|
      api = api(port, Order, max: 20)
      within("the limit") { assert_raises(Faraday::ParsingError) { api.get("/") } }
    end
  end

  # Whoever takes the body in pieces gets the pieces.
  def test_a_body_in_pieces
    serve(SERVER) do |port|
      [nil, 10].product([Order, [Order]]) do |max, target|
        taken = "".b
        response = api(port, target, max:).get("/") do |request|
          request.options.on_data = proc { |piece, _|
            taken << piece
          }
        end

        assert_equal ORDER.encode * 1_000, taken
        assert_equal "", response.body
      end
    end
  end

  # A middleware that sends the request again gets the body of the last answer.
  def test_a_request_that_is_sent_again
    answers = [[503, { "content-type" => COMPACT }, ["busy"]], [200, { "content-type" => COMPACT }, [ORDER.encode]]]
    again = Class.new(Faraday::Middleware) do
      def call(env)
        body = env.body
        app.call(env)
      rescue Faraday::ServerError
        env.body = body
        env.status = nil
        app.call(env)
      end
    end
    serve(->(_) { answers.shift }) do |port|
      connection = Faraday.new("http://127.0.0.1:#{port}") do |f|
        f.use again
        f.response :sparpack, Order, max: 1_000
        f.response :raise_error
      end

      assert_equal ORDER, connection.get("/").body
    end
  end

  # --- loading -----------------------------------------------------------------------------------------------------------

  EARLY = <<~RUBY
    errors = [nil, "1.10.4", "2.4.0", "2.5.0"].map do |version|
      Object.send(:remove_const, :Faraday) if defined?(Faraday)
      Faraday = Module.new if version
      Faraday::VERSION = version if version
      require "sparpack/faraday"
    rescue LoadError, NameError => e
      [e.class.name, e.message]
    end
    files = $LOADED_FEATURES.grep(%r{faraday}).map { |path| path[%r{/lib/(.*)}, 1] }
    File.binwrite(ARGV.last, Marshal.dump([errors, files]))
  RUBY

  def test_faraday_must_be_loaded
    (missing, *old, fitting), files = fresh_result(EARLY)

    message = 'sparpack/faraday needs Faraday 2.5 or newer, and it is not loaded: write `gem "faraday", ">= 2.5"` into ' \
              'the Gemfile, and `require "faraday"` before `require "sparpack/faraday"`'

    assert_equal ["LoadError", message], missing
    assert_equal(["this is 1.10.4", "this is 2.4.0"], old.map { |_, message| message[/this is [\d.]+/] })
    assert_equal "NameError", fitting.first # it looks for the parts of Faraday
    assert_empty files
  end

  LATE = <<~'RUBY'
    require "faraday"
    require "sparpack"
    before = $LOADED_FEATURES.dup
    require "sparpack/faraday"
    loaded = ($LOADED_FEATURES - before).map { |path| path[%r{/lib/(sparpack/.*)\.rb}, 1] }
    File.binwrite(ARGV.last, Marshal.dump(loaded))
  RUBY

  def test_nothing_is_loaded_before_it_is_used
    assert_equal %w[sparpack/faraday], fresh_result(LATE)
  end

  private

  def connect(target = Order, **options, &stubs)
    connection = Faraday.new do |f|
      f.request :sparpack
      f.response(:sparpack, target, **options)
      f.adapter(:test, &stubs)
    end
    connection.tap(&:app) # makes the middleware
  end

  # @return [Array] what was sent: the body and two headers
  def send_body(body, headers: {}, **options)
    sent = nil
    connection = Faraday.new do |f|
      f.request(:sparpack, **options)
      f.adapter(:test) do |stubs|
        stubs.post("/") do |env|
          sent = [env.body, *env.request_headers.values_at("Content-Type", "Accept")]
          [200, {}, ""]
        end
      end
    end
    connection.post("/", body, headers)
    sent
  end

  def answer(body, type, target = Order, status: 200, **options)
    connection = connect(target, **options) { |stubs| stubs.get("/") { [status, { "Content-Type" => type }.compact, body] } }
    connection.get("/")
  end

  def api(port, target, wire: :compact, max: nil)
    Faraday.new("http://127.0.0.1:#{port}", request: { timeout: Patience.of(SECONDS) }) do |f|
      f.request :sparpack, wire: wire
      f.response(:sparpack, target, max:)
      f.response :raise_error
    end
  end
end
