# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "json"
require "sparpack/rack"
require "support/puma_server"

# Sparpack::Rack behind a real server, with requests that no client would send.
class PumaTest < Minitest::Test
  include PumaServer

  class Order < Sparpack::Struct
    field 1, :id, :i32, required: true
    field 2, :name, :string
  end

  MAX = 200_000
  COMPACT = "application/vnd.apache.thrift.compact"
  ORDER = Order.new(id: 1, name: "x" * 100_000)
  BYTES = ORDER.encode.freeze

  ECHO = lambda do |env|
    target = env["PATH_INFO"] == "/list" ? [Order] : Order
    Sparpack::Rack.response(Sparpack::Rack.body(env, target, max: MAX), env, wire: :compact)
  end
  APP = Sparpack::Rack::Faults.new(ECHO)

  def test_a_body_of_a_known_length
    serve(APP) do |port|
      assert_answer ORDER, talk(port, head("Content-Length: #{BYTES.bytesize}"), BYTES)
      two = [ORDER, Order.new(id: 2)]

      assert_answer two, talk(port, head("Content-Length: #{two.sum { |order| order.encode.bytesize }}", path: "/list"),
                              *two.map(&:encode))
      assert_answer [], talk(port, head("Content-Length: 0", path: "/list"))
    end
  end

  def test_chunks
    serve(APP) do |port|
      [1_000, 70_000, 200_000].each do |size|
        assert_answer ORDER, talk(port, head("Transfer-Encoding: chunked"), chunks(BYTES, size).join)
      end
    end
  end

  # The server waits for a slow client, and other requests do not.
  def test_a_body_that_trickles
    small = Order.new(id: 7)
    serve(APP) do |port|
      slow = Thread.new { talk(port, head("Transfer-Encoding: chunked"), *chunks(small.encode, 1), pause: 0.05) }
      pieces = Thread.new { talk(port, head("Content-Length: #{small.encode.bytesize}"), *small.encode.chars, pause: 0.05) }

      assert_answer ORDER, talk(port, head("Content-Length: #{BYTES.bytesize}"), BYTES)
      finish([slow, pieces]).each { |answer| assert_answer small, answer }
    end
  end

  def test_a_body_that_is_too_large
    long = "x" * (MAX + 1)
    serve(APP) do |port|
      assert_problem 413, talk(port, head("Content-Length: #{long.bytesize}"), long)
      assert_problem 413, talk(port, head("Transfer-Encoding: chunked"), *chunks(long, 50_000))
    end
  end

  # What comes behind the length is no part of the request.
  def test_a_length_that_is_too_small
    sizes = Queue.new
    app = Sparpack::Rack::Faults.new(->(env) { (sizes << Sparpack::Rack.read(env).bytesize) && ECHO.call(env) })
    serve(app) do |port|
      begin
        assert_problem 400, talk(port, head("Content-Length: 10"), BYTES.byteslice(0, 20))
      rescue Errno::ECONNRESET
        nil # the server has closed the connection on what it had not read
      end

      assert_equal 10, sizes.pop
      assert_answer ORDER, talk(port, head("Content-Length: #{BYTES.bytesize}"), BYTES) # it serves on
    end
  end

  def test_a_length_that_is_too_large
    serve(APP) do |port|
      TCPSocket.open("127.0.0.1", port) do |socket|
        socket.write(head("Content-Length: #{BYTES.bytesize + 1}"), BYTES)
        socket.close_write

        assert_includes ["", "HTTP/1.1 400", "HTTP/1.1 408"], socket.read.to_s[0, 12] # as the server likes
      end
      assert_answer ORDER, talk(port, head("Content-Length: #{BYTES.bytesize}"), BYTES)
    end
  end

  def test_a_length_that_is_none
    serve(APP) do |port|
      ["x", "-1", "1e3"].each { |length| assert_equal 400, talk(port, head("Content-Length: #{length}")).first } # by Puma
    end
  end

  def test_an_unknown_type
    serve(APP) do |port|
      ["text/html", "", "application/json, #{COMPACT}", "#{COMPACT}\xFF"].each do |type|
        assert_problem 415, talk(port, head("Content-Length: #{BYTES.bytesize}", type:), BYTES)
      end
      status, headers, = talk(port, head("Content-Length: 1", type: nil), "x")

      assert_equal [415, Sparpack::Media.accept], [status, headers["accept"]]
    end
  end

  def test_garbage
    serve(APP) do |port|
      Sparpack::Media::TYPES.each_value do |types|
        assert_problem 400, talk(port, head("Content-Length: 6", type: types.last), "\xFF\x00{[\"\xFF".b)
      end
    end
  end

  private

  def head(*headers, path: "/", type: COMPACT)
    lines = ["POST #{path} HTTP/1.1", "Host: localhost", "Connection: close", *("Content-Type: #{type}" if type), *headers]
    "#{lines.join("\r\n")}\r\n\r\n".b
  end

  def assert_answer(object, (status, headers, body))
    assert_equal [200, COMPACT], [status, headers["content-type"]], body
    assert_equal object, object.is_a?(Array) ? Order.decode_each(body).to_a : Order.decode(body)
  end

  def assert_problem(expected, (status, headers, body))
    assert_equal [expected, "application/problem+json"], [status, headers["content-type"]], body
    assert_equal expected, JSON.parse(body)["status"]
  end
end
