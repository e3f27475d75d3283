# frozen_string_literal: true

require "shellwords"

module Sparpack
  module CLI
    # What verbs share that read an input, which may be large, and write an output: names of files and the formats that they
    # stand for, options of codecs, what is refused, and the progress. `@from_path` and `@to_path` are the names of the
    # files, or nil for the standard input and output.
    module Transfer
      # The format that a file name stands for.
      FORMATS = {
        ".json" => :json, ".jsonl" => :json, ".ndjson" => :json,
        ".msgpack" => :msgpack, ".mpk" => :msgpack, ".mp" => :msgpack
      }.freeze

      # MessagePack as the wire is called.
      ALIASES = { "message_pack" => "msgpack" }.freeze

      # Options that a codec has, too: what the option is called in Ruby, its values and the help text.
      TYPED = {
        unknown: [%i[keep skip reject], "what to do with unknown fields (default: keep,",
                  "if the other format can carry them)"],
        mismatch: [%i[raise skip], "what to do with a field of another type", "(default: raise)"],
        validate: [%i[none normal strict recursive], "what is checked (default: normal)"],
        keys: [%i[array names ids], "how structs are written in MessagePack", "(default: array)"],
        enums: [%i[numbers names], "how enums are written in JSON and MessagePack", "(default: numbers)"],
        i64: [%i[number text], "how an i64 is written in JSON (default: number)"]
      }.freeze

      # Those of them that only some formats have.
      WRITING = { keys: %i[msgpack], enums: %i[json msgpack], i64: %i[json] }.freeze
      private_constant :FORMATS, :ALIASES, :TYPED, :WRITING

      private

      # --- options ---------------------------------------------------------------------------------------------------------

      # @param typed [Hash] of {TYPED}
      def typed_options(parser, typed = TYPED)
        typed.each do |name, (values, *about)|
          choice(parser, "--#{name}", values, *about, also: { "string" => "text" }) do |value|
            @typed[name] = value == :text ? :string : value
          end
        end
        number(parser, "--message-limit", "the most bytes of one struct", "(default: 100000000)") do |size|
          @typed[:limits] = Limits.new(message: size)
        end
      end

      def input_frame_option(parser)
        frame_option(parser, "what is around each struct of the input", "(default: found by itself)") do |frame|
          @typed[:frame] = frame
        end
      end

      def output_frame_option(parser, default)
        frame_option(parser, "what to write around each struct", default, name: "--to-frame") do |frame|
          @typed[:to_frame] = frame
        end
      end

      def threads_option(parser, *about, &) = number(parser, "--threads", *about, from: 1, to: Ahead::THREADS, &)

      def progress_option(parser)
        parser.on("--no-progress", "never show the progress line") { @progress = false }
      end

      # Says it in the words of the command.
      def refuse_typed_options(from, to)
        check_frame(@typed[:frame], from) unless from == :auto
        check_frame(@typed[:to_frame], to, "--to-frame")
        name, formats = WRITING.find { |name, formats| @typed.key?(name) && !formats.include?(to) }
        raise Misuse, "--#{name} is only for writing #{formats.join(" or ")}, not #{to}" if name
      end

      # --- the input -------------------------------------------------------------------------------------------------------

      # The name of a file that is not there says little of the format. A single one may be meant for the output.
      def refuse_no_file
        raise Errno::ENOENT, Quote.path(@from_path) if @from_path && !File.exist?(@from_path)
      end

      def named(path) = path && FORMATS[File.extname(path).downcase]

      def with_input
        return yield @input.binmode, (@input.stat.size - @input.pos if regular?(@input)) unless @from_path

        File.open(@from_path, "rb") { |io| yield io, (io.stat.size if io.stat.file?) }
      end

      def name = @from_path ? IDL::Source.utf8(@from_path).scrub("?") : "(standard input)"

      # The input, as a shell writes it.
      def file = @from_path ? Quote.visible(Shellwords.escape(@from_path)) : "INPUT"

      # @param struct_class [Class]
      # @return [Structs::Stream] the structs of the input
      def stream(struct_class)
        from = @from || named(@from_path) || :auto
        check_frame(@typed[:frame], from) unless from == :auto
        Structs::Stream.new(struct_class, from:, file:, **@typed.slice(:frame))
      end

      # --- from the input to the output ------------------------------------------------------------------------------------

      # Passes structs on. A fault in one of them names the input, and the line if it is text.
      #
      # @param stream [Structs::Stream, TypedConvert]
      # @yieldparam io [IO]
      # @yieldparam target [#write]
      # @yieldparam shown [#call] shows how far the input was read
      def transfer_structs(stream)
        with_input { |io, total| transfer(total) { |target, shown| yield io, target, shown } }
        0
      rescue DecodeError, EncodeError => e
        raise e.exception("#{[name, *stream.place].join(":")}: #{e.message}"), cause: nil
      end

      def transfer(total)
        progress = progress(total)
        target = target(progress)
        yield target, ->(read) { progress&.show(read) }
        target.commit
      ensure
        progress&.clear
        target&.abort
      end

      # There is no progress line if the output goes to the same terminal.
      def progress(total)
        return if @progress == false || !@errors.seen? || (!@to_path && @output.seen?)

        Terminal::Progress.new(@errors, File.basename(name), total)
      end

      # Shows the progress of moving up a document that did not fit in memory.
      def moving
        progress = nil
        lambda do |moved, size|
          progress = Terminal::Progress.new(@errors, "#{File.basename(name)}, last step", size) if moved.zero?
          progress.show(moved)
          progress.clear if moved == size
        end
      end

      # --- the output ------------------------------------------------------------------------------------------------------

      # If the target is not a regular file, such as /dev/null, it is written to directly.
      def target(progress)
        return standard_output unless @to_path
        raise Misuse, "#{@to_path} is a folder" if File.directory?(@to_path)

        there = File.exist?(@to_path)
        raise Misuse, "no folder #{File.dirname(@to_path)}" unless there || File.directory?(File.dirname(@to_path))
        raise Errno::EACCES, File.dirname(@to_path) unless there || File.writable?(File.dirname(@to_path))
        raise Misuse, "#{@to_path} is not writable" if there && !File.writable?(@to_path)
        return Sparpack::Convert::FileTarget.new(@to_path, &(moving if progress)) unless there && !File.file?(@to_path)

        Sparpack::Convert::StreamTarget.new(File.open(@to_path, "wb"))
      end

      def standard_output
        target = Sparpack::Convert::StreamTarget.new(@sink.binmode)
        @output.seen? ? on_terminal(target) : target
      end

      # What is not refused there is JSON.
      def on_terminal(target) = Terminal::Target.new(target)

      def refuse_one_file_for_both
        input = @from_path || @input
        output = @to_path || @sink
        return unless regular?(input) && regular?(output) && File.identical?(input, output)

        raise Misuse, "the input and the output are the same file#{": #{@from_path || @to_path}" if @from_path || @to_path}"
      end

      def refuse_terminal(to)
        return if %i[json thrift_json].include?(to) || @to_path || !@output.seen?

        name = to == :msgpack ? "MessagePack" : to
        raise Misuse, "#{name} is not written to a terminal: name an OUTPUT, or redirect it with > or |"
      end

      def regular?(place)
        place.is_a?(String) ? File.file?(place) : place.is_a?(IO) && place.stat.file?
      end
    end
  end
end
