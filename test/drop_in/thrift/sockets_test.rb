# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/thrift_process"

# Clients and servers of the thrift gem, with the drop-in on one side, on both, or on none. The processes talk over sockets.
class DropInThriftSocketsTest < Minitest::Test
  include ThriftProcess

  SHAPE = ThriftCases::SHAPES.fetch("0.25")

  # What all servers answer.
  EXPECTED = [
    "true", "Market::Everything(@last 7, @reals [0.5, 1.5], @text \"é\")", "Market::Point(@label \"found\", @x 7)",
    "Market::Gone: no such point", "Market::Broken: ",
    "Thrift::ApplicationException (6): Internal error", "nil", "nil", "[\"a note\"]",
    "Market::Answer(@setfield :numbers, @value [1, 2])", "Market::Answer(@setfield :color, @value 2)", "1099511627779",
    "Thrift::ApplicationException (5): echo failed: unknown result", "0"
  ].freeze

  ThriftCases::MODES.product(ThriftCases::MODES).each do |server, client|
    define_method("test_a_server_with_#{server}_and_a_client_with_#{client}") do
      answers = serving(server) { |ports| call(client, ports) }

      assert_equal 12, answers.size
      answers.each { |name, lines| assert_equal EXPECTED, lines, name }
    end
  end

  private

  def call(mode, ports)
    command = [RbConfig.ruby, "-W0", File.join(__dir__, "../../support/thrift_client.rb"), mode.to_s, SHAPE]
    output, errors, status = Command.capture3(FreshRuby.environment, *command, stdin_data: ports, within: 90)
    assert_predicate status, :success?, errors
    JSON.parse(output)
  end
end
