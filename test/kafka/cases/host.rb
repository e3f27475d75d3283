# frozen_string_literal: true

# Runs librdkafka's mock cluster. Prints its address, and ends when the input ends.

require "rdkafka"

reader, writer = IO.pipe
Rdkafka::Config.logger = Logger.new(writer)
producer = Rdkafka::Config.new("bootstrap.servers" => "none", "test.mock.num.brokers" => 1, "debug" => "mock").producer
Thread.new do
  reader.each_line do |line|
    address = line[/bootstrap\.servers=(\S+)/, 1]
    $stdout.puts(address) || $stdout.flush if address
  end
end
$stdin.read
producer.close
