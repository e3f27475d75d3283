# frozen_string_literal: true

module Bench
  # The numbers that the pages show: how many times as long another way takes as ours. They are taken from the reports of
  # several suites, and kept in figures.json.
  class Figures
    # theirs and ours are parts of two rows of a report: peer, variant, wire. Ours is the plain way unless it is given.
    Cell = ::Struct.new(:suite, :document, :operation, :theirs, :ours) do
      # @param reports [Hash{String => Hash}] by suite
      # @return [Float, nil]
      def measured(reports)
        rows = reports.dig(suite, "results")&.select { |row| row["document"] == document && row["operation"] == operation }
        other, own = [theirs, ours].map { |way| rows&.find { |row| way.all? { |key, value| row[key.to_s] == value } } }
        Figures.ratio(other, own) if other && own
      end
    end

    Table = ::Struct.new(:head, :rows)

    PLAIN = { peer: "sparpack", variant: nil }.freeze

    FILE = File.join(__dir__, "figures.json")

    # The suites whose reports are needed, and the parts of them, or nil for all parts.
    SUITES = {
      "core" => %w[values small listing varied wide deep numbers_i64 numbers_double texts],
      "message_pack" => %w[integers db blogs tweets points small streams types memory],
      "struct_message_pack" => nil, "mapping" => nil,
      "struct_json" => nil, "thrift_json" => nil, "sparsam" => nil, "thrift" => nil, "convert" => nil, "lz4" => nil
    }.freeze

    # Code that does less than any library: it knows the one struct, or reads nothing.
    LEAST = %w[floor liblz4].freeze

    # What memory is measured for.
    WAYS = %w[pack unpack].freeze

    # A peer is slower or faster if the difference is more than the noise.
    NOISE = 0.03

    class << self
      # @return [Float] the median of the ratios of all rounds, as in Result
      def ratio(theirs, ours)
        ratios = theirs["windows"].zip(ours["windows"]).map { |one, other| one / other }.sort
        (ratios[(ratios.size - 1) / 2] + ratios[ratios.size / 2]) / 2
      end

      # @param reports [Hash{String => Hash}] what `bin/bench --json` wrote, by suite
      # @return [Figures]
      def measured(reports)
        tables = TABLES.transform_values do |table|
          table.rows.transform_values { |cells| cells.map { |cell| cell&.measured(reports)&.round(3) } }
        end
        machine = reports.values.first.slice("ruby", "cpu", "processors")
        versions = reports.values.map { |report| report["versions"] }.reduce(:merge)
        new({ "machine" => machine, "versions" => versions, "tables" => tables, "slower" => slower(reports),
              "memory" => memory(reports) })
      end

      # @return [Figures] the numbers of the last run
      def load = new(JSON.parse(File.read(FILE)))

      private

      # @return [Hash{String => Hash{String => Float}}] the peak of memory by work and peer
      def memory(reports)
        rows = reports.dig("message_pack", "memory") || []
        by_work = rows.flat_map { |row| WAYS.map { |way| ["#{row["document"]}: #{way}", row["peer"], row[way]&.round(3)] } }
        by_work.group_by(&:first).transform_values { |found| found.to_h { |_, peer, factor| [peer, factor] } }
      end

      # @return [Array<Array(String, String, Float)>] the work, the peer, and its time as a part of ours
      def slower(reports)
        all = reports.flat_map do |suite, report|
          by_work = report["results"].group_by { |row| "#{suite}, #{row["document"]}: #{row["operation"]}" }
          by_work.flat_map { |work, rows| others(rows).map { |row, factor| [work, label(row), factor.round(3)] } }
        end
        all.select { |_, _, factor| factor < 1 - NOISE }
      end

      # @return [Hash{Hash => Float}] the rows of the peers, and their times as multiples of ours
      def others(rows)
        ours = rows.find { |row| row["peer"] == PLAIN[:peer] && row["variant"].nil? } or return {}
        rows.reject { |row| [PLAIN[:peer], *LEAST].include?(row["peer"]) }.to_h { |row| [row, ratio(row, ours)] }
      end

      def label(row) = [row["peer"], row["variant"], row["wire"]].compact.join(" ")

      def cell(suite, document, operation, peer, variant: nil, ours: PLAIN, **way)
        Cell.new(suite, document, operation, { peer:, variant:, **way }, ours)
      end

      # Cells for both directions.
      def both(suite, peer, document: "listing", operations: %w[encode decode], **way)
        operations.map { |operation| cell(suite, document, operation, peer, **way) }
      end

      def compact(peer, **way)
        both("core", peer, operations: %w[encode decode read], ours: { **PLAIN, wire: "compact" }, **way)
      end

      # The gem both ways, then its best mode and JSON.parse.
      def values(document)
        [*both("message_pack", "msgpack", document:), cell("message_pack", document, "decode", "msgpack", variant: "pool"),
         cell("message_pack", document, "decode", "json")]
      end

      def stream(*operations) = both("message_pack", "msgpack", document: "entries", operations:)

      def types(peer, variant) = both("message_pack", peer, variant:, document: "types", operations: %w[dump load])

      def form(variant) = both("struct_message_pack", "msgpack", ours: { peer: "sparpack", variant: })

      def plain(readers, build)
        [cell("mapping", "listing", "encode", "msgpack", variant: readers, ours: { peer: "sparpack", variant: readers }),
         cell("mapping", "listing", "decode", "msgpack", ours: { peer: "sparpack", variant: build })]
      end

      def drop_in(variant = nil, **wire)
        both("thrift", "thrift", variant:, **wire, ours: { peer: "sparpack", variant:, **wire })
      end

      def floor(operation, variant) = cell("core", "listing", operation, "floor", variant:)

      def conversion(operation, peer = "sparpack", variant: nil) = [cell("convert", "listing", operation, peer, variant:)]

      def hashes(variant) = [cell("core", "listing", "hashes", "sparpack", ours: { peer: "sparpack", variant: })]
    end

    # The names of the rows stand for themselves in figures.json.
    TABLES = {
      "structs" => Table.new(
        ["a listing, compared with", "encode", "decode", "decode and read every field"],
        { "Apache's thrift gem with its C extension, compact protocol" => compact("thrift", wire: "compact"),
          "google-protobuf" => compact("google-protobuf"), "the msgpack gem, a Hash" => compact("msgpack"),
          "the msgpack gem with a cache of keys, a Hash" => compact("msgpack", variant: "pool"),
          "the json gem, a Hash" => compact("json"), "Oj, a Hash" => compact("oj"), "Avro, a Hash" => compact("avro"),
          "Marshal, a Hash" => compact("marshal") }
      ),
      "message_pack" => Table.new(
        ["compared with", "the gem packs", "the gem unpacks", "the gem unpacks with a cache of keys", "`JSON.parse`"],
        { "db: 500 wide records" => values("db"), "tweets: deep, not ASCII" => values("tweets"),
          "integers: 100,000 of all sizes" => values("integers"), "points: 110,000 doubles" => values("points"),
          "blogs: long texts" => values("blogs"), "small: `{\"a\" => 1}`" => values("small"),
          "1,000 log records: `Packer#write`, `feed_each`" => stream("Packer#write", "feed_each"),
          "1,000 log records: to a file, from a file" => stream("write to an io", "each from an io"),
          "a listing as a struct, `keys: :array`; the gem has a Hash" => form("array"),
          "a listing as a struct, `keys: :names`; the gem has a Hash" => form("names"),
          "plain objects by readers and keywords; the gem with `to_h` and `new(**)`" => plain("readers", "keywords"),
          "plain objects by methods and `build: :allocate`; the same" => plain("methods", "allocate") }
      ),
      "types" => Table.new(
        ["100 records with extension types, compared with Sparpack with Procs", "dump", "load"],
        { "Sparpack with `register_builtin`" => types("sparpack", "builtin"), "the msgpack gem" => types("msgpack", nil),
          "the msgpack gem, a pool" => types("msgpack", "pool") }
      ),
      "json" => Table.new(
        ["a listing, compared with", "encode", "decode"],
        { "`JSON.generate` and `JSON.parse` of a Hash" => both("struct_json", "json"),
          "the same with doubles of 17 digits" => both("struct_json", "json", document: "digits"),
          "a `JSON::Coder`" => both("struct_json", "json", variant: "coder"), "Oj" => both("struct_json", "oj"),
          "Thrift's JSON, the thrift gem" => both("thrift_json", "thrift", ours: { peer: "sparpack", wire: "thrift_json" }) }
      ),
      "drop_ins" => Table.new(
        ["a listing, compared with the thrift gem alone", "write", "read"],
        { "the drop-in for Sparsam" => both("sparsam", "thrift", wire: "compact", ours: { **PLAIN, wire: "compact" }),
          "the drop-in for thrift: `Thrift::Serializer`, `Thrift::Deserializer`" => drop_in(wire: "compact"),
          "over a `MemoryBufferTransport`" => drop_in("memory"),
          "over a `FramedTransport` that is kept" => drop_in("framed, kept"),
          "over a `FramedTransport` that each call makes" => drop_in("framed, anew") }
      ),
      "converting" => Table.new(
        ["a listing", "compared with", "times as long"],
        { "compact to JSON | decoding and encoding" => conversion("compact_to_json", variant: "with objects"),
          "compact to MessagePack | decoding and encoding" => conversion("compact_to_message_pack", variant: "with objects"),
          "JSON to compact | `JSON.parse` of the same text" => conversion("json_to_compact", "json"),
          "`to_h(deep: true)` | decoding" => hashes("to_h(deep: true)") }
      ),
      "least" => Table.new(
        ["compared with", "encode", "decode"],
        { "C code that writes this one struct without checks" => [floor("encode", "by hand")],
          "C code that only allocates the same objects, with Ruby's `xmalloc`" => [nil, floor("decode", "xmalloc")],
          "the same with `malloc`, which the garbage collector does not count" => [nil, floor("decode", "malloc")],
          "liblz4 itself, with memory of the caller: 64 KB" => both("lz4", "liblz4", document: "records",
                                                                                     operations: %w[compress decompress]),
          "`encode(:json)` of an object that is there; we convert from compact" => conversion("compact_to_json",
                                                                                              variant: "encode alone"),
          "decoding; we call `from_h` with Symbols" => [nil, *hashes("from_h, Symbols")],
          "decoding; we call `from_h` with Strings" => [nil, *hashes("from_h, Strings")] }
      )
    }.freeze

    # @param data [Hash] what is in figures.json
    def initialize(data) = @data = data

    # @return [Hash] for JSON
    def to_h = @data

    # @return [Float, nil] a number of a table
    def at(table, row, column) = @data.dig("tables", table, row)&.at(column)

    # @return [String] the number, or nothing if it was not measured
    def number(...) = text(at(...))

    # @return [String] a table; rows without numbers are left out
    def table(name)
      table = TABLES.fetch(name)
      rows = table.rows.filter_map do |row, cells|
        numbers = Array.new(cells.size) { |column| number(name, row, column) }
        [*row.split(" | "), *numbers] unless numbers.all?(&:empty?)
      end
      markdown(table.head, rows)
    end

    # @return [String] the work in which a peer takes less time than we do
    def slower
      rows = @data.fetch("slower").map { |work, peer, factor| [work, peer, text(factor)] }
      markdown(["work", "who is faster", "its time as a part of ours"], rows)
    end

    # @return [String] the peak of memory, as a multiple of the bytes
    def memory
      peers = @data.fetch("memory").values.flat_map(&:keys).uniq
      rows = @data.fetch("memory").map { |work, numbers| [work, *peers.map { |peer| text(numbers[peer]) }] }
      markdown(["", *peers], rows)
    end

    # @return [String] on what the numbers were measured
    def machine
      machine = @data.fetch("machine")
      ruby = machine["ruby"][/[\d.]+/]
      versions = @data.fetch("versions").reject { |peer, version| peer.start_with?("sparpack") || version == ruby }
      ["Ruby #{ruby}", "#{machine["processors"]} cores (#{machine["cpu"]})",
       *versions.map { |peer, version| "#{peer} #{version}" }].join(", ")
    end

    # @return [String] a table of Markdown
    def markdown(head, rows)
      lines = [head, head.map { "---" }, *rows.map { |row| head.each_index.map { |index| row[index] } }]
      lines.map { |cells| "| #{cells.join(" | ")} |\n" }.join
    end

    private

    # Two digits say all that repeats.
    def text(number)
      return "" unless number

      digits = [[9.95, 0], [0.995, 1], [0, 2]].find { |least, _| number >= least }.last
      format("%.#{digits}f", number)
    end
  end
end
