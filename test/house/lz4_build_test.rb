# frozen_string_literal: true

# bin/test: not sanitized, for it compiles builds of its own

require "test_helper"
require "digest"
require "fileutils"
require "rbconfig"
require "tmpdir"
require "support/command"
require "support/fresh_ruby"
require "support/lz4_blocks"

# The library for LZ4 is built with the system's liblz4, with the sources that the gem carries, or not at all.
class LZ4BuildTest < Minitest::Test
  include FreshRuby

  SOURCE = File.expand_path("../../ext/sparpack_lz4", __dir__)
  VENDOR = File.join(SOURCE, "vendor")

  PROGRAM = <<~RUBY
    require "sparpack/message_pack"
    text = "Berlin " * 20_000
    ok = [:lz4, :lz4_block].all? do |form|
      Sparpack::MessagePack.unpack(Sparpack::MessagePack.pack(text, compression: form)) == text
    end
    print ok, " ", Sparpack::LZ4.inflate(Sparpack::LZ4.deflate(text)) == text, " ", Sparpack::LZ4::VERSION
  RUBY

  def test_the_sources_of_lz4_are_those_of_the_release
    sums = File.read("#{VENDOR}/README.md").scan(/^    (\h{64})  (\S+)$/).to_h(&:reverse)

    assert_equal %w[LICENSE lz4.c lz4.h], sums.keys.sort
    sums.each { |name, sum| assert_equal sum, Digest::SHA256.file("#{VENDOR}/#{name}").hexdigest, name }
    assert_equal vendored_version, File.read("#{VENDOR}/README.md")[/those of LZ4 ([\d.]+), unmodified/, 1]
    assert_equal vendored_version, File.read("#{VENDOR}/../../../docs/lz4.md")[/Otherwise LZ4 ([\d.]+) is compiled/, 1]
  end

  def test_the_sources_that_the_gem_carries
    build("--disable-system-lz4", "--enable-werror") do |folder|
      library = "#{folder}/native.#{RbConfig::CONFIG["DLEXT"]}"

      assert_equal "true true #{vendored_version}", run_with(folder)
      refute_includes File.binread(library), "liblz4"
      exported = Command.capture2e("nm", "--dynamic", "--defined-only", library).first.scan(/ T (\w+)/).flatten

      assert_equal ["Init_native"], exported, "another version of LZ4 in the process stays apart"
    end
  end

  def test_the_library_of_the_system
    skip "liblz4-dev is not installed" unless File.exist?("/usr/include/lz4.h")
    build do |folder|
      assert_includes File.binread("#{folder}/native.#{RbConfig::CONFIG["DLEXT"]}"), "liblz4"
      version = File.read("/usr/include/lz4.h").scan(/LZ4_VERSION_(?:MAJOR|MINOR|RELEASE) +(\d+)/).join(".")

      assert_equal "true true #{version}", run_with(folder)
    end
  end

  def test_no_library
    build("--disable-lz4") do |folder|
      assert_empty Dir["#{folder}/native.*"]
      assert_match(/^all install/, File.read("#{folder}/Makefile").gsub(/[:\\]/, "")[/^all.*/])
    end
  end

  private

  def vendored_version
    File.read("#{VENDOR}/lz4.h").scan(/^#define LZ4_VERSION_(?:MAJOR|MINOR|RELEASE) +(\d+)/).join(".")
  end

  # Compiles the library in a folder of its own.
  def build(*options)
    Dir.mktmpdir do |folder|
      [[RbConfig.ruby, "#{SOURCE}/extconf.rb", *options], ["make"]].each do |command|
        said, status = Command.capture2e({ "RUBYOPT" => nil }, *command, chdir: folder)

        assert_predicate status, :success?, said
      end
      FileUtils.mkdir_p("#{folder}/path/sparpack/lz4")
      FileUtils.cp(Dir["#{folder}/native.#{RbConfig::CONFIG["DLEXT"]}"], "#{folder}/path/sparpack/lz4")
      yield folder
    end
  end

  # @return [String] what the program prints with the library in this folder
  def run_with(folder)
    path = ["#{folder}/path", FreshRuby.environment.fetch("RUBYLIB")].join(File::PATH_SEPARATOR)
    fresh_ruby(PROGRAM, environment: { "RUBYLIB" => path })
  end
end
