# frozen_string_literal: true

module Sparpack
  module Rails
    # Finds the codec of a struct class by its name, for what keeps structs of any class: caches and jobs. Unknown fields and
    # any text are kept.
    #
    # @api private
    module StructNames
      # What every entry of a cache begins with: see {CacheSerializer}.
      MARK = "\x04\bc\x11Sparpack::V1".b.freeze

      OPTIONS = { unknown: :keep, utf8: :keep }.freeze
      MOST_BYTES = 255
      NAME = Module.instance_method(:name)
      private_constant :OPTIONS, :MOST_BYTES, :NAME

      # A class that no name finds again.
      class Unnamed < ArgumentError
        # @return [Class]
        attr_reader :unnamed

        def initialize(message, unnamed)
          super(message)
          @unnamed = unnamed
        end
      end

      @codecs = {}

      class << self
        # @param klass [Class] of a struct, union or exception
        # @return [Array(Codec, String, String)] its codec; its name; and what its entries in a cache begin with
        # @raise [Unnamed] if the class cannot be found by a name
        def of(klass)
          known = klass.instance_variable_get(:@codec_and_name)
          return known if known && known.first.struct_class.equal?(klass) # a copied class has the variables of the original

          name = name_of(klass)
          found = [codec_of(klass), name, head(name)].freeze
          klass.instance_variable_set(:@codec_and_name, found) unless klass.frozen? || !Native.main_ractor?
          found
        end

        # Looks a class up now, because it may have been reloaded since the last time.
        #
        # @param name [String]
        # @return [Codec]
        # @raise [NameError] if there is no such class of structs, unions or exceptions
        def codec(name)
          known = @codecs[name]
          check(name) unless known
          klass = constant(name)
          return known if known && known.struct_class.equal?(klass)
          unless klass.is_a?(Class) && Declared.shape(klass) && NAME.bind_call(klass) == name
            raise NameError.new("#{Quote.plain(name)} is no class of structs", name)
          end

          @codecs[name] = of(klass).first
        end

        private

        # The name comes from a cache or a queue. Ruby's own messages would show all of it, control characters included.
        def check(name)
          # Ruby 3.1 may crash if garbage is collected while it refuses such a name.
          raise NameError, "the name of a class is not valid text" unless name.valid_encoding?
          return if name.bytesize <= MOST_BYTES && !Quote.utf8(name).match?(Quote::HIDDEN)

          raise NameError.new("#{Quote.value(name)} is no name of a class", name)
        end

        # It may be the name of an autoload whose file or gem is not there.
        def constant(name)
          Object.const_get(name)
        rescue LoadError => e
          raise NameError.new("#{name} cannot be loaded: #{e.message}", name)
        end

        def head(name) = "#{MARK}\x01".b.concat(name.bytesize, name.b).freeze

        def codec_of(klass) = DefaultCodec.reader(klass, [:compact], OPTIONS)

        def name_of(klass)
          name = NAME.bind_call(klass)
          raise Unnamed.new("a class without a name cannot be found again", klass) if name.nil? || name.start_with?("#<")
          raise Unnamed.new("a name of more than #{MOST_BYTES} bytes is too long", klass) if name.bytesize > MOST_BYTES

          name.encode(Encoding::UTF_8)
        end
      end
    end
  end
end
