# frozen_string_literal: true

# bin/test: not sanitized, for this is about the names of structs

require "test_helper"
require "stringio"
require "tmpdir"
require "support/cli"

# `--schema` and `--type`: which structs the commands find in a file.
class CLISchemaFileTest < Minitest::Test
  include CLI

  # Each file is loaded once, because its structs cannot be defined a second time.
  FOLDER = Dir.mktmpdir
  Minitest.after_run { FileUtils.rm_rf(FOLDER) }

  {
    "outer" => "namespace rb Object\nstruct OutermostPoint { 1: i64 outermost }"
  }.each { |name, text| File.write("#{FOLDER}/#{name}.thrift", text) }

  # The top level has constants that Ruby loads when somebody asks for them, and some of these fail.
  def test_a_file_whose_namespace_is_the_top_level
    Object.autoload(:BrokenAtTheTopLevel, "#{FOLDER}/none.rb")

    assert_equal "outermost", field("outer", "OutermostPoint")
    assert_equal "outermost", field("outer")
  ensure
    Object.send(:remove_const, :BrokenAtTheTopLevel)
  end

  private

  # The name of the field 1 of the struct that is found, or what the command says.
  def field(file, type = nil)
    typed = ["--schema", "#{FOLDER}/#{file}.thrift", *(["--type", type] if type)]
    status, output, errors = run_cli("convert", *typed, "--from", "compact", "--to", "json", input: "\x16\x02\x00",
                                                                                           output: StringIO.new("".b))
    status.zero? ? output[/"(\w+)":1/, 1] : errors.lines.first.chomp
  end
end
