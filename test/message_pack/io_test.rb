# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require "stringio"
require "tempfile"
require "tmpdir"
require "support/command"
require "support/deadline"

# Writing to an io: long values in parts, large Strings as they are, and what is left when something fails on the way.
class MessagePackIoTest < Minitest::Test
  include Deadline

  MP = Sparpack::MessagePack

  # An io that keeps each piece that it gets.
  class Pieces
    attr_reader :calls

    def initialize = @calls = []
    def write(*strings) = @calls << strings
    def string = @calls.join
    def largest = @calls.flatten.map(&:bytesize).max
  end

  # An io whose `write` takes one String at a time.
  class Single
    attr_reader :strings

    def initialize = @strings = []
    def write(string) = @strings << string.dup
  end

  # An io that fails at the n-th call.
  class Failing < Pieces
    def initialize(good)
      super()
      @good = good
    end

    def write(*strings)
      raise IOError, "full" if @calls.size == @good

      super
    end
  end

  LONG = Array.new(40_000) { |i| [i, "text #{i}", { "k" => nil }] }.freeze

  def test_a_long_value_goes_in_parts
    io = Pieces.new
    packer = MP::Packer.new(io)
    packer.write(1).write(LONG)

    assert_operator io.calls.size, :>, 10
    assert_operator io.largest, :<, 200_000, "a value of a megabyte is kept in memory"
    packer.flush

    assert_equal [1, LONG], MP.each(io.string).to_a
  end

  # A part may end anywhere, even when almost nothing is left of the value.
  def test_parts_end_anywhere
    [*32_700..32_800, *65_480..65_560].each do |size|
      io = StringIO.new("".b)
      value = ["x" * size, "", "", nil, 1]
      packer = MP::Packer.new(io).write(value)
      packer.write(2).flush

      assert_equal MP.pack(value) + MP.pack(2), io.string, size
    end
  end

  def test_small_parts
    io = Pieces.new
    value = { "list" => (0..5_000).to_a, "text" => "ä" * 5_000, "bin" => "\xFF".b * 3_000 }
    MP::Packer.new(io, io_buffer_size: 1024).write(value).flush

    assert_equal MP.pack(value), io.string
    assert_operator io.calls.size, :>, 3
  end

  def test_a_large_string_is_given_as_it_is
    large = ("0123456789" * 100_000).b.freeze
    io = Pieces.new
    MP::Packer.new(io).write_array_header(2).write(large).write("small").flush

    assert_same large, io.calls[0].last
    assert_equal 1, io.calls.count { |strings| strings.include?(large) }, "header and String come in one call"
    assert_equal [large, "small"], MP.unpack(io.string)
  end

  def test_large_strings_in_other_encodings_and_places
    values = ["ä" * 400_000, { "k" => "x" * 600_000, "b" => "\x00".b * 700_000 }, MP::ExtensionValue.new(5, "e" * 600_000)]
    [Pieces.new, StringIO.new("".b)].each do |io|
      MP::Packer.new(io).write(values).flush

      assert_equal MP.pack(values), io.string.b
    end
    single = Single.new
    MP::Packer.new(single, write_reference_threshold: 100).write(["a" * 150, "b" * 50, "c" * 200]).flush

    assert_equal MP.pack(["a" * 150, "b" * 50, "c" * 200]), single.strings.join
    refute_predicate values[0], :frozen?
    assert_equal Encoding::UTF_8, values[0].encoding
  end

  # The size of an extension type comes before its payload, so nothing is sent until the size is known.
  def test_large_extension_types
    factory = MP::Factory.new
    factory.register_type(1, Range, packer: ->(range, packer) { packer.write(range.to_a) },
                                    unpacker: ->(unpacker) { unpacker.read.then { |all| all.first..all.last } },
                                    recursive: true)
    io = Pieces.new
    factory.packer(io).write([LONG, 1..100_000, LONG]).flush

    assert_equal [LONG, 1..100_000, LONG], factory.load(io.string)
  end

  def test_after_a_part_went_the_packer_refuses
    io = Pieces.new
    packer = MP::Packer.new(io)

    assert_raises(NoMethodError) { packer.write([LONG, Object.new]) }
    assert_match(/reset/, assert_raises(IOError) { packer.write(1) }.message)
    packer.reset

    assert_equal "\x01".b, packer.write(1).to_s
    assert_raises(NoMethodError) { packer.write([1, Object.new]) }
    assert_equal "\x01".b, packer.to_s, "nothing had gone of that"
  end

  def test_an_io_that_fails
    io = Failing.new(2)
    packer = MP::Packer.new(io)

    assert_raises(IOError) { packer.write(LONG) }
    assert_raises(IOError) { packer.write(1) }
    packer.reset
    packer.write("kept")

    assert_raises(IOError) { packer.flush }
    assert_equal MP.pack("kept"), packer.to_s
  end

  # An io that uses the packer in the middle of a value gets an error.
  def test_an_io_that_writes_by_the_packer
    packer = nil
    io = Pieces.new
    io.define_singleton_method(:write) { |*| packer.write(5) }
    packer = MP::Packer.new(io)

    assert_raises(IOError) { packer.write(LONG) }
  end

  # What is packed may change while the io's code runs.
  def test_an_io_that_changes_what_is_packed
    list = LONG.map(&:dup)
    io = Pieces.new
    io.define_singleton_method(:write) { |*strings| list.clear && super(*strings) }

    assert_match(/changed/, assert_raises(RuntimeError) { MP::Packer.new(io).write(list) }.message)
    texts = Array.new(3_000) { "text" * 20 }
    io = Pieces.new
    io.define_singleton_method(:write) { |*strings| texts.each { |text| text.replace("") } && super(*strings) }
    MP::Packer.new(io).write(texts).flush

    assert_equal 3_000, MP.unpack(io.string).size
  end

  # The last String of a message shares its memory. Neither one sees changes of the other.
  def test_shared_strings
    bytes = MP.pack({ "a" => 1, "body" => "x" * 100_000 })
    body = MP.unpack(bytes)["body"]
    bytes.setbyte(-1, 65)
    bytes << "more"

    assert_equal "x" * 100_000, body
    body << "y"
    body.setbyte(0, 66)
    GC.start

    assert_equal ["x", Encoding::UTF_8, true], [bytes[20], body.encoding, body.valid_encoding?]
    assert_equal ["\xFF".b * 5_000], MP.unpack(MP.pack(["\xFF".b * 5_000]))
  end

  def test_what_is_fed_large_is_not_seen_to_change
    text = MP.pack(["x" * 10_000])
    unpacker = MP::Unpacker.new.feed(text)
    text.clear

    assert_equal ["x" * 10_000], unpacker.read
  end

  # One of Ruby's own ios gets exactly these bytes, whatever mode it was opened in, and fails as IO#write does.
  def test_ios_of_rubys_own
    [["x\n" * 150_000, 1], ["x\n", 1], ["\n\xFF".b * 3_000] * 3].each do |value|
      bytes = MP.pack(value)
      ways = [->(io) { io.binmode.write(bytes) }, ->(io) { MP::Packer.new(io).write(value).flush },
              ->(io) { MP.pack(value, io) }, ->(io) { MP::Buffer.new.tap { |buffer| buffer << bytes }.write_to(io) }]
      OUTPUTS.each do |name, open|
        found = within(name) { ways.map { |write| written(open, &write) } }

        assert_equal 1, found.uniq.size, name
      end
    end
  end

  OUTPUTS = {
    "file" => ->(path) { File.new(path, "wb") },
    "appended" => ->(path) { File.new(path.tap { File.binwrite(_1, "before") }, "ab") },
    "unbuffered" => ->(path) { File.new(path, "wb").tap { |io| io.sync = true } },
    "not empty" => ->(path) { File.new(path, "w+b").tap { |io| io.write("before") } },
    "text" => ->(path) { File.new(path, "w") },
    "text of an encoding" => ->(path) { File.new(path, "w:utf-8") },
    "tempfile" => ->(path) { Tempfile.new("out", File.dirname(path), encoding: "utf-8") },
    "line ends" => ->(path) { File.new(path, "w", crlf_newline: true) },
    "transcoding" => ->(path) { File.new(path, "wb:utf-16le") },
    "temporary" => ->(path) { Tempfile.create(["a", ""], File.dirname(path), binmode: true) },
    "process" => ->(path) { IO.popen(["sh", "-c", 'cat > "$0"', path], "r+b") },
    "only read" => ->(path) { File.new(path.tap { File.binwrite(_1, "") }, "rb") },
    "closed" => ->(path) { File.new(path, "wb").tap(&:close) },
    **(File.exist?("/dev/full") ? { "full" => ->(*) { File.new("/dev/full", "wb").tap { |io| io.sync = true } } } : {}),
    "nobody reads" => ->(*) { IO.pipe(binmode: true).then { |reader, writer| writer.tap { reader.close } } },
    "overridden" => lambda { |path|
      File.new(path, "wb").tap { |io| io.define_singleton_method(:write) { |*strings| super(strings.join.size.to_s) } }
    }
  }.freeze

  WEIGHT = <<~'RUBY'
    weight = -> { File.read("/proc/self/status")[/VmHWM:\s+(\d+)/, 1].to_i / 1024 }
    list = Array.new(5_000_000) { |i| i * 0.5 }
    Sparpack::MessagePack.pack(1)
    before = weight.call
    File.open(File::NULL, "wb") do |io|
      packer = Sparpack::MessagePack::Packer.new(io).write(list)
      100_000.times { packer.write("x" * 400) }
      packer.flush
    end
    print weight.call - before
  RUBY

  # Writes 45 MB in one value, and 40 MB in many. The memory of what Ruby's own io has written is freed at once.
  def test_an_io_takes_no_memory
    skip "a sanitizer keeps what was freed" if ENV["SPARPACK_MODE"] == "sanitize"
    skip "there is no /proc" unless File.exist?("/proc/self/status")
    output, status = Command.capture2e(RbConfig.ruby, "-rsparpack", "-e", WEIGHT)

    assert_predicate status, :success?, output
    assert_operator Integer(output), :<, RUBY_VERSION < "3.3" ? 12 : 20, "megabytes"
  end

  def test_a_buffer_flushes_to_its_io
    io = StringIO.new("".b)
    buffer = MP::Buffer.new(io) << "a" << ("b" * 600_000)
    buffer.flush

    assert_equal ["a#{"b" * 600_000}", 0], [io.string, buffer.size]
    assert_equal "c", (MP::Buffer.new << "c").flush.to_s
  end

  # Only an io whose `write` takes any number of Strings gets several at once.
  def test_an_io_whose_write_has_another_argument
    sink = Class.new do
      attr_reader :written

      def write(string, options = {})
        raise ArgumentError, "no options: #{options}" unless options.is_a?(Hash)

        (@written ||= "".b) << string
        string.bytesize
      end
    end
    io = sink.new
    values = ["x" * 600_000, 1, "y" * 600_000]
    MP::Packer.new(io).write(values).flush

    assert_equal MP.pack(values), io.written
  end

  private

  # @return [Array(String, String)] the contents of the file then, and the error
  def written(open)
    Dir.mktmpdir do |folder|
      io = open.call("#{folder}/out")
      begin
        yield io
      rescue IOError, SystemCallError, EncodingError => e
        error = e.class.name + e.message.sub(folder, "").sub(" @ rb_sys_fail_on_write", "")
      end
      begin
        io.close_write unless io.closed?
        io.close
      rescue IOError, SystemCallError
        nil
      end
      [Dir.children(folder).map { |name| File.binread("#{folder}/#{name}") }, error]
    ensure
      io.unlink if io.is_a?(Tempfile) # or the garbage collector does, maybe while the folder is removed
    end
  end
end
