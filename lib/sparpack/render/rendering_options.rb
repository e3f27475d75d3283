# frozen_string_literal: true

module Sparpack
  # The options of {Value#as_json} and {Value#to_json}.
  #
  # @api private
  module RenderingOptions
    # How values are written, with the values of each option. The first one is the usual.
    FORMS = { enums: %i[numbers names].freeze, i64: %i[number string].freeze }.freeze

    # Our own options.
    OWN = [:only, :except, :include, :methods, :root, *FORMS.keys].freeze

    # What Rails passes with `render json:`. None of it changes the text.
    OF_RAILS = %i[status template prefixes layout action content_type location callback formats variants handlers].freeze

    # The options with which the native core writes the text: those of Rails' render, and our forms.
    WRITTEN = [*OF_RAILS, *OF_RAILS.map(&:name), *FORMS.keys].to_h { |name| [name, true] }.freeze

    # What Active Support's encoder takes, and the json gem does not.
    OF_ACTIVE_SUPPORT = %i[escape escape_html_entities].freeze

    # Rails passes this one with every `render` of a controller that has views.
    MARK_OF_RENDER = :prefixes
    USUAL = {}.freeze
    private_constant :OF_ACTIVE_SUPPORT, :MARK_OF_RENDER

    module_function

    # Refuses unknown options of a call of `to_json`. Options of `render` are for many readers, so all of them pass.
    #
    # @param options [Hash]
    # @return [void]
    # @raise [ArgumentError] for the first unknown option
    def check(options)
      return if options.key?(MARK_OF_RENDER)

      unknown = options.reject { |name, _| known?(name, options) }
      Options.check(unknown, OWN) { |name, known| Advice.rendering_option(name, known) } unless unknown.empty?
    end

    # @param options [Hash]
    # @return [Hash{Symbol => Symbol}] the forms that are not the usual ones
    # @raise [ArgumentError] for a value that an option does not have
    def forms(options)
      forms = FORMS.filter_map { |name, known| [name, choice(name, known, options[name])] unless options[name].nil? }
      forms.empty? ? USUAL : forms.reject { |name, value| value == FORMS[name].first }.to_h
    end

    # Strings are names if the Hash takes them for Symbols.
    def known?(name, options)
      symbol = name.respond_to?(:to_sym) ? name.to_sym : (return false)
      OF_RAILS.include?(symbol) || (options.key?(symbol) && (OWN.include?(symbol) || of_an_encoder?(symbol)))
    end
    private_class_method :known?

    def of_an_encoder?(name)
      return true if OF_ACTIVE_SUPPORT.include?(name) && ::Hash.method_defined?(:as_json)

      Loading.json
      ["#{name}=", "#{name}?"].any? { |method| ::JSON::State.method_defined?(method) }
    end
    private_class_method :of_an_encoder?

    def choice(name, known, value)
      return value if known.include?(value)

      raise ArgumentError, "#{name}: expected one of #{known.map(&:inspect).join(", ")}, got #{Quote.value(value)}" \
                           "#{Advice.choice(value, known)}"
    end
    private_class_method :choice
  end
end
