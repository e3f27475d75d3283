# frozen_string_literal: true

module Sparpack
  # Loads the native libraries, which have to be compiled for this Ruby and for this version of the Ruby files, and the json
  # gem.
  #
  # A precompiled gem has a folder of libraries for each version of Ruby, such as lib/sparpack/3.4. Otherwise `require` finds
  # those that RubyGems or `rake compile` has compiled.
  #
  # @api private
  module Loading
    ROOT   = File.expand_path("../../..", __dir__)
    SOURCE = File.join(ROOT, "ext/sparpack")
    SERIES = RUBY_VERSION[/\A\d+\.\d+/].freeze

    # What to do if the precompiled gem does not fit: RubyGems would load it again if it were not uninstalled.
    COMPILE_HERE = "run `gem uninstall sparpack`, then `gem install sparpack --platform ruby`; with Bundler " \
                   "2.3.18 or newer, write `gem \"sparpack\", force_ruby_platform: true`"
    private_constant :ROOT, :SOURCE, :SERIES, :COMPILE_HERE

    class << self
      # Loads the native part.
      #
      # @return [void]
      # @raise [LoadError] if it is missing, or was compiled for another Ruby or another version
      def run
        load_library("native", "the native part of Sparpack")
        compiled = Native.const_defined?(:VERSION, false) ? Native::VERSION : "another version"
        check("the native part of Sparpack was compiled for #{compiled}", compiled)
        warn_if_stale if File.exist?("#{ROOT}/.git")
      end

      # Tells whether a gem is there, so that what needs it may be loaded before it.
      #
      # @param name [String]
      # @return [Boolean]
      def gem?(name) = Gem.loaded_specs.key?(name) || Gem::Specification.find_all_by_name(name).any?

      # Loads the optional library that compresses.
      #
      # @return [void]
      # @raise [LoadError] as {run}
      def lz4
        load_library("lz4/native", "the library for LZ4")
        compiled = Native::LZ4::VERSION
        check("the library for LZ4 was compiled for Sparpack #{compiled}", compiled)
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

      # @param path [String] the path of the library in lib/sparpack
      # @param name [String] what messages call it
      def load_library(path, name)
        folder = "#{ROOT}/lib/sparpack/#{SERIES}"
        precompiled = File.directory?(folder)
        require(precompiled ? "#{folder}/#{path}" : "sparpack/#{path}")
      rescue LoadError => e
        raise unless e.message.include?("/#{path}")

        details = e.message.lines.first.chomp # on another line, did_you_mean proposes one of our own files
        fail_with("#{name} was compiled for another system or another C library", COMPILE_HERE, details) if precompiled

        series = Dir.children("#{ROOT}/lib/sparpack").grep(/\A\d+\.\d+\z/).sort_by { |text| text.split(".").map(&:to_i) }
        fail_with("#{name} is not compiled for this Ruby", remedy, (details if path == "native")) if series.empty?

        fail_with("#{name} is compiled for Ruby #{series.join(", ")} in this gem, and this is Ruby #{SERIES}", COMPILE_HERE)
      end

      def check(problem, compiled)
        fail_with("#{problem}, and this is #{VERSION}", remedy) unless compiled == VERSION
      end

      def remedy = File.exist?("#{ROOT}/Rakefile") ? "run `rake compile` in #{ROOT}" : "run `gem pristine sparpack`"

      # The error has no cause, because Ruby would show that, too, with its backtrace.
      def fail_with(problem, remedy, details = nil)
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
