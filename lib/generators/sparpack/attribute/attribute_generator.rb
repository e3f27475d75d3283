# frozen_string_literal: true

require "rails/generators/named_base"
require "generators/sparpack/constant_names"

begin
  require "rails/generators/active_record"
rescue LoadError
  nil # the generator says so when it is run
end

module Sparpack
  module Generators
    # `bin/rails generate sparpack:attribute invoice order shop/order` adds an attribute that holds a struct to a model.
    #
    # @api private
    class AttributeGenerator < ::Rails::Generators::NamedBase
      include ConstantNames
      extend ConstantNames::Status
      include ActiveRecord::Generators::Migration if defined?(ActiveRecord::Generators::Migration)

      check_unknown_options!
      source_root File.expand_path("templates", __dir__)

      argument :attribute, type: :string, banner: "attribute"
      argument :struct, type: :string, banner: "struct"

      class_option :json, type: :boolean, default: false, desc: "Store JSON in a column of the type json"
      class_option :jsonb, type: :boolean, default: false, desc: "Store JSON in a column of the type jsonb (PostgreSQL)"
      class_option :database, type: :string, aliases: %w[--db], desc: "The database whose migrations get the new one"

      def check
        raise Error, "there is no Active Record in this application" unless defined?(ActiveRecord::Base)
        unless attribute.match?(/\A[a-z_]\w*\z/)
          raise Error, "#{Quote.value(attribute)} is not the name of an attribute"
        end

        constant_name(struct)
        return if behavior == :revoke

        check_model
        check_attribute
        check_struct
      end

      def create_migration_file
        migration_template "migration.rb", File.join(db_migrate_path, "add_#{attribute}_to_#{table_name}.rb")
      end

      def declare_attribute
        return unless text.match?(declaration) # when it is revoked after the model

        insert_into_file model, lines(text[declaration][/\A[ \t]*/]), after: declaration
        mention_missing(constant_name(struct))
      end

      private

      def model = File.join("app/models", class_path, "#{file_name}.rb")

      def text
        file = File.join(destination_root, model)
        File.file?(file) ? File.read(file, encoding: Encoding::UTF_8) : ""
      end

      # The line with which the class begins, also in a module.
      def declaration = /^[ \t]*class (?:\w+::)*#{Regexp.escape(class_name.demodulize)}\b[^\n;]*\n/

      def check_model
        return if text.match?(declaration)

        fault = text.empty? ? "there is no #{model}" : "#{model} has no line that begins with `class #{class_name}`"
        raise Error, "#{fault} (bin/rails generate model #{name} makes a model)"
      end

      # Of two declarations, the last one counts, which would be the old one.
      def check_attribute
        found = text[/^[ \t]*attribute[ (]:#{attribute}\b.*$/]&.strip
        return if found.nil? || lines("").lines.first.strip == found

        raise Error, "#{model} has the line `#{found}` already (change it, or remove it first)"
      end

      # A class that does not exist yet may become one.
      def check_struct
        name = constant_name(struct)
        return unless constant?(name) && !struct?(name)

        raise Error, "#{name} is no struct, union or exception"
      end

      def lines(margin)
        wire = ", wire: :json" unless column == :binary
        ["attribute :#{attribute}, :sparpack, of: #{constant_name(struct).inspect}#{wire}",
         "validates :#{attribute}, sparpack: true"].map { |line| "#{margin}  #{line}\n" }.join
      end

      def column
        return :jsonb if options[:jsonb]

        options[:json] ? :json : :binary
      end
    end
  end
end
