# frozen_string_literal: true

# Every prefix of a message, and every byte changed. test/drop_in/thrift/cases_test.rb runs these cases.

object = lambda do
  Market::Everything.new(
    flag: true, tiny: 1, small: 300, medium: -70_000, large: 2**40, real: 1.5, text: "ü", bytes: "\xff".b,
    point: Market::Point.new(x: 1, label: "a"), words: Set["b"], names: { 5 => "f" },
    answer: Market::Answer.numbers([1, 300]), color: 1, by_path: { [1] => Set[3] }, flags: [true, false],
    inner: { "g" => Market::Everything.new(reals: nil) }, reals: nil
  )
end

each_wire "every prefix" do |wire|
  data = encode(object.call, wire)
  (0..data.bytesize).map { |size| "#{size}: #{summary(Market::Everything, data[0, size], wire)}" }
end

each_wire "every prefix of what is skipped" do |wire|
  data = encode(object.call, wire)
  (0..data.bytesize).map { |size| "#{size}: #{summary(Market::Nothing, data[0, size], wire)}" }
end

each_wire "every prefix of a union" do |wire|
  data = encode(Market::Answer.answer(Market::Answer.point(Market::Point.new(x: 1))), wire)
  (0..data.bytesize).map { |size| "#{size}: #{summary(Market::Answer.text("old"), data[0, size], wire)}" }
end

each_wire "every byte changed" do |wire|
  data = encode(Market::Everything.new(flag: true, medium: -70_000, text: "abc", names: { 5 => "f" }, reals: nil,
                                       answer: Market::Answer.numbers([1, 300]), words: ["b"]), wire)
  [0x00, 0xff, 0x01].flat_map do |mask|
    (0...data.bytesize).map do |at|
      changed = data.dup
      changed.setbyte(at, mask.zero? ? 0 : changed.getbyte(at) ^ mask)
      "#{mask} at #{at}: #{summary(Market::Everything, changed, wire)}"
    end
  end
end
