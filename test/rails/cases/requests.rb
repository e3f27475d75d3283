# frozen_string_literal: true

require_relative "support"

# Bodies of requests and responses in controllers of a Rails application.
class RequestsTest < Minitest::Test
  module Shop
    class Line < Sparpack::Struct
      field 1, :cents, :i64, required: true
    end

    class Order < Sparpack::Struct
      field 1, :id, :i64, required: true
      field 2, :lines, list(Line)
      field 3, :note, :string
    end
  end

  SMALL = Sparpack::Limits.new(memory: 4096)

  class OrdersController < ActionController::API
    def create = render(sparpack: body_as(Shop::Order, max: 1000, limits: SMALL), status: :created)
    def list = render(sparpack: body_as([Shop::Order]), wire: :compact)
    def index = render(sparpack: [Shop::Order.new(id: 1), Shop::Order.new(id: 2)])
    def show_names = render(sparpack: Shop::Order.new(id: 1), wire: :message_pack, keys: :names)
    def params_of = render(json: request.request_parameters)
    def names = render(json: params.except(:controller, :action).to_unsafe_h)
    def varied = response.set_header("Vary", "Accept-Encoding, X-Accept") && index
    def misspelt = body_as(Shop::Order, maxx: 1000)
    def misspelt_render = render(sparpack: Shop::Order.new(id: 1), key: :names, status: :ok, location: "/", foo: 1)
    def plain = render(json: Shop::Order.new(id: 1))
    def wrong = render(sparpack: Shop::Order.new)
    def strict = Shop::Order.from_h({ id: "x" }, coerce: true)
    def twice = render(sparpack: [params["id"] && body_as(Shop::Order), body_as("RequestsTest::Shop::Order")].compact)

    include ActionController::MimeResponds

    def formats
      respond_to do |format|
        format.thrift_compact { render sparpack: Shop::Order.new(id: 1), wire: :compact }
        format.msgpack { render sparpack: Shop::Order.new(id: 2), wire: :message_pack }
        format.json { render json: { "id" => 3 } }
      end
    end
  end

  class ImagesController < ActionController::Base
    param_encoding :image, :image, Encoding::ASCII_8BIT
    def image = render(json: { image: params[:image].bytes, note: params[:note] })
  end

  SmallApplication.boot do
    config.action_controller.allow_forgery_protection = false
    routes.append do
      OrdersController.action_methods.each { |name| match(name, to: OrdersController.action(name), via: :all) }
      post "image", controller: "requests_test/images", action: :image
    end
  end

  ORDER = Shop::Order.new(id: 7, lines: [Shop::Line.new(cents: 5)], note: "ü")

  def setup
    @session = SmallApplication.session
  end

  def send_to(action, body, type, **headers)
    @session.post "/#{action}", params: body, headers: { "CONTENT_TYPE" => type, **headers }
    @session.response
  end

  def test_each_wire_in_and_out
    Sparpack::Media::TYPES.each do |wire, types|
      types.each do |type|
        response = send_to("create", ORDER.encode(wire), type, "HTTP_ACCEPT" => type)

        assert_equal 201, response.status
        assert_equal Sparpack::Media.type(wire), response.media_type
        assert_equal ORDER, Shop::Order.decode(response.body, wire)
        assert_equal wire == :json, response.headers["content-type"].include?("charset"), response.headers["content-type"]
      end
    end
  end

  def test_json_if_nothing_of_ours_is_accepted
    assert_equal "application/json", send_to("create", ORDER.encode, "application/vnd.apache.thrift.compact").media_type
    response = send_to("create", ORDER.encode, "application/vnd.apache.thrift.compact", "HTTP_ACCEPT" => "text/html")

    assert_equal "application/json", response.media_type
  end

  # A cache between client and server must not give one client what another accepts.
  def test_responses_vary
    [nil, "application/vnd.msgpack", "application/vnd.msgpack, */*"].each do |accept|
      @session.get "/index", headers: { "HTTP_ACCEPT" => accept }.compact

      assert_includes @session.response.headers["Vary"].split(", "), "Accept", accept.inspect
    end
    @session.get "/varied"

    assert_equal %w[Accept-Encoding X-Accept Accept], @session.response.headers["Vary"].split(", ").take(3)
  end

  def test_lists
    response = send_to("list", "[#{ORDER.encode(:json)}, {\"id\": 1}]", "application/json")

    assert_equal [ORDER, Shop::Order.new(id: 1)], Shop::Order.decode_each(response.body).to_a
    @session.get "/index", headers: { "HTTP_ACCEPT" => "application/vnd.msgpack" }

    assert_equal "\x92".b, @session.response.body.b[0]
    @session.get "/index"

    assert_equal '[{"id":1},{"id":2}]', @session.response.body
    @session.get "/show_names"

    assert_equal({ "id" => 1 }, Sparpack::MessagePack.unpack(@session.response.body))
  end

  def test_statuses
    compact = "application/vnd.apache.thrift.compact"
    { ["create", "garbage", compact] => 400, ["create", "", compact] => 400, ["create", ORDER.encode.chop, compact] => 400,
      ["create", "{", "application/json"] => 400, ["create", "\xC1".b, "application/msgpack"] => 400,
      ["create", Shop::Order.new(id: 1, note: "a" * 1000).encode, compact] => 413,
      ["create", Shop::Order.new(id: 1, lines: [Shop::Line.new(cents: 1)] * 300).encode, compact] => 413,
      ["create", "id=1", "application/x-www-form-urlencoded"] => 415, ["create", "a", nil] => 415,
      ["strict", "", "text/plain"] => 422, ["wrong", "", "text/plain"] => 500 }.each do |(action, body, type), status|
      assert_equal status, send_to(action, body, type).status, [action, body, type].inspect
    end
  end

  def test_misspelt_options
    said = []
    subscriber = ->(*, payload) { said << payload[:exception_object].message }
    ActiveSupport::Notifications.subscribed(subscriber, "process_action.action_controller") do
      send_to("misspelt", '{"id":1}', "application/json")
      send_to("misspelt_render", "", "text/plain")
    end

    assert_equal ["unknown option :maxx (did you mean :max?)", "unknown option :key (did you mean :keys?)"], said
  end

  def test_a_false_length
    compact = "application/vnd.apache.thrift.compact"
    body = Shop::Order.new(id: 1, note: "a" * 2000).encode
    env = Rack::MockRequest.env_for("/create", method: "POST", input: body, "CONTENT_TYPE" => compact)

    { "10" => 413, nil => 413, "99999999999" => 413 }.each do |length, status|
      given = env.merge("CONTENT_LENGTH" => length, "rack.input" => StringIO.new(body))

      assert_equal status, Rails.application.call(given).first
    end
  end

  def test_parameters_of_message_pack
    order = { "id" => 1, "tags" => ["a"] }
    send_to("params_of", Sparpack::MessagePack.pack({ "order" => order, 5 => nil }), "application/msgpack")

    assert_equal({ "order" => order, "5" => nil }, JSON.parse(@session.response.body))
    send_to("params_of", Sparpack::MessagePack.pack([1]), "application/vnd.msgpack")

    assert_equal({ "_msgpack" => [1] }, JSON.parse(@session.response.body))
    assert_equal 400, send_to("params_of", "\xDD\xFF\xFF\xFF\xFF".b, "application/msgpack").status
    assert_equal 400, send_to("params_of", "\xC1".b, "application/msgpack").status
    assert_equal 400, send_to("params_of", ("\x91".b * 1000) << 1, "application/msgpack").status
  end

  # ActionController::Parameters takes no other names, and would answer with an error of the server.
  def test_names_of_parameters_are_strings
    [{ nil => 1 }, { [1] => 2 }, { "a" => [{ nil => 2 }] }, [{ 1.5 => 1 }]].each do |value|
      assert_equal 400, send_to("names", Sparpack::MessagePack.pack(value), "application/msgpack").status, value.inspect
    end
    value = { "a" => [{ "b" => [1] }], 7 => { 8 => 9 } }

    assert_equal 200, send_to("names", Sparpack::MessagePack.pack(value), "application/msgpack").status
    assert_equal({ "a" => [{ "b" => [1] }], "7" => { "8" => 9 } }, JSON.parse(@session.response.body))
  end

  # As in a form. Otherwise they would be an error of the server as soon as a controller renders them.
  def test_binary_strings_of_parameters_are_text
    good, bad = ["ü".b, "\xFF\x00".b].map { |bytes| Sparpack::MessagePack.pack({ "note" => [bytes] }) }

    assert_equal 200, send_to("names", good, "application/msgpack").status
    assert_equal({ "note" => ["ü"] }, JSON.parse(@session.response.body))
    assert_equal 400, send_to("names", bad, "application/msgpack").status
    assert_equal 400, send_to("names", "\x81\xA1\xFF\x01".b, "application/msgpack").status # the name
    image = Sparpack::MessagePack.pack({ "image" => "\xFF\x00".b, "note" => "ü" })

    assert_equal '{"image":[255,0],"note":"ü"}', send_to("image", image, "application/msgpack").body
  end

  def test_a_body_that_rails_has_read
    assert_equal 200, send_to("twice?id=1", ORDER.encode(:json), "application/json").status
    assert_equal([ORDER, ORDER], JSON.parse(@session.response.body).map { |each| Shop::Order.from_h(each) })
    response = send_to("twice?id=1", ORDER.encode(:message_pack, keys: :names), "application/msgpack")

    assert_equal 200, response.status
  end

  def test_a_compressed_body
    ["create", "twice?id=1"].each do |path|
      response = send_to(path, "\x1F\x8B\b\0".b, "application/x-thrift", "HTTP_CONTENT_ENCODING" => "gzip")

      assert_equal 415, response.status, path
    end
  end

  def test_formats
    { "application/vnd.apache.thrift.compact" => Shop::Order.new(id: 1).encode,
      "application/x-msgpack" => "\x94\xC0\x02\xC0\xC0".b, "application/json" => '{"id":3}' }.each do |type, body|
      @session.get "/formats", headers: { "HTTP_ACCEPT" => type }

      assert_equal body, @session.response.body.b
    end
    @session.get "/formats.msgpack"

    assert_equal "\x94\xC0\x02\xC0\xC0".b, @session.response.body.b
    assert_equal "application/vnd.msgpack", Mime[:msgpack].to_s
    assert_equal :thrift_binary, Mime::Type.lookup("application/x-thrift").symbol
  end

  def test_json_of_rails
    @session.get "/plain"

    assert_equal '{"id":1}', @session.response.body
  end
end
