# frozen_string_literal: true

require "test_helper"
require "support/child"
require "support/fresh_ruby"
require "tempfile"
require "timeout"

# The claims of docs/concurrency.md beyond its examples, which run as a test of that page: interrupts, fibers, fork, and what
# Ractors may not do. Races of threads and Ractors are in thread_test.rb and ractor_test.rb.
class ConcurrencyTest < Minitest::Test
  include Child
  include FreshRuby

  class Place < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :name, :string
  end

  class Places < Sparpack::Struct
    field 1, :places, list(Place)
  end

  MP = Sparpack::MessagePack

  # A scheduler that runs the fibers of one thread, and others while one waits for an io. These tests need no more of it.
  class Scheduler
    def initialize = @waiting = {}

    def io_wait(io, events, _timeout)
      @waiting[Fiber.current] = [io, events]
      Fiber.yield
      events
    end

    def fiber(&block) = Fiber.new(blocking: false, &block).tap(&:resume)

    def close
      deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 20
      until @waiting.empty?
        raise "fibers wait for ever" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

        ready, = IO.select(@waiting.values.map(&:first), nil, nil, 1)
        woken = @waiting.keys.select { |fiber| ready&.include?(@waiting[fiber].first) }
        woken.each { |fiber| @waiting.delete(fiber) }.each(&:resume)
      end
    end

    def block(_blocker, _timeout = nil) = raise(NotImplementedError)
    def unblock(_blocker, _fiber) = nil
    def kernel_sleep(_duration = nil) = raise(NotImplementedError)
  end

  # --- Interrupts -------------------------------------------------------------------------------------------------------

  # A thread that wants to interrupt the decode gets its turn when the call is over.
  def test_a_decode_is_not_interrupted_in_the_middle
    bytes = Places.new(places: Array.new(100_000) { |i| Place.new(id: i, name: "place") }).encode
    decoded = nil
    started = Thread::Queue.new
    reader = Thread.new do
      Thread.current.report_on_exception = false
      started << true
      Thread.handle_interrupt(Interrupt => :never) { decoded = Places.decode(bytes) }
      loop { sleep 0.001 }
    end
    started.pop
    reader.raise(Interrupt)

    assert_raises(Interrupt) { Timeout.timeout(20) { reader.join } }
    assert_equal 100_000, decoded.places.size
  end

  def test_decode_each_is_interrupted_while_it_waits
    reader, writer = IO.pipe
    codec = Place.codec
    codec.encode_to(writer, Place.new(id: 1))
    seen = []
    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { codec.decode_each(reader) { |place| seen << place.id } } }
    codec.encode_to(writer, Place.new(id: 2))
    writer.close
    codec.decode_each(reader) { |place| seen << place.id }

    assert_equal [1, 2], seen
  end

  # --- Fibers -----------------------------------------------------------------------------------------------------------

  def test_other_fibers_run_while_one_waits_for_an_io
    seen = []
    thread = Thread.new do
      Fiber.set_scheduler(Scheduler.new)
      reader, writer = IO.pipe
      Fiber.schedule do
        Place.decode_each(reader) { |place| seen << place.id }
        seen << :end
      end
      Fiber.schedule do
        seen << :writer
        2.times { |id| Place.codec.encode_to(writer, Place.new(id:)) }
        writer.close
      end
    end

    assert thread.join(20), "the fibers do not end"
    assert_equal [:writer, 0, 1, :end], seen
  end

  def test_a_packer_is_in_one_fiber_at_a_time
    packer = MP::Packer.new
    stopping = Object.new
    stopping.define_singleton_method(:to_msgpack) { |inner| Fiber.yield || inner.write(1) }
    fiber = Fiber.new { packer.write(stopping) }
    fiber.resume

    assert_match(/in the middle of a value in another fiber/, assert_raises(ArgumentError) { packer.write(2) }.message)
  end

  # --- fork -------------------------------------------------------------------------------------------------------------

  def test_a_child_uses_what_its_parent_made
    pool = MP::Factory.new.tap { |factory| factory.register_builtin(:symbol, 0) }.pool(2)
    codec = Places.codec(:binary, freeze: true)
    bytes = codec.encode(Places.new(places: [Place.new(id: 1)]))
    pool.dump(:warm)

    assert_equal([Places.new(places: [Place.new(id: 1)]), [:a]],
                 in_child { [codec.decode(bytes), pool.load(pool.dump([:a]))] })
  end

  def test_what_was_not_flushed_is_written_by_both_processes
    Tempfile.create("packed") do |file|
      file.binmode
      packer = MP::Packer.new(file)
      packer.write("parent")
      in_child { packer.flush && file.flush && nil }
      packer.flush
      file.flush

      assert_equal %w[parent parent], MP::Unpacker.new.feed_each(File.binread(file.path)).to_a
    end
  end

  def test_what_the_parent_has_read_the_child_does_not_get
    Tempfile.create("places") do |file|
      3.times { |id| Place.codec.encode_to(file, Place.new(id:)) }
      file.flush
      file.rewind
      parent = Place.decode_each(file)

      assert_equal 0, parent.next.id
      assert_empty(in_child { Place.decode_each(file).map(&:id) })
      assert_equal [1, 2], Array.new(2) { parent.next.id }
    end
  end

  # --- Ractors ----------------------------------------------------------------------------------------------------------

  # Otherwise two Ractors would hold the same String.
  def test_a_mutable_struct_is_neither_copied_nor_moved
    errors, name = in_child do
      place = Place.new(id: 1, name: +"home")
      ractor = Ractor.new { Ractor.receive }
      ways = [-> { Ractor.new(place) { |mine| mine } }, -> { ractor.send([{ place => 1 }]) },
              -> { ractor.send(place, move: true) }, -> { Ractor.make_shareable(place, copy: true) },
              -> { Ractor.new(Careful.new(name: +"home")) { |mine| mine } }]
      [ways.map { |way| refusal(&way) }, place.name.frozen?]
    end

    assert_equal [["Ractor::Error"] * 5, false], [errors, name]
  end

  # A subclass that does something when it is copied.
  class Careful < Place
    def initialize_clone(source, freeze: nil) = super
  end

  def test_what_ruby_copies_itself_is_copied
    place = Place.new(id: 1, name: +"home")

    assert_equal [place, place, true], [place.clone, place.dup, place.clone(freeze: true).frozen?]
    assert_equal(place, in_child { value(Ractor.new(place.clone.freeze(deep: true)) { |mine| mine }) })
  end

  def test_classes_are_declared_in_the_main_ractor
    error = in_child do
      Thread.report_on_exception = false
      ractor = Ractor.new { Class.new(Sparpack::Struct) { field 1, :id, :i64 } }
      value(ractor)
    rescue Ractor::RemoteError => e
      e.cause.message.sub(/#<.*?>/, "…")
    end

    assert_equal "….id: only the main Ractor can declare fields", error
  end

  def test_the_json_gem_is_loaded_in_the_main_ractor
    output = fresh_ruby(<<~RUBY)
      require "sparpack"
      Warning[:experimental] = Thread.report_on_exception = false
      class Place < Sparpack::Struct
        field 1, :id, :i64
      end
      PLACE = Ractor.make_shareable(Place.new(id: 5))
      def value(ractor) = ractor.respond_to?(:value) ? ractor.value : ractor.take
      begin
        value(Ractor.new { PLACE.to_json })
      rescue Ractor::RemoteError => e
        puts e.cause.message
      end
      require "json"
      puts value(Ractor.new { PLACE.to_json })
    RUBY

    assert_equal "the json gem is not loaded, and only the main Ractor can load it: require \"json\" there first\n" \
                 "{\"id\":5}\n", output
  end

  # Other Ractors may not see what the block holds.
  def test_a_class_with_a_block_is_ready_once_the_main_ractor_has_made_a_codec
    error, bytes = in_child do
      Thread.report_on_exception = false
      types = [+"not shareable", Place]
      by_block = Module.new.const_set(:ByBlock, Class.new(Sparpack::Struct) { field(1, :place) { types.last } })
      ractor = Ractor.new(by_block) { |struct| struct.new.encode }
      error = refusal { value(ractor) }
      by_block.codec
      [error, value(Ractor.new(by_block) { |struct| struct.new(place: Place.new(id: 1)).encode })]
    end

    assert_equal ["Ractor::RemoteError", "\x1C\x16\x02\x00\x00".b], [error, bytes]
  end

  def test_a_factory_is_shared_and_a_pool_is_not
    shared, refused = in_child do
      factory = MP::Factory.new
      factory.register_builtin(:symbol, 0)
      factory = Ractor.make_shareable(factory)
      [value(Ractor.new(factory) { |mine| mine.pool(1).load(mine.dump([:a])) }),
       refusal { Ractor.make_shareable(factory.pool(1)) }]
    end

    assert_equal [[:a], "Ractor::Error"], [shared, refused]
  end

  private

  # Ruby 4.0 has no Ractor#take.
  def value(ractor) = ractor.respond_to?(:value) ? ractor.value : ractor.take

  # @return [String, nil] the class of the exception
  def refusal
    yield
    nil
  rescue Ractor::Error => e
    e.class.name
  end
end
