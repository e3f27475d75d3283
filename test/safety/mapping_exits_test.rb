# frozen_string_literal: true

require "test_helper"
require "support/deadline"
require "support/fresh_ruby"

# Constructors and readers of plain classes leave an encode or a decode in all ways there are, and come back to one that has
# ended.
class MappingExitsTest < Minitest::Test
  include Deadline
  include FreshRuby

  # Runs `during` when an object is made or read.
  class Part
    class << self
      attr_accessor :during
    end

    def initialize(id)
      @id = id
      Part.during&.call(self)
    end

    def id
      Part.during&.call(self)
      @id
    end

    def plain_id = @id
  end

  Whole = Struct.new(:parts)
  PART  = Sparpack::Mapping.new(Part, { 0 => :id }, types: { id: :i32 })
  WHOLE = Sparpack::Mapping.new(Whole, { 0 => :parts }, types: { parts: Sparpack::Type.list(PART) })
  CODEC = Sparpack::Codec.new(WHOLE, :message_pack)

  # More than the values that wait on the stack.
  COUNT = 1500
  BYTES = Sparpack::MessagePack.pack([Array.new(COUNT) { |i| [i] }]).freeze
  OBJECT = CODEC.decode(BYTES)

  WORK = { decode: -> { CODEC.decode(BYTES) }, encode: -> { CODEC.encode(OBJECT) } }.freeze

  def teardown = Part.during = nil

  def test_threads_are_killed
    each_work do |work|
      reached = Queue.new
      Part.during = ->(part) { part.plain_id == 1200 && (reached << 1) && sleep }
      thread = Thread.new(&work)
      within("a thread that is killed") do
        reached.pop
        thread.kill
        thread.join
      end
    end
  end

  def test_a_timeout_ends_it
    each_work do |work|
      Part.during = ->(part) { sleep if part.plain_id == 1200 }
      assert_raises(Timeout::Error) { within("a timeout") { Timeout.timeout(0.05) { work.call } } }
    end
  end

  def test_break_and_exceptions_that_are_no_errors
    each_work do |work|
      [Interrupt, SystemExit, NoMemoryError, SystemStackError, Class.new(Exception)].each do |type| # rubocop:disable Lint/InheritException
        Part.during = ->(part) { raise type, "out" if part.plain_id == 1200 }
        assert_raises(type, &work)
      end
    end
  end

  def test_constructors_may_change_their_object
    changes = [:freeze, :singleton_class, ->(part) { part.remove_instance_variable(:@id) },
               ->(part) { def part.id = 5 }, ->(part) { 20.times { |i| part.instance_variable_set(:"@v#{i}", i) } }]
    changes.each do |change|
      Part.during = change.to_proc

      assert_equal COUNT, CODEC.decode(BYTES).parts.grep(Part).size
      Part.during = nil
    end
  end

  # Strings, Arrays and Hashes that wait for their object are changed and frozen through ObjectSpace.
  MEDDLING = <<~RUBY
    require "sparpack"
    Point = Class.new { def initialize(x, y) = (@x = x; @y = y; meddle(y)) }
    Point.class_eval("attr_reader :x, :y")
    def meddle(y)
      return unless y % 3 == 0
      arrays = ObjectSpace.each_object(Array).select { |a| !a.frozen? && (a[0] == "marked" || Point === a[0]) }
      y.odd? ? arrays.each(&:freeze) : arrays.each(&:clear)
      ObjectSpace.each_object(Hash) { |h| h.clear if h.key?("marked") && !h.frozen? }
      ObjectSpace.each_object(String) { |s| s.replace("z" * 100) if !s.frozen? && s.start_with?("marked text") }
      GC.start if y % 30 == 0
    end
    point = Sparpack::Mapping.new(Point, { 0 => :x, 1 => :y })
    whole = Struct.new(:a, :b, :c, :d)
    list  = Sparpack::Type.list(point)
    types = { a: list, b: Sparpack::Type.list(:string), c: Sparpack::Type.map(:string, point), d: list }
    [{}, { freeze: true }].each do |options|
      [{}, types].each do |given|
        codec = Sparpack::Codec.new(Sparpack::Mapping.new(whole, %i[a b c d], types: given), :message_pack, **options)
        part = ->(i) { [["marked", { "marked" => "marked text" * 3 }], i] }
        bytes = Sparpack::MessagePack.pack({ "b" => ["marked"] * 10, "a" => Array.new(40, &part),
                                             "c" => { "marked" => part.(1), "k" => part.(3) }, "d" => Array.new(40, &part) })
        5.times { codec.decode(bytes) }
      end
    end
    print "well"
  RUBY

  def test_constructors_may_change_what_waits
    assert_equal "well", fresh_ruby(MEDDLING)
  end

  # A continuation returns into a reader or a constructor, after its encode or decode has ended.
  CONTINUATION = <<~'RUBY'
    $VERBOSE = nil
    require "continuation"
    require "sparpack"
    Part = Class.new do
      def initialize(a) = (@a = a; callcc { |kept| $kept ||= kept } if a == 1400)
      def plain = @a
      def a = (callcc { |kept| $kept ||= kept } if @a == 1400; @a)
    end
    Whole = Struct.new(:text, :parts, :texts)
    part  = Sparpack::Mapping.new(Part, { 0 => :a }, types: { a: :i32 })
    types = { text: :string, parts: Sparpack::Type.list(part), texts: Sparpack::Type.list(:string) }
    codec = Sparpack::Codec.new(Sparpack::Mapping.new(Whole, { 0 => :text, 1 => :parts, 2 => :texts }, types:), :message_pack)
    bytes = Sparpack::MessagePack.pack(["x" * 200_000, Array.new(2000) { |i| [i] }, ["y" * 1_000] * 1_000])
    object = codec.decode(bytes)
    # What a decode had made before it ended stays made, so the Array may be longer.
    def parts?(whole) = whole.parts.all?(Part) && whole.parts.first(1400).map(&:plain) == [*0...1400]
    { encode: -> { codec.encode(object) }, decode: -> { parts?(codec.decode(bytes)) && bytes } }.each do |name, work|
      $kept = nil
      rounds = 0
      begin
        print(work.call == bytes ? "#{name} " : "wrong ")
        rounds += 1
        20.times { "z" * 1_000_000 }
        GC.start
        $kept.call if rounds < 3
      rescue Sparpack::EncodeError
        print "refused "
      end
    end
  RUBY

  def test_continuations
    assert_equal "encode refused decode decode decode ", fresh_ruby(CONTINUATION)
  end

  private

  # The codec works as before in the end.
  def each_work
    WORK.each_value do |work|
      yield work
      Part.during = nil

      assert_equal COUNT, CODEC.decode(BYTES).parts.size
      assert_equal BYTES, CODEC.encode(OBJECT)
    end
  end
end
