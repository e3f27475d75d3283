# frozen_string_literal: true

module Sparpack
  module CLI
    # A file that declares structs, as --schema names it: a .thrift file, or a Ruby file.
    class SchemaFile
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

      # Names may be those of Ruby or of the IDL, where a type may have the name of its file in front.
      def named(found)
        parts = @type.split(/\.|::/).reject(&:empty?)
        parts.shift if parts.size == 2 && parts.first == File.basename(@path, ".thrift")
        name = parts.map { |part| Names.constant(part) }.join("::")
        found[name] || found.find { |known, _| known.end_with?("::#{name}") }&.last || unknown(found)
      end

      # Names and classes. The namespace may be the top level, so its constants are not looked at.
      def of_thrift
        names = IDL::RubyNames.new
        program = IDL.link(@path, include: @include, allow_neg_keys: @allow_neg_keys)
        classes = IDL.define(program, names, Object)
        same = program.all.select { |other| names.namespace(other) == names.namespace(program) }
        same.flat_map(&:records).to_h { |record| [names.qualified(record), classes[record]] }.sort.to_h
      end

      def of_ruby
        before = structs
        begin
          require File.expand_path(@path)
        rescue ScriptError, StandardError => e
          raise Misuse, "#{Quote.path(@path)} cannot be loaded: #{e.message.lines.first.to_s.chomp} (#{e.class})"
        end
        (structs - before).select(&:name).sort_by(&:name).to_h { |found| [found.name, found] }
      end

      def structs = ObjectSpace.each_object(Class).select { |found| struct?(found) && Declared.fields(found).any? }
      def struct?(found) = found.is_a?(Class) && !Declared.shape(found).nil?

      def only(found)
        return found.values.first if found.size == 1
        raise Misuse, "#{Quote.path(@path)} declares no struct" if found.empty?

        raise Misuse, "which struct? Pass --type: #{found.keys.first(8).map { |name| Quote.plain(name) }.join(", ")}" \
                      "#{" …" if found.size > 8}"
      end

      def unknown(found)
        raise Misuse, "no struct #{Quote.plain(@type)} in #{Quote.path(@path)}#{Names.hint(@type, short(found))}"
      end

      def short(found) = found.keys.map { |name| name[/[^:]+\z/] }
    end
  end
end
