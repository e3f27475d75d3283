# frozen_string_literal: true

module Sparpack
  module Faraday
    # Encodes bodies that are structs, objects of a mapping, or Arrays of them, and leaves all others as they are. It sets
    # Content-Type and, on each request, Accept, unless they are set.
    #
    # @example
    #   Faraday.new(url) { |f| f.request :sparpack, wire: :message_pack, keys: :names }
    class Request < ::Faraday::Middleware
      # Makes the middleware. `f.request :sparpack` calls this.
      #
      # @param app [#call]
      # @param wire [Symbol] the wire of bodies. If a request has a Content-Type of another wire, that one counts
      # @param mapping [Mapping, nil] how objects of a plain class are written
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @raise [ArgumentError] for an unknown wire or option
      # @example
      #   Sparpack::Faraday::Request.new(app, wire: :compact)
      def initialize(app = nil, wire: :compact, mapping: nil, **options)
        super(app)
        @type = Media.type(wire)
        @accept = Media.accept(wire).freeze
        @codec_options = options
        @mapping = mapping
        Media::Bodies.check_mapping(mapping)
        Options.beside(options, %i[wire mapping]) { Media::Bodies.check("Object", options) }
      end

      # Encodes the body. Faraday calls this before it sends a request.
      #
      # @param env [::Faraday::Env]
      # @return [void]
      # @raise [EncodeError] if an object cannot be encoded. Nothing is sent then
      # @raise [Media::Unsupported] if the request has a Content-Type that stands for no wire
      # @example
      #   Sparpack::Faraday::Request.new(app).on_request(env)
      def on_request(env)
        headers = env.request_headers
        headers["Accept"] ||= @accept
        return unless Media::Bodies.encodes?(env.body, @mapping)

        type = headers["Content-Type"] ||= @type
        wire = Media.wire(type) or raise Media::Unsupported.of(type)
        env.body = Media::Bodies.encode(env.body, wire, @codec_options, @mapping)
      end
    end
  end
end
