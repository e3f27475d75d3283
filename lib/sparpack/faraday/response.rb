# frozen_string_literal: true

module Sparpack
  module Faraday
    # Decodes the bodies of answers by their content type. Only those with a status of 2xx and a content type that stands for
    # a wire are touched. Empty bodies stay as they are, and so do those of a request with `on_data`, which takes the body in
    # pieces.
    #
    # @example
    #   Faraday.new(url) { |f| f.response :sparpack, "Shop::Order", max: 1 << 20 }
    # @example Another class for one request
    #   api.get("/customers/7") { |request| request.options.context = { sparpack: "Shop::Customer" } }
    # @example A list
    #   api.get("/orders") { |request| request.options.context = { sparpack: ["Shop::Order"] } }
    class Response < ::Faraday::Middleware
      # Makes the middleware. `f.response :sparpack` calls this.
      #
      # @param app [#call]
      # @param target [Class, Mapping, Codec, String, Array, nil] the class of the objects, a mapping, a codec, whose options
      #   count, or the name of a class, which is looked up for each answer; in an Array of one element, a list of such
      #   objects; with nil, only requests whose context says a class are decoded
      # @param max [Integer, nil] the most bytes of the body of an answer. They are counted while they come, if the adapter
      #   can pass a body on in pieces
      # @param preserve_raw [Boolean] whether `env[:raw_body]` keeps the bytes
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @raise [ArgumentError] for an unknown option, or if `target` is no class
      # @example
      #   Sparpack::Faraday::Response.new(app, Shop::Order)
      def initialize(app = nil, target = nil, max: nil, preserve_raw: false, **options)
        super(app)
        unless max.nil? || (max.is_a?(Integer) && max.positive?)
          raise ArgumentError, "max: expected a number of bytes, got #{Quote.value(max)}"
        end

        @target = target
        @max = max
        @preserve_raw = preserve_raw
        @codec_options = options
        Options.beside(options, %i[max preserve_raw]) { Media::Bodies.check(target || "Object", options) }
      end

      # Sends a request, and decodes the answer. Faraday calls this.
      #
      # @param env [::Faraday::Env]
      # @return [::Faraday::Response]
      # @raise [::Faraday::ParsingError] as {#on_complete}
      # @api private
      def call(env)
        super
      rescue ::Faraday::Error # some adapters make another one of what stops a transfer
        raise env[Download::KEY]&.fault || raise
      end

      # Counts the bytes of the answer while they come. Faraday calls this before it sends a request.
      #
      # @param env [::Faraday::Env]
      # @return [void]
      # @example
      #   Sparpack::Faraday::Response.new(app, Shop::Order, max: 1 << 20).on_request(env)
      def on_request(env)
        return if @max.nil?
        return env[Download::KEY].reset if env[Download::KEY] # this is another try

        Download.new(@max).attach(env) unless env.stream_response?
      end

      # Decodes the body. Faraday calls this with each answer.
      #
      # @param env [::Faraday::Env]
      # @return [void]
      # @raise [::Faraday::ParsingError] if the body cannot be decoded or is too long; it wraps the {DecodeError}
      # @example
      #   Sparpack::Faraday::Response.new(app, Shop::Order).on_complete(env)
      def on_complete(env)
        env[Download::KEY]&.give_back(env)
        target = env.request.context&.fetch(:sparpack, nil) || @target
        wire = wire(env, target) or return
        bytes = env.body
        Download.check(bytes.bytesize, @max) if @max
        object = Media::Bodies.decode(bytes, target, wire, @codec_options)
        env[:raw_body] = bytes if @preserve_raw
        env.body = object
      rescue DecodeError => e
        raise ::Faraday::ParsingError.new(e, env.response)
      end

      private

      # @return [Symbol, nil] the wire of the body; nil if it is not to be decoded
      def wire(env, target)
        return if env.stream_response? && !env[Download::KEY]
        return unless target && env.success? && env.body.is_a?(String) && (!env.body.empty? || empty_list?(env, target))

        Media.wire(env.response_headers["Content-Type"])
      end

      # On the wires that have one payload after another, nothing is a list without elements.
      def empty_list?(env, target)
        return false unless Media::Bodies.list?(target) && env.parse_body? && env.method != :head

        !%i[json message_pack].include?(Media.wire(env.response_headers["Content-Type"]))
      end
    end
  end
end
