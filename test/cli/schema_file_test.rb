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
    "outer" => "namespace rb Object\nstruct OutermostPoint { 1: i64 outermost }",
    "swapped" => <<~THRIFT,
      struct A { 1: i64 of_a } (sparpack.ruby = "B")
      struct B { 1: i64 of_b } (sparpack.ruby = "A")
      struct Order { 1: i64 of_order }
      struct order_item { 1: i64 of_item } (sparpack.ruby = "Order::Item")
      struct bill { 1: i64 of_bill } (sparpack.ruby = "::Elsewhere::Invoice")
    THRIFT
    "base" => "namespace rb Ground\nstruct Point { 1: i64 of_point }\nstruct Line { 1: i64 of_base_line }",
    "far" => "struct Plane { 1: i64 of_plane } (sparpack.ruby = \"Level\")",
    "single" => "namespace rb Ground\ninclude \"base.thrift\"\ninclude \"far.thrift\"\nstruct Shape { 1: i64 of_shape }",
    "several" => <<~THRIFT,
      namespace rb Over
      include "base.thrift"
      include "far.thrift"
      struct Line { 1: i64 of_line }
      struct Box { 1: i64 of_box } (sparpack.ruby = "Ground::Point")
    THRIFT
    "none" => "namespace rb Nothing\ninclude \"base.thrift\"",
    "empty" => "const i32 A = 1"
  }.each { |name, text| File.write("#{FOLDER}/#{name}.thrift", text) }

  # The top level has constants that Ruby loads when somebody asks for them, and some of these fail.
  def test_a_file_whose_namespace_is_the_top_level
    Object.autoload(:BrokenAtTheTopLevel, "#{FOLDER}/none.rb")

    assert_equal "outermost", field("outer", "OutermostPoint")
    assert_equal "outermost", field("outer")
  ensure
    Object.send(:remove_const, :BrokenAtTheTopLevel)
  end

  # A, in another module, would be B in Ruby.
  def test_names_of_the_idl_and_of_ruby
    {
      "of_a" => %w[A swapped.A], "of_b" => %w[B swapped.B], "of_order" => %w[Order Swapped::Order swapped.Order],
      "of_item" => %w[order_item Order::Item Item Swapped::Order::Item ::Swapped::Order::Item Order.Item],
      "of_bill" => %w[bill Invoice Elsewhere::Invoice]
    }.each do |expected, names|
      names.each { |name| assert_equal expected, field("swapped", name), name }
    end
    # The full names are only those of Ruby.
    assert_equal %w[of_b of_a], [field("swapped", "Swapped::A"), field("swapped", "Swapped::B")]
    assert_includes field("swapped", "bil"), "no struct bil in #{FOLDER}/swapped.thrift (did you mean \"bill\"?)"
    assert_includes field("swapped", "Invoic"), "(did you mean \"Invoice\"?)"
  end

  # Included structs have names, too, but none of them is meant if there is no name.
  def test_a_file_that_includes_others
    assert_equal "of_shape", field("single")
    assert_equal %w[of_point of_base_line], [field("single", "Point"), field("single", "base.Line")]
    assert_includes field("several"), "which struct? Pass --type: Over::Ground::Point, Over::Line"
    assert_includes field("none"), "which struct? Pass --type: Ground::Line, Ground::Point"
    assert_includes field("empty"), "empty.thrift declares no struct"
    {
      "of_line" => %w[Line several.Line Over::Line], "of_base_line" => %w[base.Line Ground::Line],
      "of_box" => %w[Box Over::Ground::Point], "of_point" => %w[base.Point Ground::Point],
      "of_plane" => %w[Plane far.Plane Level Far::Level]
    }.each do |expected, names|
      names.each { |name| assert_equal expected, field("several", name), name }
    end
  end

  # The classes in a Ruby file may have names in the IDL, too. Ruby loads each file once.
  def test_names_in_a_ruby_file
    { "book_t" => "of_book", "Book" => "of_book", "Shelf2::Book" => "of_book", "Page" => "of_page" }
      .each_with_index do |(name, expected), index|
      File.write("#{FOLDER}/shelf#{index}.rb", <<~RUBY)
        module Shelf#{index}
          class Book < Sparpack::Struct
            idl "book_t"
            field 1, :of_book, :i64
          end

          class Page < Sparpack::Struct
            field 1, :of_page, :i64
          end
        end
      RUBY

      assert_equal expected, field("shelf#{index}.rb", name), name
    end
  end

  private

  # The name of the field 1 of the struct that is found, or what the command says.
  def field(file, type = nil)
    file += ".thrift" if File.extname(file).empty?
    typed = ["--schema", "#{FOLDER}/#{file}", *(["--type", type] if type)]
    status, output, errors = run_cli("convert", *typed, "--from", "compact", "--to", "json", input: "\x16\x02\x00",
                                                                                           output: StringIO.new("".b))
    status.zero? ? output[/"(\w+)":1/, 1] : errors.lines.first.chomp
  end
end
