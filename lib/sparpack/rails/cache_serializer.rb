# frozen_string_literal: true

require "active_support"
require "active_support/cache"

module Sparpack
  module Rails
    # Serializes the entries of Rails' caches: structs, Arrays and Hashes of them, MessagePack's values, and the common
    # classes of Ruby and Active Support. docs/rails.md lists them, and describes the bytes.
    #
    # The class itself is a serializer, which reads the entries of Rails' own ones, too.
    #
    # @example In config/environments/production.rb:
    #   config.cache_store = :redis_cache_store, { serializer: Sparpack::Rails::CacheSerializer }
    # @example When no entry of Rails' serializers is left
    #   config.cache_store = :redis_cache_store, { serializer: Sparpack::Rails::CacheSerializer.new(reads: []) }
    class CacheSerializer
      # What every entry begins with. For Marshal, it is a class that does not exist, so processes without this serializer
      # see a miss.
      MARK = StructNames::MARK

      # Raised for a value that no entry can hold. It says where in the value that is.
      class Unsupported < Sparpack::Error
        # @return [Object] the value
        # @api private
        attr_accessor :value
      end

      # What stands before a value that is no object.
      VALUE = "#{MARK}\x02".b.freeze

      # How Rails names its own serializers, and what their entries begin with.
      # rubocop:disable Naming/VariableNumber
      RAILS = {
        marshal: { "\x04\b" => :marshal_7_1, "\0" => :marshal_7_0, "\x01" => :marshal_7_0 },
        message_pack: { "\xCC\x80".b => :message_pack }
      }.freeze
      WRITERS = { marshal: :marshal_7_1, message_pack: :message_pack }.freeze
      # rubocop:enable Naming/VariableNumber
      TYPES = CacheTypes.factory(->(value) { raise(Unsupported.new.tap { |error| error.value = value }) })
      private_constant :VALUE, :RAILS, :WRITERS, :TYPES

      class << self
        # Does the same as {#dump} of a serializer that was made without options.
        #
        # @param value [Object]
        # @return [String]
        # @raise [Unsupported, EncodeError] as {#dump}
        # @example
        #   Sparpack::Rails::CacheSerializer.dump([order])
        def dump(value) = DEFAULT.dump(value)

        # Does the same as {#load} of a serializer that was made without options.
        #
        # @param bytes [String]
        # @return [Object]
        # @raise [ActiveSupport::Cache::DeserializationError] as {#load}
        # @example
        #   Sparpack::Rails::CacheSerializer.load(bytes)
        def load(bytes) = DEFAULT.load(bytes)
      end

      # Makes a serializer.
      #
      # @param reads [Array<Symbol>] which entries of Rails' serializers are read: `:marshal`, `:message_pack`. All others
      #   are a miss
      # @param writes [Symbol] `:sparpack`, or `:marshal` or `:message_pack` to write what Rails' serializers write while
      #   older processes still run
      # @param other [Symbol] what happens to a value that no entry can hold: `:raise`, or `:marshal` to write it as Rails'
      #   default serializer does
      # @raise [ArgumentError] for anything else, or if values are written that are not read
      # @example
      #   Sparpack::Rails::CacheSerializer.new(reads: [], other: :raise)
      def initialize(reads: %i[marshal message_pack], writes: :sparpack, other: :raise, **unknown)
        Options.refuse(unknown, method(:initialize)) unless unknown.empty?
        @reads = check_reads(reads)
        @writes = one_of(writes, [:sparpack, *WRITERS.keys], "writes")
        @other = one_of(other, %i[raise marshal], "other")
        check_reading("writes: #{Quote.value(writes)}", writes) unless writes == :sparpack
        check_reading("other: :marshal", :marshal) if other == :marshal
        @last = [] # what {StructNames.of} returned
        freeze
      end

      # Makes the bytes of an entry.
      #
      # @param value [Object]
      # @return [String] in ASCII-8BIT
      # @raise [Unsupported] for a value that no entry can hold, with its class and its place
      # @raise [EncodeError] for a struct that cannot be encoded
      # @raise [MessagePack::StackError] for more than 128 levels of Arrays and Hashes, or for one that holds itself
      # @raise [EncodingError] for text that cannot become UTF-8
      # @example
      #   serializer.dump({ order:, paid_at: Time.now })
      def dump(value)
        return rails(WRITERS[@writes]).dump(value) unless @writes == :sparpack
        return dump_object(value) if value.is_a?(Value)

        VALUE + TYPES.dump(value)
      rescue Unsupported, StructNames::Unnamed, MessagePack::StackError, EncodingError => e
        return Marshal.dump(value) if @other == :marshal
        raise unless e.is_a?(Unsupported) || e.is_a?(StructNames::Unnamed)

        raise Unsupported.new(CachePlace.message(value, e)), cause: nil
      end

      # Reads an entry.
      #
      # @param bytes [String]
      # @return [Object]
      # @raise [ActiveSupport::Cache::DeserializationError] if the bytes are no entry, are damaged, or do not fit the class
      #   of their object any more. Rails takes that as a miss
      # @example
      #   serializer.load(serializer.dump(order)) # => order
      def load(bytes)
        return load_other(bytes) unless bytes.is_a?(String) && bytes.start_with?(MARK)

        case bytes.getbyte(MARK.bytesize)
        when 1 then load_object(bytes)
        when 2 then TYPES.load(Native.unlocked(bytes).byteslice(VALUE.bytesize, bytes.bytesize))
        else raise ActiveSupport::Cache::DeserializationError, "an entry of an unknown kind"
        end
      rescue StandardError => e
        raise if e.is_a?(ActiveSupport::Cache::DeserializationError)

        raise ActiveSupport::Cache::DeserializationError, e.message
      end

      private

      def dump_object(object)
        codec, _, head = StructNames.of(object.class)
        Native.encode_behind(codec, object, head)
      end

      # Entries of one class often follow one another.
      def load_object(bytes)
        codec, name, head = @last[0]
        # The head may have names that are not ASCII.
        bytes = Native.unlocked(bytes).b unless bytes.encoding == Encoding::BINARY
        if head && bytes.start_with?(head) && Object.const_get(name).equal?(codec.struct_class)
          return Native.decode_rest(codec, bytes, head.bytesize)
        end

        size = bytes.getbyte(VALUE.bytesize) or raise ActiveSupport::Cache::DeserializationError, "an entry that is cut off"
        begins = VALUE.bytesize + 1
        codec = StructNames.codec(bytes.byteslice(begins, size).force_encoding(Encoding::UTF_8))
        @last[0] = StructNames.of(codec.struct_class)
        Native.decode_rest(codec, bytes, begins + size)
      end

      # Rails returns nil as a hit for what it does not know, so it gets only what it knows.
      def load_other(bytes)
        return bytes if bytes.is_a?(ActiveSupport::Cache::Entry) # of a store that keeps objects

        start = bytes.byteslice(0, 2).b if bytes.is_a?(String)
        format = @reads.find { |known, _| start&.start_with?(known) }&.last
        raise ActiveSupport::Cache::DeserializationError, "an entry of an unknown serializer" unless format

        rails(format).load(bytes)
      end

      def rails(format) = ActiveSupport::Cache::SerializerWithFallback[format]

      def check_reads(reads)
        unless reads.is_a?(Array) && (reads - RAILS.keys).empty?
          raise ArgumentError, "reads: expected an Array of #{RAILS.keys.map { |name| Quote.value(name) }.join(" and ")}, " \
                               "got #{Quote.value(reads)}"
        end

        RAILS.values_at(*reads).reduce({}, :merge).freeze
      end

      def one_of(given, known, name)
        return given if known.include?(given)

        list = known.map { |each| Quote.value(each) }.join(", ")
        raise ArgumentError, "#{name}: expected #{list}, got #{Quote.value(given)}#{Names.hint(given, known)}"
      end

      def check_reading(option, name)
        return if RAILS[name].keys.all? { |start| @reads.key?(start) }

        raise ArgumentError, "#{option} needs reads: [#{Quote.value(name)}]: otherwise its entries would never be found"
      end

      DEFAULT = new
      private_constant :DEFAULT
    end
  end
end
