# frozen_string_literal: true

# Patches the thrift gem, before the drop-in is loaded or after a class was used, and says what happened. This changes the
# whole process.
module ThriftPatching
  WIRES = %w[CompactProtocol BinaryProtocol BinaryProtocolAccelerated].freeze

  # The gem's own methods that read and write. Objects of a class that was not read or written yet are made by the gem.
  GEMS = /\Asparpack_gem_(?!initialize)/

  LOG = [] # rubocop:disable Style/MutableConstant

  # Logs what it is called with, and passes it on.
  LOGGING = lambda do |*names|
    Module.new do
      names.each { |name| define_method(name) { |*arguments| (LOG << [name, arguments.size]) && super(*arguments) } }
    end
  end

  CHAIN = lambda do |place, *names|
    place.module_eval do
      names.each do |name|
        old = :"#{name}_without_log"
        alias_method old, name
        define_method(name) { |*arguments| (LOG << [name, arguments.size]) && send(old, *arguments) }
      end
    end
  end

  PATCHES = {
    "nothing" => -> {},
    "Struct#write" => -> { CHAIN.call(Thrift::Struct, :write) },
    "Struct#read" => -> { CHAIN.call(Thrift::Struct, :read) },
    "Union#write" => -> { CHAIN.call(Thrift::Union, :write) },
    "CompactProtocol#write_string" => -> { Thrift::CompactProtocol.prepend(LOGGING.call(:write_string)) },
    "CompactProtocol#read_i32" => -> { Thrift::CompactProtocol.include(LOGGING.call(:read_i32)) },
    "BinaryProtocol#write_i32" => -> { CHAIN.call(Thrift::BinaryProtocol, :write_i32) },
    "BaseProtocol#write_field" => -> { CHAIN.call(Thrift::BaseProtocol, :write_field) },
    "BaseProtocol#skip" => -> { CHAIN.call(Thrift::BaseProtocol, :skip) },
    "MemoryBufferTransport#write" => -> { CHAIN.call(Thrift::MemoryBufferTransport, :write) },
    "MemoryBufferTransport#read_byte" => -> { Thrift::MemoryBufferTransport.prepend(LOGGING.call(:read_byte, :read_all)) },
    "MemoryBufferTransport#flush" => -> { CHAIN.call(Thrift::MemoryBufferTransport, :flush) },
    "FramedTransport#flush" => -> { CHAIN.call(Thrift::FramedTransport, :flush) },
    "Serializer#serialize" => -> { CHAIN.call(Thrift::Serializer, :serialize) },
    "Deserializer#deserialize" => -> { Thrift::Deserializer.prepend(LOGGING.call(:deserialize)) },
    "Point#validate" => -> { CHAIN.call(Market::Point, :validate) },
    "Point#initialize" => -> { CHAIN.call(Market::Point, :initialize) },
    "Struct#initialize" => -> { CHAIN.call(Thrift::Struct, :initialize) },
    "a protocol" => -> { @singleton = :write_string },
    "a transport" => -> { @singleton = :write },
    "messages" => -> { CHAIN.call(Thrift::BaseProtocol, :write_message_begin, :read_message_begin) }
  }.freeze

  class << self
    # @param patch [String] one of {PATCHES}
    # @param time [String] before or after
    # @return [Hash{Symbol => Object}]
    def run(patch, time)
      if time == "before"
        load_classes("thrift")
        PATCHES.fetch(patch).call
        require "sparpack/drop_in/thrift"
      else
        load_classes("sparpack/drop_in/thrift")
        WIRES.each { |wire| use(wire) }
        LOG.clear
        PATCHES.fetch(patch).call
      end
      results = WIRES.to_h { |wire| [wire, outcome(wire)] }
      report = Sparpack::DropIn::Thrift.report
      { results:, report: report.to_h, text: report.to_s }
    end

    private

    def load_classes(library)
      require library
      load File.expand_path("../golden/thrift/0.25/market_types.rb", __dir__)
    end

    # What was written and read, what the patch noticed, and how often the gem's own methods ran.
    def outcome(wire)
      LOG.clear
      gems = 0
      trace = TracePoint.new(:call, :c_call) { |call| gems += 1 if call.callee_id.match?(GEMS) }
      values = trace.enable { use(wire) }
      { values:, log: LOG.dup, gems: }
    end

    def use(wire)
      bytes = over(wire) { |protocol| object.write(protocol) }
      read = Market::Everything.new
      over(wire, bytes) { |protocol| read.read(protocol) }
      skipped = Market::Point.new
      begin
        over(wire, bytes) { |protocol| skipped.read(protocol) }
      rescue Thrift::ProtocolException => e
        LOG << e.message
      end
      factory = Thrift.const_get("#{wire}Factory").new
      text = Thrift::Serializer.new(factory).serialize(object)
      framed = over(wire) { |protocol| Thrift::FramedTransport.new(protocol.trans).tap { |frame| frame.write(text) }.flush }
      again = Thrift::Deserializer.new(factory).deserialize(Market::Everything.new, text)
      [bytes, framed, again == read, read.inspect, text]
    end

    def over(wire, bytes = nil)
      transport = Thrift::MemoryBufferTransport.new(bytes&.dup)
      protocol = Thrift.const_get(wire).new(transport)
      patch_one(@singleton == :write ? transport : protocol) if @singleton
      yield protocol
      transport.read(transport.available)
    end

    def patch_one(object)
      object.define_singleton_method(@singleton) { |*arguments| (LOG << [__method__, arguments.size]) && super(*arguments) }
    end

    def object
      Market::Everything.new(medium: 5, text: "text", point: Market::Point.new(x: 1), answer: Market::Answer.number(2),
                             words: Set["a"], names: { 1 => "b" })
    end
  end
end
