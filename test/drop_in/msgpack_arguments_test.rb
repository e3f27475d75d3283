# frozen_string_literal: true

# bin/test: not sanitized, for test/message_pack runs the same native code

require "test_helper"
require "support/fresh_ruby"

# Arguments that are meaningless, or mean something unusual: the drop-in does what the msgpack gem does.
class DropInMsgpackArgumentsTest < Minitest::Test
  include FreshRuby

  GEM = 'require "msgpack"; require "msgpack/bigint"'
  DROP_IN = 'require "sparpack/drop_in/msgpack"'

  IOS = <<~'RUBY'
    require "stringio"
    class Script
      def initialize(answers) = @answers = answers
      def read(size, into = nil) = @answers.shift.dup.then { |answer| into && answer ? into.replace(answer) : answer }
    end
    found = []
    [[1, 2], ["a" * 300, nil]].each do |value|
      bytes = MessagePack.pack(value)
      # An empty String means that nothing is there yet: reading ends, and continues later.
      io = Script.new([bytes, "", "", bytes, "", bytes[0], nil, bytes.byteslice(1..), ""])
      unpacker = MessagePack::Unpacker.new(io)
      reads = Array.new(6) do
        values = []
        unpacker.each { |read| values << read }
        values
      end
      found << reads
      io = Script.new([bytes, "", bytes])
      unpacker = MessagePack::Unpacker.new(io)
      found << Array.new(4) { unpacker.read rescue $!.class }
    end
    [5, :io, Object.new, [], String].each do |io|
      found << MessagePack::Unpacker.new(io).class.name[/\w+\z/]
      found << begin
        MessagePack.unpack(io)
      rescue NoMethodError => e
        [e.name, e.receiver.equal?(io)]
      end
    end
    File.binwrite(ARGV.last, Marshal.dump(found))
  RUBY

  def test_ios
    gem, ours = [GEM, DROP_IN].map { |load| fresh_result("#{load}\n#{IOS}") }

    gem.zip(ours) { |expected, found| assert_equal expected, found }
  end

  # Each call reads or writes exactly one value, whatever else is there.
  ONE_VALUE = <<~'RUBY'
    require "pathname"
    require "tmpdir"
    path = Pathname(Dir.mktmpdir).join("file")
    MessagePack.pack((1..100_000).to_a, path)
    found = [MessagePack.unpack(path), MessagePack.each(path).first] .map(&:size)
    path.dirname.rmtree
    io = Object.new
    answers = ["\x93\x01".b, "", "\x02".b, "", "", "\x03".b]
    io.define_singleton_method(:readpartial) { |*| answers.shift }
    found << MessagePack.load(io)
    answers.push("\x01".b, "", "\x02".b)
    found << MessagePack.each(io).to_a
    print found.inspect
  RUBY

  def test_what_the_gem_loses_is_kept
    assert_equal "[100000, 100000, [1, 2, 3], [1, 2]]", fresh_ruby("#{DROP_IN}\n#{ONE_VALUE}")
  end

  CALLS = File.expand_path("../support/message_pack_wrong_calls.rb", __dir__)

  # Differences on purpose, and cases where programs cannot look at what the gem says: it accepts what has no meaning, or its
  # message about a missing argument is an accident of its implementation.
  DIFFERENT = Regexp.union(
    /\A(Packer|Unpacker|Buffer|factory\.(un)?packer) 3\z/, # the number of arguments, in Ruby's words
    /\A(unpack|reg) opts|\ABuffer (opts 5|size str)\z/, # options that are not a Hash
    /\Awrite_\w+_header neg\z/, # a size of four billion
    /\Abuffer\.\w+ (-1|"x"|nil|1\.5|18446744)\z/, # any number of bytes means all
    /\A(Timestamp|Bigint)\.(from|to) /, /\Areg class/, /reg type (1\.5|\d{9,})/, /\Areg packer obj\z/, /sel\z/,
    /\Awrite_extension bad type\z/, /\Abuffer\.dup\z/, /\Aunpack bad symbol\z/, /\Areg type ("x"|nil|:a)\z/
  )

  def test_messages
    gem, ours = [GEM, DROP_IN].map { |load| fresh_result("$VERBOSE = nil; #{load}; load #{CALLS.inspect}") }
    wrong = gem.reject { |name, answer| name.match?(DIFFERENT) || ours[name] == answer }

    assert_operator gem.size, :>, 380
    assert_empty(wrong.to_h { |name, answer| [name, { gem: answer, ours: ours[name] }] })
    assert_empty(ours.values.flatten.grep(/Sparpack/))
  end

  # An error has a path and an offset, whatever its message is.
  def test_errors_say_where
    script = <<~'RUBY'
      begin
        MessagePack.unpack("\x91\xC1".b)
      rescue MessagePack::UnpackError => e
        print [e.message, e.path, e.offset, e.detailed_message].inspect
      end
    RUBY
    name = " (MessagePack::MalformedFormatError)" if Exception.method_defined?(:detailed_message)

    assert_equal ["invalid byte", "[0]", 1, "invalid byte#{name} (byte 1, at [0])"].inspect,
                 fresh_ruby("#{DROP_IN}\n#{script}")
  end
end
