# frozen_string_literal: true

module Bench
  # Draws factors as bars, in panels one below the other. The SVG has colours for light and for dark pages.
  class Picture
    # rows: [label, factor]. Long bars are cut.
    Panel = ::Struct.new(:title, :rows)

    WIDTH = 760
    LABELS = 290 # where the bars begin
    ROW = 20
    HEAD = 34
    MARGIN = 16
    OURS = "Sparpack" # the label of a bar that is marked
    BARS = WIDTH - LABELS - 70 # leaves room for the numbers behind the bars

    STYLE = <<~CSS
      text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
      .page { fill: #ffffff; stroke: #d1d9e0; }
      .title { font-size: 15px; font-weight: 600; }
      .panel { font-weight: 600; }
      .label { text-anchor: end; }
      .slower, .ours { fill: #0969da; }
      .faster { fill: #bc4c00; }
      .other { fill: #818b98; }
      .one { stroke: #818b98; }
      .cut { fill: #ffffff; }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .page { fill: #0d1117; stroke: #3d444d; }
        .slower, .ours { fill: #4493f8; }
        .faster { fill: #f0883e; }
        .other { fill: #656c76; }
        .one { stroke: #9198a1; }
        .cut { fill: #0d1117; }
      }
    CSS

    # @param title [String]
    # @param panels [Array<Panel>]
    # @param origin [Integer] the factor at which bars begin: 1 shows what is gained or lost, 0 shows times
    # @param longest [Integer] the factor at which a bar is cut
    def initialize(title, panels, origin: 1, longest: 4)
      @title = title
      @panels = panels
      @origin = origin
      factors = panels.flat_map { |panel| panel.rows.map(&:last) }
      @least = [factors.min || origin, origin].min
      @most = (factors.max || 1).clamp(@least + 0.5, longest)
    end

    # @return [String]
    def to_s
      y = MARGIN + 24
      body = @panels.flat_map do |panel|
        top = y
        y += HEAD + (panel.rows.size * ROW)
        panel(panel, top)
      end
      <<~SVG
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 #{WIDTH} #{y + MARGIN}" width="#{WIDTH}" height="#{y + MARGIN}" role="img">
        <title>#{text(@title)}</title>
        <style>
        #{STYLE}</style>
        #{shape("rect", class: "page", x: 0.5, y: 0.5, width: WIDTH - 1, height: y + MARGIN - 1, rx: 6)}
        #{words(@title, class: "title", x: MARGIN, y: MARGIN + 14)}
        #{body.join("\n")}
        </svg>
      SVG
    end

    private

    def panel(panel, top)
      first = top + HEAD
      rows = panel.rows.each_with_index.flat_map { |(label, factor), index| row(label, factor, first + (index * ROW)) }
      [words(panel.title, class: "panel", x: MARGIN, y: top + 24), *rows,
       axis(first - 2, first + (panel.rows.size * ROW) - 2)]
    end

    def axis(top, bottom) = shape("line", class: "one", x1: place(@origin), x2: place(@origin), y1: top, y2: bottom)

    def row(label, factor, top)
      left, right = [place(@origin), place([factor, @most].min)].minmax
      [words(label, class: "label", x: LABELS - 10, y: top + 12),
       shape("rect", class: colour(label, factor), x: left, y: top + 1, width: (right - left).round(1), height: 14),
       *(cut(right, top) if factor > @most),
       words(number(factor), x: right + 6, y: top + 12)]
    end

    def colour(label, factor)
      return label == OURS ? "ours" : "other" if @origin.zero?

      factor < 1 ? "faster" : "slower"
    end

    # A slanting gap shows that the bar is cut.
    def cut(right, top)
      corners = [[right - 22, top + 16], [right - 16, top], [right - 11, top], [right - 17, top + 16]]
      shape("polygon", class: "cut", points: corners.map { |corner| corner.join(",") }.join(" "))
    end

    def number(factor)
      return format("%.0f", factor) if factor >= 10

      format(@origin.zero? ? "%.1f" : "%.2f", factor)
    end

    def shape(name, **attributes) = "<#{name}#{list(attributes)}/>"
    def words(words, **attributes) = "<text#{list(attributes)}>#{text(words)}</text>"
    def list(attributes) = attributes.map { |name, value| " #{name}=\"#{value}\"" }.join

    def place(factor) = (LABELS + ((factor - @least) / (@most - @least) * BARS)).round(1)

    def text(words) = words.encode(xml: :text)
  end
end
