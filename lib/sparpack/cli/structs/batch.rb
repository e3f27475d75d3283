# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # A reader for {Codec#each_payload} that collects the values of paths in a few payloads at a time, and keeps the bytes
      # of these payloads. It must be taken before more bytes are read.
      class Batch
        # A batch of so many bytes should be taken.
        FULL = 1 << 16

        # Bytes with payloads, and where they are in the input.
        Source = ::Struct.new(:bytes, :base)
        private_constant :FULL, :Source

        # Reads all payloads. Yields a batch when it is large enough, before more bytes are read, at the end, and before a
        # fault is raised.
        #
        # @param codec [Codec]
        # @param frame [Symbol, nil]
        # @param paths [Array<Array<Object>>] as {#initialize} takes them
        # @param reading [Reading]
        # @param writing [Writing] what is flushed before more bytes are read
        # @yieldparam batch [Batch]
        # @return [void]
        # @raise [DecodeError] at the first fault
        def self.each(codec, frame, paths, reading, writing)
          batch = new(codec, paths)
          pass = -> { yield batch.take unless batch.empty? }
          reading.before do
            pass.call
            writing.flush
            reading.lines&.converted
          end
          codec.each_payload(reading, Frame.find(frame, codec.wire), batch) { pass.call if batch.full? }
          pass.call
        rescue DecodeError
          pass.call
          raise
        end

        # Reads payloads that somebody else has found.
        #
        # @param codec [Codec]
        # @param paths [Array<Array<Object>>] as {#initialize} takes them
        # @param parts [Array<Array(String, Integer)>] bytes with payloads, and where they begin in the input
        # @param framed [Boolean] whether each part is one payload
        # @yieldparam batch [Batch] also before a fault is raised
        # @return [void]
        # @raise [DecodeError] at the first fault
        def self.of(codec, paths, parts, framed:)
          batch = new(codec, paths)
          parts.each { |bytes, base| batch.decode_part(bytes, base, framed) }
        ensure
          yield batch unless batch.empty?
        end

        # @param codec [Codec]
        # @param paths [Array<Array<Object>>] as {Codec#columns} takes them; there may be none
        def initialize(codec, paths)
          @codec = codec
          @paths = paths
          @limit = Native.codec_payload_limit(codec)
          clear
        end

        # (see Ranges::Each.decode_prefix)
        def decode_prefix(codec, bytes, offset, base, partial)
          first = @ends.size
          _, last = @reader.decode_prefix(codec, bytes, offset, base, partial)
          unless @buffer.equal?(bytes) # the buffer will change
            @buffer = bytes
            @source = Source.new(bytes.dup, base)
          end
          add(@source, offset, last, first)
          restore(@firsts.size - 1) if last - offset > @limit # the caller refuses it
          [nil, last]
        rescue DecodeError::LimitExceeded
          restore
          raise
        end

        # (see Ranges::Each.decode_payload)
        def decode_payload(codec, bytes, base)
          first = @ends.size
          @reader.decode_payload(codec, bytes, base)
          add(Source.new(bytes, base), 0, bytes.bytesize, first)
          nil
        rescue DecodeError::LimitExceeded
          restore(framed: true)
          raise
        end

        # @return [Boolean] whether it is large enough
        def full? = @size >= FULL

        # @return [Boolean] whether it has no payloads
        def empty? = @ends.empty?

        # @return [Range<Integer>] the numbers of its payloads
        def numbers = 0...@ends.size

        # @return [void]
        # @api private
        def decode_part(bytes, base, framed)
          framed ? decode_payload(@codec, bytes, base) : decode_prefixes(bytes, base)
        end

        # @return [Array<Array<Object>>] the rows of each path. They can be asked for once
        def columns = @reader.to_h.values_at(*@paths)

        # Takes what is there, so that the batch is empty.
        #
        # @return [Batch] what was there
        def take = dup.tap { clear }

        # @param numbers [Array<Integer>] numbers of payloads, in order
        # @yieldparam bytes [String] each of these payloads
        # @yieldparam base [Integer] where it begins in the input
        # @return [void]
        def each_payload(numbers)
          part = 0
          numbers.each do |number|
            part += 1 while part + 1 < @firsts.size && @firsts[part + 1] <= number
            start = number == @firsts[part] ? @starts[part] : @ends[number - 1]
            source = @sources[part]
            yield source.bytes.byteslice(start, @ends[number] - start), source.base + start
          end
        end

        private

        # Takes note of a part: the bytes between a start and a stop hold payloads, of which the first one has a number.
        def add(source, start, stop, first)
          @ends << stop if @ends.size == first # the reader does it if there may be several
          @sources << source
          @starts << start
          @firsts << first
          @size += stop - start
        end

        def clear
          @ends = []
          @reader = @paths.empty? ? Ranges::Each : Sparpack::Columns.new(@codec, @paths, :arrays, false, @ends)
          @sources = []
          @starts = []
          @firsts = []
          @buffer = nil
          @size = 0
        end

        # Makes the columns anew from some parts: of a payload that takes too much memory, they may have a part.
        def restore(count = @sources.size, framed: false)
          parts = @sources.zip(@starts, [*@firsts, @ends.size].drop(1)).first(count).map do |source, start, following|
            [source.bytes.byteslice(start...@ends[following - 1]), source.base + start]
          end
          clear
          parts.each { |bytes, base| decode_part(bytes, base, framed) }
        end

        def decode_prefixes(part, place)
          at = 0
          _, at = decode_prefix(@codec, part, at, place, false) while at < part.bytesize
        end
      end
    end
  end
end
