# frozen_string_literal: true

require "minitest/autorun"
require "active_record"
require "tempfile"
require_relative "../../support/examples"

# The examples of docs/rails.md that need Active Record. test/documents runs the others.
class AttributesPageTest < Minitest::Test
  PAGE = File.expand_path("../../../docs/rails.md", __dir__)

  # The classes come first, then models and what one does with them.
  FIRST = /^```ruby\n(.*?)^```$/m
  FILES = %r{^```ruby (?:app/models|console)/\w+\.rb\n(.*?)^```$}m

  SETUP = <<~RUBY
    ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
    ActiveRecord::Schema.verbose = false
    ActiveRecord::Schema.define do
      create_table(:invoices) { |table| table.binary :order }
      create_table(:documents) { |table| table.json :order }
    end
    class ApplicationRecord < ActiveRecord::Base; self.abstract_class = true; end
  RUBY

  def test_examples
    page = File.read(PAGE)
    sources = [page[FIRST, 1], SETUP, *page.scan(FILES).flatten]
    Tempfile.create(["page", ".md"]) do |file|
      file.write(sources.map { |source| "```ruby\n#{source}```\n" }.join("\n"))
      file.flush
      examples = Examples.new(file.path)

      assert_empty examples.lies
      assert_operator examples.size, :>, 15
    end
  end
end
