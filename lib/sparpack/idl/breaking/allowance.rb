# frozen_string_literal: true

require "pathname"

module Sparpack
  module IDL
    class Breaking
      # What is let through: by annotations `sparpack.compat` in the IDL, and by a list.
      class Allowance
        # The annotation's name.
        ANNOTATION = "sparpack.compat"
        PATHS = File::FNM_PATHNAME | File::FNM_EXTGLOB
        private_constant :PATHS

        # Lets a `rule` through (a name, or `all`): everywhere, or only for what a glob `at` names, in files that a glob
        # `file` names as they are shown or as seen from `folder`.
        Entry = ::Struct.new(:rule, :at, :file, :folder, keyword_init: true) do
          # @param finding [Finding]
          # @return [Boolean]
          def allows?(finding)
            (rule == Rule::ANY || rule.to_sym == finding.rule) &&
              (at.nil? || File.fnmatch?(at, finding.at, File::FNM_EXTGLOB)) &&
              (file.nil? || paths(finding.file).any? { |path| File.fnmatch?(file, path, PATHS) })
          end

          private

          def paths(path)
            return [path] unless folder

            [path, Pathname.new(File.expand_path(path)).relative_path_from(File.expand_path(folder)).to_s]
          end
        end

        # @param annotations [Hash{String => String, Array<String>}]
        # @return [Array<String>] the rules that they name
        # @api private
        def self.names(annotations) = Array(annotations[ANNOTATION]).flat_map { |value| value.scan(/[^\s,]+/) }

        # @param entries [Array<Entry>]
        # @api private
        def initialize(entries)
          @entries = entries
        end

        # @param rule [Symbol]
        # @param places [Array<Place, nil>]
        # @return [Boolean] whether an annotation there, or around it, lets it through
        # @api private
        def annotated?(rule, *places)
          places.compact.flat_map(&:parts).any? do |part|
            names = Allowance.names(part.annotations)
            names.include?(Rule::ANY) || names.include?(rule.name)
          end
        end

        # @param finding [Finding]
        # @return [Boolean] whether the list lets it through
        # @api private
        def listed?(finding) = @entries.any? { |entry| entry.allows?(finding) }
      end
    end
  end
end
