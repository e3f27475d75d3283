# frozen_string_literal: true

module Sparpack
  module DropIn
    module Verify
      # One call that is verified.
      #
      # @api private
      class Call
        CLASS = ::Kernel.instance_method(:class)
        NAMES = ::Kernel.instance_method(:instance_variables)
        GET = ::Kernel.instance_method(:instance_variable_get)
        SET = ::Kernel.instance_method(:instance_variable_set)
        FROZEN = ::Kernel.instance_method(:frozen?)
        FREEZE = ::Kernel.instance_method(:freeze)
        SINGLETON_METHODS = ::Kernel.instance_method(:singleton_methods)
        ALLOCATE = ::Class.instance_method(:allocate)
        NAME = ::Module.instance_method(:name)
        TO_S = ::Module.instance_method(:to_s)

        # The numbers of exceptions about limits. They may be limits of a protocol or a transport, which native code is not
        # given here.
        LIMITS = { "Thrift::ProtocolException" => [3], "Thrift::TransportException" => [6] }.freeze

        private_constant :CLASS, :NAMES, :GET, :SET, :FROZEN, :FREEZE, :SINGLETON_METHODS, :ALLOCATE, :NAME, :TO_S, :LIMITS

        def initialize(state, operation, object, protocol, rest)
          @state = state
          @library = state.library
          @summary = state.summary
          @operation = operation
          @object = object
          @class = CLASS.bind_call(object)
          @arguments = [protocol, *rest]
          @plain = rest.empty?
        end

        # @return [Object] what the gem returns
        def run
          return gem unless prepared?

          error = nil
          begin
            result = @place.with(@tee) { gem }
          rescue ::StandardError => e
            error = e
          end
          compare(error)
          raise error if error

          result
        end

        private

        def gem = @library.public_send(@operation == :write ? :gem_write : :gem_read, @object, *@arguments)

        # Whatever goes wrong here, the gem must still run.
        def prepared?
          @place = @plain && SINGLETON_METHODS.bind_call(@object).empty? ? Place.find(@arguments.first, @library) : nil
          return skip(:not_compared) unless @place
          return false if left_out?

          @tee = Tee.new(@place.transport, HUGE)
          return true if @operation == :write

          @bytes = @place.rest
          @copy = copy
          true
        rescue ::StandardError => e
          raise if interrupt?(e)

          skip(:not_compared)
        end

        def skip(outcome)
          @summary.count(outcome)
          false
        end

        def left_out?
          reason = @summary.reason(@class, @operation) { @library.left_out(@class, @operation) }
          @summary.left_out(name, reason) if reason
          !reason.nil?
        end

        def compare(error)
          return @summary.count(:not_compared) if uncertain?(error)

          outcome = @operation == :write ? written(error) : read(error)
          outcome.is_a?(::Array) ? report(outcome) : @summary.count(outcome)
        rescue ::StandardError => e
          raise if interrupt?(e)

          @summary.count(:not_compared)
        end

        # Whether an exception says nothing about the object or the bytes.
        def uncertain?(error)
          return true unless @tee.__complete__
          return false unless error

          limits = LIMITS.find { |name, _| ::Object.const_defined?(name) && error.is_a?(::Object.const_get(name)) }&.last
          @tee.__failed__ || interrupt?(error) || limits&.include?(error.type)
        end

        # A timeout may strike anywhere.
        def interrupt?(error) = defined?(::Timeout::Error) && error.is_a?(::Timeout::Error)

        # --- writing ----------------------------------------------------------------------------------------------------

        # @return [Array<Difference>, Symbol] the differences or the outcome
        def written(error)
          bytes = native { @library.encode(@object, @place.wire) }
          return bytes if bytes.is_a?(::Array)
          return :left_to_the_gem if bytes.nil?
          return [difference(name, :raised)] if error
          return :same if bytes.b == @tee.__bytes__

          different_bytes(bytes.b)
        end

        def different_bytes(bytes)
          offset = first_difference(@tee.__bytes__, bytes)
          paths = located(bytes) || []
          paths = [name] if paths.empty?
          paths.map { |path| difference(path, :bytes, offset) }
        end

        # Finds the first byte that differs in halves.
        def first_difference(first, second)
          low = 0
          high = [first.bytesize, second.bytesize].min
          while low < high
            middle = (low + high + 1) / 2
            first.byteslice(0, middle) == second.byteslice(0, middle) ? low = middle : high = middle - 1
          end
          low
        end

        # The gem reads both, to find the fields that differ.
        def located(bytes)
          return if bytes.bytesize > LARGE || !@summary.few?
          return if @library.left_out(@class, :read)

          both = [@tee.__bytes__, bytes].map do |each|
            object = ALLOCATE.bind_call(@class)
            @library.gem_read(object, @place.another(::Thrift::MemoryBufferTransport.new(each.dup)))
            object
          end
          Comparison.new(name, VALUES).run(*both).found.map(&:first).uniq
        rescue ::StandardError => e
          raise if interrupt?(e)
        end

        # --- reading ----------------------------------------------------------------------------------------------------

        # @return [Array<Difference>, Symbol] the differences or the outcome
        def read(error)
          taken = @tee.__bytes__
          @bytes = taken + @place.rest if @bytes.bytesize < taken.bytesize
          last = native { @library.decode(@copy, @bytes, @place.wire, @place.protocol_class) }
          return last if last.is_a?(::Array)
          return :left_to_the_gem if last.nil?
          return [difference(name, :raised)] if error

          found = differences_of_objects(taken.bytesize)
          found.unshift(difference(name, :end, taken.bytesize)) unless last == taken.bytesize
          found.empty? ? :same : found
        end

        def differences_of_objects(size)
          return differences_of_bytes if size > LARGE

          comparison = Comparison.new(name, VALUES).run(@object, @copy)
          @summary.count(:bytes_only) if comparison.cut?
          comparison.found.map { |path, kind| difference(path, kind) }
        end

        # Native code writes both objects again.
        def differences_of_bytes
          @summary.count(:bytes_only)
          gem, copy = [@object, @copy].map { |each| @library.encode(each, @place.wire) }
          gem == copy ? [] : [difference(name, :bytes, first_difference(gem.to_s.b, copy.to_s.b))]
        end

        # @return [Object] an object in the state of the caller's before the call
        def copy
          copy = ALLOCATE.bind_call(@class)
          NAMES.bind_call(@object).each { |name| SET.bind_call(copy, name, GET.bind_call(@object, name)) }
          FROZEN.bind_call(@object) ? FREEZE.bind_call(copy) : copy
        end

        # --- both -------------------------------------------------------------------------------------------------------

        # Native code never raises, unless it is wrong.
        def native
          yield
        rescue ::StandardError => e
          raise if interrupt?(e)

          [difference(name, :error)]
        end

        def name = NAME.bind_call(@class) || TO_S.bind_call(@class)

        def difference(path, kind, offset = nil)
          Difference.new(class_name: name, operation: @operation, protocol: @place.wire, path:, kind:, offset:)
        end

        def report(differences)
          @summary.different(differences)
          block = @state.block or return
          differences.each { |each| tell(block, each) }
        end

        def tell(block, difference)
          block.call(difference)
        rescue ::StandardError, ::ScriptError, ::SystemStackError => e
          return unless @summary.block_error?

          warn "sparpack: the block of Sparpack::DropIn.verify raised #{CLASS.bind_call(e)}, which is ignored"
        end
      end
    end
  end
end
