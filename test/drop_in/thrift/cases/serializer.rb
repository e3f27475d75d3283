# frozen_string_literal: true

# Thrift::Serializer and Deserializer. test/drop_in/thrift/cases_test.rb runs these cases.

factories = { compact: :CompactProtocolFactory, binary: :BinaryProtocolFactory,
              accelerated: :BinaryProtocolAcceleratedFactory, json: :JsonProtocolFactory }

object = -> { Market::Everything.new(flag: true, text: "ü", points: [Market::Point.new(x: 1)], answer: Market::Answer.number(5)) }

factories.each do |name, constant|
  check "serialize and deserialize (#{name})" do
    factory = Thrift.const_get(constant)
    serializer = Thrift::Serializer.new(factory.new)
    data = serializer.serialize(object.call)
    again = serializer.serialize(object.call)
    result = outcome { show(Thrift::Deserializer.new(factory.new).deserialize(Market::Everything.new, data)) }
    [name == :json ? data : hex(data), data.encoding, data.frozen?, (data == again), data.equal?(again), result]
  end

  check "errors (#{name})" do
    factory = Thrift.const_get(constant)
    serializer = Thrift::Serializer.new(factory.new)
    deserializer = Thrift::Deserializer.new(factory.new)
    data = serializer.serialize(object.call)
    faulty = [Market::Point.new, 5, nil, Market::Point.new(x: 1), Market::Everything.new(text: 5), Market::Point.new(x: 1)]
    faulty.map { |one| outcome { hex(serializer.serialize(one)) } } +
      [[Market::Everything.new, data[0, 5]], [Market::Everything.new, data], [5, data], [Market::Point, data]]
      .map { |one, bytes| outcome { show(deserializer.deserialize(one, bytes)) } }
  end
end

check "the default protocol is binary" do
  data = Thrift::Serializer.new.serialize(Market::Point.new(x: 1))
  [hex(data), show(Thrift::Deserializer.new.deserialize(Market::Point.new, data))]
end

check "deserialize returns the object that it was given" do
  one = Market::Point.new(x: 9, y: 9)
  data = Thrift::Serializer.new.serialize(Market::Point.new(x: 1))
  [Thrift::Deserializer.new.deserialize(one, data).equal?(one), show(one)]
end

check "deserialize and the bytes that it is given" do
  data = Thrift::Serializer.new.serialize(Market::Point.new(x: 1))
  deserializer = Thrift::Deserializer.new
  utf8 = data.dup.force_encoding("UTF-8")
  [show(deserializer.deserialize(Market::Point.new, utf8)), utf8.encoding,
   show(deserializer.deserialize(Market::Point.new, data.freeze)),
   outcome { show(deserializer.deserialize(Market::Point.new, nil)) }, outcome do
                                                                         show(deserializer.deserialize(Market::Point.new, 5))
                                                                       end,
   outcome { show(deserializer.deserialize(Market::Point.new, data.encode("UTF-16LE", "BINARY", undef: :replace))) },
   outcome { show(deserializer.deserialize(Market::Wide.new, "#{data}trailing")) },
   outcome { show(deserializer.deserialize(Market::Point.new, data)) }]
end

check "what was read does not change with the bytes" do
  data = +Thrift::Serializer.new.serialize(Market::Everything.new(text: "a" * 100, bytes: "b" * 100))
  one = Thrift::Deserializer.new.deserialize(Market::Everything.new, data)
  data.setbyte(40, 0)
  data.replace("")
  [one.text == "a" * 100, one.bytes == "b" * 100]
end

check "what was serialized does not change with the next call" do
  serializer = Thrift::Serializer.new
  first = serializer.serialize(Market::Everything.new(text: "a" * 5000))
  copy = first.dup
  serializer.serialize(Market::Everything.new(text: "b" * 5000))
  first << "x"
  [first == "#{copy}x", serializer.serialize(Market::Everything.new(text: "a" * 5000)) == copy]
end

check "subclasses and other objects" do
  speaking = Class.new do
    def write(protocol) = protocol.write_string("hello")
    def read(protocol) = (@read = protocol.read_string)
  end
  counting = Class.new(Thrift::Serializer) { def serialize(one) = super * 2 }
  data = Thrift::Serializer.new.serialize(speaking.new)
  [hex(data), Thrift::Deserializer.new.deserialize(speaking.new, data).instance_variable_get(:@read),
   hex(counting.new.serialize(Market::Point.new(x: 1)))]
end

check "a serializer inside of a struct's validate" do
  serializer = Thrift::Serializer.new
  klass = Class.new(Market::Point) do
    define_method(:validate) { serializer.serialize(Market::Wide.new(a: 1)) if x == 5 }
  end
  [outcome { hex(serializer.serialize(klass.new(x: 1))) }, outcome { hex(serializer.serialize(klass.new(x: 5))) },
   outcome { hex(serializer.serialize(klass.new(x: 1))) }]
end

check "limits of deserialize", since: "0.25" do
  data = Thrift::Serializer.new.serialize(Market::Everything.new(text: "abcdef"))
  [3, 6, nil].map do |max_string_size|
    factory = Thrift::BinaryProtocolFactory.new(max_string_size:)
    outcome { show(Thrift::Deserializer.new(factory).deserialize(Market::Everything.new, data)) }
  end
end
