# frozen_string_literal: true

module Sparpack
  module DropIn
    module Msgpack
      # Adds the place of a fault to the message that Ruby shows for an error, from Ruby 3.2 on.
      module Place
        # @return [String]
        def detailed_message(...)
          text = defined?(super) ? super : message
          offset ? "#{text} (byte #{offset}#{", at #{path}" unless path.to_s.empty?})" : text
        end
      end

      MessagePack::UnpackError.prepend(Place)
    end
  end
end
