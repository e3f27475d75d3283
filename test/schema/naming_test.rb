# frozen_string_literal: true

require "test_helper"
require "json"
require "pp"
require "yaml"

# Fields whose names are those of methods of Ruby or Sparpack work like any other.
class NamingTest < Minitest::Test
  # The classes need names, for Marshal and YAML.
  module Made
  end

  RUBY = [*Kernel.private_instance_methods(false), *BasicObject.private_instance_methods(false), *Kernel.instance_methods,
          *Comparable.instance_methods].freeze
  RAILS = %i[blank? present? presence try try! as_json to_json to_param to_query in? html_safe? with_options instance_values
             acts_like? duplicable? deep_dup with pretty_print pretty_inspect].freeze
  OURS = [*Sparpack::Value.instance_methods, *Sparpack::Value.private_instance_methods, *Sparpack::Union.instance_methods,
          *Sparpack::Exception.instance_methods, *Sparpack::Exception.private_instance_methods,
          *Sparpack.singleton_methods, *Sparpack::Declaration.instance_methods,
          *Sparpack::Declaration.private_instance_methods].freeze
  WORDS = %i[BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next
             nil not or redo rescue retry return self super then true undef unless until when while yield __FILE__
             __LINE__ __ENCODING__].freeze
  NAMES = [*Sparpack::RESERVED, *Sparpack::RESERVED_BY_EXCEPTIONS, *RUBY, *RAILS, *OURS, *WORDS]
          .uniq.grep(/\A[A-Za-z_]\w*\z/).sort.freeze

  BASES = { struct: Sparpack::Struct, union: Sparpack::Union, exception: Sparpack::Exception }.freeze

  BASES.each do |shape, base|
    define_method("test_every_name_is_a_#{shape}s_field") do
      wrong = NAMES.to_h { |name| [name, fault(name, shape, base)] }.compact

      assert_empty wrong, wrong.map { |name, fault| "#{name}: #{fault}" }.join("\n")
    end
  end

  def test_all_names_in_one_struct
    made = Class.new(Sparpack::Struct) { NAMES.each_with_index { |name, id| field id, name, :i32 } }
    object = made.new(**NAMES.each_with_index.to_h)

    assert_equal object, made.decode(object.encode)
    NAMES.each_with_index do |name, id|
      assert_equal [id, id], [object[name], object.public_send(made.schema[name].reader)], name
    end
  end

  def test_reserved_names_get_another_reader
    Sparpack::RESERVED.each do |name|
      made = Class.new(Sparpack::Struct) { field 1, name, :i32 }

      assert_equal [:"#{name}_", name], [made.schema[name].reader, made.schema[name].name]
      assert_equal 5, made.new(name => 5).public_send(:"#{name}_")
      object = made.new
      object.public_send(:"#{name}_=", 6)
      object.public_send(:"#{name}=", object[name] + 1)

      assert_equal 7, object[name]
    end
  end

  def test_exceptions_reserve_more
    Sparpack::RESERVED_BY_EXCEPTIONS.each do |name|
      assert_equal name, Class.new(Sparpack::Struct) { field 1, name, :i32 }.schema[name].reader
      assert_equal :"#{name}_", Class.new(Sparpack::Exception) { field 1, name, :i32 }.schema[name].reader
    end
  end

  def test_what_a_reader_hides_is_reachable
    names = %i[errors validate with schema encode_to merge]
    made = Class.new(Sparpack::Struct) { names.each_with_index { |name, id| field id, name, :i32, required: true } }
    object = made.new(errors: 1, validate: 2, with: 3, schema: 4, encode_to: 5, merge: 6)
    io = StringIO.new

    assert_equal([1, 2, 3, 4, 5, 6], names.map { |name| object.public_send(name) })
    assert_equal [[], object, true],
                 [Sparpack.errors(object), Sparpack.validate(object, :recursive), Sparpack.valid?(object)]
    assert_equal 9, Sparpack.with(object, with: 9).with
    assert_equal [1, 9], Sparpack.merge(object, made.new(merge: 9)).to_h.values_at(:errors, :merge)
    assert_same made.schema, Sparpack.schema(object)
    assert_same made.schema, Sparpack.schema(made)
    assert_equal object, Sparpack.from_h(made, object.to_h)
    assert Sparpack.set?(object, :errors)
    assert_equal object.encode.bytesize, Sparpack.encode_to(object, io)
    assert_equal object.encode, io.string
    assert_equal 6, Sparpack.errors(made.new).size
  end

  # Names go to wires and to the IDL as UTF-8.
  ENCODED = ["ü", "ü".encode("ISO-8859-1"), "ü".encode("UTF-16LE"), "ü".b].freeze
  NO_NAMES = { "\xff" => "1 byte in UTF-8", "\xff\xfe".b => "2 bytes in #{Encoding::BINARY}",
               (+"\xff").force_encoding("US-ASCII") => "1 byte in US-ASCII",
               (+"\xd8\x00").force_encoding("UTF-16BE") => "2 bytes in UTF-16BE" }.freeze

  def test_names_in_any_encoding
    ENCODED.each do |name|
      named = Class.new(Sparpack::Struct) { field 1, :x, :i32, idl_name: name }

      assert_equal "ü", named.schema[:x].idl_name
      assert_equal ['{"ü":1}', { "ü" => 1 }], [named.new(x: 1).encode(:json), named.new(x: 1).as_json]
      assert_equal "\x81\xa2\xc3\xbc\x01".b, named.new(x: 1).encode(:message_pack, keys: :names)
      assert_equal named.new(x: 1), named.from_json('{"\u00fc":1}')
    end
    latin = Class.new(Sparpack::Struct) { field 1, "ü".encode("ISO-8859-1").to_sym, :i32 }

    assert_equal '{"ü":1}', latin.from_json('{"ü":1}').encode(:json)
  end

  def test_names_that_are_no_text
    NO_NAMES.each do |name, found|
      error = assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { field 1, :x, :i32, idl_name: name } }

      assert_includes error.message, ".x: a name is text that is valid UTF-8, not a String of #{found}"
      assert_raises(Sparpack::SchemaError) { Class.new(Sparpack::Struct) { idl name } }
      error = assert_raises(Sparpack::SchemaError) { named_enum(name) }

      assert_includes error.message, ": a name is text that is valid UTF-8, not a String of #{found}"
    end
  end

  def test_names_of_enums_in_any_encoding
    ENCODED.each do |name|
      colors = named_enum(name)
      painted = Class.new(Sparpack::Struct) { field 1, :color, colors }

      assert_equal '{"color":"ü"}', painted.new(color: 1).encode(:json, enums: :names)
      assert_equal painted.new(color: 1), painted.from_json('{"color":"ü"}')
      assert_equal "\x92\xc0\xa2\xc3\xbc".b, painted.new(color: 1).encode(:message_pack, enums: :names)
    end
    latin = Module.new do
      extend Sparpack::Enum

      const_set("RÜ".encode("ISO-8859-1"), 1)
    end
    painted = Class.new(Sparpack::Struct) { field 1, :color, latin }

    assert_equal '{"color":"RÜ"}', painted.new(color: 1).encode(:json, enums: :names)
    assert_equal painted.new(color: 1), painted.from_json('{"color":"RÜ"}')
  end

  private

  def named_enum(name)
    Module.new do
      extend Sparpack::Enum

      const_set(:RED, 1)
      idl values: { RED: name }
    end
  end

  # Returns nil, or what does not work of everything that objects can do.
  def fault(name, shape, base)
    made = Made.const_set("C#{Made.constants.size}", Class.new(base))
    reader = made.field(1, name, :string)
    made.field(2, :other_, :i32) unless shape == :union
    object = made.new(name => "v")
    actual = [object[name], object.public_send(reader), object.set?(name), Sparpack::Codec.new(made).decode(object.encode),
              object.dup, Sparpack.from_h(made, object.to_h), made.new(name => "w").tap { |other| other[name] = "v" },
              Marshal.load(Marshal.dump(object)), YAML.unsafe_load(YAML.dump(object)), Sparpack.with(object, name => "v"),
              { object => 1 }.key?(made.new(name => "v")), Ractor.shareable?(Ractor.make_shareable(object.dup)),
              JSON.parse(object.to_json), PP.singleline_pp(object, +""), object.inspect,
              Sparpack.errors(object, :recursive), object.frozen?]
    expected = ["v", "v", true, *[object] * 7, true, true, { name.name => "v" },
                *["#<#{made} #{name}=\"v\">"] * 2, [], false]
    wrong = actual.zip(expected).reject { |found, wanted| found == wanted }
    return "#{wrong[0][0].inspect} instead of #{wrong[0][1].inspect}" if wrong.any?

    raised(object, name) if shape == :exception
  rescue StandardError, NotImplementedError => e
    "#{e.class}: #{e.message}"
  end

  def raised(object, name)
    raise object, "text"
  rescue object.singleton_class.superclass => e
    found = [e.to_s, e.full_message(highlight: false).include?("text"), e.backtrace.class, e.cause]
    found.inspect unless found == ["text", true, Array, nil] || name == :message
  end
end
