# frozen_string_literal: true

require_relative "test_helper"
require "open3"
require "rbconfig"
require "tempfile"

# What the documents show is what happens. Each page runs in a process of its own, with nothing but what it requires.
class ReadmeTest < Minitest::Test
  ROOT     = File.expand_path("..", __dir__)
  EXAMPLES = File.join(__dir__, "support/examples.rb")

  PAGES = %w[README.md CHANGELOG.md docs/design.md docs/errors.md docs/idl.md docs/message_pack.md docs/drop_in.md
             docs/command.md docs/breaking.md docs/convert.md].freeze

  # What lies, and how.
  LIES = {
    "1 + 1 # => 3" => "found:   => 2",
    "1 + 1\n# => 3" => "found:   => 2",
    "1 # => 1.0" => "found:   => 1",
    "1 + nil" => "found:   raises TypeError",
    "1 + 1 # raises TypeError: nil" => "found:   => 2",
    "raise 'b' # raises RuntimeError: a" => "found:   raises RuntimeError: b",
    "raise 'a b'\n# raises RuntimeError: a\n#   c" => "claimed: raises RuntimeError: a c",
    "[\n  1, # => 2\n]" => "a claim that nobody checks",
    "1 # => 1\n# => 2" => "claimed: => 1",
    "[1, 2" => "found:   raises SyntaxError"
  }.freeze

  TRUTHS = <<~RUBY
    class Sum < Struct.new(:a, :b)
      def to_i = a + b
    end
    sum = Sum.new(1, 2)
    sum.to_i # => 3
    { a: [1.0, "x"] } # => { a: [1.0, "x"] }

    # A plain comment.
    sum.to_a
    # => [1, 2]
    Object.new.then { Sum } # => Sum
    raise ArgumentError, "x y"
    # raises ArgumentError: x
    #   y
    raise ArgumentError, "x y" # raises ArgumentError: x y
  RUBY

  %w[README.md docs/errors.md docs/idl.md docs/message_pack.md docs/drop_in.md].each do |page|
    define_method(:"test_examples_of_#{page.tr("/.", "_")}") do
      output, status = run_examples(File.join(ROOT, page))

      assert_predicate status, :success?, output
      assert_operator output[/(\d+) claims/, 1].to_i, :>, 10
    end
  end

  def test_the_page_of_the_command_has_the_help_of_each_verb
    page = read("docs/command.md")

    Sparpack::CLI::VERBS.each_key { |name| assert_includes page, "```\n#{Sparpack::CLI.verb(name).help}\n```\n" }
  end

  def test_lies_are_found
    LIES.each do |source, message|
      output, status = run_source(source)

      refute_predicate status, :success?, source
      assert_includes output, message
    end
  end

  def test_truths_are_accepted
    output, status = run_source(TRUTHS)

    assert_predicate status, :success?, output
    assert_equal "6 claims", output.lines.last.chomp
  end

  def test_links_lead_somewhere
    PAGES.each do |page|
      links = read(page).scan(/\]\(([^)#]+)/).flatten.grep_v(/\A\w+:/)
      missing = links.reject { |link| File.exist?(File.expand_path(link, File.dirname(File.join(ROOT, page)))) }

      assert_empty missing, "#{page} links to what is not there"
    end
  end

  # Commands and files of the repository are named in code.
  def test_files_that_are_named_exist
    PAGES.each do |page|
      named = read(page).scan(%r{`((?:bin|bench|ext|lib|test|docs|examples|rakelib)/[\w./-]*)[^`]*`}).flatten

      assert_empty named.uniq.reject { |path| File.exist?(File.join(ROOT, path)) }, "#{page} names what is not there"
    end
  end

  private

  def run_source(source)
    Tempfile.create(["page", ".md"]) do |page|
      page.write("```ruby\n#{source}\n```\n")
      page.flush
      run_examples(page.path)
    end
  end

  def run_examples(path)
    Open3.capture2e(RbConfig.ruby, *$LOAD_PATH.map { |folder| "-I#{folder}" }, EXAMPLES, path,
                    chdir: ROOT)
  end

  def read(page) = File.read(File.join(ROOT, page), encoding: Encoding::UTF_8)
end
