# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "json"
require "rack"
require "rack/lint"
require "rack/mock_request"
require "sparpack/rack"
require "stringio"
require "support/fresh_ruby"
require "support/seeded"
require "tmpdir"
require "zlib"

# Bodies of requests and responses, and the answers to faults, by the rules that Rack's own lint checks.
class RackTest < Minitest::Test
  include FreshRuby
  include Seeded

  class Order < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
    field 3, :lines, list("Order")
    field 4, :labels, map(:string, :i32)
  end

  ORDER = Order.new(id: 1, name: "Ada", lines: [Order.new(id: 2)])
  MEDIA = Sparpack::Media

  # Answers with what it has read, or with the list of it.
  ECHO = lambda do |env|
    target = env["PATH_INFO"] == "/list" ? [Order] : "RackTest::Order"
    Sparpack::Rack.response(Sparpack::Rack.body(env, target, max: 2_000), env, status: 201)
  end
  APP = Rack::Lint.new(Sparpack::Rack::Faults.new(Rack::Lint.new(ECHO)))

  # An input of Rack 3, which can only be read.
  class Stream
    attr_reader :asked, :read_size

    def initialize(bytes)
      @io = StringIO.new(bytes)
      @asked = []
      @read_size = 0
    end

    def read(size)
      @asked << size
      @io.read(size)&.tap { |piece| @read_size += piece.bytesize }
    end
  end

  # --- bodies ------------------------------------------------------------------------------------------------------------

  def test_an_object_by_any_wire
    Sparpack::WIRES.product(Sparpack::WIRES) do |from, to|
      response = post(ORDER.encode(from), MEDIA.type(from), accept: MEDIA.type(to))

      assert_equal [201, MEDIA.type(to)], [response.status, response.content_type]
      assert_equal ORDER, Order.decode(response.body, to)
    end
  end

  def test_a_list_by_any_wire
    Sparpack::WIRES.product([0, 1, 3]) do |wire, size|
      body = Sparpack::Rack.response([ORDER] * size, {}, wire:).last.first
      response = post(body, MEDIA.type(wire), path: "/list", accept: MEDIA.accept(wire))

      assert_equal [201, MEDIA.type(wire), body.b], [response.status, response.content_type, response.body.b]
    end
  end

  def test_the_answer_is_json_if_the_client_names_no_wire
    ["text/html", "*/*", nil].each do |accept|
      response = post(ORDER.encode, MEDIA.type(:compact), accept:)

      assert_equal ["application/json", ORDER.to_json], [response.content_type, response.body]
    end
  end

  def test_responses
    status, headers, body = Sparpack::Rack.response(ORDER, { "HTTP_ACCEPT" => "application/msgpack" })

    assert_equal [200, { "content-type" => "application/vnd.msgpack" }, [ORDER.encode(:message_pack)]],
                 [status, headers, body]
    env = { "HTTP_ACCEPT" => "application/msgpack" }
    status, headers, body = Sparpack::Rack.response(ORDER, env, status: 202, wire: :json,
                                                            headers: { "vary" => "accept" }, keys: :names, utf8: :keep)

    assert_equal [202, { "content-type" => "application/json", "vary" => "accept" }, [ORDER.to_json]],
                 [status, headers, body]
    typed = Sparpack::Rack.response(ORDER, {}, headers: { "content-type" => "application/vnd.shop+json" })

    assert_equal({ "content-type" => "application/vnd.shop+json" }, typed[1])
  end

  POINT = Sparpack::Mapping.new(::Struct.new(:x, :y), { 1 => :x, 2 => :y }, types: { x: :i32, y: :i32 })

  def test_plain_objects
    points = [POINT.mapped_class.new(1, 2)] * 2

    assert_equal ['{"x":1,"y":2}'], Sparpack::Rack.response(points.first, {}, mapping: POINT).last
    body = Sparpack::Rack.response(points, {}, wire: :compact, mapping: POINT).last.first
    assert_equal points, Sparpack::Rack.body(env(body, MEDIA.type(:compact)), [POINT])
    assert_raises(TypeError) { Sparpack::Rack.response(points.first, {}) }
    assert_raises(ArgumentError) { Sparpack::Rack.response(points.first, {}, mapping: points.first.class) }
  end

  def test_what_cannot_be_a_response
    assert_raises(Sparpack::EncodeError::MissingField) { Sparpack::Rack.response(Order.new, {}) }
    assert_raises(TypeError) { Sparpack::Rack.response({ id: 1 }, {}) }
    assert_raises(ArgumentError) { Sparpack::Rack.response(ORDER, {}, wire: :xml) }
    assert_raises(ArgumentError) { Sparpack::Rack.response(ORDER, {}, utf: :keep) }
  end

  def test_codec_options
    bytes = ORDER.encode + "".b
    env = env(bytes, MEDIA.type(:compact))

    assert_predicate Sparpack::Rack.body(env, Order, freeze: true, keys: :names), :frozen?
    assert_raises(ArgumentError) { Sparpack::Rack.body(env, Order, freze: true) }
    assert_equal "limits: expected a Sparpack::Limits, got 5",
                 assert_raises(ArgumentError) { Sparpack::Rack.body(env, Order, limits: 5) }.message
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env, Order, limits: Sparpack::Limits.new(string: 2)) }
  end

  # A middleware that has decompressed the body may have left the header.
  def test_a_compressed_body
    zipped = env(Zlib.gzip(ORDER.to_json), MEDIA.type(:json)).merge("HTTP_CONTENT_ENCODING" => "gzip")
    status, headers, body = Sparpack::Rack::Faults.new(ECHO).call(zipped)

    assert_equal [415, "identity", nil], [status, *headers.values_at("accept-encoding", "accept")]
    assert_equal "expected no content encoding", JSON.parse(body.first)["detail"]
    assert_match(/found "gzip" \(a middleware has to/, zipped["sparpack.error"].message)
    %w[gzip identity].each do |encoding|
      plain = env(ORDER.to_json, MEDIA.type(:json)).merge("HTTP_CONTENT_ENCODING" => encoding)

      assert_equal ORDER, Sparpack::Rack.body(plain, Order)
    end
    broken = env("{", MEDIA.type(:json)).merge("HTTP_CONTENT_ENCODING" => "identity")
    assert_raises(Sparpack::DecodeError) { Sparpack::Rack.body(broken, Order) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(zipped, Order, max: 5) }
  end

  # --- the size of a body ------------------------------------------------------------------------------------------------

  def test_a_body_is_counted_while_it_is_read
    [nil, "", "0", "10", "-1", "1e9", "99999999999999999999999", "x"].each do |length|
      input = Stream.new("x" * 10_000_000)
      env = { "CONTENT_TYPE" => "application/json", "CONTENT_LENGTH" => length, "rack.input" => input }.compact
      error = assert_raises(Sparpack::DecodeError::LimitExceeded, length.inspect) { Sparpack::Rack.body(env, Order, max: 100_000) }

      assert_equal ["body: expected at most 100000 bytes, found more", "body", "at most 100000 bytes", "more"],
                   [error.message, error.path, error.expected, error.found]
      assert_equal 100_001, input.read_size
      assert_operator input.asked.max, :<=, 16_384
    end
  end

  def test_a_length_that_is_too_large_spares_the_reading
    input = Stream.new("x" * 1_000)
    env = { "CONTENT_LENGTH" => "1001", "rack.input" => input }

    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.read(env, max: 1_000) }
    assert_empty input.asked
  end

  def test_a_body_of_exactly_the_limit
    bytes = ORDER.encode
    [StringIO, Stream].each do |kind|
      env = { "CONTENT_TYPE" => MEDIA.type(:compact), "rack.input" => kind.new(bytes) }

      assert_equal ORDER, Sparpack::Rack.body(env, Order, max: bytes.bytesize)
      env["rack.input"] = kind.new(bytes)
      assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env, Order, max: bytes.bytesize - 1) }
    end
  end

  def test_the_limit_of_messages_counts
    limits = Sparpack::Limits.new(message: 10)
    big = Order.new(id: 1, name: "x" * 20).encode

    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env(big, MEDIA.type(:compact)), Order, limits:) }
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env(big, MEDIA.type(:compact)), Order, max: 10) }
    codec = Sparpack::Codec.new(Order, :compact, limits:)

    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.body(env(big, MEDIA.type(:compact)), codec) }
    assert Sparpack::Rack.body(env(big, MEDIA.type(:compact)), codec, limits: nil)
    list = env(big * 2, MEDIA.type(:compact)) # its limit is max: alone

    assert_equal 2, Sparpack::Rack.body(list, [Order], limits:).size
  end

  def test_a_body_that_was_cut
    env = { "CONTENT_TYPE" => MEDIA.type(:compact), "CONTENT_LENGTH" => "30", "rack.input" => Stream.new(ORDER.encode) }
    error = assert_raises(Sparpack::DecodeError::Truncated) { Sparpack::Rack.body(env, [Order]) }

    assert_equal "body: expected 30 bytes, as Content-Length says, found #{ORDER.encode.bytesize}", error.message
    again = assert_raises(Sparpack::DecodeError::Truncated) { Sparpack::Rack.body(env, Order) }
    assert_match(/found 0 \(something has read it before, and this rack\.input cannot be rewound\)\z/, again.message)
  end

  def test_a_limit_that_is_none
    [nil, -1, 1.5, "5"].each do |max|
      assert_equal "max: expected a number of bytes, got #{max.inspect}",
                   assert_raises(ArgumentError) { Sparpack::Rack.read({}, max:) }.message
    end
  end

  def test_no_body
    [{}, { "rack.input" => StringIO.new }].each do |env|
      assert_equal "", Sparpack::Rack.read(env)
      assert_raises(Sparpack::DecodeError::Truncated) { Sparpack::Rack.body({ **env, "CONTENT_TYPE" => "application/json" }, Order) }
    end
  end

  # Middleware of Rack 2 rewinds the input. That of Rack 3 need not have this method.
  def test_others_may_read_the_body_too
    input = StringIO.new(ORDER.encode)
    env = { "CONTENT_TYPE" => MEDIA.type(:compact), "rack.input" => input }
    input.read(3)

    assert_equal [ORDER, ORDER], Array.new(2) { Sparpack::Rack.body(env, Order) }
    assert_equal 0, input.pos
    IO.pipe do |reader, writer|
      writer.write(ORDER.encode)
      writer.close

      assert_equal ORDER, Sparpack::Rack.body({ **env, "rack.input" => reader }, Order)
    end
  end

  def test_odd_inputs
    odd = Class.new { define_method(:read) { |_| :odd } }.new
    assert_raises(TypeError) { Sparpack::Rack.read({ "rack.input" => odd }) }
    greedy = Class.new { define_method(:read) { |_| "x" * 1_000 } }.new # more than it was asked for, for ever
    assert_raises(Sparpack::DecodeError::LimitExceeded) { Sparpack::Rack.read({ "rack.input" => greedy }, max: 10_000) }
    empty = Class.new { define_method(:read) { |_| "" } }.new
    assert_equal "", Sparpack::Rack.read({ "rack.input" => empty })
    gone = Class.new { define_method(:read) { |_| raise EOFError, "the client has gone" } }.new
    assert_raises(EOFError) { Sparpack::Rack.read({ "rack.input" => gone }) }
  end

  def test_nothing_is_read_for_an_unknown_type
    input = Stream.new("x" * 100)

    assert_raises(MEDIA::Unsupported) { Sparpack::Rack.body({ "CONTENT_TYPE" => "text/html", "rack.input" => input }, Order) }
    assert_empty input.asked
  end

  # --- faults ------------------------------------------------------------------------------------------------------------

  def test_the_status_of_each_error
    decode = Sparpack::DecodeError
    { decode => 400, decode::Truncated => 400, decode::Malformed => 400, decode::TypeMismatch => 400,
      decode::OutOfRange => 400,
      decode::MissingField => 400, decode::LimitExceeded => 413, MEDIA::Unsupported => 415, Sparpack::ConversionError => 422,
      Sparpack::ValidationError => 422, Sparpack::EncodeError => nil, Sparpack::SchemaError => nil, ArgumentError => nil }
      .each do |kind, status|
      status ? assert_equal(status, Sparpack::Rack.status(kind.new)) : assert_nil(Sparpack::Rack.status(kind.new))
    end
  end

  def test_answers_to_faults
    { ["{", "application/json"] => [400, "Bad Request", "RackTest::Order: expected more bytes, found the end of the input"],
      ['{"id":"x"}', "application/json"] => [400, "Bad Request", "RackTest::Order.id: expected i32, found a string"],
      ["x" * 2_001, "application/json"] => [413, "Content Too Large", "body: expected at most 2000 bytes, found more"],
      ["x",
       "text/html"] => [415, "Unsupported Media Type", "expected one of #{MEDIA::TYPES.values.map(&:first).join(", ")}"],
      ["x", nil] => [415, "Unsupported Media Type", "expected one of #{MEDIA::TYPES.values.map(&:first).join(", ")}"] }
      .each do |(body, type), (status, title, detail)|
      response = post(body, type)
      problem = JSON.parse(response.body)

      assert_equal [status, "application/problem+json"], [response.status, response.content_type]
      assert_equal [title, status, detail], problem.values_at("title", "status", "detail")
      status == 415 ? assert_equal(MEDIA.accept, response["accept"]) : assert_nil(response["accept"])
    end
  end

  def test_the_parts_of_a_problem
    problem = JSON.parse(post('{"id":1,"lines":[{"id":[]}]}', "application/json").body)

    assert_equal({ "title" => "Bad Request", "status" => 400, "path" => "RackTest::Order.lines[0].id", "expected" => "i32",
                   "found" => "an array", "detail" => "RackTest::Order.lines[0].id: expected i32, found an array" }, problem)
  end

  def test_faults_of_parameters
    problem = problem_of { Order.from_h({ "id" => "x", "lines" => [{ "id" => "9" * 30 }] }, coerce: true) }
    id = { "path" => "RackTest::Order.id", "expected" => "i32", "found" => "text that is not an integer" }

    assert_equal 422, problem["status"]
    assert_equal id, problem.slice("path", "expected", "found")
    assert_equal(%w[RackTest::Order.id RackTest::Order.lines[0].id], problem["errors"].map { |error| error["path"] })
  end

  def test_faults_of_validation
    problem = problem_of { Order.new.validate }

    assert_equal [422, "RackTest::Order.id"], problem.values_at("status", "path")
  end

  # Neither what a String of the body holds, nor a name that the client has made up.
  def test_no_answer_holds_a_string_of_the_body
    secret = "hunter2secret"
    texts = [%({"id":"#{secret}"}), %({"#{secret}":1}), %({"id":1,"name":"#{secret}","lines":5}), secret, %("#{secret}"),
             %({"id":1}#{secret}), %({"id":1,"labels":{"#{secret}":"#{secret}"}}), %({"id":#{secret}}), %({"id":1,#{secret}),
             %({"id":1,"name":"#{secret}\xFF"}), %({"id":1,"name":"#{secret}\\q"})]
    texts.each do |text|
      Sparpack::WIRES.each { |wire| refute_includes post(text, MEDIA.type(wire)).body, secret }
    end
    whole = Order.new(id: 1, name: secret, labels: { secret => 1 }, lines: [Order.new(id: 2, name: secret)])
    Sparpack::WIRES.product((0..200).to_a) do |wire, _|
      response = post(changed(whole.encode(wire)), MEDIA.type(wire))

      refute_match(/unter2|2sec/, response.body) unless response.status == 201
    end
    [{ secret => 1 }, { id: secret }, { "lines" => [{ secret => secret }] }, { "lines" => secret },
     { labels: { secret => secret } },
     { id: 1, name: [secret] }].each do |hash|
      [true, false].each do |coerce|
        refute_includes JSON.generate(problem_of { Order.from_h(hash, coerce:).validate }), secret
      end
    end
  end

  def test_other_errors_pass
    [ArgumentError.new("x"), Sparpack::EncodeError.new("x"), Sparpack::SchemaError.new("x"), SystemExit.new].each do |error|
      assert_same(error, assert_raises(error.class) { Sparpack::Rack::Faults.new(->(_) { raise error }).call({}) })
    end
  end

  def test_the_error_is_there_for_a_logger
    env = env("{", "application/json")
    Sparpack::Rack::Faults.new(ECHO).call(env)

    assert_instance_of Sparpack::DecodeError::Truncated, env["sparpack.error"]
  end

  def test_names_that_no_field_has
    ["secret", "a secret.x", "secret[3].b", 'secret".x', "x." * 50].each do |name|
      [{ name => 1 }, { "lines" => [{ name => 1 }] }, { "lines" => [{ name => 1 }], name => 2 }].each do |hash|
        problem = problem_of { Order.from_h({ "id" => 1, **hash }, coerce: true) }

        assert_includes [Order.to_s, "#{Order}.lines[0]", "#{Order}.lines[0].id"], problem["path"]
        refute_match(/secret|x\.x/, JSON.generate(problem))
      end
    end
  end

  def test_an_answer_to_head_has_no_body
    response = Rack::MockRequest.new(APP).head("/", "CONTENT_TYPE" => "text/html")

    assert_equal [415, ""], [response.status, response.body]
  end

  # --- loading -----------------------------------------------------------------------------------------------------------

  ALONE = <<~'RUBY'
    require "sparpack"
    before = $LOADED_FEATURES.dup
    require "sparpack/rack"
    loaded = ($LOADED_FEATURES - before).grep(%r{\.rb\z}).map { |path| path[%r{/lib/(sparpack/.*)\.rb\z}, 1] || path }
    class Order < Sparpack::Struct
      field 1, :id, :i32
    end
    env = { "CONTENT_TYPE" => "application/json", "rack.input" => StringIO.new('{"id":7}') }
    app = Sparpack::Rack::Faults.new(->(env) { Sparpack::Rack.response(Sparpack::Rack.body(env, "Order"), env) })
    File.binwrite(ARGV.last, Marshal.dump([loaded, app.call(env), $LOADED_FEATURES.grep(%r{/rack\b}).size]))
  RUBY

  def test_it_needs_no_other_gem_and_loads_nothing_early
    loaded, response, = fresh_result("require 'stringio'\n#{ALONE}")

    assert_equal %w[sparpack/media sparpack/rack], loaded.sort
    assert_equal [200, { "content-type" => "application/json" }, ['{"id":7}']], response
  end

  private

  def post(body, type, path: "/", **headers)
    env = { "CONTENT_TYPE" => type, "HTTP_ACCEPT" => headers[:accept], input: body }.compact
    Rack::MockRequest.new(APP).post(path, env)
  end

  def env(bytes, type) = { "CONTENT_TYPE" => type, "rack.input" => StringIO.new(bytes) }

  def problem_of(&block)
    _, headers, body = Sparpack::Rack::Faults.new(->(_) { [200, {}, [yield.to_s]] }).call({})
    headers.empty? ? {} : JSON.parse(body.first)
  end

  def changed(bytes)
    bytes.b.tap do |copy|
      random.rand(1..3).times { copy.setbyte(random.rand(copy.bytesize), random.rand(256)) }
      copy.slice!(random.rand(copy.bytesize)..) if random.rand(4).zero?
    end
  end
end
