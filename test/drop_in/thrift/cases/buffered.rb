# frozen_string_literal: true

# What a buffered transport asks the one below for, and what that may do instead of giving bytes.
# test/drop_in/thrift/cases_test.rb runs these cases.

# Gives one part after the other. A part is bytes, or a Proc that is called instead, or any other object. If nothing is left,
# it fails where a socket would wait, and counts how often.
source_of = lambda do |*parts|
  Class.new(Thrift::BaseTransport) do
    define_method(:initialize) do
      super()
      @parts = parts
      @written = +""
      @vain = 0
    end
    attr_reader :written, :vain

    def read(size)
      if @parts.empty?
        @vain += 1
        raise Thrift::TransportException.new(Thrift::TransportException::TIMED_OUT, "nothing came")
      end
      part = @parts.shift
      return part.call if part.is_a?(Proc)

      @parts.unshift(part.byteslice(size..)) if part.is_a?(String) && part.bytesize > size && part.encoding == Encoding::BINARY
      part.is_a?(String) && part.encoding == Encoding::BINARY ? part.byteslice(0, size) : part
    end

    def write(bytes) = @written << bytes
    def flush = @written << "|"
    def left = @parts.sum { |part| part.is_a?(String) ? part.bytesize : 1 }
  end.new
end

object = -> { Market::Everything.new(flag: true, text: "text" * 5, points: [Market::Point.new(x: 1)], reals: nil) }

# @return [String] what reading returned, the object, and how much is left
read_from = lambda do |wire, klass, *parts, **options|
  source = source_of[*parts]
  buffered = Thrift::BufferedTransport.new(source)
  one = klass.new
  returned = outcome { one.read(protocol(wire, buffered, **options)).inspect }
  ahead = buffered.instance_variable_get(:@rbuf)
  ahead = ahead.is_a?(String) ? [ahead.bytesize - buffered.instance_variable_get(:@index), 0].max : ahead.inspect
  below = buffered.instance_variable_get(:@transport).equal?(source)
  "#{returned}, #{show(one)}, left #{ahead} and #{source.left}, asked #{source.vain}#{", not below" unless below}"
end

# The element is faulty, so it does not matter what would come behind it.
each_wire "many elements, and the first is faulty" do |wire|
  nested = wire == :compact ? bytes("19 fc ff ff ff ff 07") : bytes("0f 00 0a 0c 7f ff ff ff")
  starts = if wire == :compact
             { "a required field is missing" => bytes("09 14 fc ff ff ff ff 07 00"),
               "an unknown type" => bytes("09 14 fc ff ff ff ff 07 1e 00"),
               "a long number" => bytes("09 28 f9 ff ff ff ff 07 f6 ff ff ff ff 07 ff ff ff ff ff ff ff ff ff ff ff 01"),
               "a skipped struct" => bytes("09 a0 9c 01 fc ff ff ff ff 07 1e"),
               "a set" => bytes("0a 1e fc ff ff ff ff 07 00") }
           else
             { "a required field is missing" => bytes("0f 00 0a 0c 7f ff ff ff 00"),
               "an unknown type" => bytes("0f 00 0a 0c 7f ff ff ff 63 00 01 00"),
               "a map" => bytes("0d 00 16 0b 0c 7f ff ff ff 00 00 00 01 61 0b 00 07 ff ff ff ff"),
               "a skipped struct" => bytes("0f 27 10 0c 7f ff ff ff 63 00 01"),
               "a set" => bytes("0e 00 0f 0c 7f ff ff ff 00") }
           end
  starts.map { |name, start| "#{name}: #{instance_exec(wire, Market::Everything, start, &read_from)}" } +
    [instance_exec(wire, Market::Everything, nested, &read_from)]
end

each_wire "a string longer than the limit", since: "0.25" do |wire|
  known, unknown = if wire == :compact
                     ["18 c8 01 61",
                      "08 a0 9c 01 c8 01 61"]
                   else
                     ["0b 00 07 00 00 00 c8 61", "0b 27 10 00 00 00 c8 61"]
                   end
  known = "08 0e c8 01 61" if wire == :compact
  [known, unknown].flat_map do |digits|
    [199, 200, nil].map do |max_string_size|
      instance_exec(wire, Market::Everything, bytes(digits), max_string_size:, &read_from)
    end
  end
end

each_wire "something else than bytes" do |wire|
  data = encode(object.call, wire)
  parts = { nil: nil, empty: "".b, symbol: :bytes, number: 5, "UTF-8": data[10..].dup.force_encoding("UTF-8"),
            frozen: data[10..].freeze, long: data[10..] + ("x" * 5000), subclass: Class.new(String).new(data[10..]) }
  parts.flat_map do |name, part|
    [[data[0, 10], part], [data[0, 10], part, data[10..]], [part, data]].map do |given|
      next "#{name}: skipped" if name == :long && given.last == part && given.size == 1

      "#{name}: #{instance_exec(wire, Market::Everything, *given, &read_from)}"
    end
  end
end

each_wire "errors of the transport below" do |wire|
  data = encode(object.call, wire)
  errors = [-> { raise IOError, "closed" }, -> { raise Interrupt, "stopped" }, -> { raise NotImplementedError, "no" },
            -> { raise Thrift::TransportException.new(3, "late") }, -> { raise EOFError }, -> { exit(3) }]
  errors.flat_map do |error|
    [[error, data], [data[0, 10], error, data[10..]], [data[0, 10], data[10, 2], error, data[12..]]].map do |given|
      instance_exec(wire, Market::Everything, *given, &read_from)
    end
  end
end

each_wire "a cause and a backtrace" do |wire|
  data = encode(object.call, wire)
  begin
    raise "first"
  rescue StandardError
    error = begin
      source = source_of[data[0, 9], -> { raise IOError, "closed" }]
      Market::Everything.new.read(protocol(wire, Thrift::BufferedTransport.new(source)))
    rescue IOError => e
      e
    end
    [error.message, error.cause.inspect, error.backtrace.first[/\w+\.rb/].inspect, $!.inspect]
  end
end

each_wire "a throw of the transport below" do |wire|
  data = encode(object.call, wire)
  buffered = Thrift::BufferedTransport.new(source_of[data[0, 10], -> { throw :done, 5 }, data[10..]])
  thrown = catch(:done) { Market::Everything.new.read(protocol(wire, buffered)) }
  thrown.inspect
end

each_wire "the transport below writes while it reads" do |wire|
  data = encode(object.call, wire)
  write = lambda do
    buffered = Thread.current[:buffered]
    object.call.write(protocol(wire, buffered))
    buffered.flush
    data[10..]
  end
  source = source_of[data[0, 10], write]
  buffered = Thread.current[:buffered] = Thrift::BufferedTransport.new(source)
  one = Market::Everything.new
  [outcome { one.read(protocol(wire, buffered)).inspect }, show(one), hex(source.written.b)]
end

each_wire "the transport below gives the same String each time" do |wire|
  data = encode(object.call, wire)
  ends = [-> { raise EOFError }, -> {}]
  [*ends.map { |part| [data[0, 10], data[10, 2], part] }, data.unpack("a20" * data.bytesize.fdiv(20).ceil)].map do |parts|
    given = "".b
    again = parts.map do |part|
      lambda do
        given.clear
        part.is_a?(Proc) ? part.call : given.replace(part)
      end
    end
    instance_exec(wire, Market::Everything, *again, &read_from)
  end
end

each_wire "a struct in many pieces" do |wire|
  blobs = Array.new(30) { |size| "b" * (size * 50) }
  data = encode(Market::Everything.new(text: "x" * 20_000, blobs:, reals: nil), wire)
  [1, 7, 1000, 4096, 4097, 50_000].map do |size|
    pieces = data.bytesize < size ? [data] : data.unpack("a#{size}" * data.bytesize.fdiv(size).ceil)
    text = instance_exec(wire, Market::Everything, *pieces, &read_from)
    "#{size}: #{text.size} #{Zlib.crc32(text)} #{text[/left.*/]}"
  end
end
