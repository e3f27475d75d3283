# frozen_string_literal: true

require "json"

module Sparpack
  class Inspector
    # A page with the bytes of a payload beside its tree. It holds everything that it needs, and asks for nothing.
    #
    # @api private
    class Page
      # The most lines. A browser opens these in some seconds.
      LINES = 200_000

      # The most bytes beside the tree. Browsers show nothing that is much higher than these are.
      BYTES = 6 << 20

      # The most bytes of a string in the page.
      STRINGS = 400

      # The most bytes behind the last line that the page has.
      BEHIND = 256

      REAL = /"value":(-?\d+(?=[.eE])[\d.eE+-]+)/

      PARTS = %w[css js].to_h { |name| [name, File.read("#{__dir__}/page.#{name}", encoding: "UTF-8").freeze] }.freeze
      ENTITIES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", "\"" => "&quot;", "'" => "&#39;" }.freeze
      private_constant :BYTES, :STRINGS, :BEHIND, :REAL, :PARTS, :ENTITIES

      # @param inspector [Inspector]
      # @param options [Hash]
      def initialize(inspector, title: nil, limit: nil, **options)
        @inspector = inspector
        @title = title || "Payload"
        limit = LINES if limit.nil? || (limit.is_a?(Integer) && limit > LINES)
        @lines = Lines.new(inspector, :json, strings: STRINGS, limit:, **options)
      end

      # @return [Fault, nil]
      def fault = @lines.fault

      # @return [Integer] lines that are not on the page
      def hidden = @lines.hidden

      # @return [Integer] lines that are on it
      def shown = @lines.shown

      # @param target [#<<]
      # @return [Object] the target
      def write(target)
        rows = +""
        @lines.body { |piece| rows << piece }
        # A browser would read 1.0 as 1. A quote inside of a string is escaped, so this is always the member of a row.
        rows.gsub!(REAL, '\0,"text":"\1"')
        first, last, cut = span(rows)
        target << head(cut) << verdict << middle << "<script type=\"application/json\" id=\"data\">{\"first\":#{first}"
        target << ",\"bytes\":\"" << [@inspector.bytes.byteslice(first...last)].pack("m0") << "\""
        # `<` never occurs in it, so nothing can end the element.
        target << ",\"summary\":#{@lines.summary},\n\"rows\":[" << rows.chomp.gsub("\n", ",\n")
        target << "]}</script>\n<script>#{PARTS.fetch("js")}</script>\n</body>\n</html>\n"
      end

      private

      def head(cut)
        <<~HTML
          <!DOCTYPE html>
          <html lang="en">
          <head>
          <meta charset="utf-8">
          <meta name="viewport" content="width=device-width, initial-scale=1">
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
          <title>#{escape(@title)}</title>
          <style>#{PARTS.fetch("css")}</style>
          </head>
          <body>
          <header>
          <h1>#{escape(@title)}</h1><span class="facts">#{facts(cut)}</span>
        HTML
      end

      def facts(cut)
        reason = " (#{escape(@inspector.reason)})" if @inspector.reason
        fields = ", fields of <b>#{escape(Quote.plain(@inspector.struct_class))}</b>" if @inspector.struct_class
        hidden = ", #{@lines.hidden} more lines are not on this page" if @lines.hidden.positive?
        few = ", only the first #{BYTES} bytes of its lines are on it" if cut
        "<b>#{@inspector.bytes.bytesize}</b> bytes, <b>#{@inspector.wire}</b>#{reason}#{fields}#{hidden}#{few}"
      end

      def verdict
        fault = @lines.fault
        return "<div class=\"verdict good\" id=\"verdict\">✓ nothing is wrong with it</div>\n" unless fault

        message = escape(Quote.plain(fault.message, 1000))
        "<button class=\"verdict bad\" id=\"verdict\" type=\"button\">✗ #{message}</button>\n"
      end

      def middle
        <<~HTML
          <div class="bar">
          <input id="search" type="search" placeholder="Search names, types, values, offsets ( / )" aria-label="Search">
          <span class="count" id="count" role="status"></span>
          <button id="fold" type="button">Fold all</button><button id="unfold" type="button">Unfold all</button>
          #{legend}
          </div>
          </header>
          <main>
          <div class="pane" id="dump" tabindex="0" role="region" aria-label="Bytes"><div class="space"></div></div>
          <div class="pane" id="tree" tabindex="0" role="tree" aria-label="Payload"><div class="space" role="none"></div></div>
          </main>
          <footer id="detail"></footer>
        HTML
      end

      # What the shades of the bytes mean.
      def legend
        broken = "<span><i class=\"bad wrong\">00</i> wrong</span>" if @lines.fault
        broken += "<span><i class=\"bad\">00</i> not read</span>" if broken && !@lines.rest.empty?
        "<span class=\"legend\" id=\"legend\"><span><i>00</i><i class=\"odd\">00</i> two values</span>" \
          "<span><i class=\"on\">00</i> pointed at</span><span><i class=\"picked\">00</i> picked</span>#{broken}</span>"
      end

      # Returns the range of the bytes to show: those of the lines, and some behind them. Also whether there are more.
      def span(rows)
        size = @inspector.bytes.bytesize
        return [0, [BEHIND, size].min, false] if rows.empty?

        first = place(rows, 0).first
        ends = place(rows, (rows.rindex("\n", -2) || -1) + 1).sum
        [first, [ends + BEHIND, size, first + BYTES].min, ends > first + BYTES]
      end

      # Returns the offset and the size that the row at an index begins with. Its text may be one that Ruby's JSON refuses.
      def place(rows, index) = rows.match(/\G\{"offset":(\d+),"size":(\d+),/, index).captures.map(&:to_i)

      def escape(text) = text.gsub(/[&<>"']/, ENTITIES)
    end
  end
end
