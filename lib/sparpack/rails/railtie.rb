# frozen_string_literal: true

module Sparpack
  module Rails
    # What happens when an application boots. Each part of Rails gets what is for it when that part is loaded. No part is
    # loaded for this, but the types of Active Model, which has no hook for its attributes.
    class Railtie < ::Rails::Railtie
      config.sparpack = ActiveSupport::OrderedOptions.new
      config.sparpack.idl = []
      config.sparpack.idl_options = {}

      initializer("sparpack.attributes") { Sparpack::Rails.register if defined?(::ActiveModel) }

      initializer "sparpack.requests", before: "action_dispatch.configure" do |app|
        if app.config.respond_to?(:action_dispatch)
          known = app.config.action_dispatch.rescue_responses
          app.config.action_dispatch.rescue_responses = { **Requests.responses, **known }
        end
        ActiveSupport.on_load(:action_dispatch_request) { Requests.register_parser(self) }
        ActiveSupport.on_load(:action_controller) { include Requests }
        ActiveSupport.on_load(:action_controller, run_once: true) { Requests.register_renderer }
      end

      initializer "sparpack.jobs" do
        ActiveSupport.on_load(:active_job) { ActiveJob::Serializers.add_serializers(JobSerializer) }
      end

      # After the initializers of the application, which may say where the files are, and before its classes are loaded.
      config.to_prepare do
        Railtie.prepare_idl
      end

      # @return [void]
      # @raise [ArgumentError] for a misspelt name in `config.sparpack`, which itself takes any
      # @api private
      def self.prepare_idl
        app = ::Rails.application
        Options.check(app.config.sparpack, %i[idl idl_options]) { |*names| " of config.sparpack#{Names.hint(*names)}" }
        return if app.config.sparpack.idl.blank?

        @idl = IdlFiles.of(app) unless @app.equal?(app)
        @app = app
        @idl.prepare
      end
    end
  end
end
