# frozen_string_literal: true

module Bench
  # Draws factors as bars, in panels one below the other. The SVG has colours for light and for dark pages.
  class Picture
    # rows: [label, factor]. A bar begins at 1. Long bars are cut.
    Panel = ::Struct.new(:title, :rows)

    WIDTH = 760
    LABELS = 290 # where the bars begin
    ROW = 20
    HEAD = 34
    MARGIN = 16
    LONGEST = 4 # times
    BARS = WIDTH - LABELS - 70 # leaves room for the numbers behind the bars

    STYLE = <<~CSS
      text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
      .page { fill: #ffffff; stroke: #d1d9e0; }
      .title { font-size: 15px; font-weight: 600; }
      .panel { font-weight: 600; }
      .label { text-anchor: end; }
      .slower { fill: #0969da; }
      .faster { fill: #bc4c00; }
      .one { stroke: #818b98; }
      .cut { fill: #ffffff; }
      @media (prefers-color-scheme: dark) {
        text { fill: #f0f6fc; }
        .page { fill: #0d1117; stroke: #3d444d; }
        .slower { fill: #4493f8; }
        .faster { fill: #f0883e; }
        .one { stroke: #9198a1; }
        .cut { fill: #0d1117; }
      }
    CSS

    # @param title [String]
    # @param panels [Array<Panel>]
    def initialize(title, panels)
      @title = title
      @panels = panels
      factors = panels.flat_map { |panel| panel.rows.map(&:last) }
      @least = [factors.min || 1, 1].min
      @most = (factors.max || 1).clamp(@least + 0.5, LONGEST)
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
       shape("line", class: "one", x1: place(1), x2: place(1), y1: first - 2, y2: first + (panel.rows.size * ROW) - 2)]
    end

    def row(label, factor, top)
      left, right = [place(1), place([factor, @most].min)].minmax
      [words(label, class: "label", x: LABELS - 10, y: top + 12),
       shape("rect", class: factor < 1 ? "faster" : "slower", x: left, y: top + 1, width: (right - left).round(1),
height: 14),
       *(cut(right, top) if factor > @most),
       words(format(factor < 10 ? "%.2f" : "%.0f", factor), x: right + 6, y: top + 12)]
    end

    # A slanting gap shows that the bar is cut.
    def cut(right, top)
      corners = [[right - 22, top + 16], [right - 16, top], [right - 11, top], [right - 17, top + 16]]
      shape("polygon", class: "cut", points: corners.map { |corner| corner.join(",") }.join(" "))
    end

    def shape(name, **attributes) = "<#{name}#{list(attributes)}/>"
    def words(words, **attributes) = "<text#{list(attributes)}>#{text(words)}</text>"
    def list(attributes) = attributes.map { |name, value| " #{name}=\"#{value}\"" }.join

    def place(factor) = (LABELS + ((factor - @least) / (@most - @least) * BARS)).round(1)

    def text(words) = words.encode(xml: :text)
  end
end
