# frozen_string_literal: true

require "etc"
require "open3"
require "tmpdir"

# A PostgreSQL of our own, in a folder of its own and on a socket in it.
class Postgres
  SECONDS = 60

  # @return [String, nil] the folder of its programs
  def self.programs
    found = Dir["/usr/lib/postgresql/*/bin/initdb", *ENV["PATH"].split(":").map { |folder| "#{folder}/initdb" }].max
    found && File.dirname(found)
  end

  # It refuses to run as root.
  def self.user
    return if Process.uid.positive?

    Etc.getpwnam("postgres")
  rescue ArgumentError
    nil
  end

  def self.missing = programs && (Process.uid.positive? || user) ? nil : "missing: apt-get install postgresql"

  attr_reader :folder

  def initialize
    @folder = Dir.mktmpdir("postgres")
    FileUtils.chown(self.class.user.uid, self.class.user.gid, @folder) if self.class.user
    run("initdb", "-D", "#{@folder}/data", "-A", "trust", "-U", "tester", "--no-sync")
    run("pg_ctl", "-D", "#{@folder}/data", "-w", "-t", SECONDS.to_s, "-l", "#{@folder}/log", "-o",
        "-c listen_addresses='' -c fsync=off -k #{@folder}", "start")
  end

  def stop
    run("pg_ctl", "-D", "#{@folder}/data", "-w", "-t", SECONDS.to_s, "-m", "immediate", "stop")
  ensure
    FileUtils.rm_rf(@folder)
  end

  private

  # The child must not hold our output open, so it goes to a file.
  def run(program, *arguments)
    user = self.class.user
    path = File.join(self.class.programs, program)
    pid = fork do
      if user
        Process::Sys.setgid(user.gid)
        Process::Sys.setuid(user.uid)
      end
      Dir.chdir(@folder)
      exec({ "LD_PRELOAD" => nil }, path, *arguments, in: File::NULL, out: ["#{@folder}/said", "a"], err: %i[child out])
    end
    finish(pid, program)
  end

  def finish(pid, program)
    ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + SECONDS
    until (_, status = Process.wait2(pid, Process::WNOHANG))
      if Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends
        Process.kill(:KILL, pid)
        Process.wait(pid)
        raise "#{program} takes more than #{SECONDS} s"
      end
      sleep 0.02
    end
    raise "#{program}: #{File.read("#{@folder}/said")}" unless status.success?
  end
end
