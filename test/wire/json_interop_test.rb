# frozen_string_literal: true

require "test_helper"
require "json"
require "oj"
require "support/command"
require "support/random_schema"
require "support/seeded"
require "support/spelling"
require "tmpdir"

# JSON and Thrift's JSON as other parsers see them: Oj, Python's json, and Node.js if it is installed. They read what we
# write, and we read what they write of it. Python and Node.js also write random values of their own.
class JsonInteropTest < Minitest::Test
  include Seeded

  PYTHON = "/usr/bin/python3"
  SCHEMAS = 60

  class Edges < Sparpack::Struct
    field 1, :reals, list(:double)
    field 2, :numbers, list(:i64)
    field 3, :texts, list(:string)
    field 4, :table, map(:string, :double)
    field 5, :inner, "Edges"
  end

  EDGES = [
    Edges.new(reals: [0.0, -0.0, 0.1 + 0.2, 5e-324, 2.2250738585072014e-308, Float::MAX, 1e21, 1e22, 1e-7, 1_234_567.125,
                      2.0**70]),
    Edges.new(numbers: [0, -1, 2**53, (2**53) + 1, -(2**53) - 1, (2**63) - 1, -(2**63)]),
    Edges.new(texts: ["", "\0\x1f\x7f\u0080", "\"\\/\b\f\n\r\t", "\u2028\u2029\ufeff", "\ud7ff\ue000\ufffe\uffff",
                      "\u{10000}\u{1f6b2}\u{10ffff}", "x" * 1000, "🚲" * 300, "</script><!--"]),
    Edges.new(table: { "" => 1.5, "\u{1f6b2}\"" => -1.5, "constructor" => 1.0, "1" => 2.0, "toString" => 3.0 }),
    Edges.new(inner: Edges.new(inner: Edges.new(texts: [], table: {})))
  ].freeze

  PYTHON_PROGRAM = <<~PYTHON
    import json, random, struct, sys

    def strict(pairs):
        table = dict(pairs)
        if len(table) != len(pairs): raise ValueError("two members have one name")
        return table

    def refuse(name): raise ValueError(name)

    def character():
        while True:
            code = random.randrange(random.choice([0x80, 0x800, 0x10000, 0x110000]))
            if not 0xd800 <= code < 0xe000: return chr(code)

    def real():
        while True:
            bits = random.getrandbits(64).to_bytes(8, "big")
            value = struct.unpack(">d", bits)[0]
            if value - value == 0: return value

    texts, answers, seed, count = sys.argv[1:]
    random.seed(int(seed))
    with open(texts, "rb") as file: lines = file.read().decode("utf-8").split("\\n")
    with open(answers, "wb") as file:
        def say(text): file.write((text + "\\n").encode("utf-8"))
        for index, line in enumerate(lines):
            value = json.loads(line, object_pairs_hook=strict, parse_constant=refuse)
            separators = (",", ":") if index % 3 == 0 else (" , ", " : ")
            say(json.dumps(value, ensure_ascii=index % 2 == 0, allow_nan=False, separators=separators))
        for index in range(int(count)):
            reals = [real() for _ in range(5)]
            numbers = [random.getrandbits(64) - 2**63 >> random.randrange(64) for _ in range(5)]
            strings = ["".join(character() for _ in range(random.randrange(12))) for _ in range(5)]
            say(json.dumps({"reals": reals, "numbers": numbers, "texts": strings}, ensure_ascii=index % 2 == 0))
            say(",".join([struct.pack(">d", x).hex() for x in reals] + [str(n) for n in numbers] +
                         [text.encode("utf-8").hex() for text in strings]))
  PYTHON

  NODE_PROGRAM = <<~JAVASCRIPT
    const fs = require("fs")
    const [texts, answers, seed, count] = process.argv.slice(2)
    let state = BigInt(seed)
    const next = () => {  // splitmix64
      state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
      let z = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
      z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
      return z ^ (z >> 31n)
    }
    const below = limit => Number(next() % BigInt(limit))
    const real = () => {
      for (;;) {
        const bytes = Buffer.alloc(8)
        bytes.writeBigUInt64BE(next())
        if (Number.isFinite(bytes.readDoubleBE())) return bytes.readDoubleBE()
      }
    }
    const character = () => {
      for (;;) {
        const code = below([0x80, 0x800, 0x10000, 0x110000][below(4)])
        if (code < 0xd800 || code >= 0xe000) return String.fromCodePoint(code)
      }
    }
    const five = make => Array.from({ length: 5 }, make)
    const said = fs.readFileSync(texts, "utf8").split("\\n").map(line => JSON.stringify(JSON.parse(line)))
    for (let index = 0; index < Number(count); index++) {
      const reals = five(real), numbers = five(() => BigInt.asIntN(64, next()).toString())
      const strings = five(() => Array.from({ length: below(12) }, character).join(""))
      said.push(JSON.stringify({ reals, numbers, texts: strings }))
      const bits = reals.map(x => { const bytes = Buffer.alloc(8); bytes.writeDoubleBE(x); return bytes.toString("hex") })
      said.push([...bits, ...numbers, ...strings.map(text => Buffer.from(text, "utf8").toString("hex"))].join(","))
    }
    fs.writeFileSync(answers, said.join("\\n") + "\\n")
  JAVASCRIPT

  RANDOM = 200 # values of each language

  def test_oj_reads_what_we_write_and_we_read_what_it_writes
    options = { mode: :strict, bigdecimal_load: :float, float_precision: 0 }
    payloads.each do |object, wire, text|
      value = Oj.load(text, **options)

      assert_equal JSON.parse(text), value
      assert_equal object, object.class.decode(Oj.dump(value, **options), wire)
    end
  end

  def test_python_reads_what_we_write_and_we_read_what_it_writes
    skip "Python is not installed" unless File.executable?(PYTHON)

    exchange(PYTHON_PROGRAM, payloads, PYTHON)
  end

  # All its numbers are doubles, so Thrift's JSON loses integers there, and JSON needs i64: :string.
  def test_node_reads_what_we_write_and_we_read_what_it_writes
    skip "Node.js is not installed" unless Command.success?("node", "--version")

    exchange(NODE_PROGRAM, payloads(i64: :string).select { |_, wire| wire == :json }, "node")
  end

  private

  # @return [Array<Array>] objects, wires, and what the objects are in these
  def payloads(**options)
    objects = Array.new(SCHEMAS) { RandomSchema.new(random) }.flat_map do |schema|
      struct_class = schema.struct_class
      Array.new(3) { schema.object(struct_class) }
    end
    (EDGES + objects).flat_map do |object|
      wires = Spelling.compound_keys?(object) ? %i[json] : %i[json thrift_json]
      wires.map { |wire| [object, wire, object.encode(wire, **(wire == :json ? options : {}))] }
    end
  end

  # Runs a program once, which answers each text with its own and adds random values.
  def exchange(program, payloads, command)
    answers = Dir.mktmpdir do |folder|
      names = %w[program texts answers].map { |name| File.join(folder, name) }
      names.zip([program, payloads.map(&:last).join("\n")]) { |name, content| File.binwrite(name, content) if content }
      output, status = Command.capture2e(command, *names, SEED.to_s, RANDOM.to_s)

      assert_predicate status, :success?, output
      File.read(names.last, encoding: "UTF-8").split("\n")
    end
    payloads.zip(answers) { |(object, wire, text), answer| assert_same_value(object, wire, text, answer) }
    values = answers.drop(payloads.size).each_slice(2)

    assert_equal RANDOM, values.size
    values.each { |text, expected| assert_random(text, expected) }
  end

  def assert_same_value(object, wire, text, answer)
    assert_equal JSON.parse(text), JSON.parse(answer)
    assert_equal object, object.class.decode(answer, wire)
  end

  def assert_random(text, expected)
    read = Edges.decode(text, :json)
    texts = read.texts.map { |each| each.unpack1("H*") }

    assert_equal expected, [*read.reals.map { |real| [real].pack("G").unpack1("H*") }, *read.numbers, *texts].join(",")
  end
end
