# frozen_string_literal: true

require "test_helper"
require "support/thrift_gems"
require "support/thrift_process"

# bin/test: not sanitized, for it compiles another gem

# Gems that use the thrift gem: thrift_client and finagle-thrift. Their newest versions do not work with thrift 0.25, nor
# with 0.18 to 0.24, so they run on 0.17.
class DropInThriftGuestsTest < Minitest::Test
  include ThriftProcess

  PROGRAM = File.expand_path("../../support/thrift_guests.rb", __dir__)
  VERSION = "0.17.0"
  GUESTS = { "thrift_client" => "0.11.0", "finagle-thrift" => "1.4.2" }.freeze

  CALLS = ['Market::Point(@label "found", @x 7)', "Market::Gone: no such point"].freeze
  ECHO = 'Market::Everything(@last 7, @reals [0.5, 1.5], @text "ü")'

  ThriftCases::MODES.each do |mode|
    define_method("test_thrift_client_with_#{mode}") do
      assert_equal [*CALLS, ECHO, "3"] * 3, guest(mode, :thrift_client)
    end

    define_method("test_tracing_with_#{mode}") { assert_equal CALLS, guest(mode, :tracing) }

    define_method("test_classes_of_finagle_with_#{mode}") do
      lines = guest(mode, :finagle, version: nil)

      assert_equal 21, lines.size
      assert_equal "16 80 80 80 80 80 40 16 0a 31 1c 18 02 6d 65 00 29 0c 00", lines.first
      assert_equal 3, lines.grep(/\AFinagleThrift::RequestHeader\(@client_id FinagleThrift::ClientId\(@name "me"\), /).size
    end
  end

  private

  def guest(mode, name, version: VERSION)
    homes = GUESTS.merge({ "thrift" => version }.compact).map do |gem, number|
      ThriftGems.install(gem, number) { |reason| skip "the registry cannot be reached: #{reason}" }
    end
    folders = GUESTS.map { |gem, number| File.join(homes.first, "gems/#{gem}-#{number}/lib") }
    serving(mode) do |ports|
      JSON.parse(ThriftCases.ruby(homes.first, PROGRAM, mode, version, name, ThriftCases::SHAPES.fetch("0.17"), ports,
                                  *folders))
    end
  end
end
