# frozen_string_literal: true

require "sparpack"

module Sparpack
  module Generators
    # Whoever runs a generator reads its message, and no backtrace.
    Error = ::Rails::Generators::Error

    # The names of classes that somebody passes to a generator.
    #
    # @api private
    module ConstantNames
      # What a generator that was refused something tells the shell.
      module Status
        # @return [Boolean]
        def exit_on_failure? = true
      end

      private

      # @param text [String] such as `shop/order` or `Shop::Order`
      # @return [String] such as `Shop::Order`
      # @raise [Error] if it is not the name of a class
      def constant_name(text)
        name = text.camelize
        return name if name.match?(Advice::CONSTANT)

        raise Error, "#{Quote.value(text)} is not the name of a class (write it as shop/order or Shop::Order)"
      end

      # Classes may be generated in any order, so one that does not exist yet is no error.
      #
      # @param name [String] such as `Shop::Order`
      # @return [void]
      def mention_missing(name)
        return if behavior == :revoke || constant?(name)

        outer = name.deconstantize
        last = name.demodulize
        known = of_files(outer) + of_module(outer)
        return if known.include?(last)

        close = Names.closest(last, known.uniq)
        hint = " (did you mean #{[outer.presence, close].compact.join("::")}?)" if close
        say_status :missing, "there is no #{name} yet#{hint}", :yellow
      end

      # @return [Array<String>] the names of the classes of a module for which there are files
      def of_files(outer)
        files = Dir[File.join("*", outer.underscore, "*.rb"), base: File.join(destination_root, "app")]
        files.map { |file| File.basename(file, ".rb").camelize }
      end

      # @return [Array<String>] the names of those that are defined, or will be by Rails' autoloader
      def of_module(outer)
        found = outer.empty? ? Object : outer.safe_constantize
        found.is_a?(Module) ? found.constants(false).map(&:name) : []
      end

      # A class whose file has a fault is there, too.
      def constant?(name)
        !!name.safe_constantize
      rescue ScriptError, StandardError
        true
      end

      # It may be one if its file has a fault.
      def struct?(name)
        found = name.safe_constantize
        found.is_a?(Mapping) || !!Declared.shape(found)
      rescue ScriptError, StandardError
        true
      end
    end
  end
end
