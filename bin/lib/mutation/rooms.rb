# frozen_string_literal: true

require_relative "../judged"

module Mutation
  # In these tests the garbage is collected all the time. They take seconds or minutes, and a mutant that survives meets all
  # tests that reach it.
  SLOW = /garbage/

  # What is mutated together, and the tests that should notice, without those whose names match. Paths are relative to
  # ext/sparpack/ and to test/.
  ROOMS = {
    json: [%w[wire/json/wire.hpp wire/json/key.hpp wire/json/members.hpp wire/json/scalars.hpp wire/json/scan.hpp
              wire/json/scan.cpp wire/json/text.hpp wire/json/text.cpp wire/json/events.hpp wire/json/payload_events.hpp
              codec/unknown/members.hpp],
           %w[contract/json_test contract/structs_test contract/containers_test contract/reading_test
              contract/scalars_test codec/unknown_json_test codec/spaces_test wire/json_texts_test wire/json_edges_test
              wire/bad_text_test transcode/converter_test transcode/inspector_json_test struct/native_text_test
              codec/decode_from_test codec/frame_test codec/bad_input_test codec/payload_ends_test cli/convert_test
              codec/memory_test codec/json_arrays_test errors/json_errors_test transcode/convert_test
              transcode/converter_options_test transcode/converter_stream_test transcode/inspector_test]],
    thrift: [%w[wire/thrift/compact.hpp wire/thrift/binary.hpp wire/thrift/thrift.hpp wire/thrift/events.hpp
                wire/thrift/pass.hpp wire/thrift/copy.hpp bytes/varint.hpp],
             %w[contract/compact_test contract/binary_test contract/structs_test contract/containers_test
                contract/reading_test contract/scalars_test contract/headers_test contract/thrift_json_test
                wire/vectors_test codec/bad_input_test codec/payload_ends_test codec/unknown_test codec/limits_test
                codec/skipped_mismatch_test codec/frame_test codec/decode_from_test codec/bombs_test transcode/converter_test
                transcode/converter_options_test transcode/converter_stream_test transcode/inspector_test lazy/runs_test
                lazy/scan_edges_test drop_in/sparsam_rules_test message_pack/codec_types_test]],
    thrift_json: [%w[wire/thrift/json.hpp wire/thrift/json.cpp wire/thrift/json_key.hpp wire/thrift/json_text.hpp
                     wire/thrift/json_events.hpp],
                  %w[contract/thrift_json_test contract/thrift_json_faults_test contract/structs_test
                     contract/containers_test contract/reading_test contract/scalars_test transcode/converter_test
                     wire/bad_text_test codec/decode_from_test codec/bad_input_test codec/payload_ends_test
                     transcode/convert_test transcode/converter_stream_test transcode/inspector_test]],
    message_pack_wire: [%w[wire/message_pack/wire.hpp wire/message_pack/reader.hpp wire/message_pack/entries.hpp],
                        %w[contract/message_pack_test contract/structs_test contract/containers_test contract/reading_test
                           contract/scalars_test codec/unknown_message_pack_test wire/message_pack_interop_test
                           codec/mapping_test transcode/converter_test codec/bad_input_test codec/compression_test
                           codec/payload_ends_test wire/message_pack_heads_test]],
    convert: [%w[transcode/json_to_message_pack.cpp transcode/message_pack_to_json.cpp transcode/json_writer.hpp
                 transcode/message_pack_writer.hpp transcode/decimal.hpp transcode/stream.hpp],
              %w[transcode/convert_test cli/convert_test cli/convert_streams_test
                 wire/json_edges_test]],
    converter: [%w[convert/cells*.hpp convert/*_values.hpp convert/fused.hpp convert/transit.hpp
                   convert/distinct.hpp convert/converter.cpp],
                %w[transcode/converter_test transcode/converter_options_test transcode/converter_stream_test
                   transcode/converter_fuzz_test transcode/converter_limits_test
                   transcode/output_limit_test cli/convert_streams_test safety/sources_test]],
    annotate: [%w[annotate/*],
               %w[transcode/inspector_test transcode/inspector_json_test transcode/annotator_test transcode/assembly_test
                  transcode/inspector_golden_test
                  transcode/inspector_fuzz_test cli/inspect_test cli/inspect_streams_test]],
    mapped: [%w[objects/mapped.hpp objects/mapped.cpp],
             %w[codec/mapping_test codec/mapping_classes_test codec/mapping_allocate_test codec/mapping_memory_test
                safety/mapping_test safety/mapping_exits_test safety/gc_test]],
    foreign: [%w[foreign/sparsam.cpp foreign/thrift.cpp foreign/thrift.hpp foreign/thrift_attempts.hpp
                 foreign/thrift_ends.cpp codec/adopted/called.hpp codec/adopted/called_reader.hpp codec/adopted/loose.hpp],
              %w[drop_in/sparsam_test drop_in/sparsam_rules_test drop_in/thrift_core_test drop_in/thrift_validation_test
                 drop_in/thrift_construction_test drop_in/thrift/cases_test drop_in/thrift/acceleration_test
                 drop_in/thrift/shapes_test drop_in/thrift/guests_test drop_in/thrift/stress_test codec/adopted_test
                 drop_in/verify_thrift_test drop_in/verify_modes_test drop_in/thrift_patching_test
                 drop_in/thrift/sockets_test drop_in/thrift/random_test]],
    lazy: [%w[lazy/scan*.hpp lazy/pass_values.hpp lazy/open_values.hpp lazy/lazy.cpp plan/runs.cpp],
           %w[lazy/lazy_test lazy/runs_test lazy/ranges_test lazy/dig_test lazy/columns_test lazy/columns_edges_test
              lazy/columns_limits_test lazy/limits_test lazy/edges_test lazy/scan_edges_test lazy/random_test
              contract/lazy_test lazy/count_threads_test safety/sources_test],
           SLOW],
    paths: [%w[lazy/passage.cpp lazy/patch.cpp lazy/members.* lazy/dig.cpp lazy/path.cpp lazy/step_values.hpp],
            %w[lazy/dig_test lazy/patch_test lazy/paths_edges_test lazy/patch_edges_test lazy/paths_random_test
               lazy/limits_test lazy/edges_test safety/sources_test],
            SLOW],
    columns: [%w[lazy/columns/*],
              %w[lazy/columns_test lazy/columns_edges_test lazy/columns_limits_test lazy/columns_rollback_test
                 lazy/columns_values_test lazy/packed_test lazy/limits_test lazy/columns_random_test lazy/edges_test
                 lazy/columns_threads_test safety/sources_test],
              SLOW]
  }.freeze

  # @param room [Symbol] one of ROOMS
  # @return [Judged] its mutants that no test can or need notice, and why
  def self.judged(room) = Judged.load("bin/lib/mutation/judged/#{room}.txt")
end
