# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "support/command"
require "support/description"
require "support/forked_ruby"
require "rbconfig"
require "tmpdir"

# Generates Ruby, RBS and RBI from .thrift files and compares the result with test/golden/. UPDATE=1 rewrites those files.
class GenerateTest < Minitest::Test
  include ForkedRuby

  IDL    = File.expand_path("../fixtures/idl", __dir__)
  GOLDEN = File.expand_path("../golden", __dir__)

  ROOTS = %w[shop.thrift oddities.thrift circle_a.thrift plain-file.v2.thrift].freeze

  # The options of each folder in test/golden.
  VARIANTS = {
    "file" => {}, "ruby" => { names: :ruby }, "type" => { layout: :type }, "zeitwerk" => { layout: :zeitwerk, names: :ruby }
  }.freeze

  if ENV["UPDATE"]
    VARIANTS.each do |name, options|
      FileUtils.rm_rf(File.join(GOLDEN, name))
      roots = ROOTS.map { |path| File.join(IDL, path) }
      Sparpack::Generate.write(Sparpack::Generate.files(roots, **options, rbs: true, rbi: true), File.join(GOLDEN, name))
    end
  end

  def setup = @folder = Dir.mktmpdir

  def teardown = FileUtils.rm_rf(@folder)

  # A machine without a locale writes the same files.
  def test_the_locale_does_not_matter
    files = generate(ROOTS)
    Sparpack::Generate.write(files, @folder)
    output, status = Command.capture2e({ "LC_ALL" => "C" }, RbConfig.ruby,
                                       File.expand_path("../../exe/sparpack", __dir__), "generate",
                                       *ROOTS.map { |path| File.join(IDL, path) }, "--out", @folder, "--check")

    assert_predicate status, :success?, output
  end

  def test_literals_are_what_they_stand_for
    ["", "a\"b\\c \#{x} \#$y #z", "äöü €", "\u2028\u00A0\u200B\u0301x\u{1F600}", "\n\t\e\0\x7F", "a\u0085", "#ä{", "ä\xFF",
     "\xFF\xFE\0a\#{".b].each do |string|
      found = eval(Sparpack::Generate::Text.literal(string)) # rubocop:disable Security/Eval

      assert_equal [string, string.encoding], [found, found.encoding]
    end
  end

  VARIANTS.each do |name, options|
    define_method(:"test_golden_#{name}") do
      files = generate(ROOTS, **options, rbs: true, rbi: true)
      golden = File.join(GOLDEN, name)

      assert_equal Dir["**/*.*", base: golden].sort, files.keys.sort
      files.each { |path, text| assert_equal File.read(File.join(golden, path), encoding: "UTF-8"), text, path }
    end

    # Runs in a process of its own, because it defines constants, and with all warnings.
    define_method(:"test_#{name}_equals_the_loaded_classes") do
      output, status = run_ruby(<<~RUBY, name, options[:names] || :idl)
        require "#{__dir__}/../support/description"
        folder, names = ARGV
        if folder == "zeitwerk"
          require "zeitwerk"
          loader = Zeitwerk::Loader.new
          loader.push_dir("#{GOLDEN}/zeitwerk")
          loader.inflector.inflect("idl_fixtures" => "IDLFixtures")
          loader.setup
          loader.eager_load
        else
          Dir["#{GOLDEN}/\#{folder}/*.rb"].sort.reverse.each { |path| require path }
        end
        into = Module.new
        %w[#{ROOTS.join(" ")}].each { |path| Sparpack::IDL.load("#{IDL}/\#{path}", into: into, names: names.to_sym) }
        Description.compare(Description.of(into), ->(name) { Object.const_get(name) })
      RUBY

      assert_predicate status, :success?, output
      assert_match(/\A\d\d parts are the same\n\z/, output)
    end
  end

  def test_each_file_of_a_type_can_be_loaded_first
    Dir["#{GOLDEN}/type/**/*.rb"].each do |path|
      assert_empty forked_ruby("require #{path.inspect}"), path
    end
  end

  # Namespaces that Ruby itself uses get other names, so that every layout can be loaded.
  def test_names_of_ruby
    File.write("#{@folder}/set.thrift", "struct Status { 1: set<i32> a = [1] } const set<Status> ALL = [{}]")
    (Sparpack::Generate::LAYOUTS - [:namespaced]).each do |layout|
      warnings = []
      files = Sparpack::Generate.files(["#{@folder}/set.thrift"], layout:) { |warning| warnings << warning }
      Sparpack::Generate.write(files, "#{@folder}/#{layout}")
      output, status = run_ruby(<<~RUBY, "#{@folder}/#{layout}", *warnings.grep(/inflect/))
        folder, *inflections = ARGV
        if inflections.any?
          require "zeitwerk"
          loader = Zeitwerk::Loader.new
          loader.push_dir(folder)
          inflections.each { |line| eval(line[/loader.*/]) }
          loader.setup
        else
          require "\#{folder}/set"
        end
        puts "\#{Set_::ALL.class} \#{Set_::ALL.first.a.class}"
      RUBY

      assert_equal ["Set Set\n", true], [output, status.success?]
    end
  end

  # Two namespaces may have such names, but Zeitwerk derives only one constant from a file's name.
  def test_names_that_zeitwerk_cannot_tell_apart
    File.write("#{@folder}/a.thrift", "namespace rb A struct HTTPStatus {} struct First_part {}")
    File.write("#{@folder}/b.thrift", "namespace rb B struct HTTPStatus {} struct FirstPart {}")
    warnings = []
    Sparpack::Generate.files(%w[a b].map { |name| "#{@folder}/#{name}.thrift" }, layout: :zeitwerk) { warnings << _1 }

    assert_equal [
      "Zeitwerk needs a setting to find HTTPStatus in http_status.rb: " \
      'loader.inflector.inflect("http_status" => "HTTPStatus")',
      "Zeitwerk needs a setting to find First_part in first_part.rb: " \
      'loader.inflector.inflect("first_part" => "First_part")',
      "Zeitwerk cannot load both First_part and FirstPart, because it looks for both in files named first_part.rb: " \
      "generate them into separate folders, each with its own loader"
    ], warnings
  end

  def test_the_same_idl_gives_the_same_text
    assert_equal generate(ROOTS, rbs: true), generate(ROOTS, rbs: true)
    assert_equal generate(ROOTS), generate(ROOTS.reverse)
  end

  def test_included_files
    assert_equal %w[base.rb shop.rb], generate(["shop.thrift"]).keys
    assert_equal %w[shop.rb], generate(["shop.thrift"], included: false).keys
  end

  def test_two_files_for_one_path
    %w[a b].each do |name|
      FileUtils.mkdir_p("#{@folder}/#{name}")
      File.write("#{@folder}/#{name}/same.thrift", "namespace rb #{name} struct A {}")
    end
    error = assert_raises(ArgumentError) { Sparpack::Generate.files(%w[a b].map { |name| "#{@folder}/#{name}/same.thrift" }) }

    assert_match(/both .*a.same.thrift and .*b.same.thrift would be written to same.rb: generate/, error.message)
  end

  # Each file needs a struct of the other one for a value.
  def test_files_that_need_one_another
    { "a" => "b", "b" => "a" }.each do |name, other|
      File.write("#{@folder}/#{name}.thrift", <<~THRIFT)
        include '#{other}.thrift' struct S { 1: i32 x } const #{other}.S C = {'x': 1} typedef #{other}.S T
      THRIFT
    end
    error = assert_raises(ArgumentError) { Sparpack::Generate.files("#{@folder}/a.thrift") }

    assert_match(/[ab].thrift and a file that includes it need definitions from one another.* use the layout :type/,
                 error.message)
    Sparpack::Generate.write(Sparpack::Generate.files("#{@folder}/a.thrift", layout: :type), "#{@folder}/gen")
    %w[a b].each do |name|
      output, status = run_ruby("require '#{@folder}/gen/#{name}'; p A::C, B::C.equal?(A::C), B::T, Sparpack::Type === B::T")

      assert_predicate status, :success?, output
      assert_equal ["#<B::S x=1>", "false", "::A::S", "false"], output.lines(chomp: true)
    end
  end

  def test_stale_files
    files = generate(["shop.thrift"])

    assert_equal files.keys, Sparpack::Generate.write(files, @folder)
    assert_empty Sparpack::Generate.write(files, @folder)
    File.write("#{@folder}/base.rb", "")

    assert_equal ["base.rb"], Sparpack::Generate.stale(files, @folder)
    assert_equal ["base.rb"], Sparpack::Generate.write(files, @folder)
  end

  # --- files that are left behind --------------------------------------------------------------------------------------

  def test_leftovers
    Sparpack::Generate.write(generate(["shop.thrift"], layout: :type, rbs: true, rbi: true), @folder)
    files = generate(["shop.thrift"], layout: :type)
    gone = %w[base.rbi base.rbs shop.rbi shop.rbs]

    assert_equal gone, Sparpack::Generate.leftovers(files, @folder)
    flat = generate(["shop.thrift"])

    assert_equal (gone + %w[idl_fixtures/shared/base.rb idl_fixtures/shared/point.rb]).sort,
                 Sparpack::Generate.leftovers(flat, @folder).grep_v(%r{fixtures/shop/})
    refute_empty Sparpack::Generate.clean(flat, @folder)
    assert_equal flat.keys, Dir["**/*", base: @folder], "folders that are empty go, too"
    assert_empty Sparpack::Generate.leftovers(flat, @folder)
  end

  # Leftovers are files with this generator's header, in a line where the generator writes it, and no others.
  def test_leftovers_are_ours
    FileUtils.mkdir_p("#{@folder}/out/sub")
    header = "# Generated from a.thrift by sparpack generate: do not edit."
    others = {
      "mine.rb" => "# frozen_string_literal: true\n\nclass Mine; end\n", "empty.rb" => "", "bytes.rb" => "\xFF\n\0\n",
      "quoted.rb" => "#\n#\n#\n#{header}\n", "said.rb" => "# In #{header}\n", "more.rb" => "#{header} But I did.\n",
      "other.txt" => "#{header}\n", "sub/own.rb" => "\n"
    }
    others.each { |name, text| File.binwrite("#{@folder}/out/#{name}", text) }
    { "out/old.rb" => "# frozen_string_literal: true\r\n\r\n#{header}\r\n", "out/sub/old.rbs" => "#{header}\n",
      "linked.rb" => "#{header}\n" }.each { |name, text| File.write("#{@folder}/#{name}", text) }
    File.symlink("#{@folder}/linked.rb", "#{@folder}/out/link.rb")
    File.symlink("#{@folder}/nowhere.rb", "#{@folder}/out/broken.rb")
    files = generate(["shop.thrift"])
    Sparpack::Generate.write(files, "#{@folder}/out")

    assert_equal %w[old.rb sub/old.rbs], Sparpack::Generate.clean(files, "#{@folder}/out")
    assert_equal [*others.keys, *files.keys, "link.rb", "broken.rb", "sub"].sort, Dir["**/*", base: "#{@folder}/out"].sort
    assert_path_exists "#{@folder}/linked.rb"
    assert_raises(ArgumentError) { Sparpack::Generate.clean(files, "") }
  end

  # On a file system that ignores case, the old name leads to the new file.
  def test_a_file_that_differs_by_case_only
    Sparpack::Generate.write({ "shop.rb" => generate(["shop.thrift"])["shop.rb"] }, @folder)
    File.link("#{@folder}/shop.rb", "#{@folder}/Shop.rb") # as on such a file system

    assert_empty Sparpack::Generate.leftovers({ "shop.rb" => "" }, @folder)
    assert_equal %w[Shop.rb shop.rb], Sparpack::Generate.leftovers({ "base.rb" => "" }, @folder)
  end

  def test_leftovers_in_a_shared_folder
    Sparpack::Generate.write(generate(["oddities.thrift"]), @folder)
    Sparpack::Generate.write(generate(["shop.thrift"], rbs: true), @folder)
    files = generate(["shop.thrift"])

    assert_equal %w[base.rbs oddities.rb shop.rbs], Sparpack::Generate.leftovers(files, @folder)
    assert_equal %w[base.rbs shop.rbs], Sparpack::Generate.clean(files, @folder, shared: true)
    assert_path_exists "#{@folder}/oddities.rb"
  end

  def test_no_files_are_named
    assert_raises(ArgumentError) { Sparpack::Generate.files([]) }
  end

  # No string in an IDL becomes code.
  def test_strings_are_no_code
    text = <<~'THRIFT'
      /** =begin
       * __END__
       * #{exit! 7}
       */
      namespace rb "Evil; exit! 8; #"
      /** end; exit! 9 */
      const string A = "#{exit! 1} \" '" (a = "#{exit! 2}", b.c = "\"; exit! 3")
      struct B { /** #{exit! 4} */ 1: string a = "#{exit! 5}\n__END__\n" (x = "\\#{exit! 6}\"") } (y = "#$0 #@a")
      typedef string C (z = "#{exit! 10}")
    THRIFT
    File.write("#{@folder}/evil.thrift", text)
    files = Sparpack::Generate.files(["#{@folder}/evil.thrift"], rbs: true, rbi: true)
    File.write("#{@folder}/evil.rb", files["evil.rb"])
    names = "m = Evil__exit__8___; p m::A, m::B.new.a, m::B.schema.annotations"
    output, status = run_ruby("require '#{@folder}/evil.rb'; #{names}")

    assert_predicate status, :success?, output
    assert_equal ["\#{exit! 1} \" '".inspect, "\#{exit! 5}\n__END__\n".inspect, { "y" => "\#$0 \#@a" }.inspect],
                 output.lines(chomp: true)
  end

  # Structs and enums are modules, which have no annotations.
  def test_annotations_of_all_types
    assert_generated_as_loaded(<<~THRIFT)
      enum E { X }
      typedef E (a = "1") F (b = "2")
      typedef Later (c = "3") L
      struct A {
        1: E (d = "4") e = E.X, 2: F (e = "5") f, 3: L (f = "6") l, 4: A (g = "7") a, 5: i32 (h = "8") i,
        6: list<A (i = "9") > (j = "10") as, 7: map<E (k = "11"), Later (l = "12")> m
      }
      struct Later {}
      service S { A (m = "13") f(1: E (n = "14") e) }
    THRIFT
  end

  # Some old files are in Latin-1.
  def test_text_that_is_not_utf8
    text = "/** \xE4 */ namespace rb Latin struct A { /** \xE4 */ 1: string a = '\xE4' (b = '\xE4') } enum E { \xE4 }".b
    assert_generated_as_loaded(text.sub("\xE4 }".b, "X }"), "k\u00E4se.thrift")
    assert_generated_as_loaded("struct A {}", "b\xFF.thrift")
    File.binwrite("#{@folder}/\xFF.thrift", text)
    error = assert_raises(Sparpack::IDL::Error) { Sparpack::Generate.files(["#{@folder}/\xFF.thrift".b]) }

    assert_match(%r{/\?.thrift:1:\d+: expected a name, a number, a string or a symbol, found "\\xE4"}, error.message)
  end

  def test_namespaces
    assert_generated_as_loaded("namespace rb BEGIN.END struct A { 1: A a } const A B = {}")
    assert_generated_as_loaded("struct A {} const i32 B = 1", "END.thrift")
    assert_generated_as_loaded("struct A {}", ".thrift")
  end

  # Nor do comments become magic comments.
  def test_comments_are_no_magic
    assert_generated_as_loaded(<<~THRIFT)
      /**
       * frozen_string_literal: false
       * -*- warn-indent: true; Frozen-String-Literal: false -*-
       * shareable_constant_value: nonsense
       * "frozen_string_literal" : maybe
       * typed: strict
       */
      struct A { /** frozen_string_literal: 1 */ 1: string a = 'x' }
    THRIFT
    File.write("#{@folder}/a.thrift", "/** typed: strict, as all. */ struct A {}")

    assert_includes Sparpack::Generate.files("#{@folder}/a.thrift", rbi: true)["a.rbi"], "# \\typed: strict, as all."
  end

  # Nor do control characters reach the source. The formatter keeps them, because it does not change comments.
  def test_comments_without_control_characters
    odd = "#{(0..31).map(&:chr).join.delete("\t\n\r")}\x7F\u0085"
    comment = "/** __END__ \ta#{odd}ü */"
    text = "#{comment}\nstruct A {\n  #{comment}\n  1: i32 a\n}\n#{comment}\nenum E { #{comment} B }\n" \
           "#{comment}\nservice S { #{comment} void f() }\n"
    assert_generated_as_loaded(text)
    File.write("#{@folder}/a.thrift", text)

    Sparpack::Generate.files("#{@folder}/a.thrift", rbs: true, rbi: true).each do |path, source|
      refute_match(/[[:cntrl:]&&[^\t\n]]/, source, path)
      assert_includes source, "# __END__ \ta#{"?" * odd.size}ü", path
    end
    assert_equal 6, Sparpack::IDL.format(text).scan(comment).size
  end

  def test_long_lines
    long = "struct A { 1: list<string (a = \"#{"x" * 200}\")> b, 2: i32 c (d = \"#{"y" * 200}\") }"
    File.write("#{@folder}/long.thrift", long)
    text = Sparpack::Generate.files(["#{@folder}/long.thrift"])["long.rb"]

    assert_match(/^    field 1, :b, list\(.*\)$\n    field 2, :c, :i32,\n          annotations: \{ "d" => "y+" \}$/, text)
  end

  def test_unknown_options
    assert_raises(ArgumentError) { generate(["shop.thrift"], layout: :files) }
    assert_raises(ArgumentError) { generate(["shop.thrift"], names: :apache) }
  end

  private

  def generate(roots, **options)
    Sparpack::Generate.files(roots.map { |path| File.join(IDL, path) }, **options)
  end

  # The generated code of each layout says the same as the loaded classes, and causes no warnings.
  def assert_generated_as_loaded(text, path = "same.thrift")
    root = File.join(@folder, path)
    File.binwrite(root, text)
    %i[file type].product(%i[idl ruby]).each do |layout, names|
      folder = File.join(@folder, "#{layout}_#{names}")
      Sparpack::Generate.write(Sparpack::Generate.files([root], layout:, names:), folder)
      output = forked_ruby(<<~RUBY, root, folder)
        root, folder = ARGV
        Dir[File.join(folder, "**/*.rb")].sort.reverse.each { |path| require path }
        Sparpack::IDL.load(root, into: into = Module.new, names: :#{names})
        Description.compare(Description.of(into), ->(name) { Object.const_get(name) })
      RUBY

      assert_match(/\A\d+ parts are the same\n\z/, output)
    end
  end

  def run_ruby(source, *arguments)
    Command.capture2e(RbConfig.ruby, "-w", "-rsparpack", "-e", source, *arguments.map(&:to_s))
  end
end
