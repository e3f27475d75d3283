# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Gives modules another name, for good: what `name` and `inspect` answer, and what errors and Marshal's dumps say.
    #
    # @api private
    module Naming
      # @param from [String] the name of a module
      # @param to [String] its new one, also for what is in it
      # @return [void]
      def self.rename(from, to)
        ObjectSpace.each_object(Module) do |mod|
          name = Module.instance_method(:name).bind_call(mod)
          Native.message_rename(mod, Object, name.sub(from, to)) if name == from || name&.start_with?("#{from}::")
        end
      end
    end
  end
end
