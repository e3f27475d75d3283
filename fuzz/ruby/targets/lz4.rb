# frozen_string_literal: true

require "sparpack/lz4"
require_relative "../target"

module Fuzzing
  # What was compressed comes back, whatever reads it, and anything else is refused.
  class Compressed < Target
    def run(choices)
      struct_class = Schemas.pick(choices)
      codec = codec(struct_class, :message_pack_names, compression: choices.pick(%i[lz4 lz4_block])) or return :unfit
      bytes = payload(choices, struct_class, :message_pack_names)
      deflated = Sparpack::LZ4.deflate(bytes)
      find("it does not come back", bytes) unless Sparpack::LZ4.inflate(deflated) == bytes
      damaged = Payload.damaged(choices, deflated)
      outcome { Sparpack::LZ4.inflate(damaged, limit: choices.pick([nil, 100, 1 << 20])) }
      read = outcome { codec.decode(damaged) }
      read.is_a?(Array) ? :refused : :read
    end
  end
end
