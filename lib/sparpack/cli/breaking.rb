# frozen_string_literal: true

module Sparpack
  module CLI
    # `sparpack breaking`: what breaks between two versions.
    class Breaking < Verb
      FORMATS = %i[text json github].freeze
      private_constant :FORMATS

      describe usage: ["OLD NEW [--level wire|names|source]", "--rules"],
               about: <<~TEXT,
                 Finds what breaks readers or writers between two versions of an IDL: two files, two folders with all .thrift
                 files in them, or REV:path, these in a git revision.

                 Each level finds what the one before it finds: wire is about Thrift's compact and binary protocols, names
                 (which is the default) also about names in JSON and MessagePack, source also about generated code.

                 A finding is allowed by an annotation (sparpack.compat = "rule") on the thing or around it, or by the file
                 .sparpack.yml here or further up in the repository: docs/breaking.md.

                 The exit status is 0 if there is no error (but perhaps warnings), 1 if there is one, 2 if the versions could
                 not be compared.
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
        choice(parser, "--level", levels, "what may not break (names)") { |level| @level = level }
        choice(parser, "--format", FORMATS, "who reads it (text)") { |format| @format = format }
        include_option(parser) { |folder| @include << folder }
        neg_keys_option(parser) { @allow_neg_keys = true }
        parser.on("--config FILE", "instead of .sparpack.yml") { |path| @config = path }
        parser.on("--rules", "list all rules, and do nothing else") { @rules = true }
      end

      # What cannot be compared is neither good nor bad.
      def unusable = 2

      def compare(arguments)
        raise Misuse, "two versions are needed, OLD and NEW" unless arguments.size == 2

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
