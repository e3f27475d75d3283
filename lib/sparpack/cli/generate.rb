# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack generate`.
    class Generate < Verb
      describe usage: "FILE… --out DIR [options]",
               about: <<~TEXT,
                 Writes Ruby classes for .thrift files and what they include; a folder stands for all .thrift files in it. With
                 --check it writes nothing and ends with 1 where a file is not as it would be written.

                 Files in DIR that were generated earlier and are not generated any more are reported: their .thrift file, or a
                 definition in it, is gone or has another name. --check ends with 1 because of them, --clean removes them. No
                 other files are touched. If several calls write to one DIR, give each of them --shared.
               TEXT
               example: "sparpack generate idl/listing.thrift --include idl --out lib/gen --rbs"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "which .thrift files?" if arguments.empty?
        raise Misuse, "--out DIR is needed: the folder to write to" if @out.nil? || @out.empty?
        raise Misuse, "--out #{@out}: not a folder" if File.exist?(@out) && !File.directory?(@out)

        raise Misuse, "--no-ruby leaves nothing to write: add --rbs or --rbi" if nothing?
        raise Misuse, "--check changes nothing: leave out --clean" if @check && @clean

        files = Sparpack::Generate.files(thrift_files(arguments), **@options) { |text| @errors.puts(fault(text)) }
        @check ? check(files) : write(files)
      rescue ArgumentError => e # two texts for one path
        @errors.puts(e.message)
        unusable
      end

      private

      def options(parser)
        @options = { include: [] }
        parser.on("-o", "--out DIR", "the folder to write to") { |folder| @out = folder }
        include_option(parser) { |folder| @options[:include] << folder }
        choice(parser, "--layout", Sparpack::Generate::LAYOUTS, "one file for each IDL file (the default), for each",
               "type, or as Zeitwerk expects them") { |layout| @options[:layout] = layout }
        choice(parser, "--names", IDL::RubyNames::STYLES, "names as in the IDL (the default), or as Ruby has them",
               "(CamelCase, snake_case)") { |names| @options[:names] = names }
        parser.on("--rbs", "write RBS signatures, too") { @options[:rbs] = true }
        parser.on("--rbi", "write RBI signatures for Sorbet, too") { @options[:rbi] = true }
        parser.on("--no-ruby", "leave out the classes: write signatures only") { @options[:ruby] = false }
        parser.on("--no-included", "leave out files that are only included") { @options[:included] = false }
        parser.on("--check", "only say what is not up to date") { @check = true }
        parser.on("--clean", "remove files that were generated earlier and are", "not any more") { @clean = true }
        parser.on("--shared", "other calls generate other .thrift files into DIR") { @shared = true }
        neg_keys_option(parser) { @options[:allow_neg_keys] = true }
      end

      def nothing? = @options[:ruby] == false && !@options[:rbs] && !@options[:rbi]

      def check(files)
        stale = Sparpack::Generate.stale(files, @out)
        stale.each { |path| @errors.puts("#{place(path)} is not up to date") }
        leftovers = leftovers(files)
        leftovers.each { |path| @errors.puts("#{place(path)} is not generated any more: --clean removes it") }
        return 1 if stale.any? || leftovers.any?

        @output.puts("#{count(files)} up to date")
        0
      end

      def write(files)
        written = Sparpack::Generate.write(files, @out)
        written.each { |path| @output.puts("wrote #{File.join(@out, path)}") }
        removed = @clean ? Sparpack::Generate.clean(files, @out, shared: @shared) : []
        removed.each { |path| @output.puts("removed #{File.join(@out, path)}") }
        @output.puts("#{count(files)} up to date") if written.empty? && removed.empty?
        leftovers(files).each { |path| @errors.puts("#{place(path)} is not generated any more: --clean removes it") }
        0
      end

      def leftovers(files) = Sparpack::Generate.leftovers(files, @out, shared: @shared)

      def place(path) = @errors.paint(File.join(@out, path), :bold)

      def count(files) = files.size == 1 ? "1 file is" : "#{files.size} files are"
    end
  end
end
