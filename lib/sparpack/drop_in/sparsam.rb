# frozen_string_literal: true

require "sparpack"
require_relative "files"
require_relative "switch"
require_relative "verification"

module Sparpack
  module DropIn
    # Makes `::Sparsam`, with the interface of the sparsam gem, on top of Sparpack. After that, `require` of any file of that
    # gem does nothing.
    #
    # @api private
    module Sparsam
      # The folder with a file for each file of the gem, so that `require` finds it.
      LOAD_PATH = File.join(__dir__, "sparsam/load_path")

      # If this environment variable is `off`, the gem is loaded instead.
      SWITCH = "SPARPACK_SPARSAM"

      class << self
        # Installs the drop-in, or loads the gem if the environment says so.
        #
        # @return [void]
        # @raise [Error] if the sparsam gem is already loaded, or if the environment variable has another value
        # @raise [LoadError] if it is off, and the gem is not installed
        def install
          return require("sparsam") unless Switch.on?(SWITCH)
          raise Error, "Sparsam is already loaded from #{conflict}" if taken?

          Adopted.serve(self)
          %w[classes construction refusal misreading library].each { |file| require_relative "sparsam/#{file}" }
          Files.provide(LOAD_PATH)
          Verify.without_second_engine if DropIn.verifying_from_start?
        end

        # Describes what the drop-in does in this process.
        #
        # @return [Report]
        # @example
        #   require "sparpack/drop_in/sparsam"
        #   puts Sparpack::DropIn::Sparsam.report
        #   # Sparsam runs on Sparpack 0.1.0.
        #   # Listing: native
        #   # Money: objects are made by its constructor (Money#initialize is overridden)
        def report
          require_relative "sparsam/report"
          Report.new(defined?(Classes) ? Classes.known : nil)
        end

        # Defines the methods that are native: `serialize` and `deserialize`.
        def define_methods(base_type, deserializer) = Adopted.define_methods(base_type, deserializer)

        # Reads one object. Returns it and the place where it ends.
        def decode(klass, bytes, protocol, offset) = Adopted.decode(klass, bytes, protocol, offset)

        # --- what the native core asks for ------------------------------------------------------------------------------

        # Gives a class its plan at its first use.
        def prepare(klass) = Classes.prepare(klass)

        # Makes Sparsam's error of an object that cannot be encoded.
        def encode_error(object, error) = Refusal.new.find(object) || ::Sparsam::Exception.new(error.message)

        # Makes Sparsam's error of bytes that cannot be decoded.
        def decode_error(klass, error, status) = Misreading.error(klass, error, status)

        # Makes Sparsam's error of the number of a protocol that does not exist.
        def protocol_error(number) = ::Sparsam::Exception.new("Unknown protocol #{number}")

        private

        # Tells whether `::Sparsam` is the gem's. An autoload does not count, because it will never run.
        def taken?
          Object.const_defined?(:Sparsam, false) && !Object.autoload?(:Sparsam) && !defined?(Classes)
        end

        def conflict
          file = Object.const_source_location(:Sparsam)&.first
          "#{file || "a native library"}: require \"sparpack/drop_in/sparsam\" before anything that loads it"
        end
      end
    end

    Sparsam.install
  end
end
