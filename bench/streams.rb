# frozen_string_literal: true

require "tempfile"
require_relative "contestant"
require_relative "group"
require_relative "values"

module Bench
  # Measures what programs do with MessagePack besides packing one value: streams, ios, pools and extension types. It runs
  # the same source with each library that has the gem's API.
  class Streams
    # ways: local variables of the source, by variant, that depend on the library. #prepared adds those that all have.
    Stream = ::Struct.new(:document, :operation, :source, :check, :ways)

    PLAIN = ->(_library) { { nil => {} } }

    # A factory and a pool of it. Sparpack also has a factory whose types need no Ruby code.
    FACTORIES = lambda do |library|
      by_procs = library::Factory.new
      REGISTER.call(by_procs, library)
      ways = { nil => { factory: by_procs }, "pool" => { factory: by_procs.pool(1) } }
      return ways unless by_procs.respond_to?(:register_builtin)

      builtin = library::Factory.new
      { time: -1, symbol: 0, set: 1, bigint: 2 }.each { |name, type| builtin.register_builtin(name, type) }
      ways.merge("builtin" => { factory: builtin }, "builtin pool" => { factory: builtin.pool(1) })
    end

    # Registers the types as the gem's documentation shows.
    REGISTER = lambda do |factory, library|
      require "msgpack/bigint" unless library.const_defined?(:Bigint)
      factory.register_type(-1, ::Time, packer: library::Time::Packer, unpacker: library::Time::Unpacker)
      factory.register_type(0, ::Symbol, packer: :name.to_proc, unpacker: :to_sym.to_proc)
      factory.register_type(1, ::Set, packer: ->(set, packer) { packer.write(set.to_a) },
                                      unpacker: ->(unpacker) { unpacker.read.to_set }, recursive: true)
      factory.register_type(2, ::Integer, packer: library::Bigint.method(:to_msgpack_ext),
                                          unpacker: library::Bigint.method(:from_msgpack_ext),
                                          oversized_integer_extension: true)
    end

    # A pool for a record, without and with the gem's optional cache of keys.
    POOLS = lambda do |library|
      factory = library::Factory.new
      { nil => { pool: factory.pool(1) }, "key_cache" => { pool: factory.pool(1, key_cache: true) } }
    end

    # @param libraries [Hash{String => Module}] the libraries by the peer's name
    def initialize(libraries)
      @libraries = libraries
      @entries = Values.entries
      @entry = @entries.first.last
      @rows = Values.rows
      @typed = Values.typed
    end

    # @return [Array<Stream>]
    def streams = [*written, *read, *pooled]

    # @return [Array<Stream>]
    def types
      [Stream.new("types", "dump", "factory.dump(typed)", nil, FACTORIES),
       Stream.new("types", "load", "factory.load(factory_bytes)", ->(value) { value == @typed }, FACTORIES)]
    end

    # @param stream [Stream]
    # @return [Array<Contestant>]
    def contestants(stream)
      @libraries.flat_map do |peer, library|
        stream.ways.call(library).map do |variant, locals|
          Contestant.new(peer, stream.source, variant:, check: stream.check, **prepared(library, locals), **locals)
        end
      end
    end

    private

    def written
      written = ->(bytes) { bytes == all(@entries) }
      to_io = "to_io.rewind; entries.each { |entry| io_packer.write(entry) }; io_packer.flush; to_io"
      in_memory = "entries.each { |entry| packer.write(entry) }; packer.full_pack"
      [Stream.new("entries", "Packer#write", in_memory, written, PLAIN),
       Stream.new("entries", "write to an io", to_io, ->(io) { io.rewind && written.call(io.read) }, PLAIN)]
    end

    def read
      ends_with = ->(value) { value == @entries.last }
      each = "last = nil; %s { |value| last = value }; last"
      pieces = "last = nil; %s.each { |piece| unpacker.feed_each(piece) { |value| last = value } }; last"
      [Stream.new("entries", "feed_each", format(each, "unpacker.feed_each(bytes_in)"), ends_with, PLAIN),
       Stream.new("entries", "feed_each of 4 KB pieces", format(pieces, "pieces"), ends_with, PLAIN),
       Stream.new("entries", "each from an io", "from_io.rewind; #{format(each, "library::Unpacker.new(from_io).each")}",
                  ends_with, PLAIN),
       Stream.new("db", "feed_each of 4 KB pieces", format(pieces, "db_pieces"), ->(value) { value == @rows }, PLAIN)]
    end

    def pooled
      [Stream.new("entry", "Pool#dump", "pool.dump(entry)", ->(bytes) { bytes == pack(@entry) }, POOLS),
       Stream.new("entry", "Pool#load", "pool.load(entry_bytes)", ->(value) { value == @entry }, POOLS)]
    end

    # The local variables that the sources use.
    def prepared(library, locals)
      bytes = all(@entries)
      to_io = scratch.tap { |io| io.sync = true }
      { library:, entries: @entries, entry: @entry, typed: @typed, bytes_in: bytes, entry_bytes: pack(@entry),
        pieces: pieces(bytes), db_pieces: pieces(pack(@rows)), packer: library::Packer.new, unpacker: library::Unpacker.new,
        to_io:, io_packer: library::Packer.new(to_io), from_io: file(bytes),
        factory_bytes: locals[:factory]&.dump(@typed) }
    end

    def pack(value) = @libraries.values.first.pack(value)
    def all(values) = values.map { |value| pack(value) }.join
    def pieces(bytes) = bytes.scan(/.{1,4096}/mn)
    def file(bytes) = scratch.tap { |io| io.write(bytes) && io.flush }

    # It has no name, because the process that measures ends without removing its files.
    def scratch = Tempfile.new(binmode: true).tap(&:unlink)
  end
end
