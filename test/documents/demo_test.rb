# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/command"

# Runs bin/demo as a new user types it.
class DemoTest < Minitest::Test
  DEMO = File.expand_path("../../bin/demo", __dir__)

  def test_demo_does_the_main_job
    output, status = Command.capture2e(RbConfig.ruby, DEMO)

    assert_predicate status, :success?, output
    assert_match(/^  loaded +examples.listing.thrift/, output)
    assert_match(/^    Demo::Neighborhood: neighborhood_id i64, name string$/, output)
    assert_match(/listing.thrift:17:20: .* "Neighborhod", which is not defined \(did you mean "Neighborhood"\?\)$/, output)
    assert_match(/decoded +1,000 listings from 215,465 bytes/, output)
    assert_match(/encoded again, they are byte for byte what Apache Thrift wrote/, output)
    assert_match(/equal when decoded/, output)
    assert_match(/^  JSON .* ms .* x$/, output)
    assert_match(/Listings\.listings\[0\]\.neighborhoods\[1\]\.name: expected/, output)
  end
end
