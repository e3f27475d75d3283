# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "rbconfig"
require "support/command"
require "support/fresh_ruby"
require "tmpdir"

# Classes of the thrift gem from IDL: `sparpack generate --style thrift`.
class GenerateThriftTest < Minitest::Test
  include FreshRuby

  APACHE = File.expand_path("../fixtures/idl/apache.thrift", __dir__)
  TWIN   = File.expand_path("../support/apache_twin.rb", __dir__)

  SHARED = <<~THRIFT
    namespace rb acme.shared

    /** A colour. */
    enum color { red, blue = 5, _odd = 7, crimson = 0, END = 9 }

    struct Point { 1: required i32 x, 2: optional double y = 1 }
    service HTTPBase { i32 ping() }
  THRIFT

  SHOP = <<~THRIFT
    namespace rb acme.shop
    include "shared.thrift"

    typedef bool flag

    /** A tree. */
    struct Tree {
      /** Its root. */
      1: required i64 id
      2: required flag alive
      3: required shared.color color
      4: optional list<leaf> leaves
    }

    union leaf { 1: string text, 2: shared.color color }

    exception gone { 1: string reason }

    /** Sells. */
    service Sales extends shared.HTTPBase {
      /** Sells a tree. */
      Tree sell(1: i64 id, 2: string end) throws (1: gone gone)
      oneway void forget(1: i64 id)
    }
  THRIFT

  # As `thrift --gen rb` of version 0.25 writes them, apart from the comments and empty lines at the top.
  TREE = <<~RUBY
    # A tree.
    class Tree
      include ::Thrift::Struct, ::Thrift::Struct_Union

      ID_FIELD_ID = 1
      ALIVE_FIELD_ID = 2
      COLOR_FIELD_ID = 3
      LEAVES_FIELD_ID = 4

      FIELDS = {
        # Its root.
        ID_FIELD_ID => {type: ::Thrift::Types::I64, name: "id"},
        ALIVE_FIELD_ID => {type: ::Thrift::Types::BOOL, name: "alive"},
        COLOR_FIELD_ID => {type: ::Thrift::Types::I32, name: "color", enum_class: ::Acme::Shared::Color},
        LEAVES_FIELD_ID => {type: ::Thrift::Types::LIST, name: "leaves", element: {type: ::Thrift::Types::STRUCT, class: ::Acme::Shop::Leaf}, optional: true},
      }

      def struct_fields; FIELDS; end

      def validate
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Required field id is unset!") unless @id
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Required field alive is unset!") if @alive.nil?
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Required field color is unset!") unless @color
        unless @color.nil? || ::Acme::Shared::Color::VALID_VALUES.include?(@color)
          raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Invalid value of field color!")
        end
      end

      ::Thrift::Struct.generate_accessors self
    end
  RUBY

  LEAF = <<~RUBY
    class Leaf < ::Thrift::Union
      include ::Thrift::Struct_Union

      class << self
        def text(val)
          new(:text, val)
        end

        def color(val)
          new(:color, val)
        end
      end

      TEXT_FIELD_ID = 1
      COLOR_FIELD_ID = 2

      FIELDS = {
        TEXT_FIELD_ID => {type: ::Thrift::Types::STRING, name: "text", optional: true},
        COLOR_FIELD_ID => {type: ::Thrift::Types::I32, name: "color", enum_class: ::Acme::Shared::Color, optional: true},
      }

      def struct_fields; FIELDS; end

      def validate
        raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Union fields are not set.") if get_set_field.nil? || get_value.nil?
        if get_set_field == :color
          raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::INVALID_DATA, "Invalid value of field color!") unless ::Acme::Shared::Color::VALID_VALUES.include?(get_value)
        end
      end

      ::Thrift::Union.generate_accessors self
    end
  RUBY

  def setup
    skip "the thrift gem is missing: bundle install" unless Gem.loaded_specs["thrift"]
    @folder = Dir.mktmpdir
    File.write("#{@folder}/shared.thrift", SHARED)
    File.write("#{@folder}/shop.thrift", SHOP)
  end

  def teardown = FileUtils.rm_rf(@folder.to_s)

  def test_files
    assert_equal %w[h_t_t_p_base.rb sales.rb shared_constants.rb shared_types.rb shop_constants.rb shop_types.rb], files.keys
    assert_equal %w[acme/shared/h_t_t_p_base.rb acme/shared/shared_constants.rb acme/shared/shared_types.rb
                    acme/shop/sales.rb acme/shop/shop_constants.rb acme/shop/shop_types.rb], files(layout: :namespaced).keys
    assert_includes files(layout: :namespaced)["acme/shop/sales.rb"],
                    "require \"thrift\"\nrequire_relative \"../shared/h_t_t_p_base\"\nrequire_relative \"shop_types\"\n"
    assert_includes files(included: false)["shop_types.rb"], "\nrequire \"shared_types\"\n"
    assert(files.values.all? { |text| text.end_with?("\n") && !text.end_with?("\n\n") })
  end

  def test_the_text
    text = files["shop_types.rb"]

    [TREE, LEAF].each { |expected| assert_includes text, expected.gsub(/^(?=.)/, "    ") }
    assert_includes files["sales.rb"], "    # Sells.\n    module Sales\n"
    assert_includes files["sales.rb"], "        # Sells a tree.\n        def sell(id, end_)\n"
  end

  def test_the_bytes_are_those_of_sparpack
    written = Sparpack::Generate.write(Sparpack::Generate.files(APACHE, style: :thrift), @folder)

    assert_includes written, "apache_types.rb"
    ENV["SEED"] ||= Minitest.seed.to_s
    output, status = Command.capture2e(RbConfig.ruby, TWIN, APACHE, @folder, "ApacheMade::Types", ENV.fetch("SEED"), "50")

    assert_predicate status, :success?, output
    assert_equal "11 structs, 559 objects, 5 constants\n", output.lines.last
  end

  def test_enums
    map = { 0 => "Crimson", 5 => "Blue", 7 => "_odd", 9 => "END" }

    assert_equal [0, 5, 9, map, Set[0, 5, 7, 9], true], load(<<~RUBY)
      color = Acme::Shared::Color
      [color::Red, color::Blue, color.const_get(:END), color::VALUE_MAP, color::VALID_VALUES, color::VALID_VALUES.frozen?]
    RUBY
  end

  def test_what_is_refused
    { names: :ruby, ruby: false, rbs: true, rbi: true }.each do |option, value|
      error = assert_raises(ArgumentError) { files(option => value) }
      assert_equal "the style :thrift has the names of the IDL and no signatures", error.message
    end
    assert_equal "the style :thrift has no layout :type (it has: :file, :namespaced)",
                 assert_raises(ArgumentError) { files(layout: :type) }.message
  end

  REFUSED = {
    "namespace rb a\nenum E { VALUE_MAP }" =>
      '"VALUE_MAP" would be the constant VALUE_MAP, like a constant that every enum has',
    "namespace rb a\nenum E { a, A }" => '"A" would be the constant A, like "a"',
    "namespace rb a\nstruct END {}" => '"END" would be END, which is a keyword of Ruby',
    "namespace rb a\nstruct s {}\nenum S {}" => '"S" would be the constant ::A::S, like "s"',
    "namespace rb a\nservice S { void f(), void F() }" => '"F" would be the constant F_args, like "f"',
    "namespace rb a.END\nstruct S {}" => 'the namespace "a.END" would be END, which is a keyword of Ruby',
    "namespace rb string\nstruct S {}" =>
      'the namespace "string" would be ::String, which Ruby itself defines (add a namespace)',
    "struct String {}" => '"String" would be ::String, which Ruby itself defines (add a namespace)'
  }.freeze

  def test_names_that_cannot_be_written
    REFUSED.each do |idl, message|
      File.write("#{@folder}/one.thrift", idl)
      error = assert_raises(ArgumentError) { Sparpack::Generate.files("#{@folder}/one.thrift", style: :thrift) }

      assert_equal "#{@folder}/one.thrift: #{message}", error.message
    end
    File.write("#{@folder}/shared.thrift", "include \"shop.thrift\"\n#{SHARED}")
    assert_match(/include one another, which the style thrift does not/, assert_raises(ArgumentError) { files }.message)
  end

  private

  def files(**options) = Sparpack::Generate.files("#{@folder}/shop.thrift", style: :thrift, **options)

  # @return [Object] what the code returns after the generated files were loaded
  def load(code)
    written = Sparpack::Generate.write(files, "#{@folder}/gen")
    requires = written.map { |path| "require #{"#{@folder}/gen/#{path}".inspect}" }
    fresh_result(<<~RUBY)
      #{requires.join("\n")}
      File.binwrite(ARGV.last, Marshal.dump(begin
        #{code}
      end))
    RUBY
  end
end
