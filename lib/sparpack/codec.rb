# frozen_string_literal: true

require_relative "io/payloads"

module Sparpack
  # Encodes and decodes objects of one class, over one wire and with one set of options. A codec is frozen, so make it once
  # and share it between threads and Ractors.
  #
  # @example
  #   LISTINGS = Sparpack::Codec.new(Listing, :compact, freeze: true)
  #   LISTINGS.decode(bytes)
  class Codec
    include Payloads

    # @return [Hash{Symbol => Object}] the options that were passed to {#initialize}, frozen
    attr_reader :options

    # Makes a codec, and looks up all types that the class uses.
    #
    # @param struct_class [Class, Mapping] a subclass of {Struct}, {Union} or {Exception}, or a mapping of a plain class
    # @param wire [Symbol] such as `:binary`
    # @param options [Hash]
    # @option options [Symbol] :validate (:normal) what encoding and decoding check. `:normal` checks required fields.
    #   `:none` does not check them when decoding. `:strict` and `:recursive` also refuse enum numbers without a name.
    # @option options [Symbol] :unknown (:skip) what happens to fields that the schema does not have: `:skip` ignores them,
    #   `:reject` raises, and `:keep` keeps them, so that they are written again
    # @option options [Boolean] :freeze (false) whether to freeze everything that is decoded
    # @option options [Boolean] :lazy (false) whether strings, containers and nested structs are made only when they are
    #   read. The bytes are checked at once, as always. It has no effect on JSON, unions, plain classes and frozen objects.
    #   See docs/lazy.md
    # @option options [Symbol] :utf8 (:check) what happens to strings that are not valid UTF-8: `:check` raises, `:keep`
    #   reads and writes them as they are
    # @option options [Symbol] :mismatch (:raise) what happens to a known field that has another type on the wire: `:raise`
    #   raises, `:skip` leaves it unset
    # @option options [Symbol, nil] :frame (nil) what {#encode_to} writes before each payload, and {#decode_from} and
    #   {#decode_each} read. `:varint` is the length as a varint, as in delimited messages of Protocol Buffers. `:framed` is
    #   the length as four bytes, big-endian, as in Thrift's framed transport. Other methods have no frames
    # @option options [Symbol] :keys (:array) how `:message_pack` writes structs: `:array` writes each field in the place
    #   that its id says, `:names` writes maps with the names of the IDL as keys, `:ids` maps with the ids. All three are
    #   read, whatever the option says.
    # @option options [Symbol] :enums (:numbers) how `:json` and `:message_pack` write enums: `:names` writes the name of a
    #   value that has one. Both are read.
    # @option options [Symbol] :i64 (:number) how `:json` writes an i64: `:string` puts it in quotes. Both are read.
    # @option options [Symbol, nil] :compression (nil) how `:message_pack` compresses payloads of 64 bytes or more: `:lz4` in
    #   blocks of 32 KiB, `:lz4_block` in one block, both as MessagePack-CSharp does. Reading finds out by itself whether a
    #   payload is compressed. See docs/lz4.md
    # @option options [#call, nil] :observe (nil) what is called with an {Observed::Event} after each encode and decode. See
    #   docs/telemetry.md
    # @option options [Limits, nil] :limits limits on memory, sizes and depth; nil means the usual ones
    # @raise [ArgumentError] for an unknown class, wire or option
    # @raise [LoadError] for `compression:`, if the library for LZ4 is not there
    # @raise [SchemaError] if the class uses a type that does not exist, or if it has negative ids or ids that are far apart
    #   and `:message_pack` should write them as the places of an array
    # @example
    #   codec = Sparpack::Codec.new(Listing, :binary, unknown: :keep)
    def initialize(struct_class, wire = :compact, **options)
      unless struct_class.is_a?(Mapping) || (struct_class.is_a?(Class) && Declared.shape(struct_class))
        raise ArgumentError, "expected a subclass of Sparpack::Struct, Union or Exception, got " \
                             "#{Quote.value(struct_class)}#{Advice.codec(struct_class)}"
      end

      if options[:unknown] == :keep && struct_class.is_a?(Mapping)
        raise ArgumentError, "unknown: :keep: objects of the plain class #{Quote.plain(struct_class)} have no place for " \
                             "unknown fields"
      end
      Native.codec_setup(self, struct_class, wire, options)
      Frame.check(options[:frame], wire)
      @options = options.freeze
      Observed.extend_to(self, options[:observe]) unless options[:observe].nil?
      freeze
    end

    # @!method encode(object)
    #   Encodes an object.
    #
    #   @param object [Value] an object of the codec's class or of a subclass
    #   @return [String] the bytes, unfrozen and in ASCII-8BIT
    #   @raise [EncodeError] if the object is of another class or cannot be encoded
    #   @example
    #     bytes = codec.encode(listing)

    # @!method decode(bytes)
    #   Decodes one object.
    #
    #   @param bytes [String] exactly one encoded object
    #   @return [Value] an object of the codec's class
    #   @raise [DecodeError] if the bytes are anything else
    #   @raise [TypeError] if `bytes` is not a String
    #   @example
    #     listing = codec.decode(bytes)

    # @!method check(bytes)
    #   Checks bytes as {#decode} does, without making an object.
    #
    #   @param bytes [String]
    #   @return [true]
    #   @raise [DecodeError] if {#decode} would raise it
    #   @raise [TypeError] if `bytes` is not a String
    #   @example
    #     codec.check(bytes) # => true

    # @!method dig(bytes, *path)
    #   Decodes one value of a payload, and makes no other object. It is what {#decode} and then `dig` return, but what
    #   stands behind the value is not looked at. If a field or a key comes twice in the bytes, the first one counts.
    #
    #   A value that is not there is nil, or the default of its field: also if something on the way to it is nil, or an
    #   index or a key does not exist.
    #
    #   @param bytes [String] exactly one encoded object
    #   @param path [Array<Object>] what leads to the value, from the outside in: the name of a field as Symbol or String,
    #     the index of a list's element, which counts from the end if it is negative, or the key of a map. A key may be all
    #     that {#encode} takes for it, such as the name of an enum's value
    #   @return [Object, nil]
    #   @raise [ArgumentError] if the schema does not have the path, or the path is empty
    #   @raise [DecodeError] if the bytes in front of the value or those of the value are wrong, as {#decode}
    #   @raise [TypeError] if `bytes` is not a String
    #   @example
    #     codec.dig(bytes, :neighborhoods, -1, :name) # => "Mitte"

    # @!method patch(bytes, changes)
    #   Changes some values of a payload, and copies everything else as it is: also fields that the class does not know. It
    #   decodes nothing. What stands behind the last change is not looked at.
    #
    #   A field that is not there is added. nil removes a field. Elements of lists and values of maps can be changed, but not
    #   added or removed. To do that, change the whole list or map.
    #
    #   @param bytes [String] exactly one encoded object. It does not change
    #   @param changes [Hash{Array => Object}] the new values by their paths, as {#dig} takes them
    #   @return [String] the new bytes, unfrozen and encoded as {#encode} does
    #   @raise [ArgumentError] if the schema does not have a path, a path is empty, or two paths overlap
    #   @raise [EncodeError] if a value cannot be encoded, is nil but required, or if the part that should change is not
    #     there: a struct on the way, an element or a key, or the field of a union that holds another one
    #   @raise [DecodeError] if the bytes in front of the last change are wrong, as {#decode}
    #   @raise [TypeError] if `bytes` is not a String, or `changes` not a Hash
    #   @example
    #     codec.patch(bytes, [:neighborhoods, 0, :name] => "Mitte", [:offset_lat] => nil)

    # @!method wire
    #   @return [Symbol] the wire, such as `:compact`

    # @!method struct_class
    #   @return [Class, Mapping] the class that the codec encodes and decodes, or the mapping

    # Encodes an object and writes it to an io. Ruby's own ios receive the bytes unchanged, whatever their mode and encoding.
    # If the object cannot be encoded, nothing is written. The `write` of any other io must take all bytes, like `IO#write`,
    # or raise. What it returns is not used.
    #
    # @param io [#write] the io. For a file, pass `path.open("wb")`, or `path.open("ab")` to append; a Pathname is refused
    # @param object [Value] an object of the codec's class or of a subclass
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @return [Integer] how many bytes were written, with the frame if there is one
    # @raise [EncodeError] as {#encode}
    # @raise [EncodeError::LimitExceeded] with `frame: :framed`, for more than 2,147,483,647 bytes
    # @raise [TypeError] if `io` is not an io
    # @example
    #   File.open("listings", "wb") { |file| codec.encode_to(file, listing) }
    def encode_to(io, object, frame: options[:frame], **unknown)
      Options.check(unknown, %i[frame]) unless unknown.empty?
      frame = Frame.find(frame, wire)
      Output.check(io)
      bytes = encode(object)
      Output.write(io, frame ? frame.wrap(bytes, self) : bytes)
    end

    # Encodes an object, or returns nil for nil. Libraries that take a coder call `dump` and {#load}: `serialize` of Active
    # Record, the messages of Active Support, and Paquito. A cache needs more: see docs/rails.md.
    #
    # @param object [Value, nil]
    # @return [String, nil] the bytes, or nil for nil
    # @raise [EncodeError] as {#encode}
    # @example
    #   serialize :listing, coder: LISTINGS # in an Active Record model
    def dump(object) = object.nil? ? nil : encode(object)

    # Decodes an object, or returns nil for nil.
    #
    # @param bytes [String, nil]
    # @return [Value, nil] the object, or nil for nil
    # @raise [DecodeError] as {#decode}
    # @example
    #   codec.load(codec.dump(listing)) == listing # => true
    def load(bytes) = bytes.nil? ? nil : decode(bytes)

    # Returns where the object ends that begins at an offset, and checks it as {#decode_prefix} does, without making it.
    #
    # @param bytes [String]
    # @param offset [Integer] where the object begins, in bytes
    # @return [Integer] the offset of the first byte behind it
    # @raise [DecodeError, ArgumentError, TypeError] as {#decode_prefix}
    # @example
    #   offset = codec.skip(bytes, offset)
    def skip(bytes, offset = 0)
      Native.scan_end(self, bytes, offset) || Native.decode_prefix(self, bytes, offset, 0, false).last
    end

    # Counts the objects of a source, without making them. Each is checked as {#decode_each} does.
    #
    # @param source [String, IO, Pathname] as {#decode_each} takes it
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @param threads [Integer] how many native threads check the objects, from 1 to 64. More than one need a frame, because
    #   otherwise finding where an object ends is all of the work. See docs/concurrency.md
    # @return [Integer]
    # @raise [DecodeError, EOFError, TypeError] as {#decode_each}
    # @raise [ArgumentError] for a wrong number of threads, or several without a frame
    # @example
    #   codec.count(Pathname("listings"))
    def count(source, frame: options[:frame], threads: 1, **unknown)
      Options.check(unknown, %i[frame threads]) unless unknown.empty?
      Ahead.check(threads)
      Ahead.check_frame(threads, frame)
      reader = frame ? Ranges.ahead(self, threads, frame) : Ranges::Count
      count = 0
      pass(source, frame, unknown, reader) { |some| count += some }
      count
    end

    # Yields where each object of a source begins and ends, without making it. Each is checked as {#decode_each} does.
    #
    # @param source [String, IO, Pathname] as {#decode_each} takes it
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @yieldparam range [Range<Integer>] the bytes of each payload, counted from the first one that was read and without its
    #   frame
    # @return [self, Enumerator] an Enumerator if there is no block
    # @raise [DecodeError, EOFError, TypeError] as {#decode_each}
    # @example
    #   codec.each_range(bytes) { |range| puts range.size }
    def each_range(source, frame: options[:frame], **unknown, &block)
      found = source_frame(source, frame, unknown)
      return enum_for(:each_range, source, frame:, **unknown) unless block

      each_payload(source, found, Ranges::Each, &block)
      self
    end

    # Collects the values of paths in the objects of a source, in one pass and without making the objects. The result is what
    # {#decode_each} and a `map` for each path would make.
    #
    # A path names fields and elements from the outside in: `listings[].title` has the title of every listing,
    # `listings[0].title` and `listings[-1].title` that of the first and the last one, and `labels["en"]` the value of a key.
    # It may end at anything, also at a struct, a list or a map. An Array of steps as {#dig} takes them does the same, with
    # `:[]` for every element.
    #
    # A row is an object of the source. If all paths begin with the same list, as in `listings[].title` and `listings[].id`,
    # a row is an element of that list. Each further `[]` makes an Array in each row. All columns have the same number of
    # rows. What is not there is nil, or the default of its field. docs/lazy.md says more.
    #
    # @param source [String, IO, Pathname] as {#decode_each} takes it
    # @param paths [Array<String, Array<Object>>]
    # @param as [Symbol] `:arrays`, or `:packed` for numbers in the layout of Apache Arrow: see {Column}
    # @param share [Boolean] whether Strings at the ends of paths that are equal are one frozen object; not with
    #   `as: :packed`, which has no Strings
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @param threads [Integer] how many native threads read the objects, from 1 to 64. More than one need a frame and
    #   `as: :packed`. See docs/concurrency.md
    # @return [Hash{String, Array<Object> => Array, Column}] the rows by the paths as they were given
    # @raise [ArgumentError] if the schema does not have a path, there is none, or one is no number for `as: :packed`; for a
    #   wrong number of threads, or for `share: true` with `as: :packed`
    # @raise [DecodeError::LimitExceeded] also if what an object adds to the columns takes more memory than the object may
    # @raise [DecodeError, EOFError, TypeError] as {#decode_each}
    # @example
    #   codec.columns(bytes, "listing_id", "neighborhoods[].name")
    #   # => { "listing_id" => [1], "neighborhoods[].name" => [["Mitte"]] }
    def columns(source, *paths, as: :arrays, share: false, frame: options[:frame], threads: 1, **unknown)
      Options.check(unknown, %i[as share frame threads]) unless unknown.empty?
      Ahead.check(threads)
      columns = Columns.new(self, paths, as, share)
      pass(source, frame, unknown, columns.ahead(self, threads, frame)) { |part| columns.add(part) if part }
      columns.to_h
    end

    # Decodes the object that begins at an offset, and tells where it ends. Other bytes may follow it.
    #
    # @param bytes [String]
    # @param offset [Integer] where the object begins, in bytes
    # @return [Array(Value, Integer)] the object, and the offset of the first byte after it
    # @raise [DecodeError] if there is no object at the offset
    # @raise [ArgumentError] if the offset is negative or beyond the end
    # @raise [TypeError] if `bytes` is not a String
    # @example
    #   object, offset = codec.decode_prefix(bytes, offset)
    def decode_prefix(bytes, offset = 0) = Native.decode_prefix(self, bytes, offset, 0, false)

    # Reads one object from an io, and not one byte behind it. What follows may belong to somebody else, such as another
    # process that has the same socket. Finding the end takes a few small reads for each string, and more for JSON, so use
    # the option `frame:` where you can: then a read for the length and one for the payload are enough.
    #
    # The call waits until the object has come. If the io raises, or an interrupt such as that of Timeout, the io takes back
    # with `ungetbyte` what was read. It is where it was, and the call can be repeated. An io without `ungetbyte` has lost
    # those bytes, so close it. The same goes for an IO whose buffer is too small for them, which raises IOError; Ruby's
    # buffers hold 8 KiB or more. An io of another class than IO, StringIO or Tempfile may lose bytes if it is interrupted.
    #
    # Blank lines before an object with `frame: :lines` are not given back.
    #
    # After a {DecodeError} the io is somewhere in the object. With the option `frame:` it is at the end of the frame, unless
    # the length is wrong or the io has ended, so the next object can be read.
    #
    # @param io [#readpartial, #read]
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @return [Value, nil] an object of the codec's class, or nil if the io is at its end
    # @raise [DecodeError::Truncated] if the io ends in the middle of the object
    # @raise [DecodeError::LimitExceeded] if the object has more than {Limits#message} bytes. With `frame: :lines`
    #   the same limit holds for the blank lines before it
    # @raise [DecodeError] if the bytes are anything else. Its offsets count from where the call began to read
    # @raise [EOFError] as {#decode_each}
    # @raise [IOError] if the io returns more bytes than it was asked for, or cannot take back as many as were read
    # @raise [TypeError] if `io` is not an io, or if it returns anything but Strings. A Pathname is refused
    # @example
    #   while (listing = codec.decode_from(io))
    #     puts listing.listing_id
    #   end
    def decode_from(io, frame: options[:frame], **unknown)
      Options.check(unknown, %i[frame]) unless unknown.empty?
      frame = Frame.find(frame, wire)
      Input.check_io(io)
      return ExactBuffer.open(io) { |buffer| next_payload(buffer) }.then { |bytes| bytes && decode(bytes) } unless frame

      reading = ExactBuffer.open(io) { |buffer| [buffer, frame.payload(buffer, self, Native.codec_payload_limit(self))] }
      decode_framed(frame, *reading, 0, Native)
    end

    # Decodes one object after another, without loading the whole input. An io is read ahead and to its end. One object in
    # it may have at most {Limits#message} bytes. In `:json` the input may also be one array whose elements are the objects.
    #
    # With a frame, an object that cannot be decoded can be skipped: pass `on_error:`. It is called with the error of each
    # such object, and reading goes on behind the object's frame. A frame that is cut off, or whose length is wrong, raises
    # in any case, because nobody knows what follows it.
    #
    # @param source [String, IO, Pathname] the bytes, or an io with `readpartial` or `read`, or the path of a file, which
    #   stays open while its objects are yielded
    # @param frame [Symbol, nil] another frame than the codec's, as {#initialize} takes it
    # @param on_error [#call, nil] what is called with the {DecodeError} of each object that is skipped; it needs a frame
    # @param processes [Integer, nil] how many processes share the work, from 1 to 64. They are forked, so the block cannot
    #   change the objects of this one, but what it returns comes back. The source is a String or a Pathname. See
    #   docs/concurrency.md
    # @yieldparam object [Value] each object
    # @return [self, Enumerator, Array<Object>] an Enumerator if there is no block; with `processes:`, what the block
    #   returned for each object, in order
    # @raise [DecodeError] at the first fault. Its offsets count from the first byte that was read: {Error#offset} is the
    #   place of the fault, and {Error#message_offset} the start of the object that has it, or of its frame
    # @raise [EOFError] if the io returns `""` 100 times in a row; at its end it must return nil or raise EOFError
    # @raise [TypeError] if `source` is something else, or if the io returns anything but Strings
    # @raise [ArgumentError] for `on_error:` without a frame, or if it has no method `call`; for `processes:` without a
    #   block, with `on_error:`, for an io, or for a wrong number
    # @raise [TypeError] with `processes:`, if the block returns what Marshal cannot dump
    # @example
    #   codec.decode_each(Pathname("listings")) { |listing| puts listing.listing_id }
    #   codec.decode_each(Pathname("listings"), processes: 2) { |listing| listing.listing_id } # => [1]
    #   codec.decode_each("\x01\x16".b, frame: :varint, on_error: ->(error) { puts error.path }).to_a # => []
    def decode_each(source, frame: options[:frame], on_error: nil, processes: nil, **unknown, &block)
      Options.check(unknown, %i[frame on_error processes]) unless unknown.empty?
      found = Frame.find(frame, wire)
      Frame.check_handler(on_error, found) unless on_error.nil?
      Input.check(source)
      return Processes.run(self, source, found, processes, on_error, &block) if processes
      return enum_for(:decode_each, source, frame:, on_error:, processes:, **unknown) unless block

      each_payload(source, found, Native, on_error, &block)
      self
    end

    # @return [String] the class, the wire and the options
    def inspect = "#<#{self.class} #{struct_class} #{[wire, *options.map { |k, v| "#{k}: #{v.inspect}" }].join(", ")}>"
    alias to_s inspect

    private

    def pass(source, frame, unknown, reader, &block)
      each_payload(source, source_frame(source, frame, unknown), reader, &block)
    end

    def source_frame(source, frame, unknown)
      Options.check(unknown, %i[frame]) unless unknown.empty?
      Frame.find(frame, wire).tap { Input.check(source) }
    end
  end
end
