# frozen_string_literal: true

# Where the CPU time of a suite goes: seconds by file and by test, child processes included.
class Profile
  # How many files and how many tests are printed.
  SHOWN = 25

  def initialize
    @mutex = Mutex.new
    @files = {}
    @tests = {}
  end

  # @param file [String]
  # @param seconds [Float, nil] of the whole process; nil if it did not run to its end
  def file(file, seconds)
    @mutex.synchronize { @files[file] = seconds } if seconds
  end

  # @param file [String]
  # @param result [Minitest::Result]
  # @param seconds [Float, nil]
  def test(file, result, seconds)
    @mutex.synchronize { @tests["#{file} #{result.name}"] = seconds } if seconds
  end

  # @param io [IO]
  def print(io)
    head = format("%.1f s of CPU time in %d files. The most take:", @files.values.sum, @files.size)
    io.puts("", "", head, *most(@files), "", "By test:", *most(@tests))
  end

  private

  def most(seconds) = seconds.max_by(SHOWN, &:last).map { |name, each| format("%8.2f  %s", each, name) }
end
