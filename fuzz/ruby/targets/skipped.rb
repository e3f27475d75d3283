# frozen_string_literal: true

require_relative "../target"

module Fuzzing
  # A field that is skipped because it ends badly takes no more of the memory limit than one that is read: what is left of it
  # when it fails is released.
  class Skipped < Target
    # Wires that know a field by its name or id, so that it can come again, and the type of each value, so that what is put
    # into a list is not read as something else.
    AGAIN = %i[json thrift_json message_pack_names message_pack_ids].freeze

    TIMES = 60
    MOST = 1 << 18 # bytes

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(AGAIN)
      payload = Payload.new(choices, struct_class, changes: 0)
      at = choices.rand([payload.fields, 1].max)
      grown = payload.grow(at) or return :unfit
      good = payload.only(at, 1).on(form)
      payload.spoil(grown)
      bad = payload.only(at, TIMES).on(form)
      compare(struct_class, form, good, bad)
    end

    private

    def compare(struct_class, form, good, bad)
      most = (1..MOST).bsearch { |memory| fits?(struct_class, form, good, memory) } or return :large
      @payloads += 2
      return :fits if fits?(struct_class, form, bad, TIMES * most)

      find("what is skipped takes more than what is read", form, good, bad, most)
    rescue Sparpack::DecodeError
      :refused
    end

    def fits?(struct_class, form, bytes, memory)
      codec(struct_class, form, mismatch: :skip, validate: :none, limits: Sparpack::Limits.new(memory:)).decode(bytes)
      true
    rescue Sparpack::DecodeError::LimitExceeded => e
      raise unless e.message.include?("objects that take more") # another limit

      false
    end
  end
end
