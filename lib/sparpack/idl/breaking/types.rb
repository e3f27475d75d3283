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
        SAME = [].freeze
        private_constant :ALIKE, :SAME

        # How similar two types are. `kind` is `:same`, `:reinterpreted` or `:changed`. It holds only if the structs and
        # enums in `pairs` are compatible, too.
        Verdict = ::Struct.new(:kind, :pairs)

        # @param type [Model::Type, nil] nil for void
        # @param qualified [Boolean] whether to put the names of files before the names of definitions
        # @return [String] the type as IDL writes it
        def self.text(type, qualified: false)
          return "void" if type.nil?
          return qualified ? type.target.qualified_name : type.target.name if type.target

          parts = [type.key, type.element].compact.map { |part| text(part, qualified:) }
          parts.empty? ? type.kind.name : "#{type.kind}<#{parts.join(", ")}>"
        end

        # @param old [Model::Type, nil] nil for void
        # @param new [Model::Type, nil]
        # @return [Array(String, String)] the two types, for a message. If they have the same name, the texts include the
        #   names of their files.
        def self.words(old, new)
          short = [old, new].map { |type| text(type) }
          words = short.uniq.size == 1 ? [old, new].map { |type| text(type, qualified: true) } : short
          words.map { |word| Quote.plain(word) }
        end

        # @param matching [Matching]
        def initialize(matching)
          @matching = matching
          @numbers = { nil => 0 }
          @olds = {}.compare_by_identity
          @news = {}.compare_by_identity
        end

        # Numbers a type. Two types have the same number if they consist of the same kinds and of counterparts. Each part is
        # visited once, because a type of typedefs may be very long if it is written out.
        #
        # @param type [Model::Type, nil] a type of the old version; nil for void
        # @return [Integer]
        def in_old(type) = number(type, @olds) { |target| @matching.new_of(target) || target }

        # @param type [Model::Type, nil] a type of the new version; nil for void
        # @return [Integer] its number, as for {#in_old}
        def in_new(type) = number(type, @news) { |target| target }

        # @param old [Model::Type, nil] nil for void
        # @param new [Model::Type, nil]
        # @return [Verdict]
        def compare(old, new)
          pairs = []
          Verdict.new(kind(old, new, pairs), pairs.empty? ? SAME : pairs.uniq)
        end

        private

        def number(type, known, &)
          known[type] ||= @numbers[form(type, known, &)] ||= @numbers.size
        end

        def form(type, known, &)
          return if type.nil?
          return yield(type.target) if type.target

          parts = [type.key, type.element].compact.map { |part| number(part, known, &) }
          [type.kind, *parts]
        end

        def kind(old, new, pairs)
          return old.equal?(new) ? :same : :changed if old.nil? || new.nil?
          return target(old, new, pairs) if old.target && new.target

          if old.kind != new.kind
            alike = ALIKE.fetch(old.kind, old.kind) == ALIKE.fetch(new.kind, new.kind)
            return alike ? :reinterpreted : :changed
          end
          old.element ? parts(old, new, pairs) : :same
        end

        # A struct with a counterpart counts as the same, because its own changes are reported at its definition.
        def target(old, new, pairs)
          named = @matching.new_of(old.target).equal?(new.target)
          return :same if named && (old.kind == :enum) == (new.kind == :enum)
          return :changed if old.kind != new.kind

          pairs << [old.target, new.target]
          :same
        end

        def parts(old, new, pairs)
          kinds = [kind(old.element, new.element, pairs)]
          kinds << kind(old.key, new.key, pairs) if old.key
          %i[changed reinterpreted].find { |kind| kinds.include?(kind) } || :same
        end
      end
    end
  end
end
