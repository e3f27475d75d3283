# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/trickle"

module Fuzzing
  # Several payloads, one after the other or in frames, as a String and from an io that gives a few bytes at a time: the same
  # objects come out, and the same error in the end.
  class Streams < Target
    FRAMES = [nil, :varint, :framed].freeze

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(FORMS.keys)
      options = { mismatch: choices.pick(%i[raise skip]), unknown: choices.pick(UNKNOWN),
                  utf8: choices.pick(%i[check keep]) }
      codec = codec(struct_class, form, **options) or return :unfit
      frame = choices.pick(FRAMES)
      bytes = Array.new(choices.rand(5)) { framed(payload(choices, struct_class, form), frame) }.join
      whole = read(codec, bytes, frame)
      size = choices.pick([1, 2, 7, 64, 1000])
      pieces = read(codec, Trickle.new(bytes, size), frame)
      find("in pieces of #{size}, it differs", codec, frame, bytes, whole, pieces) unless whole == pieces
      whole.last.is_a?(Array) ? :refused : :read
    end

    private

    # @return [Array] the objects as bytes, and the class of an error
    def read(codec, source, frame)
      read = []
      codec.decode_each(source, frame:) { |object| read << text(object) }
      read
    rescue Sparpack::DecodeError => e
      read << [e.class]
    end

    def text(object)
      object.encode(:compact, validate: :none)
    rescue Sparpack::EncodeError => e
      e.message
    end
  end
end
