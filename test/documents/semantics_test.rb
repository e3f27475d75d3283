# frozen_string_literal: true

require "test_helper"

# docs/semantics.md is true: each row of its tables runs as a test.
class SemanticsTest < Minitest::Test
  PAGE = File.read(File.expand_path("../../docs/semantics.md", __dir__), encoding: "UTF-8")

  # The module for the page's own code. Results show names without it.
  module Page
    extend self # rubocop:disable Style/ModuleFunction

    module_eval(PAGE[/^```ruby\n(.*?)^```$/m, 1], "docs/semantics.md", PAGE[/\A.*?^```ruby$/m].lines.size + 1)
  end

  CELLS = /\A\| (?<rule>.+?) \| `(?<example>.+)` \| (?<result>`.+`) \| .+ \|\n\z/

  Row = Struct.new(:line, :rule, :example, :result, keyword_init: true) do
    def self.parse(text, line)
      match = CELLS.match(text)
      new(line:, **match.names.to_h { |name| [name.to_sym, match[name]] }) if match
    end

    # The class of the error and a part of its message, if the result is an error.
    def error = result.match(/\A`([A-Z]\w*(?:::\w+)*)`: `(.+)`\z/)&.captures

    def value = result[/\A`(.+)`\z/, 1]
  end

  TABLE_LINES = PAGE.lines.each_with_index.select { |text, _| text.start_with?("| ") && !text.start_with?("| rule |") }
  ROWS = TABLE_LINES.map { |text, index| Row.parse(text, index + 1) }

  def test_every_row_can_be_read
    unread = TABLE_LINES.zip(ROWS).filter_map { |(text, index), row| "#{index + 1}: #{text}" unless row }

    assert_empty unread
    assert_operator ROWS.size, :>, 120
  end

  ROWS.compact.each do |row|
    define_method("test_line_#{row.line}_#{row.rule.gsub(/\W+/, "_")}") do
      row.error ? assert_error(row, *row.error) : assert_equal(row.value, short(run_example(row).inspect))
    end
  end

  private

  def run_example(row) = Page.module_eval(row.example, "docs/semantics.md", row.line)

  def assert_error(row, name, message)
    error = assert_raises(Object.const_get(name)) { run_example(row) }

    assert_instance_of Object.const_get(name), error
    assert_includes short(error.message), message
  end

  def short(text) = text.gsub("SemanticsTest::Page::", "")
end
