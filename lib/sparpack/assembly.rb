# frozen_string_literal: true

module Sparpack
  # Turns the text that `sparpack inspect --format text` prints into bytes again, also if somebody has changed it: sizes and
  # counts are written anew. {Sparpack.assemble} is the way to call it, and docs/inspect.md describes the text.
  #
  # @api private
  class Assembly
    autoload :Compact, "sparpack/assembly/compact"
    autoload :Binary, "sparpack/assembly/binary"
    autoload :JSON, "sparpack/assembly/json"
    autoload :MessagePack, "sparpack/assembly/message_pack"
    autoload :Scanner, "sparpack/assembly/scanner"
    autoload :ThriftJSON, "sparpack/assembly/thrift_json"

    # The constant of the class that writes a wire.
    WIRES = { "compact" => :Compact, "binary" => :Binary, "message_pack" => :MessagePack, "json" => :JSON,
              "thrift_json" => :ThriftJSON }.freeze

    # An open struct or container, or the payload itself.
    # kind: :payload, :struct, :list, :set, :map. held, paired: the types of elements, or of keys and values. index: values
    # so far. last_id: of the field before. place: where the beginning is in the output. opening: writes the beginning again
    # with another count, or is nil. told: the count in the text. line: where it is.
    Level = ::Struct.new(:kind, :held, :paired, :index, :last_id, :place, :opening, :told, :line) do
      def at_value? = kind == :map && index.odd?
      def values = kind == :map ? index / 2 : index
    end
    private_constant :Level

    # What closes each kind.
    ENDS = { "}" => %i[struct map], "]" => %i[list set] }.freeze
    private_constant :ENDS

    # @param text [String]
    def initialize(text)
      @scanner = Scanner.new(text)
      @output = []
      @levels = [Level.new(:payload, nil, nil, 0, 0, 0, nil, nil, nil)]
    end

    # @return [String] the bytes
    # @raise [AssemblyError]
    def bytes
      @scanner.each_line { statement }
      @scanner.fail("a line such as wire compact", "the end of the text") unless @writer
      @levels.drop(1).each { |level| leave_open(level) }
      @output.join.b
    end

    private

    def level = @levels.last

    def statement
      return begin_wire unless @writer
      return @output << @scanner.hex("the bytes in hexadecimal digits") if @scanner.word?("raw")
      return close if @scanner.peek?(/[}\]]/)

      if level.kind == :payload && level.index.positive?
        @scanner.fail("raw or the end of the text, because the payload is complete")
      end

      value(place)
    end

    def begin_wire
      @scanner.word?("wire") || @scanner.fail("a line such as wire compact")
      name = @scanner.one_of(WIRES.keys, "a wire")
      @writer = Assembly.const_get(WIRES.fetch(name))::Writer.new(@scanner)
    end

    # What stands before the type of a value. Returns the id of a field, :key, or nil.
    def place
      if level.kind == :struct
        @scanner.field_id
      elsif level.kind == :map && !level.at_value?
        @scanner.word?("key") || @scanner.fail("key or }")
        :key
      end
    end

    def value(place)
      opening = @writer.opening(level)
      opening ? enter(opening, place) : scalar(place)
    end

    # opening: [kind, first type, second type, count]
    def enter(opening, place)
      kind, first, second, count = opening
      check_type(kind, place)
      head = @writer.head(level, place, kind)
      before, exact = @scanner.modifiers
      inner = Level.new(kind, first, second, 0, 0, @output.size, nil, count, @scanner.line_number)
      inner.opening = ->(number) { head + @writer.open(kind, first, second, number) } unless exact || before
      @output << (exact || (before ? before + @writer.open(kind, first, second, count || 0) : ""))
      proceed(place)
      @levels << inner
    end

    def scalar(place)
      type, value = @writer.scalar(level, place)
      check_type(type, place)
      head = @writer.head(level, place, type, value)
      before, exact = @scanner.modifiers
      @output.push(*@writer.written(type, value, before || head, exact, level, place))
      proceed(place)
    end

    # The value is counted, and the next one is expected.
    def proceed(place)
      level.last_id = place if place.is_a?(Integer)
      level.index += 1
    end

    def check_type(type, place)
      expected = level.at_value? ? level.paired : level.held
      return if expected.nil? || expected == type || (place == :key && level.kind != :map)

      @scanner.fail_at_value("#{expected}, which the #{level.kind} holds", type)
    end

    def close
      text = @scanner.closing
      kinds = ENDS.fetch(text)
      unless kinds.include?(level.kind)
        expected = level.kind == :payload ? "a value" : ENDS.find { |_, ends| ends.include?(level.kind) }.first
        @scanner.fail_back(expected, text)
      end
      @scanner.fail_back("the value of a key", text) if level.at_value?
      @output[level.place] = level.opening.call(level.values) if level.opening
      closed = @levels.pop
      _, exact = @scanner.modifiers
      @output << (exact || @writer.close(closed))
    end

    # A struct or container that is open at the end of the text, as in a payload that is cut.
    def leave_open(level)
      return unless level.opening

      unless level.told || level.kind == :struct || @writer.uncounted?
        @scanner.fail_at(level.line, 1, "the number of elements, because the #{level.kind} is not closed", "none")
      end
      @output[level.place] = level.opening.call(level.told || 0)
    end
  end
end
