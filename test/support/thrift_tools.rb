# frozen_string_literal: true

require "set"
require "zlib"
require "thrift"

# What the cases of test/drop_in/thrift are written with. Everything that a case returns is text, so that processes can
# compare it.
module ThriftTools
  WIRES = { compact: Thrift::CompactProtocol, binary: Thrift::BinaryProtocol,
            accelerated: Thrift::BinaryProtocolAccelerated }.freeze

  extend self # rubocop:disable Style/ModuleFunction -- objects are extended with it, too

  def wires = WIRES.keys

  def memory(bytes = nil) = Thrift::MemoryBufferTransport.new(bytes)

  def protocol_class(wire) = WIRES.fetch(wire)

  def protocol(wire, transport, **options) = protocol_class(wire).new(transport, **options)

  # @return [String] the bytes that `write` wrote
  def encode(object, wire = :compact, *depth)
    transport = memory
    object.write(protocol(wire, transport), *depth)
    left(transport)
  end

  def decode(target, bytes, wire = :compact, *depth)
    target = target.new if target.is_a?(Class)
    target.read(protocol(wire, memory(bytes)), *depth)
    target
  end

  # @return [String] the bytes in hexadecimal digits, or the exception
  def written(object, wire = :compact, *depth) = outcome { hex(encode(object, wire, *depth)) }

  # @return [Array<String>] what `read` returned or raised, the object afterwards, and what it left in the transport
  def reading(target, bytes, wire = :compact, *depth)
    target = target.new if target.is_a?(Class)
    transport = memory(bytes)
    returned = outcome { target.read(protocol(wire, transport), *depth).inspect }
    [returned, show(target), "left: #{hex(left(transport))}"]
  end

  # @return [String] what a transport over memory holds
  def left(transport) = transport.available.zero? ? "".b : transport.read(transport.available)

  def hex(bytes) = bytes.unpack1("H*").scan(/../).join(" ")

  # The same as {reading} in one short line.
  # @return [String]
  def summary(target, bytes, wire)
    returned, object, left = reading(target, bytes, wire)
    "#{returned}, object #{Zlib.crc32(object)}, left #{left.split.size - 1}"
  end

  def bytes(digits) = [digits.delete(" ")].pack("H*")

  # @return [String] what the block returned, as text, or the class and message of its exception
  def outcome
    result = yield
    result.is_a?(String) ? result : show(result)
  rescue ::Exception => e # rubocop:disable Lint/RescueException -- also NotImplementedError and SystemStackError
    failure(e)
  end

  # The class, the type that Apache's exceptions carry, the message, and the cause. Ruby's versions say differently which
  # method is missing.
  def failure(error)
    type = " (#{error.type})" if error.respond_to?(:type)
    message = error.message.to_s.lines.first.to_s.chomp
    if error.is_a?(NoMethodError)
      message = "#{error.name} of #{error.receiver.class.name || "?"}#{" Sparpack" if message.include?("Sparpack")}"
    end
    cause = "; caused by #{failure(error.cause)}" if error.cause
    "#{error.class}#{type}: #{message}#{cause}"
  end

  # @return [String] the value with the instance variables of structs, the encodings of strings, and whether strings are
  #   frozen
  def show(value)
    case value
    when String
      encoding = ":#{value.encoding}" unless value.encoding == Encoding::UTF_8
      "#{value.inspect}#{encoding}#{"!" if value.frozen?}"
    when Array then "[#{value.map { |element| show(element) }.join(", ")}]"
    when Hash then "{#{value.map { |key, element| "#{show(key)} => #{show(element)}" }.join(", ")}}"
    when Set then "Set[#{value.map { |element| show(element) }.join(", ")}]"
    when Thrift::Struct, Thrift::Union, Thrift::Exception then object(value)
    else value.inspect
    end
  end

  # The order of instance variables depends on the class's history before Ruby 3.2.
  def object(value)
    names = value.instance_variables.sort
    "#{value.class}(#{names.map { |name| "#{name} #{show(value.instance_variable_get(name))}" }.join(", ")})"
  end
end
