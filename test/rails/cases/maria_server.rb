# frozen_string_literal: true

require_relative "../../support/local_server"
require_relative "../../support/patience"

# A MariaDB of our own, on a socket in its folder. It has no users, so it needs none of the tables of an installation.
class MariaServer < LocalServer
  FOLDERS = ["/usr/sbin", *ENV["PATH"].split(":")].freeze
  PROGRAM = FOLDERS.map { |folder| "#{folder}/mariadbd" }.find { |path| File.executable?(path) }
  MISSING = ("missing: apt-get install mariadb-server" unless PROGRAM)

  # QEMU gives InnoDB all memory of the machine.
  ENGINE = (%w[--skip-innodb --default-storage-engine=Aria] if Patience::FACTOR > 1).to_a.freeze

  def socket = "#{@folder}/socket"

  private

  def command
    FileUtils.mkdir_p("#{@folder}/data")
    [PROGRAM, "--no-defaults", *("--user=root" if Process.uid.zero?), "--skip-networking", "--skip-grant-tables",
     "--datadir=#{@folder}/data", "--socket=#{socket}", "--character-set-server=utf8mb4", "--max-allowed-packet=64M",
     *ENGINE]
  end

  def ready?
    UNIXSocket.open(socket) { true }
  rescue SystemCallError
    false
  end
end
