# frozen_string_literal: true

# What `read` accepts, what it makes and what it leaves. test/drop_in/thrift/cases_test.rb runs these cases.

binary = %i[binary accelerated]

everything = lambda do
  Market::Everything.new(
    flag: false, tiny: -128, small: 300, medium: -70_000, large: 2**40, real: 1.5, text: "ü", bytes: "\xff\x00".b,
    point: Market::Point.new(x: 1, label: "a"), points: [Market::Point.new(x: 2, y: 3)], words: Set["b", "c"],
    names: { 5 => "five" }, answer: Market::Answer.text("d"), color: Market::Color::BLUE,
    places: Set[Market::Point.new(x: 4)], by_path: { [1, 2] => Set[3] }, table: [[1], [], [2, 3]],
    broken: Market::Broken.new(reason: "e", code: 9), flags: [true, false], colors: [1, 99],
    inner: { "f" => Market::Everything.new(medium: 5) }, blobs: ["\x80".b], following: Market::Everything.new, negative: -1
  )
end

each_wire "an object with all fields" do |wire|
  reading(Market::Everything, encode(everything.call, wire), wire)
end

each_wire "trailing bytes are left" do |wire|
  data = encode(Market::Point.new(x: 1), wire)
  reading(Market::Point, "#{data}more", wire) + reading(Market::Point, data + data, wire)
end

each_wire "absent fields" do |wire|
  reading(Market::Everything, "\0".b, wire) + reading(Market::Nothing, "\0".b, wire) + reading(Market::Wide, "\0".b, wire) +
    [show(Market::Everything.new), show(Market::Wide.new)]
end

each_wire "an object that has values already" do |wire|
  data = encode(Market::Point.new(x: 5, label: nil), wire)
  other = Market::Wide.new(a: 1, b: nil, e: "old")
  other.instance_variable_set(:@more, 1)
  reading(Market::Point.new(x: 1, y: 2, label: "old"), data,
          wire) + reading(other, encode(Market::Wide.new(c: 3), wire), wire) +
    reading(Market::Answer.text("old"), encode(Market::Answer.number(5), wire), wire) +
    reading(Market::Broken.new(reason: "old", code: 1), encode(Market::Broken.new(code: 2), wire), wire)
end

each_wire "an object that has values already, and bytes that fail" do |wire|
  reading(Market::Point.new(x: 1, y: 2, label: "old"), "\xff".b, wire) +
    reading(Market::Point.new(x: 1, y: 2, label: "old"), "\0".b, wire) +
    reading(Market::Answer.text("old"), "\0".b, wire) + reading(Market::Answer.text("old"), "".b, wire)
end

each_wire "an object that has a number which its enum does not know" do |wire|
  object = Market::Everything.new
  object.instance_variable_set(:@color, 99)
  reading(object, "\0".b, wire) + reading(object, encode(Market::Everything.new(color: 1), wire), wire)
end

each_wire "defaults are copies" do |wire|
  first = decode(Market::Everything, "\0".b, wire)
  first.reals << 9.0
  first.reals.frozen?.to_s + show(decode(Market::Everything, "\0".b, wire)) + show(Market::Everything::FIELDS[23][:default])
end

each_wire "a missing required field" do |wire|
  reading(Market::Point, "\0".b, wire) + reading(Market::Strict, "\0".b, wire) +
    reading(Market::Everything, encode(Market::Everything.new(point: Market::Wide.new(a: 1), reals: nil), wire), wire) +
    reading(Market::Everything, encode(Market::Everything.new(points: [Market::Nothing.new], reals: nil), wire), wire)
end

each_wire "a required field that is false" do |wire|
  reading(Market::Strict, encode(Market::Strict.new(flag: false, name: "", numbers: [], color: 1,
                                                    point: Market::Point.new(x: 0)), wire), wire)
end

each_wire "a value that the enum does not have" do |wire|
  unchecked = Class.new(Market::Everything) { def validate; end }
  reading(Market::Everything, encode(unchecked.new(color: 3, reals: nil), wire), wire) +
    reading(Market::Everything, encode(unchecked.new(colors: [3], reals: nil), wire), wire) +
    reading(Market::Strict, encode(unchecked.new(color: 3, reals: nil), wire), wire)
end

each_wire "unknown fields are skipped" do |wire|
  whole = encode(everything.call, wire)
  reading(Market::Nothing, whole, wire) + reading(Market::Nothing, encode(Market::Wide.new(a: 1, e: "x"), wire), wire)
end

each_wire "a field of another type is skipped" do |wire|
  wide = Class.new(Market::Wide) do
    const_set(:FIELDS, { 1 => { type: 8, name: "a" }, 2 => { type: 8, name: "b" }, 3 => { type: 11, name: "c" },
                         6 => { type: 15, name: "d", element: { type: 8 } }, 9 => { type: 2, name: "e" },
                         10 => { type: 14, name: "f", element: { type: 12, class: Market::Point } } })
    define_method(:struct_fields) { self.class::FIELDS }
    attr_accessor :f
  end
  object = wide.new
  { a: 1, b: 2, c: "x", d: [1], e: true, f: [Market::Point.new(x: 1)] }.each do |name, value|
    object.instance_variable_set("@#{name}", value)
  end
  reading(Market::Everything, encode(object, wire), wire) + reading(Market::Point, encode(object, wire), wire)
end

each_wire "elements of another type make nil" do |wire|
  klass = Class.new(Market::Wide) do
    fields = { 10 => { type: 15, name: "a", element: { type: 8 } }, 11 => { type: 14, name: "b", element: { type: 8 } },
               12 => { type: 13, name: "c", key: { type: 11 }, value: { type: 11 } },
               17 => { type: 15, name: "d", element: { type: 15, element: { type: 11 } } } }
    const_set(:FIELDS, fields)
    define_method(:struct_fields) { fields }
  end
  [{ a: [1], b: [2], c: { "a" => "b" }, d: [["e"]] }, { a: [], b: [], c: {}, d: [[]] }].flat_map do |values|
    object = klass.new
    values.each { |name, value| object.instance_variable_set("@#{name}", value) }
    reading(Market::Everything, encode(object, wire), wire)
  end
end

each_wire "the last of a duplicate field wins" do |wire|
  first = encode(Market::Wide.new(a: 1), wire).chop
  second = wire == :compact ? bytes("05 02 04") : encode(Market::Wide.new(a: 2), wire).chop
  reading(Market::Wide, "#{first}#{second}\0".b, wire)
end

each_wire "duplicate keys and elements" do |wire|
  klass = Class.new(Market::Wide) do
    fields = { 11 => { type: 14, name: "a", element: { type: 11 } },
               12 => { type: 13, name: "b", key: { type: 8 }, value: { type: 11 } },
               15 => { type: 14, name: "c", element: { type: 12, class: Market::Point } } }
    const_set(:FIELDS, fields)
    define_method(:struct_fields) { fields }
  end
  object = klass.new
  names = { 1 => "a" }.compare_by_identity
  object.instance_variable_set(:@a, %w[x x y])
  object.instance_variable_set(:@b, names)
  object.instance_variable_set(:@c, [Market::Point.new(x: 1), Market::Point.new(x: 1), Market::Point.new(x: 2)])
  reading(Market::Everything, encode(object, wire), wire)
end

each_wire "keys of maps" do |wire|
  object = decode(Market::Everything, encode(everything.call, wire), wire)
  [object.inner.keys.first.frozen?, object.words.first.frozen?, object.by_path.keys.first.frozen?, object.text.frozen?,
   object.inner.compare_by_identity?].map(&:to_s)
end

each_wire "unions" do |wire|
  point = encode(Market::Point.new(x: 1), wire)
  reading(Market::Answer, encode(Market::Answer.point(Market::Point.new(x: 1)), wire), wire) +
    reading(Market::Answer, encode(Market::Answer.answer(Market::Answer.numbers([1, 2])), wire), wire) +
    reading(Market::Answer, point, wire) + reading(Market::Answer, "\0".b, wire) + reading(Market::Answer, "\0\0".b, wire) +
    reading(Market::Answer, encode(Market::Wide.new(a: 1, b: 2), wire), wire) +
    reading(Market::Answer, encode(Market::Wide.new(b: 2), wire), wire) +
    reading(Market::Answer, encode(Market::Wide.new(e: "x"), wire), wire)
end

each_wire "a nested union with an unknown variant" do |wire|
  [Market::Wide.new(e: "x"), Market::Nothing.new, Market::Point.new(x: 1, y: 2)].flat_map do |value|
    reading(Market::Everything, encode(Market::Everything.new(flag: true, answer: value, reals: nil), wire), wire)
  end
end

each_wire "a union whose value has another type" do |wire|
  klass = Class.new(Market::Wide) do
    const_set(:FIELDS, { 1 => { type: 11, name: "a" } })
    define_method(:struct_fields) { self.class::FIELDS }
  end
  reading(Market::Answer, encode(klass.new(a: "x"), wire), wire) +
    reading(Market::Answer, encode(Market::Answer.numbers([]), wire), wire)
end

each_wire "arguments of read" do |wire|
  [outcome { Market::Point.new.read.inspect }, outcome { Market::Point.new.read(nil).inspect },
   outcome { Market::Answer.new.read(Object.new) && "" }.sub(/0x\h+/, ""),
   (Market::Point.new.method(:read).arity.abs == 1).to_s,
   outcome { decode(Market::Wide, "\0".b, wire) }]
end

check "the depth argument of read", since: "0.25" do
  wires.flat_map do |wire|
    data = encode(Market::Everything.new(flag: true, point: Market::Point.new(x: 1), reals: nil), wire)
    union = encode(Market::Answer.answer(Market::Answer.number(1)), wire)
    [64, 2, 1, 0, -1, 1.9, nil, 2**40].flat_map do |depth|
      ["depth #{depth.inspect}"] + reading(Market::Everything, data, wire,
                                           depth) + reading(Market::Answer, union, wire, depth)
    end
  end
end

each_wire "frozen objects" do |wire|
  data = encode(Market::Point.new(x: 1), wire)
  [Market::Point.new.freeze, Market::Point.new(x: 9).freeze, Market::Answer.new.freeze, Market::Wide.new.freeze,
   Market::Nothing.new.freeze, Market::Gone.new("a").freeze].flat_map { |object| reading(object, data, wire) } +
    reading(Market::Wide.new.freeze, "\0".b, wire) + reading(Market::Nothing.new.freeze, "\0".b, wire)
end

each_wire "exceptions" do |wire|
  gone = decode(Market::Gone, encode(Market::Gone.new("gone"), wire), wire)
  broken = decode(Market::Broken, encode(Market::Broken.new(reason: "r", code: 5), wire), wire)
  [gone, broken].flat_map do |error|
    raised = begin
      raise error
    rescue Thrift::Exception => e
      e
    end
    [show(raised), raised.message.inspect, raised.equal?(error).to_s,
     raised.full_message(highlight: false).lines.first[/\(.*/]]
  end
end

check "varints that are too long, and numbers that do not fit" do
  ["05 02 ff ff ff ff 0f", "05 02 ff ff ff ff 1f", "05 02 ff ff ff ff ff 01", "05 02 80 80 80 80 80 00", "05 02 80 00",
   "06 02 00",
   "15 80 80 80 80 80 80 80 80 80 80 01 00", "05 80 80 04 02 00", "05 ff ff ff ff ff 0f 02 00"].flat_map do |digits|
    reading(Market::Wide, bytes("#{digits} 00"), :compact)
  end + ["44 ff ff 07 00", "46 80 80 80 80 80 80 80 80 80 01 00", "46 ff ff ff ff ff ff ff ff ff 7f 00",
         "46 ff ff ff ff ff ff ff ff ff ff 01 00", "34 80 80 04 00", "34 fe ff 03 00"].flat_map do |digits|
          reading(Market::Everything, bytes(digits), :compact)
        end
end

check "type numbers that do not exist" do
  ["1e 00", "0e 02 00", "f0 00", "0d 02 #{"ab" * 16} 00", "fd #{"ab" * 16} 00", "59 1e 01 00", "59 1e 00", "a9 01 00 00",
   "a9 1d #{"ab" * 16} 00", "9b 01 ee 00 00", "9b 00 00", "9b 01 55 02 02 00",
   "f9 01 0e 00 00", "f9 13 0e 00", "f9 13 19 0e 00", "fa 13 0f 00", "fc 13 19 0e 00 00"].flat_map do |digits|
    reading(Market::Everything, bytes(digits), :compact)
  end
end

each_wire "type numbers that do not exist", binary do |wire|
  ["05 00 01 00", "11 00 01 00", "10 00 09 #{"ab" * 16} 00", "0f 00 0a 11 00 00 00 01 00", "0f 00 0a 11 00 00 00 00 00",
   "0d 00 0c 00 00 00 00 00 00 00", "0d 00 0c 08 0b 00 00 00 00 00", "01 00 01 00", "ff ff ff 00"].flat_map do |digits|
    reading(Market::Everything, bytes(digits), wire)
  end
end

check "booleans on the wire" do
  ["11 00", "12 00", "01 02 00", "02 02 00", "f9 13 00", "01 26 51 01 02 03 00 ff 00", "01 26 52 01 02 03 00 ff 00"]
    .flat_map { |digits| reading(Market::Everything, bytes(digits), :compact) } +
    %i[binary accelerated].flat_map do |wire|
      ["00", "01", "02", "ff"].flat_map { |value| reading(Market::Everything, bytes("02 00 01 #{value} 00"), wire) }
    end
end

check "sizes that cannot be", since: "0.25" do
  ["18 ff ff ff ff 0f 00", "78 ff ff ff ff 07 61 00", "78 05 61 00", "a9 f5 ff ff ff ff 07 02", "a9 f5 ff ff ff ff 0f 02",
   "ba f8 ff ff ff ff 07 00", "cb ff ff ff ff 07 58 02", "cb ff ff ff ff 0f 58 02"].flat_map do |digits|
    reading(Market::Everything, bytes(digits.sub(/\A18/, "78")), :compact)
  end + %i[binary accelerated].flat_map do |wire|
    ["0b 00 07 ff ff ff ff", "0b 00 07 7f ff ff ff 61", "0b 00 07 80 00 00 00", "0f 00 0a 0c ff ff ff ff",
     "0f 00 0a 0c 7f ff ff ff 00", "0e 00 0b 0b 80 00 00 01 00", "0d 00 0c 08 0b ff ff ff ff 00", "0b 00 63 ff ff ff ff 00",
     "0f 00 63 08 ff ff ff ff 00"].flat_map { |digits| reading(Market::Everything, bytes(digits), wire) }
  end
end
