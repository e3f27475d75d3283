# frozen_string_literal: true

require "test_helper"
require "pathname"
require "support/command"
require "support/examples"
require "tmpdir"

# The log files of docs/recipes.md: a writer that is killed, and files that are cut anywhere.
class LogTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)
  BLOCKS = File.read("#{ROOT}/docs/recipes.md").scan(/^```ruby (\w+)\.rb\n(.*?)^```$/m).to_h

  # In a module of its own, so that no other test sees these names.
  module Page
    %w[order log].each { |name| module_eval(BLOCKS.fetch(name), "docs/recipes.md #{name}") }
  end

  # Writes records without an end, from the number that comes, and says after each that it is written.
  WRITER = <<~RUBY.freeze
    require "sparpack"
    require "pathname"
    #{BLOCKS.values_at("order", "log").join}
    folder, first, size = ARGV
    writer = LogWriter.new(Log.new(folder, Sparpack::Codec.new(Shop::Order)), limit: 20_000_000)
    $stdout.sync = true
    (first.to_i..).each do |id|
      writer.write(Shop::Order.new(id: id, note: "x" * size.to_i))
      puts id
    end
  RUBY

  def setup
    @folder = Dir.mktmpdir
    @log = Page::Log.new(@folder, Sparpack::Codec.new(Page::Shop::Order))
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_the_page
    scope = Page.module_eval("binding", __FILE__, __LINE__)
    block = BLOCKS.fetch("logging")
    scope.eval(block, "docs/recipes.md logging")
    folder = scope.local_variable_get(:folder)
    expected = block[/log\.numbers\.size # => (\d+)/, 1].to_i

    assert_equal expected, scope.eval("log.numbers.size")
    assert_equal 1000, Page::LogReader.new(scope.eval("log")).enum_for.count
  ensure
    FileUtils.rm_rf(folder) if folder
  end

  def test_rotation
    write(1..200, limit: 100)

    assert_operator @log.numbers.size, :>, 10
    assert_equal (1..200).to_a, ids
    assert(@log.numbers.all? { |number| File.size(@log.path(number)) < 120 })
  end

  def test_a_reader_goes_on
    write(1..50, limit: 100)
    reader = Page::LogReader.new(@log)

    assert_equal (1..20).to_a, reader.enum_for.first(20).map(&:id), "the reader stops in the middle"
    assert_equal (20..50).to_a, ids(reader.position), "the record that was being read comes again"
    reader.each { nil }
    assert_empty ids(reader.position)
    write(51..60, limit: 100)
    assert_equal (51..60).to_a, ids(reader.position)
  end

  def test_a_record_that_is_cut_anywhere
    write(1..3)
    path = @log.path(1)
    whole = File.binread(path)
    last = 2 * (whole.bytesize / 3)
    (last...whole.bytesize).each do |size|
      File.binwrite(path, whole[0, size])

      assert_equal [1, 2], ids, size
      position = Page::LogReader.new(@log).tap { |reader| reader.each { nil } }.position
      write(4..5)
      assert_equal [1, 2, 4, 5], ids, size
      assert_equal [4, 5], ids(position), size
      assert_equal size > last, File.exist?("#{path}.cut")
      assert_equal whole[last...size], File.binread("#{path}.cut") if size > last
      FileUtils.rm_f("#{path}.cut")
    end
  end

  def test_damage_is_no_crash
    write(1..3)
    path = @log.path(1)
    bytes = File.binread(path)
    bytes.setbyte(4, 0x15) # the type of a field
    File.binwrite(path, bytes)

    assert_raises(Sparpack::DecodeError::TypeMismatch) { ids }
    assert_raises(Sparpack::DecodeError::TypeMismatch) { write([4]) }
    found = @log.codec.decode_each(Pathname(path), frame: :framed, on_error: ->(_) {}).map(&:id)
    assert_equal [2, 3], found
    File.binwrite(@log.path(2), "")
    File.truncate(path, bytes.bytesize - 1)
    File.binwrite(path, File.binread(path).tap { |cut| cut.setbyte(4, 0x16) })
    assert_raises(Sparpack::DecodeError::Truncated) { ids }
  end

  # The limit of the size of files stands for a full disk.
  FULL = <<~RUBY.freeze
    require "sparpack"
    require "pathname"
    #{BLOCKS.values_at("order", "log").join}
    Signal.trap("XFSZ", "IGNORE")
    most = Process.getrlimit(:FSIZE).last
    writer = LogWriter.new(Log.new(ARGV[0], Sparpack::Codec.new(Shop::Order)))
    Process.setrlimit(:FSIZE, 1000, most)
    begin
      (1..).each { |id| writer.write(Shop::Order.new(id: id, note: "x" * 100)) && puts(id) }
    rescue Errno::EFBIG
      Process.setrlimit(:FSIZE, most, most)
      writer.write(Shop::Order.new(id: 100))
    end
  RUBY

  def test_a_full_disk_leaves_no_part_of_a_record
    output, status = Command.capture2e({ "RUBYLIB" => $LOAD_PATH.join(":") }, RbConfig.ruby, "-e", FULL, @folder)

    assert_predicate status, :success?, output
    assert_equal [*output.lines.map(&:to_i), 100], ids
    assert_equal 10, ids.size
  end

  def test_a_second_writer
    write([1])
    writer = Page::LogWriter.new(@log)

    assert_equal "another writer has this log", assert_raises(RuntimeError) { write([2]) }.message
    writer.close
    write([2])
    assert_equal [1, 2], ids
  end

  # Records of 4 MB, so that the end may come in the middle of a write.
  def test_a_writer_that_is_killed
    first = 1
    reader = Page::LogReader.new(@log)
    read = []
    8.times do |round|
      said = crash(first, 4 << 20, records: 1 + (round % 4))
      reader.each { |order| read << order.id }

      assert_equal (1..read.size).to_a, read
      assert_operator read.size, :>=, said, "what was written is there"
      first = read.size + 1
    end
    write([first])
    assert_equal (1..first).to_a, ids
    assert_operator @log.numbers.size, :>, 1
  end

  private

  def write(numbers, limit: 1 << 20)
    writer = Page::LogWriter.new(@log, limit:)
    numbers.each { |id| writer.write(Page::Shop::Order.new(id:, note: "lamp")) }
  ensure
    writer&.close
  end

  def ids(*position) = Page::LogReader.new(@log, *position).enum_for.map(&:id)

  # @return [Integer] the last record that the process said to be written, before it was killed
  def crash(first, size, records:)
    Command.popen2e({ "RUBYLIB" => $LOAD_PATH.join(":") }, RbConfig.ruby, "-e", WRITER, @folder, first.to_s,
                    size.to_s) do |_, output, process|
      lines = Array.new(records) { output.gets }
      Process.kill(:KILL, process.pid)
      [*lines, *output.read.lines].compact.map { |line| Integer(line) }.last
    end
  end
end
