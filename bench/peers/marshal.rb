# frozen_string_literal: true

module Bench
  module Peers
    # Ruby's own Marshal.
    class Marshal < HashPeer
      self.title = "marshal"

      class << self
        def version = RUBY_VERSION

        private

        def load = nil
      end

      private

      def ways
        [Way.new(nil, "::Marshal.dump(object)", "::Marshal.load(input)", {})]
      end
    end
  end
end
