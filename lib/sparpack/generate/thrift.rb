# frozen_string_literal: true

require "pathname"

module Sparpack
  module Generate
    # Writes classes for the thrift gem, as `thrift --gen rb` of version 0.25 does, into files of the same names. They can be
    # used with the gem from version 0.14 on.
    #
    # In contrast to Apache's generator, names of fields, arguments and functions never break the code: see {Spelling}. A
    # default may be a struct that follows in the IDL, and constants have the values that the IDL gives.
    #
    # @api private
    class Thrift
      autoload :Record, "sparpack/generate/thrift/record"
      autoload :Service, "sparpack/generate/thrift/service"
      autoload :Spelling, "sparpack/generate/thrift/spelling"

      # @param layout [Symbol] `:file`, or `:namespaced` for a folder per namespace
      # @param programs [Array<IDL::Program>] the .thrift files to generate; each after those that it includes
      def initialize(layout, programs)
        @layout = layout
        @programs = programs
        @outputs = Outputs.new(cased: false, remedy: "use the layout :namespaced (--layout namespaced)")
      end

      # @return [Hash{String => String}] the texts by path
      # @raise [ArgumentError] if two texts would have the same path, if files include one another, or if two names would be
      #   one constant
      def files
        Apache.check_circles(@programs, :thrift)
        Clashes.new(@programs).check
        @programs.each do |program|
          add("#{path(program)}_types.rb", program, types(program))
          add("#{path(program)}_constants.rb", program, constants(program))
          program.services.each { |service| add("#{path_of(service)}.rb", service, service(service)) }
        end
        @outputs.to_h
      end

      private

      def add(path, maker, lines) = @outputs.add(path, maker, "#{lines.join("\n").rstrip}\n")

      # --- paths -------------------------------------------------------------------------------------------------------

      def folder(program)
        return "" unless @layout == :namespaced

        Apache.parts(program).map { |name| "#{underscore(name)}/" }.join
      end

      # Apache's compilers cut every capital off: `HTTPService` becomes `h_t_t_p_service`.
      def underscore(name) = name.sub(/\A[A-Z]/, &:downcase).gsub(/[A-Z]/) { |capital| "_#{capital.downcase}" }

      def path(program) = "#{folder(program)}#{underscore(program.name)}"

      def path_of(service) = "#{folder(service.program)}#{underscore(service.name)}"

      # Files that are not generated now are found on the load path, as with Apache's generator.
      def require_of(from, program, path)
        return "require #{Text.literal(path)}" unless @programs.include?(program)

        relative = Pathname.new(path).relative_path_from(Pathname.new("./#{folder(from)}").cleanpath).to_s
        "require_relative #{Text.literal(relative)}"
      end

      def head(program, requires)
        ["# frozen_string_literal: true", Text.header(program), "", "require \"thrift\"", *requires, ""]
      end

      # --- files -------------------------------------------------------------------------------------------------------

      def types(program)
        requires = program.includes.map { |included| require_of(program, included, "#{path(included)}_types") }
        records = ordered(program.records)
        blocks = program.enums.map { |found| Text.comment(found.doc) + enum(found) } +
                 [program.records.map { |record| "#{Record.head(record.name, record.kind)}; end" }] +
                 records.map { |found| Text.comment(found.doc) + Record.new(found.name, found.kind, found.fields).lines }
        head(program, requires) + Text.comment(program.doc) + Apache.in_modules(program, Text.separated(blocks))
      end

      # A class must be complete before a default that contains it.
      def ordered(records) = IDL::Order.of(records) { |record| IDL::Defaults.structs(record) & records }.first

      def constants(program)
        blocks = program.constants.map do |found|
          Text.comment(found.doc) + ["#{Apache.capitalized(found.name)} = #{Record.value(found.value, found.type)}"]
        end
        requires = [require_of(program, program, "#{path(program)}_types")]
        head(program, requires) + Apache.in_modules(program, Text.separated(blocks))
      end

      def service(service)
        program = service.program
        parent = service.parent
        requires = [require_of(program, program, "#{path(program)}_types")]
        requires.unshift(require_of(program, parent.program, path_of(parent))) if parent
        head(program, requires) + Apache.in_modules(program, Service.new(service, functions).lines)
      end

      # The names of the methods of all functions.
      def functions = @functions ||= Spelling.functions(@programs.flat_map(&:services))

      def enum(found)
        values = found.enum_values
        names = values.to_h { |each| [each.number, "#{each.name[0].upcase}#{each.name[1..]}"] } # the last name of a number
        body = values.flat_map do |each|
          [*Text.comment(each.doc), Apache.assignment(Apache.capitalized(each.name), each.number)]
        end
        body << "VALUE_MAP = {#{names.map { |number, name| "#{number} => #{name.inspect}" }.join(", ")}}"
        body << "VALID_VALUES = ::Set.new([#{values.map { |each| reference(each) }.join(", ")}]).freeze"
        ["module #{Apache.capitalized(found.name)}", *Text.indent(body), "end"]
      end

      def reference(value) = Apache.reference(Apache.capitalized(value.name), value.number)
    end
  end
end
