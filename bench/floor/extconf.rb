# frozen_string_literal: true

require "mkmf"

# As the gem itself is built, so that only what the code does differs.
append_cflags(["-O2", "-Wall", "-fvisibility=hidden"])

create_makefile("bench_floor")
