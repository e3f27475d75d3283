# frozen_string_literal: true

module Bench
  # Formats results as tables of text.
  module Table
    UNITS = { "s" => 1, "ms" => 1e3, "µs" => 1e6, "ns" => 1e9 }.freeze
    VERDICTS = { true => "met", false => "MISSED", nil => "not measured" }.freeze

    module_function

    # @return [String]
    def group(group)
      rows = group.results.map do |result|
        contestant = result.contestant
        [contestant.label, time(result.seconds), factor(group.ratio(result)), contestant.bytes, format("%g", result.objects),
         percent(result.best.gc)]
      end
      lines = table(["#{group.document}: #{group.operation}", "time", "× ours", "bytes", "objects", "in GC"], rows)
      [lines, *group.left_out.map { |label| "#{label}: left out because it gave a wrong result" }, nil].join("\n")
    end

    # @return [String]
    def growth(rows)
      [table(["growth: encode, per byte", "sparpack", "4 records", "by hand", "/by hand", "in GC", "peak/output"],
             rows.map { |row| encode_growth(row) }), nil,
       table(["growth: decode, per byte", "sparpack", "xmalloc", "malloc", "/xmalloc", "/malloc", "in GC"],
             rows.map { |row| decode_growth(row) })].join("\n")
    end

    def encode_growth(row)
      ["#{row.bytes} bytes", time(row.per_byte(:encode)), time(row.per_byte(:repeated)), time(row.per_byte(:by_hand)),
       factor(row.ratio(:encode, :by_hand)), percent(row.encode.gc), factor(row.memory)]
    end

    def decode_growth(row)
      ["#{row.bytes} bytes", time(row.per_byte(:decode)), time(row.per_byte(:xmalloc)), time(row.per_byte(:malloc)),
       factor(row.ratio(:decode, :xmalloc)), factor(row.ratio(:decode, :malloc)), percent(row.decode.gc)]
    end

    # @return [String]
    def bars(bars, title = "bars (listing, compact)")
      rows = bars.map do |bar|
        [bar.title, bar.required, bar.measured && format("%.2f", bar.measured), VERDICTS[bar.met]]
      end
      table([title, "required", "measured", ""], rows)
    end

    # Aligns the first column to the left and all others to the right.
    def table(head, rows)
      lines = [head, *rows].map { |row| row.map(&:to_s) }
      widths = lines.transpose.map { |column| column.map(&:length).max }
      lines.map do |first, *rest|
        [first.ljust(widths[0]), *rest.each_with_index.map { |cell, index| cell.rjust(widths[index + 1]) }].join("  ")
      end.join("\n")
    end

    def time(seconds)
      unit, scale = UNITS.find { |_, each| seconds * each >= 1 } || UNITS.to_a.last
      format("%.3g %s", seconds * scale, unit)
    end

    def factor(number) = number && format("%.2f×", number)

    def percent(share) = format("%d%%", share * 100)

    private_class_method :encode_growth, :decode_growth, :time, :factor, :percent
  end
end
