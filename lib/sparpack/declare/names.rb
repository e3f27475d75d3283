# frozen_string_literal: true

module Sparpack
  # Names that a field's reader cannot have, because Ruby, its tools or Sparpack rely on them. The reader of such a field has
  # a `_` at the end. Everything else ({Value#[]}, `new`, `to_h`, …) uses the field's own name. The list grows only in a
  # major version.
  RESERVED = %i[
    __id__ __send__ class clone define_singleton_method display dup enum_for extend freeze hash initialize inspect
    instance_eval instance_exec instance_variable_get instance_variable_set instance_variables itself method
    method_missing methods object_id private_methods protected_methods public_method public_methods public_send
    remove_instance_variable send singleton_class singleton_method singleton_methods tap then to_enum to_s yield_self
    as_json deconstruct deconstruct_keys encode encode_with init_with initialize_clone initialize_copy initialize_dup
    marshal_dump marshal_load pretty_inspect pretty_print pretty_print_cycle pretty_print_inspect
    pretty_print_instance_variables respond_to_missing to_h to_json to_msgpack_ext to_yaml
    to_a to_ary to_hash to_io to_path to_proc to_str to_sym
  ].freeze

  # More names that the readers of exceptions cannot have.
  RESERVED_BY_EXCEPTIONS = %i[backtrace backtrace_locations cause detailed_message exception full_message
                              set_backtrace].freeze

  # Names that a union's constructors cannot have, because Ruby or a serializer relies on the class methods. Names in
  # {RESERVED} are excluded, too. The constructor of such a variant has a `_` at the end. Any other variant replaces the
  # class method of its name. The list grows only in a major version.
  RESERVED_BY_CLASSES = %i[
    alias_method allocate ancestors append_features attached_object attr attr_accessor attr_reader attr_writer autoload
    class_eval class_exec class_variable_get class_variable_set class_variables const_added const_get const_missing
    const_set const_source_location constants define_method deprecate_constant extend_object extended from_msgpack_ext
    include included included_modules inherited instance_method instance_methods method_added method_removed
    method_undefined module_eval module_exec module_function name new prepend prepend_features prepended private
    private_class_method private_constant private_instance_methods protected protected_instance_methods public
    public_class_method public_constant public_instance_method public_instance_methods refine refinements
    remove_class_variable remove_const remove_method ruby2_keywords set_temporary_name singleton_method_added
    singleton_method_removed singleton_method_undefined subclasses superclass undef_method undefined_instance_methods using
  ].freeze

  # Derives names from names, and finds similar ones.
  #
  # @api private
  module Names
    # For fast lookup.
    OF_READERS    = RESERVED.to_h { |name| [name, true] }.freeze
    OF_EXCEPTIONS = RESERVED_BY_EXCEPTIONS.to_h { |name| [name, true] }.freeze
    private_constant :OF_READERS, :OF_EXCEPTIONS

    module_function

    # Returns a name as wires and the IDL have it.
    #
    # @param name [String] in any encoding; the bytes of a BINARY one are taken for UTF-8
    # @return [String] a copy in UTF-8
    # @raise [SchemaError] if it is not valid text
    def utf8(name)
      known = name.encoding == Encoding::BINARY || name.ascii_only?
      text = known ? String.new(name, encoding: Encoding::UTF_8) : name.encode(Encoding::UTF_8)
      raise EncodingError unless text.valid_encoding?

      text
    rescue EncodingError
      found = "a String of #{name.bytesize} byte#{"s" unless name.bytesize == 1} in #{name.encoding}"
      raise SchemaError, "a name is text that is valid UTF-8, not #{found}", cause: nil
    end

    # @param name [Symbol] the name of a field
    # @param exception [Boolean] whether it is the field of an exception
    # @return [Symbol] the name of the reader
    def reader(name, exception: false)
      taken = OF_READERS[name] || (exception && OF_EXCEPTIONS[name])
      taken ? :"#{name}_" : name
    end

    # @param name [Symbol] the name of a union's field
    # @return [Symbol] the name of the class method that makes the variant
    def constructor(name) = RESERVED.include?(name) || RESERVED_BY_CLASSES.include?(name) ? :"#{name}_" : name

    # @param name [Object]
    # @return [Boolean] whether a field or a function may have this name
    def member?(name) = name.is_a?(Symbol) && name.match?(/\A[[:alpha:]_][[:alnum:]_]*\z/)

    # @param taken [Array<Symbol>] the names of the exceptions that a function throws
    # @return [Symbol] the name of the field for its result
    def success(taken)
      name = :success
      name = :"#{name}_" while taken.include?(name)
      name
    end

    # @param name [String]
    # @return [String] the name as that of a constant
    def constant(name)
      return name if name.match?(/\A[A-Z]/)

      plain = name.sub(/\A_+(?=.)/, "")
      capital = plain[0, 1].upcase
      capital.match?(/\A[[:upper:]]/) ? capital + plain[1..] : "N#{plain}"
    end

    # The most names that are compared, and the most characters with each other, because the time for a comparison grows with
    # the square of the length: 20 microseconds for short names, 140 for names of 28 characters. A hint then takes about 3
    # milliseconds at most.
    COMPARED = 200
    COMPARED_CHARACTERS = 16_000
    private_constant :COMPARED, :COMPARED_CHARACTERS

    # @param name [Object] an unknown name
    # @param known [Array<Symbol, String>] the known names
    # @return [String] " (did you mean …?)"; the known names if none is similar and they are few
    def hint(name, known)
      close = close(name, known)
      return close unless close.empty? && known.size.between?(1, 12)

      " (known: #{known.map { |other| Quote.value(other) }.join(", ")})"
    end

    # @param name [Object] an unknown name
    # @param known [Array<Symbol, String>] the known names
    # @return [String] " (did you mean …?)"; empty if none is similar
    def close(name, known)
      close = closest(name, known)
      close ? " (did you mean #{Quote.value(close)}?)" : ""
    end

    # Finds the most similar name. Very long names are not compared, because they are not typing mistakes.
    #
    # @param name [Object] an unknown name
    # @param known [Array<Symbol, String>] the known names
    # @return [Symbol, String, nil] nil if none is similar
    def closest(name, known)
      return unless defined?(DidYouMean) && (name.is_a?(Symbol) || name.is_a?(String))

      text = name.to_s
      DidYouMean::SpellChecker.new(dictionary: similar(text, known)).correct(text).first if Quote.short?(text)
    rescue EncodingError, ArgumentError # a name is not valid text, or in an encoding that cannot be compared
      nil
    end

    # Selects names of about the same length. If there are many, selects names that begin alike, and names that end alike.
    def similar(text, known)
      room = (text.size / 2) + 1
      found = known.select { |other| (other.size - text.size).abs <= room && other.size <= Quote::LENGTH }
      most = (COMPARED_CHARACTERS / (text.size**2).clamp(1..)).clamp(2, COMPARED)
      return found if found.size <= most

      narrow(found, text, most / 2, :start_with?) | narrow(found, text, most / 2, :end_with?)
    end
    private_class_method :similar

    # Demands more and more equal characters until few names are left.
    def narrow(found, text, most, alike)
      (1..text.size).each do |length|
        break if found.size <= most

        part = alike == :start_with? ? text[0, length] : text[-length, length]
        closer = found.select { |other| other.public_send(alike, part) }
        break if closer.empty?

        found = closer
      end
      found.first(most)
    end
    private_class_method :narrow
  end
end
