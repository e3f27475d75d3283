# frozen_string_literal: true

module Bench
  module Peers
    # The msgpack gem, as its README shows it and in its fastest configuration (a pool with a cache of keys).
    class MessagePack < HashPeer
      self.title = "msgpack"

      private

      def ways
        pool = ::MessagePack::Factory.new.pool(1, key_cache: true)
        [Way.new(nil, "::MessagePack.pack(object)", "::MessagePack.unpack(input)", {}),
         Way.new("pool", "pool.dump(object)", "pool.load(input)", { pool: })]
      end
    end
  end
end
