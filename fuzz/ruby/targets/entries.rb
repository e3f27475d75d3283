# frozen_string_literal: true

require "active_support"
require "active_support/all"
require "sparpack/rails"
require_relative "../target"

module Fuzzing
  # Entries of Rails' caches are a miss, or a value that can be written and read again.
  class Entries < Target
    SERIALIZER = Sparpack::Rails::CacheSerializer.new(reads: [])
    ZONE = ActiveSupport::TimeZone["Berlin"]
    VALUES = [
      nil, 5, 2**70, 0.5, "text", "\xFF".b, :symbol, 1r / 3, BigDecimal("1.5"), Date.new(2026, 1, 2),
      DateTime.new(2026, 1, 2), Time.at(1, 5, :nanosecond, in: "+02:00"), Time.at(0).utc, ZONE.local(2026),
      1.month + 2.hours, 1..5, ("a"..), Set[1, [2]], { "a" => { b: nil } },
      { "a" => 1 }.with_indifferent_access, "<b>".html_safe
    ].freeze
    private_constant :SERIALIZER, :ZONE, :VALUES

    def run(choices)
      struct_class = named(Schemas.pick(choices))
      each_damaged(choices, made(choices, struct_class)) { |bytes| read(bytes) }
    end

    private

    # A class that is found by its name, until another one is.
    def named(struct_class)
      Entries.send(:remove_const, :Picked) if Entries.const_defined?(:Picked, false)
      Entries.const_set(:Picked, struct_class)
    end

    # @return [String] what stands behind the mark
    def made(choices, struct_class)
      name = struct_class.name.b
      object = -> { (name.bytesize.chr << name << Payload.new(choices, struct_class).on(:compact)).b }
      return "\x01".b << object.call if choices.rand(3).zero?

      packer = Sparpack::MessagePack::Packer.new
      count = choices.rand(5)
      packer.write_array_header(count)
      count.times { choices.rand(2).zero? ? packer.write_ext(1, object.call) : packer.buffer.write(packed(choices)) }
      "\x02".b << packer.to_s
    end

    def packed(choices) = SERIALIZER.dump(choices.pick(VALUES)).byteslice(17..)

    def read(bytes)
      value = load(Sparpack::Rails::CacheSerializer::MARK + bytes) { return :refused }
      again = dump(value) { return :unwritten }
      find("it is written otherwise", bytes, value) unless dump(load(again) { find("a miss", bytes, value) }) == again
      :read
    end

    def load(bytes)
      SERIALIZER.load(bytes)
    rescue ActiveSupport::Cache::DeserializationError
      yield
    end

    # An object that was read need not be one that can be written: an enum may lack a name.
    def dump(value)
      SERIALIZER.dump(value)
    rescue Sparpack::EncodeError
      yield
    end
  end
end
