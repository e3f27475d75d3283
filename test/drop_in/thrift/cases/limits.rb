# frozen_string_literal: true

# Depth, containers, strings, messages. test/drop_in/thrift/cases_test.rb runs these cases.

nested = lambda do |depth, innermost = Market::Everything.new(last: nil, reals: nil)|
  (1...depth).inject(innermost) { |object, _| Market::Everything.new(following: object, last: nil, reals: nil) }
end

answers = ->(depth) { (1...depth).inject(Market::Answer.number(1)) { |object, _| Market::Answer.answer(object) } }

each_wire "nesting when writing", since: "0.25" do |wire|
  [63, 64, 65, 70].flat_map do |depth|
    [written(nested[depth], wire).then { |text| text.size > 200 ? text.size : text }.to_s,
     written(answers[depth], wire).then { |text| text.size > 200 ? text.size : text }.to_s,
     written(nested[depth - 1, Market::Everything.new(inner: { "a" => Market::Nothing.new })], wire)
       .then { |text| text.size > 200 ? text.size : text }.to_s]
  end
end

each_wire "a cycle", since: "0.25" do |wire|
  object = Market::Everything.new(last: nil, reals: nil)
  object.following = object
  transport = memory
  list = Market::Everything.new(last: nil, reals: nil)
  list.inner = { "a" => list }
  [outcome { object.write(protocol(wire, transport)) }, transport.available.to_s, written(list, wire)]
end

each_wire "nesting when reading", since: "0.25" do |wire|
  open, close = wire == :compact ? [bytes("0c d8 04"), "\0".b] : [bytes("0c 01 2c"), "\0".b]
  [63, 64, 65, 70].flat_map do |depth|
    returned, object, left = reading(Market::Everything, "#{open * (depth - 1)}\0#{close * (depth - 1)}", wire)
    [returned, object.scan("Everything").size.to_s, left]
  end
end

each_wire "nesting of unions when reading", since: "0.25" do |wire|
  open, innermost = if wire == :compact
                      [bytes("5c"),
                       bytes("15 02 00")]
                    else
                      [bytes("0c 00 05"), bytes("08 00 01 00 00 00 01 00")]
                    end
  [63, 64, 65].flat_map do |depth|
    returned, object, left = reading(Market::Answer, "#{open * (depth - 1)}#{innermost}#{"\0" * (depth - 1)}", wire)
    [returned, object.scan("Answer").size.to_s, left]
  end
end

each_wire "nesting of what is skipped", since: "0.25" do |wire|
  structs = wire == :compact ? ["1c".b, "5c"] : ["0c 00 01", "0c 00 05"]
  lists = wire == :compact ? ["29", "19"] : ["0f 00 02", "0f 00 00 00 01"]
  [62, 63, 64, 65, 66].flat_map do |depth|
    [reading(Market::Nothing, bytes(structs.first * depth) + ("\0" * (depth + 1)), wire),
     reading(Market::Nothing, bytes(lists.first + (lists.last * depth)) + ("\0" * 40), wire)].flat_map do |result|
      [result.first, result.last.size.to_s]
    end
  end
end

each_wire "containers are not counted", since: "0.25" do |wire|
  klass = Class.new(Market::Nothing) do
    element = { type: 8 }
    90.times { element = { type: 15, element: } }
    const_set(:FIELDS, { 1 => { name: "a", **element } })
    define_method(:struct_fields) { self.class::FIELDS }
    attr_accessor :a
  end
  object = klass.new
  object.a = (1..90).inject(5) { |value, _| [value] }
  data = encode(object, wire)
  [data.bytesize, decode(klass, data, wire).a.flatten].map(&:inspect)
end

each_wire "the limit of strings", since: "0.25" do |wire|
  data = encode(Market::Everything.new(text: "abc", bytes: "abc".b, reals: nil), wire)
  [nil, 2, 3, 4].flat_map do |max_string_size|
    [Market::Everything, Market::Nothing].flat_map do |klass|
      transport = memory(data)
      object = klass.new
      returned = outcome { object.read(protocol(wire, transport, max_string_size:)).inspect }
      ["#{max_string_size.inspect} #{klass}", returned, show(object), "left: #{hex(left(transport))}"]
    end
  end
end

each_wire "the limit of strings when writing", since: "0.25" do |wire|
  transport = memory
  [outcome { Market::Wide.new(e: "abcdef").write(protocol(wire, transport, max_string_size: 2)) }, hex(left(transport))]
end

each_wire "many elements" do |wire|
  object = Market::Everything.new(
    points: Array.new(3000) { |x| Market::Point.new(x:) }, words: Set.new((0...2000).map(&:to_s)),
    names: (0...1500).to_h { |n| [n, n.to_s] }, flags: Array.new(1200, &:even?), text: "x" * 100_000
  )
  data = encode(object, wire)
  same = decode(Market::Everything, data, wire)
  [data.bytesize, Zlib.crc32(data), same == object, same.points.size, same.words.first, same.names[1499]].map(&:inspect)
end
