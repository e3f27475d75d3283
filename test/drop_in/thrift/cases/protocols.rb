# frozen_string_literal: true

# Other protocols, protocols within protocols, and protocols that are in the middle of something. Run by
# test/drop_in/thrift/cases_test.rb.

object = -> { Market::Everything.new(flag: true, text: "ü", points: [Market::Point.new(x: 1)], answer: Market::Answer.number(5)) }

each_wire "multiplexed" do |wire|
  transport = memory
  multiplexed = Thrift::MultiplexedProtocol.new(protocol(wire, transport), "Service")
  multiplexed.write_message_begin("call", Thrift::MessageTypes::CALL, 5)
  returned = outcome { object.call.write(multiplexed).inspect }
  multiplexed.write_message_end
  data = left(transport)
  read = Thrift::MultiplexedProtocol.new(protocol(wire, memory(data)), "Service")
  [returned, hex(data), read.read_message_begin.inspect, show(Market::Everything.new.tap { |one| one.read(read) }),
   outcome { Market::Point.new.write(multiplexed) }, outcome { Market::Point.new.read(read) }]
end

each_wire "a message" do |wire|
  transport = memory
  both = protocol(wire, transport)
  both.write_message_begin("name", Thrift::MessageTypes::REPLY, -7)
  object.call.write(both)
  both.write_message_end
  data = left(transport)
  transport.reset_buffer(data.dup)
  [hex(data), both.read_message_begin.inspect, show(Market::Everything.new.tap do |one|
    one.read(both)
  end), both.read_message_end.inspect,
   transport.available.to_s]
end

check "header protocol", since: "0.25" do
  { compact: Thrift::HeaderSubprotocolID::COMPACT, binary: Thrift::HeaderSubprotocolID::BINARY }.flat_map do |name, id|
    [false, true].flat_map do |compressed|
      transport = memory
      header = Thrift::HeaderProtocol.new(transport, nil, id)
      header.add_transform(Thrift::HeaderTransformID::ZLIB) if compressed
      header.set_header("k", "v")
      header.write_message_begin("name", Thrift::MessageTypes::CALL, 3)
      object.call.write(header)
      header.write_message_end
      header.trans.flush
      data = left(transport)
      read = Thrift::HeaderProtocol.new(memory(data + data), nil, id)
      shown = 2.times.flat_map do
        [read.read_message_begin.inspect, show(Market::Everything.new.tap do |one|
          one.read(read)
        end), read.get_headers.inspect]
      end
      ["#{name} #{compressed}", compressed ? "" : hex(data), outcome { Market::Point.new.write(header) },
       outcome { Market::Point.new.read(read) }] + shown
    end
  end
end

check "JSON" do
  transport = memory
  both = Thrift::JsonProtocol.new(transport)
  object.call.write(both)
  text = left(transport)
  transport.reset_buffer(text.dup)
  [text, show(Market::Everything.new.tap { |one| one.read(both) }), outcome { Market::Point.new.write(both) }]
end

each_wire "a subclass of a protocol is not bypassed", alone: true do |wire|
  klass = Class.new(protocol_class(wire)) do
    def write_i32(number) = super(number + 1)
    def read_i32 = super * 10
  end
  transport = memory
  Market::Everything.new(medium: 5, point: Market::Point.new(x: 2)).write(klass.new(transport))
  data = left(transport)
  [hex(data), show(Market::Everything.new.tap { |one| one.read(klass.new(memory(data))) })]
end

each_wire "a singleton method of a protocol is not bypassed", alone: true do |wire|
  transport = memory
  both = protocol(wire, transport)
  def both.write_string(text) = super(text.upcase)
  def both.read_string = super.reverse
  2.times.flat_map do
    Market::Everything.new(text: "abc", words: ["d"]).write(both)
    [hex(transport.instance_variable_get(:@buf)), show(Market::Everything.new.tap { |one| one.read(both) })]
  end
end

each_wire "a struct inside of what is written by hand" do |wire|
  transport = memory
  both = protocol(wire, transport)
  both.write_struct_begin("Outer")
  both.write_field_begin("a", Thrift::Types::I32, 5)
  both.write_i32(1)
  both.write_field_end
  both.write_field_begin("b", Thrift::Types::STRUCT, 7)
  object.call.write(both)
  both.write_field_end
  both.write_field_begin("c", Thrift::Types::BOOL, 9)
  both.write_bool(true)
  both.write_field_end
  both.write_field_stop
  both.write_struct_end
  data = left(transport)
  transport.reset_buffer(data.dup)
  both.read_struct_begin
  [hex(data), both.read_field_begin.drop(1).inspect, both.read_i32.to_s, both.read_field_begin.drop(1).inspect,
   show(Market::Everything.new.tap { |one| one.read(both) }), both.read_field_begin.drop(1).inspect, both.read_bool.to_s,
   both.read_field_begin.drop(1).inspect, both.read_struct_end.inspect, transport.available.to_s]
end

each_wire "structs in lists that are written by hand" do |wire|
  transport = memory
  both = protocol(wire, transport)
  both.write_list_begin(Thrift::Types::STRUCT, 2)
  2.times { |x| Market::Point.new(x:).write(both) }
  both.write_list_end
  data = left(transport)
  transport.reset_buffer(data.dup)
  [hex(data), both.read_list_begin.inspect, *Array.new(2) { show(Market::Point.new.tap { |one| one.read(both) }) }]
end

each_wire "a protocol after a failure" do |wire|
  transport = memory
  both = protocol(wire, transport)
  failures = [Market::Everything.new(flag: true, point: Market::Point.new), Market::Everything.new(medium: "x"), Market::Answer.text(5)]
  failures.flat_map do |failing|
    [outcome { failing.write(both) }, outcome { Market::Wide.new(a: 1, d: true).write(both).inspect }, hex(left(transport))]
  end + ["\x11\xff\xff".b, "\0".b, "\x28\x05a".b, encode(Market::Everything.new(flag: true), wire)[0, 1]].flat_map do |bytes|
    transport.reset_buffer(bytes)
    failed = outcome { Market::Strict.new.read(both) }
    transport.reset_buffer(encode(Market::Wide.new(a: 1, d: true), wire))
    [failed, outcome { show(Market::Wide.new.tap { |one| one.read(both) }) }, left(transport).bytesize]
  end
end

check "a boolean that waits for its header, or its value" do
  transport = memory
  both = protocol(:compact, transport)
  both.write_struct_begin("Outer")
  both.write_field_begin("a", Thrift::Types::BOOL, 3)
  written = outcome { Market::Wide.new(a: 1, d: true).write(both).inspect }
  data = left(transport)
  transport.reset_buffer(bytes("31 15 02 00 00"))
  both.read_struct_begin
  field = both.read_field_begin.drop(1)
  [written, hex(data), field, outcome { show(Market::Wide.new.tap { |one| one.read(both) }) }, outcome do
    both.read_bool.inspect
  end,
   left(transport).bytesize]
end

each_wire "strict and lax binary", %i[binary accelerated] do |wire|
  [[true, true], [false, false], [true, false], [false, true]].map do |read, write|
    transport = memory
    both = protocol_class(wire).new(transport, read, write)
    object.call.write(both)
    data = left(transport)
    transport.reset_buffer(data.dup)
    hex(data) + show(Market::Everything.new.tap { |one| one.read(both) })
  end
end

each_wire "application exceptions" do |wire|
  transport = memory
  both = protocol(wire, transport)
  Thrift::ApplicationException.new(Thrift::ApplicationException::INTERNAL_ERROR, "message").write(both)
  data = left(transport)
  transport.reset_buffer(data.dup)
  read = Thrift::ApplicationException.new.tap { |one| one.read(both) }
  [hex(data), read.message, read.type]
end
