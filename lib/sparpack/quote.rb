# frozen_string_literal: true

module Sparpack
  # How messages quote what somebody else wrote: names, values, file names. These may come from a stranger and may be of any
  # size, so a message shows the beginning of what is long, and takes no longer to make for it.
  #
  # @api private
  module Quote
    # The most characters that are shown of a name or a String. Names that people choose are shorter.
    LENGTH = 128

    # The same for a path of a file. Longer ones cannot be opened anyway.
    PATH = 4096

    # The most bits of an Integer that is shown digit by digit: to write a number in decimal takes time by the square of its
    # length.
    BITS = 128

    # The most elements of an Array or Hash that is shown.
    FEW = 4

    # What stands for the rest.
    MORE = "…"

    module_function

    # @param value [Object]
    # @return [String] in UTF-8: what `inspect` answers for names, numbers and a few of these in an Array or Hash; of other
    #   objects their class
    def value(value)
      case value
      when Symbol then symbol(value)
      when String then string(value)
      when Integer then integer(value)
      when nil, true, false, Float then value.inspect
      when Module then plain(value.inspect)
      when Array, Hash then few?(value) ? utf8(value.inspect) : instance(value)
      else instance(value)
      end
    end

    # @param name [Symbol, String, Module]
    # @param length [Integer] in characters
    # @return [String] in UTF-8, without quotes
    def plain(name, length = LENGTH)
      text = name.is_a?(Symbol) ? name.name : name.to_s
      short?(text, length) ? utf8(text) : utf8(text[0, length]) << MORE
    end

    # @param path [String] of a file
    # @return [String] in UTF-8
    def path(path) = plain(path, PATH)

    # @param struct_class [Module]
    # @param member [Object] what may be a name
    # @return [String] as in `Listing.title`
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
    # @return [Boolean] whether it has so many characters at most
    def short?(text, length = LENGTH) = text.bytesize <= length || text.size <= length

    # @param text [String] in any encoding, valid or not
    # @return [String] a copy in UTF-8 that is valid
    def utf8(text)
      case text.encoding
      when Encoding::UTF_8, Encoding::BINARY, Encoding::US_ASCII then text.dup.force_encoding(Encoding::UTF_8).scrub("?")
      else text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "?")
      end
    rescue EncodingError # Ruby knows nothing of the encoding but its name
      text.b.force_encoding(Encoding::UTF_8).scrub("?")
    end

    # A BasicObject does not know its class.
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
      return utf8(value.inspect) if short?(text)

      cut = utf8(text[0, LENGTH])
      cut.match?(/\A[[:alpha:]_][[:alnum:]_]*\z/) ? ":#{cut}#{MORE}" : ":#{string(text)}"
    end
    private_class_method :symbol

    def string(text)
      whole = short?(text)
      shown = utf8((whole ? text : text[0, LENGTH]).inspect)
      return shown if whole && shown.size <= LENGTH + 2

      shown.chop[0..LENGTH].sub(/\\(?:u\{?\h*|x\h?)?\z/, "") << MORE << '"' # nothing is left of an escape that is cut
    end
    private_class_method :string
  end
end
