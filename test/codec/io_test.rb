# frozen_string_literal: true

require "test_helper"
require "fcntl"
require "pathname"
require "socket"
require "stringio"
require "tempfile"
require "tmpdir"
require "zlib"

# Reading from and writing to files, ios of all kinds, and objects that are not ios.
class IoTest < Minitest::Test
  MP = Sparpack::MessagePack

  class Entry < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :text, :string
  end

  CODEC = Entry.codec
  ENTRIES = Array.new(3_000) { |id| Entry.new(id:, text: "line #{id}\r\n\n#{"ü" * (id % 50)}") }.freeze
  BYTES = ENTRIES.map(&:encode).join.freeze
  VALUES = ENTRIES.map { |entry| [entry.id, entry.text, "\xFF\n".b] }.freeze
  PACKED = VALUES.map { |value| MP.pack(value) }.join.freeze

  def setup = @folder = Pathname(Dir.mktmpdir)
  def teardown = @folder.rmtree

  # --- files ------------------------------------------------------------------------------------------------------------

  def test_a_pathname_is_opened_for_reading
    path = file(BYTES)

    assert_equal ENTRIES, Entry.decode_each(path).to_a
    assert_equal ENTRIES, CODEC.decode_each(path).to_a
    assert_same CODEC, CODEC.decode_each(path) { |entry| assert_instance_of Entry, entry }
    assert_same Entry, Entry.decode_each(Class.new(Pathname).new(path.to_s)) { |entry| assert entry }
    assert_empty Entry.decode_each(file("")).to_a
    assert_raises(Errno::ENOENT) { Entry.decode_each(@folder.join("none")).to_a }
    assert_raises(Errno::EISDIR) { Entry.decode_each(@folder).to_a }
  end

  def test_message_pack_opens_a_pathname
    path = file(PACKED)

    assert_equal VALUES, MP.each(path).to_a
    [1, "x" * 100_000, VALUES].each do |value|
      one = file(MP.pack(value))

      assert_equal [value] * 3, [MP.unpack(one), MP.load(one, { freeze: true }), MP::DefaultFactory.load(one)]
    end
    [MP.pack("x" * (32_768 - 3)) * 2, PACKED].each do |several| # the first value ends where a piece does
      assert_raises(MP::MalformedFormatError) { MP.unpack(file(several)) }
    end
    assert_raises(EOFError) { MP.unpack(file(PACKED.byteslice(0, 10))) }
  end

  # The file is closed however reading ends. An Enumerator opens it when its first element is asked for.
  def test_a_file_is_open_while_it_is_read
    skip "there is no /proc" unless File.exist?("/proc/self/fd")
    path = file(BYTES)
    packed = file(PACKED)
    open = -> { Dir.children("/proc/self/fd").count { |fd| @folder.children.map(&:to_s).include?(link(fd)) } }
    [-> { CODEC.decode_each(path).to_a }, -> { CODEC.decode_each(path) { raise open.call.to_s } },
     -> { CODEC.decode_each(path).first(2) }, -> { Entry.decode_each(file("#{BYTES}\xFF".b)).to_a },
     -> { MP.each(packed).first }, -> { MP.unpack(packed) }].each do |use|
      begin
        use.call
      rescue StandardError => e
        assert_kind_of StandardError, e
      end

      assert_equal 0, open.call
    end
    lazy = [CODEC.decode_each(path), MP.each(packed)]

    assert_equal 0, open.call
    lazy.each(&:next)

    assert_equal 2, open.call
  end

  # Sparpack cannot know whether to replace the file or to append to it.
  def test_a_pathname_is_not_written_to
    path = file("before")
    [-> { Entry.new(id: 1).encode_to(path) }, -> { CODEC.encode_to(path, Entry.new(id: 1)) },
     -> { Sparpack.encode_to(Entry.new(id: 1), path) }, -> { MP.pack(1, path) }, -> { MP.dump(1, path, {}) },
     -> { MP::DefaultFactory.dump(1, path) }, -> { MP::Packer.new(path) }, -> { MP::Packer.new.write(1).write_to(path) },
     -> { MP::Buffer.new.write_to(path) }].each do |use|
      message = assert_raises(TypeError, &use).message

      assert_match(/\Aexpected an io .*got Pathname \(.*path\.open\("wb"\).*path\.open\("ab"\)/, message)
    end
    assert_equal "before", path.binread
    path.open("ab") { |io| Entry.new(id: 1).encode_to(io) }

    assert_equal "before\x16\x02\x00", path.binread
  end

  # The file would stay open for an unknown time.
  def test_an_unpacker_and_a_buffer_open_nothing
    [-> { MP::Unpacker.new(file(PACKED)) }, -> { MP::DefaultFactory.unpacker(file(PACKED)) },
     -> { MP::Buffer.new(file(PACKED)) }].each do |use|
      assert_match(/got Pathname \(.*path\.open\("rb"\)/, assert_raises(TypeError, &use).message)
    end
  end

  # --- ios --------------------------------------------------------------------------------------------------------------

  INPUTS = {
    "file" => ->(path) { path.open("rb") },
    "text" => ->(path) { path.open("r") },
    "transcoding" => ->(path) { path.open("r:utf-16le:utf-8") },
    "line ends" => ->(path) { path.open("rt") },
    "tempfile" => ->(path) { Tempfile.new.tap { |io| io.binmode.write(path.binread) && io.rewind } },
    "stringio" => ->(path) { StringIO.new(path.binread) },
    "stringio of text" => ->(path) { StringIO.new(path.binread.force_encoding("utf-16le")) },
    "gzip" => ->(path) { Zlib::GzipReader.new(StringIO.new(Zlib.gzip(path.binread))) },
    "gzip of text" => lambda { |path|
      Zlib::GzipReader.new(StringIO.new(Zlib.gzip(path.binread)), external_encoding: "utf-8", internal_encoding: "utf-16le")
    },
    "process" => ->(path) { IO.popen(["cat", path.to_s]) },
    "socket" => ->(path) { UNIXSocket.pair.then { |one, other| one.tap { send_all(other, path.binread) } } },
    "pipe that does not block" => lambda { |path|
      IO.pipe.then do |one, other|
        one.fcntl(Fcntl::F_SETFL, File::NONBLOCK)
        send_all(other, path.binread)
        one
      end
    }
  }.freeze

  def self.send_all(io, bytes)
    Thread.new do
      bytes.scan(/.{1,5000}/mn) { |part| io.binmode.write(part) && Thread.pass }
    ensure
      io.close
    end
  end

  INPUTS.each do |name, open|
    define_method("test_reading_from_a_#{name.tr(" ", "_")}") do
      with_default_internal do
        assert_equal ENTRIES, CODEC.decode_each(open.call(file(BYTES))).to_a
        assert_equal VALUES, MP.each(open.call(file(PACKED))).to_a
        assert_equal VALUES, MP.unpack(open.call(file(MP.pack(VALUES))))
      end
    end
  end

  OUTPUTS = {
    "file" => ->(path) { path.open("wb") },
    "text" => ->(path) { path.open("w") },
    "encoding" => ->(path) { path.open("w:utf-8") },
    "wide encoding" => ->(path) { path.open("wb:utf-16le") },
    "line ends" => ->(path) { path.open("w", crlf_newline: true) },
    "tempfile" => ->(path) { Tempfile.new("out", path.dirname.to_s) },
    "tempfile of text" => ->(path) { Tempfile.new("out", path.dirname.to_s, encoding: "utf-16le") },
    "process" => ->(path) { IO.popen(["sh", "-c", 'cat > "$0"', path.to_s], "w") },
    "gzip" => ->(path) { Zlib::GzipWriter.open(path.to_s) }
  }.freeze

  OUTPUTS.each do |name, open|
    define_method("test_writing_to_a_#{name.tr(" ", "_")}") do
      [->(io) { ENTRIES.each { |entry| CODEC.encode_to(io, entry) } },
       ->(io) { ENTRIES.each { |entry| entry.encode_to(io) } },
       ->(io) { CODEC.encode_to(io, Entry.new(id: 1, text: "\n" * 10_000)) },
       ->(io) { VALUES.each { |value| MP.pack(value, io) } }, ->(io) { MP::Packer.new(io).write(VALUES).flush },
       ->(io) { MP::Packer.new(io).write("\n" * 600_000).flush }].each do |write|
        assert_equal StringIO.new("".b).tap(&write).string, written(name, open, &write)
      end
    end
  end

  # Ruby's own errors are not replaced.
  def test_ios_that_are_closed_or_of_the_other_direction
    path = file(PACKED)
    shut = path.open("rb").tap(&:close)
    [-> { CODEC.decode_each(shut).to_a }, -> { MP.each(shut).to_a }, -> { MP.unpack(shut) },
     -> { CODEC.encode_to(shut, ENTRIES[0]) }, -> { MP.pack(1, shut) }].each do |use|
      assert_equal "closed stream", assert_raises(IOError, &use).message
    end
    path.open("ab") do |io|
      [-> { CODEC.decode_each(io).to_a }, -> { MP.each(io).to_a }, -> { MP.unpack(io) }].each do |use|
        assert_equal "not opened for reading", assert_raises(IOError, &use).message
      end
    end
    path.open("rb") do |io|
      [-> { CODEC.encode_to(io, ENTRIES[0]) }, -> { MP.pack(1, io) }].each do |use|
        assert_equal "not opened for writing", assert_raises(IOError, &use).message
      end
    end
  end

  # --- objects that are not ios -----------------------------------------------------------------------------------------

  Lines = Struct.new(:lines) { def gets = lines.shift }
  Body = Struct.new(:parts) { def each(&) = parts.each(&) }

  NO_IOS = { 5 => /IO\.for_fd\(5/, nil => /NilClass/, :io => /Symbol/, [] => /Array/, Lines.new([]) => /IoTest::Lines/,
             Body.new([]) => /IoTest::Body/, BasicObject => /Class/ }.freeze

  def test_what_cannot_be_read
    NO_IOS.each do |io, found|
      [-> { Entry.decode_each(io) }, -> { CODEC.decode_each(io) { flunk } }, -> { MP.each(io) }].each do |use|
        assert_no_io("a String, a Pathname or an io with readpartial or read", found, &use)
      end
      next if io.nil? # nil stands for no io

      [-> { MP.unpack(io) }, -> { MP::DefaultFactory.load(io) }].each do |use|
        assert_no_io("a String, a Pathname or an io with readpartial or read", found, &use)
      end
      assert_no_io("an io with readpartial or read", found) { MP::Unpacker.new(io) }
    end
    assert_no_io("an io with readpartial or read", /String \(for bytes: StringIO/) { MP::Unpacker.new("x") }
  end

  def test_what_cannot_be_written_to
    { **NO_IOS, "name" => /String \(for a file's name: File\.open/ }.each do |io, found|
      [-> { ENTRIES[0].encode_to(io) }, -> { CODEC.encode_to(io, ENTRIES[0]) },
       -> { Sparpack.encode_to(ENTRIES[0], io) }].each { |use| assert_no_io("an io with write", found, &use) }
      next if io.nil? || io.respond_to?(:<<)

      [-> { MP.pack(1, io) }, -> { MP::Packer.new(io) }, -> { MP::Packer.new.write_to(io) }].each do |use|
        assert_no_io("an io with write or <<", found, &use)
      end
    end
    assert_raises(TypeError) { MP.pack(1, 5) } # Integer#<< shifts
  end

  def test_what_is_wrong_is_told_at_once
    [-> { Entry.decode_each("", :xml) }, -> { Entry.decode_each("", freez: true) }].each do |use|
      assert_raises(ArgumentError, &use)
    end
  end

  private

  def file(bytes)
    path = @folder.join("file-#{@folder.children.size}")
    path.binwrite(bytes)
    path
  end

  def link(descriptor)
    File.readlink("/proc/self/fd/#{descriptor}")
  rescue Errno::ENOENT # the handle that listed the folder
    nil
  end

  # Sets the default as Rails does.
  def with_default_internal
    verbose = $VERBOSE
    $VERBOSE = nil
    Encoding.default_internal = Encoding::UTF_8
    yield
  ensure
    Encoding.default_internal = nil
    $VERBOSE = verbose
  end

  def written(name, open)
    path = file("")
    with_default_internal do
      io = open.call(path)
      yield io
      path = Pathname(io.path) if io.is_a?(Tempfile)
      io.close
    end
    name == "gzip" ? Zlib.gunzip(path.binread) : path.binread
  end

  def assert_no_io(expected, found, &)
    message = assert_raises(TypeError, &).message

    assert_operator message, :start_with?, "expected #{expected}, got "
    assert_match found, message
  end
end
