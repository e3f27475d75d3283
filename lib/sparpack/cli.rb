# frozen_string_literal: true

require "sparpack"

module Sparpack
  # The command `sparpack`: one verb, one file.
  #
  # The exit status is 0 if all is well, 1 if something is wrong with the files, and 2 if the command was called wrongly.
  #
  # @api private
  module CLI
    autoload :Assemble, "sparpack/cli/assemble"
    autoload :Breaking, "sparpack/cli/breaking"
    autoload :Columns, "sparpack/cli/columns"
    autoload :Completion, "sparpack/cli/completion"
    autoload :Config, "sparpack/cli/config"
    autoload :Convert, "sparpack/cli/convert"
    autoload :Format, "sparpack/cli/format"
    autoload :FormatSearch, "sparpack/cli/format_search"
    autoload :Frames, "sparpack/cli/frames"
    autoload :Generate, "sparpack/cli/generate"
    autoload :Guess, "sparpack/cli/guess"
    autoload :Help, "sparpack/cli/help"
    autoload :Hints, "sparpack/cli/hints"
    autoload :Idl, "sparpack/cli/idl"
    autoload :Inspect, "sparpack/cli/inspect"
    autoload :Records, "sparpack/cli/records"
    autoload :SchemaFile, "sparpack/cli/schema_file"
    autoload :Select, "sparpack/cli/select"
    autoload :Terminal, "sparpack/cli/terminal"
    autoload :Transfer, "sparpack/cli/transfer"
    autoload :TypedConvert, "sparpack/cli/typed_convert"
    autoload :Unframed, "sparpack/cli/unframed"
    autoload :Unwrapping, "sparpack/cli/unwrapping"
    autoload :Verb, "sparpack/cli/verb"

    # What the verbs share that read streams of structs.
    #
    # @api private
    module Structs
      autoload :Batch, "sparpack/cli/structs/batch"
      autoload :Condition, "sparpack/cli/structs/condition"
      autoload :Crew, "sparpack/cli/structs/crew"
      autoload :Lines, "sparpack/cli/structs/lines"
      autoload :Operand, "sparpack/cli/structs/operand"
      autoload :Place, "sparpack/cli/structs/place"
      autoload :Reading, "sparpack/cli/structs/reading"
      autoload :Selection, "sparpack/cli/structs/selection"
      autoload :Stream, "sparpack/cli/structs/stream"
      autoload :Table, "sparpack/cli/structs/table"
      autoload :Writer, "sparpack/cli/structs/writer"
      autoload :Writing, "sparpack/cli/structs/writing"
    end

    # Each verb's class and what it does.
    VERBS = {
      "generate"   => [:Generate, "write Ruby classes, and their signatures, for .thrift files"],
      "format"     => [:Format, "format .thrift files"],
      "idl"        => [:Idl, "print .thrift files for Ruby classes"],
      "breaking"   => [:Breaking, "find changes between two versions that break readers or writers"],
      "convert"    => [:Convert, "convert MessagePack to JSON and back, or structs between all wires"],
      "select"     => [:Select, "write the structs whose fields match, from any wire to any wire"],
      "columns"    => [:Columns, "write fields of structs as CSV, TSV or JSON lines"],
      "inspect"    => [:Inspect, "show what a payload contains, byte by byte"],
      "assemble"   => [:Assemble, "turn the text of inspect into bytes again"],
      "guess"      => [:Guess, "tell what files look like"],
      "completion" => [:Completion, "print a completion script for a shell"],
      "help"       => [:Help, "show the help of a verb"]
    }.freeze

    # The options that may come instead of a verb.
    OPTIONS = %w[--help --version].freeze

    # The command was called wrongly.
    Misuse = Class.new(StandardError)

    module_function

    # @param arguments [Array<String>]
    # @param input [IO]
    # @param output [IO]
    # @param errors [IO]
    # @return [Integer] the exit status
    def run(arguments, input: $stdin, output: $stdout, errors: $stderr)
      status = dispatch(*arguments.map { |argument| readable(argument) }, input:, output:, errors:)
      output.flush
      status
    rescue Misuse => e
      errors.puts("sparpack: #{lines(e.message)}", "Try: sparpack --help")
      2
    rescue Errno::EPIPE # the reader has seen enough
      0
    rescue SystemCallError, IOError => e # a disk may be full, an io closed
      errors.puts("sparpack: #{plain(e.message)}")
      2
    rescue Interrupt
      130
    end

    # Puts a message on one line and removes the name of Ruby's internal function, which tells the user nothing.
    #
    # @param message [String]
    # @return [String]
    def plain(message)
      Quote.visible(IDL::Source.utf8(message).scrub("?").sub(/ (@ \w+ )?- /, ": "))
    end

    # Escapes what a terminal would obey, but keeps the lines of a message.
    #
    # @param message [String]
    # @return [String]
    def lines(message) = message.split("\n", -1).map { |line| Quote.visible(line) }.join("\n")

    # Arguments are read as UTF-8 in every locale. An invalid one becomes bytes, because regexps would raise otherwise.
    def readable(argument)
      utf8 = IDL::Source.utf8(argument)
      utf8.valid_encoding? ? utf8 : utf8.b
    end
    private_class_method :readable

    def dispatch(name = nil, *rest, **streams)
      case name
      when nil then Help.new(**streams).overview(streams.fetch(:errors)) || 2
      when "--help", "-h" then Help.new(**streams).overview(streams.fetch(:output)) || 0
      when "--version", "-v" then streams.fetch(:output).puts("sparpack #{VERSION}") || 0
      else verb(name, **streams).call(rest)
      end
    end
    private_class_method :dispatch

    # @param name [String]
    # @param streams [Hash{Symbol => IO}]
    # @return [Verb]
    # @raise [Misuse] if there is none
    def verb(name, **streams)
      constant, = VERBS[name]
      option = constant.nil? && name.start_with?("-")
      raise Misuse, "unknown option #{Quote.plain(name)}#{Names.hint(name, OPTIONS)}" if option
      raise Misuse, "unknown verb #{Quote.value(name)}#{Names.hint(name, VERBS.keys)}" unless constant

      const_get(constant).new(**streams)
    end
  end
end
