# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Matches each definition of the old version with its counterpart in the new one. That is the definition with the same
      # name in the same file, or else one with that name in another file, if it has no counterpart there.
      #
      # @api private
      class Matching
        # @return [Version]
        attr_reader :old

        # @return [Version]
        attr_reader :new

        # @param old [Version]
        # @param new [Version]
        def initialize(old, new)
          @old = old
          @new = new
          @pairs = {}.compare_by_identity
          match_in_files
          match_moved
        end

        # @return [Array<Array(Model::Definition, Model::Definition)>] each old definition with its new counterpart
        def pairs = @pairs.to_a

        # @param definition [Model::Definition] a definition of the old version
        # @return [Model::Definition, nil] its counterpart in the new version
        def new_of(definition) = @pairs[definition]

        # @param program [Program] a file of the old version
        # @return [Program, nil] its counterpart in the new version
        def program_of(program) = @new.program(@old.key(program))

        # @param old [Model::Definition]
        # @param new [Model::Definition]
        # @return [Array(String, String)] the Ruby namespaces that they are in
        def namespaces(old, new) = [@old.home(old), @new.home(new)]

        # @return [Array<Model::Definition>] definitions of the old version that were removed
        def removed = definitions(@old).reject { |definition| @pairs.key?(definition) || out_of_sight?(definition.program) }

        private

        # A file that was only included may still exist even if no file includes it any more. So its definitions do not count
        # as removed.
        def out_of_sight?(program) = program_of(program).nil? && !@old.root?(program)

        def definitions(version) = version.programs.flat_map(&:definitions)

        # Types and services share one set of names. Constants have their own.
        def name(definition) = [definition.is_a?(Model::Const) ? :constant : :type, definition.name]

        def match_in_files
          @old.programs.each do |program|
            counterpart = program_of(program) or next
            there = counterpart.definitions.to_h { |definition| [name(definition), definition] }
            program.definitions.each do |definition|
              found = there[name(definition)]
              @pairs[definition] = found if found
            end
          end
        end

        def match_moved
          taken = @pairs.each_value.to_h { |definition| [definition, true] }
          free = definitions(@new).reject { |definition| taken[definition] }.group_by { |definition| name(definition) }
          definitions(@old).each do |definition|
            next if @pairs.key?(definition)

            candidates = free[name(definition)] || []
            found = candidates.find { |candidate| namespaces(definition, candidate).uniq.size == 1 } || candidates.first
            next unless found

            @pairs[definition] = found
            candidates.delete_at(candidates.index { |candidate| candidate.equal?(found) })
          end
        end
      end
    end
  end
end
