# frozen_string_literal: true

require_relative "../target"
require_relative "../../../test/support/places"

module Fuzzing
  # A path leads to what a decode finds there. A patch is what a decode, a change and an encode are. What they refuse, a
  # decode refuses in the same way.
  class Paths < Target
    PATHS = 6

    # @param form [Symbol] one of FORMS
    # @param verb [Symbol] `:dig` or `:patch`
    def initialize(form, verb)
      super()
      @form = form
      @verb = verb
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      codec = codec(struct_class, @form, **options(choices)) or return :unfit
      made = Payload.new(choices, struct_class).on(@form).b
      places = places(choices, codec, made)
      each_damaged(choices, made) do |bytes|
        decoded = outcome { codec.decode(bytes) }
        places.each { |place| @verb == :dig ? dig(codec, bytes, place, decoded) : patch(codec, bytes, place, decoded) }
        decoded.is_a?(Sparpack::Value) ? :read : :refused
      end
    end

    private

    def options(choices)
      options = { validate: choices.pick(VALIDATE), mismatch: choices.pick(%i[raise skip]) }
      options[:unknown] = choices.pick(UNKNOWN) if @verb == :dig # a patch copies them
      options[:freeze] = choices.chance(0.3)
      options[:utf8] = :keep if choices.chance(0.2)
      options
    end

    # Some places of an object that was not damaged.
    def places(choices, codec, bytes)
      all = Places.of(codec.decode(bytes))
      Array.new(PATHS) { choices.pick(all) }.compact
    rescue Sparpack::DecodeError
      codec.struct_class.schema.fields.first(PATHS).map { |field| Places::Place.new([field.name], field.type, nil, nil) }
    end

    def dig(codec, bytes, place, decoded)
      found = outcome { codec.dig(bytes, *place.path) }
      return unless differs?(codec, bytes, found, decoded) { |object| Places.dig(object, place.path) }

      find("dug, it differs", codec, bytes, place.path, decoded, found)
    end

    def patch(codec, bytes, place, decoded)
      patched = outcome { written(codec, bytes, place) } or return
      found = patched.is_a?(String) && decoded.is_a?(Sparpack::Value) ? outcome { codec.decode(patched) } : patched
      return if found.is_a?(String)
      return unless differs?(codec, bytes, found, decoded) { |object| changed(codec, object, place) }

      find("patched, it differs", codec, bytes, place.path, place.value, decoded, found)
    end

    # The error of an encode shows the path, which may have keys.
    def written(codec, bytes, place)
      codec.patch(bytes, place.path => place.value)
    rescue Sparpack::EncodeError
      nil
    end

    # What cannot be done with the object is compared with itself.
    def changed(codec, object, place)
      Places.set(object = object.dup(deep: true), place.path, place.value)
      codec.decode(codec.encode(object))
    rescue Sparpack::EncodeError, ArgumentError, NoMethodError
      Places
    end

    # Of what is refused, both must say the same. What comes twice, or is wrong behind the place, only a decode sees.
    def differs?(codec, bytes, found, decoded)
      refused = found.is_a?(Array) && found.first.is_a?(Class)
      return refused && found != decoded unless decoded.is_a?(Sparpack::Value)
      return true if refused && @verb == :dig
      return false unless outcome { codec.encode(decoded) } == bytes

      expected = yield(decoded)
      !Places.equal?(expected) && !Places.same?(expected, found)
    end
  end
end
