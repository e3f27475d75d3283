# frozen_string_literal: true

# bin/test: not sanitized, for it installs other gems
# bin/test: first, for it waits for other processes

require "test_helper"
require "fileutils"
require "support/side_bundle"
require "tmpdir"

# The compiler for Tapioca, found by Tapioca itself and run in a small project. Sorbet checks what comes out.
class TapiocaTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)
  PAGE = File.read(File.join(ROOT, "docs/rails_code.md"), encoding: "UTF-8")

  # 0.16.11 is the last one for Ruby 3.1, and it fails with sorbet-runtime 0.6.
  GEMS = { "tapioca" => "0.16.11", "sorbet-runtime" => "~> 0.5.0", "minitest" => "~> 5.25" }.freeze

  IDL = <<~THRIFT
    namespace rb Loaded
    enum Color { RED = 1 }
    struct Paint { 1: required i64 paintId, 2: Color color = Color.RED, 3: map<string, list<Paint>> parts, 4: bool class }
    union Choice { 1: string name, 2: Paint paint, 3: double x }
    exception Gone { 1: string message, 2: uuid which, 3: binary backtrace, 4: set<Color> colors }
  THRIFT

  FILES = {
    "config/application.rb" => "",
    "config/environment.rb" => <<~RUBY,
      require "sparpack"
      Sparpack::IDL.load(File.expand_path("../loaded.thrift", __dir__), names: :ruby)
      module Shop; end
      Dir[File.expand_path("../app/structs/**/*.rb", __dir__)].each { |file| require file }
    RUBY
    "app/structs/shop/line.rb" => "class Shop::Line < Sparpack::Struct\n  field 1, :cents, :i64\nend\n",
    "app/structs/shop/status.rb" => "module Shop::Status\n  extend Sparpack::Enum\n\n  OPEN = 1\n  PAID = 2\nend\n",
    "app/structs/shop/order.rb" => PAGE[%r{^```ruby app/structs/shop/order.rb\n(.*?)^```$}m, 1],
    "app/models/example.rb" => PAGE[%r{^```ruby app/models/example.rb\n(.*?)^```$}m, 1],
    "app/models/loaded.rb" => <<~RUBY,
      # typed: true

      paint = Loaded::Paint.new(paint_id: 1, color: "RED", parts: {}, class: true)
      paint.color = Loaded::Color::RED + 1
      paint.class = paint.class_
      Loaded::Choice.paint(paint).paint&.parts&.keys&.first&.upcase
      Loaded::Choice.new(name: :a).x&.floor
      begin
        raise Loaded::Gone, message: "gone", colors: Set[1]
      rescue Loaded::Gone => e
        e.message.upcase + e.backtrace_.to_s
      end
    RUBY
    "loaded.thrift" => IDL
  }.freeze

  SORBET = Gem::Specification.find_all_by_name("sorbet-static").first&.then { |gem| "#{gem.full_gem_path}/libexec/sorbet" }

  def setup
    skip "Sorbet has no binary for #{RUBY_PLATFORM}" unless SORBET

    @project = Dir.mktmpdir
    FILES.each do |path, text|
      FileUtils.mkdir_p(File.dirname("#{@project}/#{path}"))
      File.write("#{@project}/#{path}", text)
    end
  end

  def teardown = FileUtils.rm_rf(@project.to_s)

  # One run of Tapioca for all, because it takes a second or two.
  def test_tapioca
    said = tapioca("dsl")

    assert_includes said, "No errors found", said
    assert_equal %w[loaded/choice loaded/color loaded/gone loaded/paint shop/line shop/order],
                 Dir["**/*.rbi", base: "#{@project}/sorbet/rbi/dsl"].map { |path| path.delete_suffix(".rbi") }.sort
    assert_includes written("shop/order"), "module Shop; end\n\n#{PAGE[%r{^```ruby sorbet/\S+\n(.*?)^```$}m, 1]}"
    assert_the_types_of_generated_rbi
    assert_what_sorbet_says
    assert_includes tapioca("dsl", "--verify"), "Nothing to do"
    assert_includes tapioca("dsl", "--exclude", "Sparpack"), "No classes/modules can be matched"
  end

  private

  def tapioca(*arguments)
    output, = SideBundle.capture("tapioca", GEMS, RbConfig.ruby, "-e", <<~RUBY, "--", *arguments) { |reason| skip reason }
      Dir.chdir(#{@project.dump})
      load Gem.bin_path("tapioca", "tapioca")
    RUBY
    output
  end

  def written(name) = File.read("#{@project}/sorbet/rbi/dsl/#{name}.rbi")

  # RBI that Sparpack generates for a .thrift file has the same readers and the same types.
  def assert_the_types_of_generated_rbi
    generated = Sparpack::Generate.files("#{@project}/loaded.thrift", names: :ruby, ruby: false, rbi: true).values.join
    expected = generated.scan(/sig \{ returns\((.*)\) \}\n *(?:attr_accessor :|def )(\w+)/)
    texts = %w[choice gone paint].map { |name| written("loaded/#{name}") }
    found = texts.flat_map { |text| text.scan(/sig \{ returns\((.*)\) \}\n *def (\w+);/) }

    assert_equal expected.sort, found.sort
    assert_equal 11, found.size
    color = written("loaded/color")

    assert_equal generated[/^ *RED = .*/].strip, color[/^ *RED = .*/].strip
  end

  def assert_what_sorbet_says
    expected = FILES["app/models/example.rb"].lines.each.with_index(1).filter_map do |line, number|
      ["example.rb:#{number}", line[/# srb: (.*)/, 1]] if line.include?("# srb: ")
    end
    options = %w[--no-config --no-error-sections --no-error-count --color never --silence-dev-message]
    said, = Command.capture2e(SORBET, *options, "rbi", @project, chdir: ROOT)

    assert_equal expected, said.scan(%r{(\w+\.rb:\d+): (.*) https://srb}).sort, said
  end
end
