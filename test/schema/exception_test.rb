# frozen_string_literal: true

require "test_helper"
require "pp"
require "yaml"

# Exceptions with fields.
class ExceptionTest < Minitest::Test
  class Gone < Sparpack::Exception
    field 1, :message, :string
    field 2, :id, :i64
  end

  class Plain < Sparpack::Exception
    field 1, :id, :i64
  end

  class Bare < Sparpack::Exception
  end

  # Names that exceptions reserve, or that hide the methods that make them.
  class Odd < Sparpack::Exception
    field 1, :backtrace, :string
    field 2, :cause, :i32
    field 3, :full_message, :string
    field 4, :class, :string
    field 5, :detailed_message, :string
    field 6, :exception, :i32
    field 7, :plain_message, :string
    field 8, :take_text, :string
    field 9, :message_field, :string
  end

  def test_raise_with_a_text
    error = assert_raises(Gone) { raise Gone, "no such listing" }

    assert_equal ["no such listing", "no such listing", nil], [error.message, error[:message], error.id]
    assert_equal "no such listing", error.to_s
  end

  def test_raise_with_fields
    error = assert_raises(Gone) { raise Gone, message: "no such listing", id: 7 }

    assert_equal ["no such listing", 7], [error.message, error.id]
    error = assert_raises(Gone) { raise Gone.new("text", id: 8) }

    assert_equal ["text", 8], [error.message, error.id]
    assert_equal 9, assert_raises(Gone) { raise Gone.new(id: 9) }.id
  end

  def test_new_yields_the_object
    calls = []
    gone = Gone.new("text", id: 7) do |made|
      calls << [made.message, made.id]
      made.message = "other"
    end

    assert_equal [[["text", 7]], "other", 7], [calls, gone.message, gone.id]
    assert_equal 8, Plain.new("text") { |made| made.id = 8 }.id
  end

  def test_raise_an_object_with_a_text
    original = Gone.new("first", id: 7)
    error = assert_raises(Gone) { raise original, "second" }

    assert_equal ["second", 7, "first"], [error.message, error.id, original.message]
    assert_same original, assert_raises(Gone) { raise original }
  end

  def test_without_a_field_message
    assert_equal "text", assert_raises(Plain) { raise Plain, "text" }.message
    assert_equal ["ExceptionTest::Plain", "ExceptionTest::Bare"], [Plain.new(id: 1).message, Bare.new.message]
    assert_equal "text", Plain.new("text", id: 1).message
    assert_equal 1, assert_raises(Plain) { raise Plain, id: 1 }.id
    assert_equal "ExceptionTest::Plain", Plain.decode(Plain.new("text", id: 1).encode).message
  end

  # Ruby, loggers and reporters of errors rely on a String.
  def test_the_message_is_a_string
    error = assert_raises(Gone) { raise Gone, id: 7 }

    assert_equal "failed: ExceptionTest::Gone", "failed: " + error.message # rubocop:disable Style/StringConcatenation
    number = assert_raises(Gone) { raise Gone, message: 5 }

    assert_equal ["5", 5], [number.message, number[:message]]
    assert_equal(["false", "", "[1]"], [false, "", [1]].map { |text| Gone.new(message: text).message })
    assert_equal ["ExceptionTest::Gone"] * 2, [error.full_message(highlight: false)[/ExceptionTest::Gone/], error.to_s]
    assert_match(/\A#<Class:0x\h+>\z/, Class.new(Gone).new.message)
    assert_equal "other", Gone.new.tap { |gone| gone.message = "other" }.message
    assert_equal "a subclass: text", Class.new(Gone) { def message = "a subclass: #{super}" }.new("text").message
  end

  def test_the_field_message_stays_as_it_is
    gone = Gone.new(id: 7)

    assert_equal [nil, false, { message: nil, id: 7 }], [gone[:message], gone.set?(:message), gone.to_h]
    assert_equal [gone, { "id" => 7 }, nil], [Gone.decode(gone.encode), gone.as_json, gone.with(id: 1)[:message]]
    assert_equal [5, nil], [gone.with(message: 5) { gone[:message] }, gone[:message]]
    assert_raises(Sparpack::EncodeError::TypeMismatch) { Gone.new(message: 5).encode }
  end

  def test_inspect_shows_a_text_that_is_no_field
    plain = Plain.new("two\nlines", id: 5)

    assert_equal "#<ExceptionTest::Plain: \"two\\nlines\", id=5>", plain.inspect
    assert_equal "#<ExceptionTest::Plain: \"text\", id=5>\n", Plain.new("text", id: 5).pretty_inspect
    assert_equal "#<ExceptionTest::Bare: \"text\">", assert_raises(Bare) { raise Bare, "text" }.inspect
    assert_equal "#<ExceptionTest::Plain id=5>", Plain.new(id: 5).inspect
    assert_equal "#<ExceptionTest::Plain id=5>\n", Plain.new(id: 5).pretty_inspect
    assert_match(/\A#<ExceptionTest::Plain:\n "#{"x" * 99}",\n id=5>\n\z/, Plain.new("x" * 99, id: 5).pretty_inspect)
  end

  def test_without_a_message
    assert_nil Gone.new[:message]
    assert_equal "ExceptionTest::Gone", Gone.new.to_s
    assert_includes Gone.new.full_message, "ExceptionTest::Gone"
  end

  def test_rescue_and_cause
    error = begin
      begin
        raise Gone, "first"
      rescue Gone
        raise Plain, "second"
      end
    rescue Sparpack::Exception => e
      e
    end

    assert_equal ["first", "second"], [error.cause.message, error.message]
    assert_kind_of StandardError, error
    assert_includes error.backtrace.first, "exception_test.rb"
    assert_includes error.full_message(highlight: false), "second (ExceptionTest::Plain)"
  end

  def test_encode_and_decode
    Sparpack::WIRES.each do |wire|
      [Gone.new("ü", id: 1), Gone.new, Gone.new(id: -1)].each do |gone|
        assert_equal gone, Gone.decode(gone.encode(wire), wire)
      end
      assert_equal "ü", Gone.decode(Gone.new("ü").encode(wire), wire).message
    end
  end

  def test_frozen_exceptions
    [Gone, Plain, Bare].each do |exception|
      frozen = exception.decode(exception.new("text").encode, freeze: true)

      assert_predicate frozen, :frozen?
      assert_equal exception == Gone ? "text" : exception.name, frozen.message
      assert_includes frozen.full_message, exception.name
      assert_raises(exception) { raise frozen }
    end
  end

  def test_values
    gone = Gone.new("text", id: 1)

    assert_equal gone, gone.dup
    assert_equal Gone.new("text", id: 2), gone.with(id: 2)
    assert_equal({ message: "text", id: 1 }, gone.to_h)
    assert_equal gone, Gone.from_h(gone.to_h)
    assert_equal "#<ExceptionTest::Gone message=\"text\", id=1>", gone.inspect
    refute_equal gone, Gone.new("other", id: 1)
    assert_equal({ message: "text" }, gone.deconstruct_keys(%i[message]))
  end

  def test_new_refuses_what_it_does_not_know
    assert_raises(ArgumentError) { Gone.new("text", idd: 1) }
    assert_raises(ArgumentError) { raise Gone, idd: 1 }
  end

  def test_marshal_and_yaml
    error = assert_raises(Gone) { raise Gone.new("text", id: 1) }
    copy = Marshal.load(Marshal.dump(error))

    assert_equal [error, error.backtrace], [copy, copy.backtrace]
    assert_equal "text", Marshal.load(Marshal.dump(Plain.new("text"))).message
    assert_equal error, YAML.unsafe_load(YAML.dump(error))
  end

  def test_names_that_exceptions_keep
    odd = Odd.new(backtrace: "b", cause: 1, full_message: "f", class: "c", detailed_message: "d", exception: 2)

    assert_equal ["b", 1, "f", "c", "d", 2], [odd.backtrace_, odd.cause_, odd.full_message_, odd.class_,
                                              odd.detailed_message_, odd.exception_]
    assert_equal odd, Odd.decode(odd.encode)
    error = assert_raises(Odd) { raise odd }

    assert_equal [Odd, nil, Array], [error.class, error.cause, error.backtrace.class]
    assert_equal "b", error[:backtrace]
  end

  def test_names_that_ours_are_made_with
    odd = Odd.new("text", plain_message: "p", take_text: "t", message_field: "m")

    assert_equal ["text", "p", "t", "m"], [odd.message, odd.plain_message, odd.take_text, odd.message_field]
    assert_equal odd, Marshal.load(Marshal.dump(odd))
    assert_equal "text", Marshal.load(Marshal.dump(odd)).message
    assert_equal "other", assert_raises(Odd) { raise odd, "other" }.message
  end

  def test_subclasses_share_their_fields
    subclass = Class.new(Gone) { def retry? = id.nil? }

    assert_predicate subclass.new("text"), :retry?
    assert_equal "text", assert_raises(Gone) { raise subclass, "text" }.message
  end
end
