# frozen_string_literal: true

require "sparpack"
require_relative "switch"
require_relative "verification"

module Sparpack
  module DropIn
    # Makes structs, unions and exceptions of Apache's thrift gem read and write themselves by Sparpack. The classes, the
    # protocols and the transports stay the gem's. Whatever native code does not know is left to the gem's own methods.
    #
    # @api private
    module Thrift
      # If this environment variable is `off`, only the gem is loaded.
      SWITCH = "SPARPACK_THRIFT"

      # The methods that native code takes the place of, by module. The gem's own get the names that native code calls.
      METHODS = { Struct: %i[initialize read write], Union: %i[read write], Serializer: %i[serialize],
                  Deserializer: %i[deserialize], FramedTransport: %i[flush] }.freeze
      private_constant :METHODS

      # Only {Verify} needs them.
      autoload :Engines, File.join(__dir__, "thrift/engines")

      # Stands for the transport below a buffer, does once more what that did when it was asked for bytes, and takes itself
      # away. Until then, other threads may write to it.
      class Again < ::BasicObject
        def initialize(buffer, error, returned)
          @buffer = buffer
          @below = buffer.instance_variable_get(:@transport)
          @error = error
          @returned = returned
          buffer.instance_variable_set(:@transport, self)
        end

        def read(_size)
          remove
          ::Kernel.raise(@error) if @error
          @returned
        end

        def remove
          return unless equal?(@buffer.instance_variable_get(:@transport))

          @buffer.instance_variable_set(:@transport, @below)
        end

        private

        def method_missing(...) = @below.public_send(...)
        def respond_to_missing?(*) = true
      end
      private_constant :Again

      class << self
        # Loads the gem, and puts native methods in place unless the environment says not to.
        #
        # @return [void]
        # @raise [Error] if the environment variable has another value
        # @raise [LoadError] if the gem is not installed
        def install
          on = Switch.on?(SWITCH)
          load_gem
          accelerate if on && !defined?(Classes)
          DropIn.attach { Engines }
        end

        # The drop-in makes the gem faster, so it needs the gem.
        def load_gem
          require "thrift"
        rescue LoadError => e
          raise unless e.path == "thrift"

          raise e.exception("#{e.message} (add the thrift gem to the Gemfile: the drop-in makes it faster)"), cause: nil
        end
        private :load_gem

        # Describes what the drop-in does in this process.
        #
        # @return [Report]
        # @example
        #   require "sparpack/drop_in/thrift"
        #   puts Sparpack::DropIn::Thrift.report
        def report
          require_relative "thrift/report"
          Report.new(defined?(Classes) ? Classes : nil)
        end

        # Tells whether `read` and `write` of the gem take how many levels there may be. Since then, `read` also begins anew
        # with an object that exists.
        #
        # @return [Boolean]
        def depths? = ::Thrift.const_defined?(:DEFAULT_RECURSION_DEPTH)

        # --- what the native core asks for ------------------------------------------------------------------------------

        # Gives a class its plan at its first use.
        #
        # @param klass [Class]
        # @return [Boolean] whether it has one; if not, the gem's methods run
        def prepare(klass) = Classes.prepare(klass)

        # Tells whether a call shall be verified.
        #
        # @return [Boolean]
        def verify? = Verify.choose?

        # @return [Object] what the gem's `read` returns
        def verify_read(object, protocol, *rest) = Verify.read(object, protocol, *rest)

        # @return [Object] what the gem's `write` returns
        def verify_write(object, protocol, *rest) = Verify.write(object, protocol, *rest)

        # The gem's own `serialize` calls `write`, which is verified.
        #
        # @return [String]
        def verify_serialize(serializer, object)
          Verify.choose_next { serializer.send(:sparpack_gem_serialize, object) }
        end

        # The gem's own `deserialize` calls `read`, which is verified.
        #
        # @return [Object]
        def verify_deserialize(deserializer, object, bytes)
          Verify.choose_next { deserializer.send(:sparpack_gem_deserialize, object, bytes) }
        end

        # Lets the gem's own method read an object when the transport below a buffer has given no bytes. The method gets
        # those that came before, and then what the transport raised or returned.
        #
        # @return [Object] what the gem's method returns
        def replay(transport, error, returned, object, arguments)
          again = Again.new(transport, error, returned)
          object.send(:sparpack_gem_read, *arguments)
        ensure
          again&.remove
        end

        # Lets the gem's own method run from the start when a method of the user's has raised an error. If nothing is raised
        # this time, the first error is.
        #
        # @return [void]
        # @raise [Exception]
        def again(error, object, name, arguments)
          object.send(name, *arguments)
          raise(error)
        end

        private

        def accelerate
          %w[classes watch construction validation].each { |file| require_relative "thrift/#{file}" }
          Adopted.serve_thrift(self)
          Watch.install { define_methods }
          Classes.know
        end

        # Methods are replaced in their modules. If they were in a module that is prepended, `super` in somebody's alias
        # would never end. A module that is patched already stays as it is.
        def define_methods
          Adopted.know_gem(::Thrift, depths: depths?)
          METHODS.each do |name, methods|
            place = ::Thrift.const_get(name)
            next if Watch.patched?(place)

            methods.each do |method|
              hide(place, method)
              Adopted.define_thrift_method(place, method)
            end
          end
        end

        def hide(place, method)
          hidden = :"sparpack_gem_#{method}"
          place.alias_method(hidden, method)
          place.send(:private, hidden)
        end
      end
    end

    Thrift.install
  end
end
