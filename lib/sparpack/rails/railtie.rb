# frozen_string_literal: true

module Sparpack
  module Rails
    # What Rails does for Sparpack when it boots.
    #
    # @api private
    class Railtie < ::Rails::Railtie
      # Active Model has no hook for its attributes.
      initializer("sparpack.attribute") { Sparpack::Rails.register if defined?(::ActiveModel) }
    end
  end
end
