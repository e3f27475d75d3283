# frozen_string_literal: true

return unless defined?(Sparpack::Struct)

module Tapioca
  module Dsl
    module Compilers
      # Writes RBI for structs, unions and exceptions: readers, setters, the keywords of `new`, and constructors of unions.
      # Enums of .thrift files that are loaded at run time are declared as well, because Sorbet sees no source of them.
      # Tapioca finds this file by its path. docs/rails_code.md shows what comes out.
      #
      # @api private
      class Sparpack < Compiler
        ConstantType = type_member { { upper: Module } }

        # Where constants of .thrift files are defined.
        IDL = File.expand_path("../../../sparpack/idl/", __dir__)
        private_constant :IDL

        class << self
          # @return [Array<Module>]
          def gather_constants
            bases = [::Sparpack::Struct, ::Sparpack::Union, ::Sparpack::Exception]
            bases.flat_map { |base| descendants_of(base) } + all_modules.grep(::Sparpack::Enum).select { |enum| loaded?(enum) }
          end

          private

          # @return [Boolean] whether it comes from a .thrift file that was loaded at run time
          def loaded?(constant)
            name = name_of(constant) or return false
            Object.const_source_location(name)&.first.to_s.start_with?("#{IDL}/")
          end
        end

        # @return [void]
        def decorate
          writer = ::Sparpack::Generate::ClassRBI.new
          lines = constant.is_a?(Class) ? writer.of_class(constant) : writer.of_enum(constant)
          tree = ::RBI::Parser.parse_string([*around, *lines].join("\n"))
          tree.nodes.dup.each { |node| root << node }
        end

        private

        # @return [Array<String>] lines that declare the modules and classes around it
        def around
          parts = name_of(constant).split("::")[0...-1]
          paths = parts.each_index.map { |index| parts[0..index].join("::") }
          paths.map { |path| "#{Object.const_get(path).is_a?(Class) ? "class" : "module"} #{path}; end" }
        end
      end
    end
  end
end
