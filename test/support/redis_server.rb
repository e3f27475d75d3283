# frozen_string_literal: true

require "socket"
require "tmpdir"
require_relative "deadline"

# Debian's redis-server, on a port of this machine and with a folder of its own.
class RedisServer
  include Deadline

  MISSING = "redis-server is missing: apt-get install redis-server"

  # @yieldparam server [RedisServer]
  def self.run
    server = new
    server.start
    yield server
  ensure
    server&.remove
  end

  attr_reader :port

  def initialize
    @folder = Dir.mktmpdir
    @port = TCPServer.open("127.0.0.1", 0) { |socket| socket.addr[1] }
  end

  def url = "redis://127.0.0.1:#{@port}"

  # What was written before a stop is there again.
  def start
    options = { port: @port, bind: "127.0.0.1", dir: @folder, appendonly: "yes", appendfsync: "always", save: "" }
    @pid = Process.spawn("redis-server", *options.flat_map { |name, value| ["--#{name}", value.to_s] },
                         out: "#{@folder}/log", err: "#{@folder}/log")
    within("redis-server", seconds: 20) { sleep(0.02) until ready? }
  end

  def stop
    return unless @pid

    Process.kill(:KILL, @pid)
    Process.wait(@pid)
    @pid = nil
  end

  def remove
    stop
    FileUtils.rm_rf(@folder)
  end

  private

  # It says that it is loading before it has read its file.
  def ready?
    TCPSocket.open("127.0.0.1", @port) { |socket| socket.write("PING\r\n") && socket.gets == "+PONG\r\n" }
  rescue SystemCallError
    false
  end
end
