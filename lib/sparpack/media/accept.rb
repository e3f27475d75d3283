# frozen_string_literal: true

require "strscan"

module Sparpack
  module Media
    # What a client accepts, as RFC 9110, section 12.5.1, writes it.
    #
    # Each pattern takes what it finds and never gives it back, and no place is looked at more than a few times. So reading
    # takes linear time.
    #
    # @api private
    class Accept
      QUOTED    = '"(?:[^"\\\\]|\\\\.|\\\\\z)*+(?:"|\z)' # the end of the header ends it, too
      SEPARATOR = /[ \t,]*+/n
      RANGE     = %r{#{TOKEN}/#{TOKEN}}n
      PARAMETER = /[ \t]*+;[ \t]*+(?:(#{TOKEN})=(#{TOKEN}|#{QUOTED}))?+/mn
      BEFORE    = /[ \t]*+(?:,|\z)/n
      REST      = /(?:#{QUOTED}|[^,"])*+(?:,|\z)/mn
      QUALITY   = /\A(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\z/
      private_constant :QUOTED, :SEPARATOR, :RANGE, :PARAMETER, :BEFORE, :REST, :QUALITY

      # The wires in the order in which a client gets them that accepts anything.
      ANY = [:json, *(TYPES.keys - [:json])].freeze

      # The ranges that may hold our types, from the narrow to the wide.
      RANGES = %w[application/* */*].freeze

      # How much a client wants something, and where it says so.
      Wish = ::Struct.new(:quality, :place) do
        # @return [Boolean] whether it is stronger than another one of the same type or wire
        def above?(other) = other.nil? || quality > other.quality
      end
      private_constant :ANY, :RANGES, :Wish

      # @param bytes [String] the header, in ASCII-8BIT
      def initialize(bytes)
        @scanner = StringScanner.new(bytes)
        @named = {}
        @ranges = {}
        read
      end

      # @return [Symbol, nil]
      def wire
        range = @ranges.values_at(*RANGES).compact.first
        ANY.each_with_index.filter_map do |wire, rank|
          wish = @named[wire] || range
          next if wish.nil? || wish.quality.zero?

          [[-wish.quality, @named.key?(wire) ? 0 : 1, wish.place, rank], wire]
        end.min&.last
      end

      private

      def read
        @scanner.skip(SEPARATOR)
        until @scanner.eos?
          place = @scanner.pos
          type = @scanner.scan(RANGE)
          quality = parameters
          if @scanner.skip(BEFORE)
            note(type.downcase, Wish.new(quality, place)) if type && quality
          else
            @scanner.skip(REST)
          end
          @scanner.skip(SEPARATOR)
        end
      end

      # @return [Integer, nil] the quality in thousandths; nil if it is none
      def parameters
        quality = 1000
        while @scanner.skip(PARAMETER)
          quality = thousandths(@scanner[2]) if @scanner[1]&.casecmp?("q")
        end
        quality
      end

      def thousandths(text) = text.match?(QUALITY) ? (text.to_f * 1000).round : nil

      def note(type, wish)
        if RANGES.include?(type)
          @ranges[type] = wish if wish.above?(@ranges[type])
        elsif (wire = WIRES[type])
          @named[wire] = wish if wish.above?(@named[wire])
        end
      end
    end
  end
end
