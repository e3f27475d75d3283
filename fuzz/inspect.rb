# frozen_string_literal: true

require "json"
require "sparpack"
require_relative "driver/seconds"

# Feeds mutated payloads to the inspector and mutated texts to the assembler. Every payload must be shown as valid text that
# cannot control a terminal and as valid JSON, and its text must become the same bytes again. Every text must become bytes,
# or be refused with its place:
#
#     ruby -Ilib fuzz/inspect.rb [SECONDS [SEED]]
class InspectFuzzer
  module Mood
    extend Sparpack::Enum

    GOOD = 1
    BAD = 2
  end

  class Leaf < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string
  end

  class Node < Sparpack::Struct
    field 1, :flag, :bool
    field 2, :small, :i8
    field 3, :short, :i16
    field 4, :mood, Mood
    field 5, :number, :i64
    field 6, :real, :double
    field 7, :text, :string
    field 8, :bytes, :binary
    field 9, :uuid, :uuid
    field 10, :leaves, list(Leaf)
    field 11, :flags, list(:bool)
    field 12, :ids, set(:i32)
    field 13, :reals, map(:i64, :double)
    field 40, :leaf, Leaf
    field 300, :tags, map(:string, list(:string))
    field 301, :nothing, map(:string, :i32)
  end

  WIRES = Sparpack::Inspector::WIRES

  # What a terminal could obey, or nobody sees.
  HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}&&[^\n]]/
  TEXTS = ["", "Mitte", "Köln\u202E", "a\e[31m\"\\<", "\u0000\u007F\u{E0001}", "x" * 200, "</script>"].freeze
  WORDS = ["{", "}", "[", "]", "key ", "raw 00", "raw 0", "as 00", "before \",\"", "\"", "x\"0\"", "1 i64 5", "list<i8> 9 [",
           "struct {", "nil", "true", "1e400", "-", "\\", "#", "99999999999999999999", " ", "wire json\n", "\n", "int 5",
           "ext 1 \"\"", "uuid 0", "\xFF".b].freeze

  # @return [Hash{Symbol => Integer}] how many cases had each outcome
  attr_reader :counts

  # @param random [Integer, Random] a seed, or what decides
  def initialize(random)
    @random = random.is_a?(Integer) ? Random.new(random) : random
    @counts = Hash.new(0)
  end

  # Tries one payload.
  #
  # @return [void]
  # @raise [RuntimeError] with the payload, if something went wrong
  def step
    wire = WIRES.sample(random: @random)
    bytes = mutate(payload(wire))
    check(Sparpack::Inspector.new(bytes, [nil, Node].sample(random: @random), from: wire))
  rescue StandardError, SystemStackError => e
    raise "#{e.class}: #{e.message}\n#{e.backtrace.first(5).join("\n")}\n--- #{wire} #{bytes.inspect}"
  end

  # Shows a payload in all forms, and assembles it again.
  #
  # @param inspector [Sparpack::Inspector]
  # @return [void]
  # @raise [RuntimeError] if something went wrong
  def check(inspector)
    shown(inspector)
    assembled(inspector)
  end

  private

  def shown(inspector)
    tree = inspector.tree(limit: [nil, 3].sample(random: @random))
    raise "the tree is no safe text: #{tree}" unless tree.valid_encoding? && !tree.match?(HIDDEN)

    *rows, summary = inspector.json.each_line.map { |line| JSON.parse(line) }
    raise "the rows overlap" unless rows.each_cons(2).all? { |a, b| a["offset"] + a["size"] <= b["offset"] }
    raise "no fault" if summary["read"] < inspector.bytes.rstrip.bytesize && summary["fault"].nil?

    @counts[summary["fault"] ? :broken : :whole] += 1
  end

  def assembled(inspector)
    text = inspector.text
    raise "the text is no safe text: #{text}" unless text.valid_encoding? && !text.match?(HIDDEN)
    raise "other bytes: #{text}" unless Sparpack.assemble(text) == inspector.bytes

    damaged = damage(text)
    raise "no bytes" unless Sparpack.assemble(damaged).encoding == Encoding::BINARY

    @counts[:assembled] += 1
  rescue Sparpack::AssemblyError => e
    raise "no place: #{e.message}" unless damaged && e.message.match?(/\Aline \d+, column [1-9]\d*: expected .+, found ./)

    @counts[:refused] += 1
  end

  def pick(values) = values.sample(random: @random)
  def some(&block) = Array.new(@random.rand(4), &block)
  def leaf = Leaf.new(id: pick([0, 7, -1, 2**60]), name: pick([nil, *TEXTS]))
  def real = pick([0.0, -0.0, 1.25, 1e300, Float::NAN, Float::INFINITY, -Float::INFINITY, 5e-324])

  def payload(wire)
    node = Node.new(
      flag: pick([nil, true, false]), small: pick([nil, -128, 5]), mood: pick([nil, 1, 2, 77]),
      number: pick([nil, 2**62, -3]), real: pick([nil, real]), text: pick([nil, *TEXTS]),
      bytes: pick([nil, @random.bytes(5)]), uuid: pick([nil, "00112233-4455-6677-8899-aabbccddeeff"]), leaves: some { leaf },
      flags: some { pick([true, false]) },
      ids: some { @random.rand(-500..500) }, reals: some { [@random.rand(-9..9), real] }.to_h, leaf: pick([nil, leaf]),
      tags: some { [pick(TEXTS), some { pick(TEXTS) }] }.to_h, nothing: pick([nil, {}])
    )
    return node.encode(wire, keys: pick(%i[names ids])).b if wire == :message_pack

    node.reals = nil if wire == :json # it has no NaN as a number
    bytes = node.encode(wire).b
    pretty = %i[json thrift_json].include?(wire) && @random.rand(3).zero?
    pretty ? JSON.pretty_generate(JSON.parse(bytes)).b : bytes
  end

  def mutate(bytes)
    @random.rand(4).times do
      at = @random.rand(bytes.bytesize + 1)
      rest = bytes.byteslice((at + @random.rand(4))..) || ""
      bytes = pick([bytes.byteslice(0, at), bytes.byteslice(0, at) + @random.bytes(@random.rand(4)) + rest])
    end
    bytes
  end

  def damage(text)
    at = @random.rand(text.size + 1)
    text[0, at] + pick(WORDS).dup.force_encoding(Encoding::UTF_8) + (text[(at + @random.rand(6))..] || "")
  end
end

Seconds.run(InspectFuzzer, ARGV) if $PROGRAM_NAME == __FILE__
