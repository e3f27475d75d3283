# frozen_string_literal: true

require "monitor"

module Sparpack
  module DropIn
    module Sparsam
      # Gives Sparsam's classes their plans.
      #
      # What FIELDS say is noted when `cache_fields` is called, as the gem does it. The plan is made at the first use of the
      # class, together with those of all classes that it leads to.
      #
      # @api private
      module Classes
        # Where a class has what its FIELDS said.
        NOTES = :@sparsam_fields

        # The kinds of scalars by the numbers in FIELDS.
        SCALARS = { 2 => :bool, 3 => :i8, 4 => :double, 6 => :i16, 8 => :i32, 10 => :i64 }.freeze

        # What one entry of FIELDS says.
        Note = ::Struct.new(:id, :name, :type, :optional)

        # Threads that use a class for the first time wait for one another.
        LOCK = Monitor.new

        private_constant :NOTES, :SCALARS, :Note, :LOCK

        class << self
          # Notes what FIELDS say, unless that has been done.
          #
          # @param klass [Class]
          # @return [void]
          # @raise [NameError] if the class itself has no FIELDS
          def note(klass)
            noted(klass) || klass.instance_variable_set(NOTES, notes(klass).freeze)
          end

          # @param klass [Class]
          # @return [Array<Note>] sorted by id
          def notes_of(klass) = noted(klass) || note(klass)

          # Gives a class its plan, and all classes that it leads to.
          #
          # @param klass [Class]
          # @return [void]
          # @raise [Sparsam::Exception] if FIELDS contradict themselves, or if this is not the main Ractor
          def prepare(klass)
            klass.public_send(:<=, ::Sparsam::Union) # raises what the gem raises for anything but a class
            raise ::Sparsam::Exception, "#{klass}: use it in the main Ractor first" unless Adopted.main?

            LOCK.synchronize { plan(klass) }
          rescue Sparpack::Error => e
            raise ::Sparsam::Exception, e.message, cause: nil
          end

          # Called when a method of a class or of a module of Sparsam's has changed.
          #
          # @param klass [Class]
          # @return [void]
          def changed(klass)
            construct(klass) if Adopted.sealed?(klass) && !Construction.plain?(klass)
            klass.subclasses.each { |each| changed(each) }
          end

          # Called when a method of Sparsam's own has changed.
          #
          # @return [void]
          def changed_all = bases.each { |base| changed(base) }

          # @return [Array<Class>] all classes that have a plan
          def known = bases.flat_map { |base| descendants(base) }.select { |klass| Adopted.sealed?(klass) }

          private

          def plan(klass)
            all = reach(klass)
            all.each { |each| adopt(each) unless Adopted.held?(each) }
            all.each { |each| Adopted.construct(each) unless Construction.plain?(each) }
            Adopted.link(klass)
          end

          def bases = [::Sparsam::Struct, ::Sparsam::Union, ::Sparsam::ApplicationException]

          def descendants(klass) = klass.subclasses.flat_map { |each| [each, *descendants(each)] }

          # Constructors run Ruby code. Whatever may lead to this class must know that.
          def construct(klass)
            Adopted.construct(klass)
            known.each { |each| Adopted.runs_ruby(each) }
          end

          def noted(klass) = klass.instance_variable_get(NOTES)

          def notes(klass)
            klass.const_get(:FIELDS, false).map do |id, field|
              Note.new(id, field[:name].to_sym, type(field), field[:optional] ? true : false).freeze
            end.sort_by!(&:id)
          end

          # A copy of a type: its number, and what belongs to it.
          def type(field)
            number = field[:type]
            case number
            when 11 then [number, field[:binary] ? :binary : :string]
            when 12 then [number, field[:class]]
            when 13 then [number, type(field[:key]), type(field[:value])]
            when 14, 15 then [number, type(field[:element])]
            else [number, SCALARS[number]]
            end.freeze
          end

          # @return [Array<Class>] the class and those that it leads to, without those that have a plan
          def reach(klass)
            Reach.from(klass) do |each|
              notes_of(each).flat_map { |note| classes(note.type) } unless Adopted.sealed?(each)
            end
          end

          def classes(type)
            case type[0]
            when 12 then [type[1]]
            when 13 then classes(type[1]) + classes(type[2])
            when 14, 15 then classes(type[1])
            else []
            end
          end

          def adopt(klass)
            union = klass <= ::Sparsam::Union
            defaults = (klass::DEFAULT_VALUES if !union && klass.const_defined?(:DEFAULT_VALUES)) || {}
            rows = notes_of(klass).map do |note|
              requiredness = note.optional || union ? :optional : :required
              [note.id, note.name, native(note), { requiredness:, default: default(defaults, note) }]
            end
            Adopted.adopt(klass, shape(klass), rows, manner: :sparsam)
          end

          def shape(klass)
            return :union if klass <= ::Sparsam::Union

            klass <= ::Exception ? :exception : :struct
          end

          # A default that is not shareable is left to the constructor.
          def default(defaults, note)
            value = defaults[note.name.name]
            value if ::Ractor.shareable?(value)
          end

          def native(note) = native_type(note.type)

          def native_type(type)
            number, first, second = type
            case number
            when 12 then Type.of(-> { first })
            when 13 then Type.map(native_type(first), native_type(second))
            when 14 then Type.set(native_type(first))
            when 15 then Type.list(native_type(first))
            else first || raise(::Sparsam::UnknownTypeException, "Received unknown type with id: #{number}")
            end
          end
        end
      end
    end
  end
end
