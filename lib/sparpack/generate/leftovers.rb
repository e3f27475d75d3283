# frozen_string_literal: true

module Sparpack
  module Generate
    # Finds and removes files in a folder that were generated earlier and would not be generated now.
    #
    # @api private
    class Leftovers
      # How many bytes of a file are searched for the header. Only hundreds of .thrift files that share a namespace make a
      # longer header.
      TOP = 16_384
      private_constant :TOP

      # @param files [Hash{String => String}] the texts that are generated now, by path
      # @param folder [String] the folder to search
      # @param shared [Boolean] whether to keep files that were generated from other .thrift files
      def initialize(files, folder, shared: false)
        @files = files
        @folder = folder
        @own = files.values.flat_map { |text| Text.sources(text) || [] }.uniq if shared
      end

      # @return [Array<String>] the paths of the leftover files, relative to the folder and sorted
      def paths
        @paths ||= Dir.glob("**/*.{rb,rbs,rbi}", base: @folder).sort.select { |path| leftover?(path) }
      end

      # @return [Array<String>] the paths of the removed files
      # @raise [SystemCallError] if a file cannot be removed
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
      rescue SystemCallError # the file cannot be read or no longer exists, so it cannot be recognized
        false
      end

      # On a file system that ignores case, two names can mean the same file.
      def written?(path)
        @files.keys.any? do |key|
          key.casecmp?(path) && File.exist?(place(key)) && File.identical?(place(key), place(path))
        end
      end

      # Removes a folder if its last file was removed, and then the folders around it in the same way.
      def remove_empty(path)
        until path == "."
          Dir.rmdir(place(path))
          path = File.dirname(path)
        end
      rescue SystemCallError # the folder holds other files or no longer exists
        nil
      end
    end
  end
end
