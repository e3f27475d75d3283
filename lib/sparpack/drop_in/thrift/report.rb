# frozen_string_literal: true

require_relative "methods"
require_relative "watch"

module Sparpack
  module DropIn
    module Thrift
      # Says what the drop-in does in this process, as it was when the report was made. Making one never raises.
      #
      # @api private
      class Report
        # A part of the report, and the entries of {#to_h} that belong to it.
        PARTS = { "Protocols" => :protocols, "Transports" => :transports, "Other parts of the gem" => :others,
                  "Classes" => :classes }.freeze

        OTHERS = %i[Struct Struct_Union Union Serializer Deserializer].freeze

        private_constant :PARTS, :OTHERS

        # @param classes [Module, nil] what knows the classes in use (Classes); nil if the drop-in is off
        def initialize(classes)
          @gem = careful("unknown") { version }
          @on = !classes.nil?
          native = @on ? careful([]) { classes.places.map(&:to_sym) } : []
          @protocols = places(Watched::NATIVE_PROTOCOLS, native)
          @transports = places(Watched::NATIVE_TRANSPORTS, native)
          @others = places(OTHERS, OTHERS)
          @classes = @on ? careful({}) { names(classes) } : {}.freeze
          @calls = @on ? careful({}) { calls(classes) } : {}.freeze
        end

        # @return [Hash{Symbol => Object}] `:on`, the version of the `:gem`, and for each of `:protocols`, `:transports`,
        #   `:others` and `:classes` by name why it is left to the gem; nil if it is native. `:calls` has by name why native
        #   code calls methods of a class.
        def to_h
          { on: @on, gem: @gem, protocols: @protocols, transports: @transports, others: @others, classes: @classes,
            calls: @calls }
        end

        # @return [String]
        def to_s
          return "Thrift is the gem #{@gem}: #{SWITCH} is off.\n" unless @on

          all = to_h
          parts = PARTS.map { |title, part| part(title, all.fetch(part)) }
          "Thrift #{@gem} runs on Sparpack #{VERSION}.\n#{parts.join}"
        end

        private

        def part(title, entries)
          lines = entries.map do |name, reason|
            "  #{name}: #{reason ? "the gem's own methods (#{reason})" : native(name)}\n"
          end
          lines << "  none in use\n" if lines.empty?
          "#{title}:\n#{lines.join}"
        end

        def native(name) = @calls.key?(name) ? "native, but its methods are called (#{@calls[name]})" : "native"

        # Wherever a user's class could raise.
        def careful(other)
          yield.freeze
        rescue ::StandardError, ::NotImplementedError
          other.freeze
        end

        def version
          spec = ::Gem.loaded_specs["thrift"] if defined?(::Gem)
          spec ? spec.version.to_s : "of #{Watch.folder}"
        end

        def places(names, native)
          return {}.freeze unless @on

          careful({}) do
            found = names.to_h { |name| [name, Methods.constant(::Thrift, name)] }.compact
            found.to_h do |name, place|
              reason = native.include?(name) ? careful("it cannot be looked at") { reason(place) } : "it is not accelerated"
              ["Thrift::#{name}", reason]
            end
          end
        end

        def reason(place)
          patches = Watch.patches_of(place)
          patches = Watch.patches_of(::Thrift::Bytes) if patches.empty? && Watch.patched?(place)
          return if patches.empty?

          "patched: #{patches.map { |name, where| "#{name} (#{where})" }.join(", ")}"
        end

        def names(classes)
          entries = classes.known.map { |klass| [klass, nil] } + classes.refused.to_a
          entries = entries.map { |klass, reason| [Methods.name(klass), reason && text(reason)] }.sort_by(&:first)
          distinct(entries)
        end

        def calls(classes)
          found = classes.known.to_h { |klass| [Methods.name(klass), classes.calls(klass).map { |each| text(each) }] }
          found.reject { |_, reasons| reasons.empty? }.transform_values { |reasons| reasons.join(", ") }
        end

        # A class that was defined anew has the name of the old one.
        def distinct(entries)
          count = ::Hash.new(0)
          entries.to_h do |name, reason|
            number = count[name] += 1
            [number == 1 ? name : "#{name} (#{number})", reason]
          end
        end

        # One line, whatever it is.
        def text(reason) = reason.to_s.scrub.tr("\n", " ")
      end
    end
  end
end
