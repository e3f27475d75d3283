# frozen_string_literal: true

require "test_helper"
require "support/command"
require "support/message_pack_values"
require "support/seeded"
require "vectors/message_pack/notation"
require "json"
require "tmpdir"

# Reads, compares and rewrites what Python's msgpack and the msgpack gem wrote (see vectors/README.md). If Python's msgpack
# is installed, it also reads what we write.
class MessagePackGoldenTest < Minitest::Test
  include Seeded
  include MessagePackValues

  MP = Sparpack::MessagePack
  FOLDER = File.expand_path("../vectors/message_pack", __dir__)
  VECTORS = JSON.parse(File.read(File.join(FOLDER, "values.json"), encoding: "UTF-8")).freeze
  WRITERS = %w[python ruby].freeze
  NOTATION = MessagePackNotation.new(MP)
  PYTHON = "/usr/bin/python3"

  FACTORY = MP::Factory.new.tap { |factory| factory.register_type(MP::Timestamp::TYPE, MP::Timestamp) }

  VECTORS.product(WRITERS).each do |vector, writer|
    define_method("test_#{vector["name"]}_from_#{writer}") do
      bytes = bytes(writer, vector)
      value = NOTATION.value(vector["value"])

      assert_equal [NOTATION.write(value)], [NOTATION.write(read(bytes))]
      assert_equal bytes.unpack1("H*"), written(value, vector).unpack1("H*")
    end
  end

  def test_the_libraries_agree
    VECTORS.each { |vector| assert_equal(*WRITERS.map { |writer| bytes(writer, vector) }, vector["name"]) }
  end

  def test_every_file_has_its_vector
    names = VECTORS.map { |vector| "#{vector["name"]}.msgpack" }.sort

    WRITERS.each { |writer| assert_equal names, Dir.children(File.join(FOLDER, writer)).sort }
  end

  # Reads each file in pieces of any size, too.
  def test_each_file_in_pieces
    VECTORS.each do |vector|
      bytes = bytes("python", vector)
      expected = NOTATION.write(read(bytes))
      [1, 1 + random.rand(7), 1 + random.rand(5_000)].each do |size|
        next if bytes.bytesize / size > 3_000

        unpacker = FACTORY.unpacker(allow_unknown_ext: true)
        found = (0...bytes.bytesize).step(size).flat_map { |at| unpacker.feed_each(bytes.byteslice(at, size)).to_a }

        assert_equal [expected], found.map { |value| NOTATION.write(value) }, vector["name"]
      end
    end
  end

  # Python reads a value that we wrote as the same value, and writes the same bytes.
  def test_python_reads_what_we_write
    skip "Python's msgpack is not installed: apt-get install python3-msgpack" unless python?
    vectors = VECTORS.reject { |vector| vector["singles"] || vector["old"] }
    values = vectors.map { |vector| NOTATION.value(vector["value"]) }
    packed = vectors.zip(values).map { |vector, value| written(value, vector).unpack1("H*") }
    others = Array.new(300) { random_value(random, 4, keys: :simple) }
    values += others
    packed += others.map { |value| FACTORY.dump(value).unpack1("H*") }
    answers = read_by_python(packed)

    assert_equal values.size, answers.size
    values.zip(packed, answers) do |value, hex, answer|
      assert_equal [NOTATION.write(value)], [answer["value"]]
      assert_equal hex, answer["written"]
    end
  end

  private

  def bytes(writer, vector) = File.binread(File.join(FOLDER, writer, "#{vector["name"]}.msgpack"))

  def read(bytes) = FACTORY.load(bytes, allow_unknown_ext: true)

  def written(value, vector)
    packer = FACTORY.packer(compatibility_mode: vector.fetch("old", false))
    return packer.write(value).to_s unless %w[singles extensions].include?(vector["name"])

    writer = vector["singles"] ? :write_float32 : :write_extension
    value.each_with_object(packer.write_array_header(value.size)) { |element, out| out.public_send(writer, element) }.to_s
  end

  # The answers are many megabytes and go through a file. Reading them from a pipe reallocates one String for every few
  # kilobytes, and each time the sanitizers copy all of it, which takes minutes.
  def read_by_python(packed)
    Dir.mktmpdir do |folder|
      given, answers = %w[given answers].map { |name| File.join(folder, name) }
      File.write(given, packed.join("\n"))

      assert_predicate Command.run(PYTHON, File.join(FOLDER, "generate.py"), "--read", in: given, out: answers), :success?
      File.foreach(answers).map { |line| JSON.parse(line) }
    end
  end

  def python?
    Command.success?(PYTHON, "-c", "import msgpack")
  end
end
