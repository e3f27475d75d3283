# frozen_string_literal: true

require "sparpack/message_pack"
require_relative "../target"

module Fuzzing
  # Plain classes by mappings, whose members without a type hold any MessagePack: bytes are refused by a DecodeError, or
  # read. What is read can be written, and is read again as the same. All text is UTF-8.
  class Mapped < Target
    class Plain
      attr_accessor :a, :b
    end

    Pair = ::Struct.new(:a, :b)
    Named = ::Struct.new(:a, :b, keyword_init: true)

    LIST = Sparpack::Mapping.new(Plain, { 0 => :a, 1 => :b })
    MAPPINGS = [LIST, Sparpack::Mapping.new(Plain, %i[a b]), Sparpack::Mapping.new(Pair, { 0 => :a, 1 => :b }),
                Sparpack::Mapping.new(Named, %i[a b], required: %i[a]),
                Sparpack::Mapping.new(Plain, { 0 => :a, 1 => :b }, types: { b: Sparpack::Type.list(LIST) }),
                Sparpack::Mapping.new(Pair, { 0 => :a, 1 => :b },
                                      types: { a: Sparpack::Type.map(:string, LIST), b: Schemas::Inner })].freeze

    VALUES = [nil, true, 0, -1, 1 << 40, 1.5, Float::NAN, "text", "\xFF", SECRET, "\xFF".b, [], {}].freeze

    def run(choices)
      mapping = choices.pick(MAPPINGS)
      codec = Sparpack::Codec.new(mapping, :message_pack, **options(choices))
      bytes = Payload.damaged(choices, object(choices, mapping, 2))
      object = codec.decode(bytes)
      find("text that is not UTF-8", codec, bytes, object) unless codec.options[:utf8] == :keep || text?(object)
      again(codec, object)
    rescue Sparpack::DecodeError => e
      keeps_secrets(e, codec, bytes)
      :refused
    end

    private

    def options(choices)
      options = { unknown: choices.pick(%i[skip reject]), mismatch: choices.pick(%i[raise skip]),
                  validate: choices.pick(VALIDATE), freeze: choices.chance(0.3) }
      options[:utf8] = :keep if choices.chance(0.2)
      options[:limits] = limits(choices) if choices.chance(0.1)
      options
    end

    def limits(choices) = Sparpack::Limits.new(memory: choices.rand(1..5000), depth: choices.rand(1..10))

    # @return [String] an object of the mapping, more or less
    def object(choices, mapping, depth)
      values = %i[a b].map { |name| member(choices, mapping.fields.find { |field| field.name == name }.type, depth) }
      values = values.first(1) if choices.chance(0.1)
      values << value(choices, depth) if choices.chance(0.1)
      return packer.array_header(values.size) + values.join unless mapping.by_name?

      packer.map_header(values.size) + values.zip(%w[a b unknown1]).map { |value, name| packer.str(name) + value }.join
    end

    def member(choices, type, depth)
      return value(choices, depth) if type.kind == :any || choices.chance(0.1)

      case type.kind
      when :list then array(choices) { object(choices, LIST, depth - 1) }
      when :map then map(choices) { [text(choices), object(choices, LIST, depth - 1)] }
      else payload(choices, type.target, :message_pack_names)
      end
    end

    # @return [String] any MessagePack
    def value(choices, depth)
      case choices.rand(depth.positive? ? 8 : 4)
      when 0..3 then Sparpack::MessagePack.pack(choices.pick(VALUES))
      when 4 then array(choices) { value(choices, depth - 1) }
      when 5 then map(choices) { [value(choices, depth - 1), value(choices, depth - 1)] }
      when 6 then map(choices) { [text(choices), value(choices, depth - 1)] }
      else payload(choices, Schemas.pick(choices), choices.pick(%i[message_pack message_pack_names message_pack_ids]))
      end
    end

    def text(choices) = packer.str(choices.pick(Payload::TEXTS))

    def array(choices, &)
      elements = Array.new(choices.rand(4), &)
      packer.array_header(elements.size) + elements.join
    end

    def map(choices, &)
      pairs = Array.new(choices.rand(4), &)
      packer.map_header(pairs.size) + pairs.join
    end

    def packer = @packer ||= MessagePackWriter.new(nil, :array)

    def text?(value)
      case value
      when String then value.encoding == Encoding::BINARY || value.valid_encoding?
      when Hash then value.all? { |key, inner| text?(key) && text?(inner) }
      when Plain then text?(value.a) && text?(value.b)
      when Pair, Named, Array then value.to_a.all? { |inner| text?(inner) }
      when Schemas::Inner then text?(value.text) && text?(value.inner)
      else true
      end
    end

    def again(codec, object)
      bytes = codec.encode(object)
      find("written again, it differs", codec, bytes, object) unless codec.encode(codec.decode(bytes)) == bytes
      :read
    rescue Sparpack::EncodeError => e
      keeps_secrets(e, codec, bytes)
      :read
    end
  end
end
