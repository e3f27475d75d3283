# frozen_string_literal: true

# bin/test: not sanitized, for it measures Ruby code

require "test_helper"
require "support/cost"
require "support/idl_versions"

# The work to compare two versions grows with their length, not with the square of it. It is measured by the objects that are
# made, because their number does not depend on what else the machine does.
class IDLBreakingGrowthTest < Minitest::Test
  include IDLVersions

  # If the work were quadratic, texts of eight times the length would need 64 times as many objects.
  FEW = 30
  LONGER = 8
  MOST = 14

  # @return [String] n texts, made from their numbers
  def self.list(count, &) = (1..count).map(&).join(" ")

  # Pairs of versions that repeat something n times.
  VERSIONS = {
    "words that allow nothing" => lambda do |n|
      %w[a b].map do |name|
        "struct S { #{list(n) { |i| "#{i}: i32 #{name}#{i}" }} } (sparpack.compat = '#{list(n) { |i| "w#{i}" }}')"
      end
    end,
    "services that inherit many functions" => lambda do |n|
      ["service P { #{list(n) { |i| "void f#{i}()" }} } #{list(n) { |i| "service S#{i} extends P {}" }}"] * 2
    end
  }.freeze

  VERSIONS.each do |what, texts|
    define_method(:"test_#{what.tr(" ", "_")}") do
      few, many = [FEW, LONGER * FEW].map { |size| cost(*texts.call(size)).objects }

      assert_operator many, :<, MOST * few
    end
  end

  # Two rings of structs, whose lengths have no common divisor, make a pair of each struct with each other one.
  def test_rings_of_structs
    few, many = [10, 40].map { |size| cost(ring("A", size), ring("B", size + 1), :names) }

    assert_operator many.objects, :<, 8 * few.objects
    assert_equal([[], %i[type_changed]], [few, many].map { |cost| cost.result.findings.map(&:rule) })
  end

  # However long an IDL is, each of its definitions may have a new name.
  def test_all_names_are_new
    old, new = %w[A B].map { |name| "enum #{name} { #{self.class.list(25_001) { |i| "V#{i}" }} } struct S { 1: #{name} a }" }

    assert_empty findings(old, new)
  end

  # If many services no longer inherit many functions, each function of each service is gone. The rest is said in short.
  def test_functions_that_are_no_longer_inherited
    functions = self.class.list(200) { |i| "void f#{i}(#{self.class.list(19) { |j| "#{j}: i32 a#{j}" }})" }
    old, new = ["extends P", ""].map { |parent| self.class.list(60) { |i| "service S#{i} #{parent} { void g() }" } }
    found = findings("service P { #{functions} } #{old}", "service P { #{functions} } #{new}")
    each, all = found.partition { |finding| finding.at.include?(".") }

    assert_equal [:function_removed], found.map(&:rule).uniq
    assert_equal [25 * 200, 35], [each.size, all.size]
    assert_equal "S60 no longer extends P, and its functions were not compared: " \
                 "the services of the old version inherit too many functions", all.last.message
  end

  private

  def ring(name, size)
    structs = self.class.list(size) do |i|
      "struct #{name}#{i} { #{self.class.list(40) { |j| "#{j}: #{name}#{(i % size) + 1} f#{j}" }} }"
    end
    "#{structs} struct S { 1: #{name}1 a }"
  end

  # @return [Cost] that of the comparison, without that of reading the versions
  def cost(old, new, level = :source)
    versions = [version(old), version(new)]
    cost = Cost.of { Sparpack::IDL::Breaking.new(*versions, level:) }

    assert_kind_of Sparpack::IDL::Breaking, cost.result
    cost
  end
end
