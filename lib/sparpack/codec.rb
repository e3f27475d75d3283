# frozen_string_literal: true

module Sparpack
  # A class, a wire and options, fixed once. Frozen: made once, kept, and shared between threads and Ractors.
  #
  # @example
  #   LISTINGS = Sparpack::Codec.new(Listing, :compact, freeze: true)
  #   LISTINGS.decode(bytes)
  class Codec
    # How much is read from an io at a time, at least.
    CHUNK = 64 * 1024
    private_constant :CHUNK

    # @return [Hash] as they were given, frozen
    attr_reader :options

    # @param struct_class [Class] a subclass of {Struct}, {Union} or {Exception}
    # @param wire [Symbol] `:compact` or `:binary`
    # @param options [Hash]
    # @option options [Symbol] :validate (:normal) on both ways. `:none` decodes without looking for required fields;
    #   `:strict` and `:recursive` also refuse numbers that an enum does not name
    # @option options [Symbol] :unknown (:skip) fields that the schema does not name: `:skip`, `:reject` or `:keep`, to be
    #   written again
    # @option options [Boolean] :freeze (false) whether decoded objects are frozen deep
    # @option options [Symbol] :utf8 (:check) `:keep` lets strings through that are not UTF-8
    # @option options [Symbol] :mismatch (:raise) a known field that has another type on the wire; `:skip` leaves it unset
    # @option options [Limits] :limits
    # @raise [ArgumentError] for an unknown wire or option
    # @raise [SchemaError] if a class that is named does not exist
    def initialize(struct_class, wire = :compact, **options)
      unless struct_class.is_a?(Class) && struct_class.is_a?(Declaration) && Declared.shape(struct_class)
        raise ArgumentError, "expected a subclass of Sparpack::Struct, Union or Exception, got " \
                             "#{Quote.value(struct_class)}#{Advice.codec(struct_class)}"
      end

      Native.codec_setup(self, struct_class, wire, options)
      @options = options.freeze
      freeze
    end

    # @!method encode(object)
    #   @param object [Value]
    #   @return [String] unfrozen, ASCII-8BIT
    #   @raise [EncodeError] if it cannot be written

    # @!method decode(bytes)
    #   @param bytes [String]
    #   @return [Value]
    #   @raise [DecodeError] if the bytes are not one object of the class

    # @!method wire
    #   @return [Symbol]

    # @!method struct_class
    #   @return [Class]

    # Writes an object to an io. One of Ruby's own gets the bytes as they are, in whatever mode or encoding it was opened.
    #
    # @param io [#write] an io. A Pathname is refused: pass `path.open("wb")`, or `path.open("ab")` to append
    # @param object [Value]
    # @return [Integer] how many bytes were written. An object that cannot be encoded writes none
    # @raise [EncodeError] as {#encode}
    # @raise [TypeError] if nothing can be written to the io
    # @example
    #   File.open("listings", "wb") { |file| codec.encode_to(file, listing) }
    def encode_to(io, object)
      Output.check(io)
      Output.write(io, encode(object))
    end

    # The same as {#encode}, for what is called with `dump` and `load`: `serialize :listing, coder: LISTINGS` of Active
    # Record, `serializer:` of Active Support's caches and messages, Paquito's coders.
    #
    # @param object [Value, nil]
    # @return [String, nil] nil for nil
    # @raise [EncodeError] as {#encode}
    def dump(object) = object.nil? ? nil : encode(object)

    # @param bytes [String, nil]
    # @return [Value, nil] nil for nil
    # @raise [DecodeError] as {#decode}
    def load(bytes) = bytes.nil? ? nil : decode(bytes)

    # Reads one object and says where it ends.
    #
    # @param bytes [String]
    # @param offset [Integer] in bytes
    # @return [Array(Value, Integer)] the object, and the offset of what follows it
    # @raise [DecodeError] if no object stands there
    # @raise [ArgumentError] if the offset is beyond the bytes
    # @example
    #   object, offset = codec.decode_prefix(bytes, offset)
    def decode_prefix(bytes, offset = 0) = Native.decode_prefix(self, bytes, offset, 0, false)

    # Reads objects that follow one another, without loading the whole input. An io is read to its end, and ahead of what
    # is yielded. A message from it may have as many bytes as {Limits#message} says.
    #
    # @param source [String, IO, Pathname] bytes; an io, which answers `readpartial` or `read`; or a file, which is open
    #   while its objects are yielded
    # @yieldparam object [Value]
    # @return [self, Enumerator]
    # @raise [DecodeError] at the first fault, with its offset in the whole input
    # @raise [EOFError] if the io answers `""` 100 times in a row, instead of nil at its end
    # @raise [TypeError] if the source is none of these, or the io answers anything but Strings
    # @example
    #   codec.decode_each(Pathname("listings")) { |listing| puts listing.listing_id }
    def decode_each(source, &block)
      Input.check(source)
      return enum_for(:decode_each, source) unless block

      source.is_a?(String) ? each_in(source, &block) : Input.open(source) { |io| each_from(Input.new(io), &block) }
      self
    end

    # @return [String]
    def inspect = "#<#{self.class} #{struct_class} #{[wire, *options.map { |k, v| "#{k}: #{v.inspect}" }].join(", ")}>"

    private

    def each_in(bytes)
      offset = 0
      while offset < bytes.bytesize
        object, offset = Native.decode_prefix(self, bytes, offset, 0, false)
        yield object
      end
    end

    # What was read is decoded as far as it goes. Where it ends in the middle of an object, the pieces that follow are only
    # scanned, each once, until the object is complete.
    def each_from(input)
      buffer = "".b
      base = offset = 0
      complete = false
      loop do
        if offset == buffer.bytesize
          return unless read_more(input, buffer.clear, base += offset)

          offset = 0
        end
        begin
          start = offset
          object, offset = Native.decode_prefix(self, buffer, offset, base, !complete)
        rescue DecodeError::Truncated
          raise if complete

          buffer = buffer.byteslice(offset, buffer.bytesize - offset)
          base += offset
          offset = 0
          complete = complete(input, buffer, base)
          next
        end
        complete = false
        check_message(offset - start, base + start)
        yield object
      end
    end

    # Reads until the buffer holds a whole object, or there is no more, or what it holds cannot be one.
    def complete(input, buffer, base)
      scan = Native.scan(self)
      while Native.scan_feed(scan, buffer).nil?
        break unless read_more(input, buffer, base)
      end
      true
    end

    def read_more(input, buffer, base)
      check_message(buffer.bytesize, base)
      limit = Native.codec_message_limit(self)
      chunk = input.read([CHUNK, limit + 1 - buffer.bytesize].min)
      buffer << chunk if chunk
      !chunk.nil?
    end

    def check_message(size, offset)
      limit = Native.codec_message_limit(self)
      return if size <= limit

      path = Quote.plain(struct_class)
      expected = "at most #{limit} bytes"
      raise DecodeError::LimitExceeded.new(
        "#{path}: expected #{expected}, found a longer message (#{wire}, byte #{offset})",
        path:, expected:, found: "a longer message", offset:
      )
    end
  end
end
