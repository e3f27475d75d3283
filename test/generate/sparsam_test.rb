# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "support/fresh_ruby"
require "tmpdir"

# Classes of Sparsam from IDL: `sparpack generate --style sparsam`.
class GenerateSparsamTest < Minitest::Test
  include FreshRuby

  SHARED = <<~THRIFT
    namespace rb acme.shared

    enum color { red, blue = 5 }

    struct Point { 1: required i32 x, 2: optional double y = 1 }
  THRIFT

  SHOP = <<~THRIFT
    namespace rb acme.shop
    include "shared.thrift"

    const double RATE = 0.1234567890123
    const list<string> lines = ["a\\nb", 'c']
    const map<i32, shared.Point> POINTS = {1: {"x": 5}}

    /** A tree. */
    struct Tree {
      /** Its root. */
      1: i64 id (a.b = "x", flag)
      2: optional list<Tree> trees
      3: optional Leaf leaf
      4: optional shared.color color = shared.color.blue
      5: optional map<string, set<binary>> parts = {}
    } (kind = "plant")

    union Leaf { 1: Tree tree, 2: string text }

    exception gone { 1: optional string message = "gone" }
  THRIFT

  FIELDS = {
    1 => { type: 10, name: "id", annotations: { "a.b" => "x", "flag" => "1" } },
    2 => { type: 15, name: "trees", optional: true, annotations: {}, element: { type: 12, class: "Acme::Shop::Tree" } },
    3 => { type: 12, name: "leaf", optional: true, annotations: {}, class: "Acme::Shop::Leaf" },
    4 => { type: 8, name: "color", default: 5, optional: true, annotations: {}, enum_class: "Acme::Shared::Color" },
    5 => { type: 13, name: "parts", default: {}, optional: true, annotations: {}, key: { type: 11 },
           value: { type: 14, element: { type: 11, binary: true } } }
  }.freeze

  def setup
    @folder = Dir.mktmpdir
    File.write("#{@folder}/shared.thrift", SHARED)
    File.write("#{@folder}/shop.thrift", SHOP)
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_files
    assert_equal %w[shared_constants.rb shared_types.rb shop_constants.rb shop_types.rb], files.keys
    assert(files.values.all? { |text| text.end_with?("\n") && !text.end_with?("\n\n") })
    assert_includes files["shop_types.rb"], "    # A tree.\n    class Tree < ::Sparsam::Struct\n"
    assert_includes files["shop_types.rb"], "        # Its root.\n        1 => {\n"
  end

  def test_classes
    result = load(<<~RUBY)
      plain = ->(value) { value.is_a?(Hash) ? value.transform_values(&plain) : value.is_a?(Module) ? value.name : value }
      tree = Acme::Shop::Tree
      tree::FIELDS.transform_values(&plain).then { |fields| [fields, tree::ANNOTATIONS, tree.superclass.name,
        Acme::Shop::Leaf.superclass.name, Acme::Shop::Leaf::FIELDS[2], Acme::Shop::Gone.superclass.name] }
    RUBY

    assert_equal [FIELDS, { "kind" => "plant" }, "Sparsam::Struct", "Sparsam::Union",
                  { type: 11, name: "text", optional: true, annotations: {} }, "Sparsam::ApplicationException"], result
  end

  def test_constants_and_enums
    result = load(<<~RUBY)
      shop = Acme::Shop
      color = Acme::Shared::Color
      [shop::RATE, shop::Lines, shop::POINTS[1].then { |point| [point.x, point.y] },
       color::Red, color::VALUE_MAP, color::INVERTED_VALUE_MAP, color::VALID_VALUES]
    RUBY

    assert_equal [0.1234567890123, %W[a\nb c], [5, 1.0], 0, { 0 => "Red", 5 => "Blue" }, { "Red" => 0, "Blue" => 5 },
                  Set[0, 5]], result
  end

  def test_the_classes_work
    result = load(<<~RUBY)
      tree = Acme::Shop::Tree.new(id: 1, trees: [Acme::Shop::Tree.new(id: 2)], leaf: Acme::Shop::Leaf.new(:text, "a"))
      bytes = tree.serialize(Sparsam::BinaryProtocol)
      read = Sparsam::Deserializer.deserialize(Acme::Shop::Tree, bytes, Sparsam::BinaryProtocol)
      [read.trees[0].id, read.leaf.text, read.color, read.parts, read == tree, Acme::Shop::Gone.new.message]
    RUBY

    assert_equal [2, "a", 5, {}, true, "gone"], result
  end

  def test_no_namespace_is_no_module
    File.write("#{@folder}/plain.thrift", "struct Plain { 1: i32 a }")

    assert_includes Sparpack::Generate.files("#{@folder}/plain.thrift", style: :sparsam)["plain_types.rb"],
                    "\nclass Plain < ::Sparsam::Struct\n"
  end

  def test_what_is_refused
    { names: :ruby, ruby: false, rbs: true, rbi: true }.each do |option, value|
      error = assert_raises(ArgumentError) { files(option => value) }
      assert_equal "the style :sparsam has the names of the IDL and no signatures", error.message
    end
    assert_equal "the style :sparsam has no layout :type (it has: :file)",
                 assert_raises(ArgumentError) { files(layout: :type) }.message
    assert_equal 'unknown style "sparsam"', assert_raises(ArgumentError) { files(style: "sparsam") }.message[/\A[^(]*"/]
    File.write("#{@folder}/shared.thrift", "include \"shop.thrift\"\n#{SHARED}")
    assert_match(/include one another/, assert_raises(ArgumentError) { files }.message)
    File.write("#{@folder}/shared.thrift", "struct Point { 1: uuid id }")
    error = assert_raises(ArgumentError) { Sparpack::Generate.files("#{@folder}/shared.thrift", style: :sparsam) }
    assert_equal "the style sparsam has no type uuid", error.message
  end

  private

  def files(**options) = Sparpack::Generate.files("#{@folder}/shop.thrift", style: :sparsam, **options)

  # @return [Object] what the code returns after the generated files were loaded
  def load(code)
    Sparpack::Generate.write(files, "#{@folder}/gen")
    fresh_result(<<~RUBY)
      require "sparpack/drop_in/sparsam"
      require #{"#{@folder}/gen/shop_constants".inspect}
      File.binwrite(ARGV.last, Marshal.dump(begin
        #{code}
      end))
    RUBY
  end
end
