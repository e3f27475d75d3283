# frozen_string_literal: true

# Consumes orders, and notes each of them in a file: ADDRESS FILE CLASS

require "karafka"
require "sparpack/karafka"
require_relative "orders"

ADDRESS, FILE, CLASS = ARGV
NOTES = File.new(FILE, "a").tap { |file| file.sync = true }

class Orders < Karafka::BaseConsumer
  def consume
    messages.each do |message|
      order = message.payload
      content = order ? [order.id, order.lines.sum(&:cents), *(order.note if CLASS == "Shop::OrderNext")] : "none"
      NOTES.puts(["read", Process.pid, message.partition, message.offset, message.key, *content].join(" "))
      mark_as_consumed(message)
    end
  end
end

# Records that nobody could read.
class Dead < Karafka::BaseConsumer
  def consume
    messages.each { |message| NOTES.puts("dead #{message.payload.bytesize}") }
  end
end

class App < Karafka::App
  setup do |config|
    config.client_id = "test"
    config.kafka = { "bootstrap.servers": ADDRESS, "auto.offset.reset": "earliest", "session.timeout.ms": 6000,
                     "heartbeat.interval.ms": 500, "topic.metadata.refresh.interval.ms": 500 }
    config.max_wait_time = 200
    config.concurrency = 2
    config.logger = Logger.new(nil)
  end

  monitor.subscribe("error.occurred") { |event| NOTES.puts("error #{event[:error].class} #{event[:error].message}") }

  routes.draw do
    topic :orders do
      consumer Orders
      deserializers payload: Sparpack::Karafka.payload(CLASS), key: Sparpack::Karafka.key(:i64)
      dead_letter_queue topic: "orders_dead", max_retries: 0
    end
    topic :orders_dead do
      consumer Dead
      deserializers payload: Sparpack::Karafka.raw
    end
  end
end

Karafka::Server.run
