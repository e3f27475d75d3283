# frozen_string_literal: true

require "sparpack"

module Sparpack
  # Reads structs from the bodies of requests and writes them to those of responses, for all that speaks Rack. It works on
  # the env of a request alone, so it does not need the gem rack. docs/rack.md shows it at work.
  #
  # It is loaded by `require "sparpack/rack"`.
  #
  # @example
  #   require "sparpack/rack"
  #
  #   use Sparpack::Rack::Faults
  #   run(lambda do |env|
  #     order = Sparpack::Rack.body(env, Shop::Order, max: 64 << 10)
  #     Sparpack::Rack.response(Shop.save(order), env, status: 201)
  #   end)
  module Rack
    autoload :Faults, "sparpack/rack/faults"
    autoload :Request, "sparpack/rack/request"

    # The most bytes of a body that {body} and {read} take, unless they are told otherwise.
    MAX = 1 << 20

    # The status for each error, from the narrow to the wide.
    STATUSES = {
      DecodeError::LimitExceeded => 413, DecodeError => 400, Media::Unsupported => 415, ConversionError => 422,
      ValidationError => 422
    }.freeze

    # The options that methods have beside those of a codec.
    OWN = { body: %i[max].freeze, response: %i[status wire headers mapping].freeze }.freeze
    private_constant :OWN

    class << self
      # Decodes the body of a request by its content type. The bytes are counted while they are read. So no more than `max`
      # of them are in memory, whatever Content-Length says, and nothing is decoded before the whole body is there.
      #
      # @param env [Hash] of the request
      # @param target [Class, Mapping, Codec, String, Array] the class of the object, a mapping, a codec, whose options
      #   count, or the name of a class, which is looked up now; in an Array of one element, a list of such objects
      # @param max [Integer] the most bytes of the body; a smaller {Limits#message} counts, too
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @return [Value, Array<Value>]
      # @raise [Media::Unsupported] if the content type stands for no wire. The body has not been read then; also if the body
      #   is compressed, as Content-Encoding says
      # @raise [DecodeError::LimitExceeded] if the body is longer than `max`, or takes more than `limits:` allows
      # @raise [DecodeError] if the bytes are anything else
      # @raise [ArgumentError] for an unknown class or option
      # @example
      #   order = Sparpack::Rack.body(env, Shop::Order, max: 64 << 10, limits: SMALL)
      #   orders = Sparpack::Rack.body(env, [Shop::Order])
      def body(env, target, max: MAX, **options)
        request = Request.new(env)
        wire = request.wire
        bytes = request.read(most(max, target, options))
        Options.beside(options, OWN[:body]) { Media::Bodies.decode(bytes, target, wire, options) }
      rescue DecodeError => e
        raise if e.is_a?(DecodeError::LimitExceeded) || request.encoding.nil?

        raise Media::Unsupported.compressed(request.encoding)
      end

      # Reads the body of a request, and counts the bytes meanwhile. If the input can be rewound, it is, before and after.
      #
      # @param env [Hash] of the request
      # @param max [Integer] the most bytes of the body
      # @return [String] in ASCII-8BIT
      # @raise [DecodeError::LimitExceeded] if there are more; also if Content-Length says so, and then nothing is read
      # @raise [ArgumentError] if `max` is not a number of bytes
      # @example
      #   bytes = Sparpack::Rack.read(env, max: 64 << 10)
      def read(env, max: MAX, **unknown)
        Options.refuse(unknown, method(:read)) unless unknown.empty?
        Request.new(env).read(max)
      end

      # Makes a response of an object, or of a list. Without `wire:`, the client's header Accept chooses the wire, and JSON
      # is written if it names none.
      #
      # @param object [Value, #to_ary] a struct, a union or an exception, or a list of them; with a mapping also an object of
      #   its class
      # @param env [Hash] of the request
      # @param status [Integer]
      # @param wire [Symbol, nil] the wire, whatever the client accepts
      # @param headers [Hash{String => String}] more headers
      # @param mapping [Mapping, nil] how objects of a plain class are written
      # @param options [Hash] as {Codec#initialize} takes them; those that only other wires know are left out
      # @return [Array(Integer, Hash, Array<String>)] status, headers and body
      # @raise [EncodeError] if an object cannot be encoded
      # @raise [TypeError] if it is something else
      # @raise [ArgumentError] for an unknown wire or option
      # @example
      #   Sparpack::Rack.response(order, env, status: 201, headers: { "location" => "/orders/7" })
      def response(object, env, status: 200, wire: nil, headers: {}, mapping: nil, **options)
        Media::Bodies.check_mapping(mapping)
        wire ||= Media.choose(env["HTTP_ACCEPT"]) || :json
        type = Media.type(wire)
        bytes = Options.beside(options, OWN[:response]) { Media::Bodies.encode(object, wire, options, mapping) }
        [status, { "content-type" => type, **headers }, [bytes]]
      end

      # Returns the status that stands for an error of this gem.
      #
      # @param error [::Exception]
      # @return [Integer, nil] nil if the error is no fault of the client
      # @example
      #   Sparpack::Rack.status(Sparpack::DecodeError::Truncated.new) # => 400
      def status(error) = STATUSES.find { |kind, _| kind === error }&.last # rubocop:disable Style/CaseEquality

      private

      # The limit of messages is that of one object.
      def most(max, target, options)
        return max if target.is_a?(Array)

        limits = options.fetch(:limits) { target.options[:limits] if target.is_a?(Codec) }
        [max, *(limits.message if limits.is_a?(Limits))].compact.min # the codec refuses anything else
      end
    end
  end
end
