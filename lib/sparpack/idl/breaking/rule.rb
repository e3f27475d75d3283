# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # A kind of breaking change that the comparison looks for. It has a `name`, a `severity` (`:error` or `:warning`) and a
      # description, `about`. It applies at its `level` and at the levels after it. If `only` is true, it applies just at its
      # own level, because another rule says more at the next one.
      Rule = ::Struct.new(:name, :level, :severity, :about, :only) do
        # @param level [Symbol] one of {LEVELS}
        # @return [Boolean] whether the rule applies at this level
        def at?(level)
          own, asked = [self.level, level].map { |one| Rule::LEVELS.index(one) }
          only ? own == asked : own <= asked
        end

        # @return [String] the level, as the table of rules shows it
        def level_name = only ? "#{level} only" : level.name
      end

      class Rule
        # The levels, from the one that finds least to the one that finds most.
        LEVELS = %i[wire names source].freeze

        # The name that allows all rules.
        ANY = "all"

        # Rules that apply at their own level only: another rule takes their place at the next one.
        ONLY = %i[type_reinterpreted enum_number_removed].freeze

        TABLE = [
          [:wire, :error, <<~TEXT],
            field_removed: A field or argument was removed. New readers drop what old writers send; old readers get nothing.
            field_id_changed: A field has another id. Readers look for the old id and do not find the field.
            field_id_reused: A removed field's id now belongs to a field of another name and type. Readers confuse the two.
            required_field_added: A new field is required and has no default. New readers refuse what old writers send.
            field_made_required: A field is now required and has no default. New readers refuse messages without it.
            field_made_optional: A field is no longer required. Old readers refuse messages without it.
            type_changed: A field, argument or result has another type. Readers refuse it or skip it.
            struct_union_changed: A struct became a union, or a union a struct. A union holds one field, a struct any number.
            enum_number_changed: The number of an enum value changed. Each version gives the other's number another meaning.
            service_removed: A service was removed. New servers do not know its clients' calls.
            function_removed: A function was removed. New servers do not know the calls of old clients.
            function_renamed: A function was renamed. Calls carry the name, and servers of the other version do not know it.
            oneway_changed: A function became oneway, or is no longer oneway. One side waits for a reply that never comes.
            throws_removed: A function no longer throws an exception. New clients cannot read it in old servers' replies.
            throws_added_to_void: A function without a result throws a new exception. Old clients take its reply for success.
          TEXT
          [:wire, :warning, <<~TEXT],
            throws_added: A function throws a new exception. Old clients find no result in the reply and cannot say why.
            union_field_added: A union has a new field. Old readers cannot tell what it holds; Apache's readers refuse it.
            default_changed: A default changed. A message without the field means something else to each version.
            type_reinterpreted: The same bytes are read as another type and may be refused: string and binary, enum and i32.
            enum_number_removed: A number no longer has a name in its enum. Readers that insist on a name refuse it.
            unknown_rule: An annotation sparpack.compat names a rule that does not exist, so it allows nothing.
          TEXT
          [:names, :error, <<~TEXT],
            field_renamed: A field or argument was renamed. JSON and MessagePack with names carry its name.
            enum_value_renamed: An enum value was renamed. JSON and MessagePack with names carry its name.
            enum_value_removed: An enum value was removed. New readers do not know its name.
            json_type_changed: A type is written the same in compact and binary, but not in JSON or MessagePack with names.
          TEXT
          [:names, :warning, <<~TEXT],
            enum_value_added: An enum has a new value. Old readers of JSON and MessagePack with names refuse its name.
          TEXT
          [:source, :error, <<~TEXT],
            type_removed: A struct, union, exception, enum or typedef was removed, and so was its Ruby constant.
            type_renamed: A field, argument or result has another class, although the same bytes are written.
            kind_changed: A name now stands for another kind of definition, such as an exception instead of a struct.
            namespace_changed: The Ruby namespace changed, and with it the names of all constants in it.
            ruby_name_changed: An annotation sparpack.ruby changed. Code that uses the old Ruby name breaks.
            file_removed: A file was removed, and so was the code that was generated from it.
            constant_removed: A constant was removed.
            argument_added: A function has a new argument. Old calls and handlers have too few.
            arguments_reordered: A function has its arguments in another order. Calls that pass them by position mix them up.
          TEXT
          [:source, :warning, <<~TEXT]
            constant_changed: A constant has another value.
            typedef_changed: A typedef stands for another type.
            definition_moved: A definition moved to another file. Code that requires the old file does not find it.
            parent_changed: A service extends another service. Its generated classes have other ancestors.
          TEXT
        ].freeze
        private_constant :ONLY, :TABLE

        # All rules, by name.
        ALL = TABLE.flat_map do |level, severity, text|
          text.each_line(chomp: true).map do |line|
            name, about = line.split(": ", 2)
            [name.to_sym, new(name.to_sym, level, severity, about.freeze, ONLY.include?(name.to_sym)).freeze]
          end
        end.to_h.freeze

        # Tells whether this name can be used to allow a rule.
        #
        # @param name [String] the name of a rule, or `all`
        # @return [Boolean]
        def self.known?(name) = name == ANY || ALL.key?(name.to_sym)

        # @param name [String] a name that is not {known?}
        # @return [String] a hint that shows a similar name, to be appended to a message; empty if no name is similar
        def self.hint(name) = Names.close(name, [*ALL.keys.map(&:name), ANY])
      end
    end
  end
end
