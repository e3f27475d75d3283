# frozen_string_literal: true

# Methods of the gem that somebody patched: before the first use of a class, and after. Each case runs in a process of its
# own. test/drop_in/thrift/cases_test.rb runs these cases.

object = lambda do
  Market::Everything.new(medium: 5, text: "t", point: Market::Point.new(x: 1), answer: Market::Answer.number(2), reals: nil)
end

# Both directions over each protocol, and how often the patch was called.
use = lambda do |tools, calls|
  tools.wires.flat_map do |wire|
    calls.clear
    transport = tools.memory
    written = tools.outcome { object.call.write(tools.protocol(wire, transport)).inspect }
    bytes = tools.left(transport)
    read = tools.outcome { tools.show(Market::Everything.new.tap { |one| one.read(tools.protocol(wire, tools.memory(bytes))) }) }
    ["#{wire}: #{written}, #{tools.hex(bytes)}", read, calls.sort.map { |name, count| "#{name} #{count}" }.join(" ")]
  end
end

counting = lambda do |calls, *names|
  Module.new do
    names.each do |name|
      define_method(name) do |*arguments, **options, &block|
        calls[name] += 1
        super(*arguments, **options, &block)
      end
    end
  end
end

patches = {
  "a protocol's writing, prepended" => lambda { |calls|
    Thrift::CompactProtocol.prepend(counting[calls, :write_i32, :write_string])
  },
  "a protocol's reading, prepended" => lambda { |calls|
    Thrift::BinaryProtocol.prepend(counting[calls, :read_i32, :read_field_begin])
  },
  "the accelerated protocol, prepended" => lambda do |calls|
    Thrift::BinaryProtocolAccelerated.prepend(counting[calls, :write_i32, :read_i32])
  end,
  "all protocols, prepended" => ->(calls) { Thrift::BaseProtocol.prepend(counting[calls, :read_struct_end, :skip]) },
  "the transport, prepended" => ->(calls) { Thrift::MemoryBufferTransport.prepend(counting[calls, :write, :read_all]) },
  "structs, prepended" => ->(calls) { Thrift::Struct.prepend(counting[calls, :write, :read]) },
  "unions, prepended" => ->(calls) { Thrift::Union.prepend(counting[calls, :write, :read]) },
  "a class, prepended" => ->(calls) { Market::Everything.prepend(counting[calls, :write, :read]) },
  "a nested class, prepended" => ->(calls) { Market::Point.prepend(counting[calls, :write, :read, :validate]) },
  "initialize, prepended" => ->(calls) { Thrift::Struct.prepend(counting[calls, :initialize]) },
  "initialize of unions, prepended" => ->(calls) { Thrift::Union.prepend(counting[calls, :initialize]) },
  "initialize of a nested class, prepended" => ->(calls) { Market::Point.prepend(counting[calls, :initialize]) },
  "write and read of structs, by alias" => lambda do |calls|
    Thrift::Struct.module_eval do
      alias_method :write_without_trace, :write
      alias_method :read_without_trace, :read
      define_method(:write) { |*arguments| (calls[:write] += 1) && write_without_trace(*arguments) }
      define_method(:read) { |*arguments| (calls[:read] += 1) && read_without_trace(*arguments) }
    end
  end,
  "write and read of unions, by alias" => lambda do |calls|
    Thrift::Union.class_eval do
      alias_method :write_without_trace, :write
      define_method(:write) { |*arguments| (calls[:write] += 1) && write_without_trace(*arguments) }
    end
  end,
  "write of one class, by alias" => lambda do |calls|
    Market::Everything.class_eval do
      alias_method :write_without_trace, :write
      define_method(:write) { |*arguments| (calls[:write] += 1) && write_without_trace(*arguments) }
    end
  end,
  "a protocol, by alias" => lambda do |calls|
    Thrift::CompactProtocol.class_eval do
      alias_method :write_i32_without_trace, :write_i32
      define_method(:write_i32) { |number| (calls[:write_i32] += 1) && write_i32_without_trace(number + 1) }
    end
  end,
  "a transport, by alias" => lambda do |calls|
    Thrift::MemoryBufferTransport.class_eval do
      alias_method :write_without_trace, :write
      define_method(:write) { |bytes| (calls[:write] += bytes.bytesize) && write_without_trace(bytes) }
    end
  end,
  "a protocol, redefined" => lambda do |calls|
    Thrift::BinaryProtocol.class_eval { define_method(:write_struct_begin) { |name| (calls[name.to_s] += 1) && nil } }
  end,
  "a protocol's private method, redefined" => lambda do |calls|
    Thrift::CompactProtocol.class_eval do
      define_method(:read_field_begin) { (calls[:read_field_begin] += 1) && ["", Thrift::Types::STOP, 0] }
    end
  end,
  "name_to_id, redefined" => ->(calls) { Thrift::Struct_Union.prepend(counting[calls, :name_to_id]) },
  "a module included into a protocol" => lambda do |calls|
    calls[:never] = 0
    Thrift::CompactProtocol.include(Module.new { def write_i32(*) = raise("never") })
  end,
  "a method of every object" => lambda do |calls|
    Object.class_eval { define_method(:unrelated) { calls[:never] += 1 } }
  end,
  "set and string methods" => ->(calls) { String.prepend(counting[calls, :unrelated]) }
}

patches.each do |name, patch|
  check "before the first use: #{name}", alone: true do
    calls = Hash.new(0)
    patch.call(calls)
    use[self, calls]
  end

  check "after the first use: #{name}", alone: true do
    calls = Hash.new(0)
    use[self, calls]
    patch.call(calls)
    use[self, calls]
  end
end

check "serializers, prepended", alone: true do
  calls = Hash.new(0)
  serializer = Thrift::Serializer.new
  data = serializer.serialize(object.call)
  first = Thrift::Deserializer.new.deserialize(Market::Everything.new, data)
  data = serializer.serialize(first)
  Thrift::Serializer.prepend(counting[calls, :serialize])
  Thrift::Deserializer.prepend(counting[calls, :deserialize])
  Thrift::MemoryBufferTransport.prepend(counting[calls, :reset_buffer])
  again = Thrift::Serializer.new.serialize(first)
  [again == data, serializer.serialize(first) == data,
   show(Thrift::Deserializer.new.deserialize(Market::Everything.new, again)),
   calls.sort.to_s]
end

check "framed and buffered transports, prepended", alone: true do
  calls = Hash.new(0)
  go = lambda do
    [Thrift::FramedTransport, Thrift::BufferedTransport].map do |klass|
      bytes = StringIO.new("".b)
      transport = klass.new(Thrift::IOStreamTransport.new(bytes, bytes))
      object.call.write(protocol(:compact, transport))
      transport.flush
      bytes.rewind
      "#{hex(bytes.string)}, #{show(Market::Everything.new.tap { |one| one.read(protocol(:compact, transport)) })}"
    end
  end
  first = go.call
  Thrift::FramedTransport.prepend(counting[calls, :read_byte, :write])
  Thrift::BufferedTransport.prepend(counting[calls, :read_byte, :write])
  first + go.call + [calls.sort.to_s]
end
