# frozen_string_literal: true

# Writes the vectors of the msgpack gem.
#
#     gem install msgpack -v 1.8.7
#     ruby test/vectors/message_pack/generate.rb
#
# Reads values.json and writes ruby/NAME.msgpack. Every run writes the same bytes.

require "json"
require "msgpack"
require_relative "notation"

FACTORY = MessagePack::Factory.new
FACTORY.register_type(MessagePack::Timestamp::TYPE, MessagePack::Timestamp)
NOTATION = MessagePackNotation.new(MessagePack)

JSON.parse(File.read(File.join(__dir__, "values.json"), encoding: "UTF-8")).each do |vector|
  value = NOTATION.value(vector.fetch("value"))
  packer = FACTORY.packer(compatibility_mode: vector.fetch("old", false))
  if vector["singles"]
    packer.write_array_header(value.size)
    value.each { |number| packer.write_float32(number) }
  else
    packer.write(value)
  end
  File.binwrite(File.join(__dir__, "ruby", "#{vector.fetch("name")}.msgpack"), packer.to_s)
end
