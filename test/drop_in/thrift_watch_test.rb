# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "thrift"
require "support/child"
require "sparpack/drop_in/thrift/watch"

# Which patches of the gem and of its users' classes are noticed. Each test patches in a process of its own.
class DropInThriftWatchTest < Minitest::Test
  include Child

  WATCH = Sparpack::DropIn::Thrift::Watch

  # Stands for the part that drops plans.
  module Changes
    ALL = [] # rubocop:disable Style/MutableConstant

    def self.changed(place) = ALL << place
  end

  class Point
    include ::Thrift::Struct_Union
    include ::Thrift::Struct

    FIELDS = { 1 => { type: 8, name: "x" } }.freeze

    def struct_fields = FIELDS

    def validate; end

    ::Thrift::Struct.generate_accessors self
  end

  class Answer < ::Thrift::Union
    include ::Thrift::Struct_Union

    FIELDS = { 1 => { type: 8, name: "x" } }.freeze

    def struct_fields = FIELDS

    def validate; end
  end

  PROTOCOLS = [::Thrift::CompactProtocol, ::Thrift::BinaryProtocol, ::Thrift::BinaryProtocolAccelerated,
               ::Thrift::MultiplexedProtocol, ::Thrift::HeaderProtocol].freeze

  # --- the gem ----------------------------------------------------------------------------------------------------------

  def test_a_gem_that_nobody_patched
    assert_equal([{}, {}], in_child { [WATCH.patched, install { WATCH.patched }] })
  end

  # A patch, what it patches, and the protocols or transports that are left to the gem.
  PATCHES = {
    "a reopened module" => [-> { ::Thrift::BaseProtocol.class_eval { def write_field(*) = nil } },
                            { ::Thrift::BaseProtocol => :write_field }, PROTOCOLS],
    "a prepended module" => [-> { ::Thrift::CompactProtocol.prepend(Module.new { def write_string(*) = super }) },
                             { ::Thrift::CompactProtocol => :write_string }, [::Thrift::CompactProtocol]],
    "an included module" => [-> { ::Thrift::CompactProtocol.include(Module.new { def write_field(*) = super }) },
                             { ::Thrift::CompactProtocol => :write_field }, [::Thrift::CompactProtocol]],
    "an alias chain" => [lambda {
      ::Thrift::MemoryBufferTransport.class_eval do
        alias_method :write_without_log, :write
        def write(bytes) = write_without_log(bytes)
      end
    }, { ::Thrift::MemoryBufferTransport => :write }, [::Thrift::MemoryBufferTransport]],
    "an alias of a new method" => [lambda {
      ::Thrift::BinaryProtocol.class_eval do
        def write_i32_with_log(number) = write_i32_without_log(number)
        alias_method :write_i32_without_log, :write_i32
        alias_method :write_i32, :write_i32_with_log
      end
    }, { ::Thrift::BinaryProtocol => :write_i32 }, [::Thrift::BinaryProtocol]],
    "define_method" => [-> { ::Thrift::BaseTransport.define_method(:read_all) { |size| read(size) } },
                        { ::Thrift::BaseTransport => :read_all }, [::Thrift::FramedTransport, ::Thrift::BufferedTransport]],
    "a tracer that reads what is skipped" => [lambda {
      ::Thrift::BaseProtocol.class_eval do
        def skip_with_tracer(type) = skip_without_tracer(type)
        alias_method :skip_without_tracer, :skip
        alias_method :skip, :skip_with_tracer
      end
    }, { ::Thrift::BaseProtocol => :skip }, PROTOCOLS],
    "a removed method" => [-> { ::Thrift::BinaryProtocol.send(:undef_method, :write_double) },
                           { ::Thrift::BinaryProtocol => :write_double }, [::Thrift::BinaryProtocol]],
    "a patched struct" => [-> { ::Thrift::Struct.module_eval { def write(*) = nil } }, { ::Thrift::Struct => :write },
                           [::Thrift::Struct]],
    "a module that structs get" => [-> { ::Thrift::Struct_Union.module_eval { def sorted_field_ids = [] } },
                                    { ::Thrift::Struct_Union => :sorted_field_ids }, [::Thrift::Struct_Union]],
    "a patched union" => [-> { ::Thrift::Union.class_eval { def read(*) = nil } }, { ::Thrift::Union => :read },
                          [::Thrift::Union]],
    "a patched serializer" => [-> { ::Thrift::Serializer.prepend(Module.new { def serialize(*) = super }) },
                               { ::Thrift::Serializer => :serialize }, [::Thrift::Serializer]]
  }.freeze

  PATCHES.each do |title, (patch, expected, places)|
    define_method("test_#{title} before it is watched") do
      patched = in_child do
        patch.call
        install { WATCH.patched.to_h { |place, names| [place.name, names] } }
      end
      check(patched, expected, places) unless patched.empty? && title == "a removed method" # nothing tells that it was there
    end

    define_method("test_#{title} later") do
      patched, changed = in_child do
        install do
          patch.call
          [WATCH.patched.to_h { |place, names| [place.name, names] }, Changes::ALL.map(&:name)]
        end
      end

      check(patched, expected, places)
      assert_empty places.map(&:name) - changed
    end
  end

  def test_places_of_patches
    places = in_child do
      install do
        patch = RubyVM::InstructionSequence.compile(<<~RUBY, "/app/patch.rb", nil, 7)
          Thrift::CompactProtocol.class_eval { def write_i16(_) = nil }
        RUBY
        patch.eval
        ::Thrift::CompactProtocol.send(:undef_method, :write_i64)
        WATCH.patches_of(::Thrift::CompactProtocol)
      end
    end

    assert_equal({ write_i16: "/app/patch.rb:7", write_i64: "removed" }, places)
  end

  HARMLESS = {
    "messages" => -> { ::Thrift::BinaryProtocol.class_eval { def write_message_begin(*) = super } },
    "new methods" => -> { ::Thrift::CompactProtocol.class_eval { def bytes_written = 0 } },
    "constructors" => -> { ::Thrift::CompactProtocol.prepend(Module.new { def initialize(*) = super }) },
    "modules without methods of the gem" => -> { ::Thrift::CompactProtocol.include(Comparable) },
    "to_s and inspect" => -> { ::Thrift::BaseProtocol.class_eval { def to_s = "protocol" } },
    "clients" => -> { ::Thrift::Client.module_eval { def send_message(*) = nil } },
    "processors" => -> { ::Thrift::Processor.module_eval { def process(*) = nil } },
    "subclasses" => -> { Class.new(::Thrift::CompactProtocol) { def write_string(*) = super } },
    "single objects" => lambda {
      protocol = ::Thrift::CompactProtocol.new(::Thrift::MemoryBufferTransport.new)
      protocol.define_singleton_method(:write_string) { |_| nil }
    },
    "refinements" => lambda {
      Module.new { refine(::Thrift::CompactProtocol) { def write_string(*) = nil } }
    },
    "the same file loaded again" => -> { load Object.const_source_location("Thrift::CompactProtocol").first }
  }.freeze

  HARMLESS.each do |title, patch|
    define_method("test_#{title} may be patched") do
      patched = in_child do
        silently { patch.call }
        before = WATCH.patched
        install { silently { patch.call } }
        [before, WATCH.patched].map { |all| all.transform_keys(&:name) }
      end

      assert_equal [{}, {}], patched
    end
  end

  def test_a_patch_that_is_taken_back
    states = in_child do
      install do
        protocol = ::Thrift::BinaryProtocol
        protocol.class_eval { alias_method :old, :write_i32 }
        protocol.class_eval { def write_i32(_) = nil }
        patched = WATCH.patched?(protocol)
        protocol.class_eval { alias_method :write_i32, :old }
        [patched, WATCH.patched?(protocol)]
      end
    end

    assert_equal [true, false], states
  end

  def test_a_module_that_gets_methods_after_it_was_prepended
    changed = in_child do
      install do
        added = Module.new
        ::Thrift::CompactProtocol.prepend(added)
        Changes::ALL.clear
        added.define_method(:write_string) { |text| super(text) }
        [Changes::ALL.map(&:name), WATCH.patched?(::Thrift::CompactProtocol), WATCH.patched?(::Thrift::BinaryProtocol)]
      end
    end

    assert_equal [["Thrift::CompactProtocol"], true, false], changed
  end

  def test_what_is_put_in_place_while_it_is_installed_is_not_a_patch
    patched = in_child do
      put = lambda {
        ::Thrift::Struct.module_eval { def write(*) = nil }
        ::Thrift::Struct.module_eval { alias_method :read_of_the_gem, :read }
      }
      install(put:) { WATCH.patched }
    end

    assert_empty patched
  end

  def test_functions_for_strings
    changed = in_child do
      install do
        def (::Thrift::Bytes).convert_to_utf8_byte_buffer(text) = text
        patched = WATCH.patched?(::Thrift::CompactProtocol)
        [WATCH.patched.transform_keys(&:name), Changes::ALL.map(&:name), patched, WATCH.native?]
      end
    end

    assert_equal({ "Thrift::Bytes" => [:convert_to_utf8_byte_buffer] }, changed[0])
    assert_includes changed[1], "Thrift::Bytes"
    refute_equal changed[2], changed[3]
  end

  # --- classes of users -------------------------------------------------------------------------------------------------

  CLASS_CHANGES = {
    "a new validate" => ->(klass) { klass.class_eval { def validate = nil } },
    "a prepended validate" => ->(klass) { klass.prepend(Module.new { def validate = @seen = super }) },
    "an included module" => ->(klass) { klass.include(Module.new { def sorted_field_ids = [1] }) },
    "a removed method" => ->(klass) { klass.send(:remove_method, :validate) },
    "a constructor" => ->(klass) { klass.class_eval { def initialize(*) = super } },
    "new" => ->(klass) { def klass.new(*) = super },
    "extend" => ->(klass) { klass.extend(Module.new { def new(*) = super }) }
  }.freeze

  CLASS_CHANGES.each do |title, change|
    [Point, Answer].each do |klass|
      define_method("test_#{title} of #{klass.name[/\w+\z/]} is noticed") do
        before, after = in_child do
          install do
            change.call(klass)
            unknown = Changes::ALL.dup
            WATCH.watch(klass)
            change.call(klass.tap { klass.class_eval { def validate; end } && Changes::ALL.clear })
            [unknown.size, Changes::ALL.uniq.map(&:name)]
          end
        end

        assert_equal [0, [klass.name]], [before, after]
      end
    end
  end

  def test_a_parent_and_a_module_that_were_there_before
    changed = in_child do
      install do
        added = Module.new
        parent = Class.new(Point).include(added)
        child = Class.new(parent)
        WATCH.watch(child)
        [added, parent].map do |each|
          Changes::ALL.clear
          each.define_method(:validate) { nil }
          (Changes::ALL - [child]).empty? && Changes::ALL.any?
        end
      end
    end

    assert_equal [true, true], changed
  end

  def test_other_methods_of_a_class_are_its_own
    changed = in_child do
      install do
        WATCH.watch(Point)
        Point.class_eval { def to_s = "point" }
        Point.const_set(:OTHER, 1)
        Changes::ALL
      end
    end

    assert_empty changed
  end

  if RUBY_VERSION >= "3.2"
    def test_new_fields_are_noticed
      changed = in_child do
        install do
          WATCH.watch(Point)
          Point.send(:remove_const, :FIELDS)
          Point.const_set(:FIELDS, {})
          Changes::ALL.uniq.map(&:name)
        end
      end

      assert_equal ["DropInThriftWatchTest::Point"], changed
    end
  end

  def test_hooks_of_users_still_run
    calls = in_child do
      install do
        calls = []
        klass = Class.new(Point)
        klass.define_singleton_method(:method_added) { |name| calls << name }
        klass.define_singleton_method(:prepend) { |*modules| (calls << :prepend) && super(*modules) }
        WATCH.watch(klass)
        klass.class_eval { def validate; end }
        klass.prepend(Module.new)
        [calls, Changes::ALL.uniq == [klass], klass.define_method(:inspect) { "" }]
      end
    end

    assert_equal [%i[validate prepend inspect], true, :inspect], calls
  end

  def test_hooks_hardly_show
    before, after = in_child do
      install do
        [0, 1].map do |round|
          WATCH.watch(Point) if round == 1
          [Point.methods.sort, Point.ancestors.map(&:name), Point.instance_methods.sort, Point.private_methods.sort,
           Point.methods(false).sort]
        end
      end
    end

    assert_equal before, after
  end

  def test_a_definition_never_fails
    result = in_child do
      install do
        WATCH.watch(Point)
        Changes.define_singleton_method(:changed) { |_| raise "broken" }
        Point.class_eval { def validate = 7 }
        Point.new.validate
      end
    end

    assert_equal 7, result
  end

  def test_methods_that_a_class_overrides
    klass = Class.new(Point) { define_method(:write) { |*| nil } }

    overrides = [klass, Point, Answer].map { |each| WATCH.overrides(each).keys }

    patched = in_child do
      install do
        ::Thrift::Struct.module_eval { def write(*) = nil }
        ::Thrift::Union.class_eval { def read(*) = nil }
        [Point, Answer].map { |each| WATCH.overrides(each).keys }
      end
    end

    assert_equal [[[:write], [], []], [[:write], [:read]]], [overrides, patched]
    assert_match(/thrift_watch_test.rb:\d+\z/, WATCH.overrides(klass)[:write])
  end

  private

  def install(put: -> {})
    Sparpack::DropIn::Thrift.const_set(:Classes, Changes) unless defined?(Sparpack::DropIn::Thrift::Classes)
    WATCH.install { put.call }
    yield
  end

  def silently
    old = $VERBOSE
    $VERBOSE = nil
    yield
  ensure
    $VERBOSE = old
  end

  def check(patched, expected, places)
    expected.each { |place, name| assert_includes patched.fetch(place.name), name }
    assert_empty places.map(&:name) - patched.keys
    assert_equal expected.values, patched.values.flatten.uniq
  end
end
