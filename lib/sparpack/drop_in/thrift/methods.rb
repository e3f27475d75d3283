# frozen_string_literal: true

module Sparpack
  module DropIn
    module Thrift
      # Looks up methods and constants. A class of the user's may override `instance_method`, `const_get` or `name`, so these
      # are called as Module defines them.
      #
      # @api private
      module Methods
        INSTANCE_METHOD = ::Module.instance_method(:instance_method)
        CONST_GET = ::Module.instance_method(:const_get)
        CONST_DEFINED = ::Module.instance_method(:const_defined?)
        NAME = ::Module.instance_method(:name)
        TO_S = ::Module.instance_method(:to_s)
        ALLOCATE = ::Class.instance_method(:allocate)
        METHOD = ::Kernel.instance_method(:method)
        CLASS = ::Kernel.instance_method(:class)
        SINGLETON_CLASS = ::Kernel.instance_method(:singleton_class)

        private_constant :INSTANCE_METHOD, :CONST_GET, :CONST_DEFINED, :NAME, :TO_S, :ALLOCATE, :METHOD, :CLASS,
                         :SINGLETON_CLASS

        class << self
          # @return [UnboundMethod, nil] the method that an instance runs
          def of(klass, name)
            INSTANCE_METHOD.bind_call(klass, name)
          rescue ::NameError
            nil
          end

          # @return [UnboundMethod, nil] the method that the class itself runs
          def of_class(klass, name) = of(singleton_class(klass), name)

          # @return [Method, nil] the method that an object runs
          def of_object(object, name)
            METHOD.bind_call(object, name)
          rescue ::NameError
            nil
          end

          # @return [Class]
          def class_of(object) = CLASS.bind_call(object)

          # @return [Class] the class of a module itself
          def singleton_class(place) = SINGLETON_CLASS.bind_call(place)

          # @return [Object] an object whose `initialize` has not run
          def allocate(klass) = ALLOCATE.bind_call(klass)

          # @return [Object, nil] nil if there is no such constant
          def constant(place, name)
            CONST_GET.bind_call(place, name)
          rescue ::NameError
            nil
          end

          # @return [Boolean] whether a module has this constant itself
          def constant?(place, name) = CONST_DEFINED.bind_call(place, name, false)

          # @return [Boolean] whether a module is defined by Ruby itself or by a native library
          def native?(place)
            name = NAME.bind_call(place)
            name ? ::Object.const_source_location(name).to_a.empty? : false
          rescue ::NameError
            false
          end

          # @return [String] the name of a module, as the program has it
          def name(place) = NAME.bind_call(place) || TO_S.bind_call(place)

          # @param method [UnboundMethod]
          # @return [String] the file and line where a method is, or that it is native
          def place(method) = method.source_location&.join(":") || "native code"
        end
      end
    end
  end
end
