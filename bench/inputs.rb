# frozen_string_literal: true

require_relative "child"
require_relative "documents"
require_relative "objects"
require_relative "peers"
require_relative "values"

module Bench
  # Makes the inputs of a Work. Those of structs come in pairs. A uniform one is the same listing again and again, so the CPU
  # learns to predict its branches. It cannot do that with a varied one.
  module Inputs
    # How many payloads of one listing differ (a power of two), how many listings are in one message, how many payloads
    # follow one another in a stream, and how many extension types are in an Array. A stream takes about 400 MB, and a short
    # or framed one 20 MB. A large message is that of 400 listings (95 KB) so many times, and large values take so
    # many bytes.
    SIZES = { one: 4096, many: 1000, stream: 1_000_000, short: 50_000, framed: 50_000, extensions: 1000, rendered: 64,
              large: 1000, large_values: 59_000_000 }.freeze

    # How many listings are in a small message, and which documents are mostly text.
    SMALL = 400
    LONG = %w[blogs tweets].freeze

    # Payloads of structs. The source of a Work may use these local variables, besides `input`:
    #
    # - `lazy`, `eager`: codecs
    # - `type`: the class of the structs
    # - `place`: in a message of many listings, the index of one near the middle that has a neighborhood
    # - `records`: how many structs follow one another in the input
    # - `converter`, `null`: from the wire to JSON, and an io that takes anything
    #
    # `roots` is a Proc that returns Hashes. Another process makes them and encodes them. Otherwise they would leave so much
    # room on the heap that no garbage would be collected while the work is measured.
    Structs = ::Struct.new(:document, :type, :roots, :records, :framed) do
      # @return [Hash{Symbol => Object}]
      def locals(wire)
        eager = ::Sparpack::Codec.new(type, wire)
        payloads, place = Child.run do
          values = roots.call
          [values.map { |value| in_frame(eager.encode(type.from_h(value)), eager) }, place(values.first["listings"])]
        end
        { payloads: records == 1 ? payloads : [repeated(payloads)], place:, type:, records:, eager:,
          lazy: ::Sparpack::Codec.new(type, wire, lazy: true), null: File.open(File::NULL, "wb"),
          converter: ::Sparpack::Converter.new(type, from: wire, to: :json) }
      end

      private

      def place(listings)
        listings&.each_index&.find { |index| index >= listings.size / 2 && listings[index]["neighborhoods"].any? }
      end

      def in_frame(payload, codec)
        framed ? ::Sparpack::Frame.find(:varint, codec.wire).wrap(payload, codec) : payload
      end

      def repeated(payloads)
        times, rest = records.divmod(payloads.size)
        (payloads.join * times) << payloads.first(rest).join
      end
    end

    # A document without a schema. The local variables are `unpacker`, and `gem`, that of the msgpack gem.
    Generic = ::Struct.new(:document, :payload) do
      def locals(_wire)
        gem = ::MessagePack::Unpacker.new if defined?(::MessagePack)
        { payloads: [payload], unpacker: ::Sparpack::MessagePack::Unpacker.new, gem: }
      end
    end

    # An Array of objects that are packed as extension types. The local variables are `objects`; `keywords`, `allocate` and
    # `by_procs`, the factories of Objects; and `gem`, the msgpack gem's, with what it reads, `gem_input`.
    Extensions = ::Struct.new(:document, :objects) do
      def locals(_wire)
        gem = Objects.gem if defined?(::MessagePack)
        keywords = Objects.factory(:keywords)
        { payloads: [keywords.dump(objects)], objects:, keywords:, allocate: Objects.factory(:allocate),
          by_procs: Objects.by_procs, gem:, gem_input: gem&.dump(objects) }
      end
    end

    # Objects to be written. The local variables are those that `made` returns, which is called with a codec.
    Written = ::Struct.new(:document, :type, :made) do
      def locals(wire)
        eager = ::Sparpack::Codec.new(type, wire) if type
        { eager:, **made.call(eager) }
      end
    end

    class << self
      # @param name [Symbol] one of SIZES, or values
      # @param sizes [Hash] as SIZES
      # @return [Array<Structs, Generic, Extensions, Written>]
      def all(name, sizes = SIZES) = public_send(name, sizes[name])

      # Payloads of one listing.
      def one(count) = pair("listing", Documents.listing) { Documents.varied_values(count) }

      # One payload of many listings.
      def many(count) = pair("#{count} listings", Documents.listings(count)) { [Documents.varied(count).value] }

      # A String in which payloads of one listing follow one another.
      def stream(count)
        pair("#{count} payloads", Documents.listing, count) { Documents.varied_values([count, SIZES[:one]].min) }
      end

      alias short stream

      # The same, each in a frame of its length as a varint.
      def framed(count) = stream(count).each { |input| input.framed = true }

      # The documents of the suite message_pack.
      def values(_count)
        Values.all.map { |document| Generic.new(document.name, ::Sparpack::MessagePack.pack(document.value)) }
      end

      # An Array of extension types.
      def extensions(count)
        { "uniform" => Objects.uniform(count), "varied" => Objects.varied(count) }.map do |set, objects|
          Extensions.new("#{count} objects, #{set}", objects)
        end
      end

      # Listings, and the Hashes that have the same values. The local variables are `objects` and `hashes`.
      def rendered(count)
        written("listing", Documents.listing, [Documents.listing.value], Documents.varied_values(count)) do |values, type|
          objects = values.map { |value| type.from_h(value) }
          { payloads: objects.map(&:to_json), objects:, hashes: values }
        end
      end

      # A message that holds a small one `times` times. The local variables are `large`, `small` and `times`.
      def large(times)
        document = Documents.listings(SMALL)
        varied = Documents.varied(SMALL)
        written("#{SMALL * times} listings", document, document.value, varied.value) do |value, type, eager|
          small = type.from_h(value)
          large = type.new(listings: small.listings * times)
          { payloads: [eager.encode(large)], large:, small:, times: }
        end
      end

      # An Array of the same document again and again. The local variable is `values`.
      def large_values(bytes)
        Values.all.select { |document| LONG.include?(document.name) }.map do |document|
          values = [document.value] * bytes.fdiv(::Sparpack::MessagePack.pack(document.value).bytesize).ceil
          payloads = [::Sparpack::MessagePack.pack(values)]
          Written.new("#{values.size} times #{document.name}", nil, ->(_) { { payloads:, values: } })
        end
      end

      private

      # @yieldparam values [Object] a root
      # @yieldreturn [Hash{Symbol => Object}] the local variables
      def written(name, document, *roots)
        type = Peers::Sparpack.new(document).object.class
        %w[uniform varied].zip(roots).map do |set, values|
          Written.new("#{name}, #{set}", type, ->(eager) { yield values, type, eager })
        end
      end

      # @yieldreturn [Array<Hash>] the roots of the varied one
      def pair(name, document, records = 1, &varied)
        type = Peers::Sparpack.new(document).object.class
        { "uniform" => -> { [document.value] }, "varied" => varied }.map do |set, roots|
          Structs.new("#{name}, #{set}", type, roots, records)
        end
      end
    end
  end
end
