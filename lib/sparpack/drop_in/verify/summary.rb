# frozen_string_literal: true

module Sparpack
  module DropIn
    module Verify
      # Counts what was verified in this process, and what was found. Any thread may ask at any time.
      class Summary
        # The most classes, and the most differences, that are listed. Others are only counted.
        MOST = 100

        # How a call can end.
        OUTCOMES = %i[same different left_to_the_gem left_out not_compared].freeze

        COUNTS = (OUTCOMES + %i[bytes_only block_errors]).freeze

        private_constant :MOST, :OUTCOMES, :COUNTS

        # @api private
        def initialize
          @lock = ::Mutex.new
          @counts = COUNTS.to_h { |name| [name, 0] }
          @differences = ::Hash.new(0)
          @classes = {}
          @reasons = {}.compare_by_identity
          @others = 0
          @rate = 0
        end

        # @api private
        attr_writer :rate

        # What has been counted so far:
        #
        # - `:rate`: which part of the calls is verified, 0 if verifying is off
        # - `:calls`: how many calls were chosen. Each of them is counted in one of the next five.
        # - `:same`, `:different`: how many were compared, with that result
        # - `:left_to_the_gem`: how many native code leaves to the gem, because something about them is unusual
        # - `:left_out`: how many were not compared because of their class, see `:classes`
        # - `:not_compared`: how many were not compared for another reason: a protocol that is not accelerated, a limit,
        #   a transport that failed, or more than 16,000,000 bytes
        # - `:bytes_only`: how many of those compared were so large that not all values were compared: 1 MiB or 50,000 values
        # - `:block_errors`: how many exceptions the block raised
        # - `:classes`: why a class is left out, by its name
        # - `:differences`: how often each difference was found. Elements of a container are counted together.
        # - `:other_differences`: how many differences were found after the first 100 kinds
        #
        # @return [Hash{Symbol => Object}]
        # @example
        #   require "sparpack/drop_in/thrift"
        #   Sparpack::DropIn.verification.to_h[:different] # => 0
        def to_h
          synchronize do
            { rate: @rate, calls: @counts.values_at(*OUTCOMES).sum, **@counts, classes: @classes.dup,
              differences: {}.merge(@differences), other_differences: @others }
          end
        end

        # @return [String] the same for people, in several lines
        # @example
        #   require "sparpack/drop_in/thrift"
        #   puts Sparpack::DropIn.verification
        #   # Sparpack verified 1000 calls of the thrift gem: 997 same, 0 different, 3 left to the gem.
        def to_s
          told = to_h
          lines = ["Sparpack verified #{told[:calls]} calls of the thrift gem: #{told[:same]} same, #{told[:different]} " \
                   "different, #{told[:left_to_the_gem]} left to the gem.", *notes(told)]
          lines.concat(told[:differences].map { |text, count| "DIFFERENCE (#{count} times): #{text}" })
          lines.concat(told[:classes].map { |name, reason| "left out: #{name} (#{reason})" })
          "#{lines.join("\n")}\n"
        end

        # @api private
        # @param outcome [Symbol]
        def count(outcome) = synchronize { @counts[outcome] += 1 }

        # @api private
        # @param differences [Array<Difference>]
        def different(differences)
          synchronize do
            @counts[:different] += 1
            differences.map(&:group).each do |text|
              @differences.size < MOST || @differences.key?(text) ? @differences[text] += 1 : @others += 1
            end
          end
        end

        # @api private
        # @return [Boolean] whether this is the first exception of a block
        def block_error? = synchronize { (@counts[:block_errors] += 1) == 1 }

        # @api private
        # @return [Boolean] whether paths of differences in bytes are still worth the time
        def few? = synchronize { @counts[:different] < MOST }

        # The reason is looked up once for each class and operation. Native code no longer takes a class that has changed
        # since then, so nothing of it can run twice.
        #
        # @api private
        # @return [String, nil] why calls of a class are left out
        def reason(klass, operation)
          known, reason = synchronize { [@reasons[klass]&.key?(operation), @reasons[klass]&.fetch(operation, nil)] }
          return reason if known

          yield.tap do |found|
            synchronize do
              @reasons.clear if @reasons.size > MOST * 100
              (@reasons[klass] ||= {})[operation] = found
            end
          end
        end

        # @api private
        def left_out(name, reason)
          synchronize do
            @counts[:left_out] += 1
            @classes[name] = reason if @classes.size < MOST || @classes.key?(name)
          end
        end

        private

        # A handler of a signal cannot lock anything.
        def synchronize(&block)
          @lock.owned? ? yield : @lock.synchronize(&block)
        rescue ::ThreadError
          yield
        end

        def notes(told)
          { "left out because of their class" => :left_out, "not compared" => :not_compared,
            "too large: not all values were compared" => :bytes_only, "exceptions of the block" => :block_errors,
            "further differences" => :other_differences }.filter_map do |text, name|
            "#{told[name]} #{text}" unless told[name].zero?
          end
        end
      end
    end
  end
end
