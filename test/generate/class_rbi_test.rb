# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require "rbi"
require "support/nasty_names"
require "tmpdir"

# RBI for classes that are there, which the compiler for Tapioca writes (test/rails/tapioca_test.rb).
class ClassRBITest < Minitest::Test
  module Hue
    extend Sparpack::Enum

    RED = 1
  end

  Point = ::Struct.new(:x)

  class Dot < Sparpack::Struct
    field 1, :at, Sparpack::Mapping.new(Point, [:x]), required: true
    field 2, :hue, Hue
    field 3, :hues, list(Hue)
    field 4, :guid, :uuid
    field 5, :end, :string
  end

  def test_a_class
    at = "::ClassRBITest::Point"
    hue = "::T.nilable(::T.any(::Integer, ::String, ::Symbol))"

    assert_includes of(Dot), "at: #{at},\n      hue: #{hue},\n      hues: ::T.nilable(::T::Array[::Integer]),"
    assert_includes of(Dot), "  sig { returns(#{at}) }\n  def at; end\n\n  " \
                             "sig { params(at: #{at}).returns(#{at}) }\n  def at=(at); end"
    assert_includes of(Dot), "  sig { returns(::T.nilable(::Integer)) }\n  def hue; end\n\n  sig { params(hue: #{hue})"
    assert_includes of(Dot), "  def guid=(guid); end\n"
    assert_includes of(Dot), "  def end=(value); end\nend" # `end` would be no name of a parameter
  end

  def test_a_plain_class_without_a_name
    anonymous = Sparpack::Mapping.new(::Struct.new(:x), [:x])

    sheet = self.class.const_set(:Sheet, Class.new(Sparpack::Struct) { field 1, :dot, anonymous, required: true })

    assert_includes of(sheet), "sig { returns(::T.untyped) }\n  def dot; end"
  end

  def test_any_names
    Dir.mktmpdir do |folder|
      File.write("#{folder}/nasty.thrift", NastyNames.idl)
      into = self.class.const_set(:Into, Module.new)
      Sparpack::IDL.load("#{folder}/nasty.thrift", into:)
      names = into.const_get(:Nasty).const_get(:Names)
      classes = names.constants.map { |name| names.const_get(name) }.grep(Class)
      structs = classes.select { |found| found < Sparpack::Value }

      refute_empty structs
      structs.each { |found| assert_equal [found.to_s], RBI::Parser.parse_string(of(found)).nodes.map(&:name) }
    end
  end

  private

  def of(struct_class) = Sparpack::Generate::ClassRBI.new.of_class(struct_class).join("\n")
end
