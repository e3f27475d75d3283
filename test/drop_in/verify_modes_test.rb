# frozen_string_literal: true

# bin/test: not sanitized, for it runs little native code

require "test_helper"
require "thrift"
require "sparpack/drop_in/verify"
require "support/two_engines"
require "support/fresh_ruby"
require_relative "../golden/apache/shop_types"

# How verify mode is turned on and off, which calls it chooses, what it counts, and what it costs.
class DropInVerifyModesTest < Minitest::Test
  include FreshRuby

  Verify = Sparpack::DropIn::Verify

  def setup
    @engines = TwoEngines.new
    @before = Verify.instance_variables.to_h { |name| [name, Verify.instance_variable_get(name)] }
    Verify.instance_variable_set(:@summary, Verify::Summary.new)
    Verify.attach(@engines)
  end

  def teardown
    Sparpack::DropIn.verify(rate: 0)
    @before.each { |name, value| Verify.instance_variable_set(name, value) }
  end

  # --- rates ------------------------------------------------------------------------------------------------------------

  def test_it_is_off_at_first
    assert_nil @engines.verifying
    refute_predicate Verify, :choose?
    assert_equal [0, 0], summary.values_at(:rate, :calls)
  end

  def test_rates
    chosen = [1, 0.5r, 0.01, 0].to_h do |rate|
      assert_same Sparpack::DropIn.verification, Sparpack::DropIn.verify(rate:)
      assert_equal rate, summary[:rate]
      assert_equal rate.positive?, @engines.verifying
      [rate, Array.new(10_000) { Verify.choose? }.count(true)]
    end

    assert_equal [10_000, 0], chosen.values_at(1, 0)
    assert_in_delta 5000, chosen[0.5r], 400
    assert_in_delta 100, chosen[0.01], 70
  end

  def test_the_generator_of_the_program_is_not_touched
    srand(1)
    expected = Array.new(3) { rand }
    srand(1)
    Sparpack::DropIn.verify(rate: 0.5)

    assert_equal(expected, Array.new(3) { [Verify.choose?, rand].last })
  end

  def test_wrong_rates
    Sparpack::DropIn.verify(rate: 0.25)
    { -0.1 => "-0.1", 1.1 => "1.1", 2 => "2", Float::NAN => "NaN", "1" => '"1"', nil => "nil",
      1i => "an instance of Complex", true => "true" }.each do |rate, text|
      error = assert_raises(ArgumentError) { Sparpack::DropIn.verify(rate:) }

      assert_equal "rate: expected a number from 0 to 1, got #{text}", error.message
    end
    assert_in_delta 0.25, summary[:rate]
  end

  def test_a_drop_in_that_is_off_verifies_nothing
    @engines.verifiable = false
    Sparpack::DropIn.verify

    assert_equal 0, summary[:rate]
    refute_predicate Verify, :choose?
  end

  # --- without the drop-in for thrift -----------------------------------------------------------------------------------

  def test_without_a_drop_in
    assert_equal <<~TEXT, fresh_ruby(<<~RUBY)
      verify: require "sparpack/drop_in/thrift" first
    TEXT
      require "sparpack/drop_in/verify"
      begin
        Sparpack::DropIn.verify
      rescue Sparpack::Error => e
        puts e.message
      end
    RUBY
  end

  def test_programs_that_verify_nothing_load_nothing_for_it
    assert_equal "[]\nverification: call it in the main Ractor\n0\n2\n", fresh_ruby(<<~RUBY)
      $VERBOSE = nil
      require "sparpack/drop_in/thrift"
      p $LOADED_FEATURES.grep(/drop_in.(verify|thrift.engines)/)
      ractor = Ractor.new do
        Sparpack::DropIn.verification
      rescue Sparpack::Error => e
        e.message
      end
      puts ractor.respond_to?(:value) ? ractor.value : ractor.take
      puts Sparpack::DropIn.verification.to_h[:calls]
      Sparpack::DropIn.verify
      puts $LOADED_FEATURES.grep(/drop_in.(verify|thrift.engines)[.]rb/).size
    RUBY
  end

  def test_sparsam_alone_has_no_second_engine
    reason = "Sparsam has no second engine, because the sparsam gem cannot be loaded beside its drop-in; require " \
             "\"sparpack/drop_in/thrift\" to verify classes of the thrift gem\n"
    printed = fresh_ruby(<<~RUBY, environment: { "SPARPACK_VERIFY" => "1" })
      $stdout.sync = true
      require "sparpack/drop_in/sparsam"
      begin
        Sparpack::DropIn.verify(rate: 0.5)
      rescue Sparpack::Error => e
        puts e.message
      end
    RUBY

    assert_equal "verify: #{reason}sparpack: SPARPACK_VERIFY verified nothing: #{reason}", printed
  end

  # --- the environment --------------------------------------------------------------------------------------------------

  PROGRAM = <<~RUBY.freeze
    $stdout.sync = true
    $LOAD_PATH.unshift "#{File.expand_path("..", __dir__)}"
    require "sparpack/drop_in/verify"
    require "support/two_engines"
    require "golden/apache/shop_types"
    begin
      Sparpack::DropIn::Verify.attach(TwoEngines.new)
      transport = Thrift::MemoryBufferTransport.new
      Sparpack::DropIn::Verify.write(Shop::Point.new("x" => 1), Thrift::CompactProtocol.new(transport))
      puts Sparpack::DropIn.verification.to_h[:rate]
    rescue Sparpack::Error => e
      puts e.message
    end
  RUBY

  def test_the_environment_turns_it_on
    { "1" => "1.0", "0.01" => "0.01" }.each do |text, rate|
      assert_equal "#{rate}\nSparpack verified 1 calls of the thrift gem: 1 same, 0 different, 0 left to the gem.\n",
                   fresh_ruby(PROGRAM, environment: { "SPARPACK_VERIFY" => text })
    end
  end

  def test_the_environment_leaves_it_off
    ["", "0", "off", nil].each do |text|
      assert_equal "0\n", fresh_ruby(PROGRAM, environment: { "SPARPACK_VERIFY" => text })
    end
  end

  def test_the_environment_is_wrong
    { "yes" => '"yes"', "2" => "2.0", "1%" => '"1%"', "nan" => '"nan"' }.each do |text, shown|
      assert_equal "SPARPACK_VERIFY: rate: expected a number from 0 to 1, got #{shown}\n",
                   fresh_ruby(PROGRAM, environment: { "SPARPACK_VERIFY" => text })
    end
  end

  # --- blocks -----------------------------------------------------------------------------------------------------------

  def test_an_exception_of_the_block_is_counted_and_warned_about_once
    [StandardError, NotImplementedError, SystemStackError].each do |error|
      Verify.instance_variable_set(:@summary, Verify::Summary.new)
      Sparpack::DropIn.verify { raise error, "secret" }
      _, warnings = capture_io { 3.times { write_wrongly } }

      assert_equal "sparpack: the block of Sparpack::DropIn.verify raised #{error}, which is ignored\n", warnings
      assert_equal [3, 3], summary.values_at(:different, :block_errors)
      assert_includes Sparpack::DropIn.verification.to_s, "3 exceptions of the block\n"
    end
  end

  def test_a_block_that_writes_itself
    chosen = nil
    Sparpack::DropIn.verify do
      chosen = Verify.choose?
      write_wrongly if chosen
    end
    Timeout.timeout(60) { write_wrongly }

    assert_equal false, chosen # rubocop:disable Minitest/RefuteFalse -- not nil
    assert_predicate Verify, :choose?
  end

  # --- what the summary holds -------------------------------------------------------------------------------------------

  def test_the_summary_is_bounded
    collected = Verify::Summary.new
    250.times do |index|
      name = "C#{index}"
      collected.left_out(name, "its own validate")
      told = { class_name: name, operation: :read, protocol: :compact, path: name, kind: :end }
      collected.different([Verify::Difference.new(**told)])
    end
    told = collected.to_h

    assert_equal [100, 100, 150, 250, 250],
                 [told[:classes].size, told[:differences].size, *told.values_at(:other_differences, :different, :left_out)]
    assert_operator collected.to_s.lines.size, :<, 210
    assert_equal told, collected.to_h
    told[:differences].clear

    assert_equal 100, collected.to_h[:differences].size
  end

  def test_differences_are_values
    told = []
    Sparpack::DropIn.verify { |difference| told << difference }
    2.times { write_wrongly }

    assert_equal [1, 1], [told.uniq.size, told.uniq(&:to_h).size]
    assert Ractor.shareable?(told.first)
    assert_equal %i[class_name operation protocol path kind offset], told.first.to_h.keys
    assert_equal({ "write Shop::Point (compact): Shop::Point.label: the bytes differ" => 2 }, summary[:differences])
  end

  def test_threads
    Sparpack::DropIn.verify
    threads = Array.new(8) { Thread.new { 200.times { |index| index.odd? ? write(point) : write_wrongly(point) } } }

    assert_equal(8, threads.count { |thread| thread.join(60) })
    assert_equal [1600, 1600], [summary[:calls], summary.values_at(:same, :different).sum]
    assert_operator summary[:differences].values.sum, :>=, 1
  end

  def test_other_ractors
    output = fresh_ruby(<<~RUBY)
      $LOAD_PATH.unshift "#{File.expand_path("..", __dir__)}"
      require "sparpack/drop_in/verify"
      require "support/two_engines"
      Sparpack::DropIn::Verify.attach(TwoEngines.new)
      Sparpack::DropIn.verify
      $VERBOSE = nil
      ractor = Ractor.new do
        messages = %i[verify verification].map do |name|
          Sparpack::DropIn.public_send(name)
        rescue Sparpack::Error => e
          e.message
        end
        [Sparpack::DropIn::Verify.choose?, *messages]
      end
      puts(ractor.respond_to?(:value) ? ractor.value : ractor.take)
    RUBY

    assert_equal "false\nverify: call it in the main Ractor\nverification: call it in the main Ractor\n", output
  end

  # --- bounds -----------------------------------------------------------------------------------------------------------

  def test_large_payloads_are_compared_by_bytes_only
    Sparpack::DropIn.verify
    large = Shop::Everything.new("bytes" => "a" * ((1 << 20) + 1), "numbers" => [1, 2])
    @engines.decoded { |copy| copy.numbers = [1, 2] }
    read(large)

    assert_equal({ same: 1, bytes_only: 1 }, summary.slice(:same, :bytes_only))
    @engines.decoded { |copy| copy.numbers = [1, 3] }
    read(large)

    assert_equal ["read Shop::Everything (compact): Shop::Everything: the bytes differ"], summary[:differences].keys
    assert_includes Sparpack::DropIn.verification.to_s, "2 too large: not all values were compared\n"
  end

  def test_many_values_are_not_all_compared
    Sparpack::DropIn.verify
    read(Shop::Everything.new("numbers" => [7] * 60_000))

    assert_equal({ same: 1, bytes_only: 1 }, summary.slice(:same, :bytes_only))
  end

  def test_huge_payloads_are_not_compared
    Sparpack::DropIn.verify
    huge = Shop::Everything.new("bytes" => "a" * 16_000_001)
    write(huge)
    transport = memory(nil)
    huge.write(Thrift::CompactProtocol.new(transport, max_string_size: nil))
    Verify.read(Shop::Everything.new, Thrift::CompactProtocol.new(transport, max_string_size: nil))

    assert_equal 2, summary[:not_compared]
  end

  def test_a_timeout_passes
    Sparpack::DropIn.verify
    @engines.encoded { sleep(60) }

    assert_raises(Timeout::Error) { Timeout.timeout(0.2) { write(point) } }
    assert_predicate Verify, :choose?
  end

  def test_a_timeout_of_the_gem_is_no_difference
    Sparpack::DropIn.verify
    slow = Class.new(Thrift::BaseTransport) { def read_byte = sleep(60) }.new
    @engines.ended { 1 }
    assert_raises(Timeout::Error) do
      Timeout.timeout(0.2) { Verify.read(Shop::Point.new, Thrift::CompactProtocol.new(slow)) }
    end

    assert_equal 0, summary[:different]
  end

  private

  def summary = Sparpack::DropIn.verification.to_h

  def point = Shop::Point.new("x" => 1, "label" => "one")

  def memory(bytes) = Thrift::MemoryBufferTransport.new(bytes)

  def write(object) = Verify.write(object, Thrift::CompactProtocol.new(memory(nil)))

  def read(object)
    transport = memory(nil)
    object.write(Thrift::CompactProtocol.new(transport))
    Verify.read(object.class.new, Thrift::CompactProtocol.new(transport))
  end

  def write_wrongly(object = point)
    @engines.encoded { |bytes| bytes.sub("one", "two") }
    write(object)
  end
end
