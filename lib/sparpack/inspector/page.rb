# frozen_string_literal: true

require "json"

module Sparpack
  class Inspector
    # A page with the bytes of a payload beside its tree. It holds everything that it needs, and asks for nothing.
    #
    # @api private
    class Page
      # The most bytes of a string in the page.
      STRINGS = 400

      # The most bytes behind the last line that the page has.
      BEHIND = 256

      PARTS = %w[css js].to_h { |name| [name, File.read("#{__dir__}/page.#{name}", encoding: "UTF-8").freeze] }.freeze
      ENTITIES = { "&" => "&amp;", "<" => "&lt;", ">" => "&gt;", "\"" => "&quot;", "'" => "&#39;" }.freeze
      private_constant :STRINGS, :BEHIND, :PARTS, :ENTITIES

      # @param inspector [Inspector]
      # @param options [Hash]
      def initialize(inspector, title: nil, **options)
        @inspector = inspector
        @title = title || "Payload"
        @lines = Lines.new(inspector, :json, strings: STRINGS, **options)
      end

      # @return [Fault, nil]
      def fault = @lines.fault

      # @return [Integer] lines that are not on the page
      def hidden = @lines.hidden

      # @param target [#<<]
      # @return [Object] the target
      def write(target)
        rows = []
        @lines.body { |piece| rows << piece }
        rows = rows.join.split("\n")
        target << head << verdict << middle << data(rows) << "<script>#{PARTS.fetch("js")}</script>\n</body>\n</html>\n"
      end

      private

      def head
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
          <h1>#{escape(@title)}</h1><span class="facts">#{facts}</span>
        HTML
      end

      def facts
        reason = " (#{escape(@inspector.reason)})" if @inspector.reason
        fields = ", fields of <b>#{escape(Quote.plain(@inspector.struct_class))}</b>" if @inspector.struct_class
        hidden = ", #{@lines.hidden} more lines are not on this page" if @lines.hidden.positive?
        "<b>#{@inspector.bytes.bytesize}</b> bytes, <b>#{@inspector.wire}</b>#{reason}#{fields}#{hidden}"
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
          </div>
          </header>
          <main>
          <div class="pane" id="dump" tabindex="0" role="region" aria-label="Bytes"><div class="space"></div></div>
          <div class="pane" id="tree" tabindex="0" role="tree" aria-label="Payload"><div class="space" role="none"></div></div>
          </main>
          <footer id="detail"></footer>
        HTML
      end

      # `<` never occurs in it, so nothing can end the element.
      def data(rows)
        first, part = bytes(rows)
        "<script type=\"application/json\" id=\"data\">{\"first\":#{first},\"bytes\":\"#{[part].pack("m0")}\"," \
          "\"summary\":#{@lines.summary},\n\"rows\":[#{rows.join(",\n")}]}</script>\n"
      end

      # The bytes of the rows, and some behind them.
      def bytes(rows)
        all = @inspector.bytes
        return [0, all.byteslice(0, BEHIND)] if rows.empty?

        first = start(rows.first)
        last = [ends(rows.last) + BEHIND, all.bytesize].min
        [first, all.byteslice(first...last)]
      end

      def start(row) = ::JSON.parse(row).fetch("offset")
      def ends(row) = ::JSON.parse(row).values_at("offset", "size").sum
      def escape(text) = text.gsub(/[&<>"']/, ENTITIES)
    end
  end
end
