# frozen_string_literal: true

module Sparpack
  module IDL
    # Explains where an existing constant comes from that a file would define, and what to do about it.
    #
    # @api private
    class Taken
      ELSEWHERE = "or load this file into another module (into:)"
      private_constant :ELSEWHERE

      # @param registry [Hash{Array => Definer::Loaded}] the files that were loaded, as {Definer} registers them
      # @param key [Array] the key of the file: its real path, its namespace and the style of its names
      def initialize(registry, key)
        @registry = registry
        @path, @namespace, @style = key
      end

      # @param outer [Module]
      # @param name [String] the name of a constant in it
      # @return [String] the end of a sentence that begins with "is already defined"
      def by(outer, name)
        file = outer.autoload?(name, false)
        return "by an autoload of #{Quote.path(file)}: use it as it is, #{ELSEWHERE}" if file

        value = outer.const_get(name, false)
        loaded(value) || written(outer, name, value)
      end

      private

      # Returns how IDL.load has defined the constant, or nil if something else did.
      def loaded(value)
        path, namespace, style = @registry.find { |_, found| found.constants.each_value.any? { |v| v.equal?(value) } }&.first
        return unless path
        return "by #{Quote.path(path)}: load only one of the two files, #{ELSEWHERE}" unless path == @path
        return "by this file, loaded with names: :#{style}: load it with the same names again, #{ELSEWHERE}" \
          unless style == @style

        "by this file, loaded when its namespace was #{Quote.plain(namespace.join("::"))}: " \
          "restart the program, #{ELSEWHERE}"
      end

      # Returns where generated code, or code written by hand, has defined it.
      def written(outer, name, value)
        file, line = outer.const_source_location(name, false)
        place = " in #{Quote.path(file)}:#{line}" if file
        return "by Ruby code#{place}: use it as it is (generated code needs no IDL.load), #{ELSEWHERE}" if ours?(value)

        "as something else (#{value.class}#{place}): rename one of the two, #{ELSEWHERE}"
      end

      def ours?(value)
        case value
        when Class then [Struct, Union, Exception, Service].any? { |base| value < base }
        else [Enum, Type, Type::Name].any? { |kind| kind === value } # rubocop:disable Style/CaseEquality -- a BasicObject
        end
      end
    end
  end
end
