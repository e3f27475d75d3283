# frozen_string_literal: true

require "json"
require "timeout"
require_relative "thrift_mode"

# Calls the servers of support/thrift_server.rb, whose ports its standard input has as JSON, and prints what they answer:
#
#     ruby thrift_client.rb gem|drop_in SHAPE
module ThriftClient
  SECONDS = 30

  class << self
    # @param name [String] which server
    # @return [Array<String>] what it answers
    def call(name, port)
      Timeout.timeout(SECONDS) do
        transport, protocol = connection(name, port)
        answers(Market::Shop::Client.new(protocol))
      ensure
        transport&.close
      end
    end

    private

    def connection(name, port)
      *, kind, wire = name.split
      return http(wire, port) if kind == "http"

      socket = Thrift::Socket.new("127.0.0.1", port, SECONDS)
      if name == "header"
        protocol = Thrift::HeaderProtocol.new(socket)
        socket.open
        return [socket, protocol]
      end
      transport = kind == "framed" ? Thrift::FramedTransport.new(socket) : Thrift::BufferedTransport.new(socket)
      transport.open
      protocol = protocol(wire, transport)
      [transport, name.start_with?("multiplexed") ? Thrift::MultiplexedProtocol.new(protocol, "Shop") : protocol]
    end

    def http(wire, port)
      transport = Thrift::HTTPClientTransport.new("http://127.0.0.1:#{port}/shop")
      [transport, protocol(wire, transport)]
    end

    def protocol(wire, transport)
      wire == "json" ? Thrift::JsonProtocol.new(transport) : ThriftTools.protocol(wire.to_sym, transport)
    end

    def everything
      Market::Everything.new(
        flag: true, tiny: -1, small: 2, medium: 3, large: 2**50, real: 0.5, text: "ü" * 3000, bytes: "\xff".b * 3000,
        points: Array.new(500) { |x| Market::Point.new(x:) }, words: Set["a", "b"], names: { 1 => "one" }, color: 5,
        answer: Market::Answer.answer(Market::Answer.text("deep")), inner: { "k" => Market::Everything.new(tiny: 1) }
      )
    end

    def answers(client)
      sent = everything
      calls = [-> { client.echo(sent) == sent }, -> { client.echo(Market::Everything.new(text: "é")) }, lambda {
        client.find(7)
      },
               *(0..2).map { |id| -> { client.find(id) } }, -> { client.ping }, -> { client.note("a note").then { nil } },
               -> { client.notes }, -> { client.answer(Market::Answer.numbers([1, 2]), 1) }, -> { client.answer(nil, 2) },
               -> { client.total([1, 2, 2**40]) }, -> { client.echo(nil) }, -> { client.total([]) }]
      calls.map { |call| ThriftTools.outcome { ThriftTools.show(call.call) } }
    end
  end
end

if $PROGRAM_NAME == __FILE__
  mode, shape = ARGV
  ThriftMode.load(mode)
  ThriftMode.load_shop(shape)
  print JSON.generate(JSON.parse($stdin.read).to_h { |name, port| [name, ThriftClient.call(name, port)] })
end
