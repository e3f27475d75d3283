# frozen_string_literal: true

module Sparpack
  module CLI
    # A file that declares structs, as --schema names it: a .thrift file, or a Ruby file.
    class SchemaFile
      # A struct, with its name in the IDL, or nil, and its name in Ruby. `file` is the name of the included file that
      # declares it; nil if the file itself does.
      Candidate = ::Struct.new(:idl_name, :ruby_name, :struct_class, :file) do
        # @param name [String] such as `shared.Point`
        # @return [Boolean] whether a file that includes its file calls it so
        def called?(name) = !file.nil? && name == "#{file}.#{idl_name}"

        # @return [String] the last part of the name in Ruby
        def short_name = ruby_name[/[^:]+\z/]
      end
      private_constant :Candidate

      # @param path [String]
      # @param type [String, nil] the name of a struct in it
      # @param include [Array<String>] folders to search for included files
      # @param allow_neg_keys [Boolean] as {IDL.load} takes it
      def initialize(path, type, include, allow_neg_keys: false)
        @path = path
        @type = type
        @include = include
        @allow_neg_keys = allow_neg_keys
      end

      # @return [Class] the struct that has the name, or the only one if there is no name
      # @raise [Misuse] if there is none
      # @raise [IDL::Error] if the file is wrong
      def struct_class
        raise Misuse, "#{Quote.path(@path)} is a folder: name a file" if File.directory?(@path)

        found = File.extname(@path) == ".rb" ? of_ruby : of_thrift
        @type ? named(found) : only(found)
      end

      private

      # Names may be those of the IDL, where a type may have the name of its file in front, or those of Ruby. The former come
      # first: A may be called B in Ruby, and B something else. What is included comes last, unless the name is a full one.
      def named(found)
        name = @type.delete_prefix("#{IDL::Program.name_of(@path)}.")
        ruby = name.split(/\.|::/).reject(&:empty?).map { |part| Names.constant(part) }.join("::")
        own, included = found.partition { |each| each.file.nil? }
        one = by_idl_name(own, name) || found.find { |each| each.called?(@type) } ||
              [*own, *included].find { |each| each.ruby_name == ruby } ||
              by_short_name(own, ruby) || by_idl_name(included, name) || by_short_name(included, ruby)
        one ? one.struct_class : unknown(found)
      end

      def by_idl_name(found, name) = found.find { |each| each.idl_name == name }
      def by_short_name(found, name) = found.find { |each| each.ruby_name.end_with?("::#{name}") }

      # The namespace may be the top level, so its constants are not looked at.
      def of_thrift
        names = IDL::RubyNames.new
        program = IDL.link(@path, include: @include, allow_neg_keys: @allow_neg_keys)
        classes = IDL.define(program, names, Object)
        found = program.all.flat_map(&:records).map do |record|
          file = record.program.name unless record.program.equal?(program)
          Candidate.new(record.name, names.qualified(record), classes[record], file)
        end
        found.sort_by(&:ruby_name)
      end

      def of_ruby
        before = structs
        begin
          require File.expand_path(@path)
        rescue ScriptError, StandardError => e
          raise Misuse, "#{Quote.path(@path)} cannot be loaded: #{e.message.lines.first.to_s.chomp} (#{e.class})"
        end
        found = (structs - before).select(&:name).sort_by(&:name)
        found.map { |klass| Candidate.new(Declared.idl_name_of(klass), klass.name, klass) }
      end

      def structs = ObjectSpace.each_object(Class).select { |found| struct?(found) && Declared.fields(found).any? }
      def struct?(found) = found.is_a?(Class) && !Declared.shape(found).nil?

      # What is included counts only if the file itself declares no struct.
      def only(found)
        own = found.select { |each| each.file.nil? }
        return own.first.struct_class if own.size == 1
        raise Misuse, "#{Quote.path(@path)} declares no struct" if found.empty?

        known = own.empty? ? found : own
        names = known.first(8).map { |each| Quote.plain(each.ruby_name) }
        raise Misuse, "which struct? Pass --type: #{names.join(", ")}#{" …" if known.size > 8}"
      end

      def unknown(found)
        known = found.flat_map { |each| [each.idl_name, each.short_name] }.compact.uniq
        raise Misuse, "no struct #{Quote.plain(@type)} in #{Quote.path(@path)}#{Names.hint(@type, known)}"
      end
    end
  end
end
