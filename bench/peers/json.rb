# frozen_string_literal: true

module Bench
  module Peers
    # Ruby's json, with its module functions and with a coder whose options are fixed once (since json 2.10).
    class JSON < HashPeer
      self.title = "json"

      private

      def ways
        ways = [Way.new(nil, "::JSON.generate(object)", "::JSON.parse(input)", {})]
        return ways unless defined?(::JSON::Coder)

        ways << Way.new("coder", "coder.dump(object)", "coder.load(input)", { coder: ::JSON::Coder.new })
      end
    end
  end
end
