# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # One thing that is dumped.
      #
      # @api private
      class Definition
        # @return [Module, Type] a class, an enum, a service, or the type of a typedef, without its name
        attr_reader :object

        # @return [Array<String>] the modules that it is in
        attr_reader :home

        # @return [String] its constant there; a path where classes are around it
        attr_reader :constant

        # @return [String] in the IDL
        attr_reader :name

        # @return [Hash{String => String, Array<String>}]
        attr_reader :annotations

        # @return [Array<Definition>] what it names
        attr_reader :needs

        # @return [Array<Definition>] those of them that its defaults are made of: Apache's compiler wants them above
        attr_reader :made_of

        # @return [Files::File] that it is in
        attr_accessor :file

        # @param object [Module, Type]
        # @param place [Array(Array<String>, String)] home and constant
        # @param name [String]
        # @param annotations [Hash{String => String, Array<String>}]
        # @raise [SchemaError] if IDL cannot have such a name
        def initialize(object, place, name, annotations)
          @object = object
          @home, @constant = place
          @name = name
          @annotations = annotations
          @needs = []
          @made_of = []
          Definition.check(name, path, "say in it: idl \"another_name\"", Parser::KEYWORDS)
        end

        # @param name [Object]
        # @param what [String] whose name it is
        # @param remedy [String]
        # @param taken [Array<String>] what it may not be
        # @return [String] the name
        # @raise [SchemaError] if IDL cannot have it
        def self.check(name, what, remedy, taken)
          problem = if !name.is_a?(String) || !name.match?(/\A[A-Za-z_][A-Za-z0-9_]*\z/)
                      "names in IDL have letters of ASCII, digits and _"
                    elsif taken.include?(name)
                      "that is a keyword of IDL"
                    end
          raise SchemaError, "#{what}: IDL cannot call it #{Quote.value(name)}: #{problem} (#{remedy})" if problem

          name
        end

        # @return [String] of its constant, from the top
        def path = [*home, constant].join("::")

        # @return [Symbol] `:typedef`, `:enum`, `:service`, or a schema's shape
        def kind
          case object
          when Type then :typedef
          when Enum then :enum
          when Declaration then Declared.shape(object)
          else :service
          end
        end

        # @return [String]
        def inspect = "#<#{self.class} #{kind} #{path}>"
      end
    end
  end
end
