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

    def same?(one, other) = Marshal.dump(one) == Marshal.dump(other)

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
end
