# frozen_string_literal: true

module Sparpack
  module Faraday
    # Collects the body of an answer, and stops the transfer when there is too much of it.
    #
    # Faraday gives `on_data` the pieces, and the body is empty then. It is put back when the answer is complete, before any
    # middleware sees it. Only when requests are sent in parallel, middlewares below {Response} are first.
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

      # @return [::Faraday::ParsingError, nil] why the transfer was stopped
      attr_reader :fault

      # @param max [Integer]
      def initialize(max)
        @max = max
      end

      # Some adapters pass only the piece and the size.
      #
      # @param env [::Faraday::Env]
      # @return [void]
      def attach(env)
        env[KEY] = self
        env.request.on_data = proc { |piece, size| take(piece, size, env) }
      end

      # Forgets what an earlier try has left.
      #
      # @return [void]
      def reset = @body = @fault = nil

      # Puts the body back, once.
      #
      # @param env [::Faraday::Env]
      # @return [void]
      def give_back(env)
        env.body = @body if @body
        @body = nil
      end

      private

      # @param piece [String]
      # @param size [Integer] how many bytes have come
      # @param env [::Faraday::Env]
      # @return [void]
      # @raise [::Faraday::ParsingError]
      def take(piece, size, env)
        if size == piece.bytesize # the first piece of this try
          @body = "".b
          @fault = nil
          env.response.on_complete { |answer| give_back(answer) }
        end
        Download.check(size, @max)
        @body << piece
      rescue DecodeError => e
        raise @fault = ::Faraday::ParsingError.new(e, env.response)
      end
    end
  end
end
