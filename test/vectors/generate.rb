# frozen_string_literal: true

# Writes the vectors of Apache Thrift's Ruby library.
#
#     sudo apt-get install thrift-compiler                 # Debian 12: Thrift 0.17
#     gem install thrift -v 0.25.0
#     ruby test/vectors/generate.rb
#
# Reads values.json and writes ruby/NAME.compact, ruby/NAME.binary and ruby/NAME.thrift_json. The classes are those that the
# Thrift compiler generates from everything.thrift and examples/listing.thrift. Uuids is written here, because that compiler
# does not know uuid. Every run writes the same bytes, and so do the gem's C extension and its pure Ruby protocol (binary
# only: the C extension replaces the pure compact protocol).

require "fileutils"
require "json"
require "set"
require "thrift"
require "tmpdir"

HERE = __dir__

DOUBLES = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze

PROTOCOLS = {
  "compact" => [Thrift::CompactProtocol],
  "binary" => [Thrift::BinaryProtocol, Thrift::BinaryProtocolAccelerated],
  "thrift_json" => [Thrift::JsonProtocol]
}.freeze

Dir.mktmpdir do |folder|
  ["everything.thrift", "../../examples/listing.thrift"].each do |path|
    system("thrift", "-nowarn", "--gen", "rb", "-out", folder, File.join(HERE, path), exception: true)
  end
  $LOAD_PATH.unshift(folder)
  require "shop"
  require "listing_types"
  $LOAD_PATH.shift
end

module Everything
  Demo.constants.grep_v(/^[a-z]/).each { |name| const_set(name, Demo.const_get(name)) }
  FindResult = Shop::Find_result
  OpenResult = Shop::Open_result

  # What the 0.25 compiler makes of uuid.thrift.
  class Uuids
    include ::Thrift::Struct
    include ::Thrift::Struct_Union

    UUID = { type: ::Thrift::Types::UUID }.freeze
    I32 = { type: ::Thrift::Types::I32 }.freeze
    FIELDS = {
      1 => { type: ::Thrift::Types::UUID, name: "id" },
      2 => { type: ::Thrift::Types::LIST, name: "list_of", element: UUID },
      3 => { type: ::Thrift::Types::SET, name: "set_of", element: UUID },
      4 => { type: ::Thrift::Types::MAP, name: "keys", key: UUID, value: I32 },
      5 => { type: ::Thrift::Types::MAP, name: "values", key: I32, value: UUID },
      6 => { type: ::Thrift::Types::UUID, name: "required_id" },
      40 => { type: ::Thrift::Types::UUID, name: "distant" }
    }.freeze

    def struct_fields = FIELDS

    def validate
      raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "required_id") unless required_id
    end

    ::Thrift::Struct.generate_accessors self
  end
end

# Turns a value of values.json (README.md explains its notation) into one for the gem's classes.
def value_of(json)
  return json.map { |each| value_of(each) } if json.is_a?(Array)
  return json unless json.is_a?(Hash)

  tag, content = json.first
  case tag
  when "set" then Set.new(content.map { |each| value_of(each) })
  when "map" then content.to_h { |key, value| [value_of(key), value_of(value)] }
  when "hex" then [content].pack("H*")
  when "double" then DOUBLES.fetch(content)
  when "bits" then [content].pack("H*").unpack1("G")
  when "repeat" then value_of(content[0]) * content[1]
  else object_of(Everything.const_get(tag), content)
  end
end

def object_of(type, fields)
  object = type.new # not with a Hash: exceptions do not take one
  fields.each { |name, value| object.public_send("#{name}=", value_of(value)) }
  object
end

def encode(object, wire)
  PROTOCOLS.fetch(wire).map do |protocol|
    transport = Thrift::MemoryBufferTransport.new
    object.write(protocol.new(transport))
    transport.read(transport.available)
  end.uniq.then do |written|
    raise "the protocols for #{wire} differ" unless written.one?

    written.first
  end
end

FileUtils.mkdir_p(File.join(HERE, "ruby"))
JSON.parse(File.read(File.join(HERE, "values.json"), encoding: "UTF-8")).each do |vector|
  next unless vector.fetch("writers", ["ruby"]).include?("ruby")

  PROTOCOLS.each_key do |wire|
    File.binwrite(File.join(HERE, "ruby", "#{vector["name"]}.#{wire}"), encode(value_of(vector["value"]), wire))
  end
end
