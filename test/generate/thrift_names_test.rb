# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "rbconfig"
require "tmpdir"
require "support/command"

# Fields, arguments and functions of `sparpack generate --style thrift` that have the names of methods and keywords.
class GenerateThriftNamesTest < Minitest::Test
  USES = File.expand_path("../support/thrift_names.rb", __dir__)

  # Methods that Ruby and its libraries call if an object has them.
  CONVERSIONS = %w[to_ary to_str to_hash to_int to_io to_path to_proc to_a to_i to_json as_json marshal_dump marshal_load
                   _dump encode_with init_with coerce each call pretty_print begin end].freeze

  def setup
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
  end

  def test_fields_with_the_names_of_methods
    Dir.mktmpdir do |folder|
      idl = names.each_with_index.map do |name, index|
        ["struct Struct#{index} { 1: optional string #{name} }", "union Union#{index} { 1: string #{name} }",
         "exception Exception#{index} { 1: optional string #{name}, 2: optional i32 number }",
         "exception Text#{index} { 1: optional string #{name} }"]
      end
      File.write("#{folder}/names.thrift", "namespace rb names\n#{idl.join("\n")}\n")
      Sparpack::Generate.write(Sparpack::Generate.files("#{folder}/names.thrift", style: :thrift), folder)
      %w[thrift sparpack/drop_in/thrift].each do |file|
        output, = Command.capture2e(RbConfig.ruby, "-W0", USES, file, folder, *names)

        assert_equal "#{names.size} names\n", output, file
      end
    end
  end

  private

  # The names of all methods that an object, an exception, a union or their classes have.
  def names
    @names ||= begin
      require "thrift"
      modules = [Object, Exception, Class, Thrift::Struct, Thrift::Struct_Union, Thrift::Union]
      methods = modules.flat_map do |found|
        found.instance_methods + found.private_instance_methods
      end
      methods.filter_map { |name| name[/\A[a-z_]\w*(?=[?!=]?\z)/i] }.union(CONVERSIONS).sort
    end
  end
end
