# frozen_string_literal: true

require "sparpack"

module Sparpack
  # Converts MessagePack to JSON and back, for inputs of any size. Only one piece of the input is in memory at a time, or
  # one string if that is longer.
  #
  # @api private
  module Convert
    # What is expected where there are more levels.
    LEVELS = "at most #{Limits::DEPTH_MAX} levels of arrays and maps".freeze

    # A single value may look like one frame.
    FRAMES = %i[framed varint].freeze
    private_constant :LEVELS, :FRAMES

    autoload :Fault, "sparpack/convert/fault"
    autoload :FileTarget, "sparpack/convert/file_target"
    autoload :JsonToMessagePack, "sparpack/convert/json_to_message_pack"
    autoload :MessagePackToJson, "sparpack/convert/message_pack_to_json"
    autoload :Source, "sparpack/convert/source"
    autoload :Spool, "sparpack/convert/spool"
    autoload :StreamTarget, "sparpack/convert/stream_target"

    module_function

    # @param source [Source]
    # @param target [FileTarget, StreamTarget]
    # @param to [Symbol] `:json` or `:msgpack`
    # @param options [Hash] as {MessagePackToJson} or {JsonToMessagePack}
    # @yieldparam guess [Guess] what the input looks like, if that is another format
    # @yieldreturn [String] what to say of it, instead of the options that would convert the value. Without a block,
    #   the reason of the guess is added to the message
    # @return [void]
    # @raise [Fault]
    def run(source, target, to:, **options)
      (to == :json ? MessagePackToJson : JsonToMessagePack).new(source, target, **options).run
    rescue Fault => e
      raise if e.certain?

      guess = source.guess
      raise if [nil, :empty, to == :json ? :message_pack : :json].include?(guess.format)
      raise if FRAMES.include?(guess.format) && guess.count.to_i < 2

      raise e.exception(block_given? ? e.elsewhere(yield(guess)) : "#{e.message} (#{guess.reason})"), cause: nil
    end
  end
end
