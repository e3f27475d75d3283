# frozen_string_literal: true

require "monitor"
require_relative "checks"
require_relative "watched"

module Sparpack
  module DropIn
    module Thrift
      # Gives the classes of Thrift's users their plans.
      #
      # The plan is made at the first use of a class, together with those of all classes that its FIELDS lead to. If one of
      # them cannot have a plan, none of them gets one from this, and the gem's own methods run for the class.
      #
      # A constructor that was overridden and a `validate` that was not generated are called, where the gem calls them.
      #
      # @api private
      module Classes
        # The kinds of scalars by the numbers in FIELDS.
        SCALARS = { 2 => :bool, 3 => :i8, 4 => :double, 6 => :i16, 8 => :i32, 10 => :i64, 16 => :uuid }.freeze
        STRING = 11
        STRUCT = 12
        MAP = 13
        SET = 14
        LIST = 15

        # The protocols and transports of the gem that native code may stand in for.
        PLACES = [*Watched::NATIVE_PROTOCOLS, *Watched::NATIVE_TRANSPORTS].map(&:name).freeze

        # The checks of a class whose own `validate` is called: none, because that method checks.
        UNCHECKED = Checks.new([].freeze, {}.freeze).freeze

        # Why a class is left to the gem.
        class Refused < ::StandardError; end

        # What may be raised if FIELDS are not as they are generated.
        ODD = [::ArgumentError, ::EncodingError, ::FrozenError, ::IndexError, ::NameError, ::RangeError, ::SystemStackError,
               ::TypeError].freeze

        # Threads that use a class for the first time wait for one another.
        LOCK = Monitor.new

        private_constant :UNCHECKED, :SCALARS, :STRING, :STRUCT, :MAP, :SET, :LIST, :PLACES, :Refused, :ODD, :LOCK

        @refused = ObjectSpace::WeakMap.new
        @known = ObjectSpace::WeakMap.new

        class << self
          # Tells the native core which protocols and transports it may stand in for: those that nobody has patched.
          #
          # @return [void]
          def know
            Adopted.know_thrift("StringIO", (::StringIO if defined?(::StringIO)))
            PLACES.each do |name|
              place = ::Thrift.const_get(name) if ::Thrift.const_defined?(name)
              Adopted.know_thrift(name, place && !Watch.patched?(place) ? place : nil, binary_uuids: native_uuids?(place))
            end
          end

          # Gives a class its plan, and all classes that it leads to.
          #
          # @param klass [Class]
          # @return [Boolean] whether it has one; false if this is not the main Ractor
          def prepare(klass)
            return false unless Adopted.main?

            LOCK.synchronize { Adopted.sealed?(klass) || plan(klass) }
          rescue Refused, Sparpack::Error, *ODD => e
            refuse(klass, e.message)
            false
          end

          # Called when a method of a class, or of a module of the gem, has changed.
          #
          # @param place [Module]
          # @return [void]
          def changed(place)
            LOCK.synchronize do
              know
              reconsider(place)
            end
          end

          # @return [Array<Class>] all classes that native code reads and writes
          def known = @known.keys.reject { |klass| @refused.key?(klass) }

          # @return [Array<String>] the protocols and transports that native code can stand in for
          def places = PLACES

          # @return [Hash{Class => String}] the classes that are left to the gem, and why
          def refused = @refused.keys.to_h { |klass| [klass, Adopted.refusal(klass)] }

          # @param klass [Class] one of {known}
          # @return [Array<String>] why methods of the class itself have to be called
          def calls(klass)
            checks = Validation.of(klass)
            [Construction.constructor(klass),
             *("#{Methods.name(klass)}#validate is not a generated one" unless checks)].compact
          end

          # @param klass [Class] one of {known}
          # @return [String, nil] why a method has to be called, of the class or of one that it leads to
          def called(klass) = reach(klass).lazy.flat_map { |each| calls(each) }.first

          private

          # The methods of the gem's C extension read a uuid as ASCII-8BIT, those in Ruby as UTF-8.
          def native_uuids?(place)
            !place.nil? && place.method_defined?(:read_uuid) && place.instance_method(:read_uuid).source_location.nil?
          end

          # The map would forget a reason, because nobody else holds it.
          def refuse(klass, reason)
            Adopted.refuse_thrift(klass, reason)
            @refused[klass] = klass
          rescue ::FrozenError
            nil # It is asked for again each time.
          end

          # A class that has a plan loses it for good, with all that lead to it. One that was refused stays so.
          def reconsider(place)
            known.each { |klass| drop(klass) if reach(klass).any? { |each| each <= place } }
          rescue Refused
            known.each { |klass| drop(klass) }
          end

          # @return [Array<Module>] the modules of the gem that its methods are in
          def bases(klass) = [klass <= ::Thrift::Union ? ::Thrift::Union : ::Thrift::Struct, ::Thrift::Struct_Union]

          def drop(klass)
            Adopted.drop(klass)
            refuse(klass, "it has changed since its first use")
          end

          def plan(klass)
            all = reach(klass)
            checks = all.to_h { |each| [each, check(each)] }
            all.each { |each| adopt(each, checks[each]) unless Adopted.held?(each) }
            Adopted.link(klass)
            finish(all, checks)
            true
          end

          # @param checks [Hash{Class => Checks}] what {check} returned, because finding it again would take most of the time
          def finish(all, checks)
            defaults = all.to_h { |each| [each, defaults(each)] }
            sharing = all.select { |each| defaults[each].each_value.any? { |value| shares?(value) } }
            calls = all.to_h { |each| [each, calls_of(each, checks[each])] }.reject { |_, found| found.values.none? }
            copying = all.select { |each| defaults[each].each_value.any?(::Set) }
            all.each do |each|
              Adopted.runs_ruby(each) if leads_to?(each, copying) # Ruby copies a Set by code of its own before 4.0
              fill(each, defaults[each], sharing)
              call(each, calls)
            end
            all.each { |each| Adopted.accelerate(each) }
          end

          def calls_of(klass, checks)
            { constructs: !Construction.constructor(klass).nil?, validates: checks.equal?(UNCHECKED) }
          end

          # @param calls [Hash{Class => Hash}] what is called
          def call(klass, calls)
            return unless leads_to?(klass, calls.keys)

            Adopted.call_by(klass, **calls.fetch(klass, { constructs: false, validates: false }))
          end

          # @param sharing [Array<Class>] those whose defaults hold what Ractors must not share
          def fill(klass, defaults, sharing)
            Adopted.fill_by(klass, defaults, Thrift.depths?, Construction.sets_nil?(klass), leads_to?(klass, sharing))
            @known[klass] = true
            Watch.watch(klass)
          end

          # Most often there are none, and finding what a class reaches takes time.
          def leads_to?(klass, classes) = !classes.empty? && reach(klass).intersect?(classes)

          def defaults(klass) = klass::FIELDS.values.to_h { |field| [field[:name].to_sym, field[:default]] }.compact

          # Whether a copy of a default holds objects of the default that can change.
          def shares?(value)
            case value
            when ::String then false
            when ::Array, ::Hash then !value.to_a.flatten.all? { |each| ::Ractor.shareable?(each) }
            else !::Ractor.shareable?(value)
            end
          end

          # @return [Checks] UNCHECKED if `validate` has to be called
          def check(klass)
            raise Refused, Adopted.refusal(klass) if @refused.key?(klass)

            base = bases(klass).find { |each| Watch.patched?(each) }
            raise Refused, "#{base} is patched" if base

            overrides = Watch.overrides(klass)
            name, place = overrides.first
            raise Refused, "#{Methods.name(klass)}##{name} is overridden (#{place})" if name

            obstacle = Construction.obstacle(klass)
            raise Refused, obstacle if obstacle

            checks = Validation.of(klass) || UNCHECKED
            name, = defaults(klass).find { |each, value| checks.enums[each]&.include?(value) == false }
            name ? raise(Refused, "the default of #{name} is not one of its enum's") : checks
          end

          # @return [Array<Class>] the class and those that it leads to
          def reach(klass) = Reach.from(klass) { |each| fields(each).each_value.flat_map { |field| classes(field) } }

          def fields(klass)
            raise Refused, "not a class of Thrift's" unless klass.is_a?(::Class) &&
                                                            (klass <= ::Thrift::Struct || klass <= ::Thrift::Union)

            fields = Methods.constant(klass, :FIELDS)
            fields.instance_of?(::Hash) ? fields : raise(Refused, "#{Methods.name(klass)} has no FIELDS")
          end

          def classes(field)
            raise Refused, "FIELDS are not as they are generated" unless field.instance_of?(::Hash)

            case field[:type]
            when STRUCT then [field[:class]]
            when MAP then classes(field[:key]) + classes(field[:value])
            when SET, LIST then classes(field[:element])
            else []
            end
          end

          def adopt(klass, checks)
            rows = fields(klass).sort.map do |id, field|
              name = field[:name].to_sym
              requiredness = checks.required.include?(name) ? :required : :optional
              [id, name, type(field, checks.enums[name]), { requiredness: }]
            end
            Adopted.adopt(klass, shape(klass), rows, manner: :thrift)
          end

          def shape(klass)
            return :union if klass <= ::Thrift::Union

            klass <= ::Exception ? :exception : :struct
          end

          # @param values [Set<Integer>, nil] those that `validate` allows
          def type(field, values = nil)
            number = field[:type]
            case number
            when STRING then field[:binary] == true ? :binary : :string
            when STRUCT then Type.of(-> { field[:class] })
            when MAP then Type.map(type(field[:key]), type(field[:value]))
            when SET then Type.set(type(field[:element]))
            when LIST then Type.list(type(field[:element]))
            else values ? Type.of(enum(values)) : scalar(number)
            end
          end

          def scalar(number)
            kind = SCALARS[number]
            known = kind && (kind != :uuid || ::Thrift::BaseProtocol.method_defined?(:write_uuid))
            known ? kind : raise(Refused, "a field has the type #{number}")
          end

          def enum(values)
            ::Module.new do
              extend Enum

              values.each_with_index { |value, index| const_set(:"SPARPACK_#{index}", value) }
            end
          end
        end
      end
    end
  end
end
