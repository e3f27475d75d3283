# frozen_string_literal: true

require "minitest/autorun"
require "tempfile"
require "timeout"
require "waterdrop"
require "sparpack/karafka"
require_relative "notes"
require_relative "orders"

# A producer, consumers and a broker, each in a process of its own.
class ClusterTest < Minitest::Test
  COUNT = Integer(ENV.fetch("KAFKA_RECORDS", "100000"))
  HALF = COUNT / 2

  # Seconds.
  PATIENCE = 60 + (COUNT / 1000)

  def setup
    @processes = []
    @host = IO.popen([*ruby, "host.rb"], "r+", chdir: __dir__)
    @processes << @host.pid
    @file = Tempfile.new("notes")
    @notes = Notes.new(@file.path)
    @address = within("the mock cluster") { @host.gets }.to_s.chomp
    @producer = WaterDrop::Producer.new { |config| config.kafka = { "bootstrap.servers": @address } }
    @producer.middleware.append(Sparpack::Karafka.encoder)
  end

  def teardown
    @producer&.close!
    @processes.each { |pid| stop(pid, :KILL) }
    @host&.close
    @notes&.close
    @file&.close!
  end

  def ruby = [RbConfig.ruby, "-I", File.expand_path("../../../lib", __dir__)]

  # @return [Integer] the number of a new process that reads records with the class of that name
  def consumer(name)
    Process.spawn({ "KARAFKA_ROOT_DIR" => Dir.tmpdir }, *ruby, "consumer.rb", @address, @file.path, name, chdir: __dir__,
                                                                                                          out: File::NULL)
           .tap { |pid| @processes << pid }
  end

  def stop(pid, signal)
    Process.kill(signal, pid)
    within("the end of a process") { Process.wait(pid) }
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  end

  # Waits for a condition, as long as the consumer lives.
  def wait_for(what, pid)
    within(what) do
      until yield @notes.more
        flunk "the consumer has ended" if Process.wait(pid, Process::WNOHANG)
        sleep 0.05
      end
    end
  end

  def within(what, &block)
    Timeout.timeout(PATIENCE, nil, "waited #{PATIENCE} s for #{what}; noted: #{@notes.reads.size} records, " \
                                   "#{@notes.others.last(5)}", &block)
  end

  def lines(id) = Array.new(id % 4) { |i| Shop::Line.new(cents: i) }

  # In the middle, the producer begins to write a later revision.
  def order(id)
    lines = Array.new(id % 4) { |i| Shop::Line.new(cents: i) }
    id < HALF ? Shop::Order.new(id:, lines:) : Shop::OrderNext.new(id:, lines:, note: "new")
  end

  def produce(ids)
    ids.each_slice(500) do |some|
      @producer.produce_many_async(some.map { |id| { topic: "orders", key: id, payload: order(id) } })
               .each { |handle| handle.wait(max_wait_timeout: PATIENCE) }
    end
  end

  def produce_all
    produce(1...HALF)
    @producer.produce_sync(topic: "orders", key: -1, payload: "\xff poison".b)
    @producer.produce_sync(topic: "orders", key: -2, payload: nil)
    produce(HALF...COUNT)
  end

  # While records come, a consumer is killed that knows the older revision, and one that knows the later revision reads on.
  def test_each_record_comes
    produce([0]) # a topic must exist before somebody subscribes to it
    @producer.produce_sync(topic: "orders_dead", payload: "x")
    first = consumer("Shop::Order")
    producing = Thread.new { produce_all }
    wait_for("more than half of the records", first) { |notes| notes.reads.size > COUNT * 5 / 8 }
    stop(first, :KILL)
    last = consumer("Shop::OrderNext")
    within("the producer") { producing.value }
    wait_for("all records", last) { |notes| notes.records.size > COUNT && notes.others.include?("dead 8") }
    stop(last, :TERM)

    assert_all(@notes.more.records)
    assert_reads(@notes.reads, first, last)
    assert_poison(@notes.others)
  end

  def assert_all(records)
    all = records.values.map { |key, id, cents| [Integer(key), id, cents] }
    whole = (0...COUNT).map { |id| [id, id.to_s, (0...(id % 4)).sum.to_s] }

    assert_equal [[-2, "none", nil], *whole], all.sort_by(&:first)
  end

  # The first consumer had not marked all that it had read. So the next one reads some records again.
  def assert_reads(reads, first, last)
    assert_equal [first, last], reads.map(&:process).uniq
    assert_equal reads.size, reads.uniq { |read| [read.process, read.place] }.size
    reads.each do |read|
      note = "new" if read.process == last && read.content[1].to_i >= HALF

      assert_equal [*@notes.records[read.place].first(3), *note], read.content
    end
    assert(reads.any? { |read| read.process == first && read.content[1].to_i >= HALF })
  end

  # It may come to the dead letter queue twice, as another record may be read twice.
  def assert_poison(notes)
    errors = notes.grep(/\Aerror/)

    assert_match(%r{\Aerror Sparpack::DecodeError\S* orders/\d at \d+: }, errors.first)
    assert_equal 1, errors.uniq.size
    assert_equal ["dead 1", "dead 8"], notes.grep(/\Adead/).uniq.sort, "nothing else is moved"
  end
end
