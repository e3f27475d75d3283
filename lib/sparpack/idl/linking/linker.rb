# frozen_string_literal: true

module Sparpack
  module IDL
    # Resolves the names in parsed programs and checks everything that depends on them. It reports all faults at once.
    #
    # @api private
    class Linker
      IDS   = -32_768..32_767
      ENUM  = Sparpack::Type::RANGES.fetch(:enum)
      NONE  = {}.freeze
      private_constant :IDS, :ENUM, :NONE

      # Something in the IDL that is valid but probably a mistake.
      Warning = ::Struct.new(:source, :offset, :text) do
        # @return [String] `file:line:column: warning: …`
        def message = "#{source.place(offset)}: warning: #{text}".scrub("?")
      end

      # @return [Array<Warning>]
      attr_reader :warnings

      # @param programs [Array<Program>] the programs, and everything that they include
      # @param allow_neg_keys [Boolean] whether to accept field ids of 0 and below
      def initialize(programs, allow_neg_keys: false)
        @programs = programs
        @allow_neg_keys = allow_neg_keys
        @faults = []
        @warnings = []
        @types = TypeLinks.new(self)
        @values = Values.new(self)
      end

      # @return [self]
      # @raise [Error] with all faults of all programs
      def run
        %i[declare link_types link_records link_services link_constants link_values].each do |step|
          @programs.each { |program| send(step, program) }
        end
        check_inheritance
        check_defaults if @faults.empty?
        Error.check(@faults)

        @programs.each { |program| freeze_deep(program) }
        self
      end

      # Adds a fault.
      #
      # @return [nil]
      def fault(program, node, expected, found, offset: node.offset)
        @faults << Fault.new(program.source, offset, expected, found, program.source.word(offset), program.chain)
        nil
      end

      # Adds a fault if a name such as `shared.Point` is ambiguous, because two included files are called `shared` and both
      # declare a `Point`.
      #
      # @return [Boolean] whether the name is unambiguous
      def clear?(program, node, name, offset: node.offset)
        rivals = program.rivals(name)
        return true if rivals.size < 2

        paths = rivals.map { |rival| Quote.path(rival.path) }.join(" and ")
        fault(program, node, "a name that only one included file declares",
              "#{Quote.value(name)}, which is declared in #{paths}", offset:)
        false
      end

      # Makes a hint for a fault, but only if the message will show the fault. Comparing every unknown name with all known
      # ones would take quadratic time.
      #
      # @yieldreturn [String] the hint
      # @return [String] the hint, or an empty String
      def hint = @faults.size < Error::SHOWN ? yield : ""

      # Adds a warning.
      #
      # @return [nil]
      def warn(program, node, text)
        @warnings << Warning.new(program.source, node.offset, text)
        nil
      end

      # @param annotations [Array<AST::Annotation>]
      # @return [Hash{String => String, Array<String>}] their values by name, without the annotation that {RubyNames} reads
      def self.annotations(annotations)
        return NONE if annotations.empty?

        annotations = annotations.reject { |annotation| annotation.name == RubyNames::ANNOTATION }
        annotations.group_by(&:name).transform_values do |found|
          found.size == 1 ? found[0].value : found.map(&:value)
        end.freeze
      end

      private

      # --- definitions -------------------------------------------------------------------------------------------------

      def declare(program)
        check_namespaces(program)
        program.document.definitions.each do |node|
          taken = program.declare(definition(program, node)) or next
          fault(program, node, "a unique name",
                "#{Quote.value(node.name)}, which is already defined at line #{program.source.line(taken.node.offset)}")
        end
      end

      # Apache's compiler ignores `namespace ruby`, so there is a warning about it.
      def check_namespaces(program)
        other = program.namespace_header("ruby") or return
        own = program.namespace_header("rb")
        unless own
          return warn(program, other,
                      "namespace ruby is read as namespace rb: write rb, because other compilers ignore ruby")
        end

        warn(program, other, "namespace ruby is ignored, because there is a namespace rb") unless own.name == other.name
      end

      def definition(program, node)
        check_name_in_ruby(program, node)
        said = [program, node.name, node.doc, Linker.annotations(node.annotations), node]
        case node
        when AST::Typedef then Model::Typedef.new(*said)
        when AST::Enum then Model::Enum.new(*said).tap { |enum| enum.complete(enum_values(program, enum)) }
        when AST::Record then Model::Record.new(*said, node.kind, [])
        when AST::Const then Model::Const.new(*said)
        when AST::Service then Model::Service.new(*said, nil, [])
        end
      end

      # Generated code contains the name as it is, so it has to be valid.
      def check_name_in_ruby(program, node)
        return if node.annotations.empty?

        expected = RubyNames.expected(node) or return
        fault(program, node, "#{expected} for #{RubyNames::ANNOTATION}", RubyNames.given(node).inspect)
      end

      # A value without a number is one more than the value before it.
      def enum_values(program, enum)
        number = -1
        values = enum.node.enum_values.map do |node|
          check_name_in_ruby(program, node)
          number = node.number || (number + 1)
          ENUM.cover?(number) || fault(program, node, "a 32-bit number", Quote.integer(number))
          Model::EnumValue.new(node.name, node.doc, Linker.annotations(node.annotations), node, number, enum).freeze
        end
        unique(program, values, :name) { |value| "#{Quote.value(value.name)}, which is the name of another value" }
        values
      end

      def freeze_deep(program)
        fields = program.records.flat_map(&:fields)
        functions = program.services.flat_map(&:functions)
        fields.concat(functions.flat_map { |function| function.arguments + function.throws })
        [program.freeze, *program.definitions, *functions, *fields].each(&:freeze)
      end

      # Adds a fault for each part that has the same id or name as a part before it.
      def unique(program, parts, what)
        return if parts.size < 2 || parts.uniq(&what).size == parts.size

        parts.group_by(&what).each_value do |same|
          same.drop(1).each { |part| fault(program, part.node, "a unique #{what}", yield(part, same.first)) }
        end
      end

      # --- types -------------------------------------------------------------------------------------------------------

      def link_types(program) = program.typedefs.each { |typedef| @types.typedef(typedef) }

      def type(program, node) = @types.type(program, node)

      # --- structs -----------------------------------------------------------------------------------------------------

      def link_records(program)
        program.records.each do |record|
          record.complete(fields(program, record.node.fields))
          check_union(program, record) if record.kind == :union
        end
      end

      def fields(program, nodes)
        next_id = -1
        fields = nodes.filter_map do |node|
          check_name_in_ruby(program, node)
          id, next_id = id(program, node, next_id)
          type = type(program, node.type) or next
          Model::Field.new(node.name, node.doc, Linker.annotations(node.annotations), node, id, type,
                           node.requiredness || :default, nil, node.id.nil?)
        end
        unique(program, fields, :id) { |field, first| "#{field.id}, which is the id of #{Quote.value(first.name)}" }
        unique(program, fields, :name) { |field| "#{Quote.value(field.name)}, which is the name of another field" }
        fields.freeze
      end

      # A field without an id gets the next one, counting down from -1.
      def id(program, node, next_id)
        return [next_id, next_id - 1] if node.id.nil?

        if node.id < 1 && !@allow_neg_keys
          fault(program, node, "an id from 1 to #{IDS.end} (allow_neg_keys permits lower ids)", node.id.to_s)
        elsif !IDS.cover?(node.id)
          fault(program, node, "an id from #{@allow_neg_keys ? IDS.begin : 1} to #{IDS.end}", node.id.to_s)
        end
        [node.id, node.id < 1 ? node.id - 1 : next_id]
      end

      def check_union(program, union)
        union.fields.select { |field| field.requiredness == :required }.each do |field|
          warn(program, field.node, "fields of a union are optional: \"required\" is ignored")
          field.requiredness = :default
        end
        defaults = union.fields.select { |field| field.node.default }
        defaults.first(1).each { |field| warn(program, field.node, "a default in a union is ignored") }
        defaults.drop(1).each { |field| fault(program, field.node, "at most one default in a union", "another one") }
      end

      # --- services ----------------------------------------------------------------------------------------------------

      def link_services(program)
        program.services.each do |service|
          service.parent = parent(program, service) if service.node.parent
          service.functions = service.node.functions.map { |node| function(program, node) }.freeze
          unique(program, service.functions, :name) do |function|
            "#{Quote.value(function.name)}, which is the name of another function"
          end
        end
      end

      # A service must come after the one that it extends.
      def parent(program, service)
        name = service.node.parent
        return unless clear?(program, service.node, name, offset: service.node.parent_offset)

        found = program.service(name)
        return found if found && (!found.program.equal?(program) || found.node.offset < service.node.offset)

        hint = hint { Names.close(name, program.service_names) } unless found
        fault(program, service.node, "a service to extend",
              "#{Quote.value(name)}, which is #{found ? "defined later in the file" : "not defined"}#{hint}",
              offset: service.node.parent_offset)
      end

      # If files include one another, services can extend one another in a cycle.
      def check_inheritance
        inheritance = Inheritance.new(@programs.flat_map(&:services), &:name)
        inheritance.circular.each do |service|
          node = service.node
          fault(service.program, node, "a service to extend", "#{Quote.value(node.parent)}, which leads to a cycle",
                offset: node.parent_offset)
        end
        inheritance.repeated.each do |found|
          fault(found.service.program, found.function.node, "a unique name",
                "#{Quote.value(found.function.name)}, which is the name of a function of #{Quote.plain(found.owner.name)}")
        end
      end

      def function(program, node)
        check_name_in_ruby(program, node)
        type = type(program, node.type) if node.type
        arguments = fields(program, node.arguments)
        throws = fields(program, node.throws)
        check_oneway(program, node) if node.oneway
        throws.each { |field| check_thrown(program, field) }
        annotations = Linker.annotations(node.annotations)
        Model::Function.new(node.name, node.doc, annotations, node, node.oneway, type, arguments, throws)
      end

      def check_oneway(program, node)
        because = "because #{Quote.plain(node.name)} is oneway"
        fault(program, node.type, "void, #{because}", "a result") if node.type
        fault(program, node.throws.first, "no exceptions, #{because}", "throws") if node.throws.any?
      end

      def check_thrown(program, field)
        target = field.type.target
        return if target.is_a?(Model::Record) && target.kind == :exception

        fault(program, field.node, "an exception", "#{Quote.plain(field.type)}, which is not an exception")
      end

      # --- values ------------------------------------------------------------------------------------------------------

      def link_constants(program)
        program.constants.each { |const| const.type = type(program, const.node.type) }
      end

      def link_values(program)
        program.constants.each { |const| const.value = @values.constant(const) if const.type }
        lists = program.records.reject { |record| record.kind == :union }.map(&:fields)
        lists.concat(program.services.flat_map(&:functions).flat_map { |function| [function.arguments, function.throws] })
        lists.each do |fields|
          fields.each { |field| field.default = @values.default(program, field) if field.node.default }
        end
        program.records.select { |record| record.kind == :union }.flat_map(&:fields).each do |field|
          @values.default(program, field) if field.node.default
        end
      end

      def check_defaults
        order, circles = Defaults.order(@programs.flat_map(&:records))
        circles.uniq.each do |record|
          fault(record.program, record.node, "defaults that do not contain one another",
                "a default that leads back to #{Quote.plain(record.name)}")
        end
        Footprint.new(self).check(@programs, order) if circles.empty?
      end
    end
  end
end
