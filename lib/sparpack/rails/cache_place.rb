# frozen_string_literal: true

module Sparpack
  module Rails
    # Says where in a value the part is that no entry can hold.
    #
    # @api private
    module CachePlace
      EXPECTED = "expected a struct, nil, true, false, a number, String, Symbol, Array, Hash, Set, Range, date, time or " \
                 "duration"
      private_constant :EXPECTED

      class << self
        # @param value [Object] what should be written
        # @param error [CacheSerializer::Unsupported, StructNames::Unnamed] what came of it
        # @return [String] such as `[:user][2]: expected …; found User`
        def message(value, error)
          place = steps_to(value, {}.compare_by_identity, sought(error)).to_a.join
          "#{place}#{": " unless place.empty?}#{EXPECTED}; found #{found(error)}"
        end

        private

        # @return [Proc] tells whether a value is the one
        def sought(error)
          return ->(part) { part.equal?(error.value) } unless error.is_a?(StructNames::Unnamed)

          ->(part) { error.unnamed === part } # rubocop:disable Style/CaseEquality
        end

        def found(error)
          return "#{Quote.plain(error.unnamed)}: #{error.message}" if error.is_a?(StructNames::Unnamed)

          hint = " (its attributes can be written, as a Hash)" if error.value.respond_to?(:attributes)
          "#{Quote.plain(error.value.class)}#{hint}"
        end

        # @return [Array<String>, nil] nil if it is not there
        def steps_to(value, seen, sought)
          return [] if sought.call(value)
          return if seen[value]

          seen[value] = true
          parts(value).each do |step, part|
            rest = steps_to(part, seen, sought)
            return [step, *rest] if rest
          end
          nil
        end

        # @return [Array<Array(String, Object)>] what a value holds, and how to get there
        def parts(value)
          case value
          when Array then value.each_with_index.map { |part, index| ["[#{index}]", part] }
          when Set then value.each_with_index.map { |part, index| [".elements[#{index}]", part] }
          when Range then [[".begin", value.begin], [".end", value.end]]
          when Hash
            value.each_with_index.flat_map { |(key, part), i| [[".keys[#{i}]", key], ["[#{Quote.value(key)}]", part]] }
          else []
          end
        end
      end
    end
  end
end
