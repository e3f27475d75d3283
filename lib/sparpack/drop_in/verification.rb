# frozen_string_literal: true

require "sparpack"

module Sparpack
  module DropIn
    # The environment variable that starts to verify: `1` for each call, or a rate such as `0.01`.
    VERIFY = "SPARPACK_VERIFY"
    private_constant :VERIFY

    # Programs that verify nothing never load this.
    autoload :Verify, File.join(__dir__, "verify")

    class << self
      # Starts to verify the drop-in for Apache's thrift gem in this process, or changes how it verifies.
      #
      # Verifies a random part of the calls of `read` and `write`. Such a call runs the gem's own code on your object and
      # your transport, so its result is exactly the gem's. Then native code does the same on a copy of the bytes, and both
      # results are compared. Differences never fail the call. Neither does an exception of the block, which is counted.
      #
      # @param rate [Numeric] which part of the calls, from 0 for none to 1 for each
      # @yieldparam difference [Verify::Difference] a difference, in the thread that made the call, before the call returns
      # @return [Verify::Summary] what has been found so far, see {verification}
      # @raise [ArgumentError] if the rate is not a number from 0 to 1
      # @raise [Error] if the drop-in for the thrift gem is not loaded, or if this is not the main Ractor
      # @example
      #   require "sparpack/drop_in/thrift"
      #   Sparpack::DropIn.verify(rate: 0.01) { |difference| Rails.logger.warn(difference.to_s) }
      def verify(rate: 1, &block)
        refuse_other_ractors(:verify)
        Verify.start(rate, block)
      end

      # What verifying has found in this process.
      #
      # @return [Verify::Summary] empty if nothing was ever verified
      # @raise [Error] if this is not the main Ractor
      # @example
      #   puts Sparpack::DropIn.verification
      def verification
        refuse_other_ractors(:verification)
        Verify.summary
      end

      # Names the drop-in that has two engines, which {Verify.attach} describes.
      #
      # @api private
      # @yieldreturn [Module] the engines; called when something is verified
      def attach(&engines)
        @engines = engines
        Verify.attach(yield) if verifying_from_start? || !autoload?(:Verify)
      end

      # @api private
      # @return [Proc, nil] the block of {attach}
      attr_reader :engines

      # @api private
      # @return [Boolean] whether the environment says something about verifying
      def verifying_from_start? = !::ENV.fetch(VERIFY, "").empty?

      private

      # They cannot load files.
      def refuse_other_ractors(name)
        raise Error, "#{name}: call it in the main Ractor" unless Adopted.main?
      end
    end
  end
end
