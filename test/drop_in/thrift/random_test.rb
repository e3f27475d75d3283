# frozen_string_literal: true

require "test_helper"
require "support/thrift_cases"
require "support/seeded"

# bin/test: first, for it takes long and would keep one processor busy at the end

# Random classes, objects and messages: the drop-in must do what the gem does. Two processes make the same ones, and print
# what they see: bytes, values, exceptions, and what is left in the transport.
class DropInThriftRandomTest < Minitest::Test
  include Seeded

  def test_objects_and_faulty_messages = compare(rounds: 150, mutations: 8)
  def test_many_classes = compare(rounds: 400, mutations: 1)

  private

  def compare(rounds:, mutations:)
    seed = random.rand(1 << 30)
    theirs, ours = ThriftCases::MODES.map { |mode| ThriftCases.random(mode, seed, rounds, mutations) }

    different = theirs.zip(ours).reject { |their, our| their == our }.first(3)
    assert_empty(different.map { |their, our| "\nexpected: #{their}\n     got: #{our}" })
    assert_equal theirs.size, ours.size
    assert_operator theirs.grep(/: nil, Fuzz/).size, :>, rounds
  end
end
