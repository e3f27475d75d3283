# frozen_string_literal: true

# bin/test: not sanitized, for it has a build of its own

require "test_helper"
require "json"
require "tmpdir"
require_relative "../../bin/lib/build"
require "support/command"

# The optimisations change nothing but the time: in a bench build, where each can be switched off, values and bytes stay the
# same without it.
class TechniqueTest < Minitest::Test
  BUILD = Build.new(:ablation)
  CLI = File.expand_path("../../bench/cli.rb", __dir__)

  # Prints for each technique, and for all of them at once ("all"), whether the results stay the same without it, and whether
  # a long String at the end of a message shares the message's memory.
  SCRIPT = <<~'RUBY'
    require "sparpack/message_pack"
    require "json"
    require "objspace"
    require "stringio"
    MP = Sparpack::MessagePack

    VALUES = [*0..300, -1, 2**40, 1.5, nil, true, { "a" => 1, "b" => { "c" => [] } }, (0..200).to_h { |i| ["key#{i}", i] },
              { 1 => 2, 0.5 => 3, "k" * 70 => 4, "ключ" => 5 }, "", "short", "größe", "いろは" * 20, "\xff broken".b,
              "\xff broken", :symbol, ["x" * 300_000, "ö" * 300_000], "tail" * 50_000].freeze
    BYTES = VALUES.map { |value| MP.pack(value) }

    def error = yield.itself rescue $!.class.name

    def text(value) = value.is_a?(String) ? [value, value.encoding.name, value.valid_encoding?, value.frozen?] : value

    def unpacked
      [{}, { symbolize_keys: true }, { freeze: true }, { strict_utf8: true }].map do |options|
        BYTES.map { |bytes| error { text(MP.unpack(bytes, **options)) } }
      end
    end

    def fed
      unpacker, all = MP::Unpacker.new, []
      BYTES.join.scan(/.{1,40000}/mn) { |piece| unpacker.feed_each(piece) { |value| all << text(value) } }
      unpacker.feed(MP.pack(["x" * 300_000, "y" * 600_000]))
      [all, unpacker.read, MP::Unpacker.new(StringIO.new(BYTES.join)).each.to_a]
    end

    def packed
      io = StringIO.new("".b)
      to_io, packer, pool = MP::Packer.new(io), MP::Packer.new, MP::Factory.new.pool(1)
      bytes = VALUES.map do |value|
        to_io.write(value)
        [MP.pack(value), packer.write(value).to_s.tap { packer.reset }, pool.dump(value)]
      end
      to_io.write("z" * 600_000).flush
      2.times { VALUES.each { |value| packer.write(value) } }
      [bytes, packer.full_pack, packer.write(1).to_s, io.string]
    end

    def shares? = ObjectSpace.dump(MP.unpack(BYTES.last)).include?('"shared":true')

    def results = Marshal.dump([unpacked, fed, packed])

    techniques = Sparpack::Native.techniques
    expected = results
    puts(JSON.generate([*techniques.map { |name| [name] }, techniques].to_h do |off|
      off.each { |name| Sparpack::Native.technique(name, false) }
      result = [results == expected, shares?]
      off.each { |name| Sparpack::Native.technique(name, true) }
      [off.size == 1 ? off[0] : "all", result]
    end))
  RUBY

  def setup
    skip "the bench build is missing: rake compile:ablation" unless BUILD.current?
  end

  def test_results_are_the_same_without_each
    sharing = %w[key_cache bulk_hashes bulk_arrays own_utf8_check expected_size memory_reuse]

    assert_equal({ **sharing.to_h { |name| [name, [true, true]] }, "shared_strings" => [true, false],
                   "all" => [true, false] }, JSON.parse(ruby(SCRIPT)))
  end

  def test_names_what_there_is
    assert_equal ["ArgumentError", true], JSON.parse(ruby(<<~RUBY))
      require "sparpack/message_pack"
      require "json"
      fault = begin Sparpack::Native.technique(:magic, false) rescue $!.class end
      puts JSON.generate([fault, Sparpack::Native.technique(:key_cache, true)])
    RUBY
  end

  def test_measures_and_draws
    report, picture = Dir.mktmpdir do |folder|
      files = %w[report.json picture.svg].map { |name| File.join(folder, name) }
      ruby("require #{CLI.inspect}; Bench::CLI.new(ARGV).run", "--suite", "ablation", "--only", "small", "--rounds", "1",
           "--json", files[0], "--picture", files[1])
      files.map { |file| File.read(file) }
    end
    variants = JSON.parse(report)["results"].map { |row| row.values_at("operation", "variant") }

    assert_equal [["unpack", nil], *%w[key_cache bulk_hashes all].map { |name| ["unpack", "without #{name}"] },
                  ["pack", nil], ["pack", "without memory_reuse"]], variants
    assert_equal 4, picture.scan(/<rect class="(?:slower|faster)"/).size
  end

  private

  def ruby(script, *arguments)
    paths = BUILD.load_path.flat_map { |path| ["-I", path] }
    output, error, status = Command.capture3({ "RUBYLIB" => nil, "RUBYOPT" => nil }, RbConfig.ruby, *paths, "-", *arguments,
                                             stdin_data: script)

    assert_predicate status, :success?, error
    output
  end
end
