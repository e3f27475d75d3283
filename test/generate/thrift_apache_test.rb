# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "rbconfig"
require "support/command"
require "tmpdir"

# Compares `sparpack generate --style thrift` with Apache's compiler and with Apache's library for Python.
class GenerateThriftApacheTest < Minitest::Test
  FIXTURES = File.expand_path("../fixtures/idl", __dir__)
  VECTORS = File.expand_path("../vectors/everything.thrift", __dir__)
  EXAMPLE = File.expand_path("../../examples/listing.thrift", __dir__)
  DESCRIPTION = File.expand_path("../support/thrift_description.rb", __dir__)
  PYTHON = "/usr/bin/python3"

  IDL = <<~THRIFT
    namespace rb wire
    enum Mood { GOOD = 1, BAD }
    struct Point { 1: required i32 x, 2: optional double y, 3: bool here, 4: list<string> names, 5: map<i32, binary> parts,
                   6: set<Mood> moods, 7: Mood mood = Mood.BAD }
    exception Gone { 1: string reason }
    service Points {
      Point move(1: Point point, 2: i32 by) throws (1: Gone gone)
      oneway void forget(1: string name)
      list<string> forgotten()
    }
  THRIFT

  SERVER = <<~RUBY
    require "socket"
    require "thrift"
    folder, protocol, transport = ARGV
    require File.join(folder, "points")

    class Handler
      def initialize = @forgotten = []

      def move(point, by)
        raise Wire::Gone, "far äway" if by > 99

        Wire::Point.new(x: point.x + by, y: point.y, here: !point.here, names: point.names + ["ü"], parts: point.parts,
                        moods: point.moods, mood: point.mood)
      end

      def forget(name) = @forgotten << name
      def forgotten = @forgotten
    end

    server = TCPServer.new("127.0.0.1", 0)
    puts server.addr[1]
    $stdout.flush
    socket = Thrift::Socket.new
    socket.handle = server.accept
    ends = Thrift.const_get(protocol).new(Thrift.const_get(transport).new(socket))
    processor = Wire::Points::Processor.new(Handler.new)
    begin
      loop { processor.process(ends, ends) }
    rescue EOFError, Thrift::TransportException
    end
  RUBY

  CLIENT = <<~PYTHON
    import sys
    sys.dont_write_bytecode = True
    folder, port, protocol, transport = sys.argv[1:]
    sys.path.insert(0, folder)
    from thrift.protocol import TBinaryProtocol, TCompactProtocol
    from thrift.transport import TSocket, TTransport
    from points import Points
    from points.ttypes import Gone, Mood, Point

    socket = TSocket.TSocket("127.0.0.1", int(port))
    trans = getattr(TTransport, transport)(socket)
    prot = {"Compact": TCompactProtocol.TCompactProtocol, "Binary": TBinaryProtocol.TBinaryProtocol}[protocol](trans)
    trans.open()
    client = Points.Client(prot)
    sent = Point(x=1, y=0.1, here=True, names=["a", "ö"], parts={7: b"\\xff\\x00"}, moods={Mood.GOOD, Mood.BAD}, mood=Mood.GOOD)
    got = client.move(sent, 2)
    print(got.x, got.y, got.here, got.names, got.parts, sorted(got.moods), got.mood)
    try:
        client.move(sent, 100)
    except Gone as error:
        print("gone:", error.reason)
    client.forget("one")
    client.forget("two")
    print(client.forgotten())
    trans.close()
  PYTHON

  def setup
    skip "thrift is missing: apt-get install thrift-compiler" unless Command.success?("thrift", "-version")
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
    @folder = Dir.mktmpdir
  end

  def teardown = FileUtils.rm_rf(@folder.to_s)

  # The old compiler returns from clients and processors in the same way, so only their texts differ.
  def test_the_classes_are_those_of_apaches_compiler
    { "#{FIXTURES}/apache.thrift" => %w[ApacheMade IDLFixtures], EXAMPLE => %w[Examples] }.each do |path, modules|
      modules = namespaces(path) if modules == %w[Examples]
      theirs = description(path, modules) { |out| apache("rb", path, out) }
      ours = description(path, modules) do |out|
        Sparpack::Generate.write(Sparpack::Generate.files(path, style: :thrift), out)
      end

      assert_operator theirs.size, :>, 20
      assert_equal theirs, ours
    end
  end

  def test_calls_from_python
    skip "python3-thrift is missing" unless Command.success?(PYTHON, "-c", "import thrift")
    File.write("#{@folder}/points.thrift", IDL)
    apache("py", "#{@folder}/points.thrift", "#{@folder}/py")
    Sparpack::Generate.write(Sparpack::Generate.files("#{@folder}/points.thrift", style: :thrift), "#{@folder}/rb")
    %w[Compact Binary].product(%w[Framed Buffered]).each do |protocol, transport|
      assert_equal <<~TEXT, python_calls(protocol, transport), [protocol, transport]
        3 0.1 False ['a', 'ö', 'ü'] {7: b'\\xff\\x00'} [1, 2] 1
        gone: far äway
        ['one', 'two']
      TEXT
    end
  end

  private

  def namespaces(path)
    [Sparpack::IDL.link(path).namespace("rb").split(".").first.then { |name| name[0].upcase + name[1..] }]
  end

  def apache(language, path, out)
    FileUtils.mkdir_p(out)
    output, status = Command.capture2e("thrift", "-nowarn", "-r", "--gen", language, "-out", out, path)

    assert_predicate status, :success?, output
  end

  def description(path, modules)
    out = Dir.mktmpdir(nil, @folder)
    yield out
    output, status = Command.capture2e(RbConfig.ruby, DESCRIPTION, out, *modules)

    assert_predicate status, :success?, "#{path}: #{output}"
    output.lines(chomp: true)
  end

  def python_calls(protocol, transport)
    arguments = [RbConfig.ruby, "-e", SERVER, "#{@folder}/rb", "#{protocol}Protocol", "#{transport}Transport"]
    Command.popen2e(*arguments) do |_, server, _|
      port = server.gets.to_s.chomp
      output, = Command.capture2e(PYTHON, "-c", CLIENT, "#{@folder}/py", port, protocol, "T#{transport}Transport")
      output
    end
  end
end
