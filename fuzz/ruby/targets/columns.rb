# frozen_string_literal: true

require "stringio"
require_relative "../target"
require_relative "../../../test/support/columns_by_hand"
require_relative "../../../test/support/lazy_reading"

module Fuzzing
  # Columns are what a decode of all payloads and a map for each path are, and what they refuse, a decode refuses in the same
  # way.
  class Columns < Target
    # @param form [Symbol] one of FORMS
    def initialize(form)
      super()
      @form = form
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      codec = codec(struct_class, @form, **options(choices)) or return :unfit
      made = Array.new(1 + choices.rand(3)) { Payload.new(choices, struct_class).on(@form).b }
      paths = paths(choices, codec, made.first) or return :unfit
      each_damaged(choices, made.join) do |bytes|
        source = choices.chance(0.2) ? -> { StringIO.new(bytes) } : -> { bytes }
        expected = outcome { ColumnsByHand.of(codec.decode_each(source.call).to_a, paths) }
        compare(codec, source.call, paths, expected, share: choices.chance(0.5))
        packed(codec, bytes, paths.first)
        expected.first.is_a?(Class) ? :refused : :read
      end
    end

    private

    def options(choices)
      options = { validate: choices.pick(VALIDATE), unknown: choices.pick(UNKNOWN), mismatch: choices.pick(%i[raise skip]) }
      options[:freeze] = choices.chance(0.3)
      options[:utf8] = :keep if choices.chance(0.2)
      options
    end

    def paths(choices, codec, bytes)
      ColumnsByHand.paths(codec.decode(bytes), choices)
    rescue Sparpack::DecodeError
      nil
    end

    def compare(codec, source, paths, expected, share:)
      found = outcome { codec.columns(source, *paths, share:) }
      found = paths.map { |path| found.fetch(path) } if found.is_a?(Hash)
      find("columns differ", codec, source, paths, expected, found) unless same?(expected, found)
    end

    def same?(expected, found) = LazyReading.fields(expected) == LazyReading.fields(found)

    def packed(codec, bytes, path)
      expected = outcome { codec.columns(bytes, path).fetch(path) }
      found = outcome { codec.columns(bytes, path, as: :packed).fetch(path).to_a }
      find("packed, it differs", codec, bytes, path, expected, found) unless same?(expected, found)
    rescue ArgumentError
      nil # no numbers
    end
  end
end
