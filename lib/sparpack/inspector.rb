# frozen_string_literal: true

module Sparpack
  # Shows what a payload contains, byte by byte, for people who look for a mistake. It needs no schema, but with one it knows
  # the names and types of fields. A payload that is broken is shown up to the fault. `sparpack inspect` is the same for a
  # terminal, and docs/inspect.md describes it.
  #
  # An inspector is frozen. It may be shared between Ractors if its bytes may.
  #
  # @example
  #   inspector = Sparpack::Inspector.new(bytes, Listing, from: :compact)
  #   puts inspector.tree
  #   inspector.fault # such as "byte 41, neighborhoods[0].name: expected more bytes, found the end of the input"
  class Inspector
    autoload :Lines, "sparpack/inspector/lines"
    autoload :Page, "sparpack/inspector/page"
    autoload :Record, "sparpack/inspector/record"
    autoload :WireSearch, "sparpack/inspector/wire_search"

    # The wires that can be inspected.
    WIRES = %i[compact binary message_pack json thrift_json].freeze

    # What {#write} writes.
    FORMATS = %i[tree text json html].freeze

    # The options of {#write}.
    OPTIONS = %i[limit path range color strings title].freeze
    private_constant :OPTIONS

    # What is wrong with a payload, and where. If the payload ends too early, `open` has what is not closed, from the inside
    # out, such as `"items (1 of 3 elements)"`.
    Fault = ::Struct.new(:offset, :path, :expected, :found, :open) do
      # @return [String]
      def message
        "byte #{offset}#{", #{path}" unless path.empty?}: expected #{expected}, found #{found}"
      end
      alias_method :to_s, :message
    end

    # @return [String] the payload, frozen
    attr_reader :bytes

    # @return [Class, Mapping, nil] the class whose fields the payload has
    attr_reader :struct_class

    # @return [Symbol] the wire as which the payload is read
    attr_reader :wire

    # @return [String, nil] why it is this wire, if nobody said so
    attr_reader :reason

    # @param bytes [String] the payload
    # @param struct_class [Class, Mapping, nil] the class of the object that the payload holds
    # @param from [Symbol, nil] `:compact`, `:binary`, `:message_pack`, `:json` or `:thrift_json`. If it is nil, the wire is
    #   guessed, as by {Sparpack.guess}
    # @raise [ArgumentError] if the wire is unknown, or cannot be guessed because the bytes are something else
    # @raise [TypeError] if `bytes` is not a String, or `struct_class` neither a subclass of {Struct}, {Union} or {Exception}
    #   nor a {Mapping}
    # @raise [SchemaError] if a type of the class cannot be resolved
    def initialize(bytes, struct_class = nil, from: nil, **others)
      Options.refuse(others, Inspector.instance_method(:initialize)) unless others.empty?
      raise TypeError, "expected a String of bytes, got #{Quote.plain(bytes.class)}" unless bytes.is_a?(String)
      unless schema?(struct_class)
        raise TypeError, "expected a subclass of Sparpack::Struct, Union or Exception or a Sparpack::Mapping, " \
                         "got #{Quote.value(struct_class)}"
      end
      unless from.nil? || WIRES.include?(from)
        raise ArgumentError, "unknown wire #{Quote.value(from)}#{Names.hint(from, WIRES)}"
      end

      @bytes = Native.unlocked(bytes).b.freeze
      @struct_class = struct_class
      @wire, @reason = from || WireSearch.new(@bytes, struct_class).run
      freeze
    end

    # The payload as an aligned tree: the offset and the bytes of each value, its name, its type and what it is.
    #
    # @param limit [Integer, nil] the most lines; nil for all
    # @param path [String, nil] shows only what is at this path, such as `neighborhoods[3].name`. Ids may stand for names,
    #   and `*` for anything
    # @param range [Range<Integer>, nil] shows only what lies in this range of bytes
    # @param color [Boolean] whether to use colours of a terminal
    # @param strings [Integer] how many bytes of a string are shown
    # @return [String] in UTF-8. Nothing in it can control a terminal but the colours
    # @raise [ArgumentError] if the path is wrong
    def tree(limit: nil, path: nil, range: nil, color: false, strings: 64, **others)
      write(+"", :tree, limit:, path:, range:, color:, strings:, **others)
    end

    # The payload as text that {Sparpack.assemble} turns into the same bytes.
    #
    # @return [String] in UTF-8
    def text = write(+"", :text)

    # The payload as JSON lines. docs/inspect.md has the members.
    #
    # @param limit [Integer, nil] the most lines; nil for all
    # @param path [String, nil] as for {#tree}
    # @param range [Range<Integer>, nil] as for {#tree}
    # @return [String] in UTF-8
    # @raise [ArgumentError] if the path is wrong
    def json(limit: nil, path: nil, range: nil, **others) = write(+"", :json, limit:, path:, range:, **others)

    # The payload as a page with the bytes beside the tree. It needs no other file.
    #
    # @param limit [Integer, nil] the most lines. A page never has more than 200,000, nor the bytes of more than 6 MiB
    # @param path [String, nil] as for {#tree}
    # @param range [Range<Integer>, nil] as for {#tree}
    # @param title [String, nil] such as the name of the file
    # @return [String] in UTF-8
    # @raise [ArgumentError] if the path is wrong
    def html(limit: nil, path: nil, range: nil, title: nil, **others)
      write(+"", :html, limit:, path:, range:, title:, **others)
    end

    # Writes the payload piece by piece, so it may be of any size.
    #
    # @param target [#<<] an io or a String
    # @param format [Symbol] `:tree`, `:text`, `:json` or `:html`
    # @param options [Hash] those of the method with that name
    # @return [Object] the target
    # @raise [ArgumentError] if the format or an option is unknown, or the path is wrong
    def write(target, format = :tree, **options)
      view(format, **options).write(target)
      target
    end

    # What writes the payload in a format, and then knows its fault and how many lines are hidden.
    #
    # @api private
    # @return [Lines, Page]
    # @raise [ArgumentError] if the format or an option is unknown, or the path is wrong
    def view(format, **options)
      unless FORMATS.include?(format)
        raise ArgumentError, "unknown format #{Quote.value(format)}#{Names.hint(format, FORMATS)}"
      end

      Options.check(options, OPTIONS)
      format == :html ? Page.new(self, **options) : Lines.new(self, format, **options)
    end

    # The payload inside one of MessagePack that is compressed with LZ4. It is decompressed each time.
    #
    # @return [Inspector, nil] nil if nothing is compressed, or if it is damaged or has more than 64 MiB
    # @example
    #   bytes = Sparpack::MessagePack.pack([1] * 100, compression: :lz4)
    #   Sparpack::Inspector.new(bytes, from: :message_pack).inflated.bytes.bytesize # => 103
    def inflated
      return unless wire == :message_pack && Native.lz4_sign(bytes) && Compression.find

      Inside.new(LZ4.inflate(bytes), struct_class, from: :message_pack)
    rescue DecodeError
      nil # or an extension type of somebody else
    end

    # What was compressed. Readers decompress only once, so nothing in it is decompressed again.
    #
    # @api private
    class Inside < Inspector
      # @return [nil]
      def inflated = nil
    end
    private_constant :Inside

    # Tells what is wrong with the payload. If the class is known, this includes what a decode finds. Of a compressed payload
    # it is what is wrong inside, with the offset there.
    #
    # @return [Fault, nil]
    def fault = Lines.new(self, :json, limit: 0).fault

    # Where the payload is in the bytes, and whether other bytes may follow it.
    #
    # @api private
    # @return [Array(Integer, Integer, Boolean)]
    def extent = [0, bytes.bytesize, false]

    # @return [String] without the payload
    def inspect = "#<#{self.class} #{bytes.bytesize} bytes, #{wire}#{", #{Quote.plain(struct_class)}" if struct_class}>"

    private

    def schema?(given) = given.nil? || given.is_a?(Mapping) || (given.is_a?(Class) && !Declared.shape(given).nil?)
  end
end
