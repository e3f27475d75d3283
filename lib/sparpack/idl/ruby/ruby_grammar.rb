# frozen_string_literal: true

module Sparpack
  module IDL
    # Which names Ruby's grammar allows. Every name that becomes Ruby source, or a constant or method at run time, is checked
    # by these rules.
    #
    # @api private
    module RubyGrammar
      # Keywords that look like constants. They work only after a `::`.
      CONSTANT_KEYWORDS = %w[BEGIN END].freeze

      # All keywords, and `defined`, which is one with a `?`. None can be the name of a local variable.
      KEYWORDS = (CONSTANT_KEYWORDS + %w[
        __ENCODING__ __FILE__ __LINE__ alias and begin break case class def defined do else elsif end ensure false for
        if in module next nil not or redo rescue retry return self super then true undef unless until when while yield
      ]).freeze

      # Letters that nobody sees, such as the Hangul fillers, are no part of a name.
      PART     = /[[:alnum:]_&&[^\p{DI}]]/u
      CONSTANT = /\A[[:upper:]]#{PART}*\z/u
      PATH     = /\A(::)?[[:upper:]]#{PART}*(::[[:upper:]]#{PART}*)*\z/u
      MEMBER   = /\A(?![[:digit:]])#{PART}+\z/u

      # The numbered parameters of blocks. Neither variables nor methods that are defined by `def` can have these names.
      NUMBERED = /\A_[1-9]\z/
      LOCAL    = /\A[[:lower:]_]#{PART}*\z/u
      private_constant :PART, :CONSTANT, :PATH, :MEMBER, :NUMBERED, :LOCAL

      module_function

      # @param name [String]
      # @return [Boolean] whether it is a constant after a `::`, or of `const_set`
      def constant?(name) = text?(name) && name.match?(CONSTANT)

      # @param name [String]
      # @return [Boolean] whether a module or a class can be defined with this name
      def module?(name) = constant?(name) && !CONSTANT_KEYWORDS.include?(name)

      # @param path [String] such as `A::B`, or `::A::B` from the top level
      # @return [Boolean] whether it is a path of constants that can be defined
      def path?(path) = text?(path) && path.match?(PATH) && !path.split("::").intersect?(CONSTANT_KEYWORDS)

      # @param name [String]
      # @return [Boolean] whether a field, an argument or a function may have this name
      def member?(name) = text?(name) && name.match?(MEMBER)

      # @param name [String]
      # @return [Boolean] whether it looks like a local variable. It may be a keyword.
      def local?(name) = text?(name) && name.match?(LOCAL) && !numbered?(name)

      # @param name [String]
      # @return [Boolean] whether it is that of a numbered parameter
      def numbered?(name) = name.match?(NUMBERED)

      # @param name [String]
      # @return [Boolean] whether it is a keyword
      def keyword?(name) = KEYWORDS.include?(name)

      # The bytes of a text that is not UTF-8 are no letters.
      def text?(name) = name.ascii_only? || (name.encoding == Encoding::UTF_8 && name.valid_encoding?)
      private_class_method :text?
    end
  end
end
