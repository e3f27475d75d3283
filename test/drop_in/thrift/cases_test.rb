# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/thrift_cases"

# The behaviour of the thrift gem, case by case. What is expected is written down in test/golden/thrift/cases. Each case runs
# on the gem alone, which shows that the expectation is the gem's behaviour, and with the drop-in. UPDATE=1 writes down what
# the gem does. Where the drop-in differs with reason, a second entry has "[drop_in]" in its title.
class DropInThriftCasesTest < Minitest::Test
  RESULTS = Hash.new do |results, (mode, file)|
    results[[mode, file]] = ThriftCases.run(mode, [file])
  end

  ThriftCases::FILES.each do |file|
    ThriftCases.write(file, RESULTS[[:gem, file]]) if ENV["UPDATE"]
    expected = ThriftCases.expected(file)
    changed = ThriftCases.changed(file)

    ThriftCases.names(file).each do |name|
      ThriftCases::MODES.each do |mode|
        define_method("test_#{File.basename(file, ".rb")}: #{name} [#{mode}]") do
          assert expected.key?(name), "UPDATE=1 writes down what the gem does"
          lines = RESULTS[[:gem, file]].fetch(name) if changed.include?(name)
          lines ||= expected.fetch("#{name} [#{mode}]", expected[name])

          assert_equal lines.join("\n"), RESULTS[[mode, file]].fetch(name).join("\n")
        end
      end
    end

    define_method("test_#{File.basename(file, ".rb")} expects nothing of cases that do not exist") do
      assert_empty expected.keys.map { |name| name.delete_suffix(" [drop_in]") } - ThriftCases.names(file)
    end
  end
end
