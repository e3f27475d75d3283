# frozen_string_literal: true

require_relative "support"

# docs/rails_requests.md shows an application that does what the page says.
class PageTest < Minitest::Test
  PAGE = File.read(File.expand_path("../../../docs/rails_requests.md", __dir__), encoding: "UTF-8")
  PAGE.scan(%r{^```ruby (\w+/\S+)\n(.*?)^```$}m) { |path, source| SmallApplication.write(path, source) }
  PAGE.scan(%r{^```thrift\n// (\S+)\n(.*?)^```$}m) { |path, source| SmallApplication.write(path, source) }
  SmallApplication.boot("production")

  def setup
    @session = SmallApplication.session
  end

  def answer(verb, path, accept: nil, type: nil, body: nil)
    @session.public_send(verb, path, params: body, headers: { "HTTP_ACCEPT" => accept, "CONTENT_TYPE" => type }.compact)
    @session.response
  end

  def test_orders
    response = answer(:post, "/orders", type: "application/json", body: '{"id": 7}')

    assert_equal [201, '{"id":7}'], [response.status, response.body]
    response = answer(:get, "/orders", accept: "application/vnd.msgpack")

    assert_equal [200, "application/vnd.msgpack"], [response.status, response.media_type]
  end

  def test_baskets
    assert_equal '{"basket":5}', answer(:get, "/baskets/5", accept: "application/json").body
    body = answer(:get, "/baskets/5", accept: "application/msgpack").body

    assert_equal({ "id" => 5 }, Sparpack::MessagePack.unpack(body))
    body = Sparpack::MessagePack.pack({ "basket" => { "note" => "lamp" } })

    assert_equal '{"note":"lamp"}', answer(:post, "/baskets", type: "application/msgpack", body:).body
  end

  def test_faults
    compact = "application/vnd.apache.thrift.compact"
    { ["garbage", compact] => 400, [Shop::Order.new(id: 1, note: "a" * 65_536).encode, compact] => 413,
      ["a", "text/plain"] => 415 }.each do |(body, type), status|
      response = answer(:post, "/orders", type:, body:)

      assert_equal [status, "application/problem+json"], [response.status, response.media_type]
      assert_equal status, JSON.parse(response.body)["status"]
    end
  end

  def test_thrift_files
    assert_equal 5, Billing::Invoice.new(total_cents: 5).total_cents
  end

  def test_the_table_of_content_types
    Sparpack::Media::TYPES.each do |wire, (written, *read)|
      row = PAGE[/^\| `:#{wire}` \| .*$/] or flunk("no row of #{wire}")

      assert_equal [written, *read], row.scan(%r{application/[\w.-]+})
    end
  end
end
