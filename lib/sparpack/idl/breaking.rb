# frozen_string_literal: true

module Sparpack
  module IDL
    # Compares two versions of an IDL and finds the changes that break readers, writers or generated code.
    #
    # There are three levels. Each one also finds what the levels before it find:
    #
    # - `:wire` checks Thrift's compact and binary protocols, which carry ids and types.
    # - `:names` also checks JSON and MessagePack with names, which carry the names of fields and enum values.
    # - `:source` also checks the Ruby code that is generated from the IDL.
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
      autoload :Place, "sparpack/idl/breaking/place"
      autoload :Report, "sparpack/idl/breaking/report"
      autoload :Rule, "sparpack/idl/breaking/rule"
      autoload :Services, "sparpack/idl/breaking/services"
      autoload :Types, "sparpack/idl/breaking/types"
      autoload :Values, "sparpack/idl/breaking/values"
      autoload :Version, "sparpack/idl/breaking/version"

      # @return [Array<Finding>] the breaking changes, sorted by file and line
      attr_reader :findings

      # @return [Integer] how many more breaking changes there were that an annotation or `allow` permits
      attr_reader :allowed

      # Compares the two versions.
      #
      # @param old [Version] the version that others still use
      # @param new [Version] the version to check
      # @param level [Symbol] one of {Rule::LEVELS}
      # @param allow [Array<Allowance::Entry>] the changes to permit
      # @raise [ArgumentError] if the level or an option is unknown
      def initialize(old, new, level: :names, allow: [], **unknown)
        Options.refuse(unknown, method(:initialize)) unless unknown.empty?
        changes = Changes.new(level, Matching.new(old, new), Allowance.new(allow))
        Definitions.new(changes).compare
        @findings = changes.findings
        @allowed = changes.allowed
        freeze
      end

      # Tells whether at least one finding is an error. The others are warnings.
      #
      # @return [Boolean]
      def errors? = findings.any?(&:error?)
    end
  end
end
