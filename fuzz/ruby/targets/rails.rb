# frozen_string_literal: true

require "active_support"
require "active_support/all"
require "active_model"
require "sparpack/rails"
require_relative "../target"

module Fuzzing
  # A struct that is a job's argument comes back from the queue, or is refused by an error that Active Job turns into a
  # DeserializationError.
  class Jobs < Target
    SERIALIZER = Sparpack::Rails::JobSerializer
    NAMES = [nil, 5, [], "", "Kernel", "Sparpack::Value", "Sparpack::Struct", "::Fuzzing::Jobs::Picked", "fuzzing",
             "Fuzzing::", "Missing", "\xFF", "\e[2J\u202E", "N" * 256, "Sparpack::Thrift"].freeze
    HIDDEN = /\e|\xE2\x80\xAE/n
    private_constant :SERIALIZER, :NAMES, :HIDDEN

    def run(choices)
      struct_class = named(Schemas.pick(choices))
      name = choices.chance(0.2) ? choices.pick(NAMES) : struct_class.name
      name = Payload.damaged(choices, name) if name.is_a?(String) && choices.chance(0.1)
      each_payload(choices, struct_class, :compact) do |bytes|
        text = [bytes].pack("m0")
        text = Payload.damaged(choices, text) if choices.chance(0.1)
        read("class" => name, "compact" => choices.chance(0.05) ? choices.pick(NAMES) : text)
      end
    end

    private

    # Gives the class a name, which it keeps until the next class gets it.
    def named(struct_class)
      Jobs.send(:remove_const, :Picked) if Jobs.const_defined?(:Picked, false)
      Jobs.const_set(:Picked, struct_class)
    end

    def read(hash)
      object = load(hash) { return :refused }
      find("it is no struct", hash, object) unless object.is_a?(Sparpack::Value)
      again = dump(object) { return :unwritten }
      back = load(again) { find("it does not come back", hash, again) }
      find("it is written otherwise", hash, object) unless dump(back) == again
      :read
    end

    def load(hash)
      SERIALIZER.deserialize(hash)
    rescue Sparpack::DecodeError, NameError, ArgumentError => e
      keeps_secrets(e, hash)
      find("an error that is not promised", hash, e) if e.is_a?(NoMethodError)
      find("control characters in a message", hash, e) if e.message.b.match?(HIDDEN)
      yield
    end

    # An object that was read need not be one that can be written: an enum may lack a name.
    def dump(object)
      SERIALIZER.serialize(object)
    rescue Sparpack::EncodeError
      yield
    end
  end

  # What is in a column becomes what a codec of one of the wires reads of it, or is refused by a DecodeError. JSON that is
  # assigned becomes an object that can be saved, or is refused.
  class Rows < Target
    DATA = ActiveModel::Type::Binary::Data
    private_constant :DATA

    def run(choices)
      struct_class = Schemas.pick(choices)
      wire, others = wires(choices)
      options = { unknown: choices.pick(UNKNOWN), mismatch: choices.pick(%i[raise skip]), keys: :ids }
      options.delete(:keys) unless wire == :message_pack
      type = Sparpack::Rails::Type.new(of: struct_class, wire:, reads: others, coerce: choices.chance(0.5), **options)
      form = form(choices.chance(0.8) ? wire : choices.pick([*others, wire]))
      each_payload(choices, struct_class, form) do |bytes|
        assign(type, bytes.dup.force_encoding(Encoding::UTF_8)) if form == :json
        codecs = [wire, *others].map { |each| Sparpack::Media::Bodies.codec(struct_class, each, options) }
        row(type, codecs, bytes, raw(choices, bytes))
      end
    end

    private

    def wires(choices)
      wires = Array.new(choices.pick([1, 1, 2, 3])) { choices.pick(Sparpack::WIRES) }
      [wires.first, wires.drop(1)]
    end

    def form(wire) = wire == :message_pack ? :message_pack_ids : wire

    # As the adapters of databases give it.
    def raw(choices, bytes)
      case choices.rand(4)
      when 0 then DATA.new(bytes)
      when 1 then "\\x#{bytes.unpack1("H*")}"
      else bytes
      end
    end

    def row(type, codecs, bytes, raw)
      read = attempt { [type.deserialize(raw)] }
      all = codecs.map { |codec| attempt { [codec.decode(bytes)] } }
      find("it is not what a codec reads", codecs, raw, read, all) unless all.map(&:inspect).include?(read.inspect)
      return refused(codecs, raw, all) unless read

      saved(type, read.first, raw)
    end

    def refused(codecs, raw, all)
      find("a codec reads it", codecs, raw, all) if all.any?
      :refused
    end

    def assign(type, text)
      object = attempt(Sparpack::ConversionError) { type.cast(text) } or return
      saved(type, object, nil)
    end

    # What was saved is read again, and has not changed.
    def saved(type, object, raw)
      find("neither true nor false", raw) unless [true, false].include?(type.changed_in_place?(raw, object))
      written = type.serialize(object)
      find("it has changed", raw, written, object) if type.changed_in_place?(written, type.deserialize(written))
      :read
    rescue Sparpack::EncodeError
      :unwritten
    end

    # @return [Object, nil] nil if it was refused
    def attempt(*errors)
      yield
    rescue Sparpack::DecodeError, *errors => e
      keeps_secrets(e)
      find("hidden characters in a message", e) if e.message.match?(Sparpack::Quote::HIDDEN)
      nil
    end
  end

  # Entries of a cache that were compressed come back, and damaged ones are a miss. Those of zlib are what Ruby's Zlib reads.
  class CompressedEntries < Target
    COMPRESSORS = %i[lz4 zlib].map { |writes| Sparpack::Rails::CacheCompressor.new(writes:) }.freeze
    ZLIB = 0x78
    private_constant :COMPRESSORS, :ZLIB

    def run(choices)
      entry = payload(choices, Schemas.pick(choices), choices.pick(FORMS.keys)).b * choices.pick([1, 1, 1, 50])
      deflated = choices.pick(COMPRESSORS).deflate(entry)
      find("it does not come back", entry) unless inflated(deflated) == entry
      each_damaged(choices, deflated) do |bytes|
        read = inflated(bytes)
        next read ? :read : :refused unless bytes.getbyte(0) == ZLIB

        find("Zlib reads it otherwise", bytes, read) unless read == by_zlib(bytes)
        :zlib
      end
    end

    private

    # @return [String, nil] nil for a miss
    def inflated(bytes)
      Sparpack::Rails::CacheCompressor.inflate(bytes)
    rescue ActiveSupport::Cache::DeserializationError
      nil
    end

    def by_zlib(bytes)
      Zlib.inflate(bytes)
    rescue Zlib::Error
      nil
    end
  end
end
