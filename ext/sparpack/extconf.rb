# frozen_string_literal: true

# Options for builds that find faults or measure speed. Each build needs a folder of its own (bin/lib/build.rb sees to it):
#
#   --enable-debug       stops at unreserved writes (SPARPACK_DEBUG)
#   --enable-sanitize    the same, under AddressSanitizer and UndefinedBehaviorSanitizer (SPARPACK_SANITIZE), and with the
#                        wires that only tests use (SPARPACK_TEST_WIRES)
#   --disable-optimize   compiles in half the time, and runs slowly
#   --enable-ablation    the optimisations of MessagePack can be switched off one by one, to measure them
#                        (SPARPACK_ABLATION); --with-objects=FOLDER takes from another build what is not measured
#   --enable-precompiled for a gem that is compiled before it is installed; --with-objects=FOLDER takes all objects from
#                        another build
#   --enable-fuzz        for coverage-guided fuzzing (bin/fuzz): compiled by clang, which --with-clang=COMMAND names
#   --enable-coverage    counts which lines and branches are reached: compiled by clang, too
#   --enable-werror      warnings are errors

# The files that take longest, so that no processor waits for another in the end.
FIRST = %w[codec/encode.cpp codec/decode.cpp annotate/annotator.cpp wire/walks.cpp].freeze

# Files that are compiled to be small. Of several copies of an inline function the linker takes the first, and that should be
# a fast one.
LAST = %w[convert/cells_of_thrift_json.cpp guess/guess.cpp].freeze

headers = File.join(RbConfig::CONFIG["rubyhdrdir"], "ruby.h")
abort "Ruby's headers are missing. Install them: apt-get install ruby-dev" unless File.exist?(headers)

require "mkmf"
require "fileutils"
require_relative "../../lib/sparpack/version"
require_relative "../makefile"

fuzz = enable_config("fuzz")
coverage = enable_config("coverage")
CONFIG["CXX"] = with_config("clang", "clang++") if fuzz || coverage

compiles = begin
  MakeMakefile["C++"].try_compile("#include <type_traits>\nstatic_assert(std::is_integral_v<int>);", "-std=c++17")
rescue RuntimeError # there is no compiler at all
  false
end
unless compiles
  abort "A C++17 compiler is missing (tried #{RbConfig::CONFIG["CXX"]}). Install one: apt-get install g++"
end
abort "make is missing. Install it: apt-get install make" unless find_executable("make")

# What the ablation measures.
ABLATED = %r{\A(?:all\.cpp\z|message_pack/)}

# The library knows for which version it was compiled.
$defs << "-DSPARPACK_VERSION=\\\"#{Sparpack::VERSION}\\\""

sanitize = enable_config("sanitize")
debug    = enable_config("debug") || sanitize || fuzz
precompiled = enable_config("precompiled")

$CXXFLAGS << " -std=c++17 -fvisibility=hidden -fno-exceptions -fno-rtti -Wall -Wextra"
# Ruby is often configured with -g, which doubles the time that templates take to compile.
$CXXFLAGS << (debug && !sanitize ? " -g" : Makefile.symbols)
$LDFLAGS  << Makefile.strip(always: precompiled)
optimize = enable_config("optimize", true) ? " -O2" : " -O0 -g0"
$CXXFLAGS << (debug ? " -O1 -fno-omit-frame-pointer" : optimize)
$defs     << "-DSPARPACK_DEBUG" if debug

# Makes a frame that is larger than the guard page at a stack's end touch that page, so that an overflow is noticed. On macOS
# compilers take the flag, ignore it, and warn each time.
guards = "-fstack-clash-protection"
takes_guards = !RUBY_PLATFORM.include?("darwin") && MakeMakefile["C++"].try_compile("int main() { return 0; }", guards)
$CXXFLAGS << " #{guards}" if takes_guards
if sanitize
  # AddressSanitizer leaves the stack out: Ruby's exceptions jump over frames and its fibers reuse stacks, so the guards of
  # old frames would stay behind. UndefinedBehaviorSanitizer checks arrays, and the debug build the buffer on the stack.
  $CXXFLAGS << " -fsanitize=address,undefined -fno-sanitize-recover=undefined --param=asan-stack=0"
  $LDFLAGS  << " -fsanitize=address,undefined"
  $defs     << "-DSPARPACK_SANITIZE" << "-DSPARPACK_TEST_WIRES"
  $INCFLAGS << " -I$(srcdir)/../../test/wires"
end

if fuzz
  # What these flags call is in a library that is loaded first.
  $CXXFLAGS << " -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=function,vptr -mllvm -asan-stack=0"
  $CXXFLAGS << " -fno-sanitize-recover=undefined"
end

if coverage
  # A process that crashes, or ends at once, has counted, too. Several count in the same memory.
  $CXXFLAGS << " -fprofile-instr-generate -fprofile-update=atomic -fcoverage-mapping -mllvm -runtime-counter-relocation"
  runtime = IO.popen([CONFIG["CXX"], "-print-file-name=libclang_rt.profile-#{RbConfig::CONFIG["host_cpu"]}.a"], &:read)
  $LOCAL_LIBS << " #{runtime.chomp}"
  $LDFLAGS << " -Wl,-u,__llvm_profile_runtime" # otherwise the linker leaves out what writes the counts
end

ablation = enable_config("ablation")
compiled = with_config("objects") if ablation || precompiled
$defs << "-DSPARPACK_ABLATION" if ablation
$CXXFLAGS << " -Werror" if enable_config("werror")

# Ruby's own headers cause warnings under -Wextra. Ours must not.
$INCFLAGS = $INCFLAGS.gsub(/-I(?=\$\((?:arch_)?hdrdir\))/, "-isystem ")

# The core uses nothing of libstdc++. The C driver links the extension, so that it does not load the library either.
CONFIG["LDSHAREDXX"] = CONFIG["LDSHARED"]

# Before Ruby 4.0 a Set is an object around a Hash. rb_hash_new_capa came with Ruby 3.2.
have_func("rb_set_new_capa", "ruby.h")
have_func("rb_set_add", "ruby.h")
have_func("rb_set_foreach", "ruby.h")
have_func("rb_hash_new_capa", "ruby.h")
Makefile.without_libruby if precompiled

# What an all.cpp includes is compiled with it. Objects stay in the folders of their sources, so that two files may have the
# same name. mkmf expects a single folder.
sources = ((FIRST | Makefile.units($srcdir)) - LAST) + LAST
$srcs   = sources.map { |path| File.join($srcdir, path) }
own, others = sources.partition { |path| !compiled || (ablation && path.match?(ABLATED)) }
                     .map { |paths| paths.map { |path| path.sub(/cpp\z/, $OBJEXT) } }
$objs = own + others.map { |path| File.join(compiled, path) }
$cleanfiles.concat(own)
FileUtils.mkdir_p(own.map { |path| File.dirname(path) })

create_makefile("sparpack/native")
Makefile.finish($objs, compiled: own)
