# frozen_string_literal: true

require "sparpack/message_pack"
require "msgpack"
require_relative "../target"

module Fuzzing
  # MessagePack without a schema: at once and in pieces, the same values come out. The msgpack gem reads the same.
  class UnpackAny < Target
    MP = Sparpack::MessagePack
    OPTIONS = [{}, { symbolize_keys: true }, { freeze: true }, { strict_utf8: true }, { untrusted: true },
               { allow_unknown_ext: true }].freeze

    def run(choices)
      options = choices.pick(OPTIONS)
      made = Array.new(choices.rand(4)) { Payload.new(choices, Schemas.pick(choices)).on(form(choices)) }.join.b
      size = 1 + choices.rand(40)
      each_damaged(choices, made) { |bytes| read_alike(bytes, options, size) }
    end

    private

    def read_alike(bytes, options, size)
      whole = values([bytes], options)
      pieces = values(bytes.scan(/.{1,#{size}}/mn), options)
      find("in pieces of #{size}, it differs", options, bytes, whole, pieces) unless same_pieces?(whole, pieces)
      gem(bytes, options)
      passed(bytes)
      whole.last.is_a?(Class) ? :refused : :read
    end

    def form(choices) = choices.pick(%i[message_pack message_pack_names message_pack_ids])

    def values(pieces, options)
      values = []
      unpacker = MP::Unpacker.new(**options)
      pieces.each { |piece| unpacker.feed_each(piece) { |value| values << value } }
      values
    rescue MP::UnpackError, EOFError, EncodingError => e
      values << e.class
    end

    # In pieces, a fault within a value may be told later, and another one may be met first.
    def same_pieces?(whole, pieces)
      return same?(whole, pieces) unless whole.last.is_a?(Class)

      same?(whole[0...-1], pieces.last.is_a?(Class) ? pieces[0...-1] : pieces)
    end

    def same?(one, other) = seen(one) == seen(other)

    # What is compared: all NaNs are one, and texts differ if their encodings do. Marshal would also show which Strings are
    # one object, and with keys of Hashes, that depends on the garbage collector.
    def seen(value)
      case value
      when Hash then [:hash, value.map { |pair| seen(pair) }]
      when Array then value.map { |element| seen(element) }
      when String then [value.encoding, value.b]
      when Float then value.nan? ? :nan : [value].pack("G")
      else [value.class, value]
      end
    end

    # Values that are passed are those that are read. What is in Strings and extension types is not looked at, so a fault may
    # be met later.
    def passed(bytes)
      ranges, fault = ranges(bytes)
      counted = attempt { MP.count(bytes) }
      find("count differs", bytes, ranges, fault, counted) unless counted == (fault || ranges.size)
      last = ranges.last&.end || 0
      ends = ranges.map { |range| MP.skip(bytes, range.begin) }
      ends << attempt { MP.skip(bytes, last) } if fault
      right = ends == [*ranges.map(&:end), *fault] && (fault || last == bytes.bytesize)
      find("skip differs", bytes, ranges, fault, ends) unless right
      read_of(bytes, ranges, fault)
    end

    # @return [Array] the ranges, and the class of an error
    def ranges(bytes)
      ranges = []
      fault = attempt { MP.each_range(bytes) { |range| ranges << range } && nil }
      [ranges, fault]
    end

    def read_of(bytes, ranges, fault)
      values = values([bytes], allow_unknown_ext: true)
      refused = values.pop if values.last.is_a?(Class)
      alike = refused ? values.size <= ranges.size : values.size == ranges.size && [nil, EOFError].include?(fault)
      find("each_range differs", bytes, ranges, fault, values, refused) unless alike
      found = ranges.first(values.size).map { |range| MP.unpack(bytes.byteslice(range), allow_unknown_ext: true) }
      find("a range is another value", bytes, ranges, values, found) unless same?(values, found)
    end

    def attempt
      yield
    rescue MP::UnpackError, EOFError => e
      e.class
    end

    # What the gem reads, we read.
    def gem(bytes, options)
      return unless options.empty? || options.key?(:symbolize_keys)

      theirs = read(::MessagePack, bytes, options) or return
      find("the gem reads it", bytes, theirs) unless same?(theirs, read(MP, bytes, options))
    end

    # @return [Array, nil]
    def read(library, bytes, options)
      [library.unpack(bytes, **options)]
    rescue library::UnpackError, EOFError, EncodingError
      nil
    end
  end

  # Extension types whose payloads a codec reads where they are: they give the same as with Procs that call the codec, at
  # once and in pieces. What was read is written as the Procs write it.
  class Extensions < Target
    MP = Sparpack::MessagePack
    TYPES = 1..3

    # The same types with codecs and with Procs.
    Both = ::Struct.new(:codecs, :by_codec, :by_procs) do
      def self.of(codecs)
        made = new(codecs, MP::Factory.new, MP::Factory.new)
        codecs.each_with_index { |codec, index| made.register(index + 1, codec) }
        made
      end

      def register(type, codec)
        by_codec.register_type(type, codec.struct_class, codec:)
        by_procs.register_type(type, codec.struct_class, packer: ->(object) { codec.encode(object) },
                                                         unpacker: ->(bytes) { codec.decode(bytes) })
      end
    end

    def run(choices)
      both = both(choices)
      options = choices.pick([{}, { freeze: true }, { symbolize_keys: true }])
      each_damaged(choices, made(choices, both.codecs)) { |bytes| read_alike(both, bytes, options, 1 + choices.rand(40)) }
    end

    private

    # Each class is registered once.
    def both(choices)
      codecs = TYPES.filter_map { codec(Schemas.pick(choices), choices.pick(WIRES), **codec_options(choices)) }
      Both.of(codecs.uniq(&:struct_class))
    end

    def codec_options(choices)
      { validate: choices.pick(VALIDATE), freeze: choices.chance(0.2), lazy: choices.chance(0.2),
        utf8: choices.pick(%i[check keep]) }
    end

    # @return [String] an Array of extension types, more or less
    def made(choices, codecs)
      packer = MP::Packer.new
      count = 1 + choices.rand(3)
      packer.write_array_header(choices.chance(0.1) ? count + 1 : count)
      count.times { write(choices, packer, codecs) }
      packer.to_s
    end

    def write(choices, packer, codecs)
      type = choices.pick(TYPES.to_a)
      codec = codecs[type - 1] or return packer.write_map_header(1).write("k").write_nil
      form = FORMS.key(FORMS.values.find { |wire, more| wire == codec.wire && more == codec.options.slice(*more.keys) })
      packer.write_ext(type, Payload.new(choices, codec.struct_class).on(form).b)
    end

    def read_alike(both, bytes, options, size)
      mine, theirs = [both.by_codec, both.by_procs].map { |factory| outcome { [factory.load(bytes, options)] } }
      find("by Procs, it differs", options, bytes, mine, theirs) unless same?(mine, theirs)
      return :refused if mine.first.is_a?(Class)

      unpacker = both.by_codec.unpacker(options)
      pieces = bytes.scan(/.{1,#{size}}/mn).flat_map { |piece| unpacker.feed_each(piece).to_a }
      find("in pieces of #{size}, it differs", options, bytes, mine, pieces) unless same?(mine, pieces)
      written(both, mine)
    end

    def written(both, value)
      mine, theirs = [both.by_codec, both.by_procs].map { |factory| outcome { factory.dump(value) } }
      find("by Procs, it is written otherwise", value, mine, theirs) unless mine == theirs
      :read
    end

    def outcome
      super
    rescue MP::UnpackError, EOFError, EncodingError => e
      [e.class, e.message]
    end

    def same?(one, other) = Marshal.dump(one) == Marshal.dump(other)
  end
end
