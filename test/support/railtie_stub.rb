# frozen_string_literal: true

# Stands for Rails where files that need it are only loaded.
module Rails
  class Railtie
    class << self
      def config = self

      private

      def method_missing(*) = self
      def respond_to_missing?(*) = true
    end
  end
end
