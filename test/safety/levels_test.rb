# frozen_string_literal: true

require "test_helper"
require "json"
require "pp"
require "yaml"

# Objects that contain themselves, or that have very many levels: nothing that walks through them ends in a SystemStackError,
# which rescue => e does not catch.
class LevelsTest < Minitest::Test
  class Node < Sparpack::Struct
    field 1, :node, "Node"
    field 2, :list, list("Node")
    field 3, :map, map(:string, "Node")
    field 4, :id, :i32
    field 5, :any, "Any"
  end

  class Any < Sparpack::Union
    field 1, :node, "Node"
    field 2, :list, list("Any")
  end

  # Asks for its fields in another way, so each object begins anew.
  class Own < Sparpack::Struct
    field 1, :own, "Own"

    def as_json(options = nil) = super
  end

  CYCLES = {
    struct: -> { Node.new.tap { |node| node.node = node } },
    list: -> { Node.new.tap { |node| node.list = [Node.new(node:)] } },
    map: -> { Node.new.tap { |node| node.map = { "a" => node } } },
    union: -> { Node.new.tap { |node| node.any = Any.list([Any.node(node)]) } },
    as_json: -> { Own.new.tap { |own| own.own = own } }
  }.freeze

  WALKS = {
    "to_json" => :to_json.to_proc, "as_json" => :as_json.to_proc, "JSON.generate" => ->(node) { JSON.generate([node]) },
    "only:" => ->(node) { node.as_json(only: node.members) }, "except:" => ->(node) { node.as_json(except: :id) },
    "to_h" => ->(node) { node.to_h(deep: true) }
  }.freeze

  def test_what_cannot_show_a_cycle
    CYCLES.each_value do |make|
      WALKS.each do |name, walk|
        object = make.call
        everywhere do
          error = assert_raises(Sparpack::EncodeError::LimitExceeded, name) { walk.call(object) }

          assert_match(/\ALevelsTest::\w+: expected .*levels, found more levels \(does it/, error.message)
          assert_equal [object.class.name, "more levels", nil], [error.path, error.found, error.cause]
        end
      end
    end
    assert_equal "at most 1000 levels",
                 assert_raises(Sparpack::EncodeError::LimitExceeded) { CYCLES[:struct].call.as_json }.expected
  end

  def test_what_can_show_a_cycle
    CYCLES.each_value do |make|
      object = make.call
      other = make.call

      everywhere do
        assert_equal object, other
        assert_equal object.hash, other.hash
        assert_includes object.inspect, "..."
        assert_includes object.pretty_inspect, "..."
        [object.dup(deep: true), Marshal.load(Marshal.dump(object)), YAML.unsafe_load(YAML.dump(object))].each do |copy|
          assert_equal object, copy
        end
        assert_includes object.errors(:recursive)[0].message, "expected at most 64 levels"
        assert_same object, object.class.from_h({ object.members[0] => object })[object.members[0]]
      end
      assert Ractor.shareable?(object.freeze(deep: true))
    end
  end

  def test_many_levels
    hash = nodes(999).to_h(deep: true)

    assert_equal nodes(999), Node.from_h(hash)
    assert_equal 1, hash.dig(*([:node] * 999), :id)
    assert_equal 1, nodes(999).as_json.dig(*(["node"] * 999), "id")
    [:as_json.to_proc, ->(node) { node.to_h(deep: true) }].each do |walk|
      assert_raises(Sparpack::EncodeError::LimitExceeded) { walk.call(nodes(1000)) }
    end
    assert_raises(JSON::NestingError) { nodes(200).to_json } # the json gem has a limit of its own
    assert_raises(Sparpack::EncodeError::LimitExceeded) { nodes(100_000).dup(deep: true) }
    assert_raises(Sparpack::ConversionError) { Node.from_h(node: nodes(100_000)) }
    assert_raises(Sparpack::ConversionError) { Node.from_h(nodes(100_000).to_h) }
  end

  # Siblings are not levels.
  def test_many_siblings
    wide = Node.new(list: Array.new(3000) { Node.new(node: Node.new(id: 1)) })

    assert_equal [3000, 3000], [wide.to_h(deep: true)[:list].size, wide.as_json["list"].size]
    assert_equal wide, Node.from_h(wide.to_h(deep: true))
    assert_equal wide, Node.from_h(wide.to_h)
  end

  private

  # The stacks of threads and fibers are smaller.
  def everywhere(&block)
    yield
    Thread.new(&block).join(60) || flunk
    Fiber.new(&block).resume
  end

  def nodes(levels) = (1..levels).reduce(Node.new(id: 1)) { |node, _| Node.new(node:) }
end
