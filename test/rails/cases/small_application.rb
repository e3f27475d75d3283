# frozen_string_literal: true

require "fileutils"
require "rails"
require "action_controller/railtie"
require "active_job/railtie"
require "sparpack/rails"
require "tmpdir"

# A small Rails application in a folder of its own.
module SmallApplication
  FOLDER = ENV["SMALL_APPLICATION"] || Dir.mktmpdir("sparpack-rails") # that of another process, or a new one

  module_function

  # @param path [String] of a file in the application
  # @param text [String]
  # @return [void]
  def write(path, text)
    file = File.join(FOLDER, path)
    FileUtils.mkdir_p(File.dirname(file))
    File.write(file, text)
  end

  # Boots the application.
  #
  # @yield in the class of the application
  # @return [Class]
  def boot(environment = "test", &more)
    ENV["RAILS_ENV"] = environment
    FileUtils.mkdir_p(File.join(FOLDER, "config"))
    app = Class.new(Rails::Application) do
      def self.name = "SmallApplication::Application"

      config.root = FOLDER
      config.load_defaults "#{Rails::VERSION::MAJOR}.#{Rails::VERSION::MINOR}"
      config.eager_load = environment == "production"
      config.enable_reloading = environment == "development"
      config.secret_key_base = "x" * 64
      config.consider_all_requests_local = false
      config.action_dispatch.show_exceptions = :all
      config.hosts.clear
      config.logger = Logger.new(nil)
    end
    app.class_eval(&more) if more
    app.initialize!
    app
  end

  # @return [ActionDispatch::Integration::Session]
  def session = ActionDispatch::Integration::Session.new(Rails.application)
end
