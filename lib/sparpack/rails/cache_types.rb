# frozen_string_literal: true

require "active_support"
require "active_support/core_ext/string/output_safety"
require "active_support/hash_with_indifferent_access"
require "active_support/time"

module Sparpack
  module Rails
    # The extension types of cache entries: docs/rails.md lists them. Their numbers and their data never change.
    #
    # @api private
    module CacheTypes
      STRUCT = 1

      # The types that the native core reads and writes.
      BUILTIN = { symbol: 2, bigint: 3, bigdecimal: 4, rational: 5, set: 12 }.freeze

      DURATION_PARTS = ActiveSupport::Duration::PARTS
      DAY = 86_400 # seconds

      # The most bits of the parts of a time. The smallest Float has more than 1,000 behind the point.
      BITS = 2_048
      private_constant :DURATION_PARTS, :DAY, :BITS

      class << self
        # Makes a factory.
        #
        # @param refuse [Proc] is called with a value that is of no type here, and raises
        # @return [MessagePack::Factory] not frozen, so that it remembers which type a class has
        def factory(refuse)
          factory = MessagePack::Factory.new
          register_structs(factory)
          BUILTIN.each { |name, type| factory.register_builtin(name, type) }
          register_dates(factory)
          register_times(factory)
          register_others(factory)
          factory.register_type(127, Object, packer: refuse, unpacker: nil)
          factory
        end

        private

        def register_structs(factory)
          types = factory.types.with_entry(Value, STRUCT, proc: ->(klass) { StructNames.of(klass) }, builtin: :named)
                         .with_reader(STRUCT, Value, proc: ->(name) { StructNames.codec(name) }, builtin: :named)
          factory.send(:types=, types)
        end

        def register_dates(factory)
          recursive(factory, 6, Date, ->(date) { [date.jd] }) { |day| check(day) || Date.jd(day) }
          recursive(factory, 7, DateTime, ->(time) { date_time_parts(time) }) { |*parts| date_time(*parts) }
        end

        def date_time_parts(time)
          [time.jd, time.hour, time.min, time.sec + time.sec_fraction, (time.offset * DAY).to_i]
        end

        # An offset of a day or more would only be warned of.
        def date_time(day, hour, minute, second, offset)
          raise ArgumentError, "an offset of #{offset} s" unless offset.is_a?(Integer) && offset.abs < DAY

          check(day, hour, minute, second)
          DateTime.jd(day, hour, minute, second, Rational(offset, DAY))
        end

        # The offset of a Time in UTC is nil.
        def register_times(factory)
          recursive(factory, 8, Time, ->(time) { time_parts(time) }) { |*parts| time(*parts) }
          recursive(factory, 9, ActiveSupport::TimeWithZone, ->(time) { zone_parts(time) }) do |second, fraction, name|
            ActiveSupport::TimeWithZone.new(time(second, fraction, nil), zone(name))
          end
          recursive(factory, 10, ActiveSupport::Duration, ->(span) { duration_parts(span) }) { |*parts| duration(*parts) }
        end

        def time_parts(time) = [time.to_i, time.subsec, time.utc? ? nil : time.utc_offset]

        def zone_parts(time) = [time.utc.to_i, time.utc.subsec, time.time_zone.name]

        def zone(name) = ActiveSupport::TimeZone[name] || raise(ArgumentError, "an unknown time zone")

        def time(second, fraction, offset)
          check(second, fraction, offset || 0)
          Time.at(second, fraction * 1_000_000, in: offset || "UTC")
        end

        def duration_parts(span) = [span.value, span.parts.transform_keys(&:to_s)]

        def duration(value, parts)
          raise ArgumentError, "parts that no duration has" unless [value, *parts.values].all?(Numeric)

          ActiveSupport::Duration.new(value, DURATION_PARTS.to_h { |name| [name, parts[name.to_s]] }.compact)
        end

        def register_others(factory)
          recursive(factory, 11, Range, ->(range) { [range.begin, range.end, range.exclude_end?] }) do |*parts|
            Range.new(*parts)
          end
          recursive(factory, 13, ActiveSupport::HashWithIndifferentAccess, ->(hash) { [hash.to_hash] }) do |hash|
            ActiveSupport::HashWithIndifferentAccess.new(hash)
          end
          recursive(factory, 14, ActiveSupport::SafeBuffer, ->(text) { buffer_parts(text) }) do |text, safe = true|
            ActiveSupport::SafeBuffer.new(text).tap { |buffer| buffer.delete_suffix!("") unless safe } # changes nothing else
          end
        end

        # A buffer that a method such as gsub! has changed is not safe any more.
        def buffer_parts(text) = text.html_safe? ? [text.to_str] : [text.to_str, false]

        # Calculating with other numbers may take long, and with other objects it may do anything.
        def check(*numbers)
          return if numbers.all? { |number| number.is_a?(Integer) ? number.bit_length <= BITS : fraction?(number) }

          raise ArgumentError, "parts that no time has"
        end

        def fraction?(number)
          number.is_a?(Rational) && [number.numerator, number.denominator].all? { |part| part.bit_length <= BITS }
        end

        # Registers a type whose data is an Array of parts.
        def recursive(factory, type, klass, parts)
          factory.register_type(type, klass, packer: ->(value, packer) { packer.write(parts.call(value)) },
                                             unpacker: ->(unpacker) { yield(*unpacker.read) }, recursive: true)
        end
      end
    end
  end
end
