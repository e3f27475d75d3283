# frozen_string_literal: true

require "fileutils"
require "tmpdir"
require_relative "package"

# Runs processes under Valgrind's memcheck, and tells the faults of our libraries from the many that it finds in Ruby.
#
#     memcheck = Memcheck.new(["lib/sparpack/native.so"])
#     system(*memcheck.command, "ruby", "-rsparpack", "-e", "…")
#     memcheck.faults # => ["Invalid read of size 1\n    at decode (decode.cpp:12)…"]
#
# An invalid read or write is ours if one of our frames is in its stack, a use of an uninitialised value if it is in our
# code, and a leak if our code allocated the memory. Ruby itself reads uninitialised words when it looks for objects on the
# machine stack, which marks objects that our code has just made, and it does not free its own objects when it exits.
class Memcheck
  SUPPRESSIONS = File.join(__dir__, "memcheck.supp")

  # A process that forks has a report of its own for each child.
  OPTIONS = %W[--tool=memcheck --quiet --xml=yes --error-limit=no --num-callers=30 --leak-check=full
               --show-leak-kinds=definite --errors-for-leak-kinds=definite --suppressions=#{SUPPRESSIONS}].freeze

  # What Ruby's functions for allocating memory are called. Where Ruby is stripped, those that are not public have no name.
  ALLOCATORS = /\A(?:ruby|objspace)_x|\Arb_data_typed_object_zalloc\z/

  # Where memcpy, malloc and their relatives are.
  LIBC = %r{/libc\.so|/vgpreload_}

  Frame = Struct.new(:object, :function, :file, :line) do
    # @param text [String] XML
    def self.from(text)
      new(*%w[obj fn file line].map { |name| text[%r{<#{name}>(.*?)</#{name}>}m, 1] })
    end

    def allocating? = function.nil? || function.match?(ALLOCATORS)

    def to_s = "#{function || "???"} (#{file ? "#{file}:#{line}" : object})"
  end

  # @param libraries [Array<String>] the paths of ours
  # @param folder [String] for the reports
  def initialize(libraries, folder: Dir.mktmpdir("memcheck").tap { |made| at_exit { FileUtils.rm_rf(made) } })
    Package.command("valgrind", "valgrind")
    @libraries = libraries.map { |path| File.realpath(path) }
    @folder = folder
  end

  # @return [Array<String>] what stands before a command
  def command = ["valgrind", *OPTIONS, "--xml-file=#{@folder}/%p.xml"]

  # @return [Array<String>] each once, with the number of processes that had it
  def faults
    found = Dir["#{@folder}/*.xml"].flat_map { |path| File.read(path).scan(%r{^<error>(.*?)^</error>}m).flatten.uniq }
    found.filter_map { |error| fault(error) }.tally.map { |text, count| "#{text}\n    (#{count} times)" }
  end

  # @return [Boolean] whether there are no faults; otherwise they are printed
  def passed?(io = $stdout)
    io.puts "", "memcheck found #{faults.size} faults of the native code#{":" unless faults.empty?}", *faults
    faults.empty?
  end

  private

  def fault(error)
    kind, what = %w[kind (?:what|text)].map { |name| error[%r{<#{name}>(.*?)</}m, 1] }
    frames = error[%r{<stack>(.*?)</stack>}m, 1].scan(%r{<frame>.*?</frame>}m).map { |text| Frame.from(text) }
    "#{what}\n#{frames.map { |frame| "    #{frame}" }.join("\n")}" if ours?(kind, frames)
  end

  def ours?(kind, frames)
    first = frames.index { |frame| @libraries.include?(frame.object) } or return false
    above = frames.first(first).reject { |frame| frame.object&.match?(LIBC) }
    case kind
    when /\ALeak/ then above.count { |frame| frame.function.nil? } < 2 && above.all?(&:allocating?)
    when /\AUninit/ then above.empty?
    else true
    end
  end
end
