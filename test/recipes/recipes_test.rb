# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems, and other tests run the same native code
# bin/test: first, for it waits for other processes

require "test_helper"
require "support/redis_server"
require "support/side_bundle"

# The recipes of docs/recipes.md with redis-client, Sidekiq and Fluentd. They are not in the bundle, so each file of cases
# runs in a process of its own. log_test.rb has the log files.
class RecipesTest < Minitest::Test
  GEMS = {
    "redis" => { "redis-client" => "~> 0.26", "minitest" => "~> 5.25" },
    "sidekiq" => { "sidekiq" => "~> 7.3", "minitest" => "~> 5.25" },
    "fluentd" => { "fluentd" => "~> 1.18.0", "minitest" => "~> 5.25" }
  }.freeze

  SideBundle.define_cases(self, GEMS.keys.map { |name| File.join(__dir__, "cases/#{name}.rb") }) do |file|
    name = File.basename(file, ".rb")
    skip RedisServer::MISSING unless name == "fluentd" || Command.success?("redis-server", "--version")
    SideBundle.capture(name, GEMS.fetch(name), RbConfig.ruby, "-W1", file) { |reason| skip reason }
  end
end
