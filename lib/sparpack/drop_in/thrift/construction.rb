# frozen_string_literal: true

require "set"
require_relative "instructions"
require_relative "methods"
require_relative "watch"

module Sparpack
  module DropIn
    module Thrift
      # Tells whether `new` without arguments does nothing but set defaults. Then objects are made without calling Ruby code.
      # A constructor of the user's own is called.
      #
      # The gem gives each object a `dup` of each default. Native code does the same, unless a class of the user's says how
      # its objects are copied.
      #
      # The native part of the gem makes nested structs without calling `new`. Without that part, the gem calls `new`.
      # `allocate` is called by neither.
      #
      # The generator gives an exception whose only field is a string a constructor of its own, which sets the field to nil.
      # This is plain, too, and {sets_nil?} tells it.
      #
      # @api private
      module Construction
        # What `initialize` calls, and who must define it.
        CALLED = { fields_with_default_values: :Struct, class: :Kernel, instance_variable_set: :Kernel }.freeze

        # What the generator writes.
        STRUCT_FIELDS = "def struct_fields; FIELDS; end"

        # The number of a type in FIELDS.
        STRING = 11

        # Where a class has the gem's list of its defaults.
        KNOWN = :@fields_with_default_values

        # What makes a copy of a default.
        COPYING = %i[dup initialize_dup initialize_copy].freeze

        # What the generator writes in such an exception.
        MESSAGE = "def initialize(message=nil)\nsuper()\nself.%s = message\nend"

        private_constant :MESSAGE, :STRING, :CALLED, :STRUCT_FIELDS, :KNOWN, :COPYING

        class << self
          # @param klass [Class] a struct, an exception or a union
          # @return [String, nil] why `new` does more than to set defaults; nil if it does not
          def reason(klass) = constructor(klass) || obstacle(klass)

          # @param klass [Class] a struct, an exception or a union
          # @return [String, nil] why its constructor has to be called; nil if it is the gem's, or as it is generated
          def constructor(klass)
            name = overridden(klass, initializers(klass))
            "#{Methods.name(klass)}##{name} is overridden" if name
          end

          # @param klass [Class] a struct, an exception or a union
          # @return [String, nil] why native code cannot make its objects, even if it calls the constructor
          def obstacle(klass)
            return "#{Methods.name(klass)}.new is overridden" unless plain_new?(klass)
            return if klass <= ::Thrift::Union

            name = overridden(klass, CALLED)
            return "#{Methods.name(klass)}##{name} is overridden" if name
            return "#{Methods.name(klass)}#struct_fields is not a generated one" unless fields?(klass)

            reason_of_defaults(klass)
          end

          # @param klass [Class] a struct, an exception or a union
          # @return [Boolean] whether `struct_fields` is as the generator writes it, and returns the FIELDS of the class
          def fields?(klass)
            method = Methods.of(klass, :struct_fields)
            fields = Methods.constant(klass, :FIELDS)
            return false unless method && fields.instance_of?(::Hash)

            # A method that only names the constant may be called.
            Instructions.same?(method, STRUCT_FIELDS) && fields.equal?(method.bind_call(Methods.allocate(klass)))
          rescue ::StandardError
            false
          end

          # @param klass [Class] a struct, an exception or a union
          # @return [Boolean] whether its constructor sets the only field to nil, as the generator writes it
          def sets_nil?(klass)
            return false unless klass <= ::Exception && fields?(klass)

            field, = fields = Methods.constant(klass, :FIELDS).values
            fields.one? && field[:type] == STRING && field[:default].nil? && message?(klass, field[:name])
          rescue ::StandardError
            false
          end

          private

          def message?(klass, name)
            method = Methods.of(klass, :initialize)
            Watch.original?(Methods.of(klass, :"#{name}=")) && Instructions.same?(method, format(MESSAGE, name)) &&
              original?(method.super_method, :Struct)
          end

          def plain_new?(klass) = Watch.native? || Methods.of_class(klass, :new)&.owner.equal?(::Class)

          def overridden(klass, methods)
            methods.find { |name, origin| !original?(Methods.of(klass, name), origin) }&.first
          end

          # An exception has copies of methods of the gem, so that `raise X, "message"` works.
          def initializers(klass)
            return { initialize: :Union } if klass <= ::Thrift::Union
            return { initialize: :initialize } unless klass <= ::Exception
            return {} if sets_nil?(klass)

            { initialize: :exception_initialize, struct_initialize: :initialize, method: :Kernel }
          end

          # @param origin [Symbol] the owner, or the method of Thrift::Struct that this must be a copy of
          def original?(method, origin)
            case origin
            when :Kernel then method&.owner.equal?(::Kernel)
            when :Struct, :Union then method&.owner.equal?(::Thrift.const_get(origin)) && Watch.original?(method)
            else method ? originals(origin).any? { |original| copy?(method, original) } : false
            end
          end

          # An exception that was defined before the drop-in was loaded has a copy of the gem's own method.
          def originals(name)
            [Methods.of(::Thrift::Struct, name), Methods.of(::Thrift::Struct, :"sparpack_gem_#{name}")].compact
          end

          def copy?(method, original)
            Watch.original?(method) && method.source_location == original.source_location &&
              method.original_name == original.original_name
          end

          def reason_of_defaults(klass)
            fields = Methods.constant(klass, :FIELDS).values
            defaults = fields.to_h { |field| [field[:name], field[:default]] }.compact
            known = klass.instance_variable_get(KNOWN)
            return "its list of defaults differs from FIELDS" unless known.nil? || same?(known, defaults)

            name, = defaults.find { |_, value| !plain?(value) }
            "the default of #{name} has its own way to be copied" if name
          end

          def same?(known, defaults)
            known.instance_of?(::Hash) && known.keys == defaults.keys &&
              known.all? { |name, value| value.equal?(defaults[name]) }
          end

          # A copy of these that native code makes has no instance variables. Other objects are copied by Ruby's own `dup`.
          def plain?(value)
            simple = [::String, ::Array, ::Hash].include?(Methods.class_of(value))
            return false if simple && !variables(value).empty?

            COPYING.all? { |name| own?(Methods.of_object(value, name)&.owner) }
          end

          def variables(value) = ::Kernel.instance_method(:instance_variables).bind_call(value)

          def own?(place) = place && (place.equal?(::Set) || Methods.native?(place))
        end
      end
    end
  end
end
