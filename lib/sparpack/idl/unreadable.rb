# frozen_string_literal: true

module Sparpack
  module IDL
    # What is said of a .thrift file that cannot be read: Ruby names one of its own functions, and the real path.
    #
    # @api private
    module Unreadable
      # Who uses such a path meant several files.
      PATTERN = /[*?\[{]/
      private_constant :PATTERN

      module_function

      # @param error [SystemCallError]
      # @param path [String] as it was given
      # @return [SystemCallError] one of the same class that names the path, and says what helps
      def error(error, path)
        path = Source.utf8(path).scrub("?")
        hint = case error
               when Errno::ENOENT then missing(path)
               when Errno::EISDIR then " (a folder: load the files in it, one by one)"
               end
        error.class.new("#{Quote.path(path)}#{hint}")
      end

      # @param error [SystemCallError]
      # @return [String] in the system's words
      def reason(error) = error.class.new.message

      # @param path [String] of a file that is not there
      # @return [String] what is close to it, or why it is not found
      def missing(path)
        return " (a pattern: Dir.glob answers the files that match it)" if path.match?(PATTERN)

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
