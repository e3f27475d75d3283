# frozen_string_literal: true

require "sparpack/message_pack"
require_relative "files"

module Sparpack
  module DropIn
    # Makes Sparpack::MessagePack available as `::MessagePack`. After that, `require` of any file of the msgpack gem does
    # nothing.
    #
    # @api private
    module Msgpack
      # The folder with a file for each file of the gem, so that `require` finds it.
      LOAD_PATH = File.join(__dir__, "msgpack/load_path")

      module_function

      # Installs the drop-in.
      #
      # @return [void]
      # @raise [Error] if the msgpack gem is already loaded
      def install
        raise Error, "MessagePack is already loaded from #{conflict}" if taken?

        Object.const_set(:MessagePack, MessagePack) unless ours?
        MessagePack::Naming.rename("Sparpack::MessagePack", "MessagePack")
        require_relative "msgpack/leniency"
        require_relative "msgpack/words"
        require_relative "msgpack/place"
        require_relative "msgpack/core_classes"
        Files.provide(LOAD_PATH)
      end

      def ours? = named? && ::MessagePack.equal?(MessagePack)

      def taken? = named? && !ours?

      # Tells whether `::MessagePack` exists. An autoload does not count, because it will never run.
      def named? = Object.const_defined?(:MessagePack, false) && !Object.autoload?(:MessagePack)

      def conflict
        place = Object.const_source_location(:MessagePack)&.first || "a native library"
        return "#{place}: require \"sparpack/drop_in/msgpack\" before anything that loads it" unless defined?(::Bootsnap)

        "#{place} (Bootsnap loads it): require \"sparpack/drop_in/msgpack\" in config/boot.rb before \"bootsnap/setup\""
      end
    end

    Msgpack.install
  end
end
