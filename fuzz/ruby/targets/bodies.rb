# frozen_string_literal: true

require_relative "../target"

module Fuzzing
  # A list in a body is what its elements are that stand alone, or refused where one of them is. Headers of any bytes name a
  # wire or none.
  class Bodies < Target
    MEDIA = Sparpack::Media
    LISTS = MEDIA::Lists
    BODIES = MEDIA::Bodies
    HEADERS = [*MEDIA::TYPES.values.flatten, "*/*", "application/*", "a/b+json", ",", ";", "q=0.5", "q=0", "=", '"', "\\",
               " "].freeze
    private_constant :MEDIA, :LISTS, :BODIES, :HEADERS

    # @param form [Symbol]
    def initialize(form)
      super()
      @form = form
      @wire, = FORMS.fetch(form)
    end

    def run(choices)
      header(choices)
      struct_class = Schemas.pick(choices)
      codec = codec(struct_class, @form) or return :unfit
      payloads = Array.new(choices.rand(4)) { payload(choices, struct_class, @form).b }
      body = Payload.damaged(choices, LISTS.join(payloads, @wire).b)
      read(codec, body, payloads)
    end

    private

    def header(choices)
      text = Array.new(choices.rand(8)) { choices.pick(HEADERS) }.join
      [text, choices.rand(4).zero? ? choices.rest : text].each do |bytes|
        [MEDIA.wire(bytes), MEDIA.choose(bytes)].each do |wire|
          find("no wire", bytes, wire) unless wire.nil? || Sparpack::WIRES.include?(wire)
        end
      end
    end

    def read(codec, body, payloads)
      list = outcome { [BODIES.decode(body, [codec], @wire, {})] }
      alone = outcome { [elements(codec, body, payloads)] }
      return :refused if list.size == 2 && (alone.size == 2 || stricter?(list)) # a class and a message

      find("read in two ways", body, list, alone) unless list.size == 1 && alone.size == 1 && same?(codec, list[0], alone[0])
      again(codec, list[0])
    end

    # What the limits allow to each element, they need not allow to all. And a stream of JSON need not be an array.
    def stricter?(refused)
      refused.first == Sparpack::DecodeError::LimitExceeded || refused.last.start_with?("list: expected an array")
    end

    # MessagePack has no stream that is an array, so the elements are those of the body as it was made.
    def elements(codec, body, payloads)
      return codec.decode_each(body).to_a unless @wire == :message_pack
      return payloads.map { |payload| codec.decode(payload) } if body == LISTS.join(payloads.dup, @wire).b

      BODIES.decode(body, [codec], @wire, { freeze: true })
    end

    def same?(codec, one, other) = written(codec, one) == written(codec, other)

    # An object that was read need not be one that can be written: an enum may lack a name.
    def written(codec, list) = list.map { |object| outcome { codec.encode(object) } }

    def again(codec, list)
      bytes = outcome { BODIES.encode(list, @wire, codec.options) }
      return :unwritten if bytes.is_a?(Array)

      back = BODIES.decode(bytes, [codec], @wire, {})
      find("it does not come back", bytes) unless same?(codec, back, list)
      :read
    end
  end
end
