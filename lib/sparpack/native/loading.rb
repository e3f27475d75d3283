# frozen_string_literal: true

module Sparpack
  # Loads the native part, which has to be compiled for this Ruby and for this version of the Ruby files, and the json gem.
  #
  # @api private
  module Loading
    ROOT = File.expand_path("../../..", __dir__)
    SOURCE = File.join(ROOT, "ext/sparpack")
    private_constant :ROOT, :SOURCE

    class << self
      # @return [void]
      # @raise [LoadError] if the native part is missing, or was compiled for another Ruby or another version
      def run
        require "sparpack/native"
        check_version
        warn_if_stale if File.exist?("#{ROOT}/.git")
      rescue LoadError => e
        raise unless e.message.include?("sparpack/native")

        # On another line, did_you_mean proposes one of our own files.
        fail_with("the native part of Sparpack is not compiled for this Ruby", e.message.lines.first.chomp)
      end

      # Loads the json gem if it is not loaded yet, which only the main Ractor can do. Other Ractors must not even call
      # `require`: since Ruby 3.3, Bundler replaces it by a method that only the main Ractor may call.
      #
      # @return [void]
      # @raise [Error] in another Ractor, if the json gem is not loaded
      def json
        return if defined?(::JSON::State)

        main = ::Ractor.current == ::Ractor.main
        main or raise Error, "the json gem is not loaded, and only the main Ractor can load it: require \"json\" there first"
        Kernel.require "json"
      end

      private

      def check_version
        compiled = Native.const_defined?(:VERSION, false) ? Native::VERSION : "another version"
        return if compiled == VERSION

        fail_with("the native part of Sparpack was compiled for #{compiled}, and this is #{VERSION}")
      end

      # The error has no cause, because Ruby would show that, too, with its backtrace.
      def fail_with(problem, details = nil)
        remedy = File.exist?("#{ROOT}/Rakefile") ? "run `rake compile` in #{ROOT}" : "run `gem pristine sparpack`"
        raise LoadError, "#{problem}: #{remedy}#{" (#{details})" if details}", cause: nil
      end

      # Whoever updates a clone may forget to compile it. bin/test and bin/bench compile it first, and Rake may be about to.
      def warn_if_stale
        return if ENV.key?("SPARPACK_MODE") || File.basename($PROGRAM_NAME) == "rake"

        library = $LOADED_FEATURES.reverse_each.find { |path| path.start_with?("#{ROOT}/lib/sparpack/native.") } or return
        compiled = File.mtime(library)
        return if sources.none? { |path| File.mtime(path) > compiled }

        warn("sparpack: the native part is older than its sources: run `rake compile` in #{ROOT}")
      rescue SystemCallError # a file has gone just now
        nil
      end

      def sources = Dir.glob("**/*.{c,h}pp", base: SOURCE, sort: false).map { |path| "#{SOURCE}/#{path}" }
    end
  end
end
