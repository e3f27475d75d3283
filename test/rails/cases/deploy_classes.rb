# frozen_string_literal: true

require_relative "deploys"

# Two releases have different definitions of a class.
class DeployClassesTest < DeployTest
  # A field is new, and another is gone.
  def test_two_releases_of_a_class
    create(:binary)
    older = self.class.release("unknown: :keep", "field 4, :color, :string")
    newer = self.class.release("unknown: :keep", "field 5, :size, :i32")
    Release.run(older, newer) do |old, new|
      share(old, new, ROW)
      id = write(old, { **ROW, "color" => "red" })
      change(new, id, "size", 5)
      change(old, id, "status", 3)

      assert_equal({ **ROW, "status" => 3, "color" => "red" }, read(old, id))
      assert_equal({ **ROW, "status" => 3, "size" => 5 }, read(new, id))
    end
    Release.run(older) do |old| # rolled back
      assert_equal "red", old.call("Deal.last.order.color")
      assert old.call("Deal.last.order.unknown?")
    end
  end

  # As docs/rails.md says: without this option, the older release loses what it does not know, if it changes the object.
  def test_fields_that_are_lost
    create(:binary)
    Release.run(self.class.release("coerce: true"), self.class.release("coerce: true", "field 5, :size, :i32")) do |old, new|
      id = write(new, { **ROW, "size" => 5 })
      old.call("Deal.find(#{id}).save!")

      assert_equal 5, read(new, id)["size"]
      change(old, id, "status", 3)

      assert_nil read(new, id)["size"]
    end
  end
end
