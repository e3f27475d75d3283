# frozen_string_literal: true

require "sparpack"
require "tmpdir"
require_relative "driver/seconds"
begin
  require "rbs"
rescue LoadError # signatures in RBS are then not parsed
  nil
end

# Feeds .thrift texts with hostile names, namespaces, strings, annotations, comments and file names to the generators. Each
# text must be refused with its place, or become source that holds nothing but declarations, whatever the strings say:
#
#     ruby -Ilib fuzz/names.rb [SECONDS [SEED]]
class NamesFuzzer
  CODE = ["$canary = 1", "system('false')", "exit!", "`false`", "BEGIN { exit! }", "end; exit!; module X",
          "def x; end"].freeze

  # Pieces of strings, comments and namespaces.
  BITS = ['#{', "}", "\"", "'", "\\", "\\\\", "\n", "\r", "\0", "\t", " ", ";", ".", "..", "/", "::", ":", "=", "#", '#$',
          '#@', "\n=begin\n", "\n=end\n", "\n__END__\n", "%q(", ")", "<<~A", "A", "a", "Foo", "Object", "Kernel", "END",
          "BEGIN", "self", "if", "_", "__", "_1", "0", "ä", "Ä", "日",
          "\u202E", "\u2066", "\u2028", "\u200D", "\u3164", "\u034F",
          "\u0085", "\uFEFF", "\u3001", "-*- coding: us-ascii -*-", "coding=shift_jis ", "frozen_string_literal: true",
          "typed: strict", "%a{x}", "*", "|", *CODE].freeze

  # Words that the parser takes as names.
  WORDS = %w[A a Foo foo FOO BEGIN END end if self nil class _ __ _1 __END__ __FILE__ defined Object Kernel Struct Set
             String T initialize method_missing send eval system exit inspect to_s hash name instance_eval public_send new
             success message fields
             validate VALUE_MAP VALID_VALUES Sparpack Thrift Sparsam read write x_args X_args x_result].freeze

  # Any of these may also be spelled like the others, but for their case.
  ANNOTATED = ["A", "::A", "A::B", "::A::B", "a", "::", "A::", "A::END", "É", "::Kernel", "A\n", "A;exit!", "A\u3164",
               "", "_", "END", "A-B"].freeze

  RUNS = [{ rbs: true, rbi: true }, { rbi: true, layout: :zeitwerk, names: :ruby }, { layout: :type, rbi: true },
          { style: :thrift }, { style: :thrift, layout: :namespaced }, { style: :sparsam }].freeze

  # The nodes of declarations. There is no interpolation, no variable of the program and no shell among them.
  NODES = %i[
    AND ARGS ARGSCAT ATTRASGN BEGIN BLOCK BLOCK_PASS CALL CASE CDECL CLASS COLON2 COLON3 CONST DEFN DEFS ENSURE FALSE FCALL
    HASH IASGN IF ITER IVAR KW_ARG LAMBDA LASGN LIST LIT LVAR MASGN MODULE NEXT NIL NOT OPCALL OPT_ARG OR QCALL RESBODY
    RESCUE RETURN SCLASS SCOPE SELF SPLAT STR SUPER TRUE UNLESS VCALL WHEN YIELD ZARRAY ZLIST ZSUPER DEFINED DVAR DASGN
    DASGN_CURR VALIAS ALIAS OP_ASGN_OR INTEGER FLOAT SYM IMAGINARY RATIONAL
  ].freeze

  # What may interpolate: messages of the methods that the thrift gem lacked once.
  LATER = "failed: out of sequence response"

  # Methods that run or define whatever they are told. A handler may have a method of any name that is private in Kernel.
  PRIVATE = %i[system exit exit! eval ` exec spawn open abort fork trap].freeze
  PUBLIC  = %i[instance_eval instance_exec class_eval class_exec module_eval module_exec __send__ public_send
               define_method define_singleton_method].freeze

  # Nobody sees these, or they end a line for somebody.
  ODD = /[[[:cntrl:]]&&[^\n]]|[\u2028\u2029\u202A-\u202E\u2066-\u2069\uFEFF]/

  # @return [Hash{Symbol => Integer}] how many texts had each outcome
  attr_reader :counts

  # @param random [Integer, Random] a seed, or what decides
  def initialize(random)
    @random = random.is_a?(Integer) ? Random.new(random) : random
    @counts = Hash.new(0)
  end

  # Tries one text.
  #
  # @return [void]
  # @raise [RuntimeError] with the text, if something went wrong
  def step
    @strings = []
    text = text()
    file = "#{file_name}.thrift"
    Dir.mktmpdir do |folder|
      path = File.join(folder, file)
      File.binwrite(path, text)
      RUNS.each { |options| @counts[generate(path, options)] += 1 }
      @counts[load(path)] += 1
    end
  rescue StandardError, SyntaxError, SystemStackError => e
    raise "#{e.class}: #{e.message.lines.first(3).join}\n#{e.backtrace.first(6).join("\n")}\n--- #{file.inspect}\n#{text}"
  end

  private

  # --- texts ---------------------------------------------------------------------------------------------------------------

  def pick(list) = list[@random.rand(list.size)]

  def chance?(part) = @random.rand < part

  def word = chance?(0.7) ? "#{pick(WORDS)}#{@random.rand(30)}" : pick(WORDS)

  def bits(most) = Array.new(@random.rand(most)) { pick(BITS) }.join

  # A string in quotes, and in what Ruby has to say.
  def quoted(string)
    @strings << string
    "\"#{string.gsub(/[\\"\n\r\t]/) { |char| { "\n" => "\\n", "\r" => "\\r", "\t" => "\\t" }.fetch(char, "\\#{char}") }}\""
  end

  def doc = chance?(0.5) ? "/** #{bits(6).gsub("*/", "* /").delete("\0")} */" : ""

  def annotations(ruby: false)
    pairs = Array.new(@random.rand(2)) { "#{pick(WORDS)}.#{@random.rand(9)} = #{quoted(bits(5))}" }
    pairs << "sparpack.ruby = #{quoted(pick(ANNOTATED)).tap { @strings.pop }}" if ruby && chance?(0.15)
    pairs.empty? ? "" : "(#{pairs.join(", ")})"
  end

  def namespace
    case @random.rand(3)
    when 0 then ""
    when 1 then "namespace rb #{Array.new(1 + @random.rand(2)) { word }.join(".")}"
    else quoted(bits(4)).then { |name| @strings.pop && "namespace rb #{name}" }
    end
  end

  def file_name
    name = bits(3).delete("/\0").gsub(/[^[:print:]\n\t]/, "?")
    name.empty? || name.match?(/\A\.+\z/) ? "a" : name.byteslice(0, 100).scrub("")
  end

  def text
    names = Array.new(5) { word }
    <<~THRIFT
      #{doc}
      #{namespace}
      #{doc} enum #{names[0]} { #{doc} #{word} #{annotations(ruby: true)}, #{word} } #{annotations(ruby: true)}
      #{doc} struct #{names[1]} { #{fields(names[0])} } #{annotations(ruby: true)}
      #{pick(%w[union exception])} #{names[2]} { #{doc} 1: string #{word} #{annotations(ruby: true)} }
      typedef #{chance?(0.5) ? "string" : names[1]} #{names[3]} #{annotations}
      #{doc} service #{names[4]} { #{doc} string #{word}(1: string #{word} = #{quoted(bits(4))}) #{annotations(ruby: true)} }
      const map<string, string> #{word} = {#{quoted(bits(5))}: #{quoted(bits(5))}}
    THRIFT
  end

  def fields(enum)
    "#{doc} 1: string #{word} = #{quoted(bits(5))} #{annotations(ruby: true)}, #{doc} 2: required #{enum} #{word} " \
      "#{annotations(ruby: true)}, 3: list<binary> #{word} = [#{quoted(bits(5))}]"
  end

  # --- what becomes of them ------------------------------------------------------------------------------------------------

  def generate(path, options)
    files = Sparpack::Generate.files([path], **options)
    files.each { |name, source| check(name, source) }
    check_strings(files) unless options[:style]
    :generated
  rescue Sparpack::IDL::Error => e
    raise "no place: #{e.message}" unless e.message.match?(/:\d+:\d+: expected .+, found /)

    :refused
  rescue ArgumentError => e # two names are the same, or one is that of a class of Ruby
    raise unless e.message.match?(/would be|no type/)

    :clashing
  end

  def check(name, source)
    raise "the path #{name.inspect}" if File.absolute_path?(name) || name.split("/").include?("..")
    raise "not UTF-8" unless source.encoding == Encoding::UTF_8 && source.valid_encoding?
    raise "hidden characters in #{name}" if source.delete("\t").match?(ODD)
    return parse_rbs(source) if name.end_with?(".rbs")

    walk(RubyVM::AbstractSyntaxTree.parse(source.dup.force_encoding(Encoding::BINARY).force_encoding(Encoding::UTF_8)), [])
    raise "another encoding" if source.lines.first(2).any? { |line| line.match?(/coding\s*[:=]/i) }
  end

  def parse_rbs(source) = defined?(RBS::Parser) && RBS::Parser.parse_signature(source)

  def walk(node, strings)
    return strings unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)
    return strings if node.type == :DEFN && node.children[0] == :message # it calls the reader of a field of any name

    foreign(node) unless NODES.include?(node.type)
    raise "a call of #{node.children.inspect}" if calls?(node)

    strings << node.children[0] if node.children[0].is_a?(String) # keys of a Hash are no STR but a LIT
    node.children.each { |child| walk(child, strings) } unless node.type == :DSTR
    strings
  end

  # Only a client's message interpolates.
  def foreign(node)
    return if node.type == :DSTR && walk(node.children.last, []).any? { |part| part.include?(LATER) }

    raise "a node #{node.type}: #{node.children.inspect}"
  end

  def calls?(node)
    case node.type
    when :FCALL, :VCALL then (PRIVATE | PUBLIC).include?(node.children[0])
    when :CALL, :QCALL then PUBLIC.include?(node.children[1])
    end
  end

  # Each string is in the source as it was in the IDL.
  def check_strings(files)
    found = files.select { |name, _| name.end_with?(".rb") }.each_value.flat_map do |source|
      walk(RubyVM::AbstractSyntaxTree.parse(source), [])
    end
    lost = (@strings.map(&:b) - found.map(&:b)).first
    raise "the string #{lost.inspect} is lost" if lost
  end

  def load(path)
    place = Module.new
    Sparpack::IDL.load(path, into: place)
    :loaded
  rescue Sparpack::IDL::Error, Sparpack::SchemaError
    :not_loaded
  ensure
    raise "code ran" if $canary # rubocop:disable Style/GlobalVars -- what the strings set
  end
end

Seconds.run(NamesFuzzer, ARGV) if $PROGRAM_NAME == __FILE__
