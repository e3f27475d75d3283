# frozen_string_literal: true

# The optional library for LZ4. It links with the system's liblz4 where it finds that, and otherwise compiles vendor/lz4.c.
#
#   --disable-lz4            build nothing; `compression:` then raises an error
#   --disable-system-lz4     compile vendor/lz4.c even if the system has liblz4
#   --with-lz4-dir=FOLDER    where liblz4 is
#   --enable-precompiled     as for ext/sparpack; vendor/lz4.c is compiled, too
#   --enable-debug, --enable-sanitize, --enable-werror
#                            as for ext/sparpack; sanitizers see into vendor/lz4.c, and not into liblz4

require "mkmf"
require_relative "../../lib/sparpack/version"
require_relative "../makefile"

unless enable_config("lz4", true)
  File.write("Makefile", dummy_makefile($srcdir).join)
  exit
end

abort "make is missing. Install it: apt-get install make" unless find_executable("make")

# The library knows for which version it was compiled.
$defs << "-DSPARPACK_VERSION=\\\"#{Sparpack::VERSION}\\\""

sanitize = enable_config("sanitize")
debug    = enable_config("debug") || sanitize
precompiled = enable_config("precompiled")
enable_config("ablation") # an option of ext/sparpack

common = debug ? " -O1 -g -fno-omit-frame-pointer" : " -O3#{Makefile.symbols}" # LZ4 is compiled with -O3 by its authors
common += " -fsanitize=address,undefined -fno-sanitize-recover=undefined --param=asan-stack=0" if sanitize
$CFLAGS   << " -fvisibility=hidden" << common
$CXXFLAGS << " -std=c++17 -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra" << common
$LDFLAGS  << " -fsanitize=address,undefined" if sanitize
$LDFLAGS  << Makefile.strip(always: precompiled)
$defs     << "-DSPARPACK_DEBUG" if debug
$CXXFLAGS << " -Werror" if enable_config("werror")

# Ruby's own headers cause warnings under -Wextra. Ours must not.
$INCFLAGS = $INCFLAGS.gsub(/-I(?=\$\((?:arch_)?hdrdir\))/, "-isystem ")

# As the core, it uses nothing of libstdc++.
CONFIG["LDSHAREDXX"] = CONFIG["LDSHARED"]

dir_config("lz4")
system = enable_config("system-lz4", !sanitize && !precompiled) && have_header("lz4.h") &&
         have_library("lz4", "LZ4_compress_default", "lz4.h")
$defs << "-DSPARPACK_SYSTEM_LZ4" if system
message(system ? "linking with the system's liblz4\n" : "compiling the LZ4 that comes with Sparpack\n")

Makefile.without_libruby if precompiled

$srcs = %w[bundled.c native.cpp].map { |name| File.join($srcdir, name) }
$objs = %W[bundled.#{$OBJEXT} native.#{$OBJEXT}]

create_makefile("sparpack/lz4/native")
Makefile.finish($objs)
