# frozen_string_literal: true

module Sparpack
  # The border between Ruby and the native core. The methods here are called by the native core, which defines the others.
  #
  # @api private
  module Native
    class << self
      # Compiles a class when it is first used. No fields can be added after that.
      def seal(klass)
        unless Declared.shape(klass)
          raise TypeError, "expected a struct, union or exception, got #{Quote.plain(klass)}" unless klass.is_a?(Declaration)

          raise TypeError, "#{Quote.plain(klass)} is a base class: make a subclass of it"
        end
        raise TypeError, "#{Quote.plain(klass)} is a singleton class, which has no objects" if klass.singleton_class?

        hold_copy(klass) unless held?(klass)
        owner = Declared.owner(klass)
        return share(klass, owner) unless owner.equal?(klass)

        compile(klass, Declared.fields(klass).map { |field| slot_row(klass, field) }.freeze)
      end

      # Returns a class and all classes that its fields lead to, in the form that the native core links.
      def reach(klass)
        seen = {}.compare_by_identity
        queue = [klass]
        until queue.empty?
          owner = Declared.owner(queue.shift)
          next if seen[owner] || linked?(owner)

          fields = Declared.schema(owner).fields
          seen[owner] = fields.each_with_index.map { |field, slot| link_row(field, slot) }.sort_by! { |row| row[1] }
          queue.concat(fields.flat_map { |field| field.type.structs })
        end
        seen.to_a
      end

      # Links a class for from_h. That needs only the types of what a Hash holds, so it does without the link if a type that
      # is not needed does not exist.
      #
      # @return [Boolean] whether the class is linked
      def try_to_link(klass)
        link(klass)
        true
      rescue StandardError, ScriptError
        false
      end

      # Converts a payload that the native core does not convert without objects.
      def convert_objects(from, to, bytes)
        encode_converted(to, from.decode(bytes), from, bytes, 0, bytes.bytesize, 0)
      end

      # Gives a class of another library a plan: see {Adopted.adopt}.
      def adopt(klass, shape, rows, **manner) = Adopted.adopt(klass, shape, rows, **manner)

      # @return [String] a value, as messages show it
      def quote(value) = Quote.value(value)

      # @return [String] the result of an `inspect`, with escapes for characters that nobody sees
      def visible(text) = Quote.inspected(text)

      # @return [String] a name without quotes, as messages show it
      def quote_name(name) = Quote.plain(name)

      # @return [String] a hint to append to a message about an unknown name
      def did_you_mean(name, known) = Names.hint(name, known)

      # @return [String] a hint to append to a message about a field that a class does not have; empty if it is an id
      def field_hint(klass, found)
        return "" unless found.is_a?(String)

        Names.hint(found, Declared.schema(klass).fields.map(&:idl_name))
      end

      # @return [String, nil] a hint at an unknown member whose name is similar to that of a required one
      def missing_hint(klass, name, members, base) = Advice.missing(klass, name, members, base)

      # @return [String, nil] a hint at what to write in place of a value of another class
      def value_hint(type, found) = Advice.instead(type, found)

      # @return [Enum] the enum of a field whose type was known when the class was compiled
      def enum_of(klass, name)
        field = Declared.fields(klass).find { |each| each.name == name }
        (field.type.is_a?(Type) ? field : field.resolve(klass)).type.target
      end

      # @return [String] a hint that lists names of an enum's values, if wanted with a similar one
      def enum_hint(enum, name, similar) = Enum.hint(enum, name, similar:)

      # @return [Array(String, String)] the message about a name that an enum does not have, and what it shows of the name
      def enum_missing(enum, name) = Enum.missing(enum, name)

      # @return [String] a hint for a mistake in a call
      def choice_hint(value, known) = Advice.choice(value, known)
      def wire_hint(given) = Advice.wire(given)
      def option_hint(name, value, known) = Advice.option(name, value, known)
      def limits_hint(given) = Advice.limits(given)
      def source_hint(klass, given) = Advice.source(klass, given)
      def guess_hint(layers, wire) = " (#{Guess.of(layers, wire)})"
      def construction_hint(klass, given, first) = Advice.construction(klass, given, first)

      # Goes one step further in a value without a type.
      def dig_untyped(value, step) = Sparpack.__send__(:dig_one, value, step)

      # Raise the error of a path that a dig, a patch or columns cannot go, or of something else that is not one.
      def refuse_step(klass, steps, at) = raise(Steps.error(klass, steps, at))
      def refuse_overlap(path) = raise(Steps.overlap(path))
      def refuse_untyped(path) = raise(Steps.untyped(path))
      def refuse_path(path) = raise(Steps.wrong_path(path))
      def refuse_changes(changes) = raise(Steps.wrong_changes(changes))
      def refuse_packed(klass, steps, nested) = raise(Steps.not_packed(klass, steps, nested))

      # Loads the library that compresses.
      def load_compression = Compression.library

      # @return [String, nil] the compressed payload; nil if it is too large for one block
      def compress(payload, array) = Compression.library.compress(payload, array)

      # @return [Array, nil] as the library returns it; nil without the library
      def decompress(source, offset, limit) = Compression.find&.decompress(source, offset, limit)

      # @return [String] a hint at how to get the library
      def compression_hint = Compression.hint

      # Raises an error of reading a decompressed payload, so that it says what its offset means.
      def fail_decompressed(error, start) = raise(Compression.inside(error, start), cause: nil)

      # Returns the fields for Value#to_h with other keywords than the native core knows.
      def to_h(object, deep: false, **unknown)
        Options.check(unknown, %i[deep]) unless unknown.empty?
        deep ? deep_fields(object) : fields(object)
      end

      # @return [EncodeError::LimitExceeded] the error of a walk through an object that has too many levels, or more than the
      #   stack has room for
      def too_many_levels(object, stack_full) = Levels.error(object, stack_full)

      # Decodes with `lazy: true`, as Declaration#decode was called.
      def decode_lazily(klass, arguments)
        bytes, *wire, options = arguments
        DefaultCodec.reader(klass, wire, options).decode(bytes)
      end

      # Copies an object for Value#dup with arguments.
      def duplicate(object, deep: false, **unknown)
        Options.check(unknown, %i[deep]) unless unknown.empty?
        deep ? Levels.watch(object) { Copy.deep(object) } : copy(object)
      end

      # What the native core wants of the library whose classes it serves.
      def foreign_prepare(klass) = Adopted.library.prepare(klass)
      def foreign_encode_error(object, error) = Adopted.library.encode_error(object, error)
      def foreign_decode_error(klass, error, status) = Adopted.library.decode_error(klass, error, status)
      def foreign_protocol_error(number) = Adopted.library.protocol_error(number)

      # Gives a class of Apache's gem its plan, unless the gem has to read and write its objects.
      def thrift_prepare(klass) = Adopted.thrift.prepare(klass)

      # Tells whether a call of a method of the thrift gem is verified, and verifies it.
      def thrift_verify? = Adopted.thrift.verify?

      def thrift_verify_read(object, arguments) = Adopted.thrift.verify_read(object, *arguments)

      def thrift_verify_write(object, arguments) = Adopted.thrift.verify_write(object, *arguments)

      def thrift_verify_serialize(serializer, arguments) = Adopted.thrift.verify_serialize(serializer, *arguments)

      def thrift_verify_deserialize(deserializer, arguments) = Adopted.thrift.verify_deserialize(deserializer, *arguments)

      # Lets the gem read an object whose transport has raised an error.
      def thrift_replay(transport, error, returned, object, arguments)
        Adopted.thrift.replay(transport, error, returned, object, arguments)
      end

      # Lets the gem read or write an object, one of whose own methods has raised an error.
      def thrift_again(error, object, name, arguments) = Adopted.thrift.again(error, object, name, arguments)

      # Tells whether this is the main Ractor. Only the main Ractor writes instance variables of classes.
      def main_ractor?
        return true unless defined?(::Ractor)

        ::Ractor.respond_to?(:main?) ? ::Ractor.main? : ::Ractor.current == ::Ractor.main
      end

      # Loads {PARTS}. Whatever other Ractors can use calls this when the main Ractor makes or loads it, because before
      # Ruby 3.4 they cannot autoload, and an error must not hide behind that.
      #
      # @param names [Array<Symbol>, nil] which of them; nil for all
      # @return [void]
      def load_parts(names = nil)
        return if @all_parts || !main_ractor?

        (names || PARTS.keys).each { |name| Sparpack.const_get(name) }
        @all_parts = true unless names
      end

      private

      # Gives a copied class a place for its plan. Other classes get it from Class#inherited, which copying does not call.
      def hold_copy(klass)
        unless main_ractor?
          raise SchemaError, "#{Quote.plain(klass)} is a copy of a class: use it in the main Ractor first"
        end

        hold(klass)
      end

      # Returns [id, name, default, coercion]. The coercion is the kind of the field's type, or the numbers of an enum by
      # name, or nil if the type is only a name until the class is linked.
      def slot_row(klass, field)
        field = field.resolve(klass) if !field.type.resolved? && !field.default.nil?
        coercion = field.type.kind if field.type.is_a?(Type)
        coercion = field.type.target.enum_table[:lookup] if coercion == :enum
        [field.id, field.name, field.default, coercion]
      end

      def link_row(field, slot) = [slot, field.id, field.required?, description(field.type), field.idl_name]

      def description(type)
        kind = KINDS.index(type.kind)
        case type.kind
        when :list, :set then [kind, description(type.element)]
        when :map then [kind, description(type.element), description(type.key)]
        when :struct, :union then [kind, type.target]
        when :enum then [kind, type.target, *type.target.enum_table.values_at(:lookup, :written)]
        else [kind]
        end
      end
    end
  end
end
