# frozen_string_literal: true

module Sparpack
  # What some bytes look like, and what to call to read them. {Sparpack.guess} makes these objects, and the message of a
  # {DecodeError} ends with one if the bytes are rather something else than what should be decoded.
  #
  # A guess never shows what the bytes contain. It is frozen, and may be shared between Ractors.
  #
  # @example
  #   guess = Sparpack.guess(listing.encode(:binary), Listing)
  #   guess.format # => :binary
  #   guess.reason # => "these bytes read as binary"
  #   guess.advice # => "decode(bytes, :binary)"
  class Guess
    # What a format is called, as the last or the only layer of the bytes.
    WHAT = {
      compact: "compact", binary: "binary", message_pack: "MessagePack", json: "JSON", thrift_json: "Thrift's JSON",
      message_pack_lz4: "MessagePack that is compressed with LZ4",
      gzip: "gzip data", zlib: "zlib data", zstd: "Zstandard data", lz4: "LZ4 data", snappy: "Snappy data", xz: "xz data",
      bzip2: "bzip2 data", zip: "a zip archive", marshal: "a dump of Marshal", utf8: "text with a byte order mark",
      utf16: "text in UTF-16", utf32: "text in UTF-32", html: "an HTML page", xml: "XML", http: "an HTTP message",
      yaml: "YAML", envelope: "a message of Thrift's RPC"
    }.freeze

    # The same as a layer around others.
    AROUND = {
      base64: "base64", hex: "hexadecimal digits", framed: "a frame with its size in 4 bytes",
      varint: "a frame with its size as a varint", envelope: "a message of Thrift's RPC",
      utf8: "UTF-8 with a byte order mark", utf16: "UTF-16", utf32: "UTF-32"
    }.freeze

    # Those of them that the option `frame:` reads.
    FRAMES = %i[framed varint].freeze

    # Formats that the codec or MessagePack reads.
    READ = %i[compact binary message_pack message_pack_lz4 json thrift_json].freeze

    # Readers find out by themselves whether MessagePack is compressed.
    FORMATS = { message_pack_lz4: :message_pack }.freeze

    # Formats that Ruby's own libraries read.
    UNPACK = { gzip: "Zlib.gunzip(%s)", zlib: "Zlib.inflate(%s)" }.freeze

    # The forms of UTF-16, by the number that the native core gives them: 0 for big-endian, 1 for little-endian, 2 for a
    # byte order mark.
    WIDE = %w[UTF-16BE UTF-16LE UTF-16].freeze

    # What to do with the others.
    OTHER = {
      zstd: "decompress them first", lz4: "decompress them first", snappy: "decompress them first",
      xz: "decompress them first", bzip2: "decompress them first", zip: "take the file out of it first",
      html: "look at the status of the response", http: "decode only the body"
    }.freeze

    # What follows several payloads or frames of which nobody has looked at all.
    RESTS = { cut: ", and the beginning of another", strange: ", and then other bytes" }.freeze

    # Guesses that are not shown for a failed `unpack`, because damaged MessagePack may look like these.
    NEAR = [nil, :empty, :message_pack, :framed, :varint].freeze
    private_constant :FRAMES, :RESTS, :NEAR, :WHAT, :AROUND, :READ, :FORMATS, :UNPACK, :WIDE, :OTHER

    # @return [Symbol, nil] the outermost format, such as `:binary`, `:gzip`, `:base64` or `:framed`; nil if the bytes look
    #   like nothing that is known
    attr_reader :format

    # @return [String] what the bytes look like
    attr_reader :reason

    # @return [String, nil] what to call, or to do; nil if there is nothing to recommend
    attr_reader :advice

    # @return [Symbol, nil] the wire of the payloads, such as `:binary`; nil if they are of none, or if something else than
    #   frames is around them
    attr_reader :wire

    # @return [Symbol, nil] the frames around the payloads, as the option `frame:` names them; nil if there are none
    attr_reader :frame

    # @return [Integer, nil] how many payloads are there, one after the other, as far as was looked; nil if there is no wire
    attr_reader :count

    # Makes a guess of what the native core has found.
    #
    # @api private
    # @param layers [Array<Array>] the sign, whether it fits the class, where the inner bytes begin, their size, how many
    #   payloads or frames there are, and what follows them
    # @param wire [Symbol, nil] the wire that was expected
    # @return [Guess]
    def self.of(layers, wire)
      return new(nil, "these bytes look like no format that Sparpack knows", nil) if layers.empty?

      new(FORMATS.fetch(layers.first.first, layers.first.first), Guess.reason_of(layers), Guess.advice_of(layers, wire),
          **Guess.stream_of(layers))
    end

    # Makes a guess of the first bytes of a file.
    #
    # @api private
    # @param bytes [String]
    # @param struct_class [Class, Mapping, nil]
    # @param whole [Boolean] whether these are all
    # @return [Guess]
    def self.beginning(bytes, struct_class = nil, whole:) = of(Native.guess(bytes, struct_class, whole, true), nil)

    # Says what bytes are that could not be unpacked as MessagePack.
    #
    # @api private
    # @param bytes [String]
    # @return [String] a hint to append to the message, or an empty String
    def self.not_message_pack(bytes)
      guess = of(Native.guess(bytes, nil, true, false), nil)
      NEAR.include?(guess.format) ? "" : " (#{guess})"
    end

    # @api private
    # @param format [Symbol, nil]
    # @param reason [String]
    # @param advice [String, nil]
    def initialize(format, reason, advice, wire: nil, frame: nil, count: nil)
      @format = format
      @reason = reason.freeze
      @advice = advice.freeze
      @wire = wire
      @frame = frame
      @count = count
      freeze
    end

    # @return [String] the reason and the advice
    def to_s = advice ? "#{reason}: #{advice}" : reason

    # @return [String] the same for people who debug
    def inspect = "#<#{self.class} #{format.inspect}: #{self}>"

    # @param other [Object]
    # @return [Boolean] whether the other one is a guess that says the same
    def ==(other) = other.instance_of?(self.class) && [format, to_s] == [other.format, other.to_s]
    alias eql? ==

    # @return [Integer] equal guesses have the same
    def hash = [format, to_s].hash

    class << self
      # @api private
      def reason_of(layers)
        last, = layers.last
        return "the String is empty" if last == :empty
        return "these bytes look like the beginning of #{within(layers)}" if beginning?(layers)

        verb = READ.include?(last) ? "read as" : "are"
        "these bytes #{verb} #{within(layers)}#{several(layers)}"
      end

      # @api private
      # @return [Hash{Symbol => Object}] the wire, the frame and the number of payloads
      def stream_of(layers)
        *outer, (last, _, at, _, count) = layers
        wire = FORMATS.fetch(last, last)
        frame = outer.first&.first
        return {} unless WIRES.include?(wire) && (outer.empty? || (outer.size == 1 && FRAMES.include?(frame)))

        count = 2 if wire == :json && count == 1 && at.positive?
        { wire:, frame:, count: frame ? outer.first[4] : count }
      end

      # @api private
      def advice_of(layers, wire)
        return if beginning?(layers)

        *outer, (last, fits, at) = layers
        last = FORMATS.fetch(last, last)
        return "decode_each(bytes, :#{last}, frame: :#{outer[0][0]})" if frames?(outer) && WIRES.include?(last)

        bytes = outer.reduce("bytes") { |inner, layer| unwrapped(inner, layer) }
        return each(last, fits, bytes) if layers.last[4] > 1 && (fits || last != :json)

        case last
        when :compact, :binary then "decode(#{bytes}, :#{last})"
        when :message_pack then read(fits && last, bytes) || "Sparpack::MessagePack.unpack(#{bytes})"
        when :json then json(bytes, fits, at)
        when :thrift_json then read(last, bytes)
        when :gzip, :zlib then unpacked(Kernel.format(UNPACK.fetch(last), bytes), wire)
        when :marshal then "Marshal.load(#{bytes}), if you trust their source"
        when :yaml then "from_h(YAML.safe_load(#{bytes}))"
        when :envelope then "the struct of its arguments is #{unwrapped(bytes, layers.last)}"
        else OTHER[last]
        end
      end

      private

      # One payload that is cut off.
      def beginning?(layers) = layers.last[4] == 1 && layers.last[5] == :cut

      # The last format, and what is around it.
      def within(layers)
        *outer, (last,) = layers
        [WHAT.fetch(last), *outer.reverse.map { |sign,| AROUND.fetch(sign) }].join(" in ")
      end

      # Several frames, and nothing else around the payloads.
      def frames?(outer)
        sign, _, _, size = outer.first
        outer.size == 1 && FRAMES.include?(sign) && !size.nil?
      end

      # How many payloads or frames there are, if there are several.
      def several(layers)
        sign, _, _, _, count, rest = layers.find { |layer| layer[4] > 1 } || return
        noun = FRAMES.include?(sign) ? "frames" : "payloads"
        ", #{"at least " if rest == :unread}#{count} #{noun} one after the other#{RESTS[rest]}"
      end

      # How several payloads are read.
      def each(wire, fits, bytes)
        return "decode_each(#{bytes}, :#{wire})" if fits || wire != :message_pack

        "Sparpack::MessagePack::Unpacker.new.feed_each(#{bytes})"
      end

      # How a layer is taken off.
      def unwrapped(bytes, layer)
        sign, _, at, size = layer
        case sign
        when :base64 then at.zero? ? "#{bytes}.unpack1(\"m\")" : "#{bytes}.tr(\"-_\", \"+/\").unpack1(\"m\")"
        when :hex then at.zero? ? "[#{bytes}].pack(\"H*\")" : "[#{bytes}.split.join].pack(\"H*\")"
        when :utf16 then "#{bytes}.encode(\"UTF-8\", #{WIDE.fetch(at).inspect})"
        when :utf32 then "#{bytes}.encode(\"UTF-8\", \"UTF-32\")"
        else size ? "#{bytes}.byteslice(#{at}, #{size})" : "#{bytes}.byteslice(#{at}..)"
        end
      end

      def read(wire, bytes) = WIRES.include?(wire) ? "decode(#{bytes}, :#{wire})" : nil

      # One object, an array, or several values on lines of their own.
      def json(bytes, object, lines)
        return object ? "decode_each(#{bytes}, :json)" : "decode each line of #{bytes} alone" if lines.positive?
        return "decode_each(#{bytes}, :json)" unless object

        read(:json, bytes) || "from_h(JSON.parse(#{bytes}))"
      end

      def unpacked(call, wire) = wire ? "decode(#{call}, :#{wire})" : call
    end
  end
end
