# frozen_string_literal: true

require "stringio"

# An io that returns a few bytes at a time.
class Trickle
  # @return [Array<Integer>] how many bytes each call asked for
  attr_reader :asked

  # @return [Integer] how many bytes it has returned
  attr_reader :read

  # @param bytes [String]
  # @param size [Integer] the most that a call returns
  def initialize(bytes, size)
    @io = StringIO.new(bytes)
    @size = size
    @asked = []
    @read = 0
  end

  def readpartial(size)
    @asked << size
    @io.readpartial([@size, size].min).tap { |bytes| @read += bytes.bytesize }
  end
end
