# frozen_string_literal: true

require "test_helper"
require "support/seeded"
require_relative "../../bin/lib/fuzzing/corpus"
require_relative "../../fuzz/ruby/choices"
require_relative "../../fuzz/ruby/targets"

# The inputs that fuzzers kept, and some new ones. bin/fuzz continues for as long as you like.
class FuzzTest < Minitest::Test
  include Seeded

  NEW = 20

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
