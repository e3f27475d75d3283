# frozen_string_literal: true

module Sparpack
  module IDL
    class Breaking
      # Something that is looked for: its `name`, the `level` from which on it is, its `severity` (`:error` or `:warning`)
      # and what it is `about`. `only` says that it is not looked for after its own level, where another rule says more.
      Rule = ::Struct.new(:name, :level, :severity, :about, :only) do
        # @param level [Symbol]
        # @return [Boolean] whether it is looked for there
        def at?(level)
          own, asked = [self.level, level].map { |one| Rule::LEVELS.index(one) }
          only ? own == asked : own <= asked
        end

        # @return [String]
        def level_name = only ? "#{level} only" : level.name
      end

      class Rule
        # From what breaks most to what breaks least.
        LEVELS = %i[wire names source].freeze

        # Stands for all rules where one is allowed.
        ANY = "all"

        # Rules that another one takes the place of from the next level on.
        ONLY = %i[type_reinterpreted enum_number_removed].freeze

        TABLE = [
          [:wire, :error, <<~TEXT],
            field_removed: A field or argument is gone: what old writers send in it is dropped, old readers get it no more.
            field_id_changed: A field has another id: readers go by the id and do not find it.
            field_id_reused: The id of a field that is gone has one of another name and type: each is taken for the other.
            required_field_added: A new field is required and has no default: new readers refuse what old writers send.
            field_made_required: A field is required now, without a default: new readers refuse what old writers leave out.
            field_made_optional: A field is not required any more: old readers refuse what new writers leave out.
            type_changed: A field, argument or result has another type: readers refuse it, or skip it.
            struct_union_changed: A struct became a union or the reverse: a union holds one field, a struct any number.
            enum_number_changed: The number of an enum's value changed: each version takes it for something else.
            service_removed: A service is gone: new servers do not know the calls of its clients.
            function_removed: A function is gone: new servers do not know the calls of old clients.
            function_renamed: A function has another name, which each call carries: servers do not know it.
            oneway_changed: A function became oneway or ceased to be: one side waits for a reply, the other sends none.
            throws_removed: A function throws an exception no more: new clients cannot read it in the reply of an old server.
            throws_added_to_void: A function without a result throws a new exception: old clients take it for success.
          TEXT
          [:wire, :warning, <<~TEXT],
            throws_added: A function throws a new exception: old clients find no result, and cannot say why.
            union_field_added: A union has a new field: old readers cannot tell what it holds, and Apache's refuse it.
            default_changed: A default changed: a message without the field says different things to the two versions.
            type_reinterpreted: The same bytes are read as another type, string or binary, enum or i32: not all are fine for both.
            enum_number_removed: A number has no name any more: readers that demand one refuse it.
            unknown_rule: An annotation sparpack.compat names no rule, and so allows nothing.
          TEXT
          [:names, :error, <<~TEXT],
            field_renamed: A field or argument has another name, which JSON and named MessagePack carry.
            enum_value_renamed: An enum's value has another name, which JSON and named MessagePack carry.
            enum_value_removed: An enum's value is gone: new readers do not know its name.
            json_type_changed: A type is written the same in compact and binary, but not in JSON or named MessagePack.
          TEXT
          [:source, :error, <<~TEXT],
            type_removed: A struct, union, exception, enum or typedef is gone, and its constant in Ruby with it.
            type_renamed: A field, argument or result is of another class, though the same is written.
            kind_changed: A name stands for another kind of thing, as an exception where it was a struct.
            namespace_changed: The Ruby namespace changed: all constants in it have other names.
            ruby_name_changed: An annotation sparpack.ruby changed: code that uses the name in Ruby breaks.
            file_removed: A file is gone, and with it what was generated from it.
            constant_removed: A constant is gone.
            argument_added: A function takes another argument: calls and handlers of the old version have too few.
            arguments_reordered: A function takes its arguments in another order: calls by position mix them up.
          TEXT
          [:source, :warning, <<~TEXT]
            constant_changed: A constant has another value.
            typedef_changed: A typedef stands for another type.
            definition_moved: A definition is in another file: code that requires what was generated from the old one misses it.
            parent_changed: A service extends another one: its generated classes have other ancestors.
          TEXT
        ].freeze
        private_constant :ONLY, :TABLE

        # All rules by name.
        ALL = TABLE.flat_map do |level, severity, text|
          text.each_line(chomp: true).map do |line|
            name, about = line.split(": ", 2)
            [name.to_sym, new(name.to_sym, level, severity, about.freeze, ONLY.include?(name.to_sym)).freeze]
          end
        end.to_h.freeze

        # @param name [String]
        # @return [Boolean] whether a rule, or all, may be allowed by this name
        def self.known?(name) = name == ANY || ALL.key?(name.to_sym)

        # @param name [String] which is not known
        # @return [String] what may have been meant
        def self.hint(name) = Names.close(name, [*ALL.keys.map(&:name), ANY])
      end
    end
  end
end
