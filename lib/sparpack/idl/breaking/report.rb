# frozen_string_literal: true

require "json"

module Sparpack
  module IDL
    class Breaking
      # Prints findings: as text, as JSON or for GitHub.
      #
      # @api private
      module Report
        module_function

        # @param breaking [Breaking]
        # @yieldparam text [String]
        # @yieldparam color [Symbol]
        # @yieldreturn [String] the text in the colour
        # @return [Array<String>] one line for each finding, and a last line with their counts
        def text(breaking)
          lines = breaking.findings.map do |found|
            severity = yield("#{found.severity}:", found.error? ? :red : :yellow)
            "#{yield("#{found.place}:", :bold)} #{severity} #{found.explanation}"
          end
          lines << count(breaking)
        end

        # Prints `{"findings": […], "errors": n, "warnings": n, "allowed": n}`. Each finding has the members of {Finding}.
        #
        # @param breaking [Breaking]
        # @return [Array<String>]
        def json(breaking)
          errors, warnings = breaking.findings.partition(&:error?).map(&:size)
          findings = breaking.findings.map { |found| valid(found.to_h) }
          [JSON.pretty_generate(findings:, errors:, warnings:, allowed: breaking.allowed)]
        end

        # Prints workflow commands, which make GitHub show each finding beside its line.
        #
        # @param breaking [Breaking]
        # @return [Array<String>]
        def github(breaking)
          breaking.findings.map do |found|
            properties = { file: found.file, line: found.line, col: found.column, title: found.rule }
            properties = properties.map { |name, value| "#{name}=#{property(value)}" }
            "::#{found.severity} #{properties.join(",")}::#{data(found.message)}"
          end
        end

        # Prints all rules.
        #
        # @return [Array<String>] one line for each rule: its name, level, severity and description
        def rules
          rules = Rule::ALL.values
          widths = %i[name level_name severity].map { |part| rules.map { |rule| rule.send(part).size }.max }
          rules.map do |rule|
            columns = [rule.name, rule.level_name, rule.severity].zip(widths).map { |word, width| word.to_s.ljust(width) }
            "#{columns.join("  ")}  #{rule.about}"
          end
        end

        def count(breaking)
          errors, warnings = breaking.findings.partition(&:error?).map(&:size)
          parts = [many(errors, "error"), many(warnings, "warning")].compact
          parts << "no breaking changes" if parts.empty?
          parts << "#{breaking.allowed} allowed" if breaking.allowed.positive?
          parts.join(", ")
        end

        def many(number, what) = number.zero? ? nil : "#{number} #{what}#{"s" if number > 1}"

        # Names of files may not be valid text.
        def valid(found) = found.merge(found.slice(:file, :at).transform_values { |text| Quote.utf8(text) })

        def data(text) = text.gsub("%", "%25").gsub("\r", "%0D").gsub("\n", "%0A")

        def property(value) = data(Quote.utf8(value.to_s)).gsub(":", "%3A").gsub(",", "%2C")
        private_class_method :count, :many, :valid, :data, :property
      end
    end
  end
end
