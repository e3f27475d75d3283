# frozen_string_literal: true

module Sparpack
  module MessagePack
    # Renames modules for good. `name` and `inspect`, errors and dumps of Marshal show the new name.
    #
    # @api private
    module Naming
      # Renames a module and everything in it.
      #
      # @param from [String] the name of the module
      # @param to [String] its new name
      # @return [void]
      def self.rename(from, to)
        ObjectSpace.each_object(Module) do |mod|
          name = Module.instance_method(:name).bind_call(mod)
          Native.message_pack_rename(mod, Object, name.sub(from, to)) if name == from || name&.start_with?("#{from}::")
        end
      end
    end
  end
end
