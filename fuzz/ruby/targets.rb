# frozen_string_literal: true

module Fuzzing
  folder = File.join(__dir__, "targets")
  %i[Decode Lazy Paths Columns Select Skipped Streams Mapped Convert ConvertFiles Look Guessing Assemble UnpackAny Extensions
     IDLText Names FromJSON Forms Bodies Records Entries CompressedEntries Jobs Rows Compressed ThriftDropIn Transports
     SparsamDropIn Dumps Passing]
    .zip(%w[decode lazy paths columns select skipped streams mapped convert convert looks looks looks message_pack
            message_pack texts texts texts forms bodies records entries rails rails rails lz4 drop_ins drop_ins
            drop_ins dumps passing])
    .each { |name, file| autoload name, File.join(folder, "#{file}.rb") }

  WIRES = %i[compact binary json thrift_json message_pack message_pack_names message_pack_ids].freeze
  SLEEPY = (WIRES - %i[json thrift_json]).freeze # those that can be decoded lazily
  FOCUSES = %i[plain skip keep limits adopted].freeze

  # Targets that run no native code, or little.
  IN_RUBY = %w[idl names].freeze

  # The targets by name, and how each is made. Most are narrow: one wire, and one choice of options. They run much more often
  # than one target with all of them would, and meet what needs many steps.
  TARGETS = {
    **WIRES.product(FOCUSES).to_h { |form, focus| ["decode.#{form}.#{focus}", -> { Decode.new(form, focus) }] },
    **SLEEPY.to_h { |form| ["lazy.#{form}", -> { Lazy.new(form) }] },
    **WIRES.product(%i[dig patch]).to_h { |form, verb| ["#{verb}.#{form}", -> { Paths.new(form, verb) }] },
    **WIRES.to_h { |form| ["columns.#{form}", -> { Columns.new(form) }] },
    **WIRES.to_h { |form| ["select.#{form}", -> { Select.new(form) }] },
    **WIRES.to_h { |form| ["pass.#{form}", -> { Passing.new(form) }] },
    "skipped" => -> { Skipped.new },
    "streams" => -> { Streams.new },
    "mapped" => -> { Mapped.new },
    **WIRES.to_h { |form| ["convert.#{form}", -> { Convert.new(form) }] },
    "convert_files" => -> { ConvertFiles.new },
    "inspect" => -> { Look.new },
    "guess" => -> { Guessing.new },
    "assemble" => -> { Assemble.new },
    "unpack" => -> { UnpackAny.new },
    "extensions" => -> { Extensions.new },
    "idl" => -> { IDLText.new },
    "names" => -> { Names.new },
    "from_json" => -> { FromJSON.new },
    "forms" => -> { Forms.new },
    **WIRES.to_h { |form| ["bodies.#{form}", -> { Bodies.new(form) }] },
    "records" => -> { Records.new },
    "entries" => -> { Entries.new },
    "compressed_entries" => -> { CompressedEntries.new },
    "jobs" => -> { Jobs.new },
    "rows" => -> { Rows.new },
    "lz4" => -> { Compressed.new },
    "thrift" => -> { ThriftDropIn.new },
    "thrift_transports" => -> { Transports.new },
    "sparsam" => -> { SparsamDropIn.new },
    "dumps" => -> { Dumps.new }
  }.freeze
end
