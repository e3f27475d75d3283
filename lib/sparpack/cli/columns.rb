# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack columns`.
    class Columns < Verb
      include Transfer

      # The format that the name of the output stands for.
      NAMES = { ".csv" => :csv, ".tsv" => :tsv, ".jsonl" => :jsonl, ".ndjson" => :jsonl }.freeze

      # Options of the codec that reads, and of the text.
      READ = {
        unknown: [%i[skip reject], "what to do with unknown fields (default: skip)"], **TYPED.slice(:mismatch, :validate),
        enums: [%i[numbers names], "how enums are written (default: numbers)"],
        i64: [%i[number text], "how an i64 is written in JSON lines", "(default: number)"]
      }.freeze
      private_constant :NAMES, :READ

      describe usage: "--schema FILE [--type NAME] PATH… [options]",
               about: <<~TEXT,
                 Writes fields of structs as a table: CSV, TSV or JSON lines. Each PATH is a column, such as id,
                 customer.name, items[0].price or labels["en"]. Nothing else is decoded. Structs are read from the standard
                 input, or from --in. They follow one another, in any format, and the input may be of any size.

                 A row is a struct. But if all paths begin with the same list, as in items[].name items[].price, a row is an
                 element of that list. Each further [] makes a list in the row.

                 CSV and TSV begin with a line of the paths. What is not there is an empty field, or null in JSON. In CSV, an
                 empty string is "". TSV has \\t, \\n, \\r and \\\\ for tabs, line breaks and backslashes. Lists, maps and
                 structs are written as JSON, and bytes in base64.

                 The exit status is 0 if everything was written, 1 if something is wrong with the input (the message says
                 where, and the rows before that are written), and 2 if the command was called wrongly or a file cannot be
                 read or written.
               TEXT
               example: <<~TEXT
                 sparpack columns --schema shop.thrift --type Order id customer.name < orders.bin > orders.csv
                 sparpack columns --schema shop.thrift --type Order 'items[].name' 'items[].price' --in orders.bin --to tsv
                 sparpack columns --schema shop.thrift --type Order id 'items[].name' --in orders.bin --out orders.jsonl
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "which columns? (pass paths such as id or 'items[].name')" if arguments.empty?
        raise Misuse, "which structs? (pass --schema FILE, and --type NAME)" unless @schema

        @from_path, @to_path = [@in, @out].map { |path| path unless path == "-" }
        refuse_no_file
        @class = schema_class
        table = table(arguments)
        refuse_one_file_for_both
        stream = stream(@class)
        transfer_structs(stream) do |io, target, shown|
          stream.open(io, shown) { |reading, wire, frame| write(reading, wire, frame, table, target) }
        end
      end

      private

      # A table has escapes of its own.
      def on_terminal(target) = target

      def options(parser)
        @typed = {}
        @threads = 1
        parser.on("--in FILE", "the file to read") { |path| @in = path }
        parser.on("-o", "--out FILE", "the file to write to") { |path| @out = path }
        formats = [*TypedConvert::FORMATS, :auto]
        choice(parser, "--from", formats, "format of the input (default: auto)", also: ALIASES) { |format| @from = format }
        choice(parser, "--to", Structs::Table::FORMATS, "format of the output (default: csv)") { |format| @to = format }
        schema_options(parser)
        input_frame_option(parser)
        typed_options(parser, READ)
        threads_option(parser, "how many processes share the work (default: 1)") { |threads| @threads = threads }
        progress_option(parser)
      end

      # What is wrong with a path is said before anything is read.
      def table(paths)
        format = @to || (@to_path && NAMES[File.extname(@to_path).downcase]) || :csv
        raise Misuse, "--i64 is only for writing jsonl, not #{format}" if @typed.key?(:i64) && format != :jsonl

        again = paths.tally.find { |_, count| count > 1 }&.first
        raise Misuse, "the path #{Quote.plain(again)} is given twice" if again

        @places = paths.map { |path| place(path) }
        Structs::Table.new(format, @places, terminal: @output.seen? && !@to_path, **@typed.slice(:enums, :i64))
      end

      def place(path)
        Structs::Place.new(path, @class)
      rescue ArgumentError => e
        hint = " (to read this file, pass --in #{Quote.visible(Shellwords.escape(path))})" if @in.nil? && File.file?(path)
        raise Misuse, "#{Quote.plain(path)}: #{e.message}#{hint}"
      end

      def write(reading, wire, frame, table, target)
        codec = Structs::Stream.codec(@class, wire, unknown: :skip, **@typed)
        Structs::Writing.open(target, reading) do |writing|
          writing.write(table.header)
          Structs::Crew.each(@threads, codec, frame, @places.map(&:steps), reading, writing) do |batch, target|
            table.write(batch.columns) { |text| target.write(text) }
          end
        end
      end
    end
  end
end
