# frozen_string_literal: true

module Sparpack
  module Rack
    # A middleware that answers the faults of a client by `application/problem+json` (RFC 9457), with the status that
    # {Rack.status} says. Other errors pass.
    #
    # The answer tells where the fault is, what was expected there, and what kind of value was found. It holds no String of
    # the body. The error itself is in `env["sparpack.error"]` for a logger.
    #
    # It also answers errors of bytes that your program reads from elsewhere while it serves the request. If these should not
    # become a 400, rescue them there.
    #
    # @example
    #   use Sparpack::Rack::Faults
    class Faults
      TITLES = { 400 => "Bad Request", 413 => "Content Too Large", 415 => "Unsupported Media Type",
                 422 => "Unprocessable Content" }.freeze

      # What is said of an error whose text may have a name of the client in it.
      UNNAMED = "expected other values"
      private_constant :TITLES, :UNNAMED

      # @param app [#call]
      def initialize(app)
        Loading.json
        @app = app
      end

      # Calls the application.
      #
      # @param env [Hash]
      # @return [Array(Integer, Hash, #each)] its response, or that to a fault
      # @example
      #   Sparpack::Rack::Faults.new(app).call(env).first # => 415
      def call(env)
        @app.call(env)
      rescue Error => e
        status = Rack.status(e) or raise
        env["sparpack.error"] = e
        text = JSON.generate(problem(e, status))
        headers = { "content-type" => "application/problem+json" }
        headers.update(e.wanted) if e.is_a?(Media::Unsupported)
        [status, headers, env["REQUEST_METHOD"] == "HEAD" ? [] : [text]]
      end

      private

      def problem(error, status)
        members = { title: TITLES.fetch(status), status: }
        return { **members, **place(error) } unless error.is_a?(ConversionError)

        errors = error.errors.map { |each| place(each) }
        { **members, **errors.first, **(errors.size > 1 ? { errors: } : {}) }
      end

      def place(error)
        case error
        when Media::Unsupported then detail(nil, error.expected, nil)
        when ConversionError then converted(error)
        else detail(error.path, error.expected, error.found)
        end
      end

      # `found` may be a name that the client sent, and the path ends with it if no field has that name.
      def converted(error)
        quoted = error.found.to_s.include?('"')
        detail(error.place, error.expected, quoted ? nil : error.found)
      end

      def detail(path, expected, found)
        text = expected ? "expected #{expected}" : UNNAMED
        text = "#{text}, found #{found}" if found
        { detail: path ? "#{path}: #{text}" : text, path:, expected:, found: }.compact
      end
    end
  end
end
