# frozen_string_literal: true

# Methods of the gem's objects other than `read` and `write`. test/drop_in/thrift/cases_test.rb runs these cases.

point = ->(x = 1, **more) { Market::Point.new(x:, **more) }

# What `new` makes of its arguments.
made = lambda do
  given = Class.new(Hash)[x: 3]
  strange = { x: 1 }.tap { |hash| hash.default = 5 }
  error = -> { Market::Broken.new(*_1) }
  own = Class.new(Market::Point) do
    def initialize(x, **more) = super({ x:, **more })
  end
  [show(Market::Point.new), show(Market::Point.new("x" => 1, y: 2)), show(Market::Point.new { |made| made.x = 7 }),
   show(Market::Point.new(y: 2) { |made| made.x = made.y }), outcome { Market::Point.new(x: 1) { raise "no" } },
   show(Market::Point.new({ label: nil })), outcome { Market::Point.new(z: 1) }, outcome { Market::Point.new(1) },
   outcome { Market::Point.new(x: 1, z: 1) }, outcome { Market::Point.new("z" => 1, x: 1) },
   outcome { Market::Point.new({}, 1) }, outcome { Market::Point.new(nil) }, show(Market::Wide.new(a: nil)),
   outcome { Market::Point.new([]) }, outcome { Market::Point.new([[:x, 1]]) }, outcome { Market::Point.new({ nil => 1 }) },
   show(Market::Point.new(given)), show(Market::Point.new(strange)), show(Market::Point.new({ x: 1 }.compare_by_identity)),
   show(Market::Point.new(**{})), show(own.new(5, y: 6)),
   outcome { own.new(5, z: 6) }, outcome { Market::Point.allocate.freeze.send(:initialize, x: 1) },
   show(Market::Point.new(x: 1, y: 2).tap { |point| point.send(:initialize, y: 3) }),
   show(Market::Everything.new(last: 1)), Market::Everything.new.reals.equal?(Market::Everything::FIELDS[23][:default]).to_s,
   Market::Point.new(label: "a").label.frozen?.to_s, Market::Point.new.label.equal?(Market::Point.new.label).to_s,
   show(error[[]]), show(error[["text"]]), show(error[[{ reason: "a" }]]), error[["text"]].message,
   outcome { raise Market::Broken, "raised" }, outcome { error[[{ other: 1 }]] }]
end

use = lambda do
  objects = [Market::Everything.new, Market::Broken.new(code: 1), Market::Wide.new]
  objects.each { |object| decode(object.class, encode(object)) }
end

check "new", alone: true do
  instance_exec(&made)
end

check "new, of classes that were read and written" do
  instance_exec(&use)
  instance_exec(&made)
end

check "new with type checking" do
  instance_exec(&use)
  Thrift.type_checking = true
  [outcome { Market::Point.new(x: "a") }, outcome { Market::Point.new(x: 1) }, outcome { Market::Point.new(label: 5) },
   outcome { Market::Point.new }, outcome { Market::Broken.new(code: "a") }]
ensure
  Thrift.type_checking = false
end

check "new, after its parts were patched", alone: true do
  instance_exec(&use)
  patched = Class.new(Market::Wide) { def name_to_id(name) = super(name.delete("z")) }
  decode(patched, encode(patched.new(az: 1)))
  first = show(patched.new(az: 1))
  Market::Wide.class_eval { def instance_variable_set(name, value) = super(name, value && (value + 1)) }
  [first, show(Market::Wide.new(a: 1))]
end

check "unions" do
  [show(Market::Answer.new), show(Market::Answer.number(1)), show(Market::Answer.new("text", "a")),
   show(Market::Answer.new(text: "a")), outcome { Market::Answer.new(text: "a", number: 1) }, outcome do
                                                                                                Market::Answer.new(:text)
                                                                                              end,
   outcome { Market::Answer.new(nil, 5) }, show(Market::Answer.new(:other, 5)), outcome { Market::Answer.number(1).text },
   Market::Answer.number(1).number.to_s, outcome { Market::Answer.new("text", "a").text }, Market::Answer.number(1).number?.to_s,
   Market::Answer.number(1).text?.to_s, show(Market::Answer.number(1).tap { |answer| answer.text = "b" }),
   Market::Answer.text("a").get_set_field.inspect, Market::Answer.text("a").get_value.inspect,
   outcome { Market::Answer.new({}) }, outcome { Market::Answer.number(nil) }]
end

each_wire "unions are written" do |wire|
  [Market::Answer.new, Market::Answer.new(:text, "a"), Market::Answer.new("text", "a"), Market::Answer.new(:other, 5),
   Market::Answer.new("other", 5), Market::Answer.number(0), Market::Answer.text(5),
   Market::Answer.color(1), Market::Answer.new("color", 9), Market::Answer.new("color", 1), Market::Answer.numbers([]),
   Market::Answer.new(5, 5)].map { |answer| written(answer, wire) }
end

each_wire "unions whose variables were set by hand" do |wire|
  [[:@setfield, :text], [:@setfield, nil], [:@value, nil], [:@value, false], [:@setfield, "number"], [:@setfield, Object]]
    .map do |name, value|
      answer = Market::Answer.number(1)
      answer.instance_variable_set(name, value)
      written(answer, wire)
    end + [written(Market::Answer.number(1).tap { |answer| answer.instance_variable_set(:@text, "x") }, wire)]
end

check "equality and hash" do
  one = point[label: "a"]
  subclass = Class.new(Market::Point)
  [one == point[label: "a"], one == point[2], one.eql?(point[label: "a"]), one.hash == point[label: "a"].hash,
   one == subclass.new(x: 1, label: "a"), one.nil?, one == 5, Market::Answer.number(1) == Market::Answer.new(:number, 1),
   Market::Answer.new("number", 1) == Market::Answer.number(1),
   Market::Answer.number(1).hash == Market::Answer.new(:number, 1).hash,
   { one => 1 }[point[label: "a"]], Set[one, point[label: "a"]].size].map(&:inspect)
end

each_wire "equality of what was read" do |wire|
  same = decode(Market::Point, encode(point[1, label: "ü"], wire), wire)
  answer = decode(Market::Answer, encode(Market::Answer.new("point", point[2]), wire), wire)
  [same == point[1, label: "ü"], same.hash == point[1, label: "ü"].hash, same.eql?(point[1, label: "ü"]),
   answer == Market::Answer.point(point[2]), same.differences(point[3, label: "x"]), same <=> point[0],
   answer.get_set_field].map(&:inspect)
end

check "comparison" do
  [[point[1], point[2]], [point[2], point[1]], [point[1], point[1]], [point[1, y: 1], point[1]], [point[1], point[1, y: 1]],
   [point[1], 5], [Market::Answer.number(1), Market::Answer.number(2)], [Market::Answer.number(1), Market::Answer.text("a")],
   [Market::Answer.new, Market::Answer.text("a")], [point[1, label: "b"], point[1, label: "a"]]]
    .map { |one, other| outcome { (one <=> other).inspect } }
end

check "differences" do
  [point[].differences(point[2]), point[].differences(point[]), point[].differences(5),
   point[].differences(point[1, y: 1, label: "z"])]
    .map(&:inspect)
end

check "inspect" do
  [point[].inspect, point[1, y: 2].inspect(false), point[].inspect(false),
   Market::Everything.new(color: 2, bytes: "\xff".b).inspect,
   Market::Everything.new(words: ["a"], names: { 1 => "a" }, places: Set[point[]], colors: [1]).inspect,
   Market::Answer.color(5).inspect, Market::Answer.new.inspect, Market::Gone.new("x").inspect, Market::Nothing.new.inspect,
   Market::Point.new.to_s.sub(/0x\h+/, "")]
end

check "fields" do
  one = point[]
  [one.struct_fields.equal?(Market::Point::FIELDS), one.sorted_field_ids, one.name_to_id("y"), one.name_to_id("z"),
   one.fields_with_default_values, one.x?, one.y?, Market::Everything.new.sorted_field_ids.last,
   one.respond_to?(:read_field), one.respond_to?(:validate), Market::Point::FIELDS.frozen?].map(&:inspect)
end

check "read_field and write_container are reached by send", since: "0.25" do
  transport = memory
  Market::Everything.new.send(:write_container, protocol(:compact, transport), [1, 2], Market::Answer::FIELDS[4])
  data = left(transport)
  value = Market::Everything.new.send(:read_field, protocol(:compact, memory(data)), Market::Answer::FIELDS[4])
  [hex(data), show(value)]
end

check "exceptions" do
  [outcome { raise Market::Gone, "text" }, outcome { raise Market::Gone, "text" }, outcome { raise Market::Gone },
   outcome { raise Market::Broken, "text" }, outcome { raise Market::Broken.new(reason: "r", code: 1) },
   outcome { raise Market::Broken, { code: 2 } }, show(Market::Broken.new("text")), show(Market::Gone.new),
   StandardError.to_s >= Market::Gone, show(Market::Broken.new)]
end

check "type checking", alone: true do
  Thrift.type_checking = true
  wires.flat_map do |wire|
    [outcome { Market::Point.new(x: "a") }, outcome { point[].x = 1.5 }, outcome { Market::Answer.text(5) },
     outcome { Market::Answer.new(:nothing, 5) }, outcome { Market::Everything.new(points: [5]) },
     outcome { Market::Everything.new(words: %w[a]) }, outcome { Market::Everything.new(point: Market::Nothing.new) },
     outcome { Market::Everything.new(real: 1) }, written(point[], wire),
     written(point[].tap { |one| one.instance_variable_set(:@x, "a") }, wire),
     written(Market::Everything.new.tap { |one| one.instance_variable_set(:@words, ["a"]) }, wire)] +
      reading(Market::Point, encode(point[], wire),
              wire) + reading(Market::Answer, encode(Market::Answer.text("a"), wire), wire)
  end
end

check "enum and field predicates" do
  one = Market::Everything.new(flag: false, color: 9)
  [one.flag?, one.color?, one.text?, Market::Color::VALUE_MAP, Market::Color::VALID_VALUES.class,
   outcome { one.validate }].map(&:inspect)
end

each_wire "Marshal dumps", alone: true do |wire|
  made = Market::Everything.new(flag: true, text: "a", point: point[], answer: Market::Answer.number(1), words: Set["b"])
  read = decode(Market::Everything, encode(made, wire), wire)
  [made, read, decode(Market::Point, encode(point[], wire), wire), Market::Answer.text("x"), Market::Gone.new("y"),
   decode(Market::Gone, encode(Market::Gone.new("y"), wire), wire)]
    .flat_map { |object| [Marshal.dump(object).inspect, show(Marshal.load(Marshal.dump(object)))] }
end

each_wire "the order of instance variables", alone: true do |wire|
  read = decode(Market::Everything, encode(Market::Everything.new(text: "a", flag: true, large: 1, negative: 3), wire), wire)
  [read.instance_variables, decode(Market::Everything, "\0".b, wire).instance_variables,
   decode(Market::Everything.new(color: 1), encode(Market::Everything.new(tiny: 1), wire), wire).instance_variables,
   decode(Market::Strict, encode(Market::Strict.new(flag: true, name: "", numbers: [], color: 1, point: point[]), wire),
          wire)
     .instance_variables, Market::Everything.new(medium: 1).instance_variables].map(&:inspect)
end

check "a dump of an object that was made before still loads" do
  dump = "\x04\bo:\x12Market::Point\a:\a@xi\x06:\v@labelI\"\tnone\x06:\x06ET".b
  [show(Marshal.load(dump)), written(Marshal.load(dump)), Marshal.load(dump) == point[]] # rubocop:disable Security/MarshalLoad
end

check "dup, clone and freeze" do
  one = decode(Market::Everything, encode(Market::Everything.new(words: Set["a"], point: point[])))
  copy = one.dup
  copy.words << "b"
  copy.point = nil
  [show(one), show(copy), one.clone(freeze: true).frozen?, outcome { one.freeze.text = "x" }.lines.first[0, 40],
   one.point.frozen?]
end

check "names" do
  read = decode(Market::Everything, encode(Market::Everything.new(point: point[])))
  [read.class, read.point.class, Market::Everything.ancestors - Object.ancestors,
   Market::Gone.ancestors - Exception.ancestors,
   Market::Answer.ancestors - Object.ancestors, Market::Point.instance_variables.sort, Market::Point.constants.sort,
   Market::Point.singleton_methods.sort, read.singleton_methods, outcome { read.missing }, outcome { point[].freeze.x = 1 },
   Market::Point.instance_method(:write).owner, Market::Answer.instance_method(:read).owner,
   Market::Point.instance_method(:write).name, Market::Answer.method_defined?(:read, false)].map do |value|
    show(value)
  end
end

check "constants and modules of the gem" do
  modules = [Thrift, Thrift::Struct, Thrift::Union, Thrift::CompactProtocol, Thrift::MemoryBufferTransport, Thrift::Serializer]
  modules.map { |one| "#{one}: #{(one.constants.map(&:to_s) - ["VERSION"]).sort.join(" ").scan(/\w*sparpack\w*/i)}" } +
    modules.map { |one| one.instance_methods(false).grep(/sparpack/i).inspect } +
    [(Thrift::Struct.ancestors + Thrift::Union.ancestors + Thrift::CompactProtocol.ancestors).uniq.grep(/Sparpack/).inspect]
end

check "backtraces do not show where errors come from inside" do
  clone = File.expand_path("../../../..", __dir__) # its name may be "sparpack"
  error = outcome do
    Market::Point.new.write(protocol(:compact, memory))
  rescue Thrift::ProtocolException => e
    lines = e.backtrace.map { |line| line.delete_prefix(clone) }
    lines.grep(/sparpack/i).inspect + lines.first[/in .*\bvalidate'/].to_s.sub(/in .*\bvalidate/, "in 'validate")
  end
  [error]
end
