# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "faraday"
require "sparpack/drop_in/verify"
require "sparpack/faraday"
require "sparpack/rack"
require "sparpack/rails"
require "stringio"
require "support/command"
require "support/nasty_names"
require "support/public_names"
require "support/opentelemetry_stub"
require "support/waterdrop"
require "sparpack/karafka"
require "sparpack/notifications"
require "sparpack/opentelemetry"
require "rbconfig"
require "shellwords"
require "tmpdir"

# The gem's own signatures (sig/ and rbi/) and the generated ones: RBS and Sorbet accept them, they name what exists, and
# they hold at run time.
class SignaturesTest < Minitest::Test
  ROOT   = File.expand_path("../..", __dir__)
  GOLDEN = File.join(ROOT, "test/golden")
  TYPES  = File.join(ROOT, "test/fixtures/types")

  DOCUMENT = File.read(File.join(ROOT, "docs/types.md"), encoding: "UTF-8")

  SORBET = Gem::Specification.find_all_by_name("sorbet-static").first&.then { |gem| "#{gem.full_gem_path}/libexec/sorbet" }

  # RBS and its checks keep many objects, and a small heap would collect garbage again and again until it has grown.
  ROOMY = { "RUBY_GC_HEAP_INIT_SLOTS" => "1000000", "RUBY_GC_HEAP_FREE_SLOTS" => "500000" }.freeze

  def setup
    @folder = Dir.mktmpdir
    generate("nasty", NastyNames.idl)
  end

  def teardown = FileUtils.rm_rf(@folder)

  # --- their contents ---------------------------------------------------------------------------------------------------

  def test_rbs_names_what_is_public
    assert_names PublicNames.of_rbs(Dir["#{ROOT}/sig/**/*.rbs"])
  end

  def test_rbi_names_what_is_public
    assert_names PublicNames.of_rbi("rbi/**/*.rbi")
  end

  # The error messages list the Symbols of the literal types.
  def test_symbols_of_options
    aliases = File.read("#{ROOT}/sig/sparpack.rbs").scan(/^  type (\w+) = (:\w.*)/).to_h
    point = Class.new(Sparpack::Struct) { field 1, :x, :i8 }.new
    told = { "wire" => [[:json5], {}], "mode" => [[], { validate: 1 }] }
    told.merge!("keys" => [[:message_pack], { keys: 1 }], "enums" => [[:json], { enums: 1 }], "i64" => [[:json], { i64: 1 }])
    told["compression"] = [[:message_pack], { compression: 1 }]
    told.merge!(%w[unknown utf8 mismatch frame].to_h { |option| [option, [[], { option.to_sym => 1 }]] })
    expected = told.transform_values do |arguments, options|
      error = assert_raises(ArgumentError) { point.encode_to(StringIO.new, *arguments, **options) }
      error.message[/(?:known: |one of )(:.*?)(?:\)|, got)/, 1].gsub(",", " |")
    end

    assert_equal expected, aliases
  end

  def test_generated_signatures_name_what_classes_have
    names = names_of("Nasty::Names", Sparpack::IDL.load("#{@folder}/nasty.thrift", into: Module.new))

    assert_equal names.sort, told(PublicNames.of_rbs(["#{@folder}/nasty.rbs"]))
    assert_equal (names - ["Nasty::Names::Choice._1"]).sort, told(PublicNames.of_rbi("#{@folder}/nasty.rbi")) # see RBI
  end

  def test_the_gem_has_them
    files = Gem::Specification.load("#{ROOT}/sparpack.gemspec").files

    assert_empty Dir["{sig,rbi}/**/*.{rbs,rbi}", base: ROOT] - files
  end

  # --- RBS --------------------------------------------------------------------------------------------------------------

  def test_rbs_is_valid
    [[], ["#{GOLDEN}/file"], ["#{GOLDEN}/ruby"], [@folder]].each do |folders|
      options = ["sig", *folders].flat_map { |folder| ["-I", folder] }
      output, status = Command.capture2e(ROOMY, "rbs", *options, "validate", chdir: ROOT)

      assert_predicate status, :success?, output
      assert_empty output
    end
  end

  # Checks each call of the gem's own methods, and of all generated classes with sample values.
  def test_rbs_holds_at_run_time
    idl = "#{ROOT}/test/fixtures/idl"
    [
      ["#{GOLDEN}/file", "IDLFixtures", "#{idl}/shop.thrift", "#{idl}/oddities.thrift"],
      [@folder, "Nasty", "#{@folder}/nasty.thrift"]
    ].each do |arguments|
      output, status = run_ruby("-rbundler/setup", "-W0", "#{__dir__}/../support/checked_calls.rb", *arguments,
                                environment: ROOMY)

      assert_predicate status, :success?, output
      assert_match(/\A\d+ classes hold what their signatures say\n\z/, output)
    end
  end

  # --- Sorbet -----------------------------------------------------------------------------------------------------------

  def test_rbi_is_valid
    [[], ["#{GOLDEN}/file"], ["#{GOLDEN}/ruby"], ["#{GOLDEN}/type"], ["#{GOLDEN}/zeitwerk"], [@folder]].each do |folders|
      assert_equal "", sorbet(*folders)
    end
  end

  def test_right_use
    assert_equal "", sorbet("#{GOLDEN}/file", "#{TYPES}/right.rb")
    requires = %w[shop circle_a oddities].map { |name| "-r#{GOLDEN}/file/#{name}" }
    output, status = run_ruby("-w", "-rbundler/setup", "-rsorbet-runtime", *requires, "-r#{TYPES}/right", "-e",
                              "p Right.run(Right.node)")

    assert_predicate status, :success?, output
    assert_match(/\A\["a", "b", .*, "\[:open\]"\]\n\z/, output)
  end

  def test_wrong_use
    expected = File.readlines("#{TYPES}/wrong.rb").each_with_index.filter_map do |line, i|
      [i + 1, *line.match(/# (\d{4}): (.*)/).captures] if line.match?(/# \d{4}:/)
    end
    found = sorbet("#{GOLDEN}/file", "#{TYPES}/wrong.rb").scan(%r{^.*?wrong\.rb:(\d+): (.*) https://srb\.help/(\d+)$})
    found = found.map { |line, message, code| [line.to_i, code, message] }.sort

    assert_equal(expected.map { |line, code, _| [line, code] }, found.map { |line, code, _| [line, code] })
    expected.zip(found) { |(_, _, part), (_, _, message)| assert_includes message, part }
  end

  # --- docs/types.md ----------------------------------------------------------------------------------------------------

  def test_documentation
    thrift, rbs, ruby = %w[thrift rbs ruby].map { |language| DOCUMENT[/^```#{language}\n(.*?)^```/m, 1] }
    files = generate("shop", thrift)

    assert_includes files["shop.rbs"].gsub(/^  /, ""), rbs
    File.write("#{@folder}/app.rb", ruby)
    expected = ruby.lines.each_with_index.filter_map do |line, i|
      [(i + 1).to_s, line[/# srb: (.*)/, 1]] if line.include?("# srb: ")
    end

    assert_equal expected, sorbet(@folder).scan(%r{app\.rb:(\d+): (.*) https://srb}).sort
  end

  def test_documented_options_of_ruby
    generate("shop", DOCUMENT[/^```thrift\n(.*?)^```/m, 1])
    File.write("#{@folder}/app.rb", "require './shop'\np Shop::Item.new(id: 1)\nShop::Item.new(title: :lamp)\n")
    variables, command = DOCUMENT.match(/^(RBS_TEST.*?)\\\n  bundle exec ruby (.*?)$/m).captures
    environment = variables.scan(/(\w+)='(.*?)'/).to_h
    folders = { "-r sparpack" => "-I #{ROOT.shellescape}/sig", "lib/gen" => "." }
    environment["RBS_TEST_OPT"] = environment["RBS_TEST_OPT"].gsub(Regexp.union(folders.keys), folders)
    output, = run_ruby(*command.split, environment:, chdir: @folder)

    assert_match(/#<Shop::Item id=1, status=1>.*TypeError: \[Shop::Item#initialize\].*`::String\?`.*:lamp/m, output)
  end

  private

  def generate(name, idl)
    File.write("#{@folder}/#{name}.thrift", idl)
    files = Sparpack::Generate.files(["#{@folder}/#{name}.thrift"], rbs: true, rbi: true)
    Sparpack::Generate.write(files, @folder)
    files
  end

  def assert_names(signatures)
    library = PublicNames.of_library

    assert_empty library.keys - signatures.keys, "public, but without a signature"
    assert_empty signatures.keys.reject { |path| PublicNames.exist?(path) }, "signatures of what does not exist"
    wrong = library.reject { |path, shape| shape.nil? || PublicNames.fits?(shape, signatures.fetch(path)) }.keys

    assert_empty wrong, "signatures with other parameters"
  end

  # The names in a module of generated definitions. Accessors are in modules of their own.
  def names_of(path, mod)
    methods = []
    if mod.is_a?(Class) && mod < Sparpack::Value
      accessors = mod.included_modules - mod.superclass.included_modules
      methods = accessors.flat_map { |found| found.public_instance_methods(false) }.map { |name| "#{path}##{name}" }
      methods += mod.singleton_methods(false).map { |name| "#{path}.#{name}" }
    end
    constants = mod.constants(false).map { |name| ["#{path}::#{name}", mod.const_get(name)] }
    methods + constants.flat_map { |name, value| [name, *(names_of(name, value) if value.is_a?(Module))] }
  end

  def told(signatures) = signatures.keys.grep_v(/\A\w+(::Names)?\z|#initialize\z/).sort

  # Returns what Sorbet reports.
  def sorbet(*paths)
    skip "Sorbet has no binary for #{RUBY_PLATFORM}" unless SORBET

    options = %w[--no-config --no-error-sections --no-error-count --color never --silence-dev-message]
    output, = Command.capture2e(SORBET, *options, "rbi", *paths, chdir: ROOT)
    output.sub(/^No errors! Great job\.\n/, "")
  end

  def run_ruby(*arguments, environment: {}, **options)
    Command.capture2e(environment, RbConfig.ruby, *arguments, **options)
  end
end
