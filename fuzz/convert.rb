# frozen_string_literal: true

require "sparpack"
require_relative "driver/seconds"
require_relative "../test/support/random_schema"

# Converts payloads of random classes between all wires, as they are and mutated, with random options and limits. The result
# must be what a decode and an encode give: the same bytes, or the same error.
#
#     ruby -Ilib fuzz/convert.rb [SECONDS [SEED]]
class ConvertFuzzer
  FORMS = [[:compact, {}], [:binary, {}], [:json, {}], [:json, { i64: :string }], [:json, { enums: :names }],
           [:thrift_json, {}], [:message_pack, { keys: :array }], [:message_pack, { keys: :names }],
           [:message_pack, { keys: :ids }]].freeze

  # Bytes that mean something in one of the wires.
  TELLING = [0x00, 0x01, 0x02, 0x0c, 0x0f, 0x19, 0x1b, 0x7f, 0x80, 0xc0, 0xf9, 0xff, *'{}[],:"\un-0.e '.bytes].freeze

  LIMITS = { memory: 40..3000, depth: 1..6, string: 1..30, container: 1..30 }.freeze

  # @return [Hash{Symbol => Integer}] how many cases had each outcome, and how many were converted without objects
  attr_reader :counts

  # @param random [Integer, Random] a seed, or what decides
  def initialize(random)
    @random = random.is_a?(Integer) ? Random.new(random) : random
    @schema = RandomSchema.new(@random)
    @counts = Hash.new(0)
  end

  # Tries one class.
  #
  # @return [void]
  # @raise [RuntimeError] with the payload, if something went wrong
  def step
    struct_class = @schema.struct_class
    codecs = FORMS.filter_map { |wire, options| codec(struct_class, wire, options) }
    object = @schema.object(struct_class)
    codecs.product(codecs) do |from, to|
      bytes = encoded(from, object) or next
      converter = Sparpack::Converter.new(struct_class, from:, to:)
      [bytes, *Array.new(3) { mutate(bytes) }].each do |payload|
        check(converter, payload)
        @counts[:fused] += 1 if Sparpack::Native.convert_payload(converter, payload, 0)
      end
    end
  end

  # @param converter [Sparpack::Converter]
  # @param bytes [String]
  # @return [Symbol] the outcome
  # @raise [RuntimeError] if it is not what a decode and an encode give
  def check(converter, bytes)
    converted = outcome { converter.convert(bytes) }
    expected  = outcome { converter.to.encode(converter.from.decode(bytes)) }
    expected  = converted if too_long?(expected[0], converter, bytes) && converted[0] == Sparpack::DecodeError::LimitExceeded
    if converted != expected || too_long?(converted[0], converter, bytes)
      raise "#{converter.inspect}: #{converter.from.options}, #{converter.to.options}\n--- #{bytes.inspect}\n" \
            "--- converted: #{converted.inspect}\n--- expected: #{expected.inspect}"
    end

    (converted[0].is_a?(String) ? :converted : :refused).tap { |outcome| @counts[outcome] += 1 }
  end

  private

  # What a converter writes is limited as the objects are that a decode makes.
  def too_long?(result, converter, bytes)
    memory = converter.from.options[:limits]&.memory || ((16 << 20) + (64 * bytes.bytesize))
    result.is_a?(String) && result.bytesize > memory
  end

  def outcome
    bytes = yield
    [bytes, bytes.encoding]
  rescue Sparpack::Error => e
    [e.class, e.message]
  end

  def codec(struct_class, wire, options)
    Sparpack::Codec.new(struct_class, wire, **options, limits:, unknown: pick(%i[keep skip reject]),
                                                       validate: pick(%i[none normal strict recursive]))
  rescue Sparpack::SchemaError
    nil # ids that are too far apart for an array
  end

  def limits
    return Sparpack::Limits.new if @random.rand(2).zero?

    name, range = pick(LIMITS.to_a)
    Sparpack::Limits.new(name => @random.rand(range))
  end

  # Limits hold when writing, too.
  def encoded(codec, object)
    codec.encode(object)
  rescue Sparpack::EncodeError
    nil
  end

  def pick(values) = values.sample(random: @random)

  def mutate(bytes)
    bytes = bytes.b
    (1 + @random.rand(3)).times { bytes = change(bytes) unless bytes.empty? }
    bytes
  end

  def change(bytes)
    at = @random.rand(bytes.bytesize)
    before = bytes.byteslice(0, at)
    case @random.rand(5)
    when 0 then before
    when 1 then before + bytes.byteslice(at, @random.rand(20)) + bytes.byteslice(at..)
    when 2 then before + bytes.byteslice((at + 1 + @random.rand(4))..).to_s
    when 3 then before + pick(TELLING).chr.b + bytes.byteslice((at + 1)..)
    else before + @random.bytes(1) + bytes.byteslice((at + 1)..)
    end
  end
end

Seconds.run(ConvertFuzzer, ARGV) if $PROGRAM_NAME == __FILE__
