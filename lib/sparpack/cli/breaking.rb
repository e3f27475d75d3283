# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack breaking`: finds what breaks between two versions.
    class Breaking < Verb
      FORMATS = %i[text json github].freeze
      private_constant :FORMATS

      describe usage: ["OLD NEW [--level wire|names|source]", "--rules"],
               about: <<~TEXT,
                 Finds changes between two versions of an IDL that break readers or writers. OLD and NEW are two files, or
                 two folders with all the .thrift files in them. REV:path names a file or folder in a git revision.

                 The levels build on one another. wire finds what breaks Thrift's compact and binary protocols. names, the
                 default, also finds what breaks JSON and MessagePack with names. source also finds what breaks generated
                 code.

                 To allow a finding, put the annotation (sparpack.compat = "rule") on the definition or on one around it, or
                 list it in .sparpack.yml, in the current folder or one above it in the repository. See docs/breaking.md.

                 The exit status is 0 if there are no errors (there may be warnings), 1 if there are errors, and 2 if the
                 versions could not be compared.
               TEXT
               example: <<~TEXT
                 sparpack breaking origin/main:idl idl --format github
                 sparpack breaking v1/listing.thrift listing.thrift --level wire -I idl
               TEXT

      # @param arguments [Array<String>]
      # @return [Integer] the exit status
      def run(arguments)
        return @output.puts(*IDL::Breaking::Report.rules) || 0 if @rules

        breaking = compare(arguments)
        report(breaking).each { |line| @output.puts(line) }
        breaking.errors? ? 1 : 0
      end

      private

      def options(parser)
        @include = []
        @format = :text
        levels = IDL::Breaking::Rule::LEVELS
        choice(parser, "--level", levels, "what must not break (default: names)") { |level| @level = level }
        choice(parser, "--format", FORMATS, "the format of the report (default: text)") { |format| @format = format }
        include_option(parser) { |folder| @include << folder }
        neg_keys_option(parser) { @allow_neg_keys = true }
        parser.on("--config FILE", "read this file instead of .sparpack.yml") { |path| @config = path }
        parser.on("--rules", "list all rules and exit") { @rules = true }
      end

      # If an IDL cannot be read, the versions cannot be compared.
      def unusable = 2

      def compare(arguments)
        raise Misuse, "expected two versions, OLD and NEW" unless arguments.size == 2

        config = @config ? Config.read(@config) : Config.find
        old, new = arguments.map { |name| version(name) }
        raise Misuse, "#{arguments[0]} is #{kind(old)}, but #{arguments[1]} is #{kind(new)}" if old.folder? != new.folder?

        IDL::Breaking.new(old, new, level: @level || config.level || :names, allow: config.allow)
      end

      def version(name)
        IDL::Breaking::Version.at(name, include: @include, allow_neg_keys: @allow_neg_keys)
      rescue ArgumentError => e
        raise Misuse, e.message
      end

      def kind(version) = version.folder? ? "a folder" : "a file"

      def report(breaking)
        return IDL::Breaking::Report.send(@format, breaking) unless @format == :text

        IDL::Breaking::Report.text(breaking) { |text, color| @output.paint(text, color) }
      end
    end
  end
end
