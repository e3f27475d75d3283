# frozen_string_literal: true

module Sparpack
  module Generate
    # Files in a folder that were generated once and would not be generated any more.
    #
    # @api private
    class Leftovers
      # The header of a generated file ends before this many bytes, unless hundreds of .thrift files share a namespace.
      TOP = 16_384
      private_constant :TOP

      # @param files [Hash{String => String}] texts by path, which are generated now
      # @param folder [String]
      # @param shared [Boolean] whether files that were generated from other .thrift files stay
      def initialize(files, folder, shared: false)
        @files = files
        @folder = folder
        @own = files.values.flat_map { |text| Text.sources(text) || [] }.uniq if shared
      end

      # @return [Array<String>] in the folder, sorted
      def paths
        @paths ||= Dir.glob("**/*.{rb,rbs,rbi}", base: @folder).sort.select { |path| leftover?(path) }
      end

      # @return [Array<String>] what was removed
      # @raise [SystemCallError] if something cannot be removed
      def remove
        paths.each { |path| File.delete(place(path)) }
        paths.each { |path| remove_empty(File.dirname(path)) }
      end

      private

      def place(path) = File.join(@folder, path)

      def leftover?(path)
        return false if @files.key?(path) || !File.lstat(place(path)).file?

        sources = Text.sources(File.binread(place(path), TOP) || "") or return false
        (@own.nil? || (sources - @own).empty?) && !written?(path)
      rescue SystemCallError # it cannot be read, or is gone again: nobody can tell that it is ours
        false
      end

      # A file system that ignores case has one file for two names.
      def written?(path)
        @files.keys.any? do |key|
          key.casecmp?(path) && File.exist?(place(key)) && File.identical?(place(key), place(path))
        end
      end

      # Folders of which the last file was removed, and those around them.
      def remove_empty(path)
        until path == "."
          Dir.rmdir(place(path))
          path = File.dirname(path)
        end
      rescue SystemCallError # it holds something else, or is gone already
        nil
      end
    end
  end
end
