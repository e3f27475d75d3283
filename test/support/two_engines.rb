# frozen_string_literal: true

require "thrift"

# A library for verify mode whose second engine is the gem, too, unless it is made wrong.
class TwoEngines
  PROTOCOLS = { compact: Thrift::CompactProtocol, binary: Thrift::BinaryProtocol }.freeze

  # What is read, so that an engine that reads on can see it.
  attr_reader :patched, :asked, :verifying

  attr_writer :left_out

  attr_accessor :verifiable

  def initialize
    @encoded = @ended = @decoded = nil
    @patched = []
    @left_out = {}
    @asked = 0
    @verifiable = true
  end

  # The block changes the bytes, or nil, that were encoded.
  def encoded(&block) = @encoded = block

  # The block changes the object that was decoded.
  def decoded(&block) = @decoded = block

  # The block changes where decoding ended, or nil.
  def ended(&block) = @ended = block

  # --- what verify mode calls -------------------------------------------------------------------------------------------

  def verifiable? = @verifiable

  def verify_calls(boolean) = @verifying = boolean

  def gem_write(object, ...) = object.write(...)

  def gem_read(object, ...) = object.read(...)

  def patched?(mod) = @patched.include?(mod)

  def left_out(klass, _operation)
    @asked += 1
    @left_out[klass]
  end

  def encode(object, wire)
    transport = Thrift::MemoryBufferTransport.new
    bytes = attempt do
      object.write(PROTOCOLS.fetch(wire).new(transport))
      transport.read(transport.available)
    end
    @encoded ? @encoded.call(bytes) : bytes
  end

  def decode(object, bytes, wire, _protocol_class)
    transport = Thrift::MemoryBufferTransport.new(bytes)
    last = attempt do
      object.read(PROTOCOLS.fetch(wire).new(transport))
      bytes.bytesize - transport.available
    end
    @decoded&.call(*[object, bytes].first(@decoded.arity)) if last
    @ended ? @ended.call(last) : last
  end

  private

  def attempt
    yield
  rescue StandardError
    nil
  end
end
