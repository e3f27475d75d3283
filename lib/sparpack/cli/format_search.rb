# frozen_string_literal: true

module Sparpack
  module CLI
    # Finds out in which format a stream of structs is, and with which frames. Short structs look alike in several formats,
    # so the beginning is decoded in each of them. Fields that the class does not have are refused, and accepted only if no
    # format fits then.
    class FormatSearch
      # How far a format reads. Of an input whose first frame is cut, only the beginning of a struct can be read.
      Reach = ::Struct.new(:wire, :frame, :bytes, :structs, :all, :begun) do
        # @return [Array] the larger, the likelier
        def rank = [all ? 1 : 0, structs.positive? ? 1 : 0, all ? 0 : bytes]
      end

      # Lines are read without a frame, too.
      FRAMES = [nil, :framed, :varint].freeze
      private_constant :Reach, :FRAMES

      # @param struct_class [Class]
      # @param bytes [String] the beginning of the stream
      # @param whole [Boolean] whether these are all bytes
      # @param wires [Array<Symbol>] those that come into question
      # @param frames [Array<Symbol, nil>] likewise
      # @param file [String] the input, as a shell writes it
      def initialize(struct_class, bytes, whole:, wires: WIRES, frames: FRAMES, file: "INPUT")
        @class = struct_class
        @bytes = bytes
        @whole = whole
        @file = file
        @frames = frames
        @ways = wires.product(frames).reject { |wire, frame| frame == :lines && wire != :json }
      end

      # @return [Array(Symbol, Symbol)] the wire, and the frame or nil
      # @raise [Misuse] if no format reads the bytes with these frames, or if several do
      def run
        raise Misuse, "cannot tell the format of the input: it is empty (pass --from)" if @bytes.empty?

        reached = reach_all(:reject)
        found = likeliest(reached)
        certain = found.any?(&:all)
        found = likeliest(reach_all(:keep)) if found.empty?
        found |= reached.select(&:begun) unless certain
        refuse_other_formats(found) unless certain
        ways = found.map { |each| [each.wire, each.frame] }
        return ways.first if ways.size == 1
        return guessed if ways.empty?

        # Without fields that are known, Thrift's JSON is also plain JSON.
        wires, frames = ways.transpose.map(&:uniq)
        alike = frames.size == 1 && (wires - Native::TEXT_WIRES).empty? && wires.include?(guess.wire)
        alike ? [guess.wire, frames.first] : refuse_to_choose(ways)
      end

      # @return [Symbol, nil] the frames of a wire that is known. Payloads without frames are preferred
      def frame
        found = %i[reject keep].lazy.map { |unknown| likeliest(reach_all(unknown)) }.find { |each| each.any?(&:all) }.to_a
        found.map(&:frame).include?(nil) ? nil : found.first&.frame
      end

      private

      def reach_all(unknown) = @ways.map { |wire, frame| reach(wire, frame, unknown) }

      # The formats that read all bytes, or otherwise the one that reads the most structs before a fault.
      def likeliest(reached)
        best = reached.map(&:rank).max
        reached.select { |each| each.rank == best && (each.all || each.structs.positive?) }
      end

      def reach(wire, frame, unknown)
        structs = 0
        codec = Structs::Stream.codec(@class, wire, unknown:)
        codec.decode_each(@bytes, frame:) { structs += 1 }
        Reach.new(wire, frame, @bytes.bytesize, structs, true, false)
      rescue DecodeError => e
        begun = !frame.nil? && structs.zero? && cut?(e) && begins?(codec, e)
        Reach.new(wire, frame, e.offset, structs, !@whole && cut?(e) && (frame.nil? || structs.positive? || begun), begun)
      end

      # Whether the bytes end too early, and not the frame.
      def cut?(error) = error.is_a?(DecodeError::Truncated) && error.found.start_with?("the end of the input")

      # Any four bytes are the size of a frame. If that is longer than the beginning, what there is of it must be a payload.
      def begins?(codec, error)
        size = error.expected[/\Aa payload of (\d+) bytes/, 1].to_i
        return false unless size.between?(1, Limits.new.message)

        codec.decode_prefix(@bytes, error.offset - error.found[/\d+\z/].to_i)
        false
      rescue DecodeError => e
        cut?(e)
      end

      def guess = @guess ||= Sparpack::Guess.beginning(@bytes, @class, whole: @whole)

      # A frame that somebody asked for must be there, because the command would read something else than they mean.
      def guessed
        return [guess.wire, guess.frame] if @frames.include?(guess.frame)

        frame, = @frames
        return [:json, :lines] if frame == :lines && guess.wire == :json && guess.frame.nil?

        raise Misuse, "--frame #{frame || :none}: the input has #{frame ? "no such frames" : "frames"} " \
                      "(#{guess.reason}: pass #{Hints.options(guess)})"
      end

      # Bytes that look like a wire are not refused here: the command converts what it can, and then says what is wrong.
      def refuse_other_formats(found)
        return if guess.wire || (guess.format.nil? && found.any?)

        raise Misuse, "cannot tell the format of the input: #{Hints.told(guess, @file)} (or pass --from)" if guess.format

        plain = Sparpack::Guess.beginning(@bytes, whole: @whole)
        fault = fault(plain) if plain.wire
        raise Misuse, "#{plain.reason}, but not as #{fault} (pass another --type, or --from)" if fault

        raise Misuse, "cannot tell the format of the input: #{guess.reason} (pass --from)"
      end

      # Why bytes that a wire reads are not structs of the class.
      def fault(plain)
        Structs::Stream.codec(@class, plain.wire).decode_each(@bytes, frame: plain.frame) { return nil }
      rescue DecodeError => e
        "#{Quote.plain(@class)}: #{e.path}: expected #{e.expected}, found #{e.found}"
      end

      def refuse_to_choose(ways)
        names = ways.map { |wire, frame| "#{Structs::Stream.name_of(wire)}#{" in frames (#{frame})" if frame}" }
        options = ways.map do |wire, frame|
          "--from #{Structs::Stream.name_of(wire)}#{" --frame #{frame || :none}" if ways.any? { |_, other| other }}"
        end
        raise Misuse, "the input reads as #{names.join(" and as ")}: pass #{options.join(" or ")}"
      end
    end
  end
end
