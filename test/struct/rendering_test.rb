# frozen_string_literal: true

require "test_helper"
require "support/fresh_ruby"
require "json"
require "tmpdir"

# as_json and to_json: what they leave out, how they render invalid values, and what the json gem and Active Support add.
class RenderingTest < Minitest::Test
  include FreshRuby

  module Status
    extend Sparpack::Enum

    ACTIVE = 1
  end

  class Line < Sparpack::Struct
    field 1, :cents, :i32, required: true
    field 2, :token, :string
    field 3, :notes, map(:string, :string)
  end

  class Payment < Sparpack::Union
    field 1, :line, Line
    field 2, :token, :string
  end

  class Order < Sparpack::Struct
    field 1, :id, :i64, required: true, idl_name: "orderId"
    field 2, :token, :string, idl_name: "secretToken"
    field 3, :lines, list(Line)
    field 4, :by_name, map(:string, list(Line))
    field 5, :by_line, map(Line, :i32)
    field 6, :payment, Payment
    field 7, :bag, set(Line)
    field 8, :parent, "Order"
    field 9, :status, Status
    field 10, :photo, :binary
    field 11, :rate, :double
    field 12, :by_parent, map(list(Line), Payment)

    def total = lines.to_a.sum(&:cents)
  end

  class Refused < Sparpack::Exception
    field 1, :message, :string
    field 2, :token, :string
    field 3, :line, Line
  end

  SECRET = "hunter2"

  def line(**more) = Line.new(cents: 5, token: SECRET, **more)

  def order(**more)
    Order.new(id: 1, token: SECRET, lines: [line, line], by_name: { "a" => [line] }, by_line: { line => 1 },
              payment: Payment.line(line), bag: Set[line], by_parent: { [line] => Payment.token(SECRET) },
              parent: Order.new(id: 2, token: SECRET, payment: Payment.token(SECRET)), **more)
  end

  # --- except -----------------------------------------------------------------------------------------------------------

  def test_except_removes_at_every_depth
    whole = order.as_json

    assert_equal 11, whole.to_s.scan(SECRET).size
    [:token, "token", [:token], ["token"], Set[:token], { token: true }, { token: nil }, [[:token]]].each do |except|
      [order.as_json(except:), JSON.parse(order.to_json(except:))].each do |json|
        refute_includes json.to_s, SECRET, except.inspect
        assert_equal without(whole, "token", "secretToken"), json
      end
    end
  end

  def test_except_of_several_names
    json = order.as_json(except: [:lines, "by_name", :by_line, :bag, :parent, :by_parent, :token])

    assert_equal({ "orderId" => 1, "payment" => { "line" => { "cents" => 5 } } }, json)
  end

  def test_except_may_lead_further_down
    json = order.as_json(except: [{ lines: [:token] }])

    assert_equal [SECRET, [{ "cents" => 5 }] * 2, SECRET],
                 [json["secretToken"], json["lines"], json["payment"]["line"]["token"]]
    deep = Order.new(parent: Order.new(parent: Order.new(id: 3, token: SECRET), token: SECRET), token: SECRET)

    assert_equal({ "secretToken" => SECRET, "parent" => { "parent" => { "orderId" => 3 } } },
                 deep.as_json(except: { parent: :token }))
  end

  def test_names_of_the_idl
    assert_equal({ "orderId" => 1 }, Order.new(id: 1, token: SECRET).as_json(except: "secretToken"))
    assert_equal({ "orderId" => 1 }, Order.new(id: 1, token: SECRET).as_json(only: ["orderId"]))
  end

  def test_exceptions_and_unions
    assert_equal({ "message" => "no", "line" => { "cents" => 5 } },
                 Refused.new("no", token: SECRET, line:).as_json(except: :token))
    assert_empty Payment.token(SECRET).as_json(except: :token)
  end

  # A list of names is about fields. Keys of maps are data.
  def test_keys_of_maps_are_no_names
    json = line(notes: { "token" => "kept", "cents" => "kept" }).as_json(except: [:token])

    assert_equal({ "cents" => 5, "notes" => { "token" => "kept", "cents" => "kept" } }, json)
  end

  # --- only -------------------------------------------------------------------------------------------------------------

  def test_only_selects_at_the_top
    assert_equal({ "lines" => order.as_json["lines"] }, order.as_json(only: [:lines]))
    assert_equal({ "orderId" => 1 }, order.as_json(only: :id))
    assert_equal %w[orderId secretToken], order.as_json(only: ["token", :id]).keys
    assert_empty order.as_json(only: [])
    assert_empty order.as_json(only: [:cents])
    assert_equal order.as_json, order.as_json(only: nil, except: nil)
  end

  def test_only_may_lead_further_down
    assert_equal({ "orderId" => 1, "lines" => [{ "cents" => 5 }] * 2 }, order.as_json(only: [:id, { lines: [:cents] }]))
    assert_equal({ "by_name" => { "a" => [{ "cents" => 5 }] }, "payment" => { "line" => { "cents" => 5 } },
                   "by_line" => { "{\"cents\":5}" => 1 }, "bag" => [{ "cents" => 5 }] },
                 order.as_json(only: { by_name: :cents, "payment" => { line: ["cents"] }, by_line: :cents, bag: [:cents] }))
    assert_equal({ "lines" => order.as_json["lines"] }, order.as_json(only: [:lines, { lines: [:cents] }]))
  end

  def test_except_wins_over_only
    assert_equal({ "orderId" => 1, "lines" => [{ "cents" => 5 }] * 2 },
                 order.as_json(only: [:id, :token, { lines: %i[cents token] }], except: [:token]))
  end

  # --- options of ActiveModel -------------------------------------------------------------------------------------------

  def test_include
    include = { lines: { only: [:cents] }, payment: { except: :token } }

    assert_equal({ "orderId" => 1, "lines" => [{ "cents" => 5 }] * 2, "payment" => { "line" => { "cents" => 5 } } },
                 order.as_json(only: :id, include:))
    assert_equal order.as_json.keys, order.as_json(include:).keys
    assert_equal [{ "cents" => 5 }] * 2, order.as_json(include: [:payment, { lines: { except: [:token] } }])["lines"]
    assert_equal %w[orderId lines], order.as_json(only: :id, include: :lines).keys
    assert_equal({ "parent" => { "payment" => {} } },
                 order.as_json(only: [], include: { parent: { only: [], include: { payment: { except: :token } } } }))
  end

  def test_methods
    assert_equal({ "orderId" => 1, "total" => 10 }, order.as_json(only: :id, methods: :total))
    assert_equal({ "orderId" => 1, "last" => { "cents" => 5 }, "list" => [{ "cents" => 5 }] },
                 shouting.as_json(only: :id, except: :token, methods: %i[last list token]))
    assert_raises(NoMethodError) { order.as_json(methods: :nothing) }
    assert_raises(NoMethodError) { order.as_json(methods: :puts) } # private
  end

  def test_root
    assert_equal({ "order" => { "orderId" => 1 } }, Order.new(id: 1).as_json(root: true))
    assert_equal({ "x" => { "orderId" => 1 } }, Order.new(id: 1).as_json(root: :x))
    assert_equal({ "orderId" => 1 }, Order.new(id: 1).as_json(root: false))
    assert_equal({ "orderId" => 1 }, Class.new(Order).new(id: 1).as_json(root: true)["order"])
  end

  def test_any_other_option_is_ignored
    options = { status: 200, template: "show", prefixes: ["orders"], layout: nil, "only" => :id }

    assert_equal order.as_json, order.as_json(options)
    assert_equal order.to_json, order.to_json(options)
    assert_equal order.as_json, order.as_json(nil)
    assert_equal order.as_json, order.as_json(:anything)
    assert_equal order.to_json, order.to_json(nil)
  end

  # --- which values are rendered ----------------------------------------------------------------------------------------

  def test_nothing_is_checked
    assert_equal({}, Order.new.as_json)
    assert_equal({ "orderId" => "x", "lines" => { "cents" => "y" }, "payment" => 5, "bag" => [1], "by_name" => [1],
                   "photo" => 1, "rate" => "1" },
                 Order.new(id: "x", lines: { "cents" => "y" }, payment: 5, bag: [1], by_name: [1], photo: 1,
                           rate: "1").as_json)
  end

  # Values where a struct should be, which contain a secret.
  def test_except_in_what_is_not_of_its_type
    odd = Order.new(id: { token: SECRET, "a" => [{ "token" => SECRET }] }, lines: [{ token: SECRET, cents: 1 }],
                    token: line, payment: line, parent: Set[line], status: Foreign.new)
    json = odd.as_json(except: "token")

    refute_includes json.to_s, SECRET
    assert_equal({ "orderId" => { "a" => [{}] }, "lines" => [{ cents: 1 }], "payment" => { "cents" => 5 },
                   "parent" => [{ "cents" => 5 }], "status" => { except: [:token] } }, json)
    assert_equal [{ cents: 1 }], odd.as_json(only: { lines: :cents })["lines"]
  end

  class Quiet < Sparpack::Struct
    field 1, :id, :i64

    private

    def as_json(*) = super.merge("quiet" => true)
  end

  class Holder < Sparpack::Struct
    field 1, :quiet, Quiet
    field 2, :without, list("RenderingTest::Without")
  end

  class Without < Sparpack::Struct
    field 1, :id, :i64
    undef_method :as_json
  end

  # `to_json` needs no public `as_json`, at no depth.
  def test_private_as_json
    quiet = Quiet.new(id: 1)
    json = { "id" => 1, "quiet" => true }

    assert_equal json, JSON.parse(quiet.to_json)
    assert_equal({ "quiet" => json }, Holder.new(quiet:).as_json)
    assert_equal({ "quiet" => json }, JSON.parse(Holder.new(quiet:).to_json(only: :quiet)))
    assert_equal({ "without" => [{ "id" => 1 }] }, Holder.new(without: [Without.new(id: 1)]).as_json)
  end

  class Foreign
    def as_json(options = nil) = options
  end

  def test_values
    json = Order.new(status: 1, photo: "\xff\xfe".b, rate: 1.0).as_json

    assert_equal({ "status" => 1, "photo" => "//4=", "rate" => 1.0 }, json)
  end

  # Keys become text: structs and containers as compact JSON, with their fields in ascending order of ids.
  def test_keys
    struct = Class.new(Sparpack::Struct) do
      field 1, :key, map(:i64, :bool)
      field 2, :real, map(:double, :bool)
      field 3, :set, map(set(:i8), :bool)
    end
    key = Class.new(Sparpack::Struct) do
      field 2, :b, :double
      field 1, :a, :double
    end
    keyed = Class.new(Sparpack::Struct) { field 1, :keyed, map(key, :i8) }

    assert_equal({ "key" => { "1" => true }, "real" => { "1.5" => true, "NaN" => false }, "set" => { "[1,2]" => true } },
                 struct.new(key: { 1 => true }, real: { 1.5 => true, Float::NAN => false },
                            set: { Set[1, 2] => true }).as_json)
    assert_equal({ "keyed" => { "{\"a\":1.5,\"b\":\"Infinity\"}" => 1 } },
                 keyed.new(keyed: { key.new(b: Float::INFINITY, a: 1.5) => 1 }).as_json)
  end

  def test_classes_that_render_themselves
    own = Class.new(Line) { def as_json(options = nil) = super.merge("total" => options.inspect) }
    order = Order.new(lines: [own.new(cents: 1, token: SECRET)])

    assert_equal [{ "cents" => 1, "token" => SECRET, "total" => "nil" }], order.as_json["lines"]
    options = { only: [:cents, { notes: [:x] }], except: [:token] }

    assert_equal [{ "cents" => 1, "total" => options.inspect }],
                 order.as_json(only: { lines: [:cents, { notes: [:x] }] }, except: :token)["lines"]
    shorter = Class.new(Line) { def as_json = { "short" => true } }

    assert_equal "{\"lines\":[{\"short\":true}]}", Order.new(lines: [shorter.new]).to_json
    assert_equal "{\"short\":true}", shorter.new.to_json
  end

  def test_in_ractors
    experimental = Warning[:experimental]
    Warning[:experimental] = false
    ractor = Ractor.new(Ractor.make_shareable(order)) { |order| [order.as_json(except: :token), order.to_json] }
    taken = ractor.respond_to?(:value) ? ractor.value : ractor.take

    assert_equal [order.as_json(except: :token), order.to_json], taken
  ensure
    Warning[:experimental] = experimental
  end

  # --- the json gem -----------------------------------------------------------------------------------------------------

  def test_the_generators_state
    order = Order.new(id: 1, lines: [Line.new(cents: 1)])

    assert_equal <<~TEXT.chomp, JSON.pretty_generate({ "a" => [order] })
      {
        "a": [
          {
            "orderId": 1,
            "lines": [
              {
                "cents": 1
              }
            ]
          }
        ]
      }
    TEXT
    assert_equal JSON.pretty_generate(order.as_json), JSON.pretty_generate(order)
    assert_equal "{\n \"orderId\": 1\n}",
                 Order.new(id: 1).to_json(indent: " ", space: " ", object_nl: "\n", except: :token, status: 1)
    assert_raises(JSON::NestingError) { JSON.generate([[order]], max_nesting: 3) }
  end

  class Shown < Sparpack::Struct
    field 2, :later, list("Shown")
    field 1, :id, :i64, required: true, idl_name: "shownId"
    field 3, :rate, :double
    field 4, :text, :string
    field 5, :by_id, map(:i64, :binary)
    field 6, :status, Status
  end

  # The native writer and the json gem give the same text. It is refused where only Ruby knows the text.
  def test_the_native_writer
    shown = Shown.new(id: 1, rate: 52.25, text: "a\"\n\u00e9", by_id: { 2 => "\xff".b }, status: :ACTIVE, later: [Shown.new])
    text = '{"shownId":1,"later":[{}],"rate":52.25,"text":"a\\"\\né","by_id":{"2":"/w=="},"status":1}'

    assert_equal text, Sparpack::NativeText.of(shown)
    assert_equal [text] * 3, [shown.to_json, JSON.generate(shown), shown.as_json.to_json]
    assert_equal "[#{text},{\"a\":#{text}}]", JSON.generate([shown, { a: shown }])
    [{ rate: 1e20 }, { rate: 1 }, { rate: Float::NAN }, { text: "\xff" }, { id: "x" }, { later: [nil] },
     { text: "e".encode("UTF-16LE") }, { later: [Class.new(Shown).new] }].each do |odd|
      assert_nil Sparpack::NativeText.of(Shown.new(**odd)), odd.inspect
    end
    assert_nil Sparpack::Native.render(Shown.new(later: [Shown.new(later: [])]), 3, [])
    own = Class.new(Shown) { def as_json(*) = super.merge("own" => true) }

    assert_equal '{"shownId":1,"own":true}', own.new(id: 1).to_json
  end

  # What Active Support escapes, at every place of texts of every small size. Each text is a String of its own, so that a
  # sanitizer notices reads beyond it.
  def test_marks_are_escaped
    escapes = { "<" => "\\u003c", ">" => "\\u003e", "&" => "\\u0026", "\u2028" => "\\u2028", "\u2029" => "\\u2029" }
    (0..40).each do |size|
      ["a" * size, "\u20ac" * size, "\u2028" * size, "a<" * size].product(["", *escapes.keys, "\u2027"]) do |text, mark|
        [text + mark, mark + text].each do |whole|
          [[true, true], [true, false], [false, true]].each do |html, separators|
            known = escapes.select { |key, _| key.ascii_only? ? html : separators }

            assert_equal whole.gsub(Regexp.union(known.keys), known), Sparpack::Native.escape_marks(whole, html, separators)
          end
        end
      end
    end
  end

  def test_script_safe
    unsafe = Order.new(token: "</script>\u2028")
    option = JSON::State.method_defined?(:script_safe?) ? :script_safe : :escape_slash
    expected = JSON.generate({ "secretToken" => "</script>\u2028" }, option => true)

    assert_equal expected, JSON.generate(unsafe, option => true)
    assert_equal expected, unsafe.to_json(option => true)
    assert_includes expected, "<\\/script>"
  end

  def test_nan_is_the_generators_business
    assert_raises(JSON::GeneratorError) { Order.new(rate: Float::NAN).to_json }
    assert_equal "{\"rate\":NaN}", Order.new(rate: Float::NAN).to_json(allow_nan: true)
  end

  # --- Active Support, and the json gem's version 3 ----------------------------------------------------------------------

  CLASSES = <<~RUBY
    require "sparpack"

    class Line < Sparpack::Struct
      field 1, :cents, :i32
      field 2, :token, :string
      field 3, :rate, :double
    end

    class Order < Sparpack::Struct
      field 1, :id, :i64
      field 2, :lines, list(Line)
      field 3, :by_line, map(Line, :i8)
    end

    class Refused < Sparpack::Exception
      field 1, :token, :string
      field 2, :id, :i64
    end

    line = Line.new(cents: 5, token: "<&>\u2028hunter2", rate: Float::NAN)
    ORDER = Order.new(id: 1, lines: [line], by_line: { line => 1 })
  RUBY

  ACTIVE_SUPPORT = <<~RUBY
    require "active_support"
    require "active_support/core_ext"
    require "active_support/json"
    short = Order.new(id: 1, lines: [Line.new(cents: 5, token: "hunter2")])
    result = {
      plain: [ORDER.to_json, ActiveSupport::JSON.encode(ORDER), [ORDER].to_json, { order: ORDER }.to_json],
      except: [short.to_json(except: [:token]), [short].to_json(except: [:token]), { a: [short] }.to_json(except: ["token"]),
               ActiveSupport::JSON.encode([short], except: :token), [[short]].as_json(except: :token).to_json,
               { a: short }.as_json(except: [:token]).to_json, Refused.new(token: "hunter2", id: 1).to_json(except: :token)],
      only: [short.to_json(only: [{ lines: [:cents] }]), [short].to_json(only: [:id]), { id: short }.to_json(only: [:id])],
      rails: short.to_json(prefixes: ["orders"], template: "show", status: 200, except: [:token]),
      root: [short, short].to_json(root: true, only: :id),
      state: [JSON.generate(short), JSON.pretty_generate(short) == JSON.pretty_generate(short.as_json)],
      options: ActiveSupport::HashWithIndifferentAccess.new(except: ["token"]).then { short.to_json(_1) },
      unescaped: (ActiveSupport.escape_html_entities_in_json = false; Line.new(token: "<&> ").to_json)
    }
    File.binwrite(ARGV.last, Marshal.dump(result))
  RUBY

  def test_active_support
    found = fresh_result(CLASSES + ACTIVE_SUPPORT)
    token = '\u003c\u0026\u003e\u2028hunter2'
    whole = %({"id":1,"lines":[{"cents":5,"token":"#{token}","rate":null}],"by_line":) +
            %({"{\\"cents\\":5,\\"token\\":\\"#{token}\\",\\"rate\\":\\"NaN\\"}":1}})
    short = '{"id":1,"lines":[{"cents":5}]}'

    assert_equal [whole, whole, "[#{whole}]", %({"order":#{whole}})], found[:plain]
    assert_equal [short, "[#{short}]", %({"a":[#{short}]}), "[#{short}]", "[[#{short}]]", %({"a":#{short}}), '{"id":1}'],
                 found[:except]
    assert_equal ['{"lines":[{"cents":5}]}', '[{"id":1}]', '{"id":{"id":1}}'], found[:only]
    assert_equal [short, short, '[{"order":{"id":1}},{"order":{"id":1}}]'], found.values_at(:rails, :options, :root)
    assert_equal ['{"id":1,"lines":[{"cents":5,"token":"hunter2"}]}', true], found[:state]
    assert_equal '{"token":"<&>\\u2028"}', found[:unescaped]
  end

  # It refuses unknown options, and passes the others as keywords.
  def test_version_3_of_the_json_gem
    skip "The benchmark's gems are not installed" if Dir["#{Bundler.bundle_path}/gems/json-3.*"].empty?

    found = fresh_result(CLASSES + <<~RUBY)
      gem "json", "~> 3.0"
      require "json"
      short = Order.new(id: 1, lines: [Line.new(cents: 5, token: "</hunter2")])
      result = [short.to_json(status: 200, template: "show", except: [:token], indent: " "),
                Line.new(rate: Float::NAN).to_json(allow_nan: true), short.to_json(script_safe: true),
                JSON.generate([short], script_safe: true), JSON.pretty_generate(short) == JSON.pretty_generate(short.as_json)]
      File.binwrite(ARGV.last, Marshal.dump(result))
    RUBY
    safe = '{"id":1,"lines":[{"cents":5,"token":"<\\/hunter2"}]}'

    assert_equal [" ", '{"rate":NaN}', safe, "[#{safe}]", true], [found[0][1], *found[1..]]
    assert_equal '{"id":1,"lines":[{"cents":5}]}', found[0].delete(" ")
  end

  private

  def shouting
    Class.new(Order) do
      def last = lines.last
      def list = [lines.last]
    end.new(**order.to_h)
  end

  # The texts of keys are JSON, too.
  def without(json, *names)
    case json
    when Hash
      json.except(*names).to_h { |key, value| [key.gsub(/(?<={"cents":5),"token":"\w+"/, ""), without(value, *names)] }
    when Array then json.map { |element| without(element, *names) }
    else json
    end
  end
end
