# frozen_string_literal: true

require "rails/generators/named_base"
require "generators/sparpack/struct/fields"

module Sparpack
  # The generators that `bin/rails generate` finds. docs/rails_code.md shows them at work.
  #
  # @api private
  module Generators
    # `bin/rails generate sparpack:struct shop/order id:i64!` writes a struct, a union or an exception.
    #
    # @api private
    class StructGenerator < ::Rails::Generators::NamedBase
      include ConstantNames
      extend ConstantNames::Status

      check_unknown_options!
      source_root File.expand_path("templates", __dir__)

      argument :fields, type: :array, default: [], banner: "name:type[!] name:type[!]"

      class_option :union, type: :boolean, default: false, desc: "Write a union, of which one field is set"
      class_option :exception, type: :boolean, default: false, desc: "Write an exception, which can be raised"

      def check
        @fields = Fields.new(fields)
        raise Error, "use --union or --exception, not both" if options[:union] && options[:exception]

        constant_name(name)
        check_place
        check_declaration
      end

      def create_struct
        (@fields.constants - [class_name]).each { |name| mention_missing(name) }
        template "struct.rb", file
      end

      private

      def file = File.join("app/structs", class_path, "#{file_name}.rb")

      def base
        return Union if options[:union]

        options[:exception] ? Exception : Struct
      end

      # Rails would load only the first of two files of this name.
      def check_place
        return if behavior == :revoke || options[:force] || options[:skip_collision_check]

        other = Dir["app/*/#{file_path}.rb", base: destination_root].find { |path| path != file } or return
        raise Error, "#{class_name} is the name of #{other} (choose another one)"
      end

      # Sparpack itself knows what a declaration may say, such as that no field of a union is required.
      def check_declaration
        lines = @fields.lines
        Class.new(base) { lines.each { |line| class_eval(line) } } # of words that were checked
      rescue SchemaError => e
        raise Error, e.message
      end
    end
  end
end
