# frozen_string_literal: true

require "test_helper"
require "pathname"
require "stringio"
require "support/deadline"
require "support/fresh_ruby"
require "tempfile"

# decode_each with `processes:`.
class ProcessesTest < Minitest::Test
  include Deadline
  include FreshRuby

  class Note < Sparpack::Struct
    field 1, :id, :i64
    field 2, :text, :string
  end

  COUNT = 50

  def notes = Array.new(COUNT) { |id| Note.new(id:, text: "n" * (id * 3)) }

  def bytes(wire = :compact) = notes.map { |note| note.encode(wire).b }.join

  def expected = notes.map { |note| [note.id, note.text.size] }

  def read(source, *wire, **options)
    within("processes") { Note.decode_each(source, *wire, **options) { |note| [note.id, note.text.size] } }
  end

  def wait_for_end(reader, writer)
    writer.close
    reader.read
    exit!(0)
  end

  def test_results_come_back_in_order
    Sparpack::WIRES.each do |wire|
      [1, 2, 3, 64].each { |processes| assert_equal expected, read(bytes(wire), wire, processes:), wire }
    end
    assert_equal [], read("", processes: 4)
    assert_equal expected.first(1), read(notes.first.encode, processes: 4)
  end

  def test_files_and_frames
    Tempfile.create("notes") do |file|
      file.binmode
      notes.each { |note| note.encode_to(file, frame: :varint) }
      file.flush

      assert_equal expected, read(Pathname(file.path), frame: :varint, processes: 3)
      assert_equal expected, read(File.binread(file.path), frame: :varint, processes: 3)
    end
  end

  def test_the_block_runs_in_other_processes
    pids = Note.decode_each(bytes, processes: 2) { Process.pid }

    assert_equal 2, pids.uniq.size
    refute_includes pids, Process.pid
    assert_equal [Process.pid], Note.decode_each(bytes, processes: 1) { Process.pid }.uniq
    pids.uniq.each { |pid| assert_raises(Errno::ESRCH) { Process.kill(0, pid) } }
  end

  # It has the ends of pipes that were open when it was started.
  def test_nobody_waits_for_processes_that_the_block_starts
    sleeping = IO.pipe
    pids = within("decode_each", seconds: 20) do
      Note.decode_each(bytes, processes: 2) do |note|
        Process.fork { wait_for_end(*sleeping) } if (note.id % 25).zero?
      end
    end.compact

    assert_equal 2, pids.size
    pids.each { |pid| assert_equal 1, Process.kill(0, pid) } # they are there
  ensure
    sleeping.each(&:close)
  end

  def test_large_results
    texts = Note.decode_each(bytes, processes: 2) { "x" * 100_000 }

    assert_equal [100_000] * COUNT, texts.map(&:size)
  end

  def test_what_the_block_raises_is_raised
    error = assert_raises(KeyError) do
      Note.decode_each(bytes, processes: 3) { |note| note.id == 40 ? raise(KeyError, "no #{note.id}") : note.id }
    end

    assert_equal "no 40", error.message
    error = assert_raises(TypeError) { Note.decode_each(bytes, processes: 2) { proc {} } }

    assert_match(/\Aprocesses: the block must return what Marshal can dump, .* \(no _dump_data/, error.message)
    error = assert_raises(Sparpack::Error) { Note.decode_each(bytes, processes: 2) { exit!(3) } }

    assert_match(/ended before.* \(with the status 3\)\z/, error.message)
    odd = Class.new(StandardError) { def initialize(...) = super.tap { @proc = proc {} } }
    error = assert_raises(Sparpack::Error) { Note.decode_each(bytes, processes: 2) { raise odd, "odd" } }

    assert_match(/odd/, error.message)
    assert_includes error.backtrace.first, "#{File.basename(__FILE__)}:"
  end

  class Own < Exception; end # rubocop:disable Lint/InheritException -- that is what is tested

  def test_errors_that_are_no_standard_errors
    [LoadError, NotImplementedError, SyntaxError, SecurityError, SystemStackError, NoMemoryError, Own].each do |type|
      error = assert_raises(type) { Note.decode_each(bytes, processes: 2) { raise type, "why" } }

      assert_equal "why", error.message
    end
  end

  def test_a_process_that_is_ended_has_no_answer
    fates = { TERM: "with the status 143", KILL: "killed by SIGKILL" }
    fates[40] = "killed by signal 40" if RUBY_PLATFORM.include?("linux") # one that has no name
    fates.each do |signal, fate|
      error = assert_raises(Sparpack::Error) do
        Note.decode_each(bytes, processes: 2) { |note| Process.kill(signal, Process.pid) && sleep if note.id == 9 }
      end

      assert_equal "a process ended before it had decoded its part (#{fate})", error.message
    end
  end

  # Nobody has killed it.
  def test_a_process_that_goes_on_without_its_pipe
    error = assert_raises(Sparpack::Error) do
      within("decode_each", seconds: 20) { Note.decode_each(bytes, processes: 2) { exec("sleep", "60") } }
    end

    assert_match(/ended before.* \(it has closed its pipe, perhaps by exec\)\z/, error.message)
  end

  class Undumped
    def marshal_dump = raise(KeyError, "no key")
  end

  def test_what_fails_when_it_is_dumped
    error = assert_raises(TypeError) { Note.decode_each(bytes, processes: 2) { Undumped.new } }

    assert_match(/\Aprocesses: the block must return what Marshal can dump, .* \(no key\)\z/, error.message)
  end

  # Only the other process could close the pipe, and it waits for this one.
  def test_a_process_that_is_ended_may_leave_another_one
    sleeping = IO.pipe
    error = assert_raises(Sparpack::Error) do
      within("decode_each", seconds: 20) do
        Note.decode_each(bytes, processes: 2) do
          Process.fork { wait_for_end(*sleeping) }
          exit!(3)
        end
      end
    end

    assert_equal "a process ended before it had decoded its part (with the status 3)", error.message
  ensure
    sleeping.each(&:close)
  end

  def test_the_block_cannot_leave_decode_each
    ways = [->(source) { Note.decode_each(source, processes: 2) { break 9 } },
            ->(source) { catch(:end) { Note.decode_each(source, processes: 2) { throw :end } } },
            ->(source) { Note.decode_each(source, processes: 2) { exit(3) } }]
    ways.each do |way|
      error = assert_raises(Sparpack::Error) { within("processes") { way.call(bytes) } }

      assert_equal "processes: the block has left its process, by break, return, throw or exit", error.message
    end
  end

  def test_wrong_bytes_raise_before_the_block_is_called
    wrong = bytes.byteslice(0, bytes.bytesize - 1)
    one = assert_raises(Sparpack::DecodeError) { Note.decode_each(wrong).to_a }
    many = assert_raises(Sparpack::DecodeError) { Note.decode_each(wrong, processes: 2) { flunk } }

    assert_equal [one.class, one.message], [many.class, many.message]
  end

  def test_wrong_calls
    { { processes: 0 } => /processes: expected an Integer from 1 to 64, got 0/, { processes: 65 } => /from 1 to 64, got 65/,
      { processes: "2" } => /from 1 to 64/,
      { processes: 2, frame: :varint, on_error: -> {} } => /on_error:/ }.each do |options, message|
      error = assert_raises(ArgumentError) { Note.decode_each(bytes, **options) { nil } }

      assert_match message, error.message
    end
    error = assert_raises(ArgumentError) { Note.decode_each(StringIO.new(bytes), processes: 2) { nil } }

    assert_match(/cannot share an io/, error.message)
    error = assert_raises(ArgumentError) { Note.decode_each(bytes, processes: 2) }

    assert_match(/needs a block/, error.message)
  end

  # No process stays behind.
  def test_interrupts
    Tempfile.create("pids") do |file|
      assert_raises(Timeout::Error) do
        Timeout.timeout(1) do
          Note.decode_each(bytes, processes: 2) { file.syswrite("#{Process.pid}\n") && sleep(60) }
        end
      end
      pids = File.readlines(file.path).map(&:to_i)

      assert_equal 2, pids.size
      pids.each { |pid| assert_raises(Errno::ESRCH) { Process.kill(0, pid) } }
    end
  end

  # Some have started, and others have not.
  def test_interrupts_while_processes_start
    [0.01, 0.02, 0.05].each do |seconds|
      assert_raises(Timeout::Error) { Timeout.timeout(seconds) { Note.decode_each(bytes, processes: 64) { sleep(10) } } }
      assert_raises(Errno::ECHILD) { Process.wait(-1, Process::WNOHANG) }
    end
  end

  # Ruby 3.1 closes an interrupted pipe twice. The second time, it may close another file that has got the same number.
  def test_interrupts_while_pipes_are_made
    30.times do
      assert_raises(Timeout::Error) do
        Timeout.timeout(0.0001 + (rand * 0.003)) { Sparpack::Forks.open { |forks| loop { forks.pipe.each(&:close) } } }
      end
      others = Array.new(20) { IO.pipe }.flatten
      GC.start
      others.each(&:close) # raises if another has closed it
    end
  end

  def test_a_process_that_cannot_be_started
    [[:fork, Errno::EAGAIN], [:pipe, Errno::EMFILE]].each do |call, error|
      before = pipes
      failing(call, error) { assert_raises(error) { Note.decode_each(bytes, processes: 8) { sleep(10) } } }

      assert_raises(Errno::ECHILD) { Process.wait(-1, Process::WNOHANG) }
      assert_operator pipes, :<=, before
    end
  end

  # The program may take the end of its children before this does.
  REAPERS = {
    trap: lambda { |work|
      before = trap("CHLD") { nil while Process.wait(-1, Process::WNOHANG) rescue nil } # rubocop:disable Style/RescueModifier
      begin
        work.call
      ensure
        trap("CHLD", before || "DEFAULT")
      end
    },
    ignoring: lambda { |work|
      before = trap("CHLD", "IGNORE")
      begin
        work.call
      ensure
        trap("CHLD", before || "DEFAULT")
      end
    },
    thread: lambda { |work|
      thread = Thread.new do
        loop do
          Process.wait(-1, Process::WNOHANG) || sleep(0.001)
        rescue Errno::ECHILD
          sleep 0.001
        end
      end
      begin
        work.call
      ensure
        thread.kill.join
      end
    }
  }.freeze

  # Under AddressSanitizer a child may inherit a lock of the allocator that the other thread held, and then it never ends.
  SAFE_REAPERS = ENV["SPARPACK_MODE"] == "sanitize" ? REAPERS.except(:thread) : REAPERS

  SAFE_REAPERS.each do |name, reaper|
    define_method("test_others_that_wait_for_children_#{name}") do
      within("processes") do
        reaper.call(lambda do
          5.times { assert_equal expected, read(bytes, processes: 4) }
          { KeyError => -> { raise KeyError }, Sparpack::Error => -> { exit!(3) } }.each do |error, fault|
            assert_raises(error) do
              Note.decode_each(bytes, processes: 4) { |note| note.id == 3 ? fault.call : sleep(0.1) }
            end
          end
        end)
      end
      assert_raises(Errno::ECHILD) { Process.wait(-1, Process::WNOHANG) }
    end
  end

  PRINTING = <<~'RUBY'
    require "sparpack"
    class Note < Sparpack::Struct
      field 1, :id, :i64
    end
    $stderr.sync = false
    bytes = Array.new(4) { |id| Note.new(id:).encode }.join
    print "before\n"
    $stderr.print "warned before\n"
    Note.decode_each(bytes, processes: 2) { |note| [puts("note #{note.id}"), $stderr.puts("warned #{note.id}")] }
    begin
      Note.decode_each(bytes, processes: 2) { |note| [puts("last words #{note.id}"), raise] }
    rescue RuntimeError
      puts "after"
    end
  RUBY

  # $stdout has a buffer if it is no terminal.
  def test_what_the_block_prints
    lines = fresh_ruby(PRINTING).lines(chomp: true)

    assert_equal ["after", "before", "last words 0", *Array.new(4) { |id| "note #{id}" },
                  *Array.new(4) { |id| "warned #{id}" }, "warned before"], (lines - ["last words 2"]).sort
  end

  def test_nobody_reads_what_the_block_prints
    reader, $stdout = IO.pipe
    $stdout.sync = false
    reader.close
    printed = Note.decode_each(bytes, processes: 2) { |note| print(note.id) || note.id }

    assert_equal expected.map(&:first), printed
  ensure
    $stdout.close
    $stdout = STDOUT
  end

  # Its number may be that of a stranger.
  def test_a_process_that_somebody_else_has_taken_is_not_killed
    killed = []
    singleton = Process.singleton_class
    plain = singleton.instance_method(:kill)
    verbose = $VERBOSE
    $VERBOSE = nil
    singleton.define_method(:kill) do |signal, pid|
      killed << pid
      plain.bind_call(self, signal, pid)
    end
    Sparpack::Forks.open do |forks|
      gone, running, done = Array.new(3) { |i| forks.start { sleep(i == 1 ? 60 : 0) } }
      within("a process") { sleep 0.001 until Process.wait(gone, Process::WNOHANG) }
      forks.answered(done)
      forks.finish

      assert_equal [running], killed
    end
  ensure
    singleton.define_method(:kill, plain)
    $VERBOSE = verbose
  end

  private

  def pipes
    ObjectSpace.each_object(IO).count do |io|
      !io.closed? && io.stat.pipe?
    rescue IOError
      false # one that an interrupt left without a file
    end
  end

  # The fourth call raises.
  def failing(call, error)
    owner = call == :fork ? Process.singleton_class : IO.singleton_class
    plain = owner.instance_method(call)
    count = 0
    verbose = $VERBOSE
    $VERBOSE = nil
    owner.define_method(call) do |*arguments, **options, &block|
      raise error if (count += 1) == 4

      plain.bind_call(self, *arguments, **options, &block)
    end
    yield
  ensure
    owner.define_method(call, plain)
    $VERBOSE = verbose
  end
end
