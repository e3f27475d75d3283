# frozen_string_literal: true

require "rails/generators/base"

module Sparpack
  module Generators
    # `bin/rails generate sparpack:install` prepares an application for `.thrift` files.
    #
    # @api private
    class InstallGenerator < ::Rails::Generators::Base
      check_unknown_options!
      source_root File.expand_path("templates", __dir__)

      def self.exit_on_failure? = true

      def create_initializer = template("initializer.rb", "config/initializers/sparpack.rb")

      def create_folder = create_file("idl/.keep")

      def create_tasks = template("sparpack.rake", "lib/tasks/sparpack.rake")
    end
  end
end
