# frozen_string_literal: true

require_relative "test_helper"
require_relative "support/fresh_ruby"
require "stringio"

# Ruby code that uses, in the middle of a value, what is packing or reading that value, or changes what it has found.
class MessagePackReentryTest < Minitest::Test
  include FreshRuby

  MP = Sparpack::MessagePack

  # Is called when it is packed.
  def packing(&block) = Object.new.tap { |object| object.define_singleton_method(:to_msgpack, &block) }

  # Is called as an element or a key.
  def hashing(&block) = Object.new.tap { |object| object.define_singleton_method(:hash, &block) }

  def sets(factory = MP::Factory.new) = factory.tap { |made| made.register_builtin(:set, 5) }

  # --- packing ---------------------------------------------------------------------------------------------------------

  # Keys are packed for their places: while that goes on, the output moves.
  def test_sorted_keys_that_write_by_a_packer_of_before
    { Hash => ->(key) { { key => 1 } }, Set => ->(key) { Set[key] } }.each_value do |container|
      outer = packing do |packer|
        key = Object.new
        key.define_singleton_method(:to_msgpack) { |_| packer.write("x" * 100_000) }
        packer.write(container[key])
      end
      bytes = sets.packer(sort_keys: true).write([outer, "tail"]).to_s

      assert_equal [container["x" * 100_000], "tail"], sets.load(bytes)
    end
  end

  # Not once for its place and once more to be written, which doubles with each level.
  def test_sorted_keys_are_packed_once
    calls = 0
    leaf = packing { |packer| packer.write((calls += 1) && nil) }
    hash = 60.times.reduce({ leaf => 1 }) { |inner, _| { inner => 1, 7 => 2 } }
    set = sets.packer(sort_keys: true).write(Set[hash]).to_s
    plain = 60.times.reduce({ nil => 1 }) { |inner, _| { 7 => 2, inner => 1 } }

    assert_equal [1, sets.dump(Set[plain])], [calls, set]
  end

  def test_what_is_wrong_with_sorted_keys
    cycle = {}.compare_by_identity
    cycle[cycle] = 1
    sorted = ->(value) { sets.packer(sort_keys: true).write(value) }

    assert_match(/128 levels/, assert_raises(MP::StackError) { sorted[cycle] }.message)
    wrong = assert_raises(RangeError) { sorted[{ "a" => { 1 => 2, [2**70] => 3 } }] }

    assert_match(/ at \["a"\]\.keys\[1\]\[0\]/, wrong.message)
    assert_raises(RangeError) { sorted[Set[[2**70]]] }
    old = sets.packer(sort_keys: true, compatibility_mode: true).write({ ["x" * 40] => 1 }).to_s

    assert_equal({ ["x" * 40] => 1 }, MP.unpack(old.b))
    refute_includes old, "\xD9".b
  end

  # What has only to answer something has nothing to write.
  def test_writing_where_an_answer_is_asked_for
    nosy = Object.new
    outer = packing do |packer|
      nosy.define_singleton_method(:respond_to?) { |*| packer.write("y" * 100_000) && true }
      nosy.define_singleton_method(:to_msgpack) { |inner| inner.write(1) }
      packer.write(Set["a" * 1_000, nosy])
    rescue ArgumentError
      packer.write("else")
    end

    assert_equal %w[else tail], sets.load(sets.dump([outer, "tail"]))
    nosy.define_singleton_method(:respond_to?) { |*| true }

    assert_raises(NoMethodError) { sets.dump([Set[nosy, BasicObject.new], 1]) }
    io = StringIO.new("".b)
    packer = sets.packer(io, io_buffer_size: 1_024)
    outer = packing do |inner|
      nosy.define_singleton_method(:respond_to?) { |*| 2.times { inner.write("y" * 100_000) } || true }
      inner.write(["a" * 1_000, nosy])
    end

    assert_raises(ArgumentError, IOError) { packer.write([outer, "tail"]) }
    assert_raises(IOError) { packer.write(1) }
  end

  # A Time may be a Rational inside, which is computed with.
  def test_times_whose_numbers_run_code
    script = <<~RUBY
      require "sparpack/message_pack"
      factory = Sparpack::MessagePack::Factory.new
      factory.register_builtin(:time)
      list = Array.new(40) { |i| Time.at(i + 1/3r) }
      Rational.prepend(Module.new do
        define_method(:divmod) do |other|
          list.clear
          GC.start
          100.times { Array.new(40, 77) }
          super(other)
        end
      end)
      begin
        print factory.load(factory.dump(list)).grep_v(Time)
      rescue RuntimeError
        print "changed"
      end
    RUBY

    assert_includes ["changed", "[]"], fresh_ruby(script)
  end

  # Nothing that is wrong ends the process.
  def test_faults_that_nobody_raises
    script = <<~'RUBY'
      require "sparpack/message_pack"
      module Sparpack::MessagePack
        def self.pack_failed(*) = nil
        def self.unpack_failed(*) = nil
      end
      [-> { Sparpack::MessagePack.unpack("\xC1".b) }, -> { Sparpack::MessagePack.pack(2**70) }].each do |action|
        action.call
      rescue RuntimeError
        print "raised "
      end
    RUBY

    assert_equal "raised raised ", fresh_ruby(script)
  end
end
