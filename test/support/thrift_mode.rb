# frozen_string_literal: true

# Loads the thrift gem or the drop-in in a process that a test has started for it.
module ThriftMode
  class << self
    # @param mode [String] `gem` or `drop_in`
    # @param version [String] of the gem; any version if it is empty
    # @return [void]
    def load(mode, version = "")
      gem("thrift", version) unless version.empty?
      mode == "gem" ? require("thrift") : require("sparpack/drop_in/thrift")
      require_relative "thrift_tools"
    end

    # Loads the classes of test/fixtures/market.thrift.
    #
    # @param shape [String] a folder with generated classes
    # @return [void]
    def load_shop(shape)
      $LOAD_PATH.unshift(shape)
      $VERBOSE = nil # what generated code warns of
      require "shop"
    end
  end
end
