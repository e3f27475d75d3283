# frozen_string_literal: true

# bin/test: not sanitized, for other tests run the same native code

require "test_helper"
require "rbconfig"
require "ripper"
require "tempfile"
require "tmpdir"
require "support/command"

# The examples in the documents do what they show. Each page with Ruby code runs from top to bottom in a process of its own,
# which has loaded only what the page requires.
class DocumentsTest < Minitest::Test
  ROOT     = File.expand_path("../..", __dir__)
  EXAMPLES = File.join(__dir__, "../support/examples.rb")

  PAGES = Dir["*.md", "docs/**/*.md", base: ROOT].sort.freeze

  # What docs/design.md leaves to others.
  ROOMS = PAGES.grep(%r{\Adocs/design/}).freeze

  # Pages whose code other tests run, because it is not a program: types for Sorbet, and classes of the tables.
  ELSEWHERE = { "docs/types.md" => "house/signatures_test.rb", "docs/semantics.md" => "documents/semantics_test.rb" }.freeze

  # How a block of code may begin. A block of Ruby is an example, which runs, or a file, which has its name here.
  FENCES = %r{\A```(ruby|ruby [A-Z]\w+|ruby [\w/]+\.rbi?|json|rbs|sh|thrift|yaml)?\z}

  # Files that a page names as those of an application of Rails.
  OF_APPLICATIONS = %r{\A(?:bin/(?:rails|tapioca)\z|lib/tasks/)}

  # Claims that are false, and what the checker says about them.
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

  (PAGES - ELSEWHERE.keys).each do |page|
    next unless File.read(File.join(ROOT, page)).match?(/^```ruby$/)

    define_method(:"test_examples_of_#{page.tr("/.", "_")}") do
      output, status = run_examples(File.join(ROOT, page))

      assert_predicate status, :success?, output
      assert_operator output[/(\d+) claims/, 1].to_i, :>, 0
    end
  end

  def test_pages_that_are_left_out_run_elsewhere
    ELSEWHERE.each { |page, test| assert_includes read("test/#{test}"), page }
  end

  def test_no_code_hides_behind_another_name
    PAGES.each do |page|
      assert_empty fences(page).grep_v(FENCES), page
      refute_match(/^[ >]+```/, read(page), "#{page}: the examples of a block that is indented do not run")
    end
  end

  def test_files_that_are_shown_are_ruby
    PAGES.each do |page|
      read(page).scan(/^```ruby (\S+)\n(.*?)^```$/m) do |name, source|
        assert Ripper.sexp(source), "#{page}: #{name} is no Ruby"
      end
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

  # A heading that is renamed or moved to another page breaks the links to it.
  def test_links_lead_to_headings
    PAGES.each do |page|
      links = read(page).scan(/\]\(([^)#:]*\.md|)#([^)]+)\)/)
      missing = links.reject do |target, anchor|
        path = target.empty? ? page : File.expand_path(target, "/#{File.dirname(page)}").delete_prefix("/")
        anchors(path).include?(anchor)
      end

      assert_empty missing, "#{page} links to headings that are not there"
    end
  end

  def test_the_readme_is_short_enough_to_be_read_whole
    assert_operator read("README.md").lines.size, :<=, 250
  end

  def test_the_readme_says_what_each_page_answers
    documentation = read("README.md")[/^## Documentation\n(.*?)^## /m, 1]

    (PAGES - ["README.md"] - ROOMS).each { |page| assert_match(/^- \[#{page}\]\(#{page}\): \S/, documentation) }
  end

  def test_the_page_of_the_design_is_short_and_says_what_each_room_answers
    assert_operator read("docs/design.md").lines.size, :<=, 200
    refute_empty ROOMS
    ROOMS.map { |page| page.delete_prefix("docs/") }
         .each { |page| assert_match(/^- \[#{page}\]\(#{page}\): \S/, read("docs/design.md")) }
  end

  # YARD writes all pages into one folder.
  def test_pages_have_names_of_their_own
    assert_equal PAGES.uniq { |page| File.basename(page).downcase }, PAGES
  end

  # Commands and files of the repository, as the documents name them.
  def test_files_that_are_named_exist
    PAGES.each do |page|
      named = read(page).scan(%r{`((?:bin|bench|ext|lib|test|docs|examples|rakelib)/[\w./-]*)[^`]*`}).flatten

      missing = named.uniq.grep_v(OF_APPLICATIONS).reject { |path| File.exist?(File.join(ROOT, path)) }

      assert_empty missing, "#{page} names what is not there"
    end
  end

  private

  # The first lines of a page's code blocks. Every other line of backticks ends a block.
  def fences(page) = read(page).lines(chomp: true).grep(/\A```/).each_slice(2).map(&:first)

  # The names under which a page's headings can be linked to.
  def anchors(page)
    text = read(page).gsub(/^```.*?^```$/m, "")
    text.scan(/^#+ (.+)$/).map { |(heading)| heading.downcase.gsub(/[^\p{Word}\- ]/, "").tr(" ", "-") }
  end

  def run_source(source)
    Tempfile.create(["page", ".md"]) do |page|
      page.write("```ruby\n#{source}\n```\n")
      page.flush
      run_examples(page.path)
    end
  end

  # What an example leaves in a folder of its own is removed with it.
  def run_examples(path)
    Dir.mktmpdir { |folder| Command.capture2e({ "TMPDIR" => folder }, RbConfig.ruby, EXAMPLES, path, chdir: ROOT) }
  end

  def read(page) = File.read(File.join(ROOT, page), encoding: Encoding::UTF_8)
end
