# frozen_string_literal: true

require "fileutils"
require "socket"
require "tmpdir"
require_relative "deadline"

# A server of one of Debian's packages, on a port of this machine and with a folder of its own. A subclass says how it is
# started.
class LocalServer
  include Deadline

  SECONDS = 60

  attr_reader :port

  def initialize
    @folder = Dir.mktmpdir
    @port = TCPServer.open("127.0.0.1", 0) { |socket| socket.addr[1] }
  end

  # Starts it, unless it runs.
  #
  # @return [self]
  def start
    @pid ||= Process.spawn(*command, out: "#{@folder}/log", err: "#{@folder}/log")
    within(command.first, seconds: SECONDS) do
      until ready?
        raise "#{command.first} has ended:\n#{File.read("#{@folder}/log")}" if ended?

        sleep(0.02)
      end
    end
    self
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

  def ended?
    ended = Process.wait(@pid, Process::WNOHANG)
    @pid = nil if ended
    !ended.nil?
  end

  def ready?
    TCPSocket.open("127.0.0.1", @port) { |socket| answers?(socket) }
  rescue SystemCallError
    false
  end

  def answers?(_) = true
end
