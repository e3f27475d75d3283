# frozen_string_literal: true

require_relative "verification"

module Sparpack
  module DropIn
    # Runs two engines on the same call and compares what they do. The drop-in for the thrift gem has both: the gem's own
    # code, and native code.
    module Verify
      # Payloads with more bytes are not taken apart: only their bytes are compared.
      LARGE = 1 << 20

      # Payloads with more bytes are not compared. Each is kept in memory during its call.
      HUGE = 16_000_000

      # How many values of one call are compared.
      VALUES = 50_000

      # The variable of a fiber that is verifying a call.
      BUSY = :__sparpack_verify__

      # The variable of a fiber whose next call is chosen already.
      NEXT = :__sparpack_verify_next__

      # The generator is our own, so that a program that seeds Ruby's gets its numbers.
      RANDOM = ::Random.new

      LOCK = ::Mutex.new

      private_constant :LARGE, :HUGE, :VALUES, :BUSY, :NEXT, :RANDOM, :LOCK

      autoload :Call, File.join(__dir__, "verify/call")
      autoload :Comparison, File.join(__dir__, "verify/comparison")
      autoload :Difference, File.join(__dir__, "verify/difference")
      autoload :Place, File.join(__dir__, "verify/place")
      autoload :Summary, File.join(__dir__, "verify/summary")
      autoload :Tee, File.join(__dir__, "verify/tee")

      # What is verified: a library, how often, and what is done with a difference.
      State = ::Struct.new(:library, :rate, :block, :summary)
      private_constant :State

      @summary = Summary.new

      class << self
        # Names the drop-in that has two engines. The library has `verifiable?`, `verify_calls(boolean)`,
        # `gem_write(object, protocol, *rest)`, `gem_read(object, protocol, *rest)`, `encode(object, wire)`,
        # `decode(object, bytes, wire, protocol_class)`, `patched?(module)` and `left_out(class, operation)`.
        #
        # @api private
        def attach(library)
          @library = library
          start_from(::ENV.fetch(VERIFY, nil))
        end

        # @api private
        def start(rate, block)
          check(rate)
          @library ||= DropIn.engines&.call
          raise Error, "verify: #{missing}" unless @library

          LOCK.synchronize { switch(rate, block) }
          @summary
        end

        # @api private
        attr_reader :summary

        # Says at the end of the process that nothing was verified, because only Sparsam is loaded.
        #
        # @api private
        def without_second_engine
          return if @told || rate_of(::ENV.fetch(VERIFY, nil)).zero?

          @told = true
          at_exit { $stderr.write("sparpack: #{VERIFY} verified nothing: #{missing}\n") unless @library }
        end

        # Tells whether this call shall be verified.
        #
        # @api private
        # @return [Boolean]
        def choose?
          thread = ::Thread.current
          return false if thread[BUSY] || !Adopted.main?
          return !(thread[NEXT] = nil) if thread[NEXT]

          state = @state
          !state.nil? && (state.rate >= 1 || RANDOM.rand < state.rate)
        end

        # Chooses the call that the block makes.
        #
        # @api private
        def choose_next
          ::Thread.current[NEXT] = true
          yield
        ensure
          ::Thread.current[NEXT] = nil
        end

        # @api private
        # @return [Object] what the gem's `write` returns
        def write(object, protocol, *rest) = verify { |state| Call.new(state, :write, object, protocol, rest) }

        # @api private
        # @return [Object] what the gem's `read` returns
        def read(object, protocol, *rest) = verify { |state| Call.new(state, :read, object, protocol, rest) }

        private

        def verify
          state = @state || State.new(@library, 0, nil, @summary)
          outer = ::Thread.current[BUSY]
          ::Thread.current[BUSY] = true
          yield(state).run
        ensure
          ::Thread.current[BUSY] = outer
        end

        def switch(rate, block)
          on = rate.positive? && @library.verifiable?
          @summary.rate = on ? rate : 0
          @state = on ? State.new(@library, rate.to_f, block, @summary).freeze : nil
          @library.verify_calls(on)
        end

        def start_from(text)
          rate = rate_of(text)
          return if rate.zero?

          start(rate, nil)
          return if @printing

          @printing = true
          at_exit { $stderr.write(@summary) } # also with -W0
        end

        def rate_of(text)
          return 0 if text.nil? || text.empty? || text == "off"

          check(rate = Float(text, exception: false) || text)
          rate
        rescue ::ArgumentError => e
          raise Error, "#{VERIFY}: #{e.message}", cause: nil
        end

        def check(rate)
          real = rate.is_a?(::Numeric) && rate.real? && (0..1).cover?(rate) # NaN is not
          raise ::ArgumentError, "rate: expected a number from 0 to 1, got #{Quote.value(rate)}" unless real
        end

        def missing
          return "require \"sparpack/drop_in/thrift\" first" unless DropIn.const_defined?(:Sparsam, false)

          "Sparsam has no second engine, because the sparsam gem cannot be loaded beside its drop-in; " \
            "require \"sparpack/drop_in/thrift\" to verify classes of the thrift gem"
        end
      end
    end
  end
end
