# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "support/thrift_cases"
require "tmpdir"

# Classes that several versions of Apache's compiler generate.
class DropInThriftShapesTest < Minitest::Test
  FILES = ThriftCases::FILES.grep(/(reading|writing)\.rb\z/)
  IDL = File.join(ThriftCases::ROOT, "test/fixtures/market.thrift")

  # Versions before 0.24 give these errors the number 0.
  def test_classes_of_an_older_version
    expected = ThriftCases.run(:gem, FILES)
    ThriftCases::MODES.each do |mode|
      results = ThriftCases.run(mode, FILES, shape: ThriftCases::SHAPES.fetch("0.17"))

      assert_equal(numbered(expected), numbered(results), mode)
    end
  end

  def test_the_compiler_that_is_installed
    version = Command.success?("thrift", "-version") && Command.capture2e("thrift", "-version").first[/\d+\.\d+/]
    skip "thrift 0.17 is missing: apt-get install thrift-compiler" unless version == "0.17"
    Dir.mktmpdir do |folder|
      output, status = Command.capture2e("thrift", "--allow-neg-keys", "-out", folder, "--gen", "rb", IDL)

      assert_predicate status, :success?, output
      %w[market_types base shop].each do |name|
        assert_equal File.read(File.join(ThriftCases::SHAPES.fetch("0.17"), "#{name}.rb")), File.read("#{folder}/#{name}.rb")
      end
    end
  end

  private

  def numbered(results)
    results.transform_values { |lines| lines.map { |line| line.gsub(/\(\d\)(: (Required|Invalid value))/, "\\1") } }
  end
end
