# frozen_string_literal: true

require "fileutils"
require "minitest"
require "rbconfig"
require "shellwords"
require "tmpdir"
require_relative "command"

# Strings whose bytes another thread changes all the time, while native code reads them.
#
#     Sparpack::MessagePack.unpack(ChangingBytes.begin(payload, random))
#     ChangingBytes.end
module ChangingBytes
  SOURCE = File.join(__dir__, "changing_bytes/changing_bytes.c")

  class << self
    # Compiles and loads what changes them.
    def prepare
      return if respond_to?(:start)

      config = RbConfig::CONFIG
      headers = %w[rubyhdrdir rubyarchhdrdir].map { |name| "-I#{config.fetch(name)}" }
      folder = Dir.mktmpdir.tap { |made| Minitest.after_run { FileUtils.rm_rf(made) } }
      library = "#{folder}/changing_bytes.#{config.fetch("DLEXT")}"
      compiler = [*config.fetch("LDSHARED").shellsplit, "-O1", "-fPIC"]
      flags = config.fetch("DLDFLAGS").shellsplit
      output, status = Command.capture2e(*compiler, *headers, SOURCE, "-o", library, *flags)
      raise output unless status.success?

      require library
    end

    # @param bytes [String]
    # @param random [Random]
    # @return [String] a frozen copy of them that changes until the next one does, or until `end`; somebody must keep it
    def begin(bytes, random)
      String.new(bytes, capacity: [bytes.bytesize, 40].max).freeze.tap { |copy| start(copy, random.rand(1 << 62)) }
    end
  end
end
