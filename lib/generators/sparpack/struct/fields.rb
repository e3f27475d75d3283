# frozen_string_literal: true

require "generators/sparpack/constant_names"
require "strscan"

module Sparpack
  module Generators
    # Reads fields as the generator of structs takes them: `id:i64!`, `prices:map<string,list<shop/line>>`.
    #
    # @api private
    class Fields
      include ConstantNames

      # A field: its name, its type as Ruby source, and whether it is required.
      Field = ::Struct.new(:name, :type, :required)

      # How many types a container has.
      CONTAINERS = { "list" => 1, "set" => 1, "map" => 2 }.freeze
      EXAMPLES = { "list" => "list<string>", "set" => "set<string>", "map" => "map<string,i64>" }.freeze
      private_constant :CONTAINERS, :EXAMPLES

      # @return [Array<Field>]
      attr_reader :all

      # @return [Array<String>] the names of the classes
      attr_reader :constants

      # @param texts [Array<String>]
      # @raise [Error] for the first one with a fault
      def initialize(texts)
        @constants = []
        @all = texts.map { |text| field(text) }
        twice = @all.map(&:name).tally.find { |_, count| count > 1 } or return
        raise Error, "two fields have the name #{twice.first}"
      end

      # @return [Array<String>] the lines that declare them
      def lines
        all.each.with_index(1).map do |field, id|
          "field #{id}, :#{field.name}, #{field.type}#{", required: true" if field.required}"
        end
      end

      private

      def field(text)
        @name, type = text.split(":", 2)
        unless @name&.match?(/\A\w+\z/) && Names.member?(@name.to_sym)
          raise Error, "#{Quote.value(@name.to_s)} is not the name of a field (write a field as id:i64)"
        end
        raise Error, "field #{@name} has no type (write it as #{@name}:string)" if type.to_s.empty?

        Field.new(@name, whole_type(type.delete_suffix("!")), type.end_with?("!"))
      end

      def whole_type(text)
        @scanner = StringScanner.new(text.delete(" "))
        type = next_type
        fail_at("the end") unless @scanner.eos?
        type
      end

      def next_type
        word = @scanner.scan(%r{[[:alnum:]_:/]+}) or fail_at("a type")
        return container(word) if @scanner.skip(/</)
        return ":#{word}" if Type::SCALARS.any? { |scalar| scalar.name == word }

        word.match?(%r{/|\A[[:upper:]]}) ? constant(word) : refuse(word)
      end

      def container(word)
        count = CONTAINERS[word] or refuse(word, CONTAINERS.keys)
        parts = Array.new(count) do |index|
          fail_at("a comma and the type of the values") unless index.zero? || @scanner.skip(/,/)
          next_type
        end
        fail_at(">") unless @scanner.skip(/>/)
        "#{word}(#{parts.join(", ")})"
      end

      def constant(word)
        @constants |= [constant_name(word)]
        constant_name(word).inspect
      end

      def refuse(word, known = nil)
        raise Error, "field #{@name}: #{word} needs types (as in #{EXAMPLES[word]})" if EXAMPLES[word] && !known

        hint = known ? Names.hint(word, known).delete('"') : in_our_words(Advice.type(word.to_sym))
        raise Error, "field #{@name}: there is no type #{Quote.value(word)}#{hint}; " \
                     "a class is written as shop/line, or Line if it is in no module"
      end

      # What advice says in Ruby, as generators take it.
      def in_our_words(hint) = hint.gsub(/:(?=\w)/, "").gsub("(…)", "<…>").gsub("(…, …)", "<…,…>")

      def fail_at(expected)
        rest = @scanner.rest
        found = rest.empty? ? "nothing" : Quote.value(rest)
        raise Error, "field #{@name}: expected #{expected}, found #{found} in #{Quote.value(@scanner.string)}"
      end
    end
  end
end
