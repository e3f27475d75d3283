# frozen_string_literal: true

require_relative "../../../test/support/waterdrop"
require "sparpack/karafka"
require_relative "../target"

module Fuzzing
  # Payloads, keys and headers of Kafka's records are what a codec reads of them, or are refused by a DecodeError that says
  # which record it was. Karafka itself is not needed.
  class Records < Target
    Message = ::Struct.new(:raw_payload, :raw_key, :raw_headers) do
      def topic = "orders"
      def partition = 3
      def offset = 1042
    end

    KARAFKA = Sparpack::Karafka
    MEDIA = Sparpack::Media
    FRAMES = [nil, nil, :varint, :framed].freeze
    SCALARS = %i[i32 i64 string uuid].freeze
    UUID = "00112233-4455-6677-8899-AABBCCDDEEFF"
    TEXTS = ["", "0", "-7", "007", "-0", "+1", "1_000", "5\n", "\n5", "9" * 19, "9" * 30, "2147483648", SECRET, "\xFF",
             "\u202E", "5".encode("UTF-16LE"), UUID, UUID.b, "#{UUID}\n", "\0\0\0\5", "\xFF" * 8, "\x80" * 16].freeze
    NAMES = ["number", "text", "type", "content-type", "", "\xFF", "\e[2J", "n" * 300].freeze

    # What a header says of the class. Only the first one is known.
    CLASSES = ["one", "one", "one", "One", "", nil, "\xFF", "\e[2J\u202E", "n" * 300].freeze
    CONTENT_TYPES = [nil, *MEDIA::TYPES.values.flatten, "text/html", "\e[2J", ";", "\xFF"].freeze
    private_constant :Message, :KARAFKA, :MEDIA, :FRAMES, :SCALARS, :UUID, :TEXTS, :NAMES, :CLASSES, :CONTENT_TYPES

    def run(choices)
      struct_class = Schemas.pick(choices)
      scalars(choices, struct_class)
      form = choices.pick(FORMS.keys)
      options = { unknown: choices.pick(UNKNOWN), mismatch: choices.pick(%i[raise skip]) }
      codec = codec(struct_class, form, **options) or return :unfit
      frame = choices.pick(FRAMES)
      strip = choices.pick([0, 0, 5])
      headers = { "type" => several(choices, CLASSES), "content-type" => several(choices, CONTENT_TYPES) }
      deserializer = deserializer(choices, codec, frame:, strip:)
      each_damaged(choices, made(choices, struct_class, form, frame, strip)) do |bytes|
        payload(deserializer, Message.new(bytes, nil, headers), codec, frame, strip)
      end
    end

    private

    # A header that comes several times has an Array, and the last one counts.
    def several(choices, list) = choices.chance(0.2) ? Array.new(2) { choices.pick(list) } : choices.pick(list)

    # @return [Array] the deserializer, and whether it looks at the headers
    def deserializer(choices, codec, **options)
      header = choices.chance(0.3)
      media = choices.chance(0.3)
      target = header ? { "one" => codec } : codec
      [KARAFKA.payload(target, codec.wire, media:, **options, **(header ? { header: "type" } : {})), header, media]
    end

    def made(choices, struct_class, form, frame, strip)
      payloads = Array.new(choices.pick([1, 1, 1, 0, 2])) do
        framed(Payload.new(choices, struct_class).on(form), frame)
      end
      ("\0" * strip).b + payloads.join
    end

    def payload((deserializer, header, media), message, codec, frame, strip)
      ours = called(message) { deserializer.call(message) }
      said, type = %w[type content-type].map { |name| Array(message.raw_headers[name]).last }
      wire = media && type ? MEDIA.wire(type) : codec.wire
      wire = nil if header && said != "one"
      theirs = wire && by_hand(codec, wire, frame, message.raw_payload.byteslice(strip..) || "")
      find("it is not what the codec reads", codec, message, ours, theirs) unless ours.inspect == theirs.inspect
      ours ? :read : :refused
    end

    # @return [Array<Value>, nil] nil if the codec refuses it, or there is more or less than one payload
    def by_hand(codec, wire, frame, bytes)
      codec = MEDIA::Bodies.codec(codec, wire, {}) unless wire == codec.wire
      read = frame ? codec.decode_each(bytes, frame:).to_a : [codec.decode(bytes)]
      read if read.size == 1
    rescue Sparpack::DecodeError
      nil
    end

    # @return [Array, nil] what was read, or nil if it was refused
    def called(message)
      [yield]
    rescue Sparpack::DecodeError => e
      keeps_secrets(e, message)
      find("it does not say the record", e, message) unless e.is_a?(KARAFKA::Record) && e.record_offset == message.offset
      find("hidden characters in a message", e, message) if e.message.match?(Sparpack::Quote::HIDDEN)
      nil
    end

    # --- keys and headers --------------------------------------------------------------------------------------------------

    def scalars(choices, struct_class)
      type = choices.pick([*SCALARS, struct_class])
      bytes = choices.chance(0.5)
      text = choices.chance(0.3) ? payload_of(choices, struct_class) : choices.pick(TEXTS)
      message = Message.new(nil, text, { choices.pick(NAMES) => several(choices, TEXTS), "number" => text })
      key = called(message) { KARAFKA.key(type, bytes:).call(message) }
      fits(type, text, bytes, *key) if key
      headers = called(message) { KARAFKA.headers({ "number" => type, "text" => :string }, bytes:).call(message) }
      return unless headers && !message.raw_headers["number"].is_a?(Array)

      found = headers.first.fetch("number")
      find("the header differs from the key", message, found, key) unless key && found.inspect == key.first.inspect
    end

    def payload_of(choices, struct_class) = Payload.damaged(choices, Payload.new(choices, struct_class).on(:compact).b)

    def fits(type, text, bytes, found)
      right = case type
              when :string then found.encoding == Encoding::UTF_8 && found.valid_encoding? && found.b == text.b
              when :uuid then found.match?(/\A\h{8}(-\h{4}){3}-\h{12}\z/) && found == found.downcase
              when :i32, :i64 then integer?(type, text, bytes, found)
              else found.is_a?(type)
              end
      find("it was read otherwise", type, text, found) unless right
    end

    def integer?(type, text, bytes, found)
      return [found.to_s, "-0"].include?(text) unless bytes

      [found].pack(type == :i32 ? "l>" : "q>") == text.b
    end
  end
end
