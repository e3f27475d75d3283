# frozen_string_literal: true

require "optparse"

module Sparpack
  module CLI
    # The base of all verbs. It parses options, shows the help and reports errors. A subclass describes itself (`self.usage`,
    # `self.about`, `self.example`), declares its options ({#options}) and does the work ({#run}).
    class Verb
      # The largest number that an option takes. Neither a file nor a limit of Ruby is larger.
      LARGEST = (1 << 62) - 1
      private_constant :LARGEST

      class << self
        # @return [String] the verb, as a user types it
        def verb_name = name.split("::").last.downcase

        # @return [Array<String>] what may follow the verb
        attr_reader :usage

        # @return [String] a paragraph or more
        attr_reader :about

        # @return [String] commands that a user may type
        attr_reader :example

        private

        # Sets all of these.
        def describe(usage:, about:, example:)
          @usage = Array(usage)
          @about = about
          @example = example
        end
      end

      # @param input [IO]
      # @param output [IO]
      # @param errors [IO]
      def initialize(input: $stdin, output: $stdout, errors: $stderr)
        @input = input
        @sink = output # for what is not text for people
        @output = Terminal.new(output)
        @errors = Terminal.new(errors)
      end

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def call(arguments)
        rest = parser.parse(checked(arguments))
        return @output.puts(help) || 0 if @help

        run(rest)
      rescue Errno::EPIPE # not the caller's mistake
        raise
      rescue OptionParser::ParseError => e
        misuse(wrong_option(e))
      rescue Errno::ENOENT => e
        misuse("#{CLI.plain(e.message)}#{Hints.similar_file(e.message)}")
      rescue Misuse => e
        misuse(CLI.plain(e.message))
      rescue SystemCallError => e
        raise if output_fails? # CLI.run says so

        misuse(CLI.plain(e.message))
      rescue Error => e # the IDL is wrong, or Ruby cannot use what it declares
        report_error(e)
        unusable
      end

      # @return [OptionParser] with all options of the verb, which shells also complete
      def parser
        @parser ||= OptionParser.new do |parser|
          parser.summary_width = 26
          options(parser)
          parser.on("-h", "--help", "show this help") { @help = true }
        end
      end

      # @return [String] how to call the verb, its options and an example
      def help
        usage = self.class.usage.map { |line| "sparpack #{self.class.verb_name} #{line}" }
        [
          "Usage: #{usage.join("\n       ")}", self.class.about.strip, "Options:\n#{parser.summarize.join.rstrip}",
          "Example:\n#{self.class.example.strip.gsub(/^/, "    ")}"
        ].join("\n\n")
      end

      private

      # Whether what was printed cannot be written, for example because the disk is full.
      def output_fails?
        @sink.flush
        false
      rescue SystemCallError, IOError
        true
      end

      # OptionParser compares an unknown option with all known ones, which takes too long if the unknown one is long.
      def checked(arguments)
        long = arguments.find { |argument| argument.start_with?("-") && !Quote.short?(argument[/\A[^=]*/]) }
        raise Misuse, "invalid option: #{Quote.plain(long)}" if long

        arguments
      end

      # Says what is wrong with an option. The hint of OptionParser misses short names.
      def wrong_option(error)
        name = error.args.first.to_s[/\A--?([^=]*)/, 1]
        error.additional = nil
        error.args.map! { |argument| Quote.plain(argument) }
        hint = option_hint(name) if error.is_a?(OptionParser::InvalidOption) && name
        "#{CLI.plain(error.message)}#{hint}#{expected_argument(error)}"
      end

      # The option that was meant, or all if they are few.
      def option_hint(name)
        meant = Hints.option(name, long_options)
        return " (did you mean --#{meant}?)" if meant

        " (known: #{long_options.map { |known| "--#{known}" }.join(", ")})" if long_options.size <= 6
      end

      # @return [Array<String>] without hyphens
      def long_options
        parser.top.list.grep(OptionParser::Switch).flat_map(&:long).map { |long| long.delete_prefix("--").delete_prefix("[no-]") }
      end

      def expected_argument(error)
        return unless error.is_a?(OptionParser::MissingArgument)

        argument = parser.top.search(:long, error.args.first.to_s.delete_prefix("--"))&.arg
        argument && " (expected #{argument.strip})"
      end

      # Adds the verb's own options.
      def options(_parser) = nil

      # Options that several verbs share.
      def include_option(parser, &)
        parser.on("-I", "--include DIR", "a folder to search for included files; may be", "repeated", &)
      end

      # The options that say which struct is meant (SchemaFile).
      def schema_options(parser)
        @folders = []
        parser.on("--schema FILE", "a .thrift file, or a Ruby file with the classes") { |path| @schema = path }
        parser.on("--type NAME", "one of its structs (if it has several)") { |name| @type = name }
        include_option(parser) { |folder| @folders << folder }
        neg_keys_option(parser) { @neg_keys = true }
      end

      # @return [Class] the struct that these options name
      def schema_class = SchemaFile.new(@schema, @type, @folders, allow_neg_keys: @neg_keys || false).struct_class

      # The option that says what is around each payload. Yields nil for `none`.
      def frame_option(parser, *about, name: "--frame", none: true)
        choice(parser, name, [*Frame.names, *(:none if none)], *about) { |frame| yield(frame == :none ? nil : frame) }
      end

      # @raise [Misuse] if a format does not have these frames
      def check_frame(frame, format, option = "--frame")
        return unless frame == :lines && format != :json

        raise Misuse, "#{option} lines is only for json, not for #{format} (pass #{option} varint or #{option} framed)"
      end

      def neg_keys_option(parser, &)
        parser.on("--allow-neg-keys", "accept field ids of 0 and below, as in old files", &)
      end

      # An option that takes one of several values. For any other value, the error lists them or suggests one. `also` has
      # other names of values, which the help does not show.
      def choice(parser, name, values, *about, also: {})
        parser.on("#{name} #{values.join("|")}", *about) do |value|
          known = values.map(&:name)
          meant = also.fetch(value, value)
          raise Misuse, "unknown #{name} #{Quote.value(value)}#{Names.hint(value, known)}" unless known.include?(meant)

          yield meant.to_sym
        end
      end

      # An option that takes a number in decimal digits. OptionParser would read 010 as 8, and 0x2 and 1_0, too.
      def number(parser, name, *about, from: 0, to: nil)
        parser.on("#{name} N", *about) do |text|
          number = text.to_i if text.match?(/\A\d+\z/)
          number&.between?(from, to || LARGEST) ? yield(number) : refuse_number(name, text, from, to)
        end
      end

      def refuse_number(name, text, from, to)
        to ||= LARGEST if text.to_i > LARGEST
        digits = ", in decimal digits" unless text.match?(/\A-?\d+\z/)
        raise Misuse, "#{name} #{Quote.plain(text)}: expected a number from #{from} #{to ? "to #{to}" : "on"}#{digits}"
      end

      # @return [Array<String>] the files, and the .thrift files of the folders
      def thrift_files(paths)
        paths.flat_map do |path|
          next path unless File.directory?(path)
          raise Errno::EACCES, path unless File.readable?(path) && File.executable?(path)

          found = Dir.glob("**/*.thrift", base: path).map { |name| IDL::Source.utf8(File.join(path.b, name.b)) }
          found.select! { |name| File.file?(name) }
          raise Misuse, "no .thrift files in #{Quote.path(path)}" if found.empty?

          found
        end
      end

      # The exit status if an IDL cannot be used.
      def unusable = 1

      def report_error(error) = error.message.each_line(chomp: true) { |line| @errors.puts(fault(line)) }

      # A line of an error message, with the file and line in bold.
      def fault(line)
        line = Hints.with_options(line)
        place, rest = line.match(/\A(.+?:\d+:\d+: )(.*)/m)&.captures
        place ? "#{@errors.paint(place, :bold)}#{rest}" : line
      end

      def misuse(message)
        @errors.puts("sparpack #{self.class.verb_name}: #{message}", "Try: sparpack #{self.class.verb_name} --help")
        2
      end
    end
  end
end
