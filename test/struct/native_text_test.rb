# frozen_string_literal: true

# bin/test: not sanitized, for rendering_test runs the same native code

require "test_helper"
require "support/child"
require "support/fresh_ruby"
require "support/random_schema"
require "support/seeded"
require "json"
require "tmpdir"

# The native core writes the text of to_json only where Ruby writes the same.
class NativeTextTest < Minitest::Test
  include Child
  include FreshRuby
  include Seeded

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
  end

  class Line < Sparpack::Struct
    field 1, :cents, :i32
    field 2, :name, :string
  end

  class Order < Sparpack::Struct
    field 1, :name, :string
    field 2, :lines, list(Line)
    field 3, :ids, list(:uuid)
    field 4, :by_name, map(:string, :i32)
    field 5, :by_status, map(Status, :i32)
    field 6, :by_bytes, map(:binary, :i32)
    field 7, :by_line, map(Line, :i32)
    field 8, :tags, set(:string)
    field 9, :rates, list(:double)
  end

  UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"

  # @return [String, nil] what the native core writes
  def native(object, options = nil) = Sparpack::NativeText.of(object, options)

  def ruby(object, options = nil) = Sparpack::Rendering.to_json(object, options)

  def test_random_objects
    found = Array.new(60) { random_objects(random) }.flatten(1)
    texts = found.map { |object| [native(object), (ruby(object) if native(object))] }.reject { |text, _| text.nil? }

    assert_operator texts.size, :>, found.size / 4
    texts.each { |text, expected| assert_equal expected, text }
  end

  # Each is rendered in another way than it is encoded, or by methods that somebody may have defined.
  ODD = {
    name: [:Mitte, Class.new(String).new("a"), "a".encode("UTF-16LE"), "\xff", 1],
    lines: [Class.new(Array).new([Line.new]), [Class.new(Line).new], [nil], [{ cents: 1 }]],
    ids: [[UUID.upcase], [UUID.delete("-")], [Class.new(String).new(UUID)]],
    by_name: [{ a: 1, "a" => 2 }, Class.new(Hash)["a", 1],
              { +"a" => 1 }.compare_by_identity.tap { |hash| hash[+"a"] = 2 }],
    by_status: [{ ACTIVE: 1 }, { 1 => 1, ACTIVE: 2 }],
    by_bytes: [{ "\u00e9" => 1, "\u00e9".b => 2 }],
    by_line: [{ Line.new(cents: 1) => 1, Line.new(cents: 2) => 2 }],
    tags: [Class.new(Set).new(["a"]), [:a]],
    rates: [[1], [Float::NAN], [1e20], [1e-7], [-Float::INFINITY]]
  }.freeze

  def test_odd_values
    ODD.each do |name, values|
      values.each do |value|
        object = Order.new
        object[name] = value
        expected = outcome { ruby(object) }

        assert_includes [nil, expected], native(object), "#{name}: #{value.inspect}"
        assert_equal expected, outcome { object.to_json }, "#{name}: #{value.inspect}"
      end
    end
  end

  def test_plain_values
    plain = Order.new(name: "a", lines: [Line.new(cents: 1)], ids: [UUID], by_name: { "a" => 1, "b" => 2 },
                      by_status: { 1 => 1 }, by_bytes: { "\xff".b => 1, "a".b => 2 }, by_line: { Line.new => 1 },
                      tags: Set["a"], rates: [1.5, 0.0, -1e14])

    assert_equal ruby(plain), native(plain)
    assert_equal ruby(plain), native(plain, { status: 200, "prefixes" => [], template: "show" })
    assert_nil native(plain, { only: [:name] })
    assert_nil native(plain, { unheard_of: 1 })
    assert_nil native(plain, Hash.new { |_, name| name == :only ? :name : nil })
  end

  # The json gem's version 3 can sort the names.
  def test_sorted_keys
    skip "The json gem cannot sort" unless JSON::State.method_defined?(:sort_keys)

    order = Order.new(tags: Set["a"], name: "b", rates: [1.5])

    assert_equal JSON.generate(order.as_json, sort_keys: true), JSON.generate(order, sort_keys: true)
    refute_equal JSON.generate(order), JSON.generate(order, sort_keys: true)
  end

  def test_in_ractors
    experimental = Warning[:experimental]
    Warning[:experimental] = false
    ractor = Ractor.new(Ractor.make_shareable(Order.new(name: "a"))) { |order| Sparpack::NativeText.of(order) }

    assert_equal '{"name":"a"}', ractor.respond_to?(:value) ? ractor.value : ractor.take
  ensure
    Warning[:experimental] = experimental
  end

  # Since Ruby 3.3, Bundler replaces `require` by a method like this one, which no other Ractor may call.
  REPLACED = <<~RUBY
    require "sparpack"
    require "json"

    class Line < Sparpack::Struct
      field 1, :cents, :i32
      field 2, :prices, map(list(:i32), :i32)
    end

    required = Kernel.method(:require)
    Kernel.define_singleton_method(:require) { |name| required.call(name) }
    Warning[:experimental] = false
    ractor = Ractor.new(Ractor.make_shareable(Line.new(cents: 1, prices: { [1] => 2 }))) { |line| [line.to_json, line.as_json] }
    p(*(ractor.respond_to?(:value) ? ractor.value : ractor.take))
  RUBY

  def test_ractors_do_not_require_what_is_loaded
    assert_equal [{ cents: 1, prices: { "[1]": 2 } }.to_json, { "cents" => 1, "prices" => { "[1]" => 2 } }].map(&:inspect),
                 fresh_ruby(REPLACED).lines(chomp: true)
  end

  # --- what a program defines ---------------------------------------------------------------------------------------------

  SETUP = <<~'RUBY'
    require "sparpack"
    require "json"

    class Line < Sparpack::Struct
      field 1, :cents, :i32
      field 2, :rate, :double
    end

    class Order < Sparpack::Struct
      field 1, :name, :string
      field 2, :lines, list(Line)
    end

    module Shouting
      def as_json(*) = { "loud" => true }
    end

    module Later; end

    Line.include(Later)
    ORDER = Order.new(name: "<a>&\u2028", lines: [Line.new(cents: 5, rate: 1.25)])
    RAILS = { status: 200, template: "show", prefixes: [] }

    def texts(options = nil)
      arguments = options ? [options] : []
      [Sparpack::NativeText.of(ORDER, options), ORDER.to_json(*arguments), Sparpack::Rendering.to_json(ORDER, options)]
    end
  RUBY

  LOAD = "require 'active_support'; require 'active_support/json'\n"

  # Each is done to a program whose objects were rendered before. It changes the text, or may do so.
  CHANGES = [
    "class Order; def as_json(*) = { 'own' => 1 }; end", "class Line; def as_json(*) = { 'own' => 1 }; end",
    "class Line; private def as_json(*) = { 'own' => 1 }; end", "module Later; def as_json(*) = { 'own' => 1 }; end",
    "Line.include(Shouting)", "Line.prepend(Shouting)", "Order.define_method(:as_json) { |*| { 'own' => 1 } }",
    "class Order; def own(*) = { 'own' => 1 }; alias as_json own; end", "Sparpack::Struct.include(Shouting)",
    "ORDER.extend(Shouting)",
    "ORDER.lines[0].extend(Shouting)", "def ORDER.as_json(*) = { 'own' => 1 }",
    "class Hash; def to_json(*) = 'mine'; end", "Hash.prepend(Module.new { def to_json(*) = 'mine' })"
  ].freeze

  # Those that are seen, in addition, if Active Support is loaded.
  ENCODERS = [
    "class Float; def as_json(*) = round(1); end", "Float.prepend(Module.new { def as_json(*) = 7 })",
    "ActiveSupport.json_encoder = Class.new(ActiveSupport.json_encoder) { def encode(*) = 'mine' }",
    "ActiveSupport.json_encoder.class_eval { def encode(*) = 'mine' }",
    "ActiveSupport.json_encoder.class_eval { private def jsonify(*) = 7 }",
    "ActiveSupport.json_encoder.prepend(Module.new { def encode(*) = 'mine' })",
    "def (ActiveSupport::JSON).encode(*) = 'mine'", "def JSON.generate(*) = 'mine'.dup",
    "module ActiveSupport::ToJsonWithActiveSupportEncoder; def to_json(*) = 'mine'; end"
  ].freeze

  # Those that matter if there are options.
  VALUES = ["class String; def as_json(*) = 'mine'; end", "class Integer; def as_json(*) = 7; end",
            "class Hash; def as_json(*) = { 'mine' => 1 }; end", "class Array; def as_json(*) = []; end"].freeze

  def test_definitions_are_respected
    changed(CHANGES, "nil").each do |change, before, after|
      assert_equal [before[2]] * 3, before
      assert_equal [nil, after[2], after[2]], after, change
    end
  end

  def test_definitions_are_respected_with_active_support
    [[CHANGES + ENCODERS, "nil"], [CHANGES + ENCODERS + VALUES, "RAILS"]].each do |changes, options|
      changed(changes, options, LOAD).each do |change, before, after|
        assert_equal [before[2]] * 3, before
        assert_equal [nil, after[2], after[2]], after, change
      end
    end
  end

  # `to_json` without options asks by itself.
  def test_definitions_are_respected_by_to_json_alone
    removed = ["class Line; undef_method :as_json; end", "class Hash; undef_method :to_json; end",
               "module Sparpack::Value; prepend Shouting; end", "class Line; private :as_json; end"]
    [*CHANGES, *removed].each do |change|
      before, after, expected = in_child do
        run = ->(code) { TOPLEVEL_BINDING.eval(code) }
        run.call(SETUP)
        text = "(begin; ORDER.to_json; rescue NameError => e; e.class; end)"
        2.times { run.call(text) }
        [run.call(text), run.call("#{change}; #{text}"),
         run.call("(begin; Sparpack::Rendering.to_json(ORDER, nil); rescue NameError => e; e.class; end)")]
      end

      assert_equal '{"name":"<a>& ","lines":[{"cents":5,"rate":1.25}]}', before
      assert_equal expected, after, change
    end
  end

  # Entries of methods are imemo objects, which may move and whose memory is used again.
  def test_definitions_are_respected_after_compaction
    before, after = in_child do
      run = ->(code) { TOPLEVEL_BINDING.eval(code) }
      run.call(SETUP)
      run.call("ORDER.to_json")
      plain = Array.new(3) do
        GC.respond_to?(:compact) ? GC.compact : GC.start
        run.call("Sparpack::Native.plain_json(ORDER)")
      end
      run.call("class Line; def as_json(*) = { 'own' => 1 }; end; GC.start")
      [plain, run.call("[Sparpack::Native.plain_json(ORDER), ORDER.to_json]")]
    end

    assert_equal ['{"name":"<a>& ","lines":[{"cents":5,"rate":1.25}]}'] * 3, before
    assert_equal [nil, '{"name":"<a>& ","lines":[{"own":1}]}'], after
  end

  def test_a_definition_can_be_taken_back
    found = changed(["class Line; def as_json(*) = { 'own' => 1 }; remove_method :as_json; end", LOAD], "nil")

    found.each { |change, _, after| assert_equal [after[2]] * 3, after, change }
    assert_equal([true, false], found.map { |_, before, after| before == after }) # Active Support escapes
  end

  # --- Active Support -----------------------------------------------------------------------------------------------------

  RANDOM = <<~'RUBY'
    $LOAD_PATH.unshift ARGV[0]
    require "sparpack"
    require "active_support"
    require "active_support/json"
    require "support/random_schema"

    schema = RandomSchema.new(Random.new(Integer(ARGV[1])))
    objects = Array.new(60) { made = schema.struct_class; Array.new(5) { schema.object(made) } }.flatten(1)
    objects << RandomSchema::Made.const_set(:Text, Class.new(Sparpack::Struct) { field 1, :text, :string, idl_name: "a<b" })
                                 .new(text: "<a href='x'>&\u2028\u2029\u2027\u3000</a>" * 20)
    counts = [true, false].map do |html|
      ActiveSupport.escape_html_entities_in_json = html
      objects.sum do |object|
        [[], [nil], [{}], [{ status: 200, template: "show", prefixes: ["a"] }]].each do |arguments|
          expected = begin
            ActiveSupport::JSON.encode(object.as_json)
          rescue JSON::GeneratorError => e
            e.class
          end
          found = begin
            object.to_json(*arguments)
          rescue JSON::GeneratorError => e
            e.class
          end
          raise "#{object.inspect}: #{found} is not #{expected}" if found != expected
        end
        text = Sparpack::NativeText.of(object)
        raise "#{text} is not #{object.to_json}" if text && text != object.to_json
        raise object.inspect if text && JSON.generate([object]) != JSON.generate([object.as_json])
        text ? 1 : 0
      end
    end
    File.binwrite(ARGV.last, Marshal.dump([objects.size, *counts]))
  RUBY

  def test_random_objects_with_active_support
    size, *counts = fresh_result(RANDOM, File.expand_path("..", __dir__), random.rand(1 << 30).to_s)

    assert_equal 1, counts.uniq.size
    assert_operator counts[0], :>, size / 4
  end

  private

  def random_objects(random)
    schema = RandomSchema.new(random)
    made = schema.struct_class
    Array.new(5) { schema.object(made) }
  end

  def outcome
    yield
  rescue JSON::GeneratorError, NoMethodError => e
    e.class
  end

  # @return [Array<Array(String, Array, Array)>] each change, with the texts before and after it
  def changed(changes, options, load = "")
    in_child do # which loads only once what is slow to load
      run = ->(code) { TOPLEVEL_BINDING.eval(code) }
      run.call(SETUP + load)
      changes.map do |change|
        in_child { [change, run.call("texts(#{options})"), run.call("#{change}; texts(#{options})")] }
      end
    end
  end
end
