# frozen_string_literal: true

require "sparpack"
require "tmpdir"
require_relative "driver/seconds"

# Feeds mutated .thrift texts to the parser, the linker, the formatter and the generators, and looks for what breaks between
# a text and the one that it was made of. Any text must be read, or refused with its place, in bounded time:
#
#     ruby -Ilib fuzz/idl.rb [SECONDS [SEED]]
class IDLFuzzer
  CORPUS = Dir[File.expand_path("../test/fixtures/idl/*.thrift", __dir__)].freeze

  # Pieces of text that are likely to break something.
  BITS = ["{", "}", "(", ")", "[", "]", "<", ">", "\"", "'", "/*", "*/", "/**", "//", "#", ",", ";", ":", "=", "&", "\0",
          "\xFF".b, "ä", "\r", "\n", "9" * 40, "0x", "-", ".", "1e400", "a.b.c", "true", "struct", "union", "enum", "const",
          "typedef", "service", "extends", "oneway", "throws", "required", "include", "namespace", "list<", "map<",
          "xsd_attrs {"].freeze
  TOKEN = /[A-Za-z_][\w.]*|\d+|"[^"]*"|\s+|./mn

  # A text that takes longer is reported.
  SECONDS = 5

  # @return [Hash{Symbol => Integer}] how many texts had each outcome
  attr_reader :counts

  # @param random [Integer, Random] a seed, or what decides
  def initialize(random)
    @random = random.is_a?(Integer) ? Random.new(random) : random
    @texts = CORPUS.to_h { |path| [path, File.binread(path)] }
    @counts = Hash.new(0)
  end

  # Tries one text.
  #
  # @return [void]
  # @raise [RuntimeError] with the text, if something went wrong
  def step
    original = CORPUS.sample(random: @random)
    text = mutate(@texts[original].dup)
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    @counts[outcome(text, original)] += 1
    seconds = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    raise "#{seconds.round(1)} s" if seconds > SECONDS
  rescue StandardError, SyntaxError, SystemStackError => e
    raise "#{e.class}: #{e.message.lines.first}\n#{e.backtrace.first(5).join("\n")}\n---\n#{text}"
  end

  private

  def outcome(text, original)
    document = Sparpack::IDL.parse(text, "fuzz.thrift")
    raise "formatting changes it" unless Sparpack::IDL.parse(Sparpack::IDL.format(text)) == document

    Dir.mktmpdir do |folder|
      path = File.join(folder, "fuzz.thrift")
      File.binwrite(path, text)
      files = Sparpack::Generate.files([path], include: [File.dirname(CORPUS.first)], rbs: true, rbi: true, layout: :type)
      files.each { |name, source| RubyVM::InstructionSequence.compile(source, name) unless name.end_with?(".rbs") }
      compare(original, path)
    end
    :generated
  rescue Sparpack::IDL::Error => e
    raise "no place: #{e.message}" unless e.message.lines.first.match?(/\A.+?:\d+:\d+: expected .+, found /)

    document ? :linker : :parser
  end

  # No text breaks itself, and what breaks has its place and words.
  def compare(original, path)
    [[path, path], [original, path], [path, original]].each do |paths|
      old, new = paths.map { |each| Sparpack::IDL::Breaking::Version.at(each, include: [File.dirname(CORPUS.first)]) }
      found = Sparpack::IDL::Breaking.new(old, new, level: :source).findings
      raise "it breaks itself: #{found.first}" if paths.uniq.one? && found.any?

      wrong = found.find { |finding| !finding.to_s.match?(/\A.+?:\d+:\d+: (error|warning): \[\w+\] \S/) }
      raise "no place: #{wrong}" if wrong
    end
  end

  def mutate(text)
    tokens = text.scan(TOKEN)
    (1 + @random.rand(4)).times { change(tokens) }
    tokens.join.b
  end

  def change(tokens)
    at = @random.rand(tokens.size)
    other = @random.rand(tokens.size)
    case @random.rand(7)
    when 0 then tokens.delete_at(at)
    when 1 then tokens.insert(at, BITS.sample(random: @random).b)
    when 2 then tokens[at] = BITS.sample(random: @random).b
    when 3 then tokens[at] = tokens[other]
    when 4 then tokens[at], tokens[other] = tokens[other], tokens[at]
    when 5 then tokens.insert(at, *tokens[other, @random.rand(40)])
    else tokens.slice!(at, @random.rand(40))
    end
    tokens << " " if tokens.empty?
  end
end

Seconds.run(IDLFuzzer, ARGV) if $PROGRAM_NAME == __FILE__
