# frozen_string_literal: true

require "active_model"

module Sparpack
  module Rails
    # The type of attributes that hold structs, which is registered as `:sparpack`. docs/rails.md has its rules.
    #
    # @example
    #   class Invoice < ApplicationRecord
    #     attribute :order, :sparpack, of: "Shop::Order", unknown: :keep
    #   end
    class Type < ::ActiveModel::Type::Value
      # The bytes of a payload for a binary column.
      #
      # @api private
      class Bytes < ::ActiveModel::Type::Binary::Data
        def initialize(bytes) # rubocop:disable Lint/MissingSuper -- it would only look at the encoding
          @value = bytes
        end

        # In YAML they are a binary String, which may be loaded without permission.
        #
        # @param coder [Psych::Coder]
        # @return [void]
        def encode_with(coder) = coder.represent_scalar("!binary", [@value].pack("m0"))
      end

      # Reads the bytes of a binary column.
      #
      # @api private
      class Column < ::ActiveModel::Type::Binary
        def initialize(row)
          super()
          @row = row
        end

        def deserialize(raw) = raw && @row.bytes(raw)
      end
      private_constant :Column

      OWN = %i[of wire reads coerce].freeze
      private_constant :OWN

      # Makes the type. Active Record and Active Model do so when a class declares an attribute.
      #
      # @param of [Class, Mapping, Codec, String] the class of the objects, a mapping, a codec, whose options count, or the
      #   name of a class, which is looked up again after a reload
      # @param wire [Symbol, nil] what is written; nil for that of the codec, or `:compact`. The wires `:json` and
      #   `:thrift_json` need a column of text or JSON, the others a binary one
      # @param reads [Array<Symbol>, Symbol] other wires that are read, too. `:json` reads what `serialize coder: JSON`
      #   wrote. If one of them is not text, text is written as bytes, too
      # @param coerce [Boolean] whether the values of a Hash are read from text, as {Declaration#from_h} does
      # @param options [Hash] as {Codec#initialize} takes them
      # @raise [ArgumentError] for an unknown option or wire, or if `of` is no class
      # @example
      #   Sparpack::Rails::Type.new(of: "Shop::Order", wire: :json)
      def initialize(of:, wire: nil, reads: [], coerce: true, **options)
        super()
        @target = Target.new(of, wire, reads, options, own: OWN)
        @assigned = Assigned.new(@target, coerce)
        @row = Row.new(@target)
        @text = ([@target.wire, *reads] - Native::TEXT_WIRES).empty? # what else may be there needs a binary column
        @identity = [*@target.identity, coerce].freeze
      end

      # Marshal dumps records with the types of their attributes, unless Rails is told otherwise.
      #
      # @return [Array]
      # @api private
      def marshal_dump = @identity

      # @param dump [Array] what {#marshal_dump} returned
      # @return [void]
      # @api private
      def marshal_load(dump)
        of, wire, reads, options, coerce = dump
        initialize(of:, wire:, reads:, coerce:, **options)
      end

      # @return [Symbol] `:sparpack`
      def type = :sparpack

      # @param coder [Psych::Coder]
      # @return [void]
      # @api private
      def encode_with(coder)
        coder["attribute"] = @identity
      end

      # @param coder [Psych::Coder]
      # @return [void]
      # @api private
      def init_with(coder) = marshal_load(coder["attribute"])

      # Tells Active Record not to show the bytes in its log.
      #
      # @return [Boolean]
      def binary? = !@text

      # @return [Boolean] true, so that changes inside an object are found
      def mutable? = true

      # @return [Boolean] true, so that a condition keeps what the object is now
      # @api private
      def serialized? = true

      # @return [ActiveModel::Type::Value] what the encryption of Active Record 8 asks a type that is {serialized?}
      # @api private
      def subtype = Column.new(@row)

      # Makes an object of what was assigned.
      #
      # @param value [Object]
      # @return [Value, nil]
      # @raise [ConversionError, DecodeError] as {assert_valid_value}
      def cast(value) = value.nil? ? nil : @assigned.object(value)

      # Raises what an assignment raises.
      #
      # @param value [Object]
      # @return [void]
      # @raise [ConversionError] for a name that is not a field, or an object of another class
      # @raise [DecodeError] for text that is not JSON
      # @raise [ActiveModel::ForbiddenAttributesError] for parameters that are not permitted
      def assert_valid_value(value)
        @assigned.check(value) unless value.nil?
        nil
      end

      # @param value [Object] an object of the class, or what may be assigned
      # @return [ActiveModel::Type::Binary::Data, String, nil] what the column holds
      # @raise [EncodeError] if the object cannot be encoded
      def serialize(value)
        codec = @target.codec
        value = cast(value) unless codec.struct_class === value # rubocop:disable Style/CaseEquality -- a mapping, too
        return if value.nil?

        bytes = codec.encode(value)
        @text ? bytes : Bytes.new(bytes)
      end

      # @param value [Value, nil]
      # @return [ActiveModel::Type::Binary::Data, String, nil]
      # @api private
      def serialize_cast_value(value)
        return if value.nil?

        bytes = @target.codec.encode(value)
        @text ? bytes : Bytes.new(bytes)
      end

      # @param raw [String, ActiveModel::Type::Binary::Data, nil] what the column holds. It may also be an object or a Hash,
      #   because `order_changed?(from: order)` asks so
      # @return [Value, nil]
      # @raise [DecodeError] if it cannot be read
      def deserialize(raw)
        return if raw.nil?

        !raw.instance_of?(::String) && object?(raw) ? cast(raw) : @row.object(raw)
      end

      # Tells whether an object has changed since it was read or saved. It has if its bytes differ and its value does, too.
      # So it has not if an older version of the program wrote it, if a set has another order, or if the database writes JSON
      # in another way. An object that cannot be encoded has changed.
      #
      # @param raw [String, ActiveModel::Type::Binary::Data, nil]
      # @param value [Value, nil]
      # @return [Boolean]
      def changed_in_place?(raw, value)
        return !(raw.nil? && value.nil?) if raw.nil? || value.nil?

        bytes = @target.codec.encode(value)
        @row.bytes(raw) != bytes && differs?(raw, bytes, value)
      rescue Error
        true
      end

      # What `store_accessor` asks for.
      #
      # @return [void]
      # @raise [ArgumentError] always: it is for Hashes
      # @api private
      def accessor
        raise ArgumentError, "store_accessor is for Hashes, and this attribute holds #{@target}: use " \
                             "`delegate :field, :field=, to: :attribute` instead"
      end

      # Finds what is wrong with an object.
      #
      # @param value [Value, Object]
      # @param mode [Symbol] as {Value#errors} takes it
      # @return [Array<Error>]
      # @api private
      def faults(value, mode)
        return Sparpack.errors(value, mode) if value.is_a?(Value)

        @target.codec.encode(value) # an object of a plain class
        []
      rescue EncodeError => e
        [e]
      end

      # @return [Boolean] whether the other type has the same class, wire and options
      def ==(other) = other.class == self.class && other.identity == @identity
      alias eql? ==

      # @return [Integer]
      def hash = @identity.hash

      # @return [String]
      def inspect = "#<#{self.class} #{@target} #{@target.wire}>"

      protected

      attr_reader :identity

      private

      # Neither is ever in a column.
      def object?(raw) = raw.is_a?(Value) || raw.is_a?(::Hash) || @target.klass === raw # rubocop:disable Style/CaseEquality

      # Active Record asks several times while it saves a record, and each time the old value would be decoded again.
      def differs?(raw, bytes, value)
        known_raw, known_bytes, differs = @compared
        return differs if known_raw.equal?(raw) && known_bytes == bytes

        differs = deserialize(raw) != value
        @compared = [raw, bytes, differs].freeze unless frozen? # other threads may look at it
        differs
      end
    end
  end
end
