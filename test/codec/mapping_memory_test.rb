# frozen_string_literal: true

# bin/test: not sanitized, for it measures memory
require "test_helper"
require "support/fresh_ruby"
require "tmpdir"

# Objects of plain classes take at most 1.3 times the memory limit, and a limit does not refuse what takes far less. Nothing
# is kept after an encode or a decode, also if readers or constructors raise.
class MappingMemoryTest < Minitest::Test
  include FreshRuby

  SUPPORT = File.expand_path("../support", __dir__)

  CLASSES = <<~'RUBY'
    require "sparpack"
    names = ARGV[1].to_i.times.map { |i| :"m#{i}" }
    keywords = names.map { |name| "#{name}: nil" }.join(", ")
    fill = names.map { |name| "@#{name} = #{name}" }.join("; ")
    plain = "attr_reader(*#{names})"
    called = names.map { |name| "def #{name} = @#{name}.itself" }.join("\n")
    BY_KEYWORDS = Class.new { class_eval "#{plain}\n def initialize(#{keywords}) = (#{fill})" }
    BY_POSITION = Class.new { class_eval "#{called}\n def initialize(#{names.join(", ")}) = (#{fill})" }
    ALLOCATED = Class.new { class_eval called }
    OWN_NEW = Class.new(BY_KEYWORDS) { def self.new(**) = super }
    STRUCT = Struct.new(*names)
    KEYWORD_STRUCT = Struct.new(*names, keyword_init: true)
    CASES = { BY_KEYWORDS => :keywords, BY_POSITION => :positional, ALLOCATED => :allocate, OWN_NEW => :keywords,
              STRUCT => :allocate, KEYWORD_STRUCT => :keywords }
    CASES[Data.define(*names)] = :keywords if defined?(Data) && Data.respond_to?(:define)
    List = Struct.new(:list)
    def codec(klass, names, build, type, **options)
      part = Sparpack::Mapping.new(klass, names.each_with_index.to_h { |name, i| [i, name] }, types: names.to_h { [_1, type] }, build:)
      whole = Sparpack::Mapping.new(List, { 0 => :list }, types: { list: Sparpack::Type.list(part) })
      Sparpack::Codec.new(whole, :message_pack, **options)
    end
  RUBY

  LIMITS = <<~'RUBY'
    require File.join(ARGV[0], "memory_search")
    search = MemorySearch.new(nil, random: Random.new(1))
    # A `new` of its own takes memory that is not ours.
    bytes = Sparpack::MessagePack.pack([[[1e-300] * names.size] * 2000])
    found = CASES.except(OWN_NEW).map do |klass, build|
      read = lambda do |memory|
        limited = codec(klass, names, build, :double, limits: Sparpack::Limits.new(memory:))
        [-> { limited.decode(bytes) rescue $! }, nil]
      end
      finding = search.measure_payloads { MemorySearch::Payload.new("#{CASES.keys.index(klass)} #{build}", 0, read) }
      [finding.charged, finding.ratio, finding.name]
    end
    File.binwrite(ARGV.last, Marshal.dump(found))
  RUBY

  def test_limits_hold
    found = fresh_result(CLASSES + LIMITS, SUPPORT, "3")

    assert_empty(found.select { |charged, ratio, _| ratio > 1.3 || charged > 3 })
  end

  # Objects of Ruby's heap and what malloc has given, after a warm-up and after five times as much work.
  LEAKS = <<~'RUBY'
    class Fails
      def to_msgpack(*) = raise("no")
    end
    work = CASES.map do |klass, build|
      codec = codec(klass, names, build, Sparpack::Type.list(:string))
      value = [%w[a b], "x" * 100]
      bytes = Sparpack::MessagePack.pack([[[["text" * 20] * 3] * names.size] * 30])
      wrong = bytes[0..-10] + "\xC1".b * 9
      object = codec.decode(bytes)
      bad = codec.decode(bytes).tap { |list| list.list[20].instance_variable_set(:@m0, 5) unless list.list[20].frozen? }
      raising = Class.new(klass) { def initialize(*, **) = (super; raise("no")) }
      failing = codec(raising, names, klass == STRUCT ? :positional : build, Sparpack::Type.list(:string))
      lambda do
        codec.decode(bytes)
        codec.encode(object)
        codec.encode(bad) rescue 0
        codec.decode(wrong) rescue 0
        failing.decode(bytes) rescue 0
        Fiber.new { codec.encode(object).then { Fiber.yield } }.resume
      end
    end
    mappings = -> { CASES.each { |klass, build| codec(klass, names, build, :string) } }
    measure = lambda do
      3.times { GC.start }
      counts = ObjectSpace.count_objects
      status = File.exist?("/proc/self/status") ? File.read("/proc/self/status") : "VmRSS: 0"
      [counts[:TOTAL] - counts[:FREE], status[/^VmRSS:\s+(\d+)/, 1].to_i]
    end
    run = ->(times) { times.times { work.each(&:call); mappings.call }; measure.call }
    before = run.call(20)
    after = run.call(80)
    File.binwrite(ARGV.last, Marshal.dump([before, after]))
  RUBY

  def test_nothing_leaks
    (objects, kilobytes), (later_objects, later_kilobytes) = fresh_result(CLASSES + LEAKS, SUPPORT, "7")

    assert_in_delta objects, later_objects, 2_000
    assert_operator later_kilobytes - kilobytes, :<, 20_000
  end
end
