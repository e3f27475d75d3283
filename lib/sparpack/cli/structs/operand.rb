# frozen_string_literal: true

module Sparpack
  module CLI
    module Structs
      # A value that a user has typed, such as `2`, `"Mitte"`, `true` or `ACTIVE`, for a type of the schema.
      class Operand
        INTEGER = /\A[-+]?\d{1,40}\z/
        REAL = /\A[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\z/
        UUID = /\A\h{8}-?(?:\h{4}-?){3}\h{12}\z/
        private_constant :INTEGER, :REAL, :UUID

        # @param found [Object]
        # @param operand [Object]
        # @return [Boolean] whether these can be compared, if nobody knows the type
        def self.comparable?(found, operand)
          case operand
          when String then found.is_a?(String) && !Encoding.compatible?(found, operand).nil?
          when Numeric then found.is_a?(Integer) || found.is_a?(Float)
          else [true, false].include?(found)
          end
        end

        # @param text [String]
        # @param type [Type]
        # @param textual [Boolean] whether it is a part of a text
        def initialize(text, type, textual:)
          @text = text
          @type = type
          @textual = textual
        end

        # @return [Object]
        # @yield what was expected, what was found, and a hint or nil, if the value does not fit the type. It must raise
        def value(&)
          case @type.kind
          when :bool then truth(&)
          when :double then REAL.match?(@text) ? real(&) : wrong("a number", &)
          when :string then string(&)
          when :binary then bytes(&).b
          when :uuid then uuid(&)
          when :enum then enum(&)
          when :any then any(&)
          else integer(Type::RANGES.fetch(@type.kind), &)
          end
        end

        private

        def wrong(expected, hint = nil) = yield("#{expected} for the type #{@type}", Quote.plain(@text), hint)

        def truth(&)
          truths = { "true" => true, "false" => false }
          meant = { "1" => "true", "0" => "false" }[@text] || Names.closest(@text.downcase, truths.keys)
          truths.fetch(@text) { wrong("true or false", ("did you mean #{meant}?" if meant), &) }
        end

        def integer(range, &)
          wrong("a whole number", &) unless INTEGER.match?(@text)
          number = @text.to_i
          range.cover?(number) ? number : wrong("a number from #{range.begin} to #{range.end}", &)
        end

        # String#to_f turns a number that is too large into Infinity.
        def real(&)
          number = @text.to_f
          number.finite? ? number : wrong("a number up to 1.8e308", &)
        end

        # Without their quotes, and with what escapes mean.
        def bytes(&)
          return @text[1..-2] if @text.start_with?("'")
          return Assembly::Scanner.text(@text.gsub("\n", "\\n")) if @text.start_with?('"')

          wrong("a string in quotes", "did you mean \"#{Quote.plain(@text)}\"?", &)
        rescue AssemblyError => e
          wrong("a string (#{e.expected}, not #{e.found})", &)
        end

        def string(&)
          text = bytes(&).dup.force_encoding(Encoding::UTF_8)
          text.valid_encoding? ? text : wrong("text in UTF-8", &)
        end

        def uuid(&)
          text = string(&).downcase
          return text if @textual
          return wrong("a uuid in quotes", &) unless UUID.match?(text)

          text.delete("-").sub(/\A(\h{8})(\h{4})(\h{4})(\h{4})/, '\1-\2-\3-\4-')
        end

        def enum(&)
          return integer(Type::RANGES.fetch(:enum), &) if @text.match?(/\A[-+\d]/)

          *prefix, name = @text.match?(/\A["']/) ? [string(&)] : @text.split(/\.|::/, -1)
          number = @type.target.value_of(name)
          return number if number && (prefix.empty? || enum?(prefix))

          wrong("the name or the number of a value", number ? "did you mean #{name}?" : known(name), &)
        end

        # Whether this is the name of the enum in the IDL or, whole or its end, in Ruby.
        def enum?(prefix)
          enum = @type.target
          prefix == [enum.idl_name] || "::#{enum.name}".end_with?("::#{prefix.join("::")}")
        end

        # What the enum has instead, as the schema calls it.
        def known(name) = Enum.hint(@type.target, name)[/\A \((.*)\)\z/m, 1]&.gsub(/(?<![:\w]):(\w+)/, '\1')

        def any(&)
          case @text
          when "true", "false" then @text == "true"
          when INTEGER then @text.to_i
          when REAL then real(&)
          when /\A["']/ then string(&)
          else wrong("a number, true, false or a string in quotes", &)
          end
        end
      end
    end
  end
end
