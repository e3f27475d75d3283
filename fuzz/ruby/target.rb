# frozen_string_literal: true

require "sparpack"
require_relative "choices"
require_relative "payload"
require_relative "schemas"

module Fuzzing
  # Something that should not have happened.
  class Find < StandardError; end

  # What is fuzzed. A target is made once and runs with many inputs.
  class Target
    # The wires and forms by the names of WireWriter, as a codec takes them.
    FORMS = {
      compact: [:compact, {}], binary: [:binary, {}], json: [:json, {}], thrift_json: [:thrift_json, {}],
      message_pack: [:message_pack, {}], message_pack_names: [:message_pack, { keys: :names }],
      message_pack_ids: [:message_pack, { keys: :ids }]
    }.freeze

    VALIDATE = %i[none normal strict recursive].freeze
    UNKNOWN = %i[skip keep reject].freeze

    # No message shows a part of SECRET, or the name of a field that the class does not have (SchemaWriter).
    SECRETS = /unter|2-s|ecre|unknown\d/

    # One part of this many is made of noise.
    NOISE = 16

    # How often the bytes of a payload are damaged anew. To make it takes several times as long as to read it.
    DAMAGES = 4

    # @return [Integer] how many payloads were tried
    attr_reader :payloads

    def initialize
      @payloads = 0
    end

    # Tries one input.
    #
    # @param choices [Choices]
    # @return [Symbol] the outcome, for statistics
    # @raise [Exception] if anything is wrong
    def run(choices) = raise(NotImplementedError)

    private

    # @return [Sparpack::Codec, nil] nil if the ids are too far apart for an array
    def codec(struct_class, form, **options)
      wire, more = FORMS.fetch(form)
      Sparpack::Codec.new(struct_class, wire, **more, **options)
    rescue Sparpack::SchemaError
      raise unless form == :message_pack
    end

    # Tries a payload of the class, whole and damaged in several ways.
    #
    # @yieldparam bytes [String]
    # @return [Symbol] the last outcome
    def each_payload(choices, struct_class, form, &)
      each_damaged(choices, Payload.new(choices, struct_class).on(form).b, &)
    end

    # The same for bytes that were made.
    def each_damaged(choices, made)
      tried = [made] + Array.new(DAMAGES) { Payload.damaged(choices, made, 1 + choices.rand(2)) }
      tried << choices.rest if choices.rand(NOISE).zero?
      @payloads += tried.size
      tried.map { |bytes| yield(bytes.freeze) }.last
    end

    # @return [String] a payload of the class, more or less
    def payload(choices, struct_class, form)
      @payloads += 1
      return choices.rest if choices.rand(NOISE).zero?

      Payload.damaged(choices, Payload.new(choices, struct_class).on(form))
    end

    # @param frame [Symbol, nil] as decode_each takes it
    # @return [String] the bytes in such a frame
    def framed(bytes, frame)
      case frame
      when :varint then CompactWriter.new.varint(bytes.bytesize).b + bytes.b
      when :framed then [bytes.bytesize].pack("L>") + bytes.b
      else bytes.b
      end
    end

    # @return [Array] what a block returned, or the class and message of its error
    def outcome
      yield
    rescue Sparpack::Error => e
      keeps_secrets(e)
      [e.class, e.message]
    end

    # @param error [Sparpack::Error]
    # @param values [Array] what is shown if it tells what a string of the payload holds
    def keeps_secrets(error, *values)
      find("a message shows a string of the payload", error, *values) if error.message.match?(SECRETS)
    end

    def find(what, *values) = raise(Find, [what, *values.map { |value| value.inspect[0, 3000] }].join("\n--- "))
  end
end
