# frozen_string_literal: true

module Sparpack
  # A buffer that reads only bytes that are asked for. It may look at more, if the io shows them.
  #
  # @api private
  class ExactBuffer < ReadBuffer
    NOT_BLANK = /[^ \t\r\n]/n
    private_constant :NOT_BLANK

    # Yields a buffer. If the io or an interrupt raises, the io gets back what was read.
    #
    # @param io [#readpartial, #read]
    # @yieldparam buffer [ExactBuffer]
    # @return [Object] the block's result
    def self.open(io)
      buffer = new(io)
      result = yield buffer
      used = true
      result
    rescue DecodeError
      used = true
      raise
    ensure
      buffer&.put_back unless used # an interrupt may come before there is one
    end

    # @return [String] all bytes that were read, but for blank lines that were skipped
    attr_reader :bytes

    # @param io [#readpartial, #read]
    def initialize(io)
      super(ExactInput.new(io, bytes = "".b), bytes)
      @peek = Peek.of(io)
    end

    # Tells how many bytes may be read, because they belong to the same payload. Nothing is looked at before the first byte
    # was read, so that errors of the io come from reading it.
    #
    # @yieldparam bytes [String] the bytes that are there and those that come next
    # @yieldreturn [Integer, nil] how many of them belong to the payload; nil if they are none
    # @return [Integer] 0 if nobody knows
    def reach
      shown = @peek.bytes if @peek && end_position.positive?
      return 0 unless shown

      size = @bytes.bytesize
      # An interrupt must not find bytes here that were not read.
      reach = Thread.handle_interrupt(Object => :never) do
        yield @bytes << shown
      ensure
        @bytes.slice!(size, shown.bytesize)
      end
      @peek = nil unless reach
      reach || 0
    end

    # (see ReadBuffer#skip_blank_lines)
    # They are forgotten, so the io does not get them back.
    def skip_blank_lines
      super
      return if @offset.zero?

      # The input appends to the same String.
      Thread.handle_interrupt(Object => :never) do
        @bytes.slice!(0, @offset)
        @base += @offset
        @offset = 0
      end
    end

    # Gives back all bytes to the io.
    #
    # @return [void]
    def put_back = @input.put_back

    private

    # The blank lines before a line are read along with it.
    def fill_line(from)
      known = reach do |bytes|
        start = from.zero? ? bytes.index(NOT_BLANK, @offset) : @offset + from
        ((start && bytes.index("\n", start)&.succ) || bytes.bytesize) - @offset
      end
      fill([from + 1, known].max)
    end

    def more(missing) = !@input.read([missing, CHUNK].min).nil?
  end
end
