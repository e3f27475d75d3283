# frozen_string_literal: true

require "pathname"
require "yaml"

module Sparpack
  module CLI
    # The settings of a project, from its file `.sparpack.yml`. Each verb has a section.
    class Config
      NAME = ".sparpack.yml"
      SECTIONS = %w[breaking].freeze
      BREAKING = %w[level allow].freeze
      ALLOWED = %w[rule at file].freeze
      private_constant :NAME, :SECTIONS, :BREAKING, :ALLOWED

      # Finds the nearest file, from a folder up to the root of its repository.
      #
      # @param folder [String]
      # @return [Config] an empty one if there is no file
      # @raise [Misuse] if the file is not valid
      def self.find(folder = Dir.pwd)
        above = Pathname.new(File.expand_path(folder)).enum_for(:ascend).to_a
        last = above.index { |place| place.join(".git").exist? } || 0
        found = above.first(last + 1).map { |place| place.join(NAME) }.find(&:file?)
        found ? read(found.to_s) : new({}, folder, NAME)
      end

      # @param path [String]
      # @return [Config]
      # @raise [Misuse] if the file is not valid
      def self.read(path)
        new(YAML.safe_load(File.read(path, encoding: Encoding::UTF_8), filename: path) || {}, File.dirname(path), path)
      rescue Psych::SyntaxError => e
        raise Misuse, "#{Quote.path(path)}:#{e.line}:#{e.column}: #{[e.problem, e.context].compact.join(" ")}"
      rescue Psych::Exception, ArgumentError => e
        raise Misuse, "#{Quote.path(path)}: #{Quote.path(e.message)}"
      end

      # @param content [Object]
      # @param folder [String] where the file is
      # @param path [String] the path that messages show
      def initialize(content, folder, path)
        @folder = folder
        @path = path && Quote.path(path)
        known(content, SECTIONS, nil)
        @breaking = content["breaking"] || {}
        known(@breaking, BREAKING, "breaking")
        @level = @breaking["level"] && one_of(@breaking["level"], IDL::Breaking::Rule::LEVELS, "breaking.level")
        @allow = list(@breaking["allow"] || []).freeze
      end

      # @return [Symbol, nil] the level for `sparpack breaking`
      attr_reader :level

      # @return [Array<IDL::Breaking::Allowance::Entry>] the findings that `sparpack breaking` allows
      attr_reader :allow

      private

      def list(entries)
        fail("breaking.allow", "a list", entries) unless entries.is_a?(Array)

        entries.each_with_index.map do |entry, index|
          where = "breaking.allow[#{index}]"
          entry = { "rule" => entry } if entry.is_a?(String)
          known(entry, ALLOWED, where)
          entry.each { |key, value| fail("#{where}.#{key}", "a string", value) unless value.is_a?(String) }
          rule(entry["rule"], "#{where}.rule")
          IDL::Breaking::Allowance::Entry.new(**entry.transform_keys(&:to_sym), folder: @folder).freeze
        end
      end

      def rule(name, where)
        fail(where, "the name of a rule", name) unless name

        rule = IDL::Breaking::Rule
        raise Misuse, "#{@path}: #{where}: unknown rule #{Quote.value(name)}#{rule.hint(name)}" unless rule.known?(name)
      end

      def one_of(value, known, where)
        found = known.find { |name| name.name == value }
        return found if found

        raise Misuse, "#{@path}: #{where}: unknown value #{Quote.value(value)}#{Names.hint(value, known.map(&:name))}"
      end

      def known(value, names, where)
        fail(where, "a map", value) unless value.is_a?(Hash)

        wrong = (value.keys - names).first or return
        raise Misuse, "#{[@path, where].compact.join(": ")}: unknown key #{Quote.value(wrong)}#{Names.hint(wrong, names)}"
      end

      def fail(where, expected, found)
        raise Misuse, "#{[@path, where].compact.join(": ")}: expected #{expected}, found #{Quote.value(found)}"
      end
    end
  end
end
