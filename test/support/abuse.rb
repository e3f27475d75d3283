# frozen_string_literal: true

require_relative "../fixtures/everything"

# Classes and values for tests that use Sparpack in ways that nobody should.
module Abuse
  class Small < Sparpack::Struct
    field 1, :a, :i32
    field 2, :b, :string
  end

  class Choice < Sparpack::Union
    field 1, :a, :i32
    field 2, :b, Small
  end

  class Wide < Sparpack::Struct
    (1..300).each { |id| field id, :"f#{id}", :i64 }
  end

  class Fault < Sparpack::Exception
    field 1, :message, :string
  end

  class Broken < Sparpack::Struct
    field 1, :a, :i32
    field 2, :b, "Nowhere"
  end

  # A value that runs a block when it is converted.
  class Convert
    def initialize(&block) = @block = block

    %i[to_int to_str to_ary to_hash to_sym to_proc to_s].each { |name| define_method(name) { @block.call } }
  end

  # Values of all sorts. They are made anew each time, because a call may change them.
  def self.odd_values
    codec = Small.codec
    [nil, true, 0, -1, 7, 1 << 31, 1 << 70, 0.5, Float::NAN, "a", "".b, "\xff", "x" * 9_000, :a, :"", :compact, :strict,
     [], [1, :a, nil, false], [[1, :a, nil, false]], [nil] * 5, {}, { a: 1 }, { "a" => nil }, Set[1], 1..2, Object.new,
     BasicObject, Object, Kernel, Class.new, Module.new, Small, Choice, Wide, Broken, Sparpack::Struct, Sparpack::Enum,
     Small.new(a: 1), Choice.a(1), Choice.new, Wide.allocate, Fault.new("x"), Small.new(b: "b").freeze, codec,
     Sparpack::Codec.allocate, Sparpack::Limits.new, Sparpack::Limits.allocate, Small.schema, Everything::Status,
     Small.new.singleton_class, Sparpack::Type.new(:foo), Convert.new { 1 << 40 }, Convert.new { raise IOError }]
  end

  # Checks that everything still works. This finds what was freed by mistake.
  def self.survive
    GC.start
    GC.compact if GC.respond_to?(:compact)
    Array.new(2_000) { |i| "x" * (i % 200) }
    GC.start
    [Wide.decode(Wide.new(f1: 1, f300: 2).encode).f300,
     Everything::Tree.decode(Everything::Tree.new(name: "t").encode).name]
  end

  # The result of `survive`.
  ALIVE = [2, "t"].freeze

  def self.bombard(random, times, arity)
    times.times do
      count = arity.negative? ? random.rand((-arity - 1)..4) : arity
      yield Array.new(count) { odd_values.sample(random:) }
    rescue StandardError, SystemStackError, NotImplementedError
      nil
    end
  end
end
