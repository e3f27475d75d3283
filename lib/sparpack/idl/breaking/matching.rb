# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Which definition of the new version is which of the old one: that of the same name in the same file, or else one that
      # was moved, which no other file had before.
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

        # @return [Array<Array(Model::Definition, Model::Definition)>] old and new
        def pairs = @pairs.to_a

        # @param definition [Model::Definition] an old one
        # @return [Model::Definition, nil] what it is now
        def new_of(definition) = @pairs[definition]

        # @param program [Program] an old one
        # @return [Program, nil] what it is now
        def program_of(program) = @new.program(@old.key(program))

        # @param old [Model::Definition]
        # @param new [Model::Definition]
        # @return [Array(String, String)] the Ruby modules that they are in
        def namespaces(old, new) = [@old.home(old), @new.home(new)]

        # @return [Array<Model::Definition>] old ones that have no counterpart, though their file was looked at
        def removed = definitions(@old).reject { |definition| @pairs.key?(definition) || out_of_sight?(definition.program) }

        private

        # A file that is only included may be there still when nothing includes it any more.
        def out_of_sight?(program) = program_of(program).nil? && !@old.root?(program)

        def definitions(version) = version.programs.flat_map(&:definitions)

        # Constants share their names with nothing else, types and services one another's.
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
