# frozen_string_literal: true

module Sparpack
  module Convert
    # Says what cannot be converted, and where.
    class Fault < Error
      # The native core keeps at most this many bytes of a key.
      KEY = Native::TRANSCODE_KEY_MAX
      private_constant :KEY

      # @param place [String] the file and, for text, the line and column
      # @param steps [Array<Integer, String>]
      # @param offset [Integer] in bytes from the start
      # @param expected [String]
      # @param found [String]
      # @param hint [String, nil] the options that would convert it
      # @param frame [Integer, nil] where its frame begins
      # @param certain [Boolean] whether the input surely has the format that is read
      def initialize(place, steps, offset, expected, found, hint: nil, frame: nil, certain: false)
        path = Fault.path(steps)
        @place = place
        @certain = certain
        @around = " (byte #{offset}, at #{path})#{", in the frame at byte #{frame}" if frame}"
        message = "#{place}: expected #{expected}, found #{found}#{" (#{hint})" if hint}#{@around}"
        super(message, path:, expected:, found:, offset:)
      end

      # @return [Boolean] whether the input surely has the format that is read
      def certain? = @certain

      # @param reason [String] why the whole input is something else
      # @return [String] the message for such an input. No option would convert it
      def elsewhere(reason) = "#{@place}: expected #{expected}, found #{found}#{@around} (#{reason})"

      # @param steps [Array<Integer, String>]
      # @return [String] such as `$.users[3].name`
      def self.path(steps)
        steps.reduce("$") { |path, step| path + (step.is_a?(Integer) ? "[#{step}]" : step_name(step)) }
      end

      def self.step_name(key)
        text = key.dup.force_encoding(Encoding::UTF_8)
        text = "#{text.scrub("")}…" if key.bytesize == KEY
        text = text.scrub("?")
        text.match?(/\A[[:alpha:]_][[:alnum:]_]*…?\z/) ? ".#{text}" : "[#{Quote.value(text)}]"
      end
      private_class_method :step_name
    end
  end
end
