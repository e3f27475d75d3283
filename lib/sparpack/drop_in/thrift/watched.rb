# frozen_string_literal: true

require_relative "methods"

module Sparpack
  module DropIn
    module Thrift
      # The methods of the gem that native code stands in for. Versions of the gem differ, so that those of protocols and
      # transports are found by their names. Messages are not among them: native code reads and writes structs alone.
      #
      # @api private
      module Watched
        # Native code takes the place of these, unless somebody has patched them.
        NATIVE_PROTOCOLS = %i[CompactProtocol BinaryProtocol BinaryProtocolAccelerated MultiplexedProtocol
                              HeaderProtocol].freeze
        NATIVE_TRANSPORTS = %i[MemoryBufferTransport FramedTransport BufferedTransport HTTPClientTransport
                               HeaderTransport].freeze

        # With what they inherit from.
        PROTOCOLS = [:BaseProtocol, :ProtocolDecorator, *NATIVE_PROTOCOLS].freeze
        TRANSPORTS = [:BaseTransport, *NATIVE_TRANSPORTS].freeze

        # How objects are made.
        CONSTRUCTION = %i[initialize struct_initialize exception_initialize fields_with_default_values struct_fields
                          validate class method instance_variable_set].freeze

        STRUCT = %i[read write each_field sorted_field_ids name_to_id read_field write_data write_container is_container?
                    field_info handle_message].concat(CONSTRUCTION).freeze
        UNION = %i[get_set_field get_value].concat(STRUCT).freeze

        # The same for modules of the gem that are neither a protocol nor a transport.
        NAMES = { Struct: STRUCT - %i[struct_initialize struct_fields validate class method instance_variable_set],
                  Struct_Union: STRUCT - %i[read write struct_fields validate class method instance_variable_set],
                  Union: UNION - %i[struct_initialize struct_fields validate class method instance_variable_set],
                  Serializer: %i[serialize], Deserializer: %i[deserialize],
                  Bytes: %i[force_binary_encoding convert_to_utf8_byte_buffer convert_to_string get_string_byte
                            set_string_byte empty_byte_buffer] }.freeze

        # A frame is flushed into memory natively.
        FLUSHED = %i[FramedTransport MemoryBufferTransport].freeze

        # Other methods of these kinds, such as helpers of some version.
        PATTERN = /\A_?(read|write|skip|reset|peek|available|borrow|consume|check|validate)(_|\z|!)|zig_zag|varint|
                   \A(trans|<<)\z/x
        MESSAGE = /message|get_protocol/

        # Methods that every version has. If a patch hides the gem's own method, its name still says which one it was.
        KNOWN = %w[bool byte i16 i32 i64 double string binary uuid struct_begin struct_end field_begin field_end map_begin
                   map_end list_begin list_end set_begin set_end type]
                .flat_map { |part| [:"read_#{part}", :"write_#{part}"] }
                .push(:write_field_stop, :write_field, :skip, :skip_string, :trans, :check_string_size, :read, :write, :<<,
                      :validate_container_size, :read_all, :read_into_buffer, :read_frame, :peek, :available,
                      :reset_buffer, :method_missing).freeze

        private_constant :NAMES, :FLUSHED, :PATTERN, :MESSAGE, :KNOWN

        class << self
          # @return [Array<Module>] the modules of the installed version
          def modules
            @modules ||= (PROTOCOLS + TRANSPORTS + NAMES.keys).filter_map { |name| Methods.constant(::Thrift, name) }.freeze
          end

          # @return [Boolean] whether a module is a protocol or a part of one
          def protocol?(place) = PROTOCOLS.any? { |name| place.equal?(Methods.constant(::Thrift, name)) }

          # @param place [Module] one of {modules}
          # @yieldparam method [UnboundMethod]
          # @yieldreturn [Boolean] whether a method is the gem's own
          # @return [Array<Symbol>] the methods that it has and that native code stands in for
          def names(place)
            given = NAMES.find { |name, _| place.equal?(Methods.constant(::Thrift, name)) }
            return given.last.select { |name| method(place, name) } if given

            known = FLUSHED.any? { |name| place.equal?(Methods.constant(::Thrift, name)) } ? [:flush, *KNOWN] : KNOWN
            all(place).select { |name| known.include?(name) || (helper?(name) && yield(method(place, name))) }
          end

          # @return [Boolean] whether every version has a method of this name
          def known?(name) = KNOWN.include?(name)

          # @return [Boolean] whether a method of this name may be one of them
          def name?(name)
            name == :flush || KNOWN.include?(name) || NAMES.each_value.any? { |names| names.include?(name) } || helper?(name)
          end

          # @return [UnboundMethod, nil] a method of a module; of Bytes, which has functions only, one of the module itself
          def method(place, name) = bytes?(place) ? Methods.of_class(place, name) : Methods.of(place, name)

          private

          def helper?(name) = PATTERN.match?(name) && !MESSAGE.match?(name)

          def bytes?(place) = place.equal?(Methods.constant(::Thrift, :Bytes))

          # Without those of Ruby's own, such as method_missing.
          def all(place)
            (place.ancestors - ::Object.ancestors).flat_map do |each|
              each.instance_methods(false) + each.private_instance_methods(false)
            end.uniq
          end
        end
      end
    end
  end
end
