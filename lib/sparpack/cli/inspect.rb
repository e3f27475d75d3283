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
                 Shows what a payload contains: the offset and the bytes of each value, its name, its type and what it is. -
                 is the standard input, and so is no name at all. A broken payload is shown up to the fault, with what would
                 have fitted there.

                 Without a schema, fields have only their ids. --schema names a .thrift file, or a Ruby file that defines the
                 classes, and --type one of its structs. Without --from, the wire is guessed.

                 Only the first 1000 lines are shown (20000 in HTML). --format text and json show all if the output is not a
                 terminal. sparpack assemble turns the text into the same bytes, also after a change.

                 The exit status is 0 if the payload is complete, 1 if something is wrong with it or with the schema, and 2 if
                 the command was called wrongly or a file cannot be read.
               TEXT
               example: <<~TEXT
                 sparpack inspect --schema idl/listing.thrift --type Listing listing.bin
                 sparpack inspect listing.bin --path 'neighborhoods[3]' --all
                 sparpack inspect listing.bin --format html > listing.html
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
        raise Misuse, "expected one file, got #{arguments.size} names" if arguments.size > 1

        check_options
        @path = path = arguments.first unless arguments.first == "-"
        struct_class = SchemaFile.new(@schema, @type, @folders).struct_class if @schema
        inspector = inspector(bytes(path), struct_class)
        title = path ? Quote.path(path) : "(standard input)"
        show(inspector, title) ? 1 : 0
      end

      private

      def options(parser)
        @shown = {}
        schema_options(parser)
        choice(parser, "--from", [:auto, *Inspector::WIRES], "the wire (default: auto)", also: ALIASES) do |wire|
          @from = wire unless wire == :auto
        end
        choice(parser, "--format", Inspector::FORMATS, "what to write (default: tree)") { |format| @format = format }
        parser.on("--path PATH", "show only what is there: 'neighborhoods[3].name'",
                  "(ids may stand for names, * for anything)") do |path|
          @shown[:path] = path
        end
        parser.on("--offset RANGE", "show only these bytes: 100, 100..199 or 100+50") do |range|
          @shown[:range] = range(range)
        end
        parser.on("--limit N", Integer, "the most lines") { |limit| @limit = limit }
        parser.on("--all", "show all lines") { @all = true }
        parser.on("--inflate", "show what is compressed with LZ4 inside", "(a tree shows it anyhow)") { @inflate = true }
        parser.on("--strings N", Integer, "the bytes of a string that are shown", "(default: 64)") { |size| @strings = size }
        choice(parser, "--color", COLORS, "default: auto, if the output is a terminal", "and NO_COLOR is not set") do |color|
          @output.color = color
        end
      end

      def check_options
        @format ||= :tree
        raise Misuse, "--type needs the file that declares it: --schema FILE" if @type && !@schema
        raise Misuse, "--limit and --all exclude one another" if @limit && @all
        raise Misuse, "--limit #{@limit}: expected a number from 0 on" if @limit&.negative?
        raise Misuse, "--strings #{@strings}: expected a number from 0 on" if @strings&.negative?

        wrong = { "--path" => :path, "--offset" => :range }.find { |_, option| @shown.key?(option) }&.first
        raise Misuse, "#{wrong} is not for --format text, which is assembled as a whole" if wrong && @format == :text
        raise Misuse, "--strings is only for --format tree" if @strings && @format != :tree
      end

      def range(text)
        first, sign, last = text.match(/\A(\d{1,18})(?:(\.\.|\+)(\d{1,18})?)?\z/)&.captures
        wrong = first.nil? || (sign == "+" && !last)
        raise Misuse, "--offset #{Quote.plain(text)}: expected 100, 100..199 or 100+50" if wrong

        return (first.to_i..) unless last

        sign == "+" ? first.to_i...(first.to_i + last.to_i) : first.to_i..last.to_i
      end

      def bytes(path)
        return @input.binmode.read unless path
        raise Misuse, "#{Quote.path(path)} is a folder" if File.directory?(path)

        File.binread(path)
      end

      def inspector(bytes, struct_class)
        raise Misuse, "the payload is empty" if bytes.empty?

        unwrap(bytes, struct_class) unless @from
        found = Inspector.new(bytes, struct_class, from: @from)
        return found unless @inflate

        found.inflated || raise(Misuse, "--inflate: nothing that can be decompressed is in it")
      rescue ArgumentError => e
        raise Misuse, "#{e.message} (or pass --from)"
      end

      # Says how a shell takes off what is around a payload.
      def unwrap(bytes, struct_class)
        guess = Sparpack.guess(bytes, struct_class)
        command = Unwrapping.command(guess) || return
        file = @path ? Shellwords.escape(@path) : "FILE"
        raise Misuse, "#{guess.reason}. Unwrap them first: cat #{file} | #{command} | sparpack inspect (or pass --from)"
      end

      # A payload may be large, so it is read once: what writes it also knows the fault and how many lines are hidden.
      def show(inspector, title)
        view = inspector.view(@format, limit: limit, **shown(title))
        @output.print("#{heading(inspector, title)}\n") if @format == :tree
        view.write(@sink)
        hint(view) if view.hidden.positive?
        other(inspector) if @format == :tree && @from && view.fault
        behind(inspector, view.fault) if @format == :tree && view.fault&.found == "trailing bytes" && !@inflate
        view.fault
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      def shown(title)
        case @format
        when :tree then { color: @output.colored?, strings: @strings || 64, **@shown }
        when :html then { title:, **@shown }
        else @shown
        end
      end

      # Text and JSON for a file or another program are whole.
      def limit
        @limit || (LINES.fetch(@format) unless @all || (%i[text json].include?(@format) && !@output.seen?))
      end

      def heading(inspector, title)
        size = inspector.bytes.bytesize
        reason = " (#{inspector.reason})" if inspector.reason
        fields = ", fields of #{Quote.plain(inspector.struct_class)}" if inspector.struct_class
        "#{@output.paint(title, :bold)}: #{size} byte#{"s" unless size == 1}, #{inspector.wire}#{reason}#{fields}"
      end

      # Says if the bytes rather look like another wire.
      def other(inspector)
        guess = Sparpack.guess(inspector.bytes, inspector.struct_class)
        return if guess.format.nil? || guess.format == @from || (@inflate && guess.format == :message_pack)

        @output.puts("  #{guess.reason}#{": --from #{guess.format}" if Inspector::WIRES.include?(guess.format)}")
      end

      # Says if another payload follows. Few bytes mean something in every wire.
      def behind(inspector, fault)
        rest = Inspector.new(inspector.bytes.byteslice(fault.offset..), inspector.struct_class, from: inspector.wire)
        found = rest.fault
        return unless found.nil? || (found.found == "trailing bytes" && found.offset > 2)
        return if rest.bytes.bytesize < 3

        file = @path ? Quote.visible(Shellwords.escape(@path)) : "FILE"
        @output.puts("  another payload begins there: tail -c +#{fault.offset + 1} #{file} | sparpack inspect")
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
