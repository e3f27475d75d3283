# frozen_string_literal: true

module Sparpack
  module IDL
    # Reads doc comments.
    #
    # @api private
    module Doc
      # @param comment [String] the comment with `/**` and `*/`
      # @return [String] its text, without these marks and without the `*` at the beginning of its lines
      def self.text(comment)
        lines = comment.delete_prefix("/**").delete_suffix("*/").lines(chomp: true).map do |line|
          line.sub(/\A\s*\* ?/, "").rstrip
        end
        lines.shift while lines.first&.strip&.empty?
        lines.pop while lines.last&.empty?
        lines[0] = lines[0].lstrip if lines[0]
        lines.join("\n")
      end
    end
  end
end
