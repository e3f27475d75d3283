# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/thrift_cases"

# The behaviour of the thrift gem, case by case. What is expected is written down in test/golden/thrift/cases. Each case runs
# on the gem alone, which shows that the expectation is the gem's behaviour, and with the drop-in. UPDATE=1 writes down what
# the gem does. Where the drop-in differs with reason, a second entry has "[drop_in]" in its title.
#
# Ruby's own messages and the order of instance variables depend on Ruby's version. What is written down is of Ruby 3.1. With
# another version, the drop-in must do what the gem does in the same Ruby.
class DropInThriftCasesTest < Minitest::Test
  WRITTEN = RUBY_VERSION.start_with?("3.1.")
  RESULTS = Hash.new do |results, (mode, file)|
    results[[mode, file]] = ThriftCases.run(mode, [file])
  end

  ThriftCases::FILES.each do |file|
    ThriftCases.write(file, RESULTS[[:gem, file]]) if ENV["UPDATE"]
    expected = ThriftCases.expected(file)

    ThriftCases.names(file).each do |name|
      ThriftCases::MODES.each do |mode|
        define_method("test_#{File.basename(file, ".rb")}: #{name} [#{mode}]") do
          assert expected.key?(name), "UPDATE=1 writes down what the gem does"
          lines = expected["#{name} [#{mode}]"] || (WRITTEN ? expected : RESULTS[[:gem, file]]).fetch(name)

          assert_equal lines.join("\n"), RESULTS[[mode, file]].fetch(name).join("\n")
        end
      end
    end

    define_method("test_#{File.basename(file, ".rb")} expects nothing of cases that do not exist") do
      assert_empty expected.keys.map { |name| name.delete_suffix(" [drop_in]") } - ThriftCases.names(file)
    end
  end
end
