# frozen_string_literal: true

require "test_helper"
require "support/abuse"
require "support/child"

# Calls functions and methods with meaningless arguments and receivers. The worst outcome is a Ruby exception. The calls run
# in child processes, because some of them succeed and change the process.
class WrongArgumentsTest < Minitest::Test
  include Abuse
  include Child

  # The sanitizers are slow.
  CALLS = ENV["SPARPACK_MODE"] == "sanitize" ? 50 : 80

  # How many functions share a process. Most of the time goes into the garbage collections at its end.
  SHARING = 6

  Sparpack::Native.singleton_methods(false).sort.each_slice(SHARING) do |names|
    define_method("test_native_#{names.first}_to_#{names.last}") do
      alive = in_child do
        names.each do |name|
          function = Sparpack::Native.method(name)
          Abuse.bombard(Random.new(1), CALLS, function.arity) { |arguments| function.call(*arguments) }
        end
        Abuse.survive
      end

      assert_equal ALIVE, alive
    end
  end

  # Arguments of which most are right.
  NEARLY_RIGHT = {
    codec_setup: lambda do
      [[Sparpack::Struct, :compact, {}], [Object, :compact, {}], [5, :compact, {}], [Small, :compat, {}],
       [Small, :compact, 5], [Small, :compact, "x"], [Small, :compact, [1]], [Small, nil, {}],
       [Small, :compact, { limits: 5 }], [Small, :compact, { "limits" => nil }], [Small.new.singleton_class, :compact, {}]]
        .map { |rest| [Sparpack::Codec.allocate, *rest] }
    end,
    compile: lambda do
      shrinking = []
      shrinking.push([Convert.new { shrinking.clear && 1 }, :a, nil, false], [2, :b, nil, false])
      [[5], [[]], [], [[1, 2, 3, 4]], [[1, :a, nil, 5]], [[1, :a, nil, nil]], [[1 << 40, :a, nil, false]],
       [[1, :a, nil, false]] * 3, [[2, :a, nil, false]], nil, {}, shrinking].map { |rows| [fresh, rows] } +
        [Object, Kernel, "x", 5, nil, Small, Sparpack::Struct].map { |made| [made, []] }
    end,
    share: lambda do
      [[Object, Small], ["x", Small], [5, Small], [Small, Wide], [Choice, Small], [fresh, Object], [fresh, 5],
       [fresh, Choice], [fresh, Sparpack::Struct]]
    end,
    decode_rest: lambda do
      [["", 1], ["abc", 4], ["abc", -1], ["abc", 1 << 62], [5, 0]].map { |rest| [Small.codec, *rest] }
    end,
    encode_behind: lambda do
      [[Small.codec(:message_pack, compression: :lz4), Small.new, "head"], [Small.codec, Small.new, 5], [Small.codec, 5, ""]]
    end,
    hold: -> { [[Small], [Object], [5], ["x"], [nil], [Kernel]] },
    define_accessors: lambda do
      [5, "x", nil, Module.new.freeze].map { |made| [made, 0, :a, :a=] } +
        [255, 256, -1, 1 << 32].map { |slot| [Module.new, slot, :a, :a=] } +
        [%I[a\0 b], %w[a b], [nil, 5], [:"", :""]].map { |names| [Module.new, 0, *names] }
    end,
    validate: -> { [[Small.new, :normal, nil], [Small.new, :normall, true], [Small, :strict, true]] },
    fill: -> { [[Small.new, { a: 1, 5 => 6 }], [Small.new, 5], [Small.new.freeze, { a: 1 }], [Choice.new, { a: 1, b: 2 }]] }
  }.freeze
  private_constant :NEARLY_RIGHT

  def self.fresh = Class.new(Sparpack::Struct) { field 1, :a, :string }

  NEARLY_RIGHT.each do |name, calls|
    define_method("test_native_#{name}_with_arguments_that_are_nearly_right") do
      alive = in_child do
        objects = Array.new(100) { |i| [Small.new(b: "text #{i}" * 9), Choice.a(i), Wide.new(f300: i)] }
        expected = objects.inspect
        calls.call.each do |arguments|
          Sparpack::Native.public_send(name, *arguments)
        rescue StandardError
          nil
        ensure
          use(arguments.first)
        end
        [Abuse.survive, objects.inspect == expected]
      end

      assert_equal [ALIVE, true], alive
    end
  end

  # Methods of modules can be bound to any object, and those of classes to objects of their subclasses.
  { struct: Small, union: Choice, exception: Fault, codec: Sparpack::Codec }.each do |what, owner|
    define_method("test_methods_of_a_#{what}") do
      alive = in_child do
        random = Random.new(2)
        methods_of(owner).each do |method|
          Abuse.bombard(random, 30, method.arity) do |arguments|
            method.bind_call(Abuse.odd_values.sample(random:), *arguments)
          end
        end
        Abuse.survive
      end

      assert_equal ALIVE, alive
    end
  end

  def test_class_methods
    alive = in_child do
      random = Random.new(3)
      Sparpack::Declaration.instance_methods(false).each do |name|
        method = Sparpack::Declaration.instance_method(name)
        Abuse.bombard(random, 60, method.arity) do |arguments|
          method.bind_call(Abuse.odd_values.sample(random:), *arguments)
        end
      end
      Abuse.survive
    end

    assert_equal ALIVE, alive
  end

  private

  # Uses the result of a call as far as possible.
  def use(made)
    [-> { made.new(a: "x").encode }, -> { made.new(a: :x) }, -> { made.decode("\x18\x01x\0") }, -> { made.allocate.a },
     -> { made.encode(Small.new) }, -> { made.decode("\0") }].each do |step|
      step.call
    rescue StandardError
      nil
    end
  end

  def methods_of(owner)
    ours = owner.ancestors.take_while { |ancestor| ancestor != Object && ancestor != StandardError }
    ours.flat_map do |ancestor|
      names = ancestor.instance_methods(false) + ancestor.private_instance_methods(false)
      names.map { |name| ancestor.instance_method(name) }
    end
  end
end
