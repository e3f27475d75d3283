# frozen_string_literal: true

# Transports that keep what they have read. test/drop_in/thrift/cases_test.rb runs these cases.

# Gives the bytes in pieces, as a socket does, and notes what it is asked for. It fails if nothing is left.
pieces = lambda do |*texts|
  Class.new(Thrift::BaseTransport) do
    define_method(:initialize) do
      @pieces = texts.map(&:b)
      @written = +"".b
      @asked = []
      super()
    end
    attr_reader :written, :asked

    def read(size)
      @asked << size
      raise Thrift::TransportException.new(Thrift::TransportException::TIMED_OUT, "nothing came") if @pieces.empty?

      piece = @pieces.shift
      @pieces.unshift(piece[size..]) if piece.bytesize > size
      piece[0, size]
    end

    def write(bytes) = @written << bytes
    def left = @pieces.join
    def flush = @written << "|"
  end.new
end

# What a buffered transport has not given away yet, with what its source still holds.
ahead = lambda { |buffered, source|
  "#{buffered.instance_variable_get(:@rbuf)[buffered.instance_variable_get(:@index)..]}#{source.left}"
}

object = -> { Market::Everything.new(flag: true, text: "text", points: [Market::Point.new(x: 1)], names: { 1 => "a" }, reals: nil) }

frames = ->(*texts) { texts.map { |text| [text.bytesize].pack("N") + text }.join.b }

each_wire "framed: write" do |wire|
  source = pieces.call
  framed = Thrift::FramedTransport.new(source)
  2.times { Market::Point.new(x: 1).write(protocol(wire, framed)) }
  before = source.written.dup
  framed.flush
  failed = outcome { Market::Everything.new(flag: true, point: Market::Point.new).write(protocol(wire, framed)) }
  framed.flush
  [hex(before), failed, hex(source.written)]
end

check "framed: flush over memory" do
  memory = Thrift::MemoryBufferTransport.new
  framed = Thrift::FramedTransport.new(memory)
  flush = -> { outcome { framed.flush } + hex(memory.instance_variable_get(:@buf)) }
  empty = flush.call
  framed.write("ab")
  first = framed.instance_variable_get(:@wbuf)
  once = flush.call
  framed.write("é" * 12)
  twice = flush.call
  kept = [hex(first), first.equal?(framed.instance_variable_get(:@wbuf)), framed.instance_variable_get(:@wbuf).encoding]
  memory.instance_variable_get(:@buf).freeze
  framed.write("c")
  [empty, once, twice, kept, flush.call, framed.instance_variable_get(:@wbuf)]
end

check "framed: flush over others, and of others" do
  memory = -> { Thrift::MemoryBufferTransport.new }
  subclass = Class.new(Thrift::MemoryBufferTransport) { def write(bytes) = super("<#{bytes}>") }
  single = memory.call.tap { |below| below.define_singleton_method(:write) { |bytes| super("<#{bytes}>") } }
  own = Class.new(Thrift::FramedTransport) do
    def flush
      write("more")
      super
    end
  end
  framed = [Thrift::FramedTransport.new(subclass.new), Thrift::FramedTransport.new(single), own.new(memory.call),
            Thrift::FramedTransport.new(memory.call, true, false),
            Thrift::FramedTransport.new(memory.call).tap { |transport| transport.instance_variable_set(:@wbuf, nil) },
            Thrift::FramedTransport.new(memory.call).tap { |transport| transport.instance_variable_set(:@wbuf, +"é") },
            Thrift::FramedTransport.new(memory.call).freeze, Thrift::FramedTransport.new(nil),
            Thrift::FramedTransport.new(Thrift::FramedTransport.new(memory.call))]
  framed.map do |transport|
    written = outcome { transport.write("ab") }
    below = transport.instance_variable_get(:@transport)
    buffer = %i[@buf @wbuf].filter_map { |name| below.instance_variable_get(name) }.first.to_s
    "#{written}, #{outcome { transport.flush }}, #{hex(buffer)}"
  end
end

each_wire "framed: several structs in one frame" do |wire|
  data = encode(object.call, wire)
  framed = Thrift::FramedTransport.new(memory(frames[data + data, data]))
  iprot = protocol(wire, framed)
  Array.new(4) { outcome { show(Market::Everything.new.tap { |one| one.read(iprot) }) } }
end

each_wire "framed: a struct in several frames" do |wire|
  data = encode(object.call, wire)
  (1...data.bytesize).map do |at|
    framed = Thrift::FramedTransport.new(memory(frames[data[0, at], "#{data[at..]}rest"]))
    outcome { show(Market::Everything.new.tap { |one| one.read(protocol(wire, framed)) }) } + outcome { framed.read(4) }
  end.uniq
end

# Versions before 0.24 crash.
each_wire "framed: faulty frames", since: "0.24" do |wire|
  data = encode(object.call, wire)
  ["", "\0\0\0", "\0\0\0\0", "\0\0\0\5ab", frames["\xff\xff\xff".b], frames[data][0..-2], "\xff\xff\xff\xff".b + data,
   "\x7f\xff\xff\xff".b + data, frames[data[0..-2]]].map do |bytes|
    inner = memory(bytes)
    framed = Thrift::FramedTransport.new(inner)
    target = Market::Everything.new
    returned = outcome { target.read(protocol(wire, framed)).inspect }
    "#{returned}, #{show(target)}, left #{inner.available}, then #{outcome { framed.read(1) }}"
  end
end

each_wire "framed: not reading or not writing frames" do |wire|
  data = encode(object.call, wire)
  source = pieces.call
  unread = Thrift::FramedTransport.new(memory(data), false, true)
  unwritten = Thrift::FramedTransport.new(source, true, false)
  object.call.write(protocol(wire, unwritten))
  [show(decode(Market::Nothing, data, wire)), outcome do
    show(Market::Everything.new.tap do |one|
      one.read(protocol(wire, unread))
    end)
  end,
   source.written == data, source.written.bytesize]
end

check "framed: the limit of frames", since: "0.25" do
  data = encode(object.call, :compact)
  [data.bytesize - 1, data.bytesize].map do |max_frame_size|
    framed = Thrift::FramedTransport.new(memory(frames[data]), max_frame_size:)
    outcome { show(Market::Everything.new.tap { |one| one.read(protocol(:compact, framed)) }) }
  end
end

each_wire "buffered: write" do |wire|
  source = pieces.call
  buffered = Thrift::BufferedTransport.new(source)
  Market::Point.new(x: 1).write(protocol(wire, buffered))
  before = source.written.dup
  outcome { Market::Everything.new(flag: true, point: Market::Point.new).write(protocol(wire, buffered)) }
  buffered.flush
  [before.inspect, hex(source.written)]
end

each_wire "buffered: is never read past the struct" do |wire|
  data = encode(object.call, wire)
  source = pieces.call(data, data)
  buffered = Thrift::BufferedTransport.new(source)
  iprot = protocol(wire, buffered)
  3.times.flat_map do
    [outcome do
      show(Market::Everything.new.tap do |one|
             one.read(iprot)
           end)
    end, source.asked.size, ahead[buffered, source].bytesize]
  end
end

each_wire "buffered: in pieces, with more behind" do |wire|
  data = encode(object.call, wire)
  (1...data.bytesize).map do |at|
    source = pieces.call(data[0, at], "#{data[at..]}rest")
    buffered = Thrift::BufferedTransport.new(source)
    outcome do
      show(Market::Everything.new.tap do |one|
        one.read(protocol(wire, buffered))
      end)
    end + ahead[buffered, source].inspect
  end.uniq
end

each_wire "buffered: byte by byte, and ends" do |wire|
  data = encode(object.call, wire)
  [data.bytesize, data.bytesize - 1, 5, 1, 0].map do |size|
    source = pieces.call(*data[0, size].chars)
    buffered = Thrift::BufferedTransport.new(source)
    target = Market::Everything.new
    "#{outcome { target.read(protocol(wire, buffered)).inspect }}, #{show(target)}, #{ahead[buffered, source].inspect}"
  end
end

each_wire "buffered: an error in the middle, then more" do |wire|
  data = encode(object.call, wire)
  source = pieces.call(data[0, 5])
  buffered = Thrift::BufferedTransport.new(source)
  iprot = protocol(wire, buffered)
  target = Market::Everything.new
  first = outcome { target.read(iprot) }
  source.instance_variable_set(:@pieces, [data, "rest"])
  [first, show(target), outcome do
    show(Market::Everything.new.tap do |one|
      one.read(iprot)
    end)
  end, ahead[buffered, source].inspect]
end

each_wire "buffered: faulty bytes" do |wire|
  data = encode(object.call, wire)
  ["\xff\xff\xff\xff".b, "\0".b, data[0, 3] + ("\xff".b * 20),
   encode(Market::Everything.new(point: Market::Wide.new(a: 1)), wire)]
    .map do |bytes|
      source = pieces.call(bytes, "rest")
      buffered = Thrift::BufferedTransport.new(source)
      target = Market::Strict.new
      "#{outcome { target.read(protocol(wire, buffered)).inspect }}, #{show(target)}, #{ahead[buffered, source].inspect}"
    end
end

each_wire "buffered: large strings" do |wire|
  data = encode(Market::Everything.new(text: "x" * 10_000, bytes: "y" * 5000, reals: nil), wire)
  [[data], data.scan(/.{1,1000}/mn), [data[0, 4096], data[4096..]]].map do |parts|
    source = pieces.call(*parts, "rest")
    buffered = Thrift::BufferedTransport.new(source)
    read = Market::Everything.new.tap { |one| one.read(protocol(wire, buffered)) }
    "#{read.text.bytesize} #{read.bytes.bytesize} #{ahead[buffered, source]}"
  end
end

each_wire "buffered over framed, framed over buffered" do |wire|
  data = encode(object.call, wire)
  [Thrift::BufferedTransport.new(Thrift::FramedTransport.new(memory(frames[data, data]))),
   Thrift::FramedTransport.new(Thrift::BufferedTransport.new(memory(frames[data, data])))].flat_map do |transport|
    Array.new(2) { outcome { show(Market::Everything.new.tap { |one| one.read(protocol(wire, transport)) }) } }
  end
end

each_wire "memory: positions" do |wire|
  data = encode(object.call, wire)
  transport = memory("before#{data}#{data}after")
  transport.read(6)
  first = Market::Everything.new.tap { |one| one.read(protocol(wire, transport)) }
  between = transport.available - data.bytesize
  second = Market::Everything.new.tap { |one| one.read(protocol(wire, transport)) }
  [show(first), between, first == second, left(transport), transport.peek, transport.inspect_buffer]
end

each_wire "memory: more than it keeps" do |wire|
  data = encode(Market::Everything.new(text: "x" * 5000, reals: nil), wire)
  transport = memory(data * 3)
  Array.new(3) do
    one = Market::Everything.new.tap { |read| read.read(protocol(wire, transport)) }
    "#{one.text.bytesize}, left #{transport.available}, index #{transport.instance_variable_get(:@index)}"
  end
end

each_wire "memory: reading and writing the same" do |wire|
  transport = memory
  both = protocol(wire, transport)
  Array.new(3) do |x|
    Market::Point.new(x:).write(both)
    show(Market::Point.new.tap { |one| one.read(both) }) + transport.available.to_s
  end
end

each_wire "memory: the bytes that it was made of" do |wire|
  data = encode(object.call, wire).freeze
  transport = memory(data)
  object.call.write(protocol(wire, transport))
  [data == encode(object.call, wire), transport.available == data.bytesize * 2]
end

each_wire "other transports" do |wire|
  data = encode(Market::Point.new(x: 1), wire)
  input = StringIO.new("#{data}rest".b)
  output = StringIO.new("".b)
  stream = Thrift::IOStreamTransport.new(input, output)
  read = Market::Point.new.tap { |one| one.read(protocol(wire, stream)) }
  read.write(protocol(wire, stream))
  own = Class.new(Thrift::MemoryBufferTransport) { def read_byte = super.then { |byte| byte } }
  [show(read), input.read, output.string == data, outcome do
    show(Market::Point.new.tap do |one|
      one.read(protocol(wire, own.new(data)))
    end)
  end]
end

each_wire "HTTP: what a response holds" do |wire|
  data = encode(object.call, wire)
  transport = Thrift::HTTPClientTransport.new("http://localhost:1/")
  transport.instance_variable_set(:@inbuf, StringIO.new("#{data}#{data}re".b))
  iprot = protocol(wire, transport)
  object.call.write(iprot)
  Array.new(3) { outcome { show(Market::Everything.new.tap { |one| one.read(iprot) }) } } +
    [transport.instance_variable_get(:@inbuf).pos.to_s, hex(transport.instance_variable_get(:@outbuf))]
end

each_wire "HTTP: nothing was sent yet" do |wire|
  transport = Thrift::HTTPClientTransport.new("http://localhost:1/")
  [outcome { Market::Point.new.read(protocol(wire, transport)) }, outcome do
    Market::Point.new.write(protocol(wire, transport))
  end]
end
