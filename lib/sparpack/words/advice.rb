# frozen_string_literal: true

require "set"

module Sparpack
  # Says what to write instead of a common mistake in a declaration or a call. Unless its comment says otherwise, each
  # function returns text to append to a message: either an empty String, or a space and a hint in parentheses.
  #
  # @api private
  module Advice
    # Types that go by another name in Ruby or in other languages.
    MEANT = {
      String => ":string", Symbol => ":string", Integer => ":i64", Numeric => ":i64 or :double", Float => ":double",
      Array => "list(…)", Hash => "map(…, …)", Set => "set(…)", TrueClass => ":bool", FalseClass => ":bool",
      Time => ":i64 for milliseconds, or :string", array: "list(…)", hash: "map(…, …)", list: "list(…)", set: "set(…)",
      map: "map(…, …)", int: ":i32", integer: ":i64", long: ":i64", short: ":i16", byte: ":i8", int8: ":i8", int16: ":i16",
      int32: ":i32", int64: ":i64", uint: ":i64", uint8: ":i16", uint16: ":i32", uint32: ":i64", u8: ":i16", u16: ":i32",
      u32: ":i64", number: ":i64 or :double", float: ":double", decimal: ":string, or :i64 of the smallest unit",
      boolean: ":bool", bytes: ":binary", text: ":string", str: ":string", char: ":string", symbol: ":string",
      date: ":string, or :i64", time: ":i64 for milliseconds, or :string", datetime: ":i64 for milliseconds, or :string",
      struct: "the class of the struct", union: "the class of the union", enum: "the module of the enum"
    }.freeze

    # A container type as it is written in IDL.
    CONTAINER = /\A(list|set|map)\s*[<(\[]/
    CONSTANT = /\A(::)?[[:upper:]][[:alnum:]_]*(::[[:upper:]][[:alnum:]_]*)*\z/

    # How somebody may call the wire who passes it as a keyword.
    WIRE_WORDS = %i[wire protocol format].freeze

    # Options that others have, and what to call instead.
    ELSEWHERE = {
      frame: " (encode_to, decode_from and decode_each take it)",
      observe: " (a codec takes it, as in Sparpack::Codec.new(Listing, observe: observer))",
      coerce: " (from_h takes it, as in from_h(JSON.parse(text), coerce: true))"
    }.freeze
    PRETTY = " (to indent JSON, use JSON.pretty_generate(object))"

    # The most options that a hint repeats.
    SHOWN = 6

    # What others call a wire.
    OTHER_NAMES = { "msgpack" => :message_pack, "messagepack" => :message_pack, "tjson" => :thrift_json,
                    "thriftjson" => :thrift_json }.freeze
    private_constant :MEANT, :CONTAINER, :WIRE_WORDS, :ELSEWHERE, :PRETTY, :SHOWN, :OTHER_NAMES

    module_function

    # @param spec [Object] something that is not a type
    # @return [String]
    def type(spec)
      case spec
      when Symbol then used(MEANT[spec]) || of_symbol(spec)
      when Array then " (use list(#{spec.size == 1 ? part(spec[0]) : "…"}))"
      when Hash then " (use map(#{spec.size == 1 ? spec.first.map { |each| part(each) }.join(", ") : "…, …"}))"
      when Module then used(MEANT[spec]) || of_module(spec)
      when Value then " (name its class, #{Quote.plain(spec.class)})"
      else ""
      end
    end

    # @param spec [Object] a part of a type
    # @return [String] how it was written, if it is short
    def part(spec) = spec.is_a?(Symbol) || spec.is_a?(Module) ? Quote.value(spec) : "…"

    # @param text [String] something that is not the name of a constant
    # @return [String]
    def constant(text)
      return "" unless Quote.short?(text) && text.valid_encoding?

      container = text[CONTAINER, 1]
      return " (use #{container}(#{container == "map" ? "…, …" : "…"}))" if container
      return " (use :#{text})" if Type::SCALARS.any? { |name| name.name == text }

      used(MEANT[text.to_sym]) || spelled(text.gsub(".", "::").gsub(/(?<=\A|::)[[:lower:]]/, &:upcase))
    end

    # Suggests types whose last part is the same, or whose name is similar.
    #
    # @param text [String] the name of a constant that does not exist
    # @return [String]
    def undefined(text)
      return "" unless Quote.short?(text) && Native.main_ractor?

      known = types_by_name
      last = text.split("::").last
      same = known.select { |name| name.split("::").last == last }
      return " (did you mean #{same.first(3).map { |name| Quote.value(name) }.join(" or ")}?)" unless same.empty?

      Names.close(text, known)
    end

    # @param id [Object] something that is not an id
    # @return [String]
    def id(id)
      case id
      when Symbol then " (the id comes first, as in field 1, :name, :string)"
      when /\A\d+\z/ then " (use #{Quote.plain(id)})"
      else ""
      end
    end

    # @param name [Object] something that is not the name of a field
    # @return [String]
    def member(name)
      name.is_a?(String) && Quote.short?(name) && Names.member?(name.to_sym) ? " (use :#{name})" : ""
    rescue EncodingError
      ""
    end

    # Tells whether the name and the type of a field were given in the wrong order.
    #
    # @param name [Object]
    # @param type [Object]
    # @return [Boolean]
    def swapped?(name, type)
      return false unless name.is_a?(Symbol) && Type::SCALARS.include?(name)

      case type
      when Symbol then Names.member?(type) && !Type::SCALARS.include?(type) && !MEANT.key?(type)
      when String then !type.match?(CONSTANT)
      else false
      end
    end

    # Says how to pass what was given to `field` by position, after the type.
    #
    # @param type [Object]
    # @param given [Array<Object>]
    # @return [String] without parentheses
    def misplaced(type, given)
      maker = { Array => :list, Hash => :map, ::Set => :set }.fetch(type, type)
      return "write #{maker}(#{given.map { |each| part(each) }.join(", ")})" if %i[list set map].include?(maker)

      case given
      in [:required | :optional | "required" | "optional" => name] then "write #{name}: true"
      in [Hash => options]
        "pass the options as keywords, without braces#{" (#{keywords(options)})" unless keywords(options) == "**hash"}"
      else "what follows the type is a keyword, as in required: true or default: 5"
      end
    end

    # Says how to pass the name of a field and its type.
    #
    # @param id [Object]
    # @param given [Hash] the keywords
    # @return [String] without parentheses
    def nameless(id, given)
      name, type = given.first
      return "write field 1, :name, :string" unless id.is_a?(Integer) && Names.member?(name) && Quote.short?(name.name)

      "write field #{Quote.value(id)}, #{Quote.value(name)}, #{part(type)}"
    end

    # @param name [Object] an option that `field` does not have
    # @param known [Array<Symbol>] the options that it has
    # @return [String]
    def field_option(name, known)
      case name
      when :type then " (the type comes after the name, as in field 1, :name, :string)"
      when :null, :nullable, :presence then " (use required: true)"
      else Names.hint(name, known)
      end
    end

    # @param given [Object] something that is not a Hash for `from_h`
    # @param klass [Class] the class of the object that `from_h` should make
    # @return [String]
    def hash(given, klass)
      case given
      when String
        guess = Sparpack.guess(given, klass)
        [nil, :json, :empty].include?(guess.format) ? " (for JSON text, pass JSON.parse(text))" : " (#{guess})"
      when Value then " (this is an object already; to copy it, use dup)"
      else given.respond_to?(:to_unsafe_h) ? " (permit the parameters, then call to_h)" : "" # those of a controller
      end
    end

    # Says how to pass changes to `with`.
    #
    # @param given [Array<Object>] positional arguments
    # @return [String] without parentheses
    def changes(given)
      (given in [Hash]) ? ": for a Hash, write with(**hash)" : ": changes are keywords, as in with(name: …)"
    end

    # @param given [Object] something that is not one of the values of an option or argument
    # @param known [Array<Symbol>] the values
    # @return [String]
    def choice(given, known)
      case given
      when Symbol then Names.close(given, known)
      when String
        meant = known.find { |value| value.name == given }
        meant ? " (use #{Quote.value(meant)})" : Names.close(given, known)
      when Hash
        values = given.values
        values.size == 1 && known.include?(values[0]) ? " (pass it without a keyword: #{Quote.value(values[0])})" : ""
      else ""
      end
    end

    # @param given [Object] something that is not a class for a codec
    # @return [String]
    def codec(given)
      return " (the class comes first: Sparpack::Codec.new(Listing, #{Quote.value(given)}))" if WIRES.include?(given)
      return " (pass its class, #{Quote.plain(given.class)})" if given.is_a?(Value)
      if given.is_a?(Class) && !given.is_a?(Declaration)
        return " (map a plain class first: Sparpack::Mapping.new(#{Quote.plain(given)}, %i[…]))"
      end

      given.is_a?(Declaration) ? " (make a subclass of it)" : ""
    end

    # @param given [Object] something that is not a wire
    # @return [String]
    def wire(given)
      meant = wire_named(given)
      return used(Quote.value(meant)) if meant

      case given
      when Hash then " (pass options as keywords, without braces)"
      else " (known: #{WIRES.map { |wire| Quote.value(wire) }.join(", ")})"
      end
    end

    # @param name [Object] an option that encoding and decoding do not have
    # @param value [Object]
    # @param known [Array<Symbol>] the options that they have
    # @return [String]
    def option(name, value, known)
      return " (use limits: Sparpack::Limits.new(#{keywords({ name => value })}))" if Limits::NAMES.include?(name)
      return ELSEWHERE[name] if ELSEWHERE.key?(name)
      return PRETTY if name == :pretty

      meant = wire_meant(name, value)
      return " (pass the wire without a keyword: #{Quote.value(meant)})" if meant

      Names.hint(name, known)
    end

    # @param name [Object] an option that is not known
    # @param value [Object]
    # @return [Symbol, nil] the wire, if that is what was meant
    def wire_meant(name, value) = wire_named(value) || (:binary if WIRE_WORDS.include?(name))

    # @param name [Object] an option that `to_json` does not have
    # @param known [Array<Symbol>] the options that it has
    # @return [String]
    def rendering_option(name, known)
      case name
      when :keys then " (the name of a field in JSON is its idl_name:)"
      when :pretty then PRETTY
      else Names.hint(name, known)
      end
    end

    # @param given [Object] something that is not a Limits
    # @return [String]
    def limits(given)
      case given
      when Hash then " (use Sparpack::Limits.new(#{keywords(given)}))"
      when Class then given <= Limits ? " (use Sparpack::Limits.new)" : ""
      else ""
      end
    end

    # @param klass [Class] the class to decode
    # @param given [Object] something that is not a String of bytes
    # @return [String]
    def source(klass, given)
      case given
      when Hash then " (to make an object from a Hash, use #{Quote.plain(klass)}.from_h)"
      when Value then " (this object is decoded already)"
      when Object then reading(given)
      else ""
      end
    end

    # Says what to pass to `new`.
    #
    # @param klass [Class]
    # @param given [Array<Object>] positional arguments
    # @param first [Symbol, nil] the first field of the class
    # @return [String] without parentheses
    def construction(klass, given, first)
      name = Quote.plain(klass)
      case given
      in [Hash] then "for a Hash, write #{name}.new(**hash) or #{name}.from_h(hash)"
      in [Value => object] if object.instance_of?(klass) then "to copy an object, use dup"
      in [Symbol => field, _] if klass <= Union && Names.member?(field)
        "fields are keywords, as in #{name}.new(#{Quote.plain(field)}: …)"
      else "fields are keywords, as in #{name}.new(#{Quote.plain(first || :name)}: …)"
      end
    end

    # @param klass [Class, Mapping] the class of the object that lacks a required member
    # @param name [Symbol] the name of its field
    # @param members [Array<Array(String, Integer)>] the members that there are, with their places
    # @param base [Integer] added to the places
    # @return [String, nil] names come from bytes, so only the field's own is shown
    def missing(klass, name, members, base)
      fields = Declared.schema(klass).fields
      known = fields.flat_map { |field| [field.name.name, field.idl_name] }
      wanted = fields.find { |field| field.name == name }.then { |field| [field.idl_name, field.name.name].uniq }
      _, place = members.find { |member, _| !known.include?(member) && Names.closest(member, wanted) }
      place && " (did you mean #{Quote.value(wanted.first)} by the unknown member at byte #{base + place}?)"
    end

    # @param type [Object] what was expected: a class, an enum, or the name of another type
    # @param found [Object] a value of another class
    # @return [String, nil]
    def instead(type, found)
      case found
      when Hash
        type.is_a?(Declaration) ? " (to make one of a Hash, use #{Quote.plain(type)}.from_h)" : nil
      when ::Time then time(type, "time.iso8601(3)", "(time.to_r * 1000).floor", "milliseconds")
      else
        if defined?(::DateTime) && ::DateTime === found # rubocop:disable Style/CaseEquality
          time(type, "datetime.iso8601(3)", "(datetime.to_time.to_r * 1000).floor", "milliseconds")
        elsif defined?(::Date) && ::Date === found # rubocop:disable Style/CaseEquality
          time(type, "date.iso8601", "(date - Date.new(1970)).to_i", "days")
        end
      end
    end

    # What to write for a time.
    def time(type, text, number, unit)
      how = { "string" => "as text: #{text}", "i64" => "in #{unit}: #{number}" }[type]
      " (#{how ? "write it #{how}" : "a field for a time is an i64 or a string"}, see docs/json.md)"
    end
    private_class_method :time

    # The wire that somebody means who writes `"binary"`, `:Binary` or `:msgpack`.
    def wire_named(given)
      text = case given
             when Symbol then given.name
             when String then given
             else return
             end
      WIRES.find { |wire| wire.name.casecmp(text)&.zero? } || OTHER_NAMES[text.b.downcase]
    end
    private_class_method :wire_named

    def reading(given)
      return " (to read a file, use decode_each(path), or decode(path.binread))" if Input.path?(given)

      readable = given.respond_to?(:readpartial) || given.respond_to?(:read)
      readable ? " (to read an io, use decode_from(io), decode_each(io), or decode(io.read))" : ""
    end
    private_class_method :reading

    # A Hash of options as it is written in a call.
    def keywords(hash)
      plain = hash.size.between?(1, SHOWN) && hash.all? do |name, value|
        case [name, value]
        in [Symbol, Integer | Symbol | true | false | nil] then Names.member?(name) && Quote.short?(name.name)
        else false
        end
      end
      plain ? hash.map { |name, value| "#{name}: #{Quote.value(value)}" }.join(", ") : "**hash"
    end
    private_class_method :keywords

    def used(meant) = meant && " (use #{meant})"
    private_class_method :used

    def spelled(constant) = constant.match?(CONSTANT) ? " (did you mean #{Quote.value(constant)}?)" : ""
    private_class_method :spelled

    def of_symbol(spec)
      named = Quote.short?(spec.name) && spec.match?(CONSTANT)
      named ? " (name a class by a String, #{Quote.value(spec.name)})" : Names.hint(spec, Type::SCALARS)
    end
    private_class_method :of_symbol

    def of_module(spec)
      return " (extend it with Sparpack::Enum; it includes that)" if spec < Enum
      return " (it is a base class: name a subclass of it)" if [Struct, Union, Exception].include?(spec)
      if spec.is_a?(Class)
        return " (a struct is a subclass of Sparpack::Struct; for a plain class, pass a Sparpack::Mapping of it)"
      end

      numbers = spec.constants(false).any? { |name| !spec.autoload?(name, false) && spec.const_get(name).is_a?(Integer) }
      numbers ? " (for an enum, write extend Sparpack::Enum in it)" : ""
    end
    private_class_method :of_module

    # The names of all structs, unions, exceptions and enums.
    def types_by_name
      classes = pending = [Struct, Union, Exception]
      classes |= pending until (pending = pending.flat_map(&:subclasses)).empty?
      (classes.drop(3) + ObjectSpace.each_object(Enum).to_a).filter_map(&:name).uniq.sort
    end
    private_class_method :types_by_name
  end
end
