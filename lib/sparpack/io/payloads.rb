# frozen_string_literal: true

module Sparpack
  # How a {Codec} finds one payload after another in a String or an io.
  #
  # @api private
  module Payloads
    # Yields what a reader makes of each payload. A reader has the methods `decode_prefix` and `decode_payload` of
    # {Native}.
    def each_payload(source, frame, reader, on_error = nil, &block)
      source = Native.unlocked(source) if source.is_a?(String) # once, and not for each payload
      source = reader.fixed(source) if ahead(reader)
      if frame
        each_framed(source, frame, reader, on_error, &block)
      elsif source.is_a?(String)
        each_in(source, reader, &block)
      else
        Input.open(source) { |io| each_from(input(io, reader), reader, &block) }
      end
    end

    # Returns what reads the payloads in place of a reader: the same, unless the codec is {Observed}.
    def reading(reader) = reader

    private

    # Returns the reader if it is an {Ahead}, which reads many payloads at once.
    def ahead(reader) = (reader if reader.respond_to?(:take_framed))

    def input(io, reader) = ahead(reader) ? Input.new(io, chunk: reader.chunk) : Input.new(io)

    # Reads exactly the bytes of one payload. Returns nil at the end of the input. If the input ends in the payload, or if
    # its bytes cannot be one, returns what was read.
    def next_payload(buffer)
      payload_end = Native.payload_end(self)
      scout = nil
      while Native.payload_end_find(payload_end, buffer.bytes).nil?
        size = buffer.size + Native.payload_end_missing(payload_end)
        size = [size, buffer.reach { |bytes| known_size(scout ||= Native.payload_end(self), bytes) }].max
        Native.codec_check_payload(self, size, 0)
        next if buffer.approach(size)

        return if Native.payload_end_find(payload_end, buffer.bytes).nil? && Native.payload_end_blank?(payload_end)

        break
      end
      buffer.bytes
    end

    # How many bytes of a payload are there; nil if they cannot be one.
    def known_size(scout, bytes)
      found = Native.payload_end_find(scout, bytes)
      found.nil? ? bytes.bytesize : found || nil
    end

    def each_framed(source, frame, reader, on_error)
      limit = Native.codec_payload_limit(self) unless source.is_a?(String)
      Input.open(source) do |io|
        buffer = io.is_a?(String) ? ReadBuffer.new(nil, io.b) : ReadBuffer.new(input(io, reader))
        loop do
          while (made = ahead(reader)&.take_framed(buffer, limit))
            yield made
          end
          start = buffer.position
          payload = framed_payload(frame, buffer, limit, source)
          break if payload.nil?

          begin
            object = decode_framed(frame, buffer, payload, start, reader)
          rescue DecodeError => e
            e = Input.named(e, source) if start.zero?
            raise e, cause: nil unless on_error

            on_error.call(e)
            next
          end
          yield object
        end
      end
    end

    def framed_payload(frame, buffer, limit, source)
      start = buffer.position
      frame.payload(buffer, self, limit)
    rescue DecodeError => e
      raise start.zero? ? Input.named(e, source) : e, cause: nil
    end

    def decode_framed(frame, buffer, payload, start, reader)
      return if payload.nil?

      frame.refuse_empty(self, start, buffer.position) if payload.empty?
      begin
        reader.decode_payload(self, payload, buffer.taken_at)
      rescue DecodeError => e
        raise Frame.inside(e, frame.beginning(start, buffer)), cause: nil
      end
    end

    def each_in(bytes, reader)
      offset = 0
      elements = JsonElements.new(self) if wire == :json
      while elements || offset < bytes.bytesize
        if elements
          offset, there = elements.pass(bytes, offset, 0, last: true)
          return unless there

          elements = nil unless elements.array?
        end
        begin
          object, offset = reader.decode_prefix(self, bytes, offset, 0, false)
        rescue DecodeError => e
          return if elements.nil? && e.is_a?(DecodeError::Truncated) && blank?(bytes.byteslice(offset..))
          raise unless offset.zero?

          raise Input.named(e, bytes), cause: nil
        end
        elements&.read
        yield object
      end
    end

    # Whether an error may be due to bytes that have not arrived, such as the end of a number: 2 of 2147483647.
    def goes_on?(error, buffer, base)
      return true if error.is_a?(DecodeError::Truncated)
      return false unless error.offset&.>=(base)

      Native::TEXT_WIRES.include?(wire) && buffer.match?(/\G[-+.\deE]+\z/n, error.offset - base)
    end

    # Decodes the objects that the buffer holds. If it ends in the middle of one, the pieces that follow are only scanned,
    # each once, until the object is complete.
    def each_from(input, reader)
      buffer = "".b
      base = offset = 0
      complete = false
      elements = JsonElements.new(self) if wire == :json
      loop do
        if elements
          buffer, offset, base, there = reach_object(input, elements, buffer, offset, base)
          return unless there

          elements = nil unless elements&.array? # a continuation may find that it is nil already
        elsif offset == buffer.bytesize
          base += offset
          offset = 0
          return unless read_more(input, buffer.clear, base)
        end
        begin
          start = offset
          object, offset = reader.decode_prefix(self, buffer, offset, base, !complete)
        rescue DecodeError => e
          raise if complete || !goes_on?(e, buffer, base)

          buffer = buffer.byteslice(offset, buffer.bytesize - offset)
          base += offset
          offset = 0
          return unless complete?(input, buffer, base) || elements

          complete = true
          next
        end
        complete = false
        Native.codec_check_payload(self, offset - start, base + start)
        elements&.read
        yield object
      end
    end

    # Passes over what stands before an object of JSON. The last result is false at the end of the input.
    def reach_object(input, elements, buffer, offset, base)
      loop do
        offset, there = elements.pass(buffer, offset, base)
        return [buffer, offset, base, true] if there

        buffer = buffer.byteslice(offset, buffer.bytesize - offset)
        base += offset
        offset = 0
        next if read_more(input, buffer, base)

        offset, there = elements.pass(buffer, offset, base, last: true)
        return [buffer, offset, base, there]
      end
    end

    # Reads until the buffer holds a whole object, or bytes that cannot be one, or the input ends. Returns false if it ends
    # before an object begins.
    def complete?(input, buffer, base)
      payload_end = Native.payload_end(self)
      while Native.payload_end_find(payload_end, buffer).nil?
        next if read_more(input, buffer, base)

        return !Native.payload_end_blank?(payload_end)
      end
      true
    end

    # Whether bytes hold nothing but what may stand before an object, such as the white space behind the last one.
    def blank?(bytes)
      payload_end = Native.payload_end(self)
      Native.payload_end_find(payload_end, bytes).nil? && Native.payload_end_blank?(payload_end)
    end

    def read_more(input, buffer, base)
      Native.codec_check_payload(self, buffer.bytesize, base)
      limit = Native.codec_payload_limit(self)
      chunk = input.read([input.chunk, limit + 1 - buffer.bytesize].min)
      buffer << chunk if chunk
      !chunk.nil?
    end
  end
end
