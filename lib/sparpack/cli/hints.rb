# frozen_string_literal: true

module Sparpack
  module CLI
    # What a user of a shell can do. Guesses and errors of the library say what to call in Ruby.
    #
    # @api private
    module Hints
      # What a message of the library says of bytes in another format: the reason, and what to call in Ruby.
      RUBY = / \(these bytes ((?:(?!: ).)*)(?:: .*)?\)(?=\z|, in the frame at byte)/m

      # Advice that is the same everywhere.
      PLAIN = %i[html http zip].freeze

      # The name of an enum that is not known, as a message of the library has it.
      ENUM = /(?<=, found )a String (of \d+ bytes?) in UTF-8( \((?:did you mean :\w+\?)?(?: ?known: (?::\w+(?:, )?)+)?\))?/
      private_constant :RUBY, :PLAIN, :ENUM

      module_function

      # Finds the option that somebody meant. `ot` may be `out` or `to`, and `output` is `out`.
      #
      # @param given [String] without hyphens
      # @param known [Array<String>]
      # @return [String, nil]
      def option(given, known)
        return if given.empty? || !Quote.short?(given)

        letters = given.chars.sort
        Names.closest(given, known) || known.find { |name| name.chars.sort == letters } || near(given, known) ||
          known.select { |name| given.start_with?(name) }.max_by(&:size)
      end

      # A short name with one letter more or less, which is too little for {Names}.
      def near(given, known)
        return unless defined?(DidYouMean) && given.size.between?(2, 4)

        known.find { |name| (name.size - given.size).abs == 1 && DidYouMean::Levenshtein.distance(given, name) == 1 }
      end
      private_class_method :near

      # @param message [String] of an error about a file
      # @return [String] a hint at a file with a similar name, if the message says that there is no such file
      def similar_file(message)
        path = message[/\ANo such file or directory(?:(?: @ \w+)? -|:) (.+)\z/m, 1]
        return "" if path.nil? || path.end_with?(")") || !Quote.short?(File.basename(path))

        folder = File.dirname(path)
        close = Names.closest(File.basename(path), Dir.children(folder))
        return "" unless close

        " (did you mean #{Quote.value(folder == "." ? close : File.join(folder, close))}?)"
      rescue SystemCallError, EncodingError, ArgumentError # there is no such folder, or no such path
        ""
      end

      # @param guess [Guess]
      # @return [String, nil] the options of `convert` and `inspect` for such bytes
      def options(guess)
        return unless guess.wire

        "--from #{Structs::Stream.name_of(guess.wire)}#{" --frame #{guess.frame}" if guess.frame}"
      end

      # @param guess [Guess]
      # @param file [String] as a shell writes it
      # @return [String] the reason, and what to do
      def told(guess, file)
        return "the input is empty" if guess.format == :empty

        to_do = todo(guess, file)
        to_do ? "#{guess.reason}: #{to_do}" : guess.reason
      end

      # @param guess [Guess] of an input that is not the MessagePack or JSON that `convert` reads without a schema
      # @param file [String] as a shell writes it
      # @return [String] the reason, and what to do
      def without_schema(guess, file)
        options = options(guess)
        return told(guess, file) unless options

        schema = "--schema FILE --type NAME " unless TypedConvert::FREE.include?(Structs::Stream.name_of(guess.wire))
        "#{guess.reason}: pass #{schema}#{options}"
      end

      # Names of options, as messages of the library have them.
      OPTIONS = { /\(use keys: :(\w+)\)/ => "(pass --keys \\1)",
"(allow_neg_keys permits" => "(--allow-neg-keys permits" }.freeze
      private_constant :OPTIONS

      # @param line [String] of a message of the library
      # @return [String] the same with the options of the command
      def with_options(line) = OPTIONS.reduce(line) { |text, (name, option)| text.sub(name, option) }

      # Says the message of a library's error in the words of a shell.
      #
      # @param error [DecodeError]
      # @param guess [Guess, nil] of the input, if it looks like something else
      # @param file [String] as a shell writes it
      # @return [String]
      def translated(error, guess, file)
        message = error.message.sub(RUBY) { guess ? "" : " (these bytes #{::Regexp.last_match(1)})" }
        message = message.sub(ENUM) { "a string #{$1}#{$2&.gsub(/:(\w+)/, '"\1"')}" } # rubocop:disable Style/PerlBackrefs
        if guess
          to_do = options(guess)&.then { |options| "pass #{options}" } || todo(guess, file)
          return "#{message} (#{[guess.reason, to_do].compact.join(": ")})"
        end

        long = error.is_a?(DecodeError::LimitExceeded) && error.found == "a longer message" && !message.end_with?("?)")
        long ? "#{message} (--message-limit allows more)" : message
      end

      def todo(guess, file)
        options = options(guess)
        return "pass #{options} to sparpack inspect or convert" if options

        command = Unwrapping.command(guess)
        return "unwrap them first: cat #{file} | #{command}" if command

        guess.advice if PLAIN.include?(guess.format)
      end
      private_class_method :todo
    end
  end
end
