# frozen_string_literal: true

# The files of this room require support/test_wires, which has no effect once Sparpack is loaded. It is loaded first here, so
# these tests run over Sparpack's own wires only: wires do not depend on how an object stores its fields.
require "test_helper"
require "support/adopted_twin"

files = Dir[File.join(__dir__, "*_test.rb")] - [File.expand_path(__FILE__), File.join(__dir__, "test_wires_test.rb")]
(files + [File.expand_path("../codec/unknown_test.rb", __dir__)]).each { |file| require file }

module Contract
  # The contract again, for objects of another storage: each test of this room asserts the same of objects whose fields are
  # instance variables. The tests themselves run where they are.
  module Adopted
    TESTS = Minitest::Runnable.runnables.select { |test| test.include?(::Reading) }.freeze

    TESTS.each do |test|
      const_set(test.name.split("::").last, Class.new(test) { include AdoptedTwin::Reading })
      Minitest::Runnable.runnables.delete(test)
    end

    # The subclasses take the assertions of the twins, which ask for those of Reading.
    class TwinsTest < Minitest::Test
      include ::Reading

      class Point < Sparpack::Struct
        field 1, :x, :i32
      end

      def test_all_tests_of_the_room_have_twins
        assert_operator TESTS.size, :>=, 6
        TESTS.each do |test|
          twins = Adopted.const_get(test.name[/\w+\z/])

          assert_equal test.runnable_methods.sort, twins.runnable_methods.sort
        end
      end

      def test_a_twin_is_an_object_of_a_plain_class
        twin = AdoptedTwin.of(Point.new(x: 1))

        assert_equal [[:@x], 1, false],
                     [twin.instance_variables, twin.instance_variable_get(:@x), twin.is_a?(Sparpack::Value)]
        assert_equal Point.new(x: 1), AdoptedTwin.back(twin)
      end
    end
  end
end
