# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "thrift"
require "tempfile"
require "tmpdir"
require "support/fresh_ruby"
require "sparpack/drop_in/thrift/validation"

# Which `validate` is recognised as generated, and what it checks.
class DropInThriftValidationTest < Minitest::Test
  include FreshRuby

  module Kind
    A = 1
    B = 2
    VALID_VALUES = Set.new([A, B]).freeze
  end

  VALIDATION = Sparpack::DropIn::Thrift::Validation
  KIND = "::DropInThriftValidationTest::Kind"
  FIELDS = { 1 => { type: 8, name: "id" }, 2 => { type: 8, name: "kind", enum_class: Kind }, 3 => { type: 2, name: "flag" },
             4 => { type: 11, name: "text" } }.freeze

  # --- what generators write --------------------------------------------------------------------------------------------

  GOLDEN = {
    "Point" => [[:x], []], "Answer" => [[], [:color]], "Gone" => [[], []], "Broken" => [[:code], []],
    "Everything" => [[], [:color]], "Strict" => [%i[flag name numbers color point count], [:color]],
    "Nothing" => [[], []], "Wide" => [[], []]
  }.freeze

  Dir.children("test/golden/thrift").grep(/\A\d/).each do |version|
    define_method("test_classes of #{version} are recognised") do
      name = "Market#{version.delete(".")}"
      text = File.read("test/golden/thrift/#{version}/market_types.rb").gsub("Market", name)
      eval(text, TOPLEVEL_BINDING.dup) # rubocop:disable Security/Eval -- our own file
      market = Object.const_get(name)

      found = GOLDEN.to_h { |each, _| [each, VALIDATION.of(market.const_get(each))] }

      assert_equal(GOLDEN, found.transform_values { |checks| checks && [checks.required, checks.enums.keys] })
      assert_same market::Color::VALID_VALUES, found["Strict"].enums[:color]
    end
  end

  def test_the_union_of_the_newest_generator
    checks = VALIDATION.of(union(<<~RUBY))
      #{raising("Union fields are not set.", "INVALID_DATA")} if get_set_field.nil? || get_value.nil?
      if get_set_field == :kind
        #{raising("Invalid value of field kind!", "INVALID_DATA")} unless #{KIND}::VALID_VALUES.include?(get_value)
      end
    RUBY

    assert_equal [[], { kind: Kind::VALID_VALUES }], checks.to_a
  end

  def test_paths_of_the_oldest_generators
    own = struct(CHECKED.gsub(KIND, KIND.delete_prefix("::")))

    assert_equal [[:id], { kind: Kind::VALID_VALUES }], VALIDATION.of(own).to_a
  end

  def test_a_path_that_another_constant_may_hide
    text = CHECKED.gsub(KIND, KIND.delete_prefix("::"))

    own = struct(text)
    own.const_set(:DropInThriftValidationTest, Module.new)

    assert_nil VALIDATION.of(own)
    assert_nil VALIDATION.of(Around.const_set(:Listing, struct(text)))
  end

  module Around
    DropInThriftValidationTest = Module.new
  end

  def test_booleans_are_checked_for_nil
    assert_equal [[:flag], {}], VALIDATION.of(struct("#{unset(:flag)} if @flag.nil?")).to_a
  end

  def test_a_boolean_whose_false_is_refused_is_not_recognised
    assert_nil VALIDATION.of(struct("#{unset(:flag)} unless @flag"))
  end

  def test_frozen_literals_and_other_lines
    texts = ["# frozen_string_literal: true\n#{CHECKED}", "# frozen_string_literal: false\n#{CHECKED}",
             CHECKED.gsub("\n", "\n\n"), CHECKED.gsub(/^(raise.*) unless @id$/, "unless @id\n\\1\nend")]

    texts.each { |text| assert_equal [[:id], [:kind]], names(of_file(text)) }
  end

  def test_a_file_that_was_precompiled_and_is_gone
    klass = Class.new.include(::Thrift::Struct)
    klass.const_set(:FIELDS, FIELDS)
    source = "DropInThriftValidationTest::Precompiled.class_eval do\ndef validate\n#{CHECKED}end\nend"
    self.class.const_set(:Precompiled, klass)
    binary = RubyVM::InstructionSequence.compile(source, "gone.rb", "/gone.rb").to_binary

    RubyVM::InstructionSequence.load_from_binary(binary).eval

    assert_equal [[:id], [:kind]], names(klass)
  end

  def test_methods_under_line_coverage_and_tracing
    output = fresh_ruby(<<~RUBY)
      require "coverage"
      Coverage.start(lines: true)
      require "thrift"
      require "sparpack/drop_in/thrift/validation"
      trace = TracePoint.new(:line, :call) { nil }
      trace.enable
      load #{path("#{unset(:id)} unless @id").dump}
      Checked.new(id: 1).validate
      p Sparpack::DropIn::Thrift::Validation.of(Checked)&.required
    RUBY

    assert_equal "[:id]\n", output
  end

  # --- what differs -----------------------------------------------------------------------------------------------------

  def self.unset(name) = raising("Required field #{name} is unset!")

  def self.raising(message, code = "UNKNOWN")
    "raise ::Thrift::ProtocolException.new(::Thrift::ProtocolException::#{code}, '#{message}')"
  end

  CHECKED = <<~RUBY.freeze
    #{unset(:id)} unless @id
    unless @kind.nil? || #{KIND}::VALID_VALUES.include?(@kind)
      #{raising("Invalid value of field kind!")}
    end
  RUBY

  UNSET = "raise(StandardError, 'Union fields are not set.') if get_set_field.nil? || get_value.nil?\n"

  CHANGES = {
    "another condition" => ["unless @id\n", "unless @id || @text\n"],
    "another variable" => ["unless @id\n", "unless @text\n"],
    "nil instead of truth" => ["unless @id\n", "if @id.nil? && @flag.nil?\n"],
    "another message" => ["is unset!", "is not set!"],
    "another call" => ["include?(@kind)", "member?(@kind)"],
    "another argument" => ["include?(@kind)", "include?(@kind.to_i)"],
    "another constant" => ["VALID_VALUES", "VALUES"],
    "another exception" => ["new(::Thrift::ProtocolException::UNKNOWN", "new(::Thrift::ProtocolException::SIZE_LIMIT"],
    "a line before" => [/\A/, "@id ||= 1\n"],
    "a line after" => [/\z/, "super if defined?(super)\n"],
    "a return before" => [/\A/, "return if @text\n"],
    "a rescue" => [/\z/, "rescue ArgumentError\n nil\n"],
    "another order" => [/\A(raise.*\n)((?:.*\n)*)\z/, "\\2\\1"],
    "a negated condition" => ["unless @kind.nil?", "if @kind.nil?"],
    "an and" => ["nil? ||", "nil? &&"]
  }.freeze

  CHANGES.each do |change, (old, new)|
    define_method("test_#{change} is not recognised") do
      changed = CHECKED.sub(old, new)

      refute_equal CHECKED, changed
      assert_nil VALIDATION.of(struct(changed))
      refute_nil VALIDATION.of(struct(CHECKED))
    end
  end

  def test_a_method_with_an_argument_is_not_recognised
    assert_nil VALIDATION.of(struct("", "(mode = nil)"))
    refute_nil VALIDATION.of(struct(""))
  end

  def test_no_validate_and_one_that_is_a_block_or_native
    without = struct("").tap { |klass| klass.remove_method(:validate) }
    block = struct("").tap { |klass| klass.define_method(:validate) { nil } }
    native = struct("").tap { |klass| klass.alias_method(:validate, :itself) }

    [without, block, native].each { |klass| assert_nil VALIDATION.of(klass) }
  end

  def test_a_prepended_module_and_a_reopened_class
    prepended = struct(CHECKED).prepend(Module.new { def validate = @seen = super })
    reopened = struct(CHECKED)
    reopened.class_eval("def validate\nend", __FILE__, __LINE__)

    assert_nil VALIDATION.of(prepended)
    assert_equal [[], {}], VALIDATION.of(reopened).to_a
  end

  def test_a_union_needs_the_check_of_a_union
    assert_nil VALIDATION.of(union(""))
    assert_nil VALIDATION.of(struct(UNSET))
    refute_nil VALIDATION.of(union(UNSET))
  end

  def test_a_union_with_readers_of_its_own
    %i[get_set_field get_value].each do |name|
      assert_nil VALIDATION.of(union(UNSET).tap { |klass| klass.define_method(name) { 1 } })
    end
  end

  # --- inheritance ------------------------------------------------------------------------------------------------------

  def test_an_inherited_validate_and_inherited_fields
    assert_equal [[:id], [:kind]], names(Class.new(struct(CHECKED)))
  end

  def test_an_inherited_validate_of_fields_that_a_child_does_not_have
    [FIELDS.slice(2, 3), FIELDS.slice(1, 3), FIELDS.merge(2 => { type: 10, name: "kind" })].each do |fields|
      child = Class.new(struct(CHECKED))
      child.const_set(:FIELDS, fields)

      assert_nil VALIDATION.of(child)
    end
  end

  def test_a_class_without_fields
    assert_nil VALIDATION.of(Class.new { def validate; end })
  end

  # --- the values of an enum --------------------------------------------------------------------------------------------

  def test_values_that_may_change_or_are_no_plain_set
    loose = [Set[1, 2], Set[1, 2.5].freeze, [1, 2].freeze, { 1 => 2 }.freeze, (1..2), nil,
             Class.new(Set).new([1]).freeze, Set[1].compare_by_identity.freeze,
             Set[1].tap { |set| set.define_singleton_method(:include?) { |_| true } }.freeze,
             Set[1].extend(Module.new { def include?(_) = true }).freeze]

    loose.each { |values| assert_nil VALIDATION.of(of_values(values)), values.inspect }
    assert_equal Set[1, 2], VALIDATION.of(of_values(Set[1, 2].freeze)).enums[:kind]
  end

  def test_values_are_those_of_the_first_look
    klass = of_values(Set[1].freeze)
    checks = VALIDATION.of(klass)
    replace(Set[1, 2].freeze)

    assert_equal [Set[1], Set[1, 2]], [checks.enums[:kind], VALIDATION.of(klass).enums[:kind]]
  end

  def test_values_that_are_missing_or_private
    klass = of_values(Set[1].freeze)
    Changing.send(:private_constant, :VALID_VALUES)

    assert_nil VALIDATION.of(klass)
    assert_nil VALIDATION.of(struct(CHECKED.gsub(KIND, "::DropInThriftValidationTest::Missing")))
  end

  def test_values_that_are_loaded_when_they_are_first_used
    file = Tempfile.new(["kind", ".rb"])
    file.write("module DropInThriftValidationTest::Later\nVALID_VALUES = Set[7].freeze\nend")
    file.close
    self.class.autoload(:Later, file.path)

    assert_equal Set[7], VALIDATION.of(struct(CHECKED.gsub(KIND, "::DropInThriftValidationTest::Later"))).enums[:kind]
  end

  module Changing; end

  # --- other Rubies -----------------------------------------------------------------------------------------------------

  def test_a_ruby_without_instructions_recognises_nothing
    output = fresh_ruby(<<~RUBY)
      RubyVM.send(:remove_const, :InstructionSequence)
      require "thrift"
      require "sparpack/drop_in/thrift/validation"
      load #{path("").dump}
      p Sparpack::DropIn::Thrift::Validation.of(Checked)
    RUBY

    assert_equal "nil\n", output
  end

  private

  def unset(name) = self.class.unset(name)

  def raising(...) = self.class.raising(...)

  def names(klass) = VALIDATION.of(klass)&.then { |checks| [checks.required, checks.enums.keys] }

  def struct(text, arguments = "")
    klass = Class.new.include(::Thrift::Struct, ::Thrift::Struct_Union)
    klass.const_set(:FIELDS, FIELDS)
    klass.class_eval("def validate#{arguments}\n#{text}\nend", __FILE__, __LINE__)
    klass
  end

  def union(text)
    klass = Class.new(::Thrift::Union)
    klass.const_set(:FIELDS, FIELDS)
    klass.class_eval("def validate\n#{text}\nend", __FILE__, __LINE__)
    klass
  end

  def of_values(values)
    replace(values)
    struct(CHECKED.gsub(KIND, "::DropInThriftValidationTest::Changing"))
  end

  def replace(values)
    Changing.send(:remove_const, :VALID_VALUES) if Changing.const_defined?(:VALID_VALUES, false)
    Changing.const_set(:VALID_VALUES, values)
  end

  # A class in a file of its own.
  def of_file(text)
    load path(text)
    Checked.tap { Object.send(:remove_const, :Checked) }
  end

  def path(text)
    @files ||= []
    @files << Tempfile.new(["checked", ".rb"])
    comment = text[/\A#.*\n/]
    @files.last.write(<<~RUBY)
      #{comment}
      module DropInThriftValidationTest; end unless defined?(DropInThriftValidationTest)
      class Checked
        include ::Thrift::Struct, ::Thrift::Struct_Union
        FIELDS = {1 => {:type => 8, :name => 'id'}, 2 => {:type => 8, :name => 'kind'}}
        def struct_fields; FIELDS; end
        def validate
          #{text.delete_prefix(comment.to_s)}
        end
      end
    RUBY
    @files.last.close
    @files.last.path
  end
end
