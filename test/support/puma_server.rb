# frozen_string_literal: true

require "puma"
require "puma/server"
require "socket"
require_relative "deadline"

# Serves a Rack application by Puma on a port of this machine while a block runs, and talks to it without a library that
# would mend what is wrong with a request.
module PumaServer
  include Deadline

  # How long a client or the server waits.
  SECONDS = 20

  # @param app [#call]
  # @yieldparam port [Integer]
  # @return [Object] the block's result
  def serve(app)
    server = Puma::Server.new(app, nil, min_threads: 1, max_threads: 4, first_data_timeout: SECONDS,
                                        log_writer: Puma::LogWriter.null)
    server.add_tcp_listener("127.0.0.1", 0)
    server.run
    within("the answers of Puma") { yield server.connected_ports.first }
  ensure
    server&.stop(true)
  end

  # Sends bytes as they are, and reads all that comes until the server closes the connection.
  #
  # @param port [Integer]
  # @param pieces [Array<String>]
  # @param pause [Numeric] how long to wait between the pieces
  # @return [Array(Integer, Hash, String)] status, headers and body
  def talk(port, *pieces, pause: 0)
    within("an answer", seconds: SECONDS) do
      TCPSocket.open("127.0.0.1", port) do |socket|
        begin
          pieces.each { |piece| socket.write(piece) && sleep(pause) }
        rescue Errno::EPIPE, Errno::ECONNRESET
          nil # the server has answered already
        end
        parse(socket.read)
      end
    end
  end

  # @param text [String]
  # @param size [Integer]
  # @return [Array<String>] the text as HTTP writes bodies whose length is not known
  def chunks(text, size)
    pieces = (0...text.bytesize).step(size).map { |start| text.b.byteslice(start, size) }
    [*pieces.map { |piece| "#{piece.bytesize.to_s(16)}\r\n".b << piece << "\r\n" }, "0\r\n\r\n"]
  end

  private

  def parse(text)
    head, body = text.b.split("\r\n\r\n", 2)
    lines = head.split("\r\n")
    headers = lines.drop(1).to_h { |line| line.split(": ", 2).then { |name, value| [name.downcase, value] } }
    [Integer(lines.first[/\AHTTP\S+ (\d+)/, 1]), headers, body]
  end
end
