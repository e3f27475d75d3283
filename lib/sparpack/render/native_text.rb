# frozen_string_literal: true

module Sparpack
  # Lets the native core write the text of `to_json` where the json gem or Active Support would write the same.
  #
  # A program can give `as_json` or `to_json` to any class at any time, so each call compares the methods that take part
  # with those that are known.
  #
  # @api private
  module NativeText
    # The levels that the json gem allows by default.
    LEVELS = 100
    private_constant :LEVELS

    class << self
      # @param object [Value]
      # @param options [Object] what was passed to `to_json`: nothing, a Hash, or the state of the json gem
      # @return [String, nil] nil if only Ruby can tell what the JSON is
      def of(object, options = nil)
        writer = @writer
        writer = look(options) unless writer&.writes?(options)
        write(object, options, writer) if writer
      rescue ::Ractor::IsolationError # the main Ractor keeps the writer
        writer = found
        write(object, options, writer) if writer.writes?(options)
      end

      # @param klass [Class]
      # @return [Array<Class>] the class and all structs that its fields lead to
      def classes(klass)
        classes = Reach.from(klass) { |each| Declared.schema(each).fields.flat_map { |field| field.type.structs } }
        classes = classes.grep(Class) # a mapping has no methods that take part
        klass.instance_variable_set(:@rendered_classes, classes.freeze) if Native.main_ractor? && !klass.frozen?
        classes
      end

      # @param method [UnboundMethod] Hash#to_json
      # @return [Boolean] whether it is the json gem's, which is written in C before version 3
      def of_the_gem?(method)
        return false unless method.owner.name&.start_with?("JSON::")

        file, = method.source_location
        file.nil? || file.end_with?("/json/common.rb")
      end

      private

      def write(object, options, writer)
        levels = options.nil? ? LEVELS : levels(options)
        return unless levels.positive?

        text = options ? render(object, levels, options, writer) : Native.render(object, levels, writer.methods)
        return text && writer.finish(text, options) unless text == false

        @writer = nil # a method was redefined
        of(object, options)
      rescue NameError # one was removed
        nil
      end

      def render(object, levels, options, writer)
        forms = options.is_a?(::Hash) ? RenderingOptions.forms(options) : RenderingOptions::USUAL
        Native.render(object, levels, writer.methods, forms[:enums] == :names, forms[:i64] == :string)
      end

      # @return [Integer] how many levels the text may have; 0 if only Ruby can write it
      def levels(options)
        return of_state(options) if options.instance_of?(::JSON::State)

        written?(options) ? LEVELS : 0
      end

      def written?(options)
        options.is_a?(::Hash) && options.default.nil? && options.default_proc.nil? &&
          options.each_key.all? { |name| RenderingOptions::WRITTEN[name] }
      end

      def of_state(state)
        return 0 unless compact?(state)

        state.max_nesting.zero? ? LEVELS : [state.max_nesting - state.depth, LEVELS].min
      end

      def compact?(state)
        state.indent.empty? && state.object_nl.empty? && state.array_nl.empty? && state.space.empty? &&
          state.space_before.empty? && !state.ascii_only? &&
          !(state.respond_to?(:script_safe?) ? state.script_safe? : state.escape_slash) && # an older name of the same
          !(state.respond_to?(:sort_keys) && (state.sort_keys || state.rfc8785?))
      end

      # @return [GemText, ActiveSupportText, nil] what writes the JSON of a Hash, if it is known how
      def look(options)
        known = @writer
        return if known&.same?

        known = found
        @writer = known
        Native.know_plain(known.plain)
        known if known.writes?(options)
      end

      def found
        Loading.json
        of_the_gem?(::Hash.instance_method(:to_json)) ? GemText.new : ActiveSupportText.new
      end
    end

    # Writes the text as the json gem does.
    class GemText
      # @return [Array<Module, Symbol, Object>] the methods that it knows, with where they are looked up
      attr_reader :methods

      def initialize
        @methods = [::Hash, :to_json, Native.method_known(::Hash, :to_json)].freeze
      end

      # @param _options [Object]
      # @return [Boolean] whether it writes the same, if the methods are the same
      def writes?(_options) = true

      # @return [Object] what is known of Hash#to_json, on which alone it depends what is written without options
      def plain = @methods.last

      # @return [Boolean] whether the methods are the same
      def same? = Native.same_methods?(@methods)

      # @param text [String]
      # @param _options [Object]
      # @return [String]
      def finish(text, _options) = text
    end
  end
end
