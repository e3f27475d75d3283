# frozen_string_literal: true

# What `write` accepts, writes and raises. test/drop_in/thrift/cases_test.rb runs these cases.

everything = lambda do
  Market::Everything.new(
    flag: false, tiny: -128, small: 300, medium: -70_000, large: 2**40, real: 1.5, text: "ü", bytes: "\xff\x00".b,
    point: Market::Point.new(x: 1, label: "a"), points: [Market::Point.new(x: 2, y: 3)], words: Set["b", "c"],
    names: { 5 => "five" }, answer: Market::Answer.text("d"), color: Market::Color::BLUE,
    places: Set[Market::Point.new(x: 4)], by_path: { [1, 2] => Set[3] }, table: [[1], [], [2, 3]],
    broken: Market::Broken.new(reason: "e", code: 9), flags: [true, false, nil], colors: [1, 99],
    inner: { "f" => Market::Everything.new(medium: 5) }, blobs: ["\x80".b], following: Market::Everything.new, negative: -1
  )
end

each_wire "an object with all fields" do |wire|
  object = everything.call
  [written(object, wire), show(object)]
end

each_wire "a nil field is left out" do |wire|
  [written(Market::Wide.new(a: nil, d: true), wire), written(Market::Wide.new, wire), written(Market::Nothing.new, wire)]
end

each_wire "defaults are written, and nil overrides them" do |wire|
  [written(Market::Point.new(x: 1), wire), written(Market::Point.new(x: 1, label: nil), wire),
   written(Market::Everything.new, wire)]
end

each_wire "a required field that is nil" do |wire|
  good = { flag: false, name: "", numbers: [], color: 1, point: Market::Point.new(x: 0) }
  [written(Market::Strict.new(good), wire)] +
    good.each_key.map { |name| written(Market::Strict.new(good.merge(name => nil)), wire) } +
    [written(Market::Strict.new(good.merge(count: nil)), wire), written(Market::Strict.new, wire),
     written(Market::Strict.new(good.merge(numbers: false)), wire), written(Market::Strict.new(good.merge(flag: 3)), wire)]
end

each_wire "a required field of a nested struct" do |wire|
  [Market::Everything.new(point: Market::Point.new), Market::Everything.new(flag: true, points: [Market::Point.new]),
   Market::Everything.new(inner: { "a" => Market::Everything.new(places: [Market::Point.new(x: 1), Market::Point.new]) }),
   Market::Answer.point(Market::Point.new)].map { |object| written(object, wire) }
end

each_wire "a value that the enum does not have" do |wire|
  [Market::Everything.new(color: 3), Market::Everything.new(color: 5), Market::Everything.new(color: "RED"),
   Market::Everything.new(colors: [3]), Market::Everything.new(color: 1.0), Market::Everything.new(color: false),
   Market::Answer.color(3), *%w[RED SPARPACK_0 SPARPACK_1].flat_map do |name|
     [Market::Everything.new(color: name), Market::Everything.new(color: name.to_sym), Market::Answer.color(name.to_sym)]
   end].map { |object| written(object, wire) }
end

each_wire "a failed write has written this much" do |wire|
  transport = memory
  [Market::Everything.new(text: "before", point: Market::Point.new), Market::Everything.new(flag: true, medium: "x"),
   Market::Everything.new(points: [Market::Point.new(x: 1), 5])].flat_map do |object|
    [outcome { object.write(protocol(wire, transport)).inspect }, hex(left(transport))]
  end
end

each_wire "write appends, and returns this" do |wire|
  transport = memory("abc")
  returned = outcome { Market::Point.new(x: 1).write(protocol(wire, transport)).inspect }
  again = outcome { Market::Answer.number(1).write(protocol(wire, transport)).inspect }
  [returned, again, hex(left(transport))]
end

each_wire "booleans" do |wire|
  [true, false, 0, 1, "false", :x, []].map { |value| written(Market::Everything.new(flag: value, flags: [value, nil]), wire) }
end

each_wire "integers" do |wire|
  { tiny: 8, small: 16, medium: 32, large: 64, negative: 32 }.flat_map do |name, bits|
    half = 2**(bits - 1)
    [-half, half - 1, -half - 1, half, (half * 2) - 1, 2**70, -1, 63, 64, -64, -65]
      .map { |value| "#{name} #{value}: #{written(Market::Everything.new(name => value), wire)}" }
  end
end

each_wire "other values for integers" do |wire|
  values = [1.0, 1.9, -0.5, "1", :a, true, [], 2r, 1i, Float::NAN, Float::INFINITY, Object]
  %i[tiny small medium large].flat_map do |name|
    values.map { |value| "#{name} #{value.inspect}: #{written(Market::Everything.new(name => value), wire)}" }
  end
end

each_wire "values for doubles" do |wire|
  [1, 2**53, 2**70, 2**1024, 0.1, -0.0, Float::NAN, Float::INFINITY, 1r, "1.5", true, nil, 1i, [], :a]
    .map { |value| "#{value.inspect[0, 20]}: #{written(Market::Everything.new(real: value, reals: nil), wire)}" }
end

each_wire "sets" do |wire|
  [Set["b", "a"], %w[a a], { "b" => 1, "a" => nil }, Class.new(Set).new(["z"]), Class.new(Array).new(["z"]), "a", 5,
   ["a"].each, [], [nil], [1]].map do |value|
    "#{value.class.name || value.class.superclass}: #{written(Market::Everything.new(words: value), wire)}"
  end
end

each_wire "lists" do |wire|
  [[1, 2], Set[1], { 1 => 2 }, Class.new(Array).new([3]), "a", 5, [nil], ["a"], (1..2), [1] * 20].map do |value|
    object = Market::Everything.new(table: [value])
    "#{value.class.name || value.class.superclass}: #{written(object, wire)}, " \
      "#{written(Market::Answer.numbers(value), wire)}"
  end
end

each_wire "maps" do |wire|
  [{ 1 => "a", 2 => "b" }, {}, [[1, "a"]], Class.new(Hash).new.merge!(1 => "a"), { 1 => nil }, { nil => "a" },
   { "1" => "a" }, { 1 => 2 }, Set[1], 5, { 1 => "a" }.compare_by_identity, Hash.new do |_, key|
                                                                              key
                                                                            end.merge!(1 => "x")].map do |value|
    "#{value.class.name || value.class.superclass}: #{written(Market::Everything.new(names: value), wire)}"
  end
end

each_wire "values of other classes for structs" do |wire|
  subclass = Class.new(Market::Point)
  [subclass.new(x: 1), Market::Nothing.new, Market::Answer.number(1), Market::Gone.new("a"), {}, "a", 5, [], Object.new,
   false].map do |value|
    "#{value.class.name || "a subclass"}: #{written(Market::Everything.new(point: value), wire)}, " \
      "#{written(Market::Everything.new(points: [value]), wire)}"
  end
end

each_wire "a struct of another class is written by its own FIELDS" do |wire|
  [written(Market::Everything.new(point: Market::Wide.new(a: 1, e: "x")), wire),
   written(Market::Everything.new(answer: Market::Point.new(x: 3)), wire),
   written(Market::Everything.new(answer: Market::Answer.new("point", Market::Wide.new(b: 5))), wire)]
end

each_wire "field ids" do |wire|
  [written(Market::Wide.new(a: 1, b: 2, c: 3, d: true, e: "z"), wire), written(Market::Wide.new(d: false), wire),
   written(Market::Wide.new(e: "z"), wire), written(Market::Everything.new(negative: 1, reals: nil), wire)]
end

each_wire "instance variables are read, not readers" do |wire|
  klass = Class.new(Market::Wide) { def a = 99 }
  object = klass.new(a: 1)
  object.instance_variable_set(:@other, "ignored")
  [written(object, wire), klass.name.inspect]
end

each_wire "frozen objects are written" do |wire|
  [written(Market::Point.new(x: 1).freeze, wire), written(Market::Answer.text("a").freeze, wire),
   written(Market::Gone.new("x").freeze, wire)]
end

each_wire "exceptions are written" do |wire|
  raised = begin
    raise Market::Gone, "gone"
  rescue Market::Gone => e
    e
  end
  [written(raised, wire), written(Market::Broken.new(reason: "r", code: 1, place: Market::Point.new(x: 1)), wire),
   written(Market::Broken.new("only a message"), wire), written(Market::Gone.new, wire), show(raised)]
end

each_wire "arguments of write" do |wire|
  object = Market::Point.new(x: 1)
  [outcome { object.write.inspect }, outcome { object.write(nil).inspect }, outcome { object.write(Object.new) && "" }
    .sub(/0x\h+/, ""), outcome { Market::Answer.number(1).write.inspect }, written(object, wire),
   (object.method(:write).arity.abs == 1).to_s]
end

check "the depth argument of write", since: "0.25" do
  object = Market::Everything.new(flag: true, point: Market::Point.new(x: 1))
  wires.flat_map do |wire|
    [64, 2, 1, 0, -1, 1.9, nil, "2", 2**40].map { |depth| "#{depth.inspect}: #{written(object, wire, depth)}" } +
      [outcome { object.write(protocol(wire, memory), 1, 2).inspect }, written(Market::Answer.number(1), wire, 1),
       written(Market::Answer.number(1), wire, 0)]
  end
end
