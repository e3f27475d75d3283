# frozen_string_literal: true

module Sparpack
  # Refuses objects with too many levels when something walks through them in Ruby. An object that contains itself has too
  # many levels. Without this, such a walk ends in a SystemStackError, which `rescue => e` does not catch.
  #
  # @api private
  module Levels
    FOUND = "more levels"
    private_constant :FOUND

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
      raise error(object, false), cause: nil
    rescue SystemStackError
      raise error(object, true), cause: nil
    end

    # @param level [Integer] the number of levels so far
    # @return [Integer] the next level
    # @raise [TooMany]
    def self.below(level) = level < Limits::DEPTH_MAX ? level + 1 : raise(TooMany)

    # @param expected [String] as many levels as encoding and decoding can be allowed
    # @return [Array(String, String, String)] what an error says: the end of its message, what was expected, what was found
    def self.details(expected = "at most #{Limits::DEPTH_MAX} levels")
      ["expected #{expected}, found #{FOUND} (does it contain itself?)", expected, FOUND]
    end

    # @param object [Value] where the walk began
    # @param stack_full [Boolean] whether the stack was too small for as many levels as are allowed
    # @return [EncodeError::LimitExceeded]
    def self.error(object, stack_full)
      text, expected, found = stack_full ? details("fewer levels") : details
      path = Quote.plain(object.class)
      EncodeError::LimitExceeded.new("#{path}: #{text}", path:, expected:, found:)
    end
  end
end
