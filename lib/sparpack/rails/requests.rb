# frozen_string_literal: true

require "sparpack/rack"
require "stringio"

module Sparpack
  module Rails
    # What controllers learn from `sparpack/rails`: {#body_as}, `render sparpack:`, formats for `respond_to`, and Hashes of
    # MessagePack as `params`.
    #
    # @example
    #   class OrdersController < ApplicationController
    #     def create = render(sparpack: Shop::Order.create(body_as(Shop::Order, max: 64 << 10)), status: :created)
    #   end
    module Requests
      # The formats that `respond_to` knows by these names. JSON is Rails' own.
      FORMATS = {
        thrift_compact: :compact, thrift_binary: :binary, thrift_json: :thrift_json, msgpack: :message_pack
      }.freeze

      # The options of a codec that `render sparpack:` takes.
      OPTIONS = %i[compression keys unknown utf8 validate].freeze

      # Those of `render` itself, which are no misspelt ones of ours.
      RENDER = %i[sparpack prefixes template action status content_type location layout formats variants handlers].freeze

      # What a header Vary says that need not say Accept, too.
      VARIES = /(?:\A|,)\s*(?:Accept|\*)\s*(?:,|\z)/i
      private_constant :OPTIONS, :RENDER, :VARIES

      # Decodes the body of the request by its content type, as {Rack.body} does. The body can be read again later.
      #
      # @param target [Class, Mapping, Codec, String, Array] the class of the object, a mapping, a codec, whose options
      #   count, or the name of a class; in an Array of one element, a list of such objects
      # @param max [Integer] the most bytes of the body
      # @param options [Hash] as {Codec#initialize} takes them, such as `limits:`
      # @return [Value, Array<Value>]
      # @raise [Media::Unsupported, DecodeError, ArgumentError] as {Rack.body}
      # @example
      #   order = body_as(Shop::Order, max: 64 << 10, limits: SMALL)
      def body_as(target, max: Rack::MAX, **options)
        env = request.env
        read = env["RAW_POST_DATA"] # Rails keeps a body that it has read, for params
        env = { **env.slice("CONTENT_TYPE", "HTTP_CONTENT_ENCODING"), "rack.input" => StringIO.new(read) } if read
        Rack.body(env, target, max:, **options)
      end

      class << self
        # Rails asks for the exact name of an error.
        #
        # @return [Hash{String => Integer}] the statuses of the faults of clients
        # @api private
        def responses
          errors = Rack::STATUSES.keys.flat_map { |error| with_subclasses(error) }
          errors.to_h { |error| [error.name, Rack::STATUSES.find { |kind, _| error <= kind }.last] }
        end

        # Registers the formats. A format that the application has registered stays.
        #
        # @return [void]
        # @api private
        def register_formats
          FORMATS.each do |name, wire|
            next if ::Mime[name]

            type, *others = Media::TYPES.fetch(wire)
            ::Mime::Type.register(type, name, others)
          end
        end

        # Makes the Hash of a MessagePack body the parameters of a request.
        #
        # @param request [Class] `ActionDispatch::Request`
        # @return [void]
        # @api private
        def register_parser(request)
          register_formats
          return if request.parameter_parsers.key?(:msgpack)

          request.parameter_parsers = { **request.parameter_parsers, msgpack: method(:parameters) }
        end

        # @return [void]
        # @api private
        def register_renderer
          register_formats
          ActionController.add_renderer(:sparpack) { |object, options| Requests.render(self, object, options) }
        end

        # @param controller [ActionController::Metal]
        # @param object [Value, Array<Value>]
        # @param options [Hash] of `render`
        # @return [String] the body
        # @raise [ArgumentError] for a misspelt option
        # @api private
        def render(controller, object, options)
          # Rails ignores options that it does not know, and the codec does not know ours.
          Options.refuse_similar(options.keys - RENDER, [:wire, *OPTIONS])
          _, headers, body = Rack.response(object, controller.request.env, **options.slice(:wire, *OPTIONS))
          type = headers.fetch("content-type")
          response = controller.response
          vary(response) unless options[:wire]
          unless response.media_type
            response.content_type = type
            response.charset = false unless type == Media.type(:json) # text of JSON is always UTF-8, and Rails says so
          end
          body.first
        end

        private

        # Rails says so itself, but not for an Accept such as a browser sends, from which we may choose, too.
        def vary(response)
          given = response.headers["Vary"].to_s
          response.headers["Vary"] = [*given.presence, "Accept"].join(", ") unless given.match?(VARIES)
        end

        def with_subclasses(error) = [error, *error.subclasses.flat_map { |each| with_subclasses(each) }].select(&:name)

        def parameters(bytes)
          found = named(MessagePack.unpack(bytes, untrusted: true))
          found.is_a?(Hash) ? found : { _msgpack: found }
        end

        # Parameters have names as in JSON. Rails raises an error of the server for others, but only when a controller looks
        # at them. Binary values count as text, as in a form: Rails refuses what is not UTF-8, unless the controller has a
        # `param_encoding` for it.
        def named(value)
          case value
          when String then value.encoding == Encoding::BINARY ? value.force_encoding(Encoding::UTF_8) : value
          when Array then value.map { |part| named(part) }
          when Hash then value.to_h { |name, part| [name_of(name), named(part)] }
          else value
          end
        end

        def name_of(name)
          return name.to_s if name.is_a?(Integer)
          raise ArgumentError, "a parameter has a name that is neither a String nor an Integer" unless name.is_a?(String)

          name = name.dup.force_encoding(Encoding::UTF_8)
          name.valid_encoding? ? name : raise(ArgumentError, "a parameter has a name that is not UTF-8")
        end
      end
    end
  end
end
