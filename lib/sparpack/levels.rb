# frozen_string_literal: true

module Sparpack
  # Refuses objects with too many levels when something walks through them in Ruby. An object that contains itself has too
  # many levels. Without this, such a walk ends in a SystemStackError, which `rescue => e` does not catch.
  #
  # @api private
  module Levels
    # As many levels as encoding and decoding can be allowed.
    MAX = 1000

    # A walk has gone too deep. {watch} turns it into the error that encoding raises.
    class TooMany < StandardError; end

    # Runs a walk.
    #
    # @param object [Value] where it begins
    # @return [Object] the block's result
    # @raise [EncodeError::LimitExceeded] if the block calls {check} with too many levels, or the stack is too small
    def self.watch(object)
      yield
    rescue TooMany
      raise error(object, "at most #{MAX} levels"), cause: nil
    rescue SystemStackError
      raise error(object, "fewer levels"), cause: nil
    end

    # @param level [Integer] the number of levels so far
    # @return [Integer] the next level
    # @raise [TooMany]
    def self.below(level) = level < MAX ? level + 1 : raise(TooMany)

    def self.error(object, expected)
      path = Quote.plain(object.class)
      found = "more levels"
      message = "#{path}: expected #{expected}, found #{found} (does it contain itself?)"
      EncodeError::LimitExceeded.new(message, path:, expected:, found:)
    end
    private_class_method :error
  end
end
