# frozen_string_literal: true

module Sparpack
  module DropIn
    module Thrift
      # The instructions of a method, which can be compared with those of a text.
      #
      # Lines and the names of files do not count, nor does whether literals are frozen. Other Rubies have no instructions.
      #
      # @api private
      class Instructions
        # Ruby has two compilers, whose instructions differ. A precompiled file may be from either.
        COMPILERS = %i[compile compile_prism compile_parsey].freeze

        # The parts of a method that must be equal: its type, local variables, parameters and rescues.
        ALIKE = [9, 10, 11, 12].freeze

        private_constant :COMPILERS, :ALIKE

        class << self
          # @param method [UnboundMethod]
          # @return [Instructions, nil] nil if the method is native, or if Ruby has no instructions
          def of(method)
            code = defined?(::RubyVM::InstructionSequence) && ::RubyVM::InstructionSequence.of(method)&.to_a
            new(code) if code
          end

          # @param method [UnboundMethod]
          # @param text [String] that defines a method
          # @return [Boolean] whether their instructions are the same
          def same?(method, text) = of(method)&.same?(text) || false
        end

        # @return [Array<Array>] the instructions, without lines, labels and events
        attr_reader :body

        # @param code [Array] as `RubyVM::InstructionSequence#to_a` returns it
        def initialize(code)
          @code = code
          @body = code.last.grep(::Array)
        end

        # @param text [String] that defines a method
        # @return [Boolean] whether its instructions are the same
        def same?(text)
          COMPILERS.any? do |compiler|
            next unless ::RubyVM::InstructionSequence.respond_to?(compiler)

            program = ::RubyVM::InstructionSequence.public_send(compiler, text, nil, nil, @code[8], **literals)
            alike?(program.to_a.last.find { |each| each.is_a?(::Array) && each[0] == :definemethod }[2])
          end
        end

        private

        # How the file of the method treats literals.
        def literals
          names = @body.filter_map { |name, first| name if first.is_a?(::String) }
          return {} if names.empty? || names.include?(:putchilledstring)

          { frozen_string_literal: names.include?(:putobject) }
        end

        # The lines are mostly those of the text, and then everything is equal. A file that was formatted anew is compared
        # without lines.
        def alike?(other)
          @code.values_at(*ALIKE) == other.values_at(*ALIKE) && sizes(@code) == sizes(other) &&
            (@code[13] == other[13] || comparable(@code[13]) == comparable(other[13]))
        end

        def sizes(code) = code[4].values_at(:arg_size, :local_size, :stack_max)

        # The instructions without lines, events and the names of labels.
        def comparable(body)
          labels = ::Hash.new { |all, label| all[label] = all.size }
          body.filter_map do |each|
            case each
            when ::Array
              each = unnamed(each) if each[0] == :invokesuper
              each.map { |part| part.is_a?(::Symbol) && part.start_with?("label_") ? [labels[part]] : part }
            when ::Symbol then labels[each] unless each.start_with?("RUBY_EVENT_")
            end
          end
        end

        # `super` has the name of its method from its first call on.
        def unnamed(instruction) = instruction.map { |part| part.is_a?(::Hash) ? part.except(:mid) : part }
      end
    end
  end
end
