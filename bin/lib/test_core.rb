# frozen_string_literal: true

# The test files that bin/test runs under Valgrind and with GC.stress, unless it is told others. They are slow like this, so
# these files are the quick ones that run native code of each sort: none of them takes more than a second or so by itself.
# What is missing measures memory or time, runs other processes, or repeats the same code thousands of times.
module TestCore
  MODES = %i[memcheck gc_stress].freeze

  ROOT = File.expand_path("../../test", __dir__)

  FILES = {
    # structs on each wire, and adopted, mapped and unknown ones
    "contract"     => %w[binary compact message_pack reading structs thrift_json_faults],
    "codec"        => %w[adopted_dumps bad_input codec coder compression io json_arrays mapping mapping_classes peek spaces
                         unknown unknown_json unknown_message_pack validation],
    # numbers and text
    "wire"         => %w[float json_edges json_texts message_pack_heads string uuid],
    # what reads a part of a payload
    "lazy"         => %w[columns columns_edges columns_values lazy ranges],
    # objects, and their classes
    "schema"       => %w[exception linking],
    "struct"       => %w[copy key_text value yaml],
    "errors"       => %w[conversion_error error json_errors],
    # converter, inspector
    "transcode"    => %w[annotator assembly converter_fuzz converter_options inspector_golden inspector_json],
    # MessagePack without a schema
    "message_pack" => %w[api compression interface io limits parity raw],
    # classes of other gems
    "drop_in"      => %w[sparsam_rules thrift_construction thrift_validation],
    # structs by the names of their classes
    "rails"        => %w[cache_serializer],
    # foreign code in the middle
    "safety"       => %w[continuations foreign_code]
  }.flat_map { |room, names| names.map { |name| File.join(ROOT, room, "#{name}_test.rb") } }.freeze
end
