# frozen_string_literal: true

module Sparpack
  module IDL
    class Dump
      # A definition to be dumped.
      #
      # @api private
      class Definition
        # @return [Module, Type] a class, an enum, a service, or the type of a typedef without the typedef's name
        attr_reader :object

        # @return [Array<String>] the names of the modules around it
        attr_reader :home

        # @return [String] its constant in these modules; a path of constants if there are classes around it
        attr_reader :constant

        # @return [String] its name in the IDL
        attr_reader :name

        # @return [Hash{String => String, Array<String>}] its annotations
        attr_reader :annotations

        # @return [Array<Definition>] the definitions that it refers to
        attr_reader :needs

        # @return [Array<Definition>] the definitions that its defaults use. Apache's compiler requires them before it.
        attr_reader :made_of

        # @return [Files::File] the file that it is in
        attr_accessor :file

        # @param object [Module, Type]
        # @param place [Array(Array<String>, String)] home and constant
        # @param name [String] its name in the IDL
        # @param annotations [Hash{String => String, Array<String>}]
        # @raise [SchemaError] if the name is not valid in IDL
        def initialize(object, place, name, annotations)
          @object = object
          @home, @constant = place
          @name = name
          @annotations = annotations
          @needs = []
          @made_of = []
          Definition.check(name, path, "write inside it: idl \"another_name\"", Parser::KEYWORDS)
        end

        # Checks a name for the IDL.
        #
        # @param name [Object] the name
        # @param what [String] the path of the named thing, for the message
        # @param remedy [String] how to give it another name, for the message
        # @param taken [Array<String>] the names that are not allowed
        # @return [String] the name
        # @raise [SchemaError] if the name is not valid in IDL
        def self.check(name, what, remedy, taken)
          problem = if !name.is_a?(String) || !name.match?(/\A[A-Za-z_][A-Za-z0-9_]*\z/)
                      "names there consist of ASCII letters, digits and _"
                    elsif taken.include?(name)
                      "it is a keyword there"
                    end
          return name unless problem

          raise SchemaError, "#{what}: #{Quote.value(name)} cannot be a name in IDL, because #{problem} " \
                             "(to choose another name, #{remedy})"
        end

        # @return [String] the path of its constant from the top level
        def path = [*home, constant].join("::")

        # @return [Symbol] `:typedef`, `:enum`, `:service`, `:struct`, `:union` or `:exception`
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
