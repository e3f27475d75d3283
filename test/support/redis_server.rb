# frozen_string_literal: true

require_relative "local_server"

# What was written before a stop is there again after a start.
class RedisServer < LocalServer
  MISSING = "redis-server is missing: apt-get install redis-server"

  def url = "redis://127.0.0.1:#{port}"

  private

  def command
    options = { port:, bind: "127.0.0.1", dir: @folder, appendonly: "yes", appendfsync: "always", save: "" }
    ["redis-server", *options.flat_map { |name, value| ["--#{name}", value.to_s] }]
  end

  # It says that it is loading before it has read its file.
  def answers?(socket) = socket.write("PING\r\n") && socket.gets == "+PONG\r\n"
end
