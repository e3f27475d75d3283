# frozen_string_literal: true

# bin/test: not sanitized, for it measures objects, and these take the same memory in every build

require "test_helper"
require "support/fresh_ruby"
require "support/seeded"
require "tmpdir"

# Objects take at most 1.3 times the memory limit, whatever the payload is, and a limit does not refuse what takes far less.
# The search measures all objects each time, so it runs in processes of its own, which have small heaps.
class MemoryTest < Minitest::Test
  include FreshRuby
  include Seeded

  SUPPORT = File.expand_path("../support", __dir__)
  MOST = 1.3

  CORNERS = 15
  STEPS   = 25

  SEARCH = <<~RUBY
    require ARGV[0]
    engine = Object.const_get(ARGV[1]).new
    seed, corners, steps = ARGV[2, 3].map { |number| Integer(number) }
    search = MemorySearch.new(engine, random: Random.new(seed))
    known = engine.known.map { |shape, options = {}| search.measure(shape, **options) }
    found = [*known, *search.run(corners:, steps:)].max_by(5, &:ratio)
    File.binwrite(ARGV[5], Marshal.dump(found.map { |finding| [finding.ratio, finding.name] }))
  RUBY

  def test_thrift_stays_within_the_limit = assert_within_limit("memory_thrift", "MemoryThrift")
  def test_message_pack_stays_within_the_limit = assert_within_limit("memory_message_pack", "MemoryMessagePack")

  TYPICAL = <<~RUBY
    require "sparpack"
    %w[memory_search ../../bench/documents ../../bench/values ../../bench/peers].each { |name| require File.join(ARGV[0], name) }
    MP = Sparpack::MessagePack

    thrift = Bench::Documents.all.flat_map do |document|
      peer = Bench::Peers::Sparpack.new(document)
      Sparpack::WIRES.map do |wire|
        bytes = peer.object.encode(wire)
        read = ->(memory) { peer.codec(wire, limits: Sparpack::Limits.new(memory:)).then { |codec| -> { codec.decode(bytes) } } }
        ["\#{document.name} in \#{wire}", read]
      end
    end
    message_pack = Bench::Values.all.flat_map do |document|
      bytes = MP.pack(document.value)
      [{}, { symbolize_keys: true }].map do |options|
        read = ->(memory) { -> { MP.unpack(bytes, limits: Sparpack::Limits.new(memory:), **options) } }
        ["\#{document.name} with \#{options}", read]
      end
    end
    search = MemorySearch.new(nil, random: Random.new(1))
    found = [*thrift, *message_pack].reject { |name, _| name.start_with?("small") }.map do |name, read|
      reader = lambda do |memory|
        work = read.call(memory)
        [-> { work.call rescue $! }, nil]
      end
      finding = search.measure_payloads { MemorySearch::Payload.new(name, 0, reader) }
      [finding.charged, finding.ratio, name]
    end
    File.binwrite(ARGV[1], Marshal.dump(found))
  RUBY

  def test_typical_documents_are_charged_about_what_they_take
    wrong = fresh_result(TYPICAL, SUPPORT).select { |charged, ratio, _| charged > 2 || ratio > MOST }

    assert_empty wrong
  end

  private

  def assert_within_limit(file, engine)
    found = fresh_result(SEARCH, File.join(SUPPORT, file), engine, SEED.to_s, CORNERS.to_s, STEPS.to_s)
    random # a failure prints the seed

    assert_empty(found.select { |ratio, _| ratio > MOST })
  end
end
