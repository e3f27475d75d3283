# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures the drop-in for Apache's thrift gem against the gem alone, and against building the same objects without
    # reading anything.
    class Thrift < StructSuite
      # How objects are written and read.
      module Ways
        COMPACT = "::Thrift::CompactProtocol"

        # Each has a name, and the source that encodes and decodes. `framed` holds a frame, `message` what is in it.
        ALL = {
          "memory" => {
            encode: "memory.reset_buffer; object.write(protocol)",
            decode: "memory.reset_buffer(message); read = type.new; read.read(protocol); read"
          },
          "framed, kept" => {
            encode: "memory.reset_buffer; object.write(over_frames); frames.flush",
            decode: "memory.reset_buffer(framed); read = type.new; read.read(over_frames); read"
          },
          "framed, anew" => {
            encode: "made = ::Thrift::FramedTransport.new(::Thrift::MemoryBufferTransport.new); " \
                    "object.write(#{COMPACT}.new(made)); made.flush",
            decode: "made = ::Thrift::FramedTransport.new(::Thrift::MemoryBufferTransport.new(framed)); " \
                    "read = type.new; read.read(#{COMPACT}.new(made)); read"
          }
        }.freeze

        private

        # @return [Hash{Symbol => Array<Contestant>}]
        def ways(serializer_class, deserializer_class)
          writers = []
          readers = []
          { compact: ::Thrift::CompactProtocolFactory, binary: ::Thrift::BinaryProtocolAcceleratedFactory,
            json: ::Thrift::JsonProtocolFactory }.each do |wire, factory|
            pair = serializers(wire, serializer_class.new(factory.new), deserializer_class.new(factory.new))
            writers << pair.first
            readers << pair.last
          end
          ALL.each do |variant, sources|
            writers << contestant(sources[:encode], variant:, object:, **locals)
            readers << contestant(sources[:decode], variant:, type: root, check: method(:same?), **locals)
          end
          { encode: [*writers, refused(:encode)], decode: [*readers, refused(:decode)] }
        end

        # A class that overrides both methods is not accelerated.
        def refused(operation)
          type = Class.new(root) do
            def write(*) = super
            def read(*) = super
          end
          object = type.new(**fields(@document.value, @document.root))
          check = operation == :decode ? method(:same?) : nil
          contestant(ALL.fetch("memory").fetch(operation), variant: "refused", type:, object:, check:, **locals)
        end

        # JSON is not accelerated.
        def serializers(wire, serializer, deserializer)
          input = serializer.serialize(object)
          options = wire == :json ? { variant: "JSON" } : { wire: }
          check = ->(output) { same?(deserializer.deserialize(root.new, output)) }
          [contestant("serializer.serialize(object)", object:, serializer:, check:, **options),
           contestant("deserializer.deserialize(type.new, input)", deserializer:, input:, type: root,
                                                                   bytes: input.bytesize, check: method(:same?), **options)]
        end

        def locals
          memory = ::Thrift::MemoryBufferTransport.new
          frames = ::Thrift::FramedTransport.new(memory)
          message = ::Thrift::Serializer.new(::Thrift::CompactProtocolFactory.new).serialize(object)
          { memory:, frames:, protocol: ::Thrift::CompactProtocol.new(memory), message:,
            over_frames: ::Thrift::CompactProtocol.new(frames), framed: [message.bytesize].pack("N") + message }
        end
      end

      # The drop-in.
      class Structs < Peers::Thrift
        include Ways

        self.title = Group::OURS

        class << self
          # The gem's own methods, by module.
          attr_reader :original

          def install = "bundle exec rake compile"
          def version = ::Sparpack::VERSION

          private

          def load
            Peers::Thrift.missing&.then { |reason| raise LoadError, reason }
            @original ||= { Struct: %i[initialize read write], Serializer: %i[serialize], Deserializer: %i[deserialize] }
                          .to_h do |name, methods|
              [name, methods.map do |method|
                ::Thrift.const_get(name).instance_method(method)
              end]
            end
            require "sparpack/drop_in/thrift"
          end
        end

        def contestants = ways(::Thrift::Serializer, ::Thrift::Deserializer)
      end

      # The gem alone: classes that have its own methods, which were found before the drop-in was loaded.
      class Alone < Peers::Thrift
        include Ways

        self.title = "thrift"

        class << self
          private

          def load = Structs.missing&.then { |reason| raise LoadError, reason }
        end

        def contestants
          ways(own(Class.new(::Thrift::Serializer), :Serializer), own(Class.new(::Thrift::Deserializer), :Deserializer))
        end

        private

        def define(...) = super.each_value { |klass| own(klass, :Struct) }

        def own(klass, name)
          Structs.original.fetch(name).each { |method| klass.define_method(method.name, method) }
          klass
        end
      end

      # Builds the same objects with Ruby's public functions, and reads nothing.
      class Objects < Structs
        self.title = "floor"

        extend Peers::Floor::Dependent

        # The caller makes the first object.
        def contestants
          objects = Bench::Floor::Objects.new(object)
          { encode: [], decode: [contestant("type.new; objects.build", objects:, type: root, check: method(:same?))] }
        end
      end

      PEERS = [Structs, Objects, Alone].freeze
      PARTS = %w[listing].freeze

      # The required multiples of the gem's speed.
      DEMANDS = {
        nil => { encode: 45, decode: 15 }, "memory" => { encode: 38, decode: 14 },
        "framed, kept" => { encode: 30, decode: 14 }, "framed, anew" => { encode: 15, decode: 10 }
      }.freeze

      # What is left to the gem.
      UNACCELERATED = ["JSON", "refused"].freeze

      # @return [Array<Bars::Bar>]
      def bars
        against = DEMANDS.flat_map do |variant, demands|
          demands.map do |operation, demand|
            at_least("#{operation}#{" (#{variant})" if variant} against thrift", demand, faster(operation, variant))
          end
        end
        [*against, at_most("decode against its floor", 1.25, over_floor),
         *UNACCELERATED.product(%i[encode decode]).map do |variant, operation|
           at_most("#{operation} (#{variant}) against thrift", 1.03, slower(operation, variant))
         end,
         at_most("require, ms", 20, milliseconds_of_require("sparpack/drop_in/thrift", before: %w[sparpack thrift])),
         at_most("two classes at their first use, ms", 1.0, milliseconds_of_use)]
      end

      private

      # @return [Result, nil]
      def find(operation, peer, variant)
        group(operation).of(peer, variant:).find { |result| result.contestant.wire != :binary }
      end

      # @return [Float, nil] the gem's time as a multiple of ours
      def faster(operation, variant)
        theirs = find(operation, Alone.title, variant)
        theirs&.ratio(find(operation, Group::OURS, variant))
      end

      def slower(operation, variant) = faster(operation, variant)&.then { |factor| 1 / factor }

      def over_floor
        floor = find(:decode, Objects.title, nil)
        floor && find(:decode, Group::OURS, nil).ratio(floor)
      end

      # The listing's classes, made anew.
      def milliseconds_of_use
        peer = Structs.new(documents.fetch("listing"))
        least_milliseconds do
          listing = peer.send(:define, Documents::LISTING_RECORDS).fetch(:ListingLocationUpdate)
          input = ::Thrift::MemoryBufferTransport.new("\0")
          -> { listing.new.read(::Thrift::CompactProtocol.new(input)) rescue nil } # rubocop:disable Style/RescueModifier
        end
      end
    end
  end
end
