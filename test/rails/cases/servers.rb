# frozen_string_literal: true

require "fileutils"
require "minitest"
require "socket"
require "tmpdir"

# Starts servers of Debian's packages on ports of this machine, and stops them at the end.
module Servers
  SECONDS = 20
  FOLDER = Dir.mktmpdir("sparpack-servers")
  PIDS = {} # rubocop:disable Style/MutableConstant
  PORTS = {} # rubocop:disable Style/MutableConstant
  Minitest.after_run do
    PIDS.each_key { |name| stop(name) }
    FileUtils.rm_rf(FOLDER)
  end

  class << self
    # @return [Integer] the port, the same after a new start
    def redis
      start("redis-server") { |port| ["--port", port.to_s, "--bind", "127.0.0.1", "--save", "", "--dir", FOLDER] }
    end

    # @return [Integer]
    def memcached = start("memcached") { |port| ["-p", port.to_s, "-l", "127.0.0.1", "-U", "0", "-u", "nobody"] }

    # @return [void]
    def stop_redis = stop("redis-server")

    private

    def start(name)
      port = PORTS[name] ||= free_port
      return port if PIDS[name]

      PIDS[name] = Process.spawn(name, *yield(port), out: File::NULL, err: File::NULL)
      wait(name, port)
      port
    end

    def free_port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }

    def wait(name, port)
      ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
      begin
        TCPSocket.new("127.0.0.1", port).close
      rescue SystemCallError
        raise "#{name} has not started" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends

        sleep 0.02
        retry
      end
    end

    def stop(name)
      pid = PIDS.delete(name) or return
      Process.kill(:TERM, pid)
      Process.wait(pid)
    end
  end
end
