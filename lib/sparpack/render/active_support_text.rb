# frozen_string_literal: true

module Sparpack
  # Writes the text of `to_json` as Active Support's encoder does, as long as the program has changed nothing about it: all
  # methods that take part must come from Active Support's files.
  #
  # @api private
  class ActiveSupportText
    SOURCES = %w[/active_support/core_ext/object/json.rb /active_support/json/encoding.rb /json/common.rb].freeze

    # Classes of values in JSON. Their `as_json` is called if there are options, and before version 7.2 always.
    VALUES = [::Hash, ::Array, ::String, ::Symbol, ::Integer, ::Float, ::TrueClass, ::FalseClass].freeze

    # A value with all that escaping is about, and its JSON before Active Support escapes it.
    SAMPLE = { "<>&\u2028\u2029\"\\/\u007f\u0001\n\u00e9\u{1f6b2}" =>
                 [-2**63, 0.1, 1.0, -1e14, true, false, [], {}, ""] }.freeze
    TEXT = "{\"<>&\u2028\u2029\\\"\\\\/\u007f\\u0001\\n\u00e9\u{1f6b2}\":" \
           "[-9223372036854775808,0.1,1.0,-100000000000000.0,true,false,[],{},\"\"]}"
    private_constant :SOURCES, :VALUES, :SAMPLE, :TEXT

    # @return [Array<Module, Symbol, UnboundMethod>] the methods that it knows, with where they are looked up
    attr_reader :methods

    def initialize
      @methods = known([[::Hash, :to_json]])
      return unless defined?(::ActiveSupport::JSON::Encoding)

      encoding = ::ActiveSupport::JSON::Encoding
      @encoder = encoding.json_encoder
      @has_separators = encoding.respond_to?(:escape_js_separators_in_json)
      values = known(VALUES.map { |klass| [klass, :as_json] })
      @methods += known(taking_part(encoding))
      @methods += values if ::ActiveSupport.gem_version < ::Gem::Version.new("7.2")
      @with_options = values.freeze
      @methods.freeze
      @standard = encoder? && from_the_gems?(@methods) && sample?
      @standard_with_options = @standard && from_the_gems?(values)
    end

    # @param options [Hash, JSON::State, nil] as passed to `to_json`
    # @return [Boolean] whether it writes the same, if the methods are the same
    def writes?(options)
      return false unless @standard && current?
      return true unless options.is_a?(::Hash) && !options.empty?

      @standard_with_options && Native.same_methods?(@with_options)
    end

    # @return [Boolean] whether the methods and the encoder are the same
    def same? = current? && Native.same_methods?(@methods) && (@with_options.nil? || Native.same_methods?(@with_options))

    # @return [nil] what is written depends on more than Hash#to_json
    def plain = nil

    # @param text [String]
    # @param options [Hash, JSON::State, nil] as passed to `to_json`
    # @return [String]
    def finish(text, options) = options.instance_of?(::JSON::State) ? text : escape(text)

    private

    def current?
      return @encoder.nil? unless defined?(::ActiveSupport::JSON::Encoding)

      ::ActiveSupport::JSON::Encoding.json_encoder.equal?(@encoder)
    end

    def escape(text)
      encoding = ::ActiveSupport::JSON::Encoding
      separators = !@has_separators || encoding.escape_js_separators_in_json
      Native.escape_marks(text, encoding.escape_html_entities_in_json, separators)
    end

    # @return [Array<Array(Module, Symbol)>]
    def taking_part(encoding)
      encoder = [:initialize, *@encoder.instance_methods(false), *@encoder.private_instance_methods(false)].uniq
      [[::ActiveSupport::JSON.singleton_class, :encode], *encoder.map { |name| [@encoder, name] },
       [::Float, :as_json], [::JSON.singleton_class, :generate],
       *([[encoding.singleton_class, :encode_without_options]] if encoding.respond_to?(:encode_without_options))]
    end

    def known(methods) = methods.flat_map { |owner, name| [owner, name, owner.instance_method(name)] }

    def from_the_gems?(methods)
      methods.each_slice(3).all? do |_, _, method|
        file, = method.source_location
        file && SOURCES.any? { |source| file.end_with?(source) }
      end
    end

    # True if the encoder is Active Support's, and what it leaves to the json gem is done there.
    def encoder?
      %w[JSONGemEncoder JSONGemCoderEncoder].any? { |name| @encoder.name == "ActiveSupport::JSON::Encoding::#{name}" } &&
        @encoder.method(:new).owner.equal?(::Class) && ::JSON::State.equal?(::JSON::Ext::Generator::State) && gem_below?
    end

    def gem_below?
      method = ::Hash.instance_method(:to_json)
      method = method.super_method while method&.owner.equal?(::ActiveSupport::ToJsonWithActiveSupportEncoder)
      !method.nil? && NativeText.of_the_gem?(method)
    end

    def sample? = ::ActiveSupport::JSON.encode(SAMPLE) == escape(TEXT)
  end
end
