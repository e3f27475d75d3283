# frozen_string_literal: true

require "minitest/autorun"
require "json"
require "rbconfig"
require "socket"
require "tmpdir"
require_relative "../../support/deadline"
require "sparpack/message_pack"

# Fluentd on the drop-in, from its forward input to files, and from one Fluentd to another.
class FluentdTest < Minitest::Test
  include Deadline

  MP = Sparpack::MessagePack
  RECORDS = Array.new(300) { |id| { "id" => id, "note" => "Grüße #{id}", "list" => [1.5, nil, true], "big" => 2**40 } }

  # Which MessagePack Fluentd has.
  PROBE = 'at_exit { File.write(ENV["PROBE"], ::MessagePack.equal?(Sparpack::MessagePack).inspect) }'

  def setup
    @folder = Dir.mktmpdir
    @running = []
    File.write("#{@folder}/probe.rb", PROBE)
  end

  def teardown
    @running.dup.each { |pid| stop(pid, :KILL) }
    FileUtils.rm_rf(@folder)
  end

  def test_forward_to_files
    %w[json msgpack].each do |type|
      port = free_port
      pid = fluentd(type, forward(port) + to_file("#{@folder}/#{type}", type))
      send_records(port)
      stop(pid)

      assert_equal RECORDS, read_files(type)
      assert_equal "true", File.read("#{@folder}/#{type}.probe")
    end
  end

  def test_a_relay
    inner, outer = free_port, free_port # rubocop:disable Style/ParallelAssignment -- two of a kind
    last = fluentd("last", forward(inner) + to_file("#{@folder}/json", "json"))
    wait_for(inner)
    relay = fluentd("relay", forward(outer) + <<~CONF)
      <match shop.**>
        @type forward
        require_ack_response true
        heartbeat_type none
        <server>
          host 127.0.0.1
          port #{inner}
        </server>
        <buffer>
          @type file
          path #{@folder}/relay.buffer
          flush_mode immediate
          flush_at_shutdown true
        </buffer>
      </match>
    CONF
    send_records(outer)
    stop(relay)
    stop(last)

    assert_equal RECORDS, read_files("json")
    %w[last relay].each { |name| assert_equal "true", File.read("#{@folder}/#{name}.probe") }
  end

  # A buffer that the msgpack gem has written is read on the drop-in, and the other way round.
  def test_buffers_of_the_other_engine
    [[false, true], [true, false]].each do |engines|
      name = engines.inspect.tr("[], ", "")
      engines.each_with_index do |drop_in, turn|
        port = free_port
        # The first one cannot flush, because nothing ends its time.
        pid = fluentd("#{name}#{turn}", forward(port) + to_file("#{@folder}/#{name}", "json", flush: turn == 1), drop_in:)
        turn.zero? ? send_records(port) : wait_for(port)
        stop(pid)
      end

      assert_equal RECORDS, read_files(name)
    end
  end

  private

  def fluentd(name, text, drop_in: true)
    File.write("#{@folder}/#{name}.conf", text)
    options = "-rbundler/setup -I#{@folder} #{"-rsparpack/drop_in/msgpack -rprobe" if drop_in}"
    environment = { "RUBYOPT" => options, "PROBE" => "#{@folder}/#{name}.probe" }
    pid = Process.spawn(environment, RbConfig.ruby, Gem.bin_path("fluentd", "fluentd"), "--no-supervisor", "-q",
                        "-c", "#{@folder}/#{name}.conf", out: "#{@folder}/#{name}.log", err: %i[child out])
    @running << pid
    pid
  end

  def stop(pid, signal = :TERM)
    return unless @running.delete(pid)

    Process.kill(signal, pid)
    within("the end of Fluentd:\n#{logs}", seconds: 60) { Process.wait(pid) }
  end

  def logs = Dir["#{@folder}/*.log"].map { |path| File.read(path) }.join("\n")

  def forward(port)
    <<~CONF
      <source>
        @type forward
        bind 127.0.0.1
        port #{port}
      </source>
    CONF
  end

  def to_file(path, type, flush: true)
    <<~CONF
      <match shop.**>
        @type file
        path #{path}
        append true
        <format>
          @type #{type}
        </format>
        <buffer>
          @type file
          path #{path}.buffer
          #{flush ? "flush_mode immediate" : "flush_interval 1000"}
          flush_at_shutdown #{flush}
        </buffer>
      </match>
    CONF
  end

  # Most of them in one message, and some one by one, each acknowledged.
  def send_records(port)
    wait_for(port)
    within("Fluentd to acknowledge", seconds: 60) do
      TCPSocket.open("127.0.0.1", port) do |socket|
        many, others = RECORDS.each_slice(RECORDS.size - 10).to_a
        say(socket, ["shop.orders", many.map { |record| [Time.now.to_i, record] }], "many")
        others.each { |record| say(socket, ["shop.orders", Time.now.to_i, record], record["id"].to_s) }
      end
    end
  end

  def say(socket, message, chunk)
    socket.write(MP.pack([*message, { "chunk" => chunk }]))
    answer = MP::Unpacker.new(socket).read

    assert_equal({ "ack" => chunk }, answer)
  end

  def wait_for(port)
    within("Fluentd to listen", seconds: 60) do
      TCPSocket.open("127.0.0.1", port, &:close)
    rescue Errno::ECONNREFUSED
      flunk(logs) if @running.reject! { |pid| Process.wait(pid, Process::WNOHANG) }
      sleep(0.05) && retry
    end
  end

  def read_files(name)
    files = Dir["#{@folder}/#{name}.*.log"].reject { |path| path.include?("buffer") }
    bytes = files.sort.map { |path| File.binread(path) }.join
    found = name == "msgpack" ? MP.each(bytes).to_a : bytes.lines.map { |line| JSON.parse(line) }
    found.sort_by { |record| record["id"] }
  end

  def free_port = TCPServer.open("127.0.0.1", 0) { |socket| socket.addr[1] }
end
