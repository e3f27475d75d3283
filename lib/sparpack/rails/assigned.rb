# frozen_string_literal: true

require "active_model"
require "active_model/forbidden_attributes_protection" # Active Model does not find the error by its name

module Sparpack
  module Rails
    # What is assigned to an attribute, and what becomes of it.
    #
    # @api private
    class Assigned
      BLANK = /\A[[:space:]]*\z/
      KEPT = { unknown: :keep, utf8: :keep }.freeze

      # The most bytes of a text with a fault that hides the rest of it from {Limits}.
      SHORT = 65_536

      # What may be the id of an object, by the types of the field.
      ID = { ::Integer => %i[i8 i16 i32 i64 enum], ::String => %i[string binary uuid] }.freeze
      private_constant :BLANK, :KEPT, :ID, :SHORT

      # @param target [Target]
      # @param coerce [Boolean]
      def initialize(target, coerce)
        unless [true, false].include?(coerce)
          raise ArgumentError, "coerce: expected true or false, got #{Quote.value(coerce)}"
        end

        @target = target
        @coerce = coerce
      end

      # Makes an object, as {object} does, and keeps it for the call of {object} that follows.
      #
      # @param value [Object]
      # @return [void]
      def check(value)
        return if @target.klass === value # rubocop:disable Style/CaseEquality -- a mapping, too

        object = object(value)
        ::Thread.current[:sparpack_assigned] = [self, value, value.dup, object]
      end

      # @param value [Object]
      # @return [Value, nil]
      # @raise [ConversionError, DecodeError, ActiveModel::ForbiddenAttributesError]
      def object(value)
        klass = @target.klass
        return value if klass === value # rubocop:disable Style/CaseEquality -- a mapping, too

        checked(value) { convert(value, klass) }
      end

      private

      # It is given away only once, because two records must not share it, and only if the value is still what it was.
      def checked(value)
        assigned, checked, copy, object = ::Thread.current[:sparpack_assigned]
        return yield unless assigned.equal?(self) && checked.equal?(value)

        ::Thread.current[:sparpack_assigned] = nil
        copy == value ? object : yield
      end

      def convert(value, klass)
        case value
        when Bound then object(value.object)
        when ::Hash then from_h(value, klass)
        when ::String then text(value, klass)
        when Value then older(value, klass)
        else
          raise wrong(value, klass) unless value.respond_to?(:permitted?) && value.respond_to?(:to_h)
          raise ::ActiveModel::ForbiddenAttributesError unless value.permitted?

          from_h(value.to_h, klass)
        end
      end

      def from_h(hash, klass)
        raise wrong(hash, klass) if klass.is_a?(Mapping)

        Keeping.object(klass, hash, coerce: @coerce)
      end

      def text(text, klass)
        text = utf8(text)
        return if text.match?(BLANK)

        @target.reader(:json).decode(text)
      rescue DecodeError::TypeMismatch, DecodeError::OutOfRange, DecodeError::MissingField, DecodeError::Malformed => e
        object_of_text(text, klass) || raise(hinted(e, text, klass), cause: nil)
      end

      # @return [Value, nil] an object that keeps what does not fit
      def object_of_text(text, klass)
        hash = parse(text) if @coerce && !klass.is_a?(Mapping) && admitted?(text)
        Keeping.object(klass, hash, skip: !@target.rejects_unknown?, json: true) if hash.is_a?(::Hash)
      rescue ConversionError
        raise unless @target.rejects_unknown? # it would show the name
      end

      # The first fault has ended the decode, so nothing behind it has been compared with the limits.
      #
      # @return [Boolean] whether a text has no more faults than values that do not fit, or is short
      # @raise [DecodeError::LimitExceeded]
      def admitted?(text)
        @target.skipping_reader.decode(text) && true
      rescue DecodeError::LimitExceeded
        raise
      rescue DecodeError
        text.bytesize <= SHORT
      end

      # What is no text is no JSON either, and the error says so.
      def utf8(text)
        text = text.encode(Encoding::UTF_8) unless text.encoding == Encoding::BINARY
        text.valid_encoding? ? text : text.b
      rescue EncodingError
        text.b
      end

      # It is JSON already, or only a String in it is wrong.
      def parse(text)
        require "json"
        ::JSON.parse(text)
      rescue ::JSON::ParserError, EncodingError
        nil
      end

      def older(object, klass)
        name = klass.name if klass.is_a?(::Class)
        raise wrong(object, klass) if name.nil? || object.class.name != name

        Codec.new(klass, :compact, **KEPT).decode(Codec.new(object.class, :compact, **KEPT).encode(object))
      rescue EncodeError # it holds what was kept
        Keeping.object(klass, object.to_h(deep: true), coerce: @coerce, skip: true)
      end

      def wrong(value, klass)
        expected = @target.to_s
        found = Quote.plain(::Kernel.instance_method(:class).bind_call(value))
        found = value.to_s if value.is_a?(::Integer) && value.bit_length <= Quote::BITS
        ConversionError.new("expected #{expected}, found #{found}#{hint(value, klass)}", path: expected, expected:, found:)
      end

      # Active Record asks an object for its id before it asks the type.
      def hint(value, klass)
        id = Declared.schema(klass).field_named(:id) if klass.is_a?(::Class) && Declared.shape(klass)
        return unless id && ID.any? { |kind, types| kind === value && types.include?(id.type.kind) } # rubocop:disable Style/CaseEquality

        " (a condition such as where(order: order) takes the id of an object that has one: use Sparpack::Rails.bind(order))"
      end

      def hinted(error, text, klass)
        hint = hint(text, klass)
        hint ? error.exception("#{error.message}#{hint}") : error
      end
    end
  end
end
