# frozen_string_literal: true

require "set"

module Sparpack
  # What to write instead, for the mistakes that newcomers make in a declaration. Every answer goes behind a message: it is
  # empty, or begins with a space and stands in parentheses.
  #
  # @api private
  module Advice
    # What a declaration may mean that names a type in the way of Ruby or of other languages.
    MEANT = {
      String => ":string", Symbol => ":string", Integer => ":i64", Numeric => ":i64 or :double", Float => ":double",
      Array => "list(…)", Hash => "map(…, …)", Set => "set(…)", TrueClass => ":bool", FalseClass => ":bool",
      Time => ":i64 for seconds, or :string", array: "list(…)", hash: "map(…, …)", list: "list(…)", set: "set(…)",
      map: "map(…, …)", int: ":i32", integer: ":i64", long: ":i64", short: ":i16", byte: ":i8", int8: ":i8", int16: ":i16",
      int32: ":i32", int64: ":i64", uint: ":i64", uint8: ":i16", uint16: ":i32", uint32: ":i64", u8: ":i16", u16: ":i32",
      u32: ":i64", number: ":i64 or :double", float: ":double", decimal: ":string, or :i64 of the smallest unit",
      boolean: ":bool", bytes: ":binary", text: ":string", str: ":string", char: ":string", symbol: ":string",
      date: ":string, or :i64", time: ":i64 for seconds, or :string", datetime: ":i64 for seconds, or :string",
      struct: "the class of the struct", union: "the class of the union", enum: "the module of the enum"
    }.freeze

    # A type as IDL has it.
    CONTAINER = /\A(list|set|map)\s*[<(\[]/
    CONSTANT = /\A(::)?[[:upper:]][[:alnum:]_]*(::[[:upper:]][[:alnum:]_]*)*\z/
    private_constant :MEANT, :CONTAINER

    module_function

    # @param spec [Object] what is no type
    # @return [String]
    def type(spec)
      case spec
      when Symbol then used(MEANT[spec]) || Names.hint(spec, Type::SCALARS)
      when Array then " (use list(#{spec.size == 1 ? part(spec[0]) : "…"}))"
      when Hash then " (use map(#{spec.size == 1 ? spec.first.map { |each| part(each) }.join(", ") : "…, …"}))"
      when Module then used(MEANT[spec]) || of_module(spec)
      when Value then " (name its class, #{Quote.plain(spec.class)})"
      else ""
      end
    end

    # @param text [String] what is not the name of a constant
    # @return [String]
    def constant(text)
      return "" unless Quote.short?(text) && text.valid_encoding?

      container = text[CONTAINER, 1]
      return " (use #{container}(#{container == "map" ? "…, …" : "…"}))" if container
      return " (use :#{text})" if Type::SCALARS.any? { |name| name.name == text }

      used(MEANT[text.to_sym]) || spelled(text.gsub(".", "::").gsub(/(?<=\A|::)[[:lower:]]/, &:upcase))
    end

    # @param text [String] the name of a constant that does not exist
    # @return [String] what has the same last part, or is close to it
    def undefined(text)
      return "" unless Quote.short?(text) && Native.main_ractor?

      known = types_by_name
      last = text.split("::").last
      same = known.select { |name| name.split("::").last == last }
      return " (did you mean #{same.first(3).map { |name| Quote.value(name) }.join(" or ")}?)" unless same.empty?

      Names.close(text, known)
    end

    # @param id [Object] what is no id
    # @return [String]
    def id(id)
      case id
      when Symbol then " (the id comes first, as in field 1, :name, :string)"
      when /\A\d+\z/ then " (use #{Quote.plain(id)})"
      else ""
      end
    end

    # @param name [Object] what is no name of a field
    # @return [String]
    def member(name)
      name.is_a?(String) && Quote.short?(name) && Names.member?(name.to_sym) ? " (use :#{name})" : ""
    rescue EncodingError
      ""
    end

    # @param name [Object] of a field
    # @param type [Object]
    # @return [Boolean] whether the one stands where the other should
    def swapped?(name, type)
      return false unless name.is_a?(Symbol) && Type::SCALARS.include?(name)

      case type
      when Symbol then Names.member?(type) && !Type::SCALARS.include?(type) && !MEANT.key?(type)
      when String then !type.match?(CONSTANT)
      else false
      end
    end

    # @param given [Object] what is no class that a codec could have
    # @return [String]
    def codec(given)
      return " (the class comes first: Sparpack::Codec.new(Listing, #{Quote.value(given)}))" if WIRES.include?(given)
      return " (pass its class, #{Quote.plain(given.class)})" if given.is_a?(Value)

      given.is_a?(Declaration) ? " (make a subclass of it)" : ""
    end

    def used(meant) = meant && " (use #{meant})"
    private_class_method :used

    def spelled(constant) = constant.match?(CONSTANT) ? " (did you mean #{Quote.value(constant)}?)" : ""
    private_class_method :spelled

    def part(spec) = spec.is_a?(Symbol) || spec.is_a?(Module) ? Quote.value(spec) : "…"
    private_class_method :part

    def of_module(spec)
      return " (extend it with Sparpack::Enum; it includes that)" if spec < Enum
      return " (it is a base: name a subclass of it)" if [Struct, Union, Exception].include?(spec)
      return " (a struct is a subclass of Sparpack::Struct)" if spec.is_a?(Class)

      numbers = spec.constants(false).any? { |name| !spec.autoload?(name, false) && spec.const_get(name).is_a?(Integer) }
      numbers ? " (for an enum, write extend Sparpack::Enum in it)" : ""
    end
    private_class_method :of_module

    # Structs, unions, exceptions and enums that have a name.
    def types_by_name
      classes = pending = [Struct, Union, Exception]
      classes |= pending until (pending = pending.flat_map(&:subclasses)).empty?
      (classes.drop(3) + ObjectSpace.each_object(Enum).to_a).filter_map(&:name).uniq.sort
    end
    private_class_method :types_by_name
  end
end
