# frozen_string_literal: true

require_relative "documents"

module Bench
  # Objects of a plain class as one writes it by hand, and how both libraries pack them as extension types: Sparpack with a
  # codec, the msgpack gem with `to_h` and `new(**)`.
  module Objects
    class Neighborhood
      attr_reader :id, :name

      def initialize(id:, name:)
        @id = id
        @name = name
      end

      def to_h = { "id" => id, "name" => name }
      def ==(other) = other.is_a?(Neighborhood) && id == other.id && name == other.name
    end

    TYPE = 5

    module_function

    # @return [Array<Neighborhood>] the same few again and again
    def uniform(count)
      Array.new(count) do |index|
        place = index % Documents::NEIGHBORHOODS.size
        Neighborhood.new(id: 1_000_000 + (place * 7_919), name: "#{Documents::NEIGHBORHOODS[place]} 0")
      end
    end

    # @return [Array<Neighborhood>] no two of them alike
    def varied(count, random = Random.new(3))
      Array.new(count) do
        value = Documents.varied_neighborhood(random)
        Neighborhood.new(id: value["neighborhoodId"], name: value["name"])
      end
    end

    # @param build [Symbol] as {Sparpack::Mapping#initialize} takes it
    # @return [Sparpack::MessagePack::Factory]
    def factory(build)
      ::Sparpack::MessagePack::Factory.new.tap { |made| made.register_type(TYPE, Neighborhood, codec: codec(build)) }
    end

    # @return [Sparpack::MessagePack::Factory] makes the same bytes
    def by_procs
      codec = codec(:keywords)
      ::Sparpack::MessagePack::Factory.new.tap do |made|
        made.register_type(TYPE, Neighborhood, packer: ->(object) { codec.encode(object) },
                                               unpacker: ->(payload) { codec.decode(payload) })
      end
    end

    # The fastest way that there is in the gem. Its unpackers pass their options on.
    #
    # @return [MessagePack::Factory]
    def gem
      ::MessagePack::Factory.new.tap do |made|
        made.register_type(TYPE, Neighborhood, recursive: true, packer: ->(object, packer) { packer.write(object.to_h) },
                                               unpacker: ->(unpacker) { Neighborhood.new(**unpacker.read) })
      end
    end

    def codec(build)
      types = { id: :i64, name: :string }
      ::Sparpack::Codec.new(::Sparpack::Mapping.new(Neighborhood, { 0 => :id, 1 => :name }, types:, build:), :message_pack)
    end
  end
end
