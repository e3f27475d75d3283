# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack generate`.
    class Generate < Verb
      describe usage: "FILE… --out DIR [options]",
               about: <<~TEXT,
                 Writes Ruby classes for .thrift files and for the files that they include. A folder stands for all .thrift
                 files in it. With --check, nothing is written, and the exit status is 1 if a file is missing or out of date.

                 A file in DIR is left over if it was generated earlier and is no longer generated, because its .thrift file
                 or a definition in it was removed or renamed. Leftover files are reported. --check fails because of them,
                 --clean removes them. Other files are never touched. If several calls write to the same DIR, pass --shared
                 to each.
               TEXT
               example: "sparpack generate idl/listing.thrift --include idl --out lib/gen --rbs"

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        raise Misuse, "which .thrift files?" if arguments.empty?
        raise Misuse, "--out DIR is missing: the folder to write to" if @out.nil? || @out.empty?
        raise Misuse, "--out #{@out}: not a folder" if File.exist?(@out) && !File.directory?(@out)

        raise Misuse, "--no-ruby alone leaves nothing to write: add --rbs or --rbi" if nothing?
        raise Misuse, "--check and --clean cannot be combined" if @check && @clean

        refuse_options_of_other_styles

        files = Sparpack::Generate.files(thrift_files(arguments), **@options) { |text| @errors.puts(fault(text)) }
        @check ? check(files) : write(files)
      rescue ArgumentError => e # two texts for one path
        @errors.puts(CLI.lines(e.message))
        unusable
      end

      private

      def options(parser)
        @options = { include: [] }
        parser.on("-o", "--out DIR", "the folder to write to") { |folder| @out = folder }
        include_option(parser) { |folder| @options[:include] << folder }
        choice(parser, "--layout", Sparpack::Generate::LAYOUTS, "one file per IDL file (the default), one per type,",
               "the files that Zeitwerk expects, or folders by", "namespace (for --style thrift only)") do |layout|
          @options[:layout] = layout
        end
        choice(parser, "--names", IDL::RubyNames::STYLES, "names as in the IDL (the default), or in Ruby's style",
               "(CamelCase, snake_case)") { |names| @options[:names] = names }
        choice(parser, "--style", Sparpack::Generate::STYLES, "classes of Sparpack (the default), of Sparsam as",
               "sparsam-gen writes them, or of the thrift gem as", "thrift --gen rb does") do |style|
          @options[:style] = style
        end
        parser.on("--rbs", "also write RBS signatures") { @options[:rbs] = true }
        parser.on("--rbi", "also write RBI signatures for Sorbet") { @options[:rbi] = true }
        parser.on("--no-ruby", "write signatures only, no classes") { @options[:ruby] = false }
        parser.on("--no-included", "write nothing for files that are only included") { @options[:included] = false }
        parser.on("--check", "write nothing, report what is out of date") { @check = true }
        parser.on("--clean", "remove files that are left over") { @clean = true }
        parser.on("--shared", "other calls write to DIR, too: ignore their files") { @shared = true }
        neg_keys_option(parser) { @options[:allow_neg_keys] = true }
      end

      # Says it in the words of the command.
      def refuse_options_of_other_styles
        style = @options.fetch(:style, :sparpack)
        layouts = Sparpack::Generate::LAYOUTS_OF.fetch(style)
        layout = @options.fetch(:layout, :file)
        wrong = "layout #{layout}" unless layouts.include?(layout)
        raise Misuse, "--#{wrong} is not for --style #{style} (known: #{layouts.join(", ")})" if wrong
        return if style == :sparpack

        wrong = %i[rbs rbi].find { |name| @options[name] }
        wrong ||= "names ruby" if @options[:names] == :ruby
        raise Misuse, "--#{wrong} is not for --style #{style}, which has the names of the IDL and no signatures" if wrong
      end

      def nothing? = @options[:ruby] == false && !@options[:rbs] && !@options[:rbi]

      def check(files)
        stale = Sparpack::Generate.stale(files, @out)
        stale.each { |path| @errors.puts("#{place(path)} is not up to date") }
        leftovers = leftovers(files)
        leftovers.each { |path| @errors.puts("#{place(path)} is no longer generated: --clean removes it") }
        return 1 if stale.any? || leftovers.any?

        @output.puts("#{count(files)} up to date")
        0
      end

      def write(files)
        written = Sparpack::Generate.write(files, @out)
        written.each { |path| @output.puts("wrote #{Quote.path(File.join(@out, path))}") }
        removed = @clean ? Sparpack::Generate.clean(files, @out, shared: @shared) : []
        removed.each { |path| @output.puts("removed #{Quote.path(File.join(@out, path))}") }
        @output.puts("#{count(files)} up to date") if written.empty? && removed.empty?
        leftovers(files).each { |path| @errors.puts("#{place(path)} is no longer generated: --clean removes it") }
        0
      end

      def leftovers(files) = Sparpack::Generate.leftovers(files, @out, shared: @shared)

      def place(path) = @errors.paint(Quote.path(File.join(@out, path)), :bold)

      def count(files) = files.size == 1 ? "1 file is" : "#{files.size} files are"
    end
  end
end
