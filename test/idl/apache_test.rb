# frozen_string_literal: true

require "test_helper"
require "rbconfig"
require "tmpdir"
require "support/command"

# Compares the classes that Apache's compiler generates with ours, from one .thrift file: random objects have the same bytes.
class IDLApacheTest < Minitest::Test
  IDL  = File.expand_path("../fixtures/idl/apache.thrift", __dir__)
  TWIN = File.expand_path("../support/apache_twin.rb", __dir__)

  def test_the_same_bytes
    skip "thrift is missing: apt-get install thrift-compiler" unless Command.success?("thrift", "-version")
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
    Dir.mktmpdir do |folder|
      output, status = Command.capture2e("thrift", "-r", "--gen", "rb", "-out", folder, IDL)

      assert_predicate status, :success?, output
      output, status = Command.capture2e(RbConfig.ruby, TWIN, IDL, folder,
                                         "ApacheMade::Types", ENV.fetch("SEED", "11"), "50")

      assert_predicate status, :success?, output
      assert_equal "11 structs, 559 objects, 5 constants\n", output.lines.last
    end
  end
end
