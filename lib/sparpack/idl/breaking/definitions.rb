# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares all definitions of two versions: those in both, those that moved and those that were removed.
      #
      # @api private
      class Definitions
        SCOPES = %w[rb ruby *].freeze
        private_constant :SCOPES

        # @param changes [Changes]
        def initialize(changes)
          @changes = changes
          @matching = changes.matching
          @services = Services.new(changes)
        end

        # @return [void]
        def compare
          @matching.new.programs.each { |program| check_annotations(program) }
          @matching.old.programs.each { |program| file(program) }
          @matching.pairs.each { |old, new| definition(old, new) }
          @changes.compare_replacements
          @matching.removed.each { |old| removed(old) }
        end

        private

        # --- files -------------------------------------------------------------------------------------------------------

        def file(old)
          new = @matching.program_of(old)
          return namespace(old, new) if new
          return unless @matching.old.root?(old)

          @changes.add(:file_removed, Place.new(old, []), side: :old) do
            "was removed, and with it the code generated from it"
          end
        end

        def namespace(old, new)
          names = [@matching.old.namespace(old), @matching.new.namespace(new)]
          return if names.uniq.size == 1 || old.definitions.none? { |definition| @matching.new_of(definition) }

          header = SCOPES.filter_map { |scope| new.namespace_header(scope) }.first
          @changes.add(:namespace_changed, Place.new(new, [], header)) { spaces(names) }
        end

        def spaces(names)
          was, is = names.map { |name| name ? Quote.plain(name) : "the one named after its file" }
          "changed its Ruby namespace from #{was} to #{is}: code that uses the old constants no longer loads"
        end

        # --- definitions -------------------------------------------------------------------------------------------------

        def definition(old, new)
          moved(old, new)
          @changes.name_in_ruby(old, new, Place.of(new), Place.of(old))
          case [old, new]
          in [Model::Record, Model::Record] | [Model::Enum, Model::Enum] then Bodies.compare(old, new, @changes)
          in [Model::Service, Model::Service] then @services.compare(old, new)
          in [Model::Typedef, Model::Typedef] then typedef(old, new)
          in [Model::Const, Model::Const] then constant(old, new)
          else kind(old, new)
          end
        end

        def moved(old, new)
          same = @matching.program_of(old.program).equal?(new.program)
          return if same && [old, new].none? { |definition| RubyNames.given(definition.node) }

          namespaces = @matching.namespaces(old, new)
          if namespaces.uniq.size > 1
            add(:namespace_changed, old, new) do
              "#{"moved from #{Quote.path(old.program.path)} and " unless same}#{spaces(namespaces)}"
            end
          elsif !same && @matching.program_of(old.program)
            add(:definition_moved, old, new) do
              "moved from #{Quote.path(old.program.path)}: " \
                "code that requires the file generated from there no longer finds it"
            end
          end
        end

        # A service that became something else was also removed: its clients still call it.
        def kind(old, new)
          add(:kind_changed, old, new) do
            "was #{article(old)} and is now #{article(new)}: code that uses it as #{article(old)} breaks"
          end
          service_removed(old, new.program) if old.is_a?(Model::Service)
        end

        def typedef(old, new)
          return if @changes.types.in_old(old.type) == @changes.types.in_new(new.type)

          was, is = Types.words(old.type, new.type)
          add(:typedef_changed, old, new) { "stood for #{was} and now stands for #{is}" }
        end

        def constant(old, new)
          return if @changes.values.same?(old.value, new.value)

          add(:constant_changed, old, new) do
            was = Place.of(old).text(old.node.value)
            is = Place.of(new).text(new.node.value)
            next "has a different value" if was == is

            "#{was ? "was #{was}" : "had a long value"} and #{is ? "is now #{is}" : "now has a long value"}"
          end
        end

        # --- what was removed --------------------------------------------------------------------------------------------

        # If the whole file was removed, one finding already says so. Only its services need findings of their own, because
        # clients call them over the wire.
        def removed(old)
          program = @matching.program_of(old.program)
          return service_removed(old, program) if old.is_a?(Model::Service)
          return unless program

          rule = old.is_a?(Model::Const) ? :constant_removed : :type_removed
          place = Place.of(old)
          @changes.add(rule, Place.new(program, []), at: place.name, old: place) do
            "(#{article(old)}, line #{line(old)} of the old file) was removed: code that uses it no longer loads"
          end
        end

        def service_removed(service, program)
          place = Place.of(service)
          where = program ? { side: :new } : { side: :old }
          @changes.add(:service_removed, program ? Place.new(program, []) : place, at: place.name, old: place, **where) do
            "(line #{line(service)} of the old file) was removed: new servers reject calls from its clients"
          end
        end

        def line(definition) = definition.program.source.line(definition.node.offset)

        def article(definition)
          case definition
          when Model::Record then Bodies.kind(definition)
          when Model::Enum then "an enum"
          when Model::Typedef then "a typedef"
          when Model::Service then "a service"
          else "a constant"
          end
        end

        def add(rule, old, new, &) = @changes.add(rule, Place.of(new), old: Place.of(old), &)

        # --- annotations -------------------------------------------------------------------------------------------------

        def check_annotations(program)
          program.definitions.each { |definition| check(Place.of(definition)) }
        end

        def check(place)
          part = place.parts.last
          @changes.allowance.names(part).reject { |name| Rule.known?(name) }.each do |name|
            @changes.add(:unknown_rule, place) { "allows #{Quote.value(name)}, which is not a rule#{Rule.hint(name)}" }
          end
          parts(part).each { |inner| check(place + inner) }
        end

        def parts(part)
          case part
          when Model::Record then part.fields
          when Model::Enum then part.enum_values
          when Model::Service then part.functions
          when Model::Function then part.arguments + part.throws
          else []
          end
        end
      end
    end
  end
end
