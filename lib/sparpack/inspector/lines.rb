# frozen_string_literal: true

require "json"

module Sparpack
  class Inspector
    # The lines of a payload, which the native core writes, and what stands below them: the fault, bytes that were not
    # understood, and how many lines are not shown.
    #
    # @api private
    class Lines
      # A larger payload is not decoded to find what a class misses, because that makes all objects.
      DECODED = 4 << 20

      # How many bytes of a line are shown in hexadecimal digits.
      PER_LINE = 16
      RAW_PER_LINE = 32

      # How many lines of bytes follow a fault, unless all are shown.
      RAW_LINES = 4

      # More lines or bytes are never there.
      MOST = (1 << 62) - 1

      private_constant :DECODED, :PER_LINE, :RAW_PER_LINE, :RAW_LINES, :MOST

      # @return [Integer] lines that are not shown
      attr_reader :hidden

      # @return [Integer] lines that are
      attr_reader :shown

      # @param inspector [Inspector]
      # @param format [Symbol]
      # @param options [Hash]
      def initialize(inspector, format, limit: nil, path: nil, range: nil, color: false, strings: nil, title: nil)
        @inspector = inspector
        @format = format
        @limit = count_of(:limit, limit)
        @color = color
        @title = title
        @path = path && Path.pieces(path)
        from, to = bounds(range)
        @start, @stop, @follows = inspector.extent
        @annotator = Native::Annotator.new
        # A class describes what is inside of a compressed payload.
        @annotator.begin(inspector.bytes, inspector.wire, format, inner ? nil : inspector.struct_class,
                         [limit, from, to, @path, count_of(:strings, strings), color, @start, @stop])
        @partial = !path.nil? || !range.nil?
        @options = { limit:, path:, range:, color:, strings: }
      end

      # @param target [#<<]
      # @return [void]
      def write(target)
        target << "wire #{@inspector.wire}\n" if @format == :text
        copied = target.is_a?(IO) || target.is_a?(String)
        body do |piece|
          target << piece
          piece.clear if copied # The next piece gets the same memory. Fresh pages would take most of the time.
        end
        ending { |line| target << line << "\n" }
        Lines.new(inner, :tree, **@options).write(target) if @format == :tree && inner
      end

      # Yields the lines in large pieces.
      def body
        while (piece = @annotator.read)
          yield piece.force_encoding(Encoding::UTF_8) unless piece.empty?
        end
        @lines, @shown, @misfits, @at, @next, @done, @fault = @annotator.report
        @hidden = @lines - @shown
      end

      # @return [Fault, nil]
      def fault
        body { nil } unless @at
        return @found if defined?(@found)

        @found = inner ? inner.fault : broken || trailing || undecodable
      end

      # @return [String] the bytes that were not understood
      def rest = @follows && @done ? "".b : @inspector.bytes.byteslice(@at...@stop)

      # @return [Integer] where they begin
      def rest_at = @at

      # @return [String] what was found about the whole payload, as JSON
      def summary
        found = fault
        ::JSON.generate(
          wire: @inspector.wire, reason: @inspector.reason, class: @inspector.struct_class&.name,
          **record, bytes: @stop - @start, lines: @lines, shown: @shown, read: @at,
          fault: found && { offset: found.offset, path: found.path, expected: found.expected, found: found.found,
                            message: found.message, **(found.open ? { open: found.open } : {}) }
        ).gsub("<", "\\u003c")
      end

      private

      # Which one of several payloads it is.
      def record = @inspector.is_a?(Record) ? { record: @inspector.number, offset: @start } : {}

      def bounds(range)
        return [nil, nil] unless range
        unless range.is_a?(Range) && [range.begin, range.end].all? { |bound| bound.nil? || bound.is_a?(Integer) }
          raise ArgumentError, "range: expected a Range of Integers, got #{Quote.value(range)}"
        end

        first = (range.begin || 0).clamp(0, MOST)
        last = range.end
        last += 1 if last && !range.exclude_end?
        [first, last&.clamp(first, MOST)]
      end

      def count_of(name, value)
        return value if value.nil? || (value.is_a?(Integer) && value.between?(0, MOST))

        raise ArgumentError, "#{name}: expected nil or an Integer of at least 0, got #{Quote.value(value)}"
      end

      def broken
        return unless @fault

        offset, expected, found, open, path = @fault
        open = open.map { |level| still_open(*level) }.freeze
        Fault.new(offset, path.force_encoding(Encoding::UTF_8), expected, found || "something else",
                  (open if open.any?)).freeze
      end

      def still_open(kind, path, read, count)
        name = path.empty? ? "the payload" : path.force_encoding(Encoding::UTF_8)
        of = "#{read} of #{count(count, "element")}" if count
        of ||= count(read, "element") unless kind == :struct
        of ? "#{name} (#{of})" : name
      end

      # The rest. JSON may end with white space.
      def unread = Native::TEXT_WIRES.include?(@inspector.wire) ? rest.sub(/\A[ \t\r\n]+/n, "") : rest

      def trailing
        rest = unread
        return if rest.empty?

        ending = @stop == @inspector.bytes.bytesize ? "input" : "frame"
        Fault.new(@stop - rest.bytesize, "", "the end of the #{ending}", "trailing bytes").freeze
      end

      # What a decode finds, such as a required field that is absent.
      def undecodable
        klass = @inspector.struct_class
        stop = @follows ? @at : @stop
        return if klass.nil? || stop - @start > DECODED

        keys = { keys: :ids } if @inspector.wire == :message_pack # all forms are read, and every class has this one
        Codec.new(klass, @inspector.wire, **keys.to_h).decode(@inspector.bytes.byteslice(@start...stop))
        nil
      rescue DecodeError => e
        Fault.new(@start + (e.offset || 0), e.path.to_s, e.expected.to_s, e.found.to_s).freeze
      end

      def ending(&)
        case @format
        when :tree then tree_ending(&)
        when :text then text_ending(&)
        when :json then yield summary
        end
      end

      def tree_ending(&)
        yield paint("… #{count(@hidden, "more line")}", 2) if @hidden.positive?
        return yield "compressed with LZ4: #{count(inner.bytes.bytesize, "byte")} when decompressed, which are" if inner

        if @lines.zero? && @partial && !(fault && @inspector.is_a?(Record))
          yield "nothing is there#{Path.unknown(@path, @inspector.struct_class)}"
        end
        yield paint("✗ #{fault.message}", 31) if fault
        yield "  still open: #{fault.open.join(", ")}" if fault&.open
        raw(&) unless unread.empty? || (@partial && !@fault)
      end

      # @return [Inspector, nil] the payload that is compressed in this one
      def inner
        return @inner if defined?(@inner)

        @inner = @inspector.inflated
      end

      # The bytes from the end of the last line on.
      def raw
        bytes = rest
        lines = (bytes.bytesize + PER_LINE - 1) / PER_LINE
        shown = @limit ? [lines, RAW_LINES].min : lines
        width = [4, @inspector.bytes.bytesize.to_s.size].max
        shown.times do |i|
          part = bytes.byteslice(i * PER_LINE, PER_LINE)
          place = (@at + (i * PER_LINE)).to_s.rjust(width)
          yield paint("#{place}  #{part.unpack1("H*").scan(/../).join(" ").ljust(PER_LINE * 3)} #{part.tr("^ -~", ".")}", 2)
        end
        yield paint("… #{count(bytes.bytesize - (shown * PER_LINE), "more byte")}", 2) if shown < lines
      end

      def text_ending
        return yield "cut here: #{count(@hidden, "line")} are not shown" if @hidden.positive?

        yield "# #{fault.message}" if fault
        yield "# still open: #{fault.open.join(", ")}" if fault&.open
        at = @at
        while at < @stop
          part = @inspector.bytes.byteslice(at, [RAW_PER_LINE, @stop - at].min)
          yield "raw #{part.unpack1("H*")}  # #{at}"
          at += RAW_PER_LINE
        end
      end

      def count(number, noun)
        "#{number.to_s.gsub(/(?<=\d)(?=(?:\d{3})+\z)/, ",")} #{noun}#{"s" unless number == 1}"
      end

      def paint(text, code) = @color ? "\e[#{code}m#{text}\e[0m" : text
    end
  end
end
