# frozen_string_literal: true

module Sparpack
  module Generate
    class Thrift
      # Finds names in Ruby for fields, arguments and functions whose names in the IDL would break the generated code. Names
      # that break nothing stay as they are, because programs use them already.
      #
      # @api private
      module Spelling
        # Methods of every struct that Ruby, its tools or the thrift gem rely on. The readers of such fields have a `_` at
        # the end.
        READERS = %w[
          __id__ __send__ _dump class clone define_singleton_method dup extend freeze hash initialize initialize_clone
          initialize_copy initialize_dup inspect instance_eval instance_exec instance_variable_get instance_variable_set
          instance_variables loop marshal_dump marshal_load method method_missing methods object_id public_method
          public_send raise remove_instance_variable respond_to_missing send singleton_class singleton_method to_ary
          to_hash to_str differences each_field exception_initialize field_info fields_with_default_values get_set_field
          get_value handle_message inspect_collection inspect_field name_to_id read read_field sorted_field_ids
          struct_fields struct_initialize validate validate_container_size values_of_fields write write_container
          write_data
        ].freeze

        # More such methods of exceptions.
        EXCEPTION_READERS = %w[backtrace backtrace_locations detailed_message exception full_message set_backtrace].freeze

        # Names that are those of methods of Ruby or the gem if a `?` follows.
        PREDICATES = %w[block_given eql equal frozen instance_of instance_variable_defined is_a is_container kind_of nil
                        respond_to respond_to_missing].freeze

        # Ruby, its tools or the gem call these methods of classes with an argument. If a field of a union has such a name,
        # its constructor gets a `_` at the end.
        CONSTRUCTORS = %w[
          __id__ __send__ alias_method append_features attr_accessor attr_reader autoload class_eval class_exec
          class_variable_get class_variable_set clone const_added const_get const_missing const_set
          const_source_location define_method define_singleton_method extend extend_object extended field_accessor
          generate_accessors include included inherited initialize instance_eval instance_exec instance_method
          instance_methods instance_variable_get instance_variable_set instance_variables method method_added
          method_missing method_removed method_undefined methods module_eval module_exec new object_id prepend
          prepend_features prepended private private_class_method private_constant private_instance_methods protected
          public public_class_method public_constant public_instance_method public_instance_methods public_method
          public_send qmark_isset_method raise remove_const remove_instance_variable remove_method respond_to_missing
          send singleton_method singleton_method_added singleton_method_removed singleton_method_undefined undef_method
        ].freeze

        # Methods of classes that take no argument. The constructor takes one, so a class can have both.
        WITHOUT_ARGUMENTS = %w[allocate ancestors class dup freeze hash inspect name singleton_class subclasses superclass
                               to_s].freeze

        # Methods of clients that the gem relies on, and those with which a client could run code in a handler that does not
        # define them. Functions with such names have a `_` at the end, for the handler, too.
        FUNCTIONS = %w[
          __id__ __send__ class define_singleton_method dequeue_pending_seqid handle_exception initialize instance_eval
          instance_exec instance_variable_get instance_variable_set method_missing next_seqid object_id public_send raise
          raise_application_exception receive_message receive_message_begin reply_seqid respond_to_missing send_message
          send_message_args send_oneway_message validate_message_begin write_message
        ].freeze
        private_constant :READERS, :EXCEPTION_READERS, :PREDICATES, :CONSTRUCTORS, :WITHOUT_ARGUMENTS, :FUNCTIONS

        module_function

        # @param fields [Array<IDL::Model::Field>] the fields of a class
        # @param exception [Boolean] whether it is an exception
        # @return [Hash{String => String}] the names of the readers by the names of the fields
        def readers(fields, exception: false)
          spelled(fields) { |name| READERS.include?(name) || (exception && EXCEPTION_READERS.include?(name)) }
        end

        # @param fields [Array<IDL::Model::Field>]
        # @return [Hash{String => String}] the names of the methods with a `?`, without it, by the names of the fields
        def predicates(fields) = spelled(fields) { |name| PREDICATES.include?(name) }

        # @param fields [Array<IDL::Model::Field>] the fields of a union
        # @return [Hash{String => String}] the names of the constructors by the names of the fields
        def constructors(fields) = spelled(fields) { |name| CONSTRUCTORS.include?(name) || IDL::RubyGrammar.numbered?(name) }

        # @param name [String] the name of a constructor
        # @return [Boolean] whether there is a method of the class that takes no argument
        def shared?(name) = WITHOUT_ARGUMENTS.include?(name)

        # @param fields [Array<IDL::Model::Field>] the arguments of a function
        # @return [Hash{String => String}] the names of the local variables by the names of the arguments
        def locals(fields)
          taken = fields.to_h { |field| [field.name, true] }
          fields.to_h do |field|
            name = IDL::RubyGrammar.local?(field.name) ? field.name : "_#{field.name}"
            name = "#{name}_" while IDL::RubyGrammar.keyword?(name) || (name != field.name && taken[name])
            taken[name] = true
            [field.name, name]
          end
        end

        # A function `foo` of a client has the methods `foo`, `send_foo` and `recv_foo`. They differ from those of the
        # functions that its service inherits.
        #
        # This is a depth-first walk from each service to those that extend it. While the walk is below a service, the
        # methods of that service are taken. It is a loop and not a recursion because chains of services may be long.
        #
        # @param services [Array<IDL::Model::Service>]
        # @return [Hash{IDL::Model::Function => String}] the names of the methods of their functions
        def functions(services)
          below = lineage(services).group_by(&:parent).compare_by_identity
          names = {}.compare_by_identity
          taken = FUNCTIONS.to_h { |name| [name, true] }
          pending = below.fetch(nil, []).dup
          until pending.empty?
            following = pending.pop
            next following.each { |method| taken.delete(method) } if following.is_a?(Array)

            pending << own_functions(following.functions, taken, names)
            pending.concat(below.fetch(following, []))
          end
          names
        end

        # The services, and all those that they extend.
        def lineage(services)
          services.each_with_object({}.compare_by_identity) do |service, found|
            until service.nil? || found[service]
              found[service] = true
              service = service.parent
            end
          end.keys
        end
        private_class_method :lineage

        # Returns the methods that are taken below a service.
        def own_functions(functions, taken, names)
          functions.flat_map do |function|
            name = function.name
            name = "#{name}_" while IDL::RubyGrammar.numbered?(name) || methods_of(name).any? { |method| taken[method] }
            names[function] = name
            methods_of(name).each { |method| taken[method] = true }
          end
        end
        private_class_method :own_functions

        def methods_of(name) = [name, "send_#{name}", "recv_#{name}"]
        private_class_method :methods_of

        # Appends a `_` to names for which the block returns true, or more of them if other fields have such names.
        def spelled(fields)
          taken = fields.to_h { |field| [field.name, true] }
          fields.to_h do |field|
            name = field.name
            if yield name
              name = "#{name}_"
              name = "#{name}_" while taken[name] || yield(name)
              taken[name] = true
            end
            [field.name, name]
          end
        end
        private_class_method :spelled
      end
    end
  end
end
