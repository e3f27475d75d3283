# frozen_string_literal: true

require_relative "thrift_cases"

# Servers of the thrift gem in a process of their own.
module ThriftProcess
  SERVER = File.join(__dir__, "thrift_server.rb")
  SECONDS = 100

  private

  # @yieldparam ports [String] JSON: a port for each kind of server, see support/thrift_server.rb
  # @return [Object] what the block returns
  def serving(mode)
    command = [RbConfig.ruby, "-W0", SERVER, mode.to_s, ThriftCases::SHAPES.fetch("0.25")]
    Command.popen3(FreshRuby.environment, *command, within: SECONDS) do |input, output, errors, _|
      ports = output.gets
      flunk errors.read unless ports
      yield(ports).tap { input.close }
    end
  end
end
