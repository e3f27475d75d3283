# frozen_string_literal: true

require "test_helper"
require "support/thrift_cases"
require "support/thrift_gems"
require "support/seeded"

# bin/test: not sanitized, for it compiles other gems
# bin/test: first, for it takes long and would keep one processor busy at the end

# Other versions of the thrift gem: the same cases, and random ones. What the gem alone does is the expectation.
class DropInThriftVersionsTest < Minitest::Test
  include Seeded

  ThriftGems.versions.each do |version|
    define_method("test_cases_with_#{version}") do
      home = install(version)
      shape = ThriftCases::SHAPES.fetch(version < "0.24" ? "0.17" : "0.25")
      theirs, ours = ThriftCases::MODES.map { |mode| ThriftCases.run(mode, ThriftCases::FILES, version:, shape:, home:) }
      names = theirs.keys.reject { |name| theirs[name] == ours[name] } - ThriftCases.differing

      assert_operator theirs.size, :>, 300
      assert_empty(names.map do |name|
        "\n#{name}\nexpected: #{theirs[name].join("\n")}\n     got: #{ours[name].join("\n")}"
      end.first(5))
    end

    define_method("test_random_objects_with_#{version}") do
      home = install(version)
      seed = random.rand(1 << 30)
      # Versions before 0.24 crash when they read certain faulty messages.
      theirs, ours = ThriftCases::MODES.map { |mode| ThriftCases.random(mode, seed, 100, version < "0.24" ? 0 : 4, version:, home:) }

      assert_empty theirs.zip(ours).reject { |their, our| their == our }.first(3)
      assert_operator theirs.size, :>, 500
    end
  end

  private

  def install(version)
    ThriftGems.install("thrift", version) { |reason| skip "the registry cannot be reached: #{reason}" }
  end
end
