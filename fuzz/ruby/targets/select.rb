# frozen_string_literal: true

require "sparpack/cli"
require "stringio"
require_relative "../target"
require_relative "../../../test/support/columns_by_hand"
require_relative "../../../test/support/trickle"

module Fuzzing
  # What `sparpack select` writes is what a decode of all payloads, a test of each object, and a copy of its bytes give, also
  # in front of a fault.
  class Select < Target
    Structs = Sparpack::CLI::Structs

    TESTS = { "==" => :==, "!=" => :!=, "<" => :<, "<=" => :<=, ">" => :>, ">=" => :>=, "contains" => :include?,
              "starts_with" => :start_with?, "ends_with" => :end_with? }.freeze
    PRESENCE = { "is nil" => :==, "== nil" => :==, "is not nil" => :!=, "!= nil" => :!= }.freeze
    private_constant :Structs, :TESTS, :PRESENCE

    # A condition, and how to test it otherwise.
    Wanted = Struct.new(:text, :path, :test, :value) do
      def match?(object)
        found = [ColumnsByHand.value(object, path)]
        path.count(ColumnsByHand::ANY).times { found = found.compact.flatten(1) }
        found.any? { |each| each.nil? && test != :== && test != :!= ? false : each.public_send(test, value) }
      end
    end

    # @param form [Symbol] one of FORMS
    def initialize(form)
      super()
      @form = form
    end

    def run(choices)
      struct_class = Schemas.pick(choices)
      codec(struct_class, @form) or return :unfit
      codec = Structs::Stream.codec(struct_class, FORMS.fetch(@form).first, unknown: :skip)
      made = Array.new(1 + choices.rand(4)) { Payload.new(choices, struct_class).on(@form).b }
      wanted = wanted(choices, codec, made.first) or return :unfit
      limit = choices.rand(4) if choices.chance(0.2)
      each_damaged(choices, made.join) do |bytes|
        size = choices.chance(0.5) ? bytes.bytesize + 1 : 1 + choices.rand(50)
        expected = by_hand(codec, bytes, size, wanted, limit)
        found = selected(codec, Trickle.new(bytes, size), wanted, limit)
        find("another selection", codec, bytes, wanted.map(&:text), limit, expected, found) unless expected == found
        expected.last ? :refused : :read
      end
    end

    private

    # Some conditions that fit the class, often with a value of the first payload.
    def wanted(choices, codec, bytes)
      object = codec.decode(bytes)
      found = Array.new(1 + choices.rand(3)) { condition(choices, object) }.compact
      found unless found.empty?
    rescue Sparpack::DecodeError
      nil
    end

    def condition(choices, object)
      path = ColumnsByHand.path(object, choices)
      path_text = ColumnsByHand.text(path) or return
      type = ColumnsByHand.type(object.class, path)
      value = [ColumnsByHand.value(object, path)]
      path.count(ColumnsByHand::ANY).times { value = value.compact.flatten(1) }
      operator, text = comparison(choices, type, value[choices.rand(value.size)]) unless value.empty?
      unless operator
        word = choices.pick(PRESENCE.keys)
        return Wanted.new("#{path_text} #{word}", path, PRESENCE.fetch(word), nil)
      end
      Wanted.new("#{path_text} #{operator} #{text}", path, TESTS.fetch(operator), value_of(type, text))
    end

    # An operator and a value as text, if one fits the type.
    def comparison(choices, type, value)
      case type.kind
      when :bool then [choices.pick(%w[== !=]), [true, false].include?(value) ? value.to_s : "true"]
      when :i8, :i16, :i32, :i64, :enum then [choices.pick(TESTS.keys.first(6)), (value || 0).to_s]
      when :double then [choices.pick(TESTS.keys.first(6)), value&.finite? ? value.to_s : "0.5"]
      when :string, :binary then [choices.pick(TESTS.keys), quoted(part(choices, value || ""))]
      when :uuid then [choices.pick(TESTS.keys.first(6)), quoted(value || "00112233-4455-6677-8899-aabbccddeeff")]
      end
    end

    def part(choices, text) = choices.chance(0.5) ? text : text[0, choices.rand(3)]

    def quoted(text) = "\"#{text.each_byte.map { |byte| format("\\x%02x", byte) }.join}\""

    def value_of(type, text)
      case type.kind
      when :bool then text == "true"
      when :double then Float(text)
      when :string, :uuid then unquoted(text).force_encoding("UTF-8")
      when :binary then unquoted(text)
      else Integer(text)
      end
    end

    def unquoted(text) = [text.delete("\"").gsub("\\x", "")].pack("H*")

    def by_hand(codec, bytes, size, wanted, limit)
      found = []
      error = nil
      ranges = codec.each_range(Trickle.new(bytes, size))
      begin
        codec.decode_each(Trickle.new(bytes, size)) do |object|
          break if found.size == limit

          range = ranges.next
          found << bytes.byteslice(range) if wanted.all? { |each| each.match?(object) }
        end
      rescue Sparpack::DecodeError => e
        keeps_secrets(e)
        error = [e.class, e.message] unless found.size == limit
      end
      found.map!(&:strip) if codec.wire == :json
      [found.join.b, error]
    end

    def selected(codec, io, wanted, limit)
      form = Structs::Selection::Form.new(codec.wire, nil)
      conditions = wanted.map { |each| Structs::Condition.new(each.text, codec.struct_class) }
      selection = Structs::Selection.new(codec.struct_class, conditions, from: form, to: form, limit:)
      target = StringIO.new("".b)
      begin
        selection.run(Structs::Reading.new(io), target)
      rescue Sparpack::DecodeError => e
        error = [e.class, e.message]
      end
      [target.string, error]
    end
  end
end
