# frozen_string_literal: true

module Sparpack
  module DropIn
    module Verify
      # The protocol that does the work, the name of its wire, and the transport below it.
      #
      # @api private
      class Place
        GET = ::Kernel.instance_method(:instance_variable_get)
        SET = ::Kernel.instance_method(:instance_variable_set)
        CLASS = ::Kernel.instance_method(:class)
        FROZEN = ::Kernel.instance_method(:frozen?)
        SINGLETON_METHODS = ::Kernel.instance_method(:singleton_methods)

        # The protocols by the names of their classes.
        WIRES = { CompactProtocol: :compact, BinaryProtocol: :binary, BinaryProtocolAccelerated: :binary }.freeze

        # Protocols that pass everything on to another.
        WRAPPERS = %i[MultiplexedProtocol HeaderProtocol].freeze

        # How many of them are looked through.
        LEVELS = 8

        # The transports whose bytes can be seen before they are read: the variables of the bytes and of the position.
        BUFFERS = { MemoryBufferTransport: %i[@buf @index], FramedTransport: %i[@rbuf @index],
                    BufferedTransport: %i[@rbuf @index], HTTPClientTransport: %i[@inbuf],
                    HeaderTransport: %i[@read_buffer] }.freeze

        private_constant :GET, :SET, :CLASS, :FROZEN, :SINGLETON_METHODS, :WIRES, :WRAPPERS, :LEVELS, :BUFFERS

        class << self
          # @param protocol [Object] what `read` or `write` was called with
          # @param library [Module] see {Verify.attach}
          # @return [Place, nil] nil if native code does not take the place of this protocol, or not in its present state
          def find(protocol, library)
            LEVELS.times do
              return unless original?(protocol, library)
              return wire(protocol)&.then { |wire| new(protocol, wire) } unless direct(WRAPPERS, protocol)

              protocol = GET.bind_call(protocol, :@protocol)
            end
            nil
          end

          # @param names [Array<Symbol>] of classes of the gem
          # @return [Symbol, nil] the one that an object is a direct instance of
          def direct(names, object)
            klass = CLASS.bind_call(object)
            names.find { |name| ::Thrift.const_defined?(name, false) && ::Thrift.const_get(name, false).equal?(klass) }
          end

          private

          # BasicObjects are never the gem's.
          def original?(protocol, library)
            ::Object === protocol && !library.patched?(CLASS.bind_call(protocol)) && # rubocop:disable Style/CaseEquality
              SINGLETON_METHODS.bind_call(protocol).empty?
          end

          # A frozen protocol cannot be given another transport. One that holds a boolean is in the middle of a field.
          def wire(protocol)
            name = direct(WIRES.keys, protocol)
            return if name.nil? || FROZEN.bind_call(protocol)
            return if %i[@boolean_field @bool_value].any? { |variable| !GET.bind_call(protocol, variable).nil? }
            return if Tee === GET.bind_call(protocol, :@trans) # rubocop:disable Style/CaseEquality

            WIRES.fetch(name)
          end
        end

        # @return [Symbol] `:compact` or `:binary`
        attr_reader :wire

        # @return [Object] the transport
        attr_reader :transport

        def initialize(protocol, wire)
          @protocol = protocol
          @wire = wire
          @transport = GET.bind_call(protocol, :@trans)
        end

        # Puts another transport into the protocol for the time of the block.
        def with(tee)
          SET.bind_call(@protocol, :@trans, tee)
          yield
        ensure
          SET.bind_call(@protocol, :@trans, @transport) if GET.bind_call(@protocol, :@trans).equal?(tee)
        end

        # @return [Class] the class of the protocol
        def protocol_class = CLASS.bind_call(@protocol)

        # @return [Object] a new protocol of the same class
        def another(transport) = protocol_class.new(transport)

        # @return [String] the bytes that the transport holds and that were not read yet, as far as they can be seen
        def rest
          name = ::Object === @transport ? Place.direct(BUFFERS.keys, @transport) : nil # rubocop:disable Style/CaseEquality
          bytes, position = BUFFERS.fetch(name, []).map { |variable| GET.bind_call(@transport, variable) }
          return "".b unless bytes

          return bytes.string.byteslice(bytes.pos, HUGE).to_s.b unless bytes.is_a?(::String)

          bytes.byteslice(position || 0, HUGE).to_s.b
        end
      end
    end
  end
end
