# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # The breaking changes that are allowed: by `sparpack.compat` annotations in the IDL, and by a list of entries.
      class Allowance
        # The name of the annotation.
        ANNOTATION = "sparpack.compat"
        PATHS = File::FNM_PATHNAME | File::FNM_EXTGLOB
        private_constant :PATHS

        # One entry of the list. It allows a `rule` (its name, or `all` for every rule). The glob `at` limits it to findings
        # about certain names, such as `Listing.*`. The glob `file` limits it to certain files. A file matches by the path
        # that the finding shows, or by its path relative to `folder`.
        #
        # @example
        #   allow = Sparpack::IDL::Breaking::Allowance::Entry.new(rule: "field_removed", at: "Listing.*")
        #   Sparpack::IDL::Breaking.new(old, new, allow: [allow])
        Entry = ::Struct.new(:rule, :at, :file, :folder, keyword_init: true) do
          # @param finding [Finding]
          # @return [Boolean] whether the entry allows the finding
          def allows?(finding)
            (rule == Rule::ANY || rule.to_sym == finding.rule) &&
              (at.nil? || File.fnmatch?(at, finding.at, File::FNM_EXTGLOB)) &&
              (file.nil? || paths(finding.file).any? { |path| File.fnmatch?(file, path, PATHS) })
          end

          private

          def paths(path)
            return [path] unless folder

            [path, Paths.relative(Paths.full(path), Paths.full(folder))]
          end
        end

        # @param entries [Array<Entry>] the list
        # @api private
        def initialize(entries)
          @entries = entries
          @names = {}.compare_by_identity
        end

        # Returns the names in an annotation. Each annotation is read only once, because many findings may ask for the same
        # one.
        #
        # @param part [#annotations] a definition or one of its parts
        # @return [Set<String>] the names of the rules that its annotation allows
        # @api private
        def names(part)
          @names[part] ||= Array(part.annotations[ANNOTATION]).flat_map { |value| value.scan(/[^\s,]+/) }.to_set
        end

        # @param rule [Symbol] the name of a rule
        # @param places [Array<Place, nil>] the places of the change in the old and the new version
        # @return [Boolean] whether an annotation at one of these places, or around it, allows the rule
        # @api private
        def annotated?(rule, *places)
          places.compact.flat_map(&:parts).any? do |part|
            names(part).include?(Rule::ANY) || names(part).include?(rule.name)
          end
        end

        # @param finding [Finding]
        # @return [Boolean] whether the list allows it
        # @api private
        def listed?(finding) = @entries.any? { |entry| entry.allows?(finding) }
      end
    end
  end
end
