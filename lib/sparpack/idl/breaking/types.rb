# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Compares the types of two versions. Names that no wire carries may change: a typedef counts as the type that it
      # stands for, and {Kinship} compares structs and enums with different names.
      #
      # @api private
      class Types
        # Kinds that compact and binary write like another kind.
        ALIKE = { binary: :string, enum: :i32 }.freeze
        private_constant :ALIKE

        # How similar two types are. `kind` is `:same`, `:reinterpreted` or `:changed`. It holds only if the structs and
        # enums in `pairs` are compatible, too.
        Verdict = ::Struct.new(:kind, :pairs)
        SAME, REINTERPRETED, CHANGED = %i[same reinterpreted changed].map { |kind| Verdict.new(kind, [].freeze).freeze }
        private_constant :SAME, :REINTERPRETED, :CHANGED

        # What to call a struct or enum. If two of them have the same name, the next form says more.
        FORMS = [
          :name.to_proc,
          :qualified_name.to_proc,
          ->(target) { "#{target.is_a?(Model::Enum) ? "enum" : target.kind} #{target.qualified_name}" },
          ->(target) { "#{target.qualified_name} in #{Quote.path(target.program.path)}" }
        ].freeze
        private_constant :FORMS

        class << self
          # @param old [Model::Type, nil] nil for void
          # @param new [Model::Type, nil]
          # @return [Array(String, String)] the two types, for a message. If the names in them are the same, they include the
          #   names of the files, the kinds of the definitions or the paths of the files.
          def words(old, new) = pair(old, new) { |type, form| text(type, form) }

          # @param old [Model::Record, Model::Enum]
          # @param new [Model::Record, Model::Enum]
          # @return [Array(String, String)] their names, for a message, as in {words}
          def names(old, new) = pair(old, new) { |target, form| form.call(target) }

          private

          def pair(old, new)
            texts = FORMS.lazy.map { |form| [old, new].map { |one| Quote.plain(yield(one, form)) } }
            texts.find { |was, is| was != is } || texts.first
          end

          # Stops after a length that no message shows. A type may have many parts, and each of them a long name.
          def text(type, form, text = +"")
            return text << "void" if type.nil?
            return text << form.call(type.target) if type.target

            text << type.kind.name
            parts = [type.key, type.element].compact
            return text if parts.empty? || text.size > Quote::LENGTH

            parts.each_with_index { |part, index| text(part, form, text << (index.zero? ? "<" : ", ")) }
            text << ">"
          end
        end

        # @param matching [Matching]
        def initialize(matching)
          @matching = matching
        end

        # Tells types apart: it is the same for two types that consist of the same kinds and of counterparts.
        #
        # @param type [Model::Type, nil] a type of the old version; nil for void
        # @return [Object] to compare with others, or as the key of a Hash
        def in_old(type) = form(type) { |target| @matching.new_of(target) || target }

        # @param type [Model::Type, nil] a type of the new version; nil for void
        # @return [Object] as for {#in_old}
        def in_new(type) = form(type) { |target| target }

        # @param old [Model::Type, nil] nil for void
        # @param new [Model::Type, nil]
        # @return [Verdict]
        def compare(old, new)
          return old.equal?(new) ? SAME : CHANGED if old.nil? || new.nil?
          return target(old, new) if old.target && new.target

          if old.kind != new.kind
            alike = ALIKE.fetch(old.kind, old.kind) == ALIKE.fetch(new.kind, new.kind)
            return alike ? REINTERPRETED : CHANGED
          end
          old.element ? parts(old, new) : SAME
        end

        private

        def form(type, &)
          return if type.nil?
          return yield(type.target) if type.target

          [type.kind, *[type.key, type.element].compact.map { |part| form(part, &) }]
        end

        # A struct with a counterpart counts as the same, because its own changes are reported at its definition.
        def target(old, new)
          named = @matching.new_of(old.target).equal?(new.target)
          return SAME if named && (old.kind == :enum) == (new.kind == :enum)
          return CHANGED if old.kind != new.kind

          Verdict.new(:same, [[old.target, new.target].freeze].freeze).freeze
        end

        def parts(old, new)
          verdicts = [compare(old.element, new.element)]
          verdicts << compare(old.key, new.key) if old.key
          worst = [CHANGED, REINTERPRETED].find { |one| verdicts.any? { |verdict| verdict.kind == one.kind } } || SAME
          pairs = verdicts.flat_map(&:pairs).uniq
          pairs.empty? ? worst : Verdict.new(worst.kind, pairs.freeze).freeze
        end
      end
    end
  end
end
