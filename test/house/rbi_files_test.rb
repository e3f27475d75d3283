# frozen_string_literal: true

# bin/test: not sanitized, for it runs no native code

require "test_helper"
require_relative "../../bin/lib/rbi_files"
require "rbconfig"
require "tmpdir"
require "support/command"

# `rake rbi`, which writes rbi/ from sig/.
class RBIFilesTest < Minitest::Test
  ROOT = RBIFiles::ROOT

  def setup = @folder = Dir.mktmpdir

  def teardown = FileUtils.rm_rf(@folder)

  # --- the files --------------------------------------------------------------------------------------------------------

  def test_rbi_is_current
    assert_empty RBIFiles.stale, "rbi/ is not what sig/ says: rake rbi"
  end

  # Rake has not loaded the gems of the Gemfile, and no file of rbi/ is written that is as it should be.
  def test_the_task
    gone = %w[RUBYLIB GEM_HOME GEM_PATH].to_h { |name| [name, nil] }
    said, status = Bundler.with_original_env { Command.capture2e(gone, RbConfig.ruby, "-S", "rake", "rbi", chdir: ROOT) }

    assert_predicate status, :success?, said
    assert_empty RBIFiles.stale
  end

  def test_each_file_of_sig_counts
    FileUtils.cp_r(%w[sig rbi].map { |folder| "#{ROOT}/#{folder}" }, @folder)

    assert_empty RBIFiles.stale(@folder)
    Dir["#{@folder}/sig/**/*.rbs"].each do |file|
      text = File.read(file)
      File.write(file, text.gsub(/(?:attr_\w+ \w+:|\) ->) \K::\w+/, "::Complex"))

      refute_equal text, File.read(file), file
    end
    assert_equal Dir["rbi/**/*.rbi", base: ROOT].sort, RBIFiles.stale(@folder)
  end

  def test_edited_missing_and_left_over_files
    FileUtils.cp_r(%w[sig rbi].map { |folder| "#{ROOT}/#{folder}" }, @folder)
    FileUtils.mkdir_p("#{@folder}/rbi/old")
    File.write("#{@folder}/rbi/old/file.rbi", "# typed: true\n")
    File.delete("#{@folder}/rbi/sparpack/type.rbi")
    File.write("#{@folder}/rbi/sparpack.rbi", "\n", mode: "a")

    assert_equal %w[rbi/old/file.rbi rbi/sparpack.rbi rbi/sparpack/type.rbi], RBIFiles.stale(@folder)
    RBIFiles.write(@folder)

    assert_empty RBIFiles.stale(@folder)
    refute_path_exists "#{@folder}/rbi/old/file.rbi"
  end

  # An entry that names nothing would do nothing.
  def test_loose_parameters
    texts = RBIFiles.files.values.join
    RBIFiles::Methods::LOOSE.each_value do |parameters|
      parameters.each do |name, reason|
        assert_match(/^ *# #{Regexp.escape(reason)}\n.*\b#{name}: T\.untyped/, texts)
      end
    end
  end

  # --- the rules --------------------------------------------------------------------------------------------------------

  def test_types
    assert_rbi <<~RBS, <<~RBI
      module Sparpack
        type wire = :compact | :binary
        type answer = true | 1 | wire | nil

        interface _Writer
          def write: (::String bytes) -> void
        end

        WIRES: ::Array[wire]
        ANSWER: answer
        IO: ::String | _Writer
        MAYBE: _Writer?
        NAMES: ::Hash[::Symbol, ::String?]?
        PAIR: [::Integer, bool]
        CLASS: ::Class | singleton(Plain)
        EACH: ::Enumerator[Plain, void]
        BLOCK: ^(::Time time) -> ::String
        CODEC: Codec[Plain]

        class Plain
        end

        # Is generic.
        class Codec[T < Plain = untyped]
          attr_reader default: T?
          def encode: (T object) { (T object) -> T } -> ::Array[T]
        end
      end
    RBS
      module Sparpack
        WIRES = T.let(T.unsafe(nil), T::Array[::Symbol])
        ANSWER = T.let(T.unsafe(nil), T.nilable(T.any(::Integer, ::Symbol, T::Boolean)))
        IO = T.let(T.unsafe(nil), T.untyped)
        MAYBE = T.let(T.unsafe(nil), T.untyped)
        NAMES = T.let(T.unsafe(nil), T.nilable(T::Hash[::Symbol, T.nilable(::String)]))
        PAIR = T.let(T.unsafe(nil), [::Integer, T::Boolean])
        CLASS = T.let(T.unsafe(nil), T.any(T::Class[T.anything], T.class_of(::Sparpack::Plain)))
        EACH = T.let(T.unsafe(nil), T::Enumerator[::Sparpack::Plain])
        BLOCK = T.let(T.unsafe(nil), T.proc.params(time: ::Time).returns(::String))
        CODEC = T.let(T.unsafe(nil), ::Sparpack::Codec)
        class Plain; end

        # Is generic.
        class Codec
          sig { returns(T.untyped) }
          attr_reader :default

          sig do
            params(
              object: ::Sparpack::Plain,
              block: T.proc.params(object: T.untyped).returns(T.untyped)
            ).returns(T::Array[T.untyped])
          end
          def encode(object, &block); end
        end
      end
    RBI
  end

  def test_members
    assert_rbi <<~RBS, <<~RBI
      module Sparpack
        # Extended by classes.
        module Made
          def make: () -> instance

          private

          # Two
          # lines.
          def hide: () -> self
        end

        class Thing < ::Struct[untyped]
          include ::Comparable
          extend Made

          attr_reader `type`: ::Symbol
          attr_accessor name: ::String
          private attr_reader secret: ::String

          def self.new: (?::Integer type) -> instance
          private def self.find: (::String name) ?{ () [self: Thing] -> void } -> Thing?
          def ==: (untyped other) -> bool
          alias eql? ==
        end
      end
    RBS
      module Sparpack
        # Extended by classes.
        module Made
          extend T::Generic
          has_attached_class! :out

          sig { returns(T.attached_class) }
          def make; end

          private

          # Two
          # lines.
          sig { returns(T.self_type) }
          def hide; end
        end

        class Thing < ::Struct
          include ::Comparable
          extend ::Sparpack::Made

          sig { returns(::Symbol) }
          attr_reader :type

          sig { returns(::String) }
          attr_accessor :name

          sig { returns(::String) }
          private attr_reader :secret

          sig { params(type: ::Integer).returns(T.attached_class) }
          def self.new(type = T.unsafe(nil)); end

          sig { params(other: T.untyped).returns(T::Boolean) }
          def ==(other); end

          sig { params(other: T.untyped).returns(T::Boolean) }
          def eql?(other); end

          class << self
            private

            sig do
              params(
                name: ::String,
                block: T.nilable(T.proc.bind(::Sparpack::Thing).void)
              ).returns(T.nilable(::Sparpack::Thing))
            end
            def find(name, &block); end
          end
        end
      end
    RBI
  end

  def test_parameters
    assert_rbi <<~RBS, <<~RBI
      class Sparpack
        def all: (::Integer a, ?::Integer b, ?::Integer? c, *::Integer d, ::Integer e, f: ::Integer, ?g: ::Integer?, **::Integer h) -> void

        def long: (?first_parameter: ::Integer, ?second_parameter: ::Integer, ?third_parameter: ::Integer, ?fourth: bool?) -> void
      end
    RBS
      class Sparpack
        sig do
          params(
            a: ::Integer,
            b: ::Integer,
            c: T.nilable(::Integer),
            d: ::Integer,
            e: ::Integer,
            f: ::Integer,
            g: T.nilable(::Integer),
            h: ::Integer
          ).void
        end
        def all(a, b = T.unsafe(nil), c = nil, *d, e, f:, g: nil, **h); end

        sig do
          params(
            first_parameter: ::Integer,
            second_parameter: ::Integer,
            third_parameter: ::Integer,
            fourth: T.nilable(T::Boolean)
          ).void
        end
        def long(
          first_parameter: T.unsafe(nil),
          second_parameter: T.unsafe(nil),
          third_parameter: T.unsafe(nil),
          fourth: nil
        ); end
      end
    RBI
  end

  def test_overloads
    assert_rbi <<~RBS, <<~RBI
      class Sparpack
        def each: (::String bytes, ?freeze: bool) { (self object) -> void } -> self
                | (::String bytes, ?freeze: bool) -> ::Enumerator[self, void]

        def dump: (::Symbol object) -> ::String
                | (nil object) -> nil

        # Changes it.
        def self.with: [T] (T object, **untyped changes) -> T
                     | [T, R] (T object, **untyped changes) { (T object) -> R } -> R
      end
    RBS
      class Sparpack
        sig { params(bytes: ::String, freeze: T::Boolean, block: T.proc.params(object: T.untyped).void).returns(T.self_type) }
        sig { params(bytes: ::String, freeze: T::Boolean).returns(T::Enumerator[T.untyped]) }
        def each(bytes, freeze: T.unsafe(nil), &block); end

        sig { params(object: T.nilable(::Symbol)).returns(T.nilable(::String)) }
        def dump(object); end

        # Changes it.
        # With a block, it returns the block's result. Sorbet cannot express this here.
        sig do
          type_parameters(:T)
            .params(
              object: T.type_parameter(:T),
              changes: T.untyped,
              block: T.nilable(T.proc.params(object: T.type_parameter(:T)).returns(T.untyped))
            ).returns(T.type_parameter(:T))
        end
        def self.with(object, **changes, &block); end
      end
    RBI
  end

  # What has no rule is refused, rather than left out.
  def test_what_has_no_rule
    {
      "def f: (::String) -> void" => "::Sparpack#f: a parameter has no name",
      "def f: (::String a) -> void | () -> void" => "::Sparpack#f: the overloads have different parameters",
      "alias g f" => "::Sparpack: no method f for the alias g",
      "attr_reader self.a: ::String" => "::Sparpack: no rule for attributes of a class",
      "attr_writer a: ::String" => "::Sparpack: no rule for RBS::AST::Members::AttrWriter",
      "@a: ::String" => "::Sparpack: no rule for RBS::AST::Members::InstanceVariable"
    }.each do |member, message|
      error = assert_raises(ArgumentError) { rbi("class Sparpack\n  #{member}\nend\n") }

      assert_equal message, error.message
    end
  end

  private

  def assert_rbi(rbs, expected)
    head = "# typed: true\n\n# Generated from sig/sparpack.rbs by `rake rbi`: do not edit.\n\n"

    assert_equal head + expected, rbi(rbs)
  end

  def rbi(rbs)
    FileUtils.mkdir_p("#{@folder}/sig")
    File.write("#{@folder}/sig/sparpack.rbs", rbs)
    RBIFiles.files(@folder).fetch("rbi/sparpack.rbi")
  end
end
