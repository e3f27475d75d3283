# frozen_string_literal: true

require "json"
require_relative "thrift_mode"

# Serves the service of test/fixtures/market.thrift over sockets, in each way that the thrift gem has, until its input ends:
#
#     ruby thrift_server.rb gem|drop_in SHAPE
#
# It prints the ports as JSON.
module ThriftServer
  # Answers the calls. The clients of all servers share it.
  class Handler
    def initialize
      @notes = Queue.new
    end

    def echo(value) = value
    def ping = nil
    def note(text) = @notes << text
    def total(numbers) = numbers.sum
    def answer(answer, color) = answer || Market::Answer.color(color)

    def find(id)
      case id
      when 0 then raise Market::Gone, "no such point"
      when 1 then raise Market::Broken.new(reason: "broken", code: 5, place: Market::Point.new(x: 9))
      when 2 then raise ArgumentError, "a fault of the handler"
      else Market::Point.new(x: id, label: "found")
      end
    end

    # @return [Array<String>] the next note; a oneway call may arrive later than the call after it
    def notes = [@notes.pop]
  end

  KINDS = {
    "simple buffered compact" => [:SimpleServer, :BufferedTransportFactory, :CompactProtocolFactory],
    "simple framed binary" => [:SimpleServer, :FramedTransportFactory, :BinaryProtocolFactory],
    "threaded buffered accelerated" => [:ThreadedServer, :BufferedTransportFactory, :BinaryProtocolAcceleratedFactory],
    "pool framed compact" => [:ThreadPoolServer, :FramedTransportFactory, :CompactProtocolFactory],
    "pool buffered binary" => [:ThreadPoolServer, :BufferedTransportFactory, :BinaryProtocolFactory],
    "nonblocking framed compact" => [:NonblockingServer, :FramedTransportFactory, :CompactProtocolFactory],
    "nonblocking framed accelerated" => [:NonblockingServer, :FramedTransportFactory, :BinaryProtocolAcceleratedFactory],
    "simple framed json" => [:SimpleServer, :FramedTransportFactory, :JsonProtocolFactory],
    "multiplexed framed compact" => [:ThreadedServer, :FramedTransportFactory, :CompactProtocolFactory],
    "header" => [:ThreadedServer, :HeaderTransportFactory, :HeaderProtocolFactory],
    "http binary" => [:rack, :BinaryProtocolFactory],
    "http compact" => [:rack, :CompactProtocolFactory]
  }.freeze

  class << self
    # @return [Hash{String => Integer}] ports
    def start
      processor = Market::Shop::Processor.new(Handler.new)
      KINDS.to_h do |name, (kind, *factories)|
        used = name.start_with?("multiplexed") ? multiplexed(processor) : processor
        [name, kind == :rack ? http(used, *factories) : listen(kind, used, *factories)]
      end
    end

    private

    def multiplexed(processor)
      Thrift::MultiplexedProcessor.new.tap { |both| both.register_processor("Shop", processor) }
    end

    def listen(kind, processor, transports, protocols)
      socket = Thrift::ServerSocket.new("127.0.0.1", 0)
      server = Thrift.const_get(kind).new(processor, socket, Thrift.const_get(transports).new,
                                          Thrift.const_get(protocols).new)
      Thread.new { server.serve }
      sleep(0.005) until socket.handle
      socket.handle.addr[1]
    end

    # Only as much HTTP as the gem's client speaks.
    def http(processor, protocols)
      application = Thrift::RackApplication.mapped("/shop", processor, Thrift.const_get(protocols).new).to_app
      server = TCPServer.new("127.0.0.1", 0)
      Thread.new do
        loop { Thread.new(server.accept) { |client| respond(client, application) } }
      end
      server.addr[1]
    end

    def respond(client, application)
      verb, path = client.gets.split
      headers = {}
      while (line = client.gets) && line != "\r\n"
        name, value = line.chomp.split(": ", 2)
        headers[name.upcase.tr("-", "_")] = value
      end
      body = client.read(headers.fetch("CONTENT_LENGTH").to_i)
      client.write(response(application.call(environment(verb, path, headers, body))))
    ensure
      client.close
    end

    def environment(verb, path, headers, body)
      { "REQUEST_METHOD" => verb, "PATH_INFO" => path, "SCRIPT_NAME" => "", "QUERY_STRING" => "",
        "SERVER_NAME" => "localhost", "SERVER_PORT" => "80", "rack.url_scheme" => "http",
        "rack.input" => StringIO.new(body), "rack.errors" => $stderr,
        "CONTENT_TYPE" => headers["CONTENT_TYPE"], "CONTENT_LENGTH" => headers["CONTENT_LENGTH"] }
    end

    def response((status, headers, parts))
      body = +"".b
      parts.each { |part| body << part }
      lines = headers.map { |name, value| "#{name}: #{value}\r\n" unless name.casecmp?("content-length") }.join
      "HTTP/1.1 #{status} X\r\n#{lines}content-length: #{body.bytesize}\r\nconnection: close\r\n\r\n".b << body
    end
  end
end

if $PROGRAM_NAME == __FILE__
  mode, shape = ARGV
  ThriftMode.load(mode)
  ThriftMode.load_shop(shape)
  require "socket"
  require "thrift/server/rack_application"
  $stdout.puts JSON.generate(ThriftServer.start)
  $stdout.flush
  $stdin.read
  exit!(0)
end
