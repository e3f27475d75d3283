# frozen_string_literal: true

module Sparpack
  module Generate
    # The texts of generated files by path. Names of files are compared without their case if some file systems could take
    # two of them for one.
    #
    # @api private
    class Outputs
      # @param cased [Boolean] whether paths that differ in case alone are different
      # @param remedy [String] what to do if two texts have the same path, besides generating them into different folders
      def initialize(cased:, remedy:)
        @cased = cased
        @remedy = remedy
        @makers = {}
        @files = {}
      end

      # @param path [String]
      # @param maker [IDL::Program, Object] the program or the definition that the text is made of
      # @param text [String]
      # @return [void]
      # @raise [ArgumentError] if another text has the same path
      def add(path, maker, text)
        key = @cased ? path : path.downcase
        refuse(path, @makers[key], maker) if @makers.key?(key)
        @makers[key] = maker
        @files[path] = text
      end

      # @return [Hash{String => String}] the texts by path, in order of the paths
      def to_h = @files.sort.to_h

      private

      def refuse(path, *makers)
        raise ArgumentError, "both #{makers.map { |maker| where(maker) }.join(" and ")} would be written to " \
                             "#{Quote.path(path)}: generate them into different folders, or #{@remedy}"
      end

      def where(maker)
        return Quote.path(maker.path) if maker.is_a?(IDL::Program)

        "#{Quote.plain(maker.name)} of #{Quote.path(maker.program.path)}"
      end
    end
  end
end
