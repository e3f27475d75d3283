# frozen_string_literal: true

module Sparpack
  # Quotes names, values and file names in messages. They may come from a stranger and may be of any size. So a message shows
  # only the beginning of a long text, and takes no longer to make.
  #
  # @api private
  module Quote
    # The most characters of a name or a String that are shown. Names that people choose are shorter.
    LENGTH = 128

    # The most characters of a file's path that are shown. Longer paths cannot be opened anyway.
    PATH = 4096

    # The most bits of an Integer that is shown in full, because writing a number in decimal takes quadratic time.
    BITS = 128

    # The most elements of an Array or Hash that is shown in full.
    FEW = 4

    # Characters that nobody sees, and that could change how a terminal shows the others: control characters (also ends of
    # lines), format characters such as those that change the direction of text, separators of lines, all that a font may
    # leave out (such as fillers, variation selectors and tags), and the empty pattern of Braille. Those that are listed are
    # younger than the Unicode of some Rubies.
    HIDDEN = /\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|[\u2800\u0890\u0891\u180F\u{13430}-\u{1343F}]/

    # Those of them that String#inspect shows as they are, but for those that belong to visible text: joiners, which
    # Persian and emoji need, and the variation selectors of emoji.
    UNSEEN = /(?![\p{Cc}\u200C\u200D\uFE00-\uFE0F])(?:#{HIDDEN})/

    # Marks a text that was cut.
    MORE = "…"

    module_function

    # @param value [Object]
    # @return [String] in UTF-8: the result of `inspect` for names, numbers, and small Arrays and Hashes of these; the class
    #   of any other object
    def value(value)
      case value
      when Symbol then symbol(value)
      when String then string(value)
      when Integer then integer(value)
      when nil, true, false, Float then value.inspect
      when Module then plain(value.inspect)
      when Array, Hash then few?(value) ? visible(value.inspect) : instance(value)
      else mapping?(value) ? plain(value.inspect) : instance(value)
      end
    end

    # @param name [Symbol, String, Module]
    # @param length [Integer] in characters
    # @return [String] in UTF-8, without quotes
    def plain(name, length = LENGTH)
      text = name.is_a?(Symbol) ? name.name : name.to_s
      short?(text, length) ? visible(text) : visible(text[0, length]) << MORE
    end

    # @param path [String] the path of a file
    # @return [String] in UTF-8
    def path(path) = plain(path, PATH)

    # @param struct_class [Module]
    # @param member [Object] usually a name
    # @return [String] such as `Listing.title`
    def member(struct_class, member)
      "#{plain(struct_class)}.#{member.is_a?(Symbol) || member.is_a?(String) ? plain(member) : value(member)}"
    end

    # @param value [Integer]
    # @return [String]
    def integer(value)
      value.bit_length <= BITS ? value.to_s : "an Integer of #{value.bit_length} bits"
    end

    # @param text [String]
    # @param length [Integer]
    # @return [Boolean] whether the text has at most that many characters
    def short?(text, length = LENGTH) = text.bytesize <= length || text.size <= length

    # @param text [String] in any encoding, valid or not
    # @return [String] a copy in valid UTF-8
    def utf8(text)
      case text.encoding
      when Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII then text.dup.force_encoding(Encoding::UTF_8).scrub("?")
      else text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "?")
      end
    rescue EncodingError # Ruby cannot convert this encoding
      text.b.force_encoding(Encoding::UTF_8).scrub("?")
    end

    # @param text [String] in any encoding, valid or not
    # @return [String] a copy in valid UTF-8, with escapes such as `\n` or `\u202E` for characters that nobody sees
    def visible(text) = utf8(text).gsub(HIDDEN) { |hidden| hidden.dump[1..-2] }

    # @param text [String] JSON in valid UTF-8
    # @yieldparam hidden [String] a character that nobody sees
    # @yieldreturn [String, nil] what stands for it; nil for an escape of JSON such as `\u202e`
    # @return [String] a copy in which nothing is hidden
    def visible_json(text)
      text.gsub(HIDDEN) do |hidden|
        (yield hidden if block_given?) ||
          hidden.encode(Encoding::UTF_16BE).unpack("n*").map { |half| format("\\u%04x", half) }.join
      end
    end

    # @param text [String] what `inspect` returned
    # @return [String] the same with escapes such as `\u202E` for characters that nobody sees, unless visible text needs them
    def inspected(text)
      text.encoding == Encoding::UTF_8 && text.valid_encoding? ? text.gsub(UNSEEN) { |unseen| unseen.dump[1..-2] } : text
    end

    # Shows a value for `pp`. If it holds text with characters that nobody sees, it is shown on one line, with escapes for
    # them.
    #
    # @param printer [PP]
    # @param value [Object]
    # @return [void]
    def pretty_print(printer, value)
      unseen?(value) ? printer.text(inspected(value.inspect)) : printer.pp(value)
    end

    # Looks into containers. Structs escape their own text.
    def unseen?(value, seen = {}.compare_by_identity)
      case value
      when String then value.encoding == Encoding::UTF_8 && value.valid_encoding? && value.match?(UNSEEN)
      when Symbol then unseen?(value.name)
      when Array, Set, Hash
        return false if seen[value]

        seen[value] = true
        (value.is_a?(Hash) ? value.to_a.flatten(1) : value).any? { |each| unseen?(each, seen) }
      else false
      end
    end
    private_class_method :unseen?

    # Returns the class of an object, which may be a BasicObject without a method `class`.
    # Tells whether a value, which may be a BasicObject, is a mapping. There is none before its class is loaded, and other
    # Ractors could not load it.
    def mapping?(value) = !Sparpack.autoload?(:Mapping) && Mapping === value # rubocop:disable Style/CaseEquality
    private_class_method :mapping?

    def instance(value) = "an instance of #{plain(::Kernel.instance_method(:class).bind_call(value))}"
    private_class_method :instance

    def few?(container)
      return false if container.size > FEW

      (container.is_a?(Hash) ? container.to_a.flatten(1) : container).all? do |value|
        case value
        when Symbol, String then value.size <= LENGTH / FEW
        when Integer then value.bit_length <= BITS
        when nil, true, false, Float then true
        end
      end
    end
    private_class_method :few?

    def symbol(value)
      text = value.name
      return quoted_symbol(value) if short?(text)

      cut = utf8(text[0, LENGTH])
      cut.match?(/\A[[:alpha:]_][[:alnum:]_]*\z/) ? ":#{cut}#{MORE}" : ":#{string(text)}"
    end
    private_class_method :symbol

    # Symbol#inspect writes only Symbols without quotes that Ruby could read, which may contain format characters.
    def quoted_symbol(value)
      shown = value.inspect
      quoted = shown.start_with?(":\"") || !utf8(shown).match?(HIDDEN)
      quoted ? visible(shown) : ":\"#{visible(value.name)}\""
    end
    private_class_method :quoted_symbol

    def string(text)
      whole = short?(text)
      shown = visible((whole ? text : text[0, LENGTH]).inspect)
      return shown if whole && shown.size <= LENGTH + 2

      shown.chop[0..LENGTH].sub(/\\(?:u\{?\h*|x\h?)?\z/, "") << MORE << '"' # removes an escape that was cut
    end
    private_class_method :string
  end
end
