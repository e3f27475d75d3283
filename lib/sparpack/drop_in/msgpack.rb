# frozen_string_literal: true

require "sparpack/message_pack"

module Sparpack
  # Sparpack's engine behind the interfaces of other libraries, each of which is asked for by its name.
  #
  # @api private
  module DropIn
    # Makes Sparpack::MessagePack `::MessagePack`, and all that may be required of the msgpack gem count as loaded.
    #
    # @api private
    module Msgpack
      # A file for each of the gem's, by which `require` finds it.
      LOAD_PATH = File.join(__dir__, "msgpack/load_path")

      module_function

      # @raise [Error] if `::MessagePack` is the gem's
      def install
        raise Error, "MessagePack is loaded already, #{conflict}" if taken?

        Object.const_set(:MessagePack, MessagePack) unless ours?
        MessagePack::Naming.rename("Sparpack::MessagePack", "MessagePack")
        require_relative "msgpack/leniency"
        require_relative "msgpack/words"
        require_relative "msgpack/core_classes"
        provide
      end

      def ours? = named? && ::MessagePack.equal?(MessagePack)

      def taken? = named? && !ours?

      # What is to be loaded by its name only is not loaded, and never will be.
      def named? = Object.const_defined?(:MessagePack, false) && !Object.autoload?(:MessagePack)

      def conflict
        place = "from #{Object.const_source_location(:MessagePack)&.first || "a native library"}"
        return "#{place}: require \"sparpack/drop_in/msgpack\" before whatever loads it" unless defined?(::Bootsnap)

        "#{place}, as Bootsnap does: require \"sparpack/drop_in/msgpack\" in config/boot.rb before \"bootsnap/setup\""
      end

      # Ruby goes by the features' bare names even where the load path is the gem's alone, as it is for a moment when
      # Bootsnap starts. Bootsnap itself goes by what lies on the load path, and by the features that do.
      def provide
        $LOAD_PATH.unshift(LOAD_PATH)
        Dir["**/*.rb", base: LOAD_PATH].each do |file|
          $LOADED_FEATURES << file.sub(/\.so\.rb\z/, ".so") << File.join(LOAD_PATH, file)
        end
      end
    end

    Msgpack.install
  end
end
