# frozen_string_literal: true

require_relative "peer"
require_relative "peers/sparpack"
require_relative "peers/floor"
require_relative "peers/thrift"
require_relative "peers/protobuf"
require_relative "peers/avro"
require_relative "peers/msgpack"
require_relative "peers/json"
require_relative "peers/oj"
require_relative "peers/marshal"
require_relative "peers/ruby"

module Bench
  # All peers, in the order of the tables.
  PEERS = [Peers::Sparpack, Peers::Floor, Peers::Thrift, Peers::Protobuf, Peers::Avro, Peers::MessagePack, Peers::JSON,
           Peers::Oj, Peers::Marshal, Peers::RubyStruct, Peers::RubyClass].freeze
end
