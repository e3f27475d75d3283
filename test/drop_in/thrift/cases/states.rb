# frozen_string_literal: true

# Protocols and transports that are in an unusual state, or that something changes in the middle of a read.
# test/drop_in/thrift/cases_test.rb runs these cases.

object = -> { Market::Everything.new(flag: true, real: 1.5, text: "text", small: 5, last: nil, reals: nil) }

# What both directions do with a protocol, which gets the transport as a part of its state.
both = lambda do |wire, prepare|
  data = encode(object.call, wire)
  transports = [memory, memory(data)]
  protocols = transports.map { |transport| prepare[protocol_class(wire).allocate, transport] }
  one = Market::Everything.new
  [outcome { object.call.write(protocols.first).inspect }, hex(left(transports.first)),
   outcome { one.read(protocols.last).inspect }, show(one)]
end

initialized = lambda do |wire, change|
  lambda do |_, transport|
    protocol(wire, transport).tap { |one| change[one] }
  end
end

# Otherwise the native part of the gem crashes.
each_wire "a protocol without initialize", %i[binary accelerated], since: "0.25" do |wire|
  instance_exec(wire, ->(one, transport) { one.tap { one.instance_variable_set(:@trans, transport) } }, &both)
end

each_wire "a frozen protocol" do |wire|
  instance_exec(wire, instance_exec(wire, :freeze.to_proc, &initialized), &both)
end

each_wire "frozen transports" do |wire|
  data = encode(object.call, wire)
  frame = [data.bytesize].pack("N") + data
  makers = [-> { memory(data) }, -> { Thrift::FramedTransport.new(memory(frame)) },
            -> { Thrift::BufferedTransport.new(memory(data)) }]
  makers.flat_map do |maker|
    one = Market::Everything.new
    [outcome { one.read(protocol(wire, maker.call.freeze)).inspect }, show(one),
     outcome { object.call.write(protocol(wire, maker.call.freeze)) ? "" : "written" }]
  end
end

{ compact: :CompactProtocolFactory, binary: :BinaryProtocolFactory, accelerated: :BinaryProtocolAcceleratedFactory }
  .each do |wire, factory|
    check "serializers with a frozen transport (#{wire})" do
      data = encode(object.call, wire)
      serializer, deserializer = [Thrift::Serializer, Thrift::Deserializer].map do |kind|
        kind.new(Thrift.const_get(factory).new).tap { |one| one.instance_variable_get(:@transport).freeze }
      end
      [outcome { hex(serializer.serialize(object.call)) },
       outcome { show(deserializer.deserialize(Market::Everything.new, data)) }]
    end
  end

each_wire "an HTTP response that cannot be read" do |wire|
  data = encode(object.call, wire)
  states = [:close, :close_read, :close_write, :freeze, ->(io) { io.reopen(data.dup, "w") }, ->(io) { io.pos = 500 },
            ->(io) { io.ungetbyte("x") }, ->(io) { io.string.force_encoding("UTF-8") }]
  states.map do |state|
    http = Thrift::HTTPClientTransport.new("http://localhost/")
    http.instance_variable_set(:@inbuf, input = StringIO.new(data.dup))
    state.to_proc[input]
    one = Market::Everything.new
    "#{outcome { one.read(protocol(wire, http)).inspect }}, #{show(one)}"
  end
end

# A key whose `hash` runs a block while it is put into a Hash.
classes = <<~RUBY
  class Keyed
    include ::Thrift::Struct, ::Thrift::Struct_Union
    FIELDS = { 1 => {:type => ::Thrift::Types::I32, :name => 'a'} }
    def struct_fields; FIELDS; end
    def validate
    end

    class << self
      attr_accessor :meanwhile
    end

    def hash
      block = Keyed.meanwhile
      Keyed.meanwhile = nil
      block&.call
      1
    end

    def eql?(other) = a == other.a
    ::Thrift::Struct.generate_accessors self
  end

  class Holder
    include ::Thrift::Struct, ::Thrift::Struct_Union
    FIELDS = {
      1 => {:type => ::Thrift::Types::I32, :name => 'n'},
      2 => {:type => ::Thrift::Types::MAP, :name => 'm', :key => {:type => ::Thrift::Types::STRUCT, :class => ::Keyed}, :value => {:type => ::Thrift::Types::STRING}},
      3 => {:type => ::Thrift::Types::I32, :name => 'last', :default => 7}
    }
    def struct_fields; FIELDS; end
    def validate
    end
    ::Thrift::Struct.generate_accessors self
  end
RUBY

each_wire "a key that changes what is read" do |wire|
  Object.class_eval(classes) unless Object.const_defined?(:Holder)
  made = Holder.new(n: 5, m: (1..3).to_h { |number| [Keyed.new(a: number), "v" * 20] })
  data = encode(made, wire)
  changes = {
    nothing: ->(*) {},
    clear: ->(transport, _) { transport.instance_variable_get(:@buf).clear },
    replace: ->(transport, _) { transport.instance_variable_set(:@buf, "".b) },
    another: ->(transport, _) { transport.instance_variable_set(:@buf, transport.instance_variable_get(:@buf).dup) },
    freeze: ->(transport, _) { transport.freeze },
    freeze_object: ->(_, one) { one.freeze },
    nested: ->(_, _) { Holder.new.read(protocol(wire, memory(data))) }
  }
  changes.flat_map do |name, change|
    [Holder.new, made.dup].map do |one|
      one.last = nil
      transport = memory("#{data}rest")
      Keyed.meanwhile = -> { instance_exec(transport, one, &change) }
      returned = outcome { one.read(protocol(wire, transport)).inspect }.sub(/: #?<.*/, "")
      "#{name}: #{returned}#{", #{show(one)}, left #{left(transport)}" if returned == "nil"}"
    end
  end
end

# The second has a default that its enum does not have.
defaults = <<~RUBY
  class Preset
    include ::Thrift::Struct, ::Thrift::Struct_Union
    FIELDS = {
      1 => {:type => ::Thrift::Types::I32, :name => 'count', :default => 3},
      2 => {:type => ::Thrift::Types::I32, :name => 'color', :default => 1, :optional => true, :enum_class => ::Market::Color},
      3 => {:type => ::Thrift::Types::BOOL, :name => 'flag', :default => true}
    }
    def struct_fields; FIELDS; end
    def validate
      raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Required field count is unset!') unless @count
      raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Required field flag is unset!') if @flag.nil?
      unless @color.nil? || ::Market::Color::VALID_VALUES.include?(@color)
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Invalid value of field color!')
      end
    end
    ::Thrift::Struct.generate_accessors self
  end

  class Faded
    include ::Thrift::Struct, ::Thrift::Struct_Union
    FIELDS = {
      1 => {:type => ::Thrift::Types::I32, :name => 'color', :default => 77, :optional => true, :enum_class => ::Market::Color},
      2 => {:type => ::Thrift::Types::I32, :name => 'count'},
      3 => {:type => ::Thrift::Types::STRUCT, :name => 'inner', :class => ::Faded}
    }
    def struct_fields; FIELDS; end
    def validate
      unless @color.nil? || ::Market::Color::VALID_VALUES.include?(@color)
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, 'Invalid value of field color!')
      end
    end
    ::Thrift::Struct.generate_accessors self
  end
RUBY

each_wire "an object that has less than its defaults" do |wire|
  Object.class_eval(defaults) unless Object.const_defined?(:Preset)
  payloads = if wire == :compact
               ["00", "15 06 00", "15 06 11 00", "25 02 00", "21 00"]
             else
               ["00", "08 00 01 00 00 00 03 00", "08 00 01 00 00 00 03 02 00 02 01 00", "08 00 02 00 00 00 01 00",
                "02 00 03 01 00"]
             end
  starts = [{}, { count: nil }, { flag: nil }, { flag: false, count: nil }, { color: 77 }, { color: nil },
            { color: 77, count: nil }]
  ([-> { Preset.allocate }] + starts.map { |start| -> { Preset.new(start) } }).flat_map do |make|
    payloads.map { |digits| reading(make.call, bytes(digits), wire).join(", ") }
  end
end

each_wire "a default that the enum does not have" do |wire|
  Object.class_eval(defaults) unless Object.const_defined?(:Preset)
  payloads = if wire == :compact
               ["00", "25 06 00", "15 02 00",
                "3c 00 00"]
             else
               ["00", "08 00 02 00 00 00 03 00", "0c 00 03 00 00"]
             end
  [Faded.new(color: 1), Faded.new, Faded.allocate].flat_map do |one|
    [written(one, wire), *payloads.map { |digits| reading(one.clone, bytes(digits), wire).join(", ") }]
  end
end
