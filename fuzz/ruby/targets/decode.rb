# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/adopted_twin"

module Fuzzing
  # A payload is refused by a DecodeError, or read. What is read can be written, and is read again as the same.
  class Decode < Target
    FOCUSES = %i[plain skip keep limits adopted].freeze

    # @param form [Symbol] one of FORMS
    # @param focus [Symbol] one of FOCUSES
    def initialize(form, focus)
      super()
      @form = form
      @focus = focus
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      options = options(choices)
      codec = codec(struct_class, @form, **options) or return :unfit
      each_payload(choices, struct_class, @form) do |bytes|
        read(codec, bytes) { |object| again(choices, codec, object) }
      end
    end

    private

    def options(choices)
      options = { freeze: choices.chance(0.3), validate: choices.pick(VALIDATE) }
      options[:utf8] = :keep if choices.chance(0.2)
      case @focus
      when :skip then { **options, mismatch: :skip, unknown: choices.pick(UNKNOWN) }
      when :keep then { **options, unknown: :keep }
      when :limits then { **options, limits: limits(choices), mismatch: choices.pick(%i[raise skip]) }
      else { **options, unknown: choices.pick(UNKNOWN) }
      end
    end

    def limits(choices)
      names = { memory: 1..20_000, depth: 1..10, string: 0..40, container: 0..300, message: 1..3000 }
      chosen = names.select { choices.chance(0.4) }.transform_values { |range| choices.rand(range) }
      Sparpack::Limits.new(**chosen)
    end

    # As the class itself, or as a plain class with the same fields.
    def read(codec, bytes)
      read = @focus == :adopted ? twin(codec).decode(bytes) : codec.decode(bytes)
      @focus == :adopted ? :read : yield(read)
    rescue Sparpack::DecodeError => e
      keeps_secrets(e, bytes)
      find("an offset", e.offset, bytes) unless e.offset.nil? || e.offset.between?(0, bytes.bytesize)
      :refused
    end

    def twin(codec)
      codec(AdoptedTwin.class_of(codec.struct_class), @form, **codec.options.except(:keys))
    end

    def again(choices, codec, object)
      return :read if @focus == :limits

      bytes = written(codec, object) or return :read
      find("written again, it differs", codec, bytes, object) unless written(codec, codec.decode(bytes)) == bytes
      elsewhere(choices, codec, object, bytes)
    end

    def elsewhere(choices, codec, object, bytes)
      options = { **codec.options.slice(:utf8), validate: :none, unknown: :keep }
      other = codec(codec.struct_class, choices.pick(FORMS.keys), **options) or return :read
      text = written(other, object) or return :read
      object = other.decode(text)
      return :read if leaves_out?(codec, other)

      find("on another wire, it differs", other, text, object, codec) unless written(other, object) == text
      return :read if codec.options[:unknown] == :keep || text.include?('"NaN"') # the text has one NaN of many

      find("from another wire, it differs", codec, bytes, other, text) unless written(codec, object) == bytes
      :read
    end

    # Kept fields stay behind, and keys of a map that differ only in them become the same.
    def leaves_out?(codec, other)
      codec.options[:unknown] == :keep && !([codec.wire, other.wire] - %i[compact binary thrift_json]).empty? &&
        codec.wire != other.wire
    end

    # Not all that can be read can be written: a union's unknown field, keys in Thrift's JSON.
    def written(codec, object)
      codec.encode(object)
    rescue Sparpack::EncodeError
      nil
    end
  end
end
