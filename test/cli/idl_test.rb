# frozen_string_literal: true

# bin/test: not sanitized, for it only declares classes

require "test_helper"
require "rbconfig"
require "tmpdir"
require "support/child"
require "support/cli"
require "support/command"

# Runs `sparpack idl` in a child, because it loads the user's code.
class CLIIdlTest < Minitest::Test
  include Child
  include CLI

  EXE = File.expand_path("../../exe/sparpack", __dir__)

  APP = <<~RUBY
    require "sparpack"

    module Shop
      module Status
        extend Sparpack::Enum

        OPEN = 1
      end

      class Order < Sparpack::Struct
        field 1, :id, :i64, required: true
        field 2, :status, Status, default: :OPEN
        field 3, :price, "Money"
      end

      class Trimmed < Order; end
      class Base < Sparpack::Struct; end
      class Derived < Base
        field 1, :x, :i8
      end
      class Api < Sparpack::Service
        function(:get, Order) { argument 1, :id, :i64 }
      end
      Class.new(Sparpack::Union)
    end

    class Money < Sparpack::Struct
      field 1, :cents, :i64
    end
  RUBY

  MONEY = "namespace rb Object\n\nstruct Money {\n  1: i64 cents,\n}\n"
  ORDER = "struct Order {\n  1: required i64 id,\n  2: Status status = Status.OPEN,\n  3: top_level.Money price,\n}\n"

  def setup
    @folder = Dir.mktmpdir
    write "app.rb", APP
  end

  def teardown = FileUtils.rm_rf(@folder)

  def test_classes
    assert_equal [0, MONEY, ""], idl("-r", "./app.rb", "Money")
    ["app.rb", "./app", "app", "#{@folder}/app"].each { |path| assert_equal 0, idl("-r", path, "::Money")[0], path }
    status, output, errors = idl("-r", "./app", "Shop::Order")

    assert_equal [0, ""], [status, errors]
    assert_equal ["// shop.thrift", "// top_level.thrift", "namespace rb Shop", "namespace rb Object"].sort,
                 output.lines(chomp: true).grep(%r{^(//|namespace)}).sort
    assert_includes output, ORDER
    refute_includes output, "Api"
  end

  # All except bases, subclasses that only add behaviour, and classes without a name.
  def test_all_classes
    status, output, errors = idl("-r", "./app")

    assert_equal [0, ""], [status, errors]
    assert_equal %w[Api Derived Money Order Status], output.scan(/^(?:enum|struct|service|union) (\w+)/).flatten.sort
    assert_equal [0, output, ""], executable("idl", "-r", "./app")
  end

  def test_a_folder
    status, output, errors = idl("-r", "./app", "--out", "idl/new")

    assert_equal [0, "", ["wrote idl/new/shop.thrift\n", "wrote idl/new/top_level.thrift\n"]],
                 [status, errors, output.lines.sort]
    assert_equal MONEY, File.read("#{@folder}/idl/new/top_level.thrift")
    assert_equal [0, "2 files are up to date\n", ""], idl("-r", "./app", "--out", "idl/new")
    assert_equal [0, "2 files are up to date\n", ""], idl("-r", "./app", "--out", "idl/new", "--check")
    write "idl/new/shop.thrift", ""

    assert_equal [1, "", "idl/new/shop.thrift is not up to date\n"], idl("-r", "./app", "--out", "idl/new", "--check")
    assert_empty File.read("#{@folder}/idl/new/shop.thrift")
    assert_equal 0, sparpack("generate", "idl/new/top_level.thrift", "--out", "gen", "--rbs")[0]
    assert_equal 0, sparpack("breaking", "idl/new/top_level.thrift", "idl/new/top_level.thrift")[0]
    assert_equal 0, idl("-r", "./app", "--out", "idl/new")[0]
    assert_equal [0, "2 files are already formatted\n", ""], sparpack("format", "--check", "idl/new")
  end

  def test_a_load_path
    FileUtils.mkdir_p("#{@folder}/lib/deep")
    write "lib/deep/app.rb", APP

    assert_equal [0, MONEY, ""], idl("-I", "lib", "-r", "deep/app", "Money")
    assert_match(%r{no file deep/app}, idl("-r", "deep/app", "Money")[2])
  end

  # The classes of a module may be loaded only when they are named.
  def test_autoload
    write "auto.rb", "module Late; autoload :Thing, '#{@folder}/thing.rb'; autoload :Broken, '#{@folder}/broken.rb'; end"
    write "thing.rb", "module Late; class Thing < Sparpack::Struct; end; end"
    write "broken.rb", "module Late; nonsense; end"

    assert_equal "namespace rb Late\n\nstruct Thing {}\n", idl("-r", "./auto", "Late::Thing")[1]
    assert_match(%r{^sparpack idl: Late::Broken cannot be loaded: .*nonsense.* \(NameError at #{@folder}/broken.rb:1\)$},
                 idl("-r", "./auto", "Late::Broken")[2])
  end

  def test_misuse
    write "empty.rb", ""
    write "syntax.rb", "class X < ; end"
    write "needs.rb", "require 'nope/nope'"
    write "raises.rb", "\nraise ArgumentError, 'no database'"
    write "anonymous.rb", "require 'sparpack'; class X < Sparpack::Struct; field 1, :y, Class.new(Sparpack::Struct); end"
    {
      [] => "which classes? (-r FILE requires the file that defines them)",
      %w[-r nope] => "no file nope",
      %w[-r .] => ". is a folder: name a file",
      %w[-r ./empty] => "./empty: no classes are defined there",
      %w[-r ./needs] => "./needs cannot be loaded: cannot load such file -- nope/nope (LoadError at #{@folder}/needs.rb:1)",
      %w[-r ./raises] => "./raises cannot be loaded: no database (ArgumentError at #{@folder}/raises.rb:2)",
      %w[-r ./app Shop::Oder] => 'no class Shop::Oder (did you mean "Shop::Order"?)',
      %w[-r ./app shop] => "no class shop",
      ["-r", "./app", "Shop::Order; exit"] => "no class Shop::Order; exit",
      %w[-r ./app String] => "String is not a struct, union, exception, enum or service, " \
                             "and not a module that contains any of these",
      %w[-r ./app Sparpack::Struct] => "Sparpack::Struct is a base class: pass its subclasses",
      %w[-r ./app Shop::Api::Get_args] => "Shop::Api::Get_args belongs to Shop::Api: pass Shop::Api instead",
      %w[-r ./app --check] => "--check needs the folder to look at: --out DIR",
      ["-r", "./app", "--out", ""] => "--out DIR needs a name",
      %w[-r ./app --out app.rb] => "--out app.rb: not a folder",
      %w[-r ./app --names apache] => 'unknown --names "apache" (known: "idl", "ruby")'
    }.each do |arguments, message|
      status, output, errors = idl(*arguments)

      assert_equal [2, ""], [status, output], arguments
      assert_equal ["sparpack idl: #{message}", "Try: sparpack idl --help"],
                   [errors.lines[0].chomp[0, message.size + 14], errors.lines.last.chomp]
    end
    assert_match(%r{\Asparpack idl: ./syntax cannot be loaded: .*syntax error.* \(SyntaxError\)$}, idl("-r", "./syntax")[2])
    assert_match(/\A#<Class:0x\h+> has no name, but IDL needs one: assign it to a constant\n\z/, idl("-r", "./anonymous")[2])
    assert_equal 1, idl("-r", "./anonymous")[0]
  end

  private

  def write(name, text) = File.write(File.join(@folder, name), text)

  def idl(*arguments) = sparpack("idl", *arguments)

  def sparpack(*arguments) = in_child { Dir.chdir(@folder) { run_cli(*arguments) } }

  def executable(*arguments)
    output, errors, status = Command.capture3(RbConfig.ruby, EXE, *arguments, chdir: @folder)
    [status.exitstatus, output, errors]
  end
end
