# frozen_string_literal: true

require_relative "../target"
require_relative "../../inspect"

module Fuzzing
  # The inspector shows any bytes, and the assembler makes the same bytes from its text.
  class Look < Target
    def initialize
      super
      @forms = FORMS.keys
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(@forms)
      bytes = payload(choices, struct_class, form)
      bytes = bytes.byteslice(0, 4000)
      inspector = Sparpack::Inspector.new(bytes, choices.chance(0.5) ? struct_class : nil, from: FORMS.fetch(form).first)
      fuzzer = InspectFuzzer.new(choices)
      fuzzer.check(inspector)
      inspected(codec(struct_class, form), bytes)
      fuzzer.counts.keys.first
    end

    private

    # Joiners and variation selectors belong to what people see.
    def inspected(codec, bytes)
      text = codec&.decode(bytes).inspect
      find("inspect shows what nobody sees", text) if text.delete("\u200C\u200D\uFE00-\uFE0F").match?(InspectFuzzer::HIDDEN)
    rescue Sparpack::DecodeError => e
      keeps_secrets(e, bytes)
    end
  end

  # A guess can be made of any bytes, with a schema and without one.
  class Guessing < Target
    def run(choices)
      struct_class = Schemas.pick(choices)
      bytes = layered(choices, payload(choices, struct_class, choices.pick(FORMS.keys)))
      guess = Sparpack.guess(bytes, choices.chance(0.5) ? struct_class : nil)
      find("no text", bytes) unless guess.nil? || guess.to_s.valid_encoding?
      guess ? guess.format || :none : :nil
    end

    private

    def layered(choices, bytes)
      case choices.rand(8)
      when 0 then [bytes].pack("m0")
      when 1 then bytes.unpack1("H*")
      when 2 then [bytes.bytesize].pack("L>") + bytes
      when 3 then CompactWriter.new.varint(bytes.bytesize) + bytes
      when 4 then "\xEF\xBB\xBF".b + bytes
      when 5 then bytes.unpack("C*").pack("S<*")
      else bytes
      end
    end
  end

  # A text becomes bytes, or is refused with its place.
  class Assemble < Target
    def run(choices)
      struct_class = Schemas.pick(choices)
      form = choices.pick(FORMS.keys)
      bytes = payload(choices, struct_class, form).byteslice(0, 500)
      text = Sparpack::Inspector.new(bytes, struct_class, from: FORMS.fetch(form).first).text
      (1 + choices.rand(4)).times { text = changed(choices, text) }
      find("no bytes", text) unless Sparpack.assemble(text).encoding == Encoding::BINARY
      :assembled
    rescue Sparpack::AssemblyError => e
      find("no place", e.message, text) unless e.message.match?(/\Aline \d+, column [1-9]\d*: expected .+, found ./)
      :refused
    end

    private

    def changed(choices, text)
      lines = text.lines
      return text if lines.empty?

      at = choices.rand(lines.size)
      case choices.rand(4)
      when 0 then lines.insert(choices.rand(lines.size), lines[at])
      when 1 then lines.delete_at(at)
      when 2 then lines[at] = choices.pick(lines)
      else lines[at] = with_a_word(choices, lines[at])
      end
      lines.join
    end

    def with_a_word(choices, line)
      place = choices.rand(line.size + 1)
      word = choices.pick(InspectFuzzer::WORDS).dup.force_encoding(Encoding::UTF_8)
      "#{line[0, place]}#{word}#{line[(place + choices.rand(4))..]}"
    end
  end
end
