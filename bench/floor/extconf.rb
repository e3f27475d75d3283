# frozen_string_literal: true

require "mkmf"

# As the gem itself is built, so that only what the code does differs.
append_cflags(["-O2", "-Wall", "-fvisibility=hidden"])

have_library("lz4", "LZ4_compress_default", "lz4.h") && have_header("lz4.h")

create_makefile("bench_floor")
