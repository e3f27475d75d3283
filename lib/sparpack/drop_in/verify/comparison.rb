# frozen_string_literal: true

require "set"

module Sparpack
  module DropIn
    module Verify
      # Compares two values, and everything in them. None of their own methods is called. The order of instance variables is
      # no difference, and NaN equals NaN.
      #
      # @api private
      class Comparison
        # The most differences that are found.
        MOST = 10

        CLASS = ::Kernel.instance_method(:class)
        FROZEN = ::Kernel.instance_method(:frozen?)
        NAMES = ::Kernel.instance_method(:instance_variables)
        GET = ::Kernel.instance_method(:instance_variable_get)

        private_constant :MOST, :CLASS, :FROZEN, :NAMES, :GET

        # @return [Array<Array(String, Symbol)>] the path and the kind of each difference
        attr_reader :found

        # @param root [String] what paths begin with
        # @param values [Integer] the most values that are compared
        def initialize(root, values)
          @root = root
          @left = values
          @found = []
          @cut = false
        end

        # @return [Boolean] whether there were too many values to compare all
        def cut? = @cut

        # @param gem [Object] the value that the gem has made
        # @param native [Object] the value that native code has made
        # @return [self]
        def run(gem, native)
          @stack = [[gem, native, nil]]
          until @stack.empty? || @found.size == MOST
            each = @stack.pop
            @children = []
            compare(*each)
            @stack.concat(@children.reverse!)
          end
          self
        end

        private

        # @param path [Array, nil] the path of the outer value, and a step
        def compare(gem, native, path)
          return if gem.equal?(native)

          klass = CLASS.bind_call(gem)
          return differ(path, :class) unless klass.equal?(CLASS.bind_call(native))

          differ(path, :frozen) unless FROZEN.bind_call(gem) == FROZEN.bind_call(native)
          parts(gem, native, path)
        end

        def parts(gem, native, path)
          case gem
          when ::Float then differ(path, :value) unless same_float?(gem, native)
          when ::Integer then differ(path, :value) unless gem == native
          when ::String then string(gem, native, path)
          when ::Symbol, true, false, nil then differ(path, :value)
          when ::Array then elements(gem, native, path, "")
          when ::Hash then hash(gem, native, path)
          when ::Set then elements(gem.to_a, native.to_a, path, "")
          else variables(gem, native, path)
          end
        end

        def same_float?(gem, native) = gem.nan? ? native.nan? : [gem].pack("G") == [native].pack("G")

        def string(gem, native, path)
          differ(path, :encoding) unless gem.encoding == native.encoding
          differ(path, :value) unless gem.b == native.b
        end

        def hash(gem, native, path)
          elements(gem.keys, native.keys, path, ".keys") && elements(gem.values, native.values, path, ".values")
        end

        def elements(gem, native, path, name)
          return differ(path, :size) unless gem.size == native.size

          enough?(gem.size) && gem.each_index { |index| child(gem[index], native[index], path, "#{name}[#{index}]") }
        end

        def variables(gem, native, path)
          names = NAMES.bind_call(gem)
          others = NAMES.bind_call(native)
          (names - others).each { |name| differ(step(path, name), :absent) }
          (others - names).each { |name| differ(step(path, name), :present) }
          enough?(names.size) && (names & others).each do |name|
            child(GET.bind_call(gem, name), GET.bind_call(native, name), path, ".#{name[1..]}")
          end
        end

        def child(gem, native, path, step) = @children << [gem, native, [path, step]]

        def step(path, name) = [path, ".#{name[1..]}"]

        # Takes from the values that may be compared.
        def enough?(size)
          @left -= size
          @cut = true if @left.negative?
          !@cut
        end

        def differ(path, kind)
          return if @found.size == MOST

          steps = []
          while path
            path, step = path
            steps << step
          end
          @found << ["#{@root}#{steps.reverse!.join}", kind]
          nil
        end
      end
    end
  end
end
