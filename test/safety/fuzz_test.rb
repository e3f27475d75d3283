# frozen_string_literal: true

require "test_helper"
require "support/seeded"
require_relative "../../bin/lib/fuzzing/corpus"
require_relative "../../fuzz/ruby/choices"
require_relative "../../fuzz/ruby/target"
require_relative "../../fuzz/ruby/targets"

# The inputs that fuzzers kept, and some new ones. bin/fuzz continues for as long as you like.
class FuzzTest < Minitest::Test
  include Seeded

  NEW = 20

  def test_payloads_are_tried_whole_and_damaged
    target = Fuzzing::Target.new
    tried = []
    target.send(:each_damaged, Fuzzing::Choices.new(random.bytes(30)), "payload".b) { |bytes| tried << bytes }

    assert_equal "payload", tried.first
    assert_operator tried.uniq.size, :>, 1
    assert_equal tried.size, target.payloads
  end

  def test_inputs_are_kept_for_each_target
    assert_empty(Fuzzing::TARGETS.keys.reject { |name| Fuzzing::Corpus.new(name).inputs.any? })
  end

  Fuzzing::TARGETS.each do |name, make|
    define_method("test_#{name}") do
      target = make.call
      inputs = Fuzzing::Corpus.new(name).inputs + Array.new(NEW) { random.bytes(random.rand(4..100)) }
      inputs.each do |input|
        assert_kind_of Symbol, target.run(Fuzzing::Choices.new(input))
      rescue StandardError, SystemStackError, NoMemoryError => e
        flunk "bin/fuzz #{name} finds #{input.unpack1("H*")}:\n#{e.full_message(highlight: false)}"
      end
    end
  end
end
