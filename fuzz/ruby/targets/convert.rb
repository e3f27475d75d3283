# frozen_string_literal: true

require_relative "../target"
require "stringio"
require_relative "../../convert"
require_relative "../../../test/support/trickle"

module Fuzzing
  # What the converter writes is what a decode and an encode write.
  class Convert < Target
    def initialize(from)
      super()
      @from = from
      @fuzzer = ConvertFuzzer.new(0)
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      from = codec(struct_class, @from, **options(choices), mismatch: choices.pick(%i[raise skip])) or return :unfit
      to = codec(struct_class, choices.pick(FORMS.keys), **options(choices)) or return :unfit
      converter = Sparpack::Converter.new(struct_class, from:, to:)
      each_payload(choices, struct_class, @from) { |bytes| @fuzzer.check(converter, bytes) }
    end

    private

    def options(choices)
      { unknown: choices.pick(UNKNOWN), validate: choices.pick(VALIDATE), limits: limits(choices) }
    end

    def limits(choices)
      return Sparpack::Limits.new if choices.chance(0.6)

      name = choices.pick([:memory, *ConvertFuzzer::LIMITS.keys])
      Sparpack::Limits.new(name => choices.rand(ConvertFuzzer::LIMITS.fetch(name)))
    end
  end

  # MessagePack and JSON without a schema: any bytes are converted, or refused.
  class ConvertFiles < Target
    def run(choices)
      from, to = choices.pick([%i[json message_pack], %i[message_pack json]])
      form = { json: :json, message_pack: choices.pick(%i[message_pack message_pack_names message_pack_ids]) }.fetch(from)
      bytes = Array.new(choices.rand(3)) { payload(choices, Schemas.pick(choices), form) }.join.b
      target = Sparpack::Convert::StreamTarget.new(StringIO.new("".b))
      Sparpack::Convert.run(source(choices, bytes), target, to:)
      :converted
    rescue Sparpack::Error
      :refused
    end

    private

    def source(choices, bytes)
      io = choices.chance(0.5) ? StringIO.new(bytes) : Trickle.new(bytes, 1 + choices.rand(50))
      Sparpack::Convert::Source.new(io, "fuzz")
    end
  end
end
