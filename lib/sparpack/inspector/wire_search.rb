# frozen_string_literal: true

module Sparpack
  class Inspector
    # Finds out which wire a payload is of, if nobody says so. A broken payload may look like nothing to {Sparpack.guess}.
    # Then it is the wire that reads it furthest.
    #
    # @api private
    class WireSearch
      # How much of the bytes may show that they are text, and how many characters it takes.
      BEGINNING = 256
      TEXT = 8
      private_constant :BEGINNING, :TEXT

      # What text is that no wire reads.
      NO_JSON = "these bytes are text, but no JSON"

      # Tells whether bytes are text that nobody wrote as a payload, such as that of an error. A binary wire reads some of
      # its letters, too.
      #
      # @param bytes [String]
      # @return [Boolean]
      def self.text?(bytes)
        beginning = bytes.byteslice(0, BEGINNING).force_encoding(Encoding::UTF_8)
        text = beginning.scrub("")
        cut = beginning.bytesize - text.bytesize # a character at the end
        cut < 4 && text.size >= TEXT && !text.match?(/[^[:print:]\n\r\t]/)
      end

      # @param bytes [String]
      # @param struct_class [Class, nil]
      def initialize(bytes, struct_class)
        @bytes = bytes
        @struct_class = struct_class
      end

      # @return [Array(Symbol, String)] the wire and the reason
      # @raise [ArgumentError] if the bytes are something else
      def run
        guess = Sparpack.guess(@bytes, @struct_class)
        return whole(guess.format) || [guess.format, guess.reason] if WIRES.include?(guess.format) && plain?(guess)
        raise ArgumentError, "cannot tell the wire: #{guess}" if guess.format

        furthest(WireSearch.text?(@bytes) ? Native::TEXT_WIRES : WIRES)
      end

      private

      # Bytes within other bytes are not at hand.
      def plain?(guess) = guess.reason.match?(/\Athese bytes (?:read as|look like the beginning of) (?!.* in )/)

      # A guess looks only at the beginning. If the guessed wire does not read all bytes, another binary wire may. Text is
      # never mistaken for anything else.
      def whole(wire)
        return if Native::TEXT_WIRES.include?(wire) || reach(wire).first == @bytes.bytesize

        other = (WIRES - Native::TEXT_WIRES - [wire]).find { |each| reach(each).values_at(0, 2) == [@bytes.bytesize, true] }
        [other, "a guess: this wire reads all bytes, and #{wire} does not"] if other
      end

      def furthest(wires)
        reach = wires.to_h { |wire| [wire, reach(wire).first(2)] }
        wire, (read, fit) = reach.max_by { |_, reached| reached }
        if read.zero? || fit.zero?
          found = wires == Native::TEXT_WIRES ? NO_JSON : "no wire reads the first byte"
          raise ArgumentError, "cannot tell the wire: #{found}"
        end

        [wire, "a guess: of all wires this one reads furthest, #{read} of #{@bytes.bytesize} bytes"]
      end

      # How far a wire reads, how many lines fit the class, and whether the payload is complete there.
      def reach(wire)
        annotator = Native::Annotator.new
        annotator.begin(@bytes, wire, :json, @struct_class, [0, nil, nil, nil, nil, false])
        nil while annotator.read
        lines, _, misfits, at, _, complete, = annotator.report
        [at, lines - misfits, complete]
      end
    end
  end
end
