# frozen_string_literal: true

module Sparpack
  module IDL
    # What breaks readers, writers or generated code between two versions of an IDL.
    #
    # Three levels, each with what the ones before it find: `:wire` is about Thrift's compact and binary protocols, which
    # know ids and types; `:names` also about JSON and named MessagePack, which write the names of fields and enums' values;
    # `:source` also about Ruby code that was generated.
    #
    # @example
    #   old = Sparpack::IDL::Breaking::Version.at("HEAD~1:idl")
    #   new = Sparpack::IDL::Breaking::Version.at("idl")
    #   Sparpack::IDL::Breaking.new(old, new).findings.each { |finding| puts finding }
    class Breaking
      autoload :Allowance, "sparpack/idl/breaking/allowance"
      autoload :Bodies, "sparpack/idl/breaking/bodies"
      autoload :Changes, "sparpack/idl/breaking/changes"
      autoload :Definitions, "sparpack/idl/breaking/definitions"
      autoload :Fields, "sparpack/idl/breaking/fields"
      autoload :Finding, "sparpack/idl/breaking/finding"
      autoload :Kinship, "sparpack/idl/breaking/kinship"
      autoload :Matching, "sparpack/idl/breaking/matching"
      autoload :Place, "sparpack/idl/breaking/finding"
      autoload :Report, "sparpack/idl/breaking/report"
      autoload :Rule, "sparpack/idl/breaking/rule"
      autoload :Services, "sparpack/idl/breaking/services"
      autoload :Types, "sparpack/idl/breaking/types"
      autoload :Values, "sparpack/idl/breaking/values"
      autoload :Version, "sparpack/idl/breaking/version"

      # @return [Array<Finding>] by file and line
      attr_reader :findings

      # @return [Integer] how many there were besides, which annotations or `allow` let through
      attr_reader :allowed

      # @param old [Version]
      # @param new [Version]
      # @param level [Symbol] one of {Rule::LEVELS}
      # @param allow [Array<Allowance::Entry>]
      # @raise [ArgumentError] for an unknown option
      def initialize(old, new, level: :names, allow: [], **unknown)
        Options.refuse(unknown, method(:initialize)) unless unknown.empty?
        changes = Changes.new(level, Matching.new(old, new), Allowance.new(allow))
        Definitions.new(changes).compare
        @findings = changes.findings
        @allowed = changes.allowed
        freeze
      end

      # @return [Boolean] whether one of them is an error
      def errors? = findings.any?(&:error?)
    end
  end
end
