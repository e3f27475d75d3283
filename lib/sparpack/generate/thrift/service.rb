# frozen_string_literal: true

module Sparpack
  module Generate
    class Thrift
      # Writes the module of a service: its client, its processor, and the classes for the arguments and results of its
      # functions.
      #
      # @api private
      class Service
        # How a client checks a reply changed with versions 0.18 and 0.23 of the gem. Generated clients call the newest
        # method. For older versions, they define it.
        OLD_GEMS = <<~RUBY.lines(chomp: true).freeze
          unless method_defined?(:validate_message_begin)
            # The thrift gem has this method since version 0.23.
            def validate_message_begin(_fname, mtype, rseqid, expected_name)
              return if mtype.nil?

              handle_exception(mtype)
              return if reply_seqid(rseqid)

              raise ::Thrift::ApplicationException.new(::Thrift::ApplicationException::BAD_SEQUENCE_ID,
                                                       "\#{expected_name} failed: out of sequence response")
            end

            # Before version 0.18, receive_message reads this part, too.
            def receive_message_begin; end unless method_defined?(:receive_message_begin)
          end
        RUBY

        # The field of a result that holds what the function returns.
        SUCCESS = "success"
        private_constant :OLD_GEMS, :SUCCESS

        # @param service [IDL::Model::Service]
        # @param names [Hash{IDL::Model::Function => String}] the names of the functions' methods
        def initialize(service, names)
          @service = service
          @names = names
        end

        # @return [Array<String>] its lines
        def lines
          parts = @service.functions.flat_map { |function| [arguments(function), result(function)] }
          body = [in_class("Client", OLD_GEMS, client), in_class("Processor", [], processor), *parts]
          [*Text.comment(@service.doc), "module #{Apache.capitalized(@service.name)}", *Text.indent(Text.separated(body)),
           "end"]
        end

        private

        def in_class(name, first, methods)
          parent = " < #{Apache.constant(@service.parent)}::#{name}" if @service.parent
          body = Text.separated([["include ::Thrift::#{name}"], first, *methods])
          ["class #{name}#{parent}", *Text.indent(body), "end"]
        end

        def in_method(name, arguments, body)
          arguments = arguments.empty? ? "" : "(#{arguments.join(", ")})"
          ["def #{name}#{arguments}", *Text.indent(body), "end"]
        end

        def call(name, arguments) = arguments.empty? ? name : "#{name}(#{arguments.join(", ")})"

        def constant(function, part) = "#{Apache.capitalized(function.name)}_#{part}"

        # --- classes -----------------------------------------------------------------------------------------------------

        def arguments(function) = Record.new("#{function.name}_args", :struct, function.arguments).lines

        def result(function)
          returned = IDL::Model::Field.new(success(function), nil, {}, nil, 0, function.type, :default) if function.type
          Record.new("#{function.name}_result", :struct, [returned, *function.throws].compact).lines
        end

        # An exception of a function may have the name `success`, too.
        def success(function) = Names.success(function.throws.map { |field| field.name.to_sym }).name

        # The readers of a result: that of what the function returns, then those of the exceptions by their fields.
        def readers(function)
          Spelling.readers(function.throws)
        end

        # --- the client --------------------------------------------------------------------------------------------------

        def client
          @service.functions.flat_map do |function|
            methods = [Text.comment(function.doc) + call_method(function), send_method(function)]
            function.oneway ? methods : [*methods, receive_method(function)]
          end
        end

        def locals(function) = Spelling.locals(function.arguments).values

        def call_method(function)
          name = @names.fetch(function)
          body = [call("send_#{name}", locals(function))]
          body << "recv_#{name}()" unless function.oneway
          in_method(name, locals(function), body)
        end

        def send_method(function)
          pairs = Spelling.locals(function.arguments).map { |name, local| "#{name}: #{local}" }
          pairs = ", {#{pairs.join(", ")}}" unless pairs.empty?
          send = function.oneway ? "send_oneway_message" : "send_message"
          in_method("send_#{@names.fetch(function)}", locals(function),
                    ["#{send}(#{function.name.inspect}, #{constant(function, "args")}#{pairs unless pairs.empty?})"])
        end

        def receive_method(function)
          received = "receive_message(#{constant(function, "result")})"
          received = "result = #{received}" if function.type || function.throws.any?
          in_method("recv_#{@names.fetch(function)}", [],
                    ["fname, mtype, rseqid = receive_message_begin",
                     "validate_message_begin(fname, mtype, rseqid, #{function.name.inspect})",
                     received,
                     *outcome(function)])
        end

        def outcome(function)
          returned = "result.#{success(function)}"
          raised = readers(function).values.map { |reader| "raise result.#{reader} unless result.#{reader}.nil?" }
          return [*raised, "nil"] unless function.type

          ["return #{returned} unless #{returned}.nil?", *raised,
           "raise ::Thrift::ApplicationException.new(::Thrift::ApplicationException::MISSING_RESULT, " \
           "#{"#{function.name} failed: unknown result".inspect})"]
        end

        # --- the processor -----------------------------------------------------------------------------------------------

        def processor
          @service.functions.map do |function|
            in_method("process_#{function.name}", %w[seqid iprot oprot], process(function))
          end
        end

        def process(function)
          head = [call("read_args", ["iprot", constant(function, "args")])]
          head[0] = "args = #{head[0]}" unless function.arguments.empty?
          return [*head, handled(function), "nil"] if function.oneway

          [*head, "result = #{constant(function, "result")}.new", *guarded(function),
           "write_result(result, oprot, #{function.name.inspect}, seqid)"]
        end

        def handled(function)
          arguments = Spelling.readers(function.arguments).values.map { |reader| "args.#{reader}" }
          call("@handler.#{@names.fetch(function)}", arguments)
        end

        def guarded(function)
          line = handled(function)
          line = "result.#{success(function)} = #{line}" if function.type
          return [line] if function.throws.empty?

          rescues = function.throws.flat_map do |field|
            ["rescue #{Apache.constant(field.type.target)} => e", "  result.#{field.name} = e"]
          end
          ["begin", "  #{line}", *rescues, "end"]
        end
      end
    end
  end
end
