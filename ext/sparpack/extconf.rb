# frozen_string_literal: true

# Options for builds that find faults, or measure; each build belongs into a folder of its own (bin/lib/build.rb does that):
#
#   --enable-debug      stops at unreserved writes (SPARPACK_DEBUG)
#   --enable-sanitize   the same, under AddressSanitizer and UndefinedBehaviorSanitizer (SPARPACK_SANITIZE)
#   --enable-ablation   what makes it fast can be switched off, to measure it (SPARPACK_ABLATION)
#   --enable-werror     warnings are errors

headers = File.join(RbConfig::CONFIG["rubyhdrdir"], "ruby.h")
abort "Ruby's headers are missing. Install them: apt-get install ruby-dev" unless File.exist?(headers)

require "mkmf"
require "fileutils"

unless MakeMakefile["C++"].try_compile("#include <type_traits>\nstatic_assert(std::is_integral_v<int>);", "-std=c++17")
  abort "A C++17 compiler is missing (tried #{RbConfig::CONFIG["CXX"]}). Install one: apt-get install g++"
end
abort "make is missing. Install it: apt-get install make" unless find_executable("make")

sanitize = enable_config("sanitize")
debug    = enable_config("debug") || sanitize

$CXXFLAGS << " -std=c++17 -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra"
$CXXFLAGS << (debug ? " -O1 -g -fno-omit-frame-pointer" : " -O2")
$defs     << "-DSPARPACK_DEBUG" if debug

# Frames that are larger than the page which guards a stack's end touch it on their way.
guards = "-fstack-clash-protection"
$CXXFLAGS << " #{guards}" if MakeMakefile["C++"].try_compile("int main() { return 0; }", guards)
if sanitize
  # Not the stack: Ruby's exceptions jump over frames and its fibers recycle stacks, so that guards of frames that are gone
  # stay behind. Arrays are UndefinedBehaviorSanitizer's, the buffer on the stack the debug build's checks.
  $CXXFLAGS << " -fsanitize=address,undefined -fno-sanitize-recover=undefined --param=asan-stack=0"
  $LDFLAGS  << " -fsanitize=address,undefined"
  $defs     << "-DSPARPACK_SANITIZE"
end

$defs     << "-DSPARPACK_ABLATION" if enable_config("ablation")
$CXXFLAGS << " -Werror" if enable_config("werror")

# Ruby's own headers warn under -Wextra; ours must not.
$INCFLAGS = $INCFLAGS.gsub(/-I(?=\$\((?:arch_)?hdrdir\))/, "-isystem ")

# The core uses nothing of libstdc++: linked by the C driver, the extension does not load it.
CONFIG["LDSHAREDXX"] = CONFIG["LDSHARED"]

# Before Ruby 4.0 a Set is an object around a Hash; rb_hash_new_capa came with 3.2.
have_func("rb_set_new_capa", "ruby.h")
have_func("rb_set_add", "ruby.h")
have_func("rb_set_foreach", "ruby.h")
have_func("rb_hash_new_capa", "ruby.h")

# Objects keep their folder, so that codec/encode.cpp and value/encode.cpp are two objects. mkmf only thinks of one.
sources = Dir.glob("**/*.cpp", base: $srcdir).sort
$srcs   = sources.map { |path| File.join($srcdir, path) }
$objs   = sources.map { |path| path.sub(/cpp\z/, $OBJEXT) }
$cleanfiles.concat($objs)
FileUtils.mkdir_p($objs.map { |path| File.dirname(path) })

create_makefile("sparpack/native")
