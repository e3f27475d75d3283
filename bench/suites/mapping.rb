# frozen_string_literal: true

require_relative "../struct_suite"

module Bench
  module Suites
    # Measures plain classes that are mapped, over MessagePack, against the msgpack gem with the `to_h` and the `new(**)`
    # that one writes for it by hand.
    class Mapping < StructSuite
      # Makes classes as one writes them by hand.
      module Plain
        # Readers that do more than to return a variable.
        METHODS = ->(names) { names.map { |name| "def #{name} = (@#{name})" }.join("; ") }

        READERS = ->(names) { "attr_reader #{names.map(&:inspect).join(", ")}" }

        module_function

        # @param object [Object] of the classes with plain readers
        # @param records [Hash{Symbol => Array<Field>}]
        # @param root [Symbol]
        # @return [Object] the same one, of classes with readers that do more
        def with_methods(object, records, root) = classes(records, METHODS).fetch(root).from_h(symbols(object.to_h))

        # A Hash whose keys are Symbols at every level.
        def symbols(value)
          case value
          when Hash then value.to_h { |key, element| [key.to_sym, symbols(element)] }
          when Array then value.map { |element| symbols(element) }
          else value
          end
        end

        # @param records [Hash{Symbol => Array<Field>}] each after those that it holds
        # @return [Hash{Symbol => Class}]
        def classes(records, readers)
          records.each_with_object({}) do |(name, fields), classes|
            klass = classes[name] = Class.new
            list  = fields.find { |field| field.type.is_a?(Array) }
            klass.const_set(:PART, classes.fetch(list.type[1][1])) if list
            klass.class_eval(source(fields.map(&:name), list&.name, readers), __FILE__, __LINE__)
          end
        end

        def source(names, list, readers)
          keywords = names.map { |name| "#{name}: nil" }.join(", ")
          fill     = names.map { |name| "@#{name} = #{name}" }.join("; ")
          pairs    = names.map { |name| "\"#{name}\" => #{name == list ? "#{name}.map(&:to_h)" : name}" }.join(", ")
          parts    = "fields[:#{list}] = fields[:#{list}].map { |part| self::PART.new(**part) }; " if list
          <<~RUBY
            #{readers.call(names)}
            def initialize(#{keywords}) = (#{fill})
            def to_h = { #{pairs} }
            def self.from_h(fields) = (#{parts}new(**fields))
          RUBY
        end
      end

      # The mapped classes.
      class Mapped < RecordPeer
        self.title = Group::OURS

        BUILDS = %i[keywords allocate].freeze

        class << self
          def install = "bundle exec rake compile"
          def version = ::Sparpack::VERSION

          private

          def load = require("sparpack")
        end

        def contestants
          { encode: [writing("readers", object, @classes), writing("methods", *others)],
            decode: BUILDS.map { |build| reading_by(build) } }
        end

        private

        def define(records) = Plain.classes(records, Plain::READERS)

        # The same object of other classes, and these.
        def others
          other = Plain.with_methods(object, @document.records, @document.root)
          parts = @document.records.keys.to_h { |name| [name, name == @document.root ? other.class : other.class::PART] }
          [other, parts]
        end

        def writing(variant, object, classes)
          codec = codec(classes, :keywords)
          contestant("codec.encode(object)", variant:, codec:, object:,
                                             check: ->(output) { document?(to_value(codec.decode(output))) })
        end

        def reading_by(build)
          codec = codec(@classes, build)
          input = codec.encode(object)
          contestant("codec.decode(input)", variant: build.name, codec:, input:, bytes: input.bytesize,
                                            check: method(:same?))
        end

        def codec(classes, build)
          mappings = {}
          @document.records.each do |name, fields|
            members = fields.each_with_index.to_h { |field, index| [index, field.name] }
            types   = fields.to_h { |field| [field.name, type(field.type, mappings)] }
            mappings[name] = ::Sparpack::Mapping.new(classes.fetch(name), members, types:, build:)
          end
          ::Sparpack::Codec.new(mappings.fetch(@document.root), :message_pack)
        end

        def type(type, mappings)
          case type
          in [:list, element] then ::Sparpack::Type.list(type(element, mappings))
          in [:record, name] then mappings.fetch(name)
          else type
          end
        end
      end

      # The msgpack gem, with a Hash in between.
      class MessagePackGem < RecordPeer
        self.title = "msgpack"

        def contestants
          input = ::MessagePack.pack(object.to_h)
          check = ->(output) { output == input }
          other = Plain.with_methods(object, @document.records, @document.root)
          { encode: { "readers" => object, "methods" => other }.map do |variant, object|
            contestant("::MessagePack.pack(object.to_h)", variant:, object:, check:)
          end,
            decode: [contestant("type.from_h(::MessagePack.unpack(input, symbolize_keys: true))",
                                type: root, input:, bytes: input.bytesize, check: method(:same?))] }
        end

        private

        def define(records) = Plain.classes(records, Plain::READERS)
      end

      PEERS = [Mapped, MessagePackGem].freeze
      PARTS = %w[listing].freeze

      # The required multiples of the gem's speed, by operation and variant.
      DEMANDS = { [:encode, "readers"] => 6, [:encode, "methods"] => 4, [:decode, "keywords"] => 3.3,
                  [:decode, "allocate"] => 6 }.freeze

      # @return [Array<Bars::Bar>]
      def bars
        DEMANDS.map do |(operation, variant), factor|
          ours = group(operation).of(Group::OURS, variant:).first
          gems = group(operation).of(MessagePackGem.title)
          gem  = gems.find { |result| result.contestant.variant == variant } || gems.first
          at_least("#{operation} by #{variant} against msgpack", factor, gem&.ratio(ours))
        end
      end
    end
  end
end
