# frozen_string_literal: true

module Sparpack
  module IDL
    # Makes error messages for .thrift files that cannot be read. Ruby's own messages mention an internal function and the
    # real path.
    #
    # @api private
    module Unreadable
      # Paths with these characters were probably meant as patterns for several files.
      PATTERN = /[*?\[{]/

      # A path like this is rather a text.
      TEXT = /\n|\{.*\}\s*\z|\A\s*(namespace|include|struct|enum|typedef|const|union|exception|service)\s/m
      private_constant :PATTERN, :TEXT

      module_function

      # @param error [SystemCallError]
      # @param path [String] the path as it was given
      # @return [SystemCallError] an error of the same class that shows this path and a hint
      def error(error, path)
        path = Source.utf8(path).scrub("?")
        hint = case error
               when Errno::ENOENT then missing(path)
               when Errno::EISDIR then " (this is a folder: load the files in it one by one)"
               end
        error.class.new("#{Quote.path(path)}#{hint}")
      end

      # @param error [SystemCallError]
      # @return [String] the reason, in the words of the operating system
      def reason(error) = error.class.new.message

      # @param path [String] the path of a file that does not exist
      # @return [String] a hint: a similar path, or why the file is not found
      def missing(path)
        return " (this looks like a text, not like a path: to read a text, use IDL.parse)" if path.match?(TEXT)
        return " (this looks like a pattern: Dir.glob returns the files that match it)" if path.match?(PATTERN)

        folder = File.dirname(path)
        return " (there is no folder #{Quote.path(folder)})" unless File.directory?(folder)

        close = Names.closest(File.basename(path), Dir.children(folder).grep(/\.thrift\z/))
        if close
          " (did you mean #{Quote.path(folder == "." ? close : File.join(folder, close)).inspect}?)"
        else
          ""
        end
      rescue SystemCallError, EncodingError
        ""
      end
    end
  end
end
