# frozen_string_literal: true

require_relative "../target"

module Fuzzing
  # The parameters of a form become an object that can be written and read again, or are refused by a ConversionError that
  # shows nothing of what a text holds.
  class Forms < Target
    TEXTS = ["", "1", "-7", "0x1F", "1_000", "1e5", "1e999", "9" * 1001, "NaN", "true", "on", "0", "LOW", SECRET,
             "\xFF", "\u202E", "é".encode("UTF-16LE"), "00112233-4455-6677-8899-AABBCCDDEEFF", "2026-01-02"].freeze
    OTHERS = [nil, 7, 1 << 70, 0.5, true, :LOW, [], {}, [nil], { "0" => nil }, { "9" * 30 => "1" }, Object.new].freeze
    NAMES = ["", "zz", "0", "\xFF", "\e[2J", "n" * 300].freeze
    DEPTH = 6
    private_constant :TEXTS, :OTHERS, :NAMES, :DEPTH

    def run(choices)
      struct_class = Schemas.pick(choices)
      @payloads += 1
      given = struct(choices, struct_class, 0)
      made = outcome { [struct_class.from_h(given, coerce: true)] }
      return refused(given, *made) if made.size == 2 # a class and a message

      written = outcome { [made.first.encode] } # what is required may be absent
      return :unwritten if written.size == 2

      read = struct_class.decode(written.first) # where nil was assigned, the default is back
      find("it is written otherwise", given, made.first, read) unless struct_class.decode(read.encode).encode == read.encode
      :made
    end

    private

    def refused(given, error, message)
      find("an error that is not promised", given, error, message) unless error <= Sparpack::ConversionError
      find("control characters in a message", given, message) if message.match?(/[\e\u202E]/)
      :refused
    end

    def struct(choices, struct_class, depth)
      fields = struct_class.schema.fields.select { choices.chance(0.7) }
      fields = fields.first(1) if struct_class < Sparpack::Union && choices.chance(0.9)
      given = fields.to_h { |field| [field.name.to_s, value(choices, field.type, depth + 1)] }
      given[choices.pick(NAMES)] = choices.pick(TEXTS) if choices.rand(NOISE).zero?
      given
    end

    def value(choices, type, depth)
      return choices.pick(choices.chance(0.5) ? TEXTS : OTHERS) if depth > DEPTH || choices.rand(NOISE).zero?

      case type.kind
      when :struct, :union then struct(choices, type.target, depth)
      when :list, :set then elements(choices, type.element, depth)
      when :map then Array.new(choices.rand(3)) { [choices.pick(TEXTS), value(choices, type.element, depth + 1)] }.to_h
      else choices.pick(TEXTS)
      end
    end

    # As an Array, or as Rails writes it.
    def elements(choices, type, depth)
      all = Array.new(choices.rand(4)) { value(choices, type, depth + 1) }
      choices.chance(0.5) ? all : all.to_h { |element| [choices.rand(1 << 16).to_s, element] }
    end
  end
end
