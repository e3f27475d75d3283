# frozen_string_literal: true

require_relative "deploys"

# A column of JSON becomes one of structs, while processes without the gem still run.
class DeployJsonTest < DeployTest
  # The release without the gem.
  JSON_RELEASE = format(MODEL, "serialize :order, coder: JSON")

  # The two releases that docs/rails.md has for moving from JSON.
  BOTH = release("wire: :json, reads: :compact, unknown: :keep")
  COMPACT = release("reads: :json, unknown: :keep")

  def test_a_process_without_the_gem
    create(:text)
    Release.run(JSON_RELEASE, BOTH) do |older, newer|
      assert_nil older.call("defined?(Sparpack)")
      share(older, newer, ROW)
      # The class does not know this name yet, and a Hash may hold anything.
      id = write(older, { **ROW, "color" => "red" })
      change(newer, id, "status", 3)

      assert_equal({ **ROW, "status" => 3, "color" => "red" }, read(older, id))
    end
  end

  def test_the_column_becomes_binary
    create(:text)
    Release.run(JSON_RELEASE, BOTH, COMPACT) do |older, both, compact|
      ids = [write(older, ROW), write(both, ROW)]
      older.stop
      using = { using: "convert_to(\"order\", 'UTF8')" } if SHARED[:adapter] == "postgresql"
      ActiveRecord::Base.connection.change_column(:deals, :order, :binary, **using.to_h)
      ids.push(write(both, ROW), write(compact, ROW))

      ids.each { |id| assert_equal([ROW, ROW], [both, compact].map { |release| read(release, id) }) }
      share(both, compact, ROW)
    end
    # And rolled back: the release before reads everything, in a new process.
    Release.run(BOTH) do |both|
      assert_equal([7, 8], both.call("Deal.all.map { |deal| deal.order.id }.uniq.sort"))
    end
  end

  # A process without the gem reads no wrong values, but raises.
  def test_a_binary_column_of_json
    create(:binary)
    Release.run(JSON_RELEASE, COMPACT) do |older, newer|
      id = write(older, ROW)

      assert_equal ROW, read(newer, id)
      change(newer, id, "status", 3)
      error = assert_raises(Release::Failed) { read(older, id) }
      assert_match(/Parser|JSON|EncodingError/, error.message)
      id = write(older, ROW)

      assert_equal ROW, read(newer, id)
    end
  end
end
