# frozen_string_literal: true

module Sparpack
  module DropIn
    module Thrift
      # The two engines that {Verify} compares: the gem's own methods, which have other names since native code took their
      # place, and native code. Neither calls the other.
      #
      # @api private
      module Engines
        # The numbers of the protocols in the native core.
        WIRES = { compact: 0, binary: 1 }.freeze
        private_constant :WIRES

        class << self
          # @return [Boolean] whether there are two. If the drop-in is off, there is only the gem.
          def verifiable? = defined?(Classes) ? true : false

          # Native methods ask {Verify} about each call from now on, or no longer.
          #
          # @return [void]
          def verify_calls(on) = Adopted.verify_thrift(on)

          # @return [Object] what the gem's `write` returns
          def gem_write(object, ...) = gem(object, :sparpack_gem_write).bind_call(object, ...)

          # @return [Object] what the gem's `read` returns
          def gem_read(object, ...) = gem(object, :sparpack_gem_read).bind_call(object, ...)

          # @param wire [Symbol]
          # @return [String, nil] nil if native code leaves the object to the gem
          def encode(object, wire) = Adopted.thrift_encode(object, WIRES.fetch(wire))

          # Fills an object.
          #
          # @param protocol_class [Class]
          # @return [Integer, nil] where it ends; nil if native code leaves the bytes to the gem
          def decode(object, bytes, wire, protocol_class)
            Adopted.thrift_decode(object, bytes, 0, WIRES.fetch(wire), protocol_class)
          end

          # @param place [Module] a protocol
          # @return [Boolean]
          def patched?(place) = Watch.patched?(place)

          # A class is left to the gem if it has a constructor or a `validate` of the user's own, or leads to such a class.
          # These methods would run twice.
          #
          # @return [String, nil] why calls of a class are not verified
          def left_out(klass, _operation)
            return Classes.called(klass) if Classes.prepare(klass)

            Classes.refused[klass] || "native code does not know it"
          end

          private

          def gem(object, name)
            (::Thrift::Union === object ? ::Thrift::Union : ::Thrift::Struct).instance_method(name) # rubocop:disable Style/CaseEquality
          end
        end
      end
    end
  end
end
