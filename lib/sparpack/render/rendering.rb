# frozen_string_literal: true

module Sparpack
  # Renders objects as values for JSON, whether or not they could be encoded.
  #
  # @api private
  class Rendering
    # @param object [Value]
    # @param options [Object] as {Value#as_json} takes them; anything but a Hash is ignored
    # @return [Hash{String => Object}]
    # @raise [ArgumentError] for a value that an option does not have
    def self.as_json(object, options = nil)
      options = {} unless options.is_a?(Hash)
      selection = Selection.of(options)
      rendering = new(RenderingOptions.forms(options))
      json = Levels.watch(object) do
        rendering.fields(object, selection).tap do |fields|
          rendering.add_methods(fields, object, options[:methods], selection) if options[:methods]
        end
      end
      root = root(object, options[:root])
      root ? { root => json } : json
    end

    # Returns the options that remain for `to_json` of a Hash. Active Support takes any. The json gem refuses unknown ones
    # from version 3 on, so it gets only those that it knows.
    #
    # @param options [Hash] as {Value#to_json} takes them
    # @return [Array<Hash>] empty if none remain
    def self.arguments(options)
      rest = options.except(*RenderingOptions::OWN)
      unless ::Hash.method_defined?(:as_json)
        rest = rest.select { |name, _| ["#{name}=", "#{name}?"].any? { |known| ::JSON::State.method_defined?(known) } }
      end
      rest.empty? ? [] : [rest]
    end

    # Renders what the native core does not.
    #
    # @param object [Value]
    # @param options [Hash, JSON::State, nil] as {Value#to_json} takes them
    # @return [String]
    # @raise [ArgumentError] for an unknown option
    def self.to_json(object, options)
      return object.__send__(:as_json).to_json(*[options].compact) unless options.is_a?(Hash)

      RenderingOptions.check(options)
      object.__send__(:as_json, options).to_json(*arguments(options))
    end

    # The encodings in which JSON is read as it is.
    READABLE = [::Encoding::UTF_8, ::Encoding::BINARY, ::Encoding::US_ASCII].to_h { |each| [each, true] }.freeze

    # @param klass [Class] the class that is read
    # @param text [String]
    # @return [String] the text in UTF-8
    # @raise [DecodeError::Malformed] if it cannot be transcoded
    def self.utf8(klass, text)
      text.encode(::Encoding::UTF_8)
    rescue ::EncodingError
      path = Quote.plain(klass)
      found = "text that is not valid #{text.encoding}"
      raise DecodeError::Malformed.new("#{path}: expected JSON, found #{found} (json, byte 0)",
                                       path:, expected: "JSON", found:, offset: 0, message_offset: 0), cause: nil
    end

    def self.root(object, root)
      return unless root
      return root.to_s unless root == true

      Declared.schema(object.class).idl_name&.gsub(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/, "_")&.downcase
    end
    private_class_method :root

    # @param forms [Hash{Symbol => Symbol}] as {RenderingOptions.forms} returns them
    def initialize(forms = RenderingOptions::USUAL)
      @forms = forms
      @names = forms[:enums] == :names
      @text = forms[:i64] == :string
      @level = 0
      @plain = Hash.new { |plain, klass| plain[klass] = plain?(klass) }.compare_by_identity
    end

    # Renders the fields that are set.
    #
    # @param object [Value]
    # @param selection [Selection]
    # @param in_key [Boolean] whether the object becomes the text of a key, whose fields are sorted by id
    # @return [Hash{String => Object}]
    def fields(object, selection, in_key: false)
      values = Native.fields(object)
      set(Declared.schema(object.class).fields_for(values), values, selection, in_key)
    end

    # Adds the results of methods, as Active Model does.
    #
    # @param json [Hash] the rendered fields
    # @param object [Value]
    # @param names [Object] one name, or an Array of them
    # @param selection [Selection]
    # @return [void]
    def add_methods(json, object, names, selection)
      Array(names).each do |name|
        json[name.to_s] = other(object.public_send(name), selection.rest) unless selection.except?(name)
      end
    end

    private

    def set(fields, values, selection, in_key)
      @level = Levels.below(@level)
      fields = fields.sort_by(&:id)
      all = selection.all?
      json = {}
      fields.each do |field|
        next if (value = values[field.name]).nil? || (below = all ? selection : selection.below(field)).nil?

        json[field.idl_name] = value(field.type, value, below, in_key)
      end
      @level -= 1
      json
    end

    # An object of a plain class, as its mapping says.
    def mapped(mapping, object, selection, in_key)
      set(Declared.schema(mapping).fields, mapping.read(object), selection, in_key)
    end

    def value(type, value, selection, in_key)
      case type.kind
      when :struct, :union
        return struct(value, selection, in_key) if value.is_a?(Value)
        return mapped(type.target, value, selection, in_key) if type.target.is_a?(Mapping) && type.target === value # rubocop:disable Style/CaseEquality
      when :list, :set
        return value.map { |v| value(type.element, v, selection, in_key) } if value.is_a?(Array) || value.is_a?(Set)
      when :map
        if value.is_a?(Hash)
          return value.to_h { |k, v| [key(type.key, k, selection), value(type.element, v, selection, in_key)] }
        end
      when :binary then return [value].pack("m0") if value.is_a?(String)
      when :enum then return enum(type.target, value) if @names || value.is_a?(Symbol) || value.is_a?(String)
      when :i64 then return value.to_s if @text && value.is_a?(Integer)
      when :double then return value.to_s if in_key && value.is_a?(Float) && !value.finite?
      end
      other(value, selection)
    end

    def enum(enum, value)
      value = number(enum, value) if value.is_a?(Symbol) || value.is_a?(String)
      (enum.idl_name_of(value) if @names && value.is_a?(Integer)) || value
    end

    def number(enum, name) = Enum.find((@lookups ||= Enum.lookups)[enum], name) || name

    # Tells whether a class has the `as_json` of all structs, or none.
    def plain?(klass)
      found = klass.method_defined?(:as_json) || klass.private_method_defined?(:as_json)
      !found || klass.instance_method(:as_json).owner.equal?(Value)
    end

    # Calls `as_json` if the class overrides it. The class may make it private, as `to_json` needs no public one.
    def struct(value, selection, in_key)
      return fields(value, selection, in_key:) if @plain[value.class]

      options = options(selection)
      options.empty? ? value.__send__(:as_json) : value.__send__(:as_json, options)
    end

    # The options for the `as_json` of another class.
    def options(selection) = selection.all? ? @forms : { **selection.options, **@forms }

    # Renders a value of the wrong type as it is, without the fields that are not selected.
    def other(value, selection)
      return value if selection.all?

      case value
      when String, Symbol, Numeric, true, false, nil then value
      when Value then struct(value, selection, false)
      when Hash
        value.each_with_object({}) do |(name, element), json|
          below = selection.at(name)
          json[name] = other(element, below) if below
        end
      when Array, Set then value.map { |element| other(element, selection) }
      else value.respond_to?(:as_json) ? value.as_json(selection.options) : value
      end
    end

    def key(type, key, selection)
      json = value(type, key, selection, true)
      return json.to_s unless json.is_a?(Hash) || json.is_a?(Array)

      Loading.json
      compact(json)
    end

    # The text that the wire :json writes. Versions of the json gem write doubles in different ways, and a key should be the
    # same text with each.
    def compact(json)
      case json
      when Hash then "{#{json.map { |name, value| "#{::JSON.generate(name.to_s)}:#{compact(value)}" }.join(",")}}"
      when Array then "[#{json.map { |value| compact(value) }.join(",")}]"
      when Float then json.finite? ? json.to_s : ::JSON.generate(json)
      else ::JSON.generate(json)
      end
    end
  end
end
