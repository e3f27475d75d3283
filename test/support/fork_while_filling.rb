# frozen_string_literal: true

# A program whose columns are filled on as many threads as its argument says, while it forks. Prints how the new processes
# have ended.

require "sparpack"

class Numbers < Sparpack::Struct
  field 1, :all, list(:i64)
end

codec = Sparpack::Codec.new(Numbers, :binary, frame: :varint)
bytes = (Sparpack::Frame.find(:varint, :binary).wrap(codec.encode(Numbers.new(all: [7] * 6000)), codec) * 400).freeze

over = false
reading = Thread.new { codec.columns(bytes, "all[]", as: :packed, threads: Integer(ARGV[0])) until over }
ends = Array.new(8) do |i|
  sleep(0.003 * i)
  ended = Process.detach(fork { 2.times { GC.start } && exit!(0) }).value
  ended.termsig || ended.exitstatus
end

over = true
reading.join
print ends.uniq
