# frozen_string_literal: true

# Methods of the user's own that run in the middle of `read` and `write`: a `validate` that was not generated, and a
# constructor that was overridden. Each case runs in a process of its own. Run by test/drop_in/thrift/cases_test.rb.

i32 = ->(name, **more) { { type: Thrift::Types::I32, name:, **more } }
string = ->(name, **more) { { type: Thrift::Types::STRING, name:, **more } }
struct = ->(name, klass) { { type: Thrift::Types::STRUCT, name:, class: klass } }
list = ->(name, klass) { { type: Thrift::Types::LIST, name:, element: { type: Thrift::Types::STRUCT, class: klass } } }
set = ->(name, klass) { { type: Thrift::Types::SET, name:, element: { type: Thrift::Types::STRUCT, class: klass } } }
map = lambda do |name, key, klass|
  { type: Thrift::Types::MAP, name:, key:, value: { type: Thrift::Types::STRUCT, class: klass } }
end

# @return a class with these FIELDS, in the module Own, and with what the text defines
named = lambda do |name, fields, text = "", base: nil|
  Object.const_set(:Own, Module.new) unless Object.const_defined?(:Own)
  klass = Own.const_set(name, base ? Class.new(base) : Class.new)
  klass.include(Thrift::Struct) unless base
  klass.include(Thrift::Struct_Union)
  klass.const_set(:FIELDS, fields)
  klass.class_eval("def struct_fields; FIELDS; end\ndef validate; end\n#{text}", __FILE__, __LINE__)
  (base == Thrift::Union ? Thrift::Union : Thrift::Struct).generate_accessors(klass)
  klass
end

# A class that writes down what is called, and in which state it is then.
logging = lambda do |name, fields, base: nil|
  named[name, fields, <<~RUBY, base:]
    def initialize(*)
      super
      LOG << "new #{name} \#{ThriftTools.show(self)}"
    end

    def validate
      LOG << "validate #{name} \#{ThriftTools.show(self)}"
    end
  RUBY
end

Object.const_set(:LOG, []) unless Object.const_defined?(:LOG)

# @return [Array<String>] what the block returned, and what was called meanwhile
logged = lambda do |&block|
  LOG.clear
  result = block.call
  [*result, *LOG]
end

each_wire "the order of calls, and what they see", alone: true do |wire|
  leaf = logging["Leaf", { 1 => i32["a"], 2 => string["b", default: "x"] }]
  either = logging["Either", { 1 => struct["leaf", leaf], 2 => i32["number"] }, base: Thrift::Union]
  plain = named["Plain", { 1 => i32["before"], 2 => struct["leaf", leaf], 3 => i32["after"] }]
  root = logging["Root", { 1 => i32["a"], 2 => struct["plain", plain], 3 => list["leaves", leaf],
                           4 => struct["either", either], 5 => map["by_name", { type: Thrift::Types::STRING }, leaf],
                           6 => set["all", leaf], 7 => i32["z"] }]
  object = root.new(a: 1, plain: plain.new(before: 1, leaf: leaf.new(a: 2), after: 3),
                    leaves: [leaf.new(a: 4), leaf.new(a: 5)], either: either.new(:leaf, leaf.new(b: "y")),
                    by_name: { "k" => leaf.new(a: 6) }, all: Set[leaf.new(a: 7)], z: 9)
  data = nil
  logged.call { [hex(data = encode(object, wire))] } + logged.call { [show(decode(root, data, wire))] }
end

each_wire "a read into an object that exists", alone: true do |wire|
  leaf = logging["Leaf", { 1 => i32["a"], 2 => string["b", default: "x"] }]
  root = logging["Root", { 1 => struct["leaf", leaf], 2 => i32["a"], 3 => i32["b", default: 5] }]
  bytes = encode(root.new(leaf: leaf.new(a: 1), a: 2, b: nil), wire)
  logged.call { reading(root.new(a: 8, b: 9, leaf: leaf.new), bytes, wire) } +
    logged.call { reading(root.allocate, bytes, wire) } + logged.call { reading(root.new.freeze, bytes, wire) }
end

each_wire "validate that raises", alone: true do |wire|
  leaf = named["Leaf", { 1 => i32["a"] }, "def validate = (raise(ArgumentError, 'a is three') if @a == 3)"]
  root = named["Root", { 1 => i32["a"], 2 => struct["leaf", leaf], 3 => i32["z"] }]
  good, bad = [1, 3].map { |a| root.new(a:, leaf: leaf.new(a:), z: 1) }
  bytes = encode(good, wire)
  one, three = { compact: ["\x15\x02\x00", "\x15\x06\x00"] }.fetch(wire, ["\x00\x01\x00", "\x00\x03\x00"])
  wrong = bytes.reverse.sub(one.b.reverse, three.b.reverse).reverse
  transport = memory
  failed = outcome { bad.write(protocol(wire, transport)) }
  [failed, hex(left(transport)), written(leaf.new(a: 3), wire), *reading(root, bytes, wire), *reading(root, wrong, wire),
   *reading(leaf, encode(Market::Wide.new(a: 3), wire), wire)]
end

[["NotImplementedError", "raise(NotImplementedError, 'later')"],
 ["an error of one's own", "raise(Class.new(Exception), 'own')"],
 ["throw", "throw(:out, 'thrown')"], ["exit", "exit(3)"]].each do |title, text|
  each_wire "validate ends by #{title}", alone: true do |wire|
    leaf = named["Leaf", { 1 => i32["a"] }, "def validate = #{text}"]
    root = named["Root", { 1 => struct["leaf", leaf] }]
    bytes = hex(encode(Market::Wide.new(a: 1), wire))
    nested = "#{wire == :compact ? "1c" : "0c 00 01"}#{bytes}00"
    [root.new(leaf: leaf.new(a: 1)), leaf.new(a: 1)].map { |object| catch(:out) { written(object, wire) } } +
      [[root, nested], [leaf, bytes]].map do |klass, digits|
        catch(:out) { outcome { decode(klass, bytes(digits), wire) } }.sub(/#<Class:0x\h+>/, "Anonymous")
      end
  end
end

each_wire "validate that raises only the first time", alone: true do |wire|
  leaf = named["Leaf", { 1 => i32["a"] }, "def validate = (LOG << :once and raise('first') if LOG.empty?)"]
  root = named["Root", { 1 => struct["leaf", leaf] }]
  LOG.clear
  written = written(root.new(leaf: leaf.new(a: 1)), wire)
  bytes = encode(root.new(leaf: leaf.new(a: 1)), wire)
  LOG.clear
  [written, outcome { decode(root, bytes, wire) }, show(decode(root, bytes, wire))]
end

each_wire "validate in the middle of a rescue", alone: true do |wire|
  leaf = named["Leaf", { 1 => i32["a"] }, "def validate = (raise('inner') if @a == 3)"]
  first = outcome do
    raise(ArgumentError, "outer")
  rescue ArgumentError
    written(leaf.new(a: 3), wire)
    raise
  end
  [first]
end

each_wire "bytes that end, or go wrong, after a call", alone: true do |wire|
  leaf = named["Leaf", { 1 => i32["a"] }, "def validate = nil.to_a"]
  root = named["Root", { 1 => list["leaves", leaf], 2 => string["text"] }]
  bytes = encode(root.new(leaves: [leaf.new(a: 1), leaf.new(a: 2)], text: "text"), wire)
  Array.new(bytes.bytesize) { |size| summary(root, bytes[0, size], wire) } +
    Array.new(bytes.bytesize) { |at| summary(root, bytes.dup.tap { |copy| copy.setbyte(at, 0x7f) }, wire) }
end

each_wire "a constructor that sets, freezes or replaces", alone: true do |wire|
  bodies = { "sets" => "super; @a ||= 7; @b = 'own'; @c = :more", "nothing" => "", "freezes" => "super; freeze",
             "extends" => "super; extend(Module.new { def validate = LOG << :extended })",
             "raises" => "raise('no')", "demands" => "super" }
  LOG.clear
  bodies.map do |name, body|
    arguments = name == "demands" ? "(one)" : "(*)"
    leaf = named["Leaf#{name}", { 1 => i32["a"], 2 => string["b"] }, "def initialize#{arguments}\n#{body}\nend"]
    root = named["Root#{name}", { 1 => struct["leaf", leaf] }]
    digits = wire == :compact ? "1c 15 02 00 00" : "0c 00 01 08 00 01 00 00 00 01 00 00"
    outcome { show(decode(root, bytes(digits), wire)) }
  end + [LOG.inspect]
end

each_wire "required fields and enums beside what is called", alone: true do |wire|
  invalid = "::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA"
  checks = "def validate\nraise #{invalid}, 'Required field a is unset!') unless @a\n" \
           "unless @c.nil? || ::Market::Color::VALID_VALUES.include?(@c)\n" \
           "raise #{invalid}, 'Invalid value of field c!')\nend\nend"
  leaf = named["Leaf", { 1 => i32["x"] }, "def validate = LOG << @x"]
  root = named["Root", { 1 => i32["a"], 2 => struct["leaf", leaf], 3 => i32["c", enum_class: Market::Color] }, checks]
  LOG.clear
  sets = [{ a: 1 }, {}, { a: 1, c: 1 }, { a: 1, c: 99 }, { a: 1, c: "1" }]
  objects = sets.map { |fields| root.new(leaf: leaf.new(x: 5), **fields) }
  color = Market::Color::VALID_VALUES.first
  bytes = encode(root.new(a: 1, leaf: leaf.new(x: 4), c: color), wire)
  objects.map { |object| written(object, wire) } + reading(root, bytes, wire) +
    reading(root, encode(Market::Wide.new(b: 2), wire), wire) + reading(root.new(a: 4, c: color), "\0".b, wire)
end

each_wire "a method that changes the objects around it", alone: true do |wire|
  changes = { "a field before" => "PARENT[0].a = 77", "a field after" => "PARENT[0].z = 77",
              "a required one" => "PARENT[0].z = nil",
              "a longer list" => "PARENT[0].leaves << PARENT[0].leaves[0] if (PARENT[0].leaves || [0] * 9).size < 5",
              "the map" => "PARENT[0].by_name['new'] = PARENT[0].leaf if PARENT[0].by_name",
              "the map emptied" => "PARENT[0].by_name&.clear", "the set" => "PARENT[0].all&.clear" }
  Object.const_set(:PARENT, []) unless Object.const_defined?(:PARENT)
  changes.flat_map do |title, change|
    name = title.split.join.capitalize
    leaf = named["Leaf#{name}", { 1 => i32["n"] }, "def validate = (#{change} if PARENT[0] && @n == 2)"]
    root = named["Root#{name}", { 1 => i32["a"], 2 => struct["leaf", leaf], 3 => list["leaves", leaf],
                                  4 => map["by_name", { type: Thrift::Types::STRING }, leaf], 5 => set["all", leaf],
                                  6 => i32["z"] }]
    make = lambda do
      ones = Array.new(4) { |n| leaf.new(n: n + 1) }
      root.new(a: 1, leaf: ones[0], leaves: ones[0, 3], by_name: { "k" => ones[0], "l" => ones[3] },
               all: Set[ones[0], ones[3]], z: 2)
    end
    PARENT.clear
    bytes = encode(make.call, wire)
    PARENT[0] = make.call
    wrote = written(PARENT[0], wire)
    PARENT[0] = root.new
    read = reading(PARENT[0], bytes, wire)
    PARENT.clear
    [title, wrote, *read]
  end
end

# What was done cannot be undone before the gem's own code runs.
each_wire "a method that empties the list, or freezes the object around it", alone: true do |wire|
  Object.const_set(:PARENT, []) unless Object.const_defined?(:PARENT)
  { "Emptied" => "PARENT[0].leaves.clear", "Frozen" => "PARENT[0].freeze" }.flat_map do |name, change|
    leaf = named["Leaf#{name}", { 1 => i32["n"] }, "def validate = (#{change} if PARENT[0] && @n == 1)"]
    root = named["Root#{name}", { 1 => list["leaves", leaf], 2 => i32["z"] }]
    bytes = encode(root.new(leaves: [leaf.new(n: 1), leaf.new(n: 2)], z: 3), wire)
    PARENT[0] = decode(root, bytes, wire) if name == "Emptied"
    PARENT[0] ||= root.new
    result = name == "Emptied" ? [written(PARENT[0], wire)] : reading(PARENT[0], bytes, wire)
    PARENT.clear
    result
  end
end

each_wire "a method that reads and writes itself", alone: true do |wire|
  body = <<~RUBY
    def validate
      return if Thread.current[:deep]

      Thread.current[:deep] = true
      bytes = ThriftTools.encode(self, :#{wire})
      LOG << ThriftTools.hex(bytes) << ThriftTools.show(ThriftTools.decode(self.class, bytes, :#{wire}))
      LOG << ThriftTools.summary(self.class, bytes[0..-2], :#{wire})
    ensure
      Thread.current[:deep] = false
    end
  RUBY
  leaf = named["Leaf", { 1 => i32["a"], 2 => string["b", default: "x"] }, body]
  root = named["Root", { 1 => list["leaves", leaf], 2 => i32["z"] }]
  object = root.new(leaves: [leaf.new(a: 1), leaf.new(a: 2, b: "y")], z: 3)
  logged.call { [hex(encode(object, wire))] } + logged.call { [show(decode(root, encode(object, wire), wire))] }
end

each_wire "a method that uses the transport", alone: true do |wire|
  uses = { "appends" => "TRANSPORT[0].write('!')", "reads" => "TRANSPORT[0].read(1)",
           "replaces" => "TRANSPORT[0].reset_buffer('')",
           "replaces by more" => "TRANSPORT[0].reset_buffer('abc' * 30)",
           "empties" => "TRANSPORT[0].instance_variable_get(:@buf).clear" }
  Object.const_set(:TRANSPORT, []) unless Object.const_defined?(:TRANSPORT)
  uses.flat_map do |title, use|
    name = title.split.join.capitalize
    leaf = named["Leaf#{name}", { 1 => i32["a"] }, "def validate = (#{use} if TRANSPORT[0])"]
    root = named["Root#{name}", { 1 => i32["a"], 2 => struct["leaf", leaf], 3 => i32["z"] }]
    object = root.new(a: 1, leaf: leaf.new(a: 2), z: 3)
    TRANSPORT.clear
    bytes = encode(object, wire)
    TRANSPORT[0] = memory("")
    wrote = outcome { object.write(protocol(wire, TRANSPORT[0])).inspect }
    buffer = TRANSPORT[0].instance_variable_get(:@buf).b
    TRANSPORT[0] = memory("#{bytes}rest")
    target = root.new
    read = outcome { target.read(protocol(wire, TRANSPORT[0])).inspect }
    rest = outcome { hex(TRANSPORT.shift.then { |one| one.available.positive? ? one.read(one.available) : "" }) }
    [title, wrote, hex(buffer), read, show(target), rest]
  end
end

each_wire "the transports of the gem", alone: true do |wire|
  leaf = logging["Leaf", { 1 => i32["a"] }]
  root = named["Root", { 1 => list["leaves", leaf], 2 => string["text"] }]
  object = root.new(leaves: Array.new(3) { |a| leaf.new(a:) }, text: "t" * 9000)
  small = root.new(leaves: [leaf.new(a: 1)])
  [Thrift::FramedTransport, Thrift::BufferedTransport].flat_map do |klass|
    bytes = StringIO.new("".b)
    transport = klass.new(Thrift::IOStreamTransport.new(bytes, bytes))
    logged.call do
      2.times { [object, small].each { |each| each.write(protocol(wire, transport)) && nil } }
      transport.flush
      bytes.rewind
      Array.new(4) { Zlib.crc32(show(root.new.tap { |one| one.read(protocol(wire, transport)) })).to_s }
    end
  end
end

check "serializers", alone: true do
  leaf = named["Leaf", { 1 => i32["a"] }, "def validate = (LOG << @a and (raise('three') if @a == 3))"]
  root = named["Root", { 1 => struct["leaf", leaf], 2 => i32["z"] }]
  logged.call do
    factory = Thrift::CompactProtocolFactory.new
    serializer = Thrift::Serializer.new(factory)
    deserializer = Thrift::Deserializer.new(factory)
    bytes = serializer.serialize(root.new(leaf: leaf.new(a: 1), z: 2))
    wrong = bytes.sub("\x02".b, "\x06".b)
    [hex(bytes), show(deserializer.deserialize(root.new, bytes)), outcome { deserializer.deserialize(root.new, wrong) },
     outcome { serializer.serialize(root.new(leaf: leaf.new(a: 3))) }, show(deserializer.deserialize(root.new, bytes))]
  end.map(&:to_s).uniq
end

each_wire "keys of maps, and elements of sets, with their own methods", alone: true do |wire|
  leaf = logging["Leaf", { 1 => i32["a"] }]
  root = named["Root", { 1 => { type: Thrift::Types::MAP, name: "m", key: { type: Thrift::Types::STRUCT, class: leaf },
                                value: { type: Thrift::Types::STRUCT, class: leaf } }, 2 => set["s", leaf] }]
  object = root.new(m: { leaf.new(a: 1) => leaf.new(a: 2) }, s: Set[leaf.new(a: 3), leaf.new(a: 4)])
  bytes = nil
  logged.call { [hex(bytes = encode(object, wire))] } +
    logged.call { [show(decode(root, bytes, wire)), decode(root, bytes, wire).m.keys.map(&:frozen?).inspect] }
end

# The second of three objects is not valid. What was written before it stays.
over = lambda do |wire, transport, protocol|
  leaf = named["Leaf", { 1 => i32["x"] }, "def validate\nraise('no') if @x == 9\nLOG << @x\nend"]
  root = named["Root", { 1 => i32["a"], 2 => struct["leaf", leaf] }]
  free = named["Free", { 1 => i32["x"] }]
  unchecked = named["Unchecked", { 1 => i32["a"], 2 => struct["leaf", free] }]
  LOG.clear
  three = [5, 9, 6]
  input = three.map { |x| encode(unchecked.new(a: 1, leaf: free.new(x:)), wire) }
  transport = transport.call(input)
  both = protocol.call(transport)
  written = three.map { |x| outcome { root.new(a: 1, leaf: leaf.new(x:)).write(both).to_s } }
  written + Array.new(4) { outcome { show(root.new.tap { |one| one.read(both) }) } } +
    %i[@wbuf @outbuf].filter_map { |name| transport.instance_variable_get(name) }.map { |bytes| hex(bytes) } + [LOG.inspect]
end

each_wire "methods that raise, over frames", alone: true do |wire|
  frames = ->(input) { Thrift::FramedTransport.new(memory(input.map { |one| [one.bytesize].pack("N") + one }.join)) }
  instance_exec(wire, frames, ->(transport) { protocol(wire, transport) }, &over)
end

each_wire "methods that raise, over HTTP", alone: true do |wire|
  http = lambda do |input|
    Thrift::HTTPClientTransport.new("http://localhost:1/").tap do |transport|
      transport.instance_variable_set(:@inbuf, StringIO.new(input.join))
    end
  end
  instance_exec(wire, http, ->(transport) { protocol(wire, transport) }, &over)
end

check "methods that raise, over the header protocol", since: "0.25", alone: true do
  { compact: Thrift::HeaderSubprotocolID::COMPACT, binary: Thrift::HeaderSubprotocolID::BINARY }.flat_map do |wire, id|
    data = memory
    over_header = lambda do |input|
      header = Thrift::HeaderProtocol.new(data, nil, id)
      input.each { |bytes| header.trans.write(bytes) }
      header.trans.flush
      memory(left(data))
    end
    instance_exec(wire, over_header, ->(transport) { Thrift::HeaderProtocol.new(transport, nil, id) }, &over)
  end
end

each_wire "fields of a union with methods of its own", alone: true do |wire|
  own = named["Own", { 1 => i32["a"], 2 => i32["b"] }, "def validate = LOG << @setfield", base: Thrift::Union]
  LOG.clear
  one, other = wire == :compact ? ["15 02", "15 04"] : ["08 00 01 00 00 00 01", "08 00 02 00 00 00 02"]
  texts = ["#{one} 00", "#{one} #{other} 00", "00"]
  texts.map { |digits| outcome { show(decode(own, bytes(digits), wire)) } } + [LOG.inspect]
end
