# frozen_string_literal: true

# The work that Bench::Instructions counts. It runs under callgrind, with the library of some checkout in the load path. Each
# call of getppid makes callgrind write what it has counted and start again, so each count is between two such calls.

require "sparpack"
require_relative "../documents"
require_relative "../peer"
require_relative "../peers/sparpack"

document = Bench::Documents.listing
peer = Bench::Peers::Sparpack.new(document)
object = peer.object
codec = peer.codec(:compact)
bytes = codec.encode(object)
binary = peer.codec(:binary)
in_binary = binary.encode(object)
value = document.value
packed = Sparpack::MessagePack.pack(value)

works = {
  encode:        proc { codec.encode(object) },
  decode:        proc { codec.decode(bytes) },
  encode_binary: proc { binary.encode(object) },
  decode_binary: proc { binary.decode(in_binary) },
  pack:          proc { Sparpack::MessagePack.pack(value) },
  unpack:        proc { Sparpack::MessagePack.unpack(packed) }
}
times, rounds = ARGV.map { |number| Integer(number) }

works.each_value { |work| times.times(&work) }
rounds.times do |round|
  works.each_value do |work|
    GC.start
    GC.disable
    Array.new(53 * round) { Object.new } # each round begins at another place in a page of the heap
    Process.ppid
    times.times(&work)
    Process.ppid
    GC.enable
  end
end
