# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/lazy_reading"

module Fuzzing
  # A lazy object is what an ordinary one is, whatever of it is read first. What a check accepts is what a decode accepts.
  class Lazy < Target
    # @param form [Symbol] one of SLEEPY
    def initialize(form)
      super()
      @form = form
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      eager, lazy = codecs(choices, struct_class)
      return :unfit unless eager

      each_payload(choices, struct_class, @form) do |bytes|
        expected = outcome { eager.decode(bytes) }
        read = outcome { lazy.decode(bytes) }
        check(eager, bytes, expected)
        next refused(expected, read) unless expected.is_a?(Sparpack::Value)

        compare(eager, lazy, expected, read, choices)
      end
    end

    private

    def codecs(choices, struct_class)
      options = { validate: choices.pick(VALIDATE), unknown: choices.pick(UNKNOWN), mismatch: choices.pick(%i[raise skip]) }
      options[:utf8] = :keep if choices.chance(0.2)
      [false, true].map { |lazy| codec(struct_class, @form, lazy:, **options) }
    end

    def check(eager, bytes, expected)
      found = outcome { eager.check(bytes) }
      return if found == (expected.is_a?(Sparpack::Value) || expected)

      find("a check finds something else than a decode", eager, bytes, expected, found)
    end

    def refused(expected, read)
      find("refused in another way", @form, expected, read) unless read == expected
      :refused
    end

    def compare(eager, lazy, expected, read, choices)
      written = outcome { lazy.encode(read) } if choices.chance(0.5)
      choices.rand(4).times { touch(read, choices) }
      again = outcome { lazy.encode(read) }
      whole = outcome { eager.encode(expected) }
      [written, again].each { |bytes| same_bytes(eager, expected, bytes, whole) }
      return :read if LazyReading.fields(expected) == LazyReading.fields(read)

      find("read lazily, it differs", eager, expected, read)
    end

    # Bytes that go out as they came are read as the same.
    def same_bytes(eager, expected, bytes, whole)
      return if bytes.nil? || bytes == whole
      return if bytes.is_a?(String) && whole.is_a?(String) &&
                LazyReading.fields(eager.decode(bytes)) == LazyReading.fields(expected)

      find("written lazily, it differs", eager, expected, bytes, whole)
    end

    # Reads a field, and perhaps one of what it holds.
    def touch(object, choices)
      while object.is_a?(Sparpack::Struct)
        field = choices.pick(object.class.schema.fields) or return
        object = object[field.name]
        object = object.first if object.is_a?(Array)
      end
    end
  end
end
