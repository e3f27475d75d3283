# frozen_string_literal: true

module Sparpack
  module CLI
    # Finds out in which format a stream of structs is. Short structs look alike in several formats, so the beginning is
    # decoded in each of them. Fields that the class does not have are refused, and accepted only if no format fits then.
    class FormatSearch
      # How far a format reads.
      Reach = ::Struct.new(:wire, :bytes, :structs, :all) do
        # @return [Array] the larger, the likelier
        def rank = [all ? 1 : 0, structs.positive? ? 1 : 0, all ? 0 : bytes]
      end
      TEXTS = %i[json thrift_json].freeze
      HEAD = 4 # the bytes of a frame that hold its size
      private_constant :Reach, :TEXTS, :HEAD

      # @param struct_class [Class]
      # @param bytes [String] the beginning of the stream
      # @param whole [Boolean] whether these are all bytes
      def initialize(struct_class, bytes, whole:)
        @class = struct_class
        @bytes = bytes
        @whole = whole
      end

      # @return [Symbol] the wire
      # @raise [Misuse] if no format reads the bytes, or if several do
      def run
        raise Misuse, "cannot tell the format of the input: it is empty (pass --from)" if @bytes.empty?

        found = likeliest(:reject)
        certain = found.any?(&:all)
        found = likeliest(:keep) if found.empty?
        refuse_other_formats(found) unless certain
        wires = found.map(&:wire)
        return wires.first if wires.size == 1
        return guess.format if wires.empty?

        # Without fields that are known, Thrift's JSON is also plain JSON.
        (wires - TEXTS).empty? && wires.include?(guess.format) ? guess.format : refuse_to_choose(wires)
      end

      private

      # The formats that read all bytes, or otherwise the one that reads the most structs before a fault.
      def likeliest(unknown)
        reached = WIRES.map { |wire| reach(wire, unknown) }
        best = reached.map(&:rank).max
        reached.select { |each| each.rank == best && (each.all || each.structs.positive?) }
      end

      def reach(wire, unknown)
        structs = 0
        Converter.new(@class, from: wire, to: wire, unknown:).from.decode_each(@bytes) { structs += 1 }
        Reach.new(wire, @bytes.bytesize, structs, true)
      rescue DecodeError => e
        Reach.new(wire, e.offset, structs, !@whole && e.is_a?(DecodeError::Truncated))
      end

      def guess
        @guess ||= Sparpack.guess(@bytes, @class).then do |guess|
          frame = guess.format.nil? && !@whole && first_frame
          frame ? Sparpack.guess(frame, @class) : guess
        end
      end

      # A stream of frames is cut off anywhere, but the first one is whole.
      #
      # @return [String, nil] the beginning, if that can be a frame of Thrift's framed transport
      def first_frame
        size = @bytes.unpack1("N")
        @bytes.byteslice(0, HEAD + size) if size&.between?(1, @bytes.bytesize - HEAD)
      end

      # Bytes that look like a wire are not refused here: the command converts what it can, and then says what is wrong.
      def refuse_other_formats(found)
        return if WIRES.include?(guess.format) || (guess.format.nil? && found.any?)

        frames = ", and frames are not read" if %i[framed varint].include?(guess.format)
        raise Misuse, "cannot tell the format of the input: #{guess.reason}#{frames} (pass --from)"
      end

      def refuse_to_choose(wires)
        names = wires.map { |wire| TypedConvert.name_of(wire) }
        options = names.map { |name| "--from #{name}" }
        raise Misuse, "the input reads as #{names.join(" and as ")}: pass #{options.join(" or ")}"
      end
    end
  end
end
