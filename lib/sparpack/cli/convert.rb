# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack convert`.
    class Convert < Verb
      include Transfer

      # Options for values that the other format cannot express: the choices and the help text of each.
      CHOICES = {
        json: {
          binary: [%i[base64 hex fail], "how to write bytes in JSON (default: base64)"],
          ext: [%i[object fail], "how to write extension types in JSON", "(default: object); timestamps are always strings"],
          nan: [%i[fail null string], "how to write NaN and infinity in JSON (default: fail)"]
        },
        msgpack: {
          "big-numbers": [%i[fail float string], "how to write numbers of more than 64 bits (default: fail)"]
        },
        nil => {
          "invalid-utf8": [%i[fail replace], "what to do with text that is not UTF-8 (default: fail)"]
        }
      }.freeze
      private_constant :CHOICES

      describe usage: "[INPUT [OUTPUT]] [options]",
               about: <<~TEXT,
                 Converts MessagePack to JSON, or JSON to MessagePack. The input may hold one value or many, and files may be
                 of any size. If you leave out a name or write - for it, the standard input or output is used.

                 The file names decide the formats (.msgpack, .mpk, .mp, .json, .jsonl, .ndjson). Without such a name, pass
                 --from or --to; without a schema, one of the two is enough. The output file appears when it is complete. If
                 something goes wrong, an old file stays as it was.

                 With --schema, the input holds structs, one after the other, in any format. --type names one of the structs
                 in the file. No objects are made, and JSON has one struct per line. If neither --from nor the name says
                 which format the input has, the first structs are tried in all formats (--from auto), with and without
                 frames. (A frame is the size of a struct before the struct.) A very short input may fit several formats. Then
                 pass --from and --frame. The output needs --to, or a name with a format.

                 JSON is written with one value per line. Without a schema, --pretty indents it. Keys that are numbers, true,
                 false or nil become strings, and timestamps become ISO 8601. Duplicate keys are kept.

                 The exit status is 0 if everything was converted, 1 if a value could not be converted (the message says
                 where it is), and 2 if the command was called wrongly or a file cannot be read or written.
               TEXT
               example: <<~TEXT
                 sparpack convert users.msgpack users.json --pretty
                 sparpack convert --from json < log.ndjson > log.msgpack
                 sparpack convert --schema shop.thrift --type Order --from compact --to json orders.bin
                 sparpack convert --schema shop.thrift --type Order --from auto --to json --enums names < orders.framed
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "expected at most an input and an output, got #{arguments.size} names" if arguments.size > 2

        @from_path, @to_path = arguments.values_at(0, 1).map { |path| path unless path == "-" }
        refuse_no_file if @to_path || @schema || @type
        return run_typed if @schema || @type

        to = direction
        refuse_one_file_for_both
        refuse_terminal(to)
        with_input { |io, total| convert(io, total, to) }
        0
      end

      private

      def run_typed
        raise Misuse, "--type needs the file that declares it: --schema FILE" unless @schema

        from = @from || named(@from_path) || :auto
        to = @to || named(@to_path) or raise Misuse, "which format is the output? (pass --to #{TypedConvert::FORMATS.join("|")})"
        wrong = @chosen.keys.first and raise Misuse, "--#{wrong} is only for values without a schema"
        refuse_typed_options(from, to)
        refuse_one_file_for_both
        refuse_terminal(to)
        typed = TypedConvert.new(schema_class, from:, to:, file:, **@typed)
        transfer_structs(typed) { |io, target, shown| typed.run(io, target, &shown) }
      end

      def options(parser)
        @chosen = {}
        formats = TypedConvert::FORMATS
        choice(parser, "--from", [*formats, :auto], "format of the input", "(auto is the default with a schema)",
               also: ALIASES) { |format| @from = format }
        choice(parser, "--to", formats, "format of the output", also: ALIASES) { |format| @to = format }
        schema_options(parser)
        @typed = {}
        input_frame_option(parser)
        output_frame_option(parser, "(default: none; lines for JSON)")
        typed_options(parser)
        threads_option(parser, "how many threads convert (default: 1)") { |threads| @typed[:threads] = threads }
        parser.on("--pretty", "indent the JSON (without a schema only)") { @chosen[:pretty] = true }
        CHOICES.each_value do |choices|
          choices.each do |name, (values, *about)|
            choice(parser, "--#{name}", values, *about) { |value| @chosen[name] = value }
          end
        end
        progress_option(parser)
      end

      # @return [Symbol] the format to write
      def direction
        other = [@from, @to].compact.find { |format| !TypedConvert::FREE.include?(format) }
        raise Misuse, "#{other} needs a schema: pass --schema FILE and --type NAME" if other

        wrong = @typed.keys.find { |name| !(name == :frame || (name == :limits && @typed[:frame])) }
        wrong = { limits: "message-limit", to_frame: "to-frame" }.fetch(wrong, wrong)
        wrong ||= "include" if @folders.any?
        wrong ||= "allow-neg-keys" if @neg_keys
        raise Misuse, "--#{wrong} needs a schema: pass --schema FILE and --type NAME" if wrong

        from = @from || named(@from_path)
        to = @to || named(@to_path)
        refuse_no_file unless from || to
        raise Misuse, "cannot tell the formats: pass --from msgpack or --from json" unless from || to
        raise Misuse, "the input and the output are both #{from}: nothing to convert#{output_hint}" if from == to

        to ||= from == :json ? :msgpack : :json
        if @from_path && !@to_path && named(@from_path) == to
          raise Misuse, "the input is #{from}, but its name stands for #{to}#{output_hint}"
        end

        refuse_options_of_the_other(to)
        check_frame(@typed[:frame], to == :json ? :msgpack : :json)
        to
      end

      # A single name is that of the input.
      def output_hint
        return unless @from_path && !@to_path

        " (to write to it, pass \"- #{@from_path}\"; to read it in spite of its name, pass \"< #{@from_path}\")"
      end

      def refuse_options_of_the_other(to)
        other = to == :json ? :msgpack : :json
        wrong = CHOICES.fetch(other).keys.find { |name| @chosen.key?(name) }
        wrong ||= :pretty if to == :msgpack && @chosen[:pretty]
        raise Misuse, "--#{wrong} is only for writing #{other == :json ? "JSON" : "MessagePack"}" if wrong
      end

      def convert(io, total, to)
        transfer(total) do |target, shown|
          options = @chosen.transform_keys { |key| key.name.tr("-", "_").to_sym }
          Sparpack::Convert.run(source(io, to, &shown), target, to:, **options) { |guess| Hints.without_schema(guess, file) }
        end
      end

      def source(io, to, &)
        return Sparpack::Convert::Source.new(io, name, &) unless @typed[:frame]

        frames = Unframed.new(io, @typed[:frame], to == :json ? :message_pack : :json, name, @typed[:limits])
        Unframed::Source.new(frames, name, &)
      end
    end
  end
end
