# frozen_string_literal: true

# Gives the forms of a wire names of their own, so that tests run over forms as over wires. In a file with `using WireForms`,
# `object.encode(:message_pack_ids)` is `object.encode(:message_pack, keys: :ids)`.
module WireForms
  FORMS = { message_pack_names: [:message_pack, { keys: :names }], message_pack_ids: [:message_pack, { keys: :ids }] }.freeze

  # All wires and forms. A wire that has several stands for its first one.
  ALL = (Sparpack::WIRES + FORMS.keys).freeze

  # Those whose objects can be lazy: text is always decoded at once.
  LAZY = (ALL - %i[json thrift_json]).freeze

  # @return [Boolean] whether a wire or form can hold the objects of a class: an array has no places for far ids
  def self.holds?(wire, struct_class)
    Sparpack::Codec.new(struct_class, *spelled(wire, {}).first)
    true
  rescue Sparpack::SchemaError
    wire != :message_pack
  end

  # @return [Array<Symbol>] the wires and forms that can hold the objects of a class
  def self.of(struct_class) = ALL.select { |wire| holds?(wire, struct_class) }

  # @return [Array(Symbol, Hash)] the wire and the options, as a caller passes them
  def self.spelled(wire, options)
    name, more = FORMS[wire]
    name ? [name, { **more, **options }] : [wire, options]
  end

  # @return [Symbol] the name of a wire or a form as messages show it
  def self.wire(wire) = FORMS.fetch(wire, [wire]).first

  refine Sparpack::Value do
    def encode(wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def encode_to(io, wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end
  end

  refine Sparpack::Declaration do
    def codec(wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def decode_from(io, wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def decode_each(source, wire = :compact, **options, &)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def decode(bytes, wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def check(bytes, wire: :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def count(source, wire: :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def columns(source, *paths, wire: :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end

    def each_range(source, wire: :compact, **options, &)
      wire, options = WireForms.spelled(wire, options)
      super
    end
  end

  refine Sparpack::Codec.singleton_class do
    def new(struct_class, wire = :compact, **options)
      wire, options = WireForms.spelled(wire, options)
      super
    end
  end
end
