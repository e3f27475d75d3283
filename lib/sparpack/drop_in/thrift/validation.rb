# frozen_string_literal: true

require "set"
require_relative "checks"
require_relative "instructions"
require_relative "methods"

module Sparpack
  module DropIn
    module Thrift
      # Recognises the `validate` that Apache's compiler generates, so that its checks can be part of the plan.
      #
      # The names of fields and enums are taken from the instructions of the method. Then the text that the generator writes
      # for these names is compiled, and all instructions are compared. Source files are never read: they may be precompiled,
      # moved or gone. A method that was changed by hand differs, and is called.
      #
      # The generator refuses false in a required boolean whose type is a typedef. A plan cannot, so that such a method is
      # called, too.
      #
      # The values of an enum are those at the time of the call. If the constant is replaced later, a value that was added is
      # still refused by the plan, and a value that was removed is still accepted.
      #
      # @api private
      module Validation
        REQUIRED = /\ARequired field ([a-zA-Z_]\w*) is unset!\z/
        INVALID = /\AInvalid value of field ([a-zA-Z_]\w*)!\z/
        UNSET = "Union fields are not set."

        # The numbers of types in FIELDS.
        BOOL = 2
        I32 = 8

        EXCEPTION = "::Thrift::ProtocolException"

        private_constant :REQUIRED, :INVALID, :UNSET, :BOOL, :I32, :EXCEPTION

        class << self
          # @param klass [Class] a struct, an exception or a union
          # @return [Checks, nil] what its `validate` checks; nil if the method has to be called
          def of(klass)
            method = Methods.of(klass, :validate) or return
            code = Instructions.of(method) or return
            fields = named(Methods.constant(klass, :FIELDS)) or return
            klass <= ::Thrift::Union ? union(klass, code, fields) : struct(klass, code, fields)
          rescue ::StandardError, ::SyntaxError, ::NotImplementedError
            nil # whatever cannot be understood is called
          end

          private

          def named(fields) = fields.is_a?(::Hash) ? fields.values.to_h { |field| [field[:name].to_s, field] } : nil

          def struct(klass, code, fields)
            traits = Traits.new(code)
            required = traits.required(REQUIRED)
            enums = traits.enums(INVALID) or return
            return unless code.same?(struct_text(required, enums, traits.code))
            return unless required.all? { |name, nil_only| fields[name] && (nil_only || fields[name][:type] != BOOL) }

            checks(klass, fields, required.map(&:first), enums)
          end

          def union(klass, code, fields)
            traits = Traits.new(code)
            enums = traits.enums(INVALID) or return
            return unless code.same?(union_text(enums, traits))
            return unless %i[get_set_field get_value].all? { |name| Methods.of(klass, name)&.owner.equal?(::Thrift::Union) }

            checks(klass, fields, [], enums)
          end

          def checks(klass, fields, required, enums)
            values = enums.to_h do |name, path|
              [name.to_sym, (fields[name] && fields[name][:type] == I32 && Values.find(klass, path)) || nil]
            end
            Checks.new(required.map(&:to_sym).freeze, values.freeze).freeze if values.values.all?
          end

          def struct_text(required, enums, code)
            lines = required.map do |name, nil_only|
              condition = nil_only ? "if @#{name}.nil?" : "unless @#{name}"
              "raise #{error(code, "Required field #{name} is unset!")} #{condition}\n"
            end
            enums.each do |name, path|
              lines << "unless @#{name}.nil? || #{path}::VALID_VALUES.include?(@#{name})\n" \
                       "raise #{error(code, "Invalid value of field #{name}!")}\nend\n"
            end
            text(lines)
          end

          def union_text(enums, traits)
            unset = traits.old_union? ? "raise(StandardError, '#{UNSET}')" : "raise #{error("INVALID_DATA", UNSET)}"
            lines = enums.map do |name, path|
              "if get_set_field == :#{name}\nraise #{error(traits.code, "Invalid value of field #{name}!")} " \
                "unless #{path}::VALID_VALUES.include?(get_value)\nend\n"
            end
            text(["#{unset} if get_set_field.nil? || get_value.nil?\n", *lines])
          end

          def error(code, message) = "#{EXCEPTION}.new(#{EXCEPTION}::#{code}, '#{message}')"

          def text(lines) = "def validate\n#{lines.join}end\n"
        end

        # The names in the instructions of a `validate`.
        class Traits
          # @param instructions [Instructions]
          def initialize(instructions)
            @paths = []
            @texts = [] # each with whether only nil is refused
            find(instructions.body)
          end

          # @return [String] the constant that errors are made with: generators changed it
          def code = @paths.any? { |path| path.end_with?("::INVALID_DATA") } ? "INVALID_DATA" : "UNKNOWN"

          # @return [Boolean] whether a union without a field raises a StandardError, as older generators write it
          def old_union? = @paths.include?("StandardError")

          # @param pattern [Regexp] of the message
          # @return [Array<Array>] the name of each required field, and whether only nil is refused
          def required(pattern)
            @texts.filter_map { |text, nil_only| [text[pattern, 1], nil_only] if pattern.match?(text) }
          end

          # @param pattern [Regexp] of the message
          # @return [Array<Array>, nil] the name of each field that is an enum, and the path of the enum
          def enums(pattern)
            names = @texts.filter_map { |text, _| text[pattern, 1] }
            paths = @paths.filter_map { |path| path.delete_suffix("::VALID_VALUES") if path.end_with?("::VALID_VALUES") }
            names.zip(paths) if names.size == paths.size
          end

          private

          # The constants are in the order of their use, as they are written. Ruby 3.1 has an instruction for each part.
          def find(body)
            path = nil_only = nil
            body.each do |name, first|
              @texts << [first, nil_only] if first.is_a?(::String)
              case name
              when :getconstant then next (path ||= []) << first
              when :putobject
                path = [""] if first.equal?(::Object)
                next
              when :getinstancevariable then nil_only = false
              when :opt_nil_p, :opt_send_without_block then nil_only ||= first[:mid] == :nil?
              when :opt_getconstant_path then @paths << join(first)
              end
              path = (@paths << join(path)) && nil if path
            end
          end

          def join(names) = names.map { |name| name == :NULL ? "" : name.to_s }.join("::")
        end

        # Finds the values of an enum as the method would.
        module Values
          class << self
            # @param klass [Class] that has the method
            # @param path [String] of the enum's module
            # @return [Set<Integer>, nil] nil unless this is a frozen Set as generators write it, which can never change
            def find(klass, path)
              path = "::#{path}" if !path.start_with?("::") && unmistakable?(klass, path[/\A\w+/])
              return unless path.start_with?("::")

              values = ::RubyVM::InstructionSequence.compile("#{path}::VALID_VALUES").eval
              values if plain?(values)
            end

            private

            # Older generators write paths without `::` in front. Such a path depends on where the method is written, unless
            # none of the modules around it has a constant of this name.
            def unmistakable?(klass, first)
              names = Methods.name(klass).split("::")[..-2]
              outer = names.each_index.map { |index| Methods.constant(::Object, names[..index].join("::")) }
              ((klass.ancestors + outer) - ::Object.ancestors).none? do |place|
                place.is_a?(::Module) && Methods.constant?(place, first)
              end
            end

            def plain?(values)
              values.instance_of?(::Set) && values.frozen? && !values.compare_by_identity? &&
                ::Kernel.instance_method(:singleton_methods).bind_call(values).empty? &&
                ::Set.instance_method(:include?).owner.equal?(::Set) && values.all?(::Integer)
            end
          end
        end
        private_constant :Traits, :Values
      end
    end
  end
end
