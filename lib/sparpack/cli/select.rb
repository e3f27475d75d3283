# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack select`.
    class Select < Verb
      include Transfer

      describe usage: "[INPUT [OUTPUT]] --schema FILE [--type NAME] --where CONDITION… [options]",
               about: <<~TEXT,
                 Writes the structs of a stream whose fields match. --where takes a condition, such as 'status == ACTIVE',
                 and may be repeated: then all conditions must match. --count prints how many structs match, and --limit
                 stops reading after so many. The input may be of any size. If you leave out a name or write - for it, the
                 standard input or output is used.

                 A condition is a path, an operator and a value. The operators are ==, !=, <, <=, >, >=, contains,
                 starts_with, ends_with, and for any field also "is nil" and "is not nil". Values are numbers, true, false,
                 "strings", and names of enums. Paths are those of sparpack inspect, such as items[0].price or labels["en"].
                 With [], one element is enough: 'items[].price > 100'.

                 The output is in the format of the input, with the same frames, and each struct is copied byte by byte.
                 --to, or a name of the output with a format (.json, .msgpack), makes it another one, as sparpack convert
                 does. If neither --from nor the name says which format the input has, it is found out.

                 The exit status is 0 if the whole input was read, also if nothing matches, 1 if something is wrong with it
                 (the message says where), and 2 if the command was called wrongly or a file cannot be read or written.
               TEXT
               example: <<~TEXT
                 sparpack select orders.bin paid.bin --schema shop.thrift --type Order --where 'status == PAID'
                 sparpack select --schema shop.thrift --type Order --where 'items[].price > 100' --to json < orders.bin
                 sparpack select orders.bin --schema shop.thrift --type Order --where 'name contains "Ada"' --count
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "expected at most an input and an output, got #{arguments.size} names" if arguments.size > 2

        @from_path, @to_path = arguments.values_at(0, 1).map { |path| path unless path == "-" }
        refuse_no_file
        check_options
        @class = schema_class
        @conditions = @where.map { |text| Structs::Condition.new(text, @class) }
        refuse_one_file_for_both
        stream = stream(@class)
        transfer_structs(stream) { |io, target, shown| select(stream, io, target, shown) }
      end

      private

      def options(parser)
        @where = []
        @typed = {}
        @threads = 1
        parser.on("--where CONDITION", "what must match: 'status == ACTIVE'; may be", "repeated") { |text| @where << text }
        parser.on("--count", "print how many match, and nothing else") { @count = true }
        number(parser, "--limit", "the most structs") { |limit| @limit = limit }
        formats = TypedConvert::FORMATS
        choice(parser, "--from", [*formats, :auto], "format of the input (default: auto)", also: ALIASES) do |format|
          @from = format
        end
        choice(parser, "--to", formats, "format of the output (default: that of the", "input)", also: ALIASES) do |format|
          @to = format
        end
        schema_options(parser)
        input_frame_option(parser)
        output_frame_option(parser, "(default: as the input; lines for JSON)")
        typed_options(parser)
        threads_option(parser, "how many processes share the work (default: 1);", "with --limit there is one") do |threads|
          @threads = threads
        end
        progress_option(parser)
      end

      def check_options
        raise Misuse, "which structs? (pass --schema FILE, and --type NAME)" unless @schema
        if @where.empty? && !@count && !@limit
          raise Misuse, "which structs? (pass --where CONDITION, --limit N or --count)"
        end
        raise Misuse, "--count prints a number: it has no OUTPUT" if @count && @to_path

        wrong = { to: @to, "to-frame": @typed[:to_frame] }.merge(@typed.slice(:keys, :enums, :i64)).compact.keys.first
        raise Misuse, "--#{wrong} is not for --count, which prints a number" if @count && wrong
      end

      def select(stream, io, target, shown)
        selection = nil
        stream.open(io, shown) do |reading, wire, frame|
          selection = selection(wire, frame)
          selection.run(reading, target)
        end
        target.write("#{selection.count}\n") if @count
      end

      # What the output is follows from the input.
      def selection(wire, frame)
        from = Structs::Selection::Form.new(wire, frame)
        to = form(from) unless @count
        options = @typed.except(:frame, :to_frame)
        Structs::Selection.new(@class, @conditions, from:, to:, limit: @limit, threads: @threads, **options)
      end

      def form(from)
        input = Structs::Stream.name_of(from.wire)
        format = @to || named(@to_path) || input
        refuse_typed_options(input, format)
        refuse_terminal(format)
        Structs::Selection::Form.new(Structs::Stream.wire(format), @typed.fetch(:to_frame) { frame(from, format, input) })
      end

      def frame(from, format, input)
        usual = :lines if format == :json
        format == input ? from.frame || usual : usual
      end
    end
  end
end
