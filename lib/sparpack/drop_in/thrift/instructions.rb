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

        # Texts of at most this size have no names of fields, so that there are few. Most classes have methods of such texts.
        KEPT_SIZE = 60

        private_constant :COMPILERS, :ALIKE, :KEPT_SIZE

        @kept = {}

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

          # @param text [String] that defines a method
          # @param options [Hash] of the compiler
          # @yieldparam instructions [Instructions] of the method that the text defines, from each compiler
          # @return [Boolean] whether the block returned true for one of them
          def compiled?(text, options)
            COMPILERS.any? do |compiler|
              next unless ::RubyVM::InstructionSequence.respond_to?(compiler)
              next yield(compile(compiler, text, options)) if text.size > KEPT_SIZE

              yield(@kept[[compiler, text, options]] ||= compile(compiler, text, options))
            end
          end

          private

          def compile(compiler, text, options)
            program = ::RubyVM::InstructionSequence.public_send(compiler, text, **options)
            new(program.to_a.last.find { |each| each.is_a?(::Array) && each[0] == :definemethod }[2])
          end
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
        def same?(text) = Instructions.compiled?(text, literals) { |other| alike?(other) }

        protected

        # The type, local variables, parameters, rescues and sizes.
        def frame = @code.values_at(*ALIKE) + @code[4].values_at(:arg_size, :local_size, :stack_max)

        # The instructions without lines, events and the names of labels.
        def comparable
          labels = ::Hash.new { |all, label| all[label] = all.size }
          @code.last.filter_map do |each|
            case each
            when ::Array
              each = unnamed(each) if each[0] == :invokesuper
              each.map { |part| part.is_a?(::Symbol) && part.start_with?("label_") ? [labels[part]] : part }
            when ::Symbol then labels[each] unless each.start_with?("RUBY_EVENT_")
            end
          end
        end

        private

        # How the file of the method treats literals, of which all are alike.
        def literals
          name, = @body.find { |_, first| first.is_a?(::String) }
          name.nil? || name == :putchilledstring ? {} : { frozen_string_literal: name == :putobject }
        end

        # A label has the number of the instruction's place in memory, so that equal instructions have equal labels.
        def alike?(other) = frame == other.frame && (@body == other.body || comparable == other.comparable)

        # `super` has the name of its method from its first call on.
        def unnamed(instruction) = instruction.map { |part| part.is_a?(::Hash) ? part.except(:mid) : part }
      end
    end
  end
end
