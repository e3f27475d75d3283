# frozen_string_literal: true

require_relative "schema"

# The examples of docs/karafka.md.
class PageTest < Minitest::Test
  PAGE = File.expand_path("../../../docs/karafka.md", __dir__)
  BLOCKS = File.read(PAGE).scan(/^```ruby (\w+)\.rb\n(.*?)^```$/m).reject { |name,| name == "Gemfile" }

  def test_examples
    assert_operator BLOCKS.size, :>, 5
    Shop.constants.each { |name| Shop.send(:remove_const, name) }
    BLOCKS.each do |name, source|
      source = source.sub(/^require_relative "order"\n/, "") # it is the block before
      made = TOPLEVEL_BINDING.eval(source, "#{PAGE} #{name}")

      assert_respond_to made, :call if source.start_with?("Sparpack::Karafka")
    end
    order = Shop::Order.new(id: 7)
    deserializers = KarafkaApp.routes.first.topics.find("orders").deserializers
    sent = Karafka.producer.middleware.run({ topic: "orders", key: 7, payload: order })

    assert_equal [order.encode, "7"], sent.values_at(:payload, :key)
    assert_equal [order, 7], read(sent, deserializers)
  end

  def read(sent, deserializers)
    metadata = Karafka::Messages::Metadata.new(topic: "orders", partition: 0, offset: 0, raw_key: sent[:key],
                                               raw_headers: sent[:headers], deserializers:)
    message = Karafka::Messages::Message.new(sent[:payload], metadata)
    [message.payload, message.key]
  end
end
