# frozen_string_literal: true

require "test_helper"
require "active_support"
require "active_support/notifications"
require "sparpack/notifications"
require "support/fresh_ruby"

# Sparpack::Notifications with the subscribers of Active Support.
class NotificationsTest < Minitest::Test
  include FreshRuby

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true
    field 2, :note, :string
  end

  CODEC = Sparpack::Codec.new(Order, :binary, observe: Sparpack::Notifications)
  ORDER = Order.new(id: 7, note: "a secret").freeze

  def test_events
    found = collect(/sparpack/) { CODEC.decode(CODEC.encode(ORDER)) }
    size = ORDER.encode(:binary).bytesize

    assert_equal(%w[encode.sparpack decode.sparpack], found.map(&:name))
    assert_equal([{ struct: Order, wire: :binary, bytes: size }] * 2, found.map(&:payload))
    assert_equal(1, found.map(&:transaction_id).uniq.size)
  end

  def test_times_are_those_of_the_call
    before = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    event, = collect("encode.sparpack") { CODEC.encode(ORDER) }

    assert_operator before, :<=, event.time + 1e-3
    assert_operator event.time, :<, event.end
    assert_operator event.end, :<=, Process.clock_gettime(Process::CLOCK_MONOTONIC)
    assert_in_delta (event.end - event.time) * 1000, event.duration, 1e-6
  end

  def test_errors
    error = nil
    events = collect("decode.sparpack") { error = assert_raises(Sparpack::DecodeError) { CODEC.decode("\0") } }

    assert_equal [{ struct: Order, wire: :binary, bytes: 1, exception_object: error }], events.map(&:payload)
    events = collect("encode.sparpack") { error = assert_raises(Sparpack::EncodeError) { CODEC.encode(Order.new) } }
    assert_equal [{ struct: Order, wire: :binary, bytes: nil, exception_object: error }], events.map(&:payload)
  end

  # Active Support's own callbacks take several forms.
  def test_other_subscribers
    five = []
    ActiveSupport::Notifications.subscribed(->(*arguments) { five << arguments }, "encode.sparpack") { CODEC.encode(ORDER) }
    name, start, finish, id, payload = five.first

    assert_equal "encode.sparpack", name
    assert_operator start, :<, finish
    assert_kind_of String, id
    assert_equal Order, payload[:struct]
  end

  def test_nothing_is_made_without_a_subscriber
    made = 0
    counting = TracePoint.new(:c_call, :call) do |point|
      made += 1 if point.method_id == :initialize && point.defined_class == ActiveSupport::Notifications::Event
    end
    counting.enable do
      CODEC.encode(ORDER)
      collect("decode.sparpack") { CODEC.encode(ORDER) }

      assert_equal 0, made
      collect("encode.sparpack") { CODEC.encode(ORDER) }
    end

    assert_equal 1, made
  end

  def test_a_subscriber_that_raises_is_not_the_codecs_fault
    bytes = nil
    codec = Sparpack::Codec.new(Order, observe: Sparpack::Notifications)
    _, said = capture_io do
      ActiveSupport::Notifications.subscribed(->(_event) { raise IOError, "no" }, "encode.sparpack") do
        bytes = codec.encode(ORDER)
      end
    end

    assert_equal ORDER.encode, bytes
    assert_match(/an observer raised IOError: no/, said)
  end

  def test_no_value_is_published
    events = collect(/sparpack/) { CODEC.decode(CODEC.encode(ORDER)) }

    refute_includes events.map { |event| event.payload.inspect }.join, "secret"
  end

  def test_nothing_is_loaded
    script = 'require "sparpack/notifications"; Sparpack::Notifications.call(nil); print defined?(ActiveSupport).inspect'

    assert_equal "nil", fresh_ruby(script)
  end

  private

  def collect(pattern, &block)
    events = []
    ActiveSupport::Notifications.subscribed(->(event) { events << event }, pattern, &block)
    events
  end
end
