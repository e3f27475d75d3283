# frozen_string_literal: true

module Sparpack
  module Faraday
    # Collects the body of an answer, and stops the transfer when there is too much of it.
    #
    # Faraday gives `on_data` the pieces, and the body is empty then. It is put back when the answer is complete, before any
    # middleware sees it.
    #
    # @api private
    class Download
      # Where the env of a request has its download.
      KEY = :sparpack_download

      # @param size [Integer]
      # @param max [Integer]
      # @return [void]
      # @raise [DecodeError::LimitExceeded]
      def self.check(size, max)
        return if size <= max

        expected = "at most #{max} bytes"
        raise DecodeError::LimitExceeded.new("body: expected #{expected}, found more", path: "body", expected:,
                                                                                        found: "more")
      end

      # @param max [Integer]
      def initialize(max)
        @max = max
      end

      # @param env [::Faraday::Env]
      # @return [void]
      def attach(env)
        env[KEY] = self
        env.request.on_data = method(:take).to_proc
      end

      # @param piece [String]
      # @param size [Integer] how many bytes have come
      # @param env [::Faraday::Env]
      # @return [void]
      # @raise [::Faraday::ParsingError]
      def take(piece, size, env)
        unless @response.equal?(env.response) # the first piece of this try
          @response = env.response
          @body = "".b
          @response.on_complete { |answer| answer.body = @body }
        end
        Download.check(size, @max)
        @body << piece
      rescue DecodeError => e
        raise ::Faraday::ParsingError.new(e, env.response)
      end
    end
  end
end
