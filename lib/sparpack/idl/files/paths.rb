# frozen_string_literal: true

require "pathname"

module Sparpack
  module IDL
    # Works on the bytes of paths, because names of files may not be valid text. The results are in UTF-8, valid or not, as
    # the path of a {Source} is.
    #
    # @api private
    module Paths
      module_function

      # @param path [String]
      # @return [String] the shortest form of the path
      def clean(path) = Source.utf8(Pathname.new(Source.utf8(path).b).cleanpath.to_s)

      # @param path [String]
      # @param folder [String] the absolute path of the folder that `path` is relative to, unless it is absolute
      # @return [String] the absolute path
      def full(path, folder = Dir.pwd) = File.absolute_path(Source.utf8(path), Source.utf8(folder))

      # @param path [String] an absolute path
      # @param folder [String] an absolute path
      # @return [String] the path relative to the folder
      def relative(path, folder)
        Source.utf8(Pathname.new(Source.utf8(path).b).relative_path_from(Source.utf8(folder).b).to_s)
      end
    end
  end
end
