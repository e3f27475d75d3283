# frozen_string_literal: true

require "minitest/autorun"
require "tempfile"
require "timeout"
require "waterdrop"
require "sparpack/karafka"
require_relative "orders"

# Producers, consumers and a broker, each in a process of its own.
class ClusterTest < Minitest::Test
  COUNT = Integer(ENV.fetch("KAFKA_RECORDS", "6000"))

  # Seconds.
  PATIENCE = 60 + (COUNT / 200)

  def setup
    @processes = []
    @host = IO.popen([*ruby, "host.rb"], "r+", chdir: __dir__)
    @processes << @host.pid
    @address = within("the mock cluster") { @host.gets }.to_s.chomp
    @notes = Tempfile.new("notes")
    @producer = WaterDrop::Producer.new do |config|
      config.kafka = { "bootstrap.servers": @address, "queue.buffering.max.messages": 2 * COUNT }
    end
    @producer.middleware.append(Sparpack::Karafka.encoder)
  end

  def teardown
    @producer&.close!
    @processes.each { |pid| stop(pid, :KILL) }
    @host&.close
    @notes&.close!
  end

  def ruby = [RbConfig.ruby, "-I", File.expand_path("../../../lib", __dir__)]

  def consumer
    Process.spawn({ "KARAFKA_ROOT_DIR" => Dir.tmpdir }, *ruby, "consumer.rb", @address, @notes.path, chdir: __dir__, out: File::NULL).tap { |pid| @processes << pid }
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
      until yield
        flunk "the consumer has ended" if Process.wait(pid, Process::WNOHANG)
        sleep 0.05
      end
    end
  end

  def within(what, &block)
    Timeout.timeout(PATIENCE, nil, "waited #{PATIENCE} s for #{what}; noted: #{notes.last(5)}", &block)
  end

  def notes = @notes ? File.readlines(@notes.path, chomp: true) : []
  def taken = notes.grep(/\A\d/).map(&:split)
  def ids = taken.map { |note| note[3].to_i }

  def order(id, type = Shop::Order, **more)
    type.new(id:, lines: Array.new(id % 4) { |i| Shop::Line.new(cents: i) }, **more)
  end

  def produce(ids, type = Shop::Order, **more)
    ids.each_slice(500) do |some|
      @producer.produce_many_async(some.map { |id| { topic: "orders", key: id, payload: order(id, type, **more) } })
               .each { |handle| handle.wait(max_wait_timeout: PATIENCE) }
    end
  end

  # A consumer that is killed reads again what it had not marked, from the same places.
  def test_each_record_comes_although_a_consumer_is_killed
    produce([0])
    @producer.produce_sync(topic: "orders_dead", payload: "x")
    first = consumer
    producing = Thread.new { produce((1...COUNT).to_a) }
    wait_for("the first records", first) { ids.size > COUNT / 4 }
    stop(first, :KILL)
    last = consumer
    within("the producer") { producing.value }
    wait_for("all records", last) { ids.uniq.size == COUNT }
    stop(last, :TERM)

    assert_equal (0...COUNT).to_a, ids.uniq.sort
    assert_empty notes.grep(/\Aerror/)
    places = taken.group_by { |partition, offset,| [partition, offset] }

    assert_equal COUNT, places.size
    places.each_value { |each| assert_equal 1, each.uniq.size }
    taken.each { |_, _, key, id, sum| assert_equal [id, (0...(id.to_i % 4)).sum], [key, sum.to_i] }
  end

  def test_poison_a_tombstone_and_a_later_revision
    produce([0])
    @producer.produce_sync(topic: "orders_dead", payload: "x")
    pid = consumer
    wait_for("the first record", pid) { ids.include?(0) }
    @producer.produce_sync(topic: "orders", key: 1, payload: "\xff poison".b)
    @producer.produce_sync(topic: "orders", key: 2, payload: nil)
    produce((3..40).to_a)
    produce((41..80).to_a, Shop::OrderNext, note: "new")
    wait_for("all records", pid) { (ids & (3..80).to_a).size == 78 && notes.include?("dead 8") }
    stop(pid, :TERM)

    assert_equal ["dead 8"], notes.grep(/\Adead 8/)
    assert_equal ["2 none"], taken.map { |note| note[2, 2].join(" ") }.grep(/none/).uniq
    assert_match(%r{\Aerror Sparpack::DecodeError\S* orders/\d at \d+: }, notes.grep(/\Aerror/).first)
  end
end
