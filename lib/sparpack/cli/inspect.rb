# frozen_string_literal: true

require "shellwords"

module Sparpack
  module CLI
    # `sparpack inspect`.
    class Inspect < Verb
      # The most lines that are shown unless more are asked for.
      LINES = { tree: 1000, text: 1000, json: 1000, html: 20_000 }.freeze
      COLORS = %i[auto always never].freeze

      # A wire as `sparpack convert` calls it.
      ALIASES = { "msgpack" => "message_pack" }.freeze
      private_constant :LINES, :COLORS, :ALIASES

      describe usage: "[FILE] [options]",
               about: <<~TEXT,
                 Shows what a payload contains: the offset and the bytes of each value, its name, its type and what it is.
                 Without a name, or with -, it reads the standard input. A broken payload is shown up to the fault, with what
                 was expected there.

                 Several payloads may follow one another, with frames or without. All of them are shown, or those with --path.
                 --record picks one. Frames are found without an option, or named by --frame.

                 Without a schema, fields have only their ids. --schema names a .thrift file, or a Ruby file that defines the
                 classes, and --type one of its structs. Without --from, the wire is guessed.

                 Only the first 1000 lines are shown (20000 in HTML). --format text and json show all if the output is not a
                 terminal. sparpack assemble turns the text into the same bytes, also after a change.

                 The exit status is 0 if the payload is complete, 1 if something is wrong with it or with the schema, and 2 if
                 the command was called wrongly, --path names a field that the schema does not have, or a file cannot be read.
               TEXT
               example: <<~TEXT
                 sparpack inspect --schema idl/listing.thrift --type Listing listing.bin
                 sparpack inspect listing.bin --path 'neighborhoods[3]' --all
                 sparpack inspect listing.bin --format html > listing.html
                 sparpack inspect listings.log --record 3
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "expected one file, got #{arguments.size} names" if arguments.size > 1

        check_options
        @path = path = arguments.first unless arguments.first == "-"
        @class = schema_class if @schema
        @title = path ? Quote.path(path) : "(standard input)"
        bytes = bytes(path)
        raise Frames::None, "#{@title}: the input is empty" if bytes.empty?

        records = records(bytes)
        return show_records(records, bytes) if records && !@record && %i[tree json].include?(@format)

        show(inflated(one(records, bytes)))
      end

      private

      def options(parser)
        @shown = {}
        schema_options(parser)
        choice(parser, "--from", [:auto, *Inspector::WIRES], "the wire (default: auto)", also: ALIASES) do |wire|
          @from = wire unless wire == :auto
        end
        frame_option(parser, "what is around each payload (default: a guess)") do |frame|
          @frame = frame
          @framed = true
        end
        choice(parser, "--format", Inspector::FORMATS, "what to write (default: tree)") { |format| @format = format }
        parser.on("--path PATH", "show only what is there: 'neighborhoods[3].name'",
                  "(ids may stand for names, * for anything)") do |path|
          @shown[:path] = path
        end
        number(parser, "--record", "show only this one of several payloads", "(the first is 1)", from: 1) { |n| @record = n }
        parser.on("--offset RANGE", "show only these bytes: 100, 100..199 or 100+50") do |range|
          @shown[:range] = range(range)
        end
        number(parser, "--limit", "the most lines") { |limit| @limit = limit }
        parser.on("--all", "show all lines") { @all = true }
        parser.on("--inflate", "show what is compressed with LZ4 inside", "(a tree shows it anyhow)") { @inflate = true }
        number(parser, "--strings", "the bytes of a string that are shown", "(default: 64)") { |size| @strings = size }
        choice(parser, "--color", COLORS, "default: auto, if the output is a terminal", "and NO_COLOR is not set") do |color|
          @output.color = color
        end
      end

      def check_options
        @format ||= :tree
        raise Misuse, "--type needs the file that declares it: --schema FILE" if @type && !@schema
        raise Misuse, "--limit and --all exclude one another" if @limit && @all

        check_frame(@frame, @from) if @from

        wrong = { "--path" => :path, "--offset" => :range }.find { |_, option| @shown.key?(option) }&.first
        raise Misuse, "#{wrong} is not for --format text, which is assembled as a whole" if wrong && @format == :text
        raise Misuse, "--strings is only for --format tree" if @strings && @format != :tree
      end

      def range(text)
        first, sign, last = text.match(/\A(\d{1,18})(?:(\.\.|\+)(\d{1,18})?)?\z/)&.captures
        wrong = first.nil? || (sign == "+" && !last)
        raise Misuse, "--offset #{Quote.plain(text)}: expected 100, 100..199 or 100+50" if wrong

        return (first.to_i..) unless last

        range = sign == "+" ? first.to_i...(first.to_i + last.to_i) : first.to_i..last.to_i
        raise Misuse, "--offset #{text}: expected a range with at least one byte" if range.none?

        range
      end

      def bytes(path)
        return @input.binmode.read unless path
        raise Misuse, "#{Quote.path(path)} is a folder" if File.directory?(path)

        File.binread(path)
      end

      # The payload that is shown alone. Without frames, a text also has the bytes behind it.
      def one(records, bytes)
        return inspector(bytes) if records.nil? || (!@record && @format == :text && records.frame.nil?)
        if !@record && @format == :text
          raise Misuse,
                "--format text is for one payload, and there are frames: pass --record N"
        end

        @errors.puts("the page has only the first of several payloads: pass --record N for another one") unless @record
        record = records.find(@record || 1)
        @inflate || !%i[tree json].include?(@format) ? record.alone : record
      end

      # @return [Records, nil] if there are several payloads, or frames
      def records(bytes)
        guess = Sparpack.guess(bytes, @class)
        @found = guess.reason unless @from
        return framed_records(bytes, guess) if @framed && @frame

        same = guess.wire && [nil, guess.wire].include?(@from)
        return Records.new(bytes, @class, guess.wire, guess.frame) if same && guess.frame && !@framed

        wire = @from || (same && guess.wire)
        wire ||= guessed_wire(bytes) if @record
        records = Records.new(bytes, @class, wire, nil) if wire
        records if records && (@record || (same && guess.count > 1) || records.array? || records.several?)
      end

      # The wire of a payload that looks like none.
      def guessed_wire(bytes)
        inspector = inspector(bytes)
        @found = inspector.reason
        inspector.wire
      end

      # The wire is that of the first payload.
      def framed_records(bytes, guess)
        first = first_frame(bytes, guess)
        wire = @from || (guess.frame == @frame && guess.wire)
        return Records.new(bytes, @class, wire, @frame) if wire

        inspector = Inspector.new(first, @class)
        @found = inspector.reason
        Records.new(bytes, @class, inspector.wire, @frame)
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      # @return [String, nil] the payload of the first frame; nil if it is wrong, and the wire is known, so {Records} says it
      def first_frame(bytes, guess)
        frames = Frames.new(bytes, @frame)
        first = frames.first
        no_frames(" (the first one is empty)", guess) if first.empty?
        no_frames("", guess) if other?(guess) && frames.cut? && Inspector.new(first, @class, from: @from).fault
        first
      rescue DecodeError => e
        no_frames("", guess) if other?(guess)
        return if @from

        raise Misuse, "--frame #{@frame}: expected #{e.expected}, found #{e.found} (byte #{e.offset})"
      end

      # Whether the bytes look like something else than these frames.
      def other?(guess) = guess.wire && guess.frame != @frame

      def no_frames(why, guess) = raise(Frames::None, "#{@title}: #{Frames.missing(why, guess)}")

      def inspector(bytes)
        unwrap(bytes) unless @from
        Inspector.new(bytes, @class, from: @from)
      rescue ArgumentError => e
        raise Misuse, "#{e.message} (or pass --from)"
      end

      def inflated(inspector)
        return inspector unless @inflate

        inspector.inflated || raise(Misuse, "--inflate: nothing that can be decompressed is in it")
      end

      # Says how a shell takes off what is around a payload.
      def unwrap(bytes)
        guess = Sparpack.guess(bytes, @class)
        return if guess.wire || guess.format.nil?

        command = Unwrapping.command(guess)
        raise Misuse, "cannot tell the wire: #{Hints.told(guess, file)} (or pass --from)" unless command

        raise Misuse, "#{guess.reason}. Unwrap them first: cat #{file} | #{command} | sparpack inspect (or pass --from)"
      end

      # The input, as a shell writes it.
      def file = @path ? Quote.visible(Shellwords.escape(@path)) : "FILE"

      # Shows one payload after the other, until there are enough lines.
      def show_records(records, bytes)
        raise Misuse, "--inflate is for one payload: pass --record N" if @inflate

        left = limit
        wrong = shown = nil
        records.each do |record|
          break more_records(record, bytes) if left&.zero?

          shown = true if (lines = show_record(record, left))
          left -= [lines.to_i, left].min if left
          wrong ||= @wrong
        end
        end_records(records, shown)
        status(wrong || records.fault, shown)
      end

      # A broken payload is always shown with its fault, which is a line, too.
      #
      # @return [Integer, nil] how many lines were shown; nil if nothing of this payload was asked for
      def show_record(record, left)
        text = +""
        view = record.view(@format, limit: left, **shown)
        view.write(text)
        @wrong = view.fault
        @output.print("#{heading(record)}\n") if @format == :tree && !@headed
        @headed = true
        return if view.shown.zero? && @shown.any? && view.fault.nil?

        @output.print("#{@output.paint("record #{record.number}", :bold)}, byte #{record.extent[0]}\n") if @format == :tree
        @sink.write(text)
        [view.shown, 1].max
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      def more_records(record, bytes)
        return unless @format == :tree

        @output.puts("… more payloads from record #{record.number} on, byte #{record.extent[0]} of #{bytes.bytesize}",
                     "  --all shows all of them, --record N another one, --limit N more lines")
      end

      def end_records(records, shown)
        return unless @format == :tree

        @output.puts("✗ #{records.fault_message}") if records.fault
        @output.puts("nothing is there in any of the payloads#{unknown_path}") if @shown.any? && !shown
      end

      # The command was called wrongly if no payload can have what --path names. A tree has said so already.
      def status(fault, shown)
        return 1 if fault
        return 0 if shown || (unknown = unknown_path).nil?
        raise Misuse, "--path #{Quote.visible(@shown[:path])}#{unknown}" unless @format == :tree

        2
      end

      def unknown_path = @class && @shown[:path] && Path.unknown(Path.pieces(@shown[:path]), @class)

      # A payload may be large, so it is read once: what writes it also knows the fault and how many lines are hidden.
      def show(inspector)
        view = inspector.view(@format, limit:, **shown)
        @output.print("#{heading(inspector)}\n") if @format == :tree
        view.write(@sink)
        hint(view) if view.hidden.positive?
        other(inspector) if @format == :tree && @from && view.fault
        status(view.fault, view.shown.positive?)
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      def shown
        case @format
        when :tree then { color: @output.colored?, strings: @strings || 64, **@shown }
        when :html then { title: @title, **@shown }
        else @shown
        end
      end

      # Text and JSON for a file or another program are whole.
      def limit
        @limit || (LINES.fetch(@format) unless @all || (%i[text json].include?(@format) && !@output.seen?))
      end

      def heading(inspector)
        size = inspector.bytes.bytesize
        record = inspector.is_a?(Inspector::Record)
        reason = (record && @found) || inspector.reason
        reason = " (#{reason})" if reason
        fields = ", fields of #{Quote.plain(inspector.struct_class)}" if inspector.struct_class
        fields = "#{fields}, record #{@record}" if record && @record
        "#{@output.paint(@title, :bold)}: #{size} byte#{"s" unless size == 1}, #{inspector.wire}#{reason}#{fields}"
      end

      # Says if the bytes rather look like another wire.
      def other(inspector)
        guess = Sparpack.guess(inspector.bytes, inspector.struct_class)
        return if guess.format.nil? || guess.format == @from || (@inflate && guess.format == :message_pack)

        options = Hints.options(guess)
        @output.puts("  #{guess.reason}#{": #{options}" if options}")
      end

      def hint(view)
        if @format == :html && (@all || @limit.to_i > Inspector::Page::LINES)
          @errors.puts("a page has at most #{Inspector::Page::LINES} lines, so #{view.hidden} are not on it: " \
                       "pass --path or --offset for another part")
        elsif @format == :tree && !@all && !@limit
          @output.puts("  --all shows all lines, --limit N more of them, --path or --offset a part")
        end
      end
    end
  end
end
