# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack convert`.
    class Convert < Verb
      # What names of files tell.
      FORMATS = {
        ".json" => :json, ".jsonl" => :json, ".ndjson" => :json,
        ".msgpack" => :msgpack, ".mpk" => :msgpack, ".mp" => :msgpack
      }.freeze

      # Options that say what becomes of values which the other side lacks: what they may be, and what they are about.
      CHOICES = {
        json: {
          binary: [%i[base64 hex fail], "bytes in JSON (base64)"],
          ext: [%i[object fail], "extension types in JSON (object); timestamps", "are text anyway"],
          nan: [%i[fail null string], "NaN and infinity in JSON (fail)"]
        },
        msgpack: {
          "big-numbers": [%i[fail float string], "numbers of more than 64 bits (fail)"]
        },
        nil => {
          "invalid-utf8": [%i[fail replace], "text that is not UTF-8 (fail)"]
        }
      }.freeze
      private_constant :FORMATS, :CHOICES

      describe usage: "[INPUT [OUTPUT]] [options]",
               about: <<~TEXT,
                 Turns MessagePack into JSON, or JSON into MessagePack, one value or many, one after the other. Files may be of
                 any size: what is in memory is a piece of them. - is the standard input or output, and what is left out is, too.

                 The names of files tell what is in them (.msgpack, .mpk, .mp, .json, .jsonl, .ndjson), or else --from and --to;
                 one of the two is enough. The output has its name when it is complete; if something is wrong, what was there
                 stays as it was.

                 JSON is written with one value on a line, or indented with --pretty. Keys that are numbers, true, false or nil
                 become text, timestamps become ISO 8601. Keys that are there twice stay so.

                 The exit status is 0 if all was converted, 1 if something could not be, which is told with its place, 2 if the
                 command was called wrongly or a file cannot be read or written.
               TEXT
               example: <<~TEXT
                 sparpack convert users.msgpack users.json --pretty
                 sparpack convert --from json < log.ndjson > log.msgpack
               TEXT

      # @param input [IO]
      # @param output [IO]
      # @param errors [IO]
      def initialize(input: $stdin, output: $stdout, errors: $stderr)
        super
        @sink = output
      end

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "an input and an output are all that it takes, not #{arguments.size} names" if arguments.size > 2

        @from_path, @to_path = arguments.values_at(0, 1).map { |path| path unless path == "-" }
        to = direction
        refuse_one_file_for_both
        if to == :msgpack && !@to_path && @output.seen?
          raise Misuse, "MessagePack is not for a terminal: name an OUTPUT, or send it elsewhere by > or |"
        end

        with_input { |io, total| convert(io, total, to) }
        0
      end

      private

      def options(parser)
        @chosen = {}
        choice(parser, "--from", %i[msgpack json], "what the input is") { |format| @from = format }
        choice(parser, "--to", %i[msgpack json], "what the output is") { |format| @to = format }
        parser.on("--pretty", "JSON with lines and indentation") { @chosen[:pretty] = true }
        CHOICES.each_value do |choices|
          choices.each do |name, (values, *about)|
            choice(parser, "--#{name}", values, *about) { |value| @chosen[name] = value }
          end
        end
        parser.on("--no-progress", "no bar, on a terminal neither") { @progress = false }
      end

      # @return [Symbol] what is written
      def direction
        from = @from || named(@from_path)
        to = @to || named(@to_path)
        raise Misuse, "which way? --from msgpack or --from json" unless from || to
        raise Misuse, "the input and the output are both #{from}: nothing to convert" if from == to

        to ||= from == :json ? :msgpack : :json
        refuse_options_of_the_other(to)
        to
      end

      def named(path) = path && FORMATS[File.extname(path).downcase]

      def refuse_options_of_the_other(to)
        other = to == :json ? :msgpack : :json
        wrong = CHOICES.fetch(other).keys.find { |name| @chosen.key?(name) }
        wrong ||= :pretty if to == :msgpack && @chosen[:pretty]
        raise Misuse, "--#{wrong} is for #{other == :json ? "JSON" : "MessagePack"} that is written" if wrong
      end

      def refuse_one_file_for_both
        input = @from_path || @input
        output = @to_path || @sink
        return unless file?(input) && file?(output) && File.identical?(input, output)

        raise Misuse, "the input and the output are one file#{": #{@from_path || @to_path}" if @from_path || @to_path}"
      end

      def file?(place)
        place.is_a?(String) ? File.file?(place) : place.is_a?(IO) && place.stat.file?
      end

      def with_input
        return yield @input.binmode, (@input.stat.size - @input.pos if file?(@input)) unless @from_path

        File.open(@from_path, "rb") { |io| yield io, (io.stat.size if io.stat.file?) }
      end

      def convert(io, total, to)
        progress = progress(total)
        source = Sparpack::Convert::Source.new(io, name) { |read| progress&.show(read) }
        target = target(progress)
        Sparpack::Convert.run(source, target, to:, **@chosen.transform_keys { |key| key.name.tr("-", "_").to_sym })
        target.commit
      ensure
        progress&.clear
        target&.abort
      end

      def name = @from_path ? IDL::Source.utf8(@from_path).scrub("?") : "(standard input)"

      # Not where the output would run through it.
      def progress(total)
        return if @progress == false || !@errors.seen? || (!@to_path && @output.seen?)

        Progress.new(@errors, File.basename(name), total)
      end

      # A document that was longer than memory, in its own file.
      def moving
        progress = nil
        lambda do |moved, size|
          progress = Progress.new(@errors, "#{File.basename(name)}, last step", size) if moved.zero?
          progress.show(moved)
          progress.clear if moved == size
        end
      end

      # What is no file, such as /dev/null, is written to as it is.
      def target(progress)
        return Sparpack::Convert::StreamTarget.new(@sink.binmode) unless @to_path
        raise Misuse, "#{@to_path} is a folder" if File.directory?(@to_path)

        there = File.exist?(@to_path)
        raise Misuse, "no folder #{File.dirname(@to_path)}" unless there || File.directory?(File.dirname(@to_path))
        raise Misuse, "#{@to_path} is not writable" if there && !File.writable?(@to_path)
        return Sparpack::Convert::FileTarget.new(@to_path, &(moving if progress)) unless there && !File.file?(@to_path)

        Sparpack::Convert::StreamTarget.new(File.open(@to_path, "wb"))
      end
    end
  end
end
