# frozen_string_literal: true

# What consumers have noted in a file: a line "read PROCESS PARTITION OFFSET KEY ID CENTS NOTE" for each record, and a line
# that begins with another word for all else.
class Notes
  # One record as one process has read it.
  Read = Struct.new(:process, :place, :content)

  # @return [Array<Read>]
  attr_reader :reads

  # @return [Array<String>] the other lines
  attr_reader :others

  # @return [Hash{Array(Integer, Integer) => Array<String>}] the key, the id, the cents and the note of each record, by its
  #   partition and offset
  attr_reader :records

  # @param path [String]
  def initialize(path)
    @file = File.new(path)
    @reads = []
    @others = []
    @records = {}
    @rest = ""
  end

  # Reads the lines that have come since the last call. Of a line that is being written, there may be only a part.
  #
  # @return [self]
  def more
    lines = (@rest + @file.read).lines
    @rest = lines.last&.end_with?("\n") == false ? lines.pop : ""
    lines.each do |line|
      line = line.chomp
      word, process, partition, offset, *content = line.split(" ", 8)
      next @others << line unless word == "read"

      place = [Integer(partition), Integer(offset)]
      @reads << Read.new(Integer(process), place, content)
      @records[place] = content
    end
    self
  end

  def close = @file.close
end
